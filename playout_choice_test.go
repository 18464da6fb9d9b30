package loa

import (
	"math/rand/v2"
	"testing"
)

// TestRandomMovesAreEquallyLikely: by the legal moves of three positions, one with few pieces, one small.
func TestRandomMovesAreEquallyLikely(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 11))
	for _, text := range []string{
		"1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 b",
		"8/8/2x1oo2/4x3/4o3/8/8/x7 b",
		"1x3/o1o2/o1xxx/o1o2/1x1x1 w",
	} {
		p, err := ParsePosition(text, Rules{})
		if err != nil {
			t.Fatal(err)
		}
		const each = 4000
		moves := p.Moves(nil)
		counts := map[Move]int{}
		for range each * len(moves) {
			counts[p.randomMove(rng)]++
		}
		if len(counts) != len(moves) {
			t.Errorf("%s: %d different moves, want %d", text, len(counts), len(moves))
		}
		for _, m := range moves {
			if n := counts[m]; n < each*92/100 || n > each*108/100 {
				t.Errorf("%s: %s came up %d times, want about %d", text, m, n, each)
			}
		}
	}
}

// TestRandomMoveIsFoundWhereGuessingFails: one legal move among many pieces, and none.
func TestRandomMoveIsFoundWhereGuessingFails(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for text, want := range map[string]bool{"6ox/6oo/8/8/8/8/oo6/xo6 b": false, "o1xo/1oxo/xxoo/oxox b": false, "xooooooo/oooooooo/oooooooo/oooooooo/oooooooo/oooooooo/oooooooo/x6x b": true} {
		p, err := ParsePosition(text, Rules{})
		if err != nil {
			t.Fatal(err)
		}
		for range 100 {
			if m := p.randomMove(rng); (m != NoMoveMade) != want || want && !p.Reaches(m) {
				t.Errorf("%s: %s", text, m)
			}
		}
	}
}
