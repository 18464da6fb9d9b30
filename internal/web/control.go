package web

import (
	"fmt"
	"strings"
	"time"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/clock"
	"github.com/linesofaction/loa/internal/lobby"
	"github.com/linesofaction/loa/internal/wire"
)

const day = 24 * time.Hour

// duration says a time in words: "1 hour 30 minutes".
func (v voice) duration(d time.Duration) string {
	var parts []string
	for _, unit := range []struct {
		key    string
		length time.Duration
	}{{"unit.days", day}, {"unit.hours", time.Hour}, {"unit.minutes", time.Minute}, {"unit.seconds", time.Second}} {
		if n := int(d / unit.length); n > 0 {
			parts = append(parts, v.T(unit.key, "Count", n))
			d -= time.Duration(n) * unit.length
		}
	}
	if len(parts) == 0 {
		return v.T("unit.seconds", "Count", 0)
	}
	return strings.Join(parts, " ")
}

// control says the terms of time in words.
func (v voice) control(c clock.Control) string {
	base, step := v.duration(c.Base), v.duration(c.Step)
	switch c.Kind {
	case clock.Fischer:
		if c.Step == 0 {
			return v.T("control.sudden", "Base", base)
		}
		return v.T("control.fischer", "Base", base, "Step", step)
	case clock.Bronstein:
		return v.T("control.bronstein", "Base", base, "Step", step)
	case clock.Delay:
		return v.T("control.delay", "Base", base, "Step", step)
	case clock.Byoyomi:
		if c.Base == 0 {
			return v.T("control.periods", "Step", step, "Count", c.Periods)
		}
		return v.T("control.byoyomi", "Base", base, "Step", step, "Count", c.Periods)
	case clock.PerMove, clock.Correspondence:
		return v.T("control.move", "Step", step)
	}
	return v.T("control.unlimited")
}

// shortControl writes the terms of time as lists and headings do: "5+3", "2 days".
func (v voice) shortControl(c clock.Control) string {
	switch c.Kind {
	case clock.Correspondence, clock.PerMove:
		return v.T("control.short.move", "Step", v.duration(c.Step))
	case clock.Unlimited:
		return v.T("control.short.unlimited")
	}
	return c.String()
}

// dial writes what a clock shows before its script takes over. A second that has begun counts as a whole one, so that no time left looks
// like none.
func (v voice) dial(face wire.Face) string {
	left := (time.Duration(face.Left)*time.Millisecond + time.Second - 1).Truncate(time.Second)
	switch {
	case left >= day:
		return v.T("clock.days", "Days", int(left/day), "Hours", int(left%day/time.Hour))
	case left >= time.Hour:
		return fmt.Sprintf("%d:%02d:%02d", int(left.Hours()), int(left.Minutes())%60, int(left.Seconds())%60)
	}
	return fmt.Sprintf("%d:%02d", int(left.Minutes()), int(left.Seconds())%60)
}

// remains says in words what is left of a time for a move that takes days: days and hours, or hours and minutes.
func (v voice) remains(left time.Duration) string {
	if left >= day {
		return v.duration(left.Truncate(time.Hour))
	}
	return v.duration(max(left, time.Minute).Truncate(time.Minute))
}

// stakes says whether a game counts, and why it does not. guest is whether one of those who play is one.
func (v voice) stakes(wish lobby.Wish, guest bool) string {
	switch why := wish.Unrated(); {
	case wish.Rated:
		return v.T("rated.yes")
	case why != "":
		return v.T("rated." + why)
	case guest:
		return v.T("rated.guest-plays")
	}
	return v.T("rated.no")
}

// between are the terms of a match that only concern people: whether it counts, and the time.
func (v voice) between(rated string, control clock.Control) []term {
	return []term{{v.T("terms.rated"), rated}, {v.T("terms.control"), v.control(control)}}
}

// colorTerm says who plays what, from the challenger's wish.
func (v voice) colorTerm(color loa.Color) string {
	if color == loa.NoColor {
		return v.T("color.lot")
	}
	return v.T("side." + color.String())
}
