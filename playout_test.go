package loa_test

import (
	"math/rand/v2"
	"testing"

	"github.com/linesofaction/loa"
)

// TestPlayoutsEnd by the board, sometimes for either side, and the same for the same seed.
func TestPlayoutsEnd(t *testing.T) {
	for _, rules := range []string{"standard", "standard:size=4", "mini", "no-capture:size=5", "openspiel:size=5"} {
		p := start(t, rules)
		winners := map[loa.Color]int{}
		one, two := rand.New(rand.NewPCG(1, 2)), rand.New(rand.NewPCG(1, 2))
		for range 200 {
			o, plies := p.Playout(one, 100_000)
			if !o.Over() || plies == 0 || o.Reason == loa.PlyCap || o.Reason == loa.Repetition {
				t.Fatalf("%s: %s after %d plies", rules, o, plies)
			}
			winners[o.Winner]++
			if again, n := p.Playout(two, 100_000); again != o || n != plies {
				t.Fatalf("%s: %s after %d plies, then %s after %d", rules, o, plies, again, n)
			}
		}
		if winners[loa.Black] < 20 || winners[loa.White] < 20 {
			t.Errorf("%s: winners %v", rules, winners)
		}
	}
}

func TestPlayoutStopsAtItsLimitAndAtTheEnd(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	if o, plies := start(t, "standard").Playout(rng, 3); o.Over() || plies != 3 {
		t.Errorf("%s after %d plies", o, plies)
	}
	if o, plies := at(t, "8/8/8/3xx3/8/8/8/o6o b").Playout(rng, 3); o.Winner != loa.Black || plies != 0 {
		t.Errorf("%s after %d plies", o, plies)
	}
	if o, plies := at(t, "6ox/6oo/8/8/8/8/oo6/xo6 b").Playout(rng, 1); o.Over() || plies != 1 {
		t.Errorf("a forced pass: %s after %d plies", o, plies)
	}
	if o, plies := at(t, "o1xo/1oxo/xxoo/oxox b").Playout(rng, 9); o.Reason != loa.NoMove || plies != 0 {
		t.Errorf("nobody can move: %s after %d plies", o, plies)
	}
}

func TestPlayoutDoesNotAllocate(t *testing.T) {
	p, rng := start(t, "standard"), rand.New(rand.NewPCG(1, 2))
	if n := testing.AllocsPerRun(50, func() { p.Playout(rng, 1000) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// BenchmarkPlayouts plays random games from the start.
func BenchmarkPlayouts(b *testing.B) {
	p, rng := start(b, "standard"), rand.New(rand.NewPCG(1, 2))
	plies := 0
	b.ReportAllocs()
	for b.Loop() {
		_, n := p.Playout(rng, 100_000)
		plies += n
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "playouts/s")
	b.ReportMetric(float64(plies)/float64(b.N), "plies/playout")
}
