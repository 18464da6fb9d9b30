// Package clock is the time two players have: the terms they agreed on and where their clocks stand. It reads
// no clock itself; every instant is an argument.
package clock

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Kind is how time is given.
type Kind uint8

// The kinds of control.
const (
	Unlimited      Kind = iota // no clock at all
	Fischer                    // Base, and Step is added after every move
	Bronstein                  // Base, and what a move took is given back, up to Step
	Delay                      // Base, which begins to run Step after the turn does
	Byoyomi                    // Base, then Periods of Step each; one that is not used up is kept
	PerMove                    // Step for every move
	Correspondence             // Step, whole days, for every move
)

// Control is the terms. Its zero value is Unlimited. Controls compare with ==.
type Control struct {
	Kind    Kind
	Base    time.Duration
	Step    time.Duration
	Periods int
}

const day = 24 * time.Hour

// The widest terms on offer.
const (
	maxBase    = 3 * time.Hour
	maxStep    = 3 * time.Minute
	maxPerMove = 10 * time.Minute
	maxPeriods = 20
	maxDays    = 14
)

// forms describes what Parse reads, for its error.
const forms = "unlimited, 5+3 (minutes, and seconds a move), 5b3 (Bronstein), 5d3 (delay), 10+3x30 (three periods of 30 s), 30/move (seconds), or 3d/move (days)"

// Parse reads the terms as String writes them: "unlimited"; "5+3", minutes and seconds added a move; "5b3" and
// "5d3", the same as Bronstein and as delay; "10+3x30", minutes and three periods of 30 seconds; "30/move",
// seconds; "3d/move", days.
func Parse(text string) (Control, error) {
	c, ok := parse(strings.TrimSpace(text))
	if !ok {
		return Control{}, fmt.Errorf("time control %q: expected %s", text, forms)
	}
	if err := c.Validate(); err != nil {
		return Control{}, fmt.Errorf("time control %q: %w", text, err)
	}
	return c, nil
}

func parse(text string) (c Control, ok bool) {
	if text == "unlimited" {
		return c, true
	}
	if days, found := strings.CutSuffix(text, "d/move"); found {
		n, err := strconv.Atoi(days)
		return Control{Kind: Correspondence, Step: time.Duration(n) * day}, err == nil
	}
	if seconds, found := strings.CutSuffix(text, "/move"); found {
		n, err := strconv.Atoi(seconds)
		return Control{Kind: PerMove, Step: time.Duration(n) * time.Second}, err == nil
	}
	at := strings.IndexAny(text, "+bd")
	if at < 0 {
		return c, false
	}
	minutes, err := strconv.ParseFloat(text[:at], 64)
	if err != nil || !(minutes >= 0 && minutes <= 1e6) {
		return c, false
	}
	c.Base = time.Duration(minutes * float64(time.Minute)).Round(time.Second)
	rest := text[at+1:]
	switch text[at] {
	case 'b':
		c.Kind = Bronstein
	case 'd':
		c.Kind = Delay
	default:
		c.Kind = Fischer
		if periods, step, found := strings.Cut(rest, "x"); found {
			c.Kind, rest = Byoyomi, step
			if c.Periods, err = strconv.Atoi(periods); err != nil {
				return c, false
			}
		}
	}
	seconds, err := strconv.Atoi(rest)
	c.Step = time.Duration(seconds) * time.Second
	return c, err == nil
}

// String writes the terms as Parse reads them.
func (c Control) String() string {
	minutes := strconv.FormatFloat(c.Base.Minutes(), 'f', -1, 64)
	seconds := strconv.Itoa(int(c.Step / time.Second))
	switch c.Kind {
	case Fischer:
		return minutes + "+" + seconds
	case Bronstein:
		return minutes + "b" + seconds
	case Delay:
		return minutes + "d" + seconds
	case Byoyomi:
		return minutes + "+" + strconv.Itoa(c.Periods) + "x" + seconds
	case PerMove:
		return seconds + "/move"
	case Correspondence:
		return strconv.Itoa(int(c.Step/day)) + "d/move"
	}
	return "unlimited"
}

// Validate reports terms that are not on offer.
func (c Control) Validate() error {
	between := func(what string, got, least, most time.Duration) error {
		if got < least || got > most {
			return fmt.Errorf("%s of %s, expected %s to %s", what, got, least, most)
		}
		return nil
	}
	switch c.Kind {
	case Unlimited:
		return nil
	case PerMove:
		return between("a move's time", c.Step, 5*time.Second, maxPerMove)
	case Correspondence:
		if c.Step%day != 0 {
			return fmt.Errorf("%s for a move, expected whole days", c.Step)
		}
		return between("a move's time", c.Step, day, maxDays*day)
	case Fischer, Bronstein, Delay, Byoyomi:
	default:
		return fmt.Errorf("an unknown kind of control, %d", c.Kind)
	}
	if err := between("a base", c.Base, 0, maxBase); err != nil {
		return err
	}
	if err := between("a step", c.Step, 0, maxStep); err != nil {
		return err
	}
	if c.Kind == Byoyomi && (c.Periods < 1 || c.Periods > maxPeriods || c.Step < 5*time.Second) {
		return fmt.Errorf("%d periods of %s, expected 1 to %d of at least 5s", c.Periods, c.Step, maxPeriods)
	}
	if c.Kind != Byoyomi && c.Base < 15*time.Second && c.Step < 2*time.Second {
		return fmt.Errorf("a base of %s and a step of %s, expected at least 15s or a step of 2s", c.Base, c.Step)
	}
	return nil
}

// Speed names how fast a game under the terms is, which decides the pool its rating counts in.
type Speed uint8

// The speeds, by the time a side has in a game of 25 moves: under 3 minutes, under 8, under 25, more; and
// days.
const (
	Bullet Speed = iota
	Blitz
	Rapid
	Classical
	Days
)

// String returns "bullet", "blitz", "rapid", "classical" or "days".
func (s Speed) String() string {
	return [...]string{"bullet", "blitz", "rapid", "classical", "days"}[s]
}

// expectedMoves is the number of moves a side makes in a long game; games here last about 20 a side.
const expectedMoves = 25

// Expected returns the time a side has for a game of usual length.
func (c Control) Expected() time.Duration {
	switch c.Kind {
	case Byoyomi:
		return c.Base + expectedMoves*c.Step/2
	case PerMove:
		return expectedMoves * c.Step / 2
	}
	return c.Base + expectedMoves*c.Step
}

// Speed returns the speed of the terms; Unlimited counts as Days.
func (c Control) Speed() Speed {
	switch t := c.Expected(); {
	case c.Kind == Unlimited || c.Kind == Correspondence:
		return Days
	case t < 3*time.Minute:
		return Bullet
	case t < 8*time.Minute:
		return Blitz
	case t < 25*time.Minute:
		return Rapid
	}
	return Classical
}
