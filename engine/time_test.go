package engine

import (
	"context"
	"testing"
	"time"
)

// TestBudgetFitsClock: never more than is left, never nothing, and more time means no less of it.
func TestBudgetFitsClock(t *testing.T) {
	var before time.Duration
	for _, left := range []time.Duration{0, 10 * time.Millisecond, 100 * time.Millisecond, time.Second, time.Minute, time.Hour} {
		for _, increment := range []time.Duration{0, time.Second} {
			c := Clock{Left: left, Increment: increment, OpponentLeft: left}
			soft, hard := c.budget()
			if soft <= 0 || hard < soft || hard > max(left, time.Millisecond) {
				t.Errorf("%v + %v: soft %v, hard %v", left, increment, soft, hard)
			}
			if increment == 0 {
				if soft < before {
					t.Errorf("%v left: %v is less than with less left", left, soft)
				}
				before = soft
			}
		}
	}
}

// TestOnlyMoveIsPlayedAtOnce when a clock is running.
func TestOnlyMoveIsPlayedAtOnce(t *testing.T) {
	g := mustGame(t, "standard", "6ox/6oo/8/8/8/8/oo6/xo6 b")
	result, err := New(Options{Hash: 1}).Search(context.Background(), g, Limits{Clock: &Clock{Left: time.Hour}}, nil)
	if err != nil || result.BestMove.String() != "pass" || result.Depth != 1 {
		t.Errorf("%+v, %v", result, err)
	}
}
