package engine_test

import (
	"testing"

	"github.com/linesofaction/loa/engine"
)

func TestScoresStandForResults(t *testing.T) {
	for _, test := range []struct {
		score           engine.Score
		win, draw, loss int
	}{
		{0, 484, 32, 484},
		{200, 718, 26, 256},
		{-200, 256, 26, 718},
		{2000, 1000, 0, 0},
		{engine.WinIn(5), 1000, 0, 0},
		{engine.WinIn(-4), 0, 0, 1000},
	} {
		if w, d, l := test.score.WDL(); w != test.win || d != test.draw || l != test.loss {
			t.Errorf("%s: %d %d %d, want %d %d %d", test.score, w, d, l, test.win, test.draw, test.loss)
		}
	}
}
