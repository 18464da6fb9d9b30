package bot

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/clock"
	"github.com/linesofaction/loa/internal/match"
)

// newMatch returns a match whose engine is to move, under a time control.
func newMatch(t *testing.T, control string) *match.Match {
	t.Helper()
	c, err := clock.Parse(control)
	if err != nil {
		t.Fatal(err)
	}
	start, err := loa.Rules{}.StartPosition()
	if err != nil {
		t.Fatal(err)
	}
	terms := match.Terms{Start: start.Setup(), Control: c, Seats: [2]match.Seat{{Holder: match.Engine, Level: 4}, {Person: "p", Name: "1"}}}
	log, err := match.Create(terms, time.UnixMilli(1_700_000_000_000))
	if err != nil {
		t.Fatal(err)
	}
	m, err := match.Replay("m", log)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestMovesTakeAsLongAsAPersonWould, and a small share of the clock where there is one.
func TestMovesTakeAsLongAsAPersonWould(t *testing.T) {
	for _, test := range []struct {
		control     string
		pace        time.Duration
		least, most time.Duration
	}{
		{"unlimited", 2 * time.Second, time.Second, 3 * time.Second},
		{"unlimited", 0, 0, 0},
		{"10/move", 20 * time.Second, 250 * time.Millisecond, 250 * time.Millisecond},
	} {
		b := Bot{Pace: test.pace}
		if got := b.pause(newMatch(t, test.control)); got < test.least || got > test.most {
			t.Errorf("%s at a pace of %v: %v, want %v to %v", test.control, test.pace, got, test.least, test.most)
		}
	}
}

// TestPauseEndsWithItsTurn: a turn called off is not played, one whose time is over is.
func TestPauseEndsWithItsTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		turn, cancel := context.WithCancel(t.Context())
		if !wait(turn, time.Second) || time.Since(began) != time.Second {
			t.Errorf("a pause of a second took %v", time.Since(began))
		}
		cancel()
		if wait(turn, time.Hour) {
			t.Error("a turn that was called off is played")
		}
		late, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if !wait(late, time.Hour) {
			t.Error("a turn whose time is over is not played")
		}
	})
}
