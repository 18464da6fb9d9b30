package clock

import (
	"time"

	"github.com/linesofaction/loa"
)

// Allowances for the network's delay, which the server measures and a client cannot ask for.
const (
	MaxLag     = 500 * time.Millisecond // a move is credited at most this
	MaxLagGame = 10 * time.Second       // and all moves of a side together this
)

// Clock is where both clocks of a game stand. It is a value; the methods return what follows and change
// nothing. Its zero value belongs to an Unlimited control and never flags.
type Clock struct {
	control Control
	left    [2]time.Duration // of the base, or of the move where there is no base, when the turn began
	periods [2]int           // of byo-yomi, when the turn began
	lag     [2]time.Duration // credited so far
	running loa.Color        // NoColor when stopped
	since   time.Time        // when the turn began
}

// New returns the clocks of a game that has not begun. They run from the first Start. Where there is no base but
// what moves bring, each side begins with one step.
func New(c Control) Clock {
	k := Clock{control: c, running: loa.NoColor, periods: [2]int{c.Periods, c.Periods}}
	for side := range k.left {
		k.left[side] = c.Base
		switch c.Kind {
		case PerMove, Correspondence:
			k.left[side] = c.Step
		case Fischer, Bronstein:
			if c.Base == 0 {
				k.left[side] = c.Step
			}
		}
	}
	return k
}

// Control returns the terms.
func (k Clock) Control() Control { return k.control }

// Running returns whose clock runs, NoColor when none does.
func (k Clock) Running() loa.Color { return k.running }

// Since returns when the running turn began.
func (k Clock) Since() time.Time { return k.since }

// Start returns the clocks with a side's running from now.
func (k Clock) Start(color loa.Color, now time.Time) Clock {
	if k.control.Kind == Unlimited {
		return k
	}
	k.running, k.since = color, now
	return k
}

// Stop returns the clocks at rest, as they stand now.
func (k Clock) Stop(now time.Time) Clock {
	if k.running == loa.NoColor {
		return k
	}
	c := k.running
	k.left[c], k.periods[c] = k.after(c, k.elapsed(now))
	k.running = loa.NoColor
	return k
}

// Press returns the clocks after a side's move at now, the other side's running. lag is the network's delay
// as measured for this move; it is credited within the allowances.
func (k Clock) Press(color loa.Color, now time.Time, lag time.Duration) Clock {
	if k.running != color {
		return k.Start(color.Opponent(), now)
	}
	credit := k.credit(color, lag)
	spent := max(0, k.elapsed(now)-credit)
	k.lag[color] += credit
	k.left[color], k.periods[color] = k.after(color, spent)
	switch k.control.Kind {
	case Fischer:
		k.left[color] += k.control.Step
	case Bronstein:
		k.left[color] += min(spent, k.control.Step)
	case PerMove, Correspondence:
		k.left[color] = k.control.Step
	}
	return k.Start(color.Opponent(), now)
}

// Hand returns the clocks with the turn given on at now without a move: a forced pass costs nothing and earns
// nothing.
func (k Clock) Hand(color loa.Color, now time.Time) Clock {
	if k.running == loa.NoColor {
		return k
	}
	return k.Start(color.Opponent(), now)
}

// Give returns the clocks with time given back to the side whose clock runs: that of a service that was down.
func (k Clock) Give(d time.Duration) Clock {
	if k.running != loa.NoColor {
		k.since = k.since.Add(d)
	}
	return k
}

// credit returns what of a delay is credited.
func (k Clock) credit(color loa.Color, lag time.Duration) time.Duration {
	return max(0, min(lag, MaxLag, MaxLagGame-k.lag[color]))
}

// Lag returns what was credited to a side so far.
func (k Clock) Lag(color loa.Color) time.Duration { return k.lag[color] }

func (k Clock) elapsed(now time.Time) time.Duration { return max(0, now.Sub(k.since)) }

// after returns what of base and periods is left to a side when a turn has taken so long; base is negative and
// periods are 0 when the flag has fallen.
func (k Clock) after(color loa.Color, spent time.Duration) (left time.Duration, periods int) {
	left, periods = k.left[color], k.periods[color]
	switch k.control.Kind {
	case Unlimited:
		return left, periods
	case Delay:
		return left - max(0, spent-k.control.Step), periods
	case Byoyomi:
		if spent <= left {
			return left - spent, periods
		}
		over := spent - left
		periods -= int(over / k.control.Step)
		if periods <= 0 {
			return -1, 0
		}
		return 0, periods
	}
	return left - spent, periods
}

// budget returns how long a side's turn may take before its flag falls.
func (k Clock) budget(color loa.Color) time.Duration {
	switch k.control.Kind {
	case Delay:
		return k.left[color] + k.control.Step
	case Byoyomi:
		return k.left[color] + time.Duration(k.periods[color])*k.control.Step
	}
	return k.left[color]
}

// Left returns how long until a side's flag falls, all periods and delays counted, if its turn goes on from now
// or, when it is not running, began now. It is negative after the flag has fallen.
func (k Clock) Left(color loa.Color, now time.Time) time.Duration {
	left := k.budget(color)
	if k.running == color {
		left -= k.elapsed(now)
	}
	return left
}

// Face is what a clock shows.
type Face struct {
	Left    time.Duration // of the base, or of the period that runs
	Periods int           // byo-yomi periods left, the running one included
	Period  bool          // Left is of a byo-yomi period: the base is used up
	Delay   time.Duration // until Left begins to run
}

// Face returns what a side's clock shows at now.
func (k Clock) Face(color loa.Color, now time.Time) Face {
	spent := time.Duration(0)
	if k.running == color {
		spent = k.elapsed(now)
	}
	left, periods := k.after(color, spent)
	face := Face{Left: max(0, left), Periods: periods}
	switch k.control.Kind {
	case Delay:
		face.Delay = max(0, k.control.Step-spent)
	case Byoyomi:
		if left == 0 && periods > 0 {
			face.Left = k.control.Step - (spent-min(spent, k.left[color]))%k.control.Step
			face.Period = true
		}
	}
	return face
}

// Deadline returns when the flag of the running side falls at the earliest, its lag not counted, and whether a
// clock runs.
func (k Clock) Deadline() (time.Time, bool) {
	if k.running == loa.NoColor || k.control.Kind == Unlimited {
		return time.Time{}, false
	}
	return k.since.Add(k.budget(k.running)), true
}

// Flagged returns whose flag has fallen at now, a delay of the network within the allowances given, or NoColor.
// A move made just at the deadline is in time.
func (k Clock) Flagged(now time.Time, lag time.Duration) loa.Color {
	deadline, ok := k.Deadline()
	if !ok || !now.After(deadline.Add(k.credit(k.running, lag))) {
		return loa.NoColor
	}
	return k.running
}
