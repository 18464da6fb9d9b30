package engine

import (
	"math/rand/v2"
	"testing"

	"github.com/linesofaction/loa"
)

// FuzzPlayedNodeIsNodeFromScratch plays random games: what a node keeps up to date is what it would be from scratch.
func FuzzPlayedNodeIsNodeFromScratch(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed)
	}
	weights := testWeights()
	f.Fuzz(func(t *testing.T, seed uint64) {
		g := randomGame(t, rand.New(rand.NewPCG(seed, 1)), loa.MaxSize)
		terrain := newTerrain(g.Position().Size(), g.Rules().Captures == loa.CapturesYes, weights, nil)
		var played, next, scratch node
		played.set(g.Start(), terrain)
		for ply := range g.Plies() {
			played.play(g.Move(ply), g.PositionAt(ply+1), &next, terrain)
			next.encode(&played, g.Move(ply), terrain)
			played = next
			scratch.set(g.PositionAt(ply+1), terrain)
			if played != scratch {
				t.Fatalf("ply %d of %v: played\n%+v\nfrom scratch\n%+v", ply, g.Start(), played, scratch)
			}
		}
	})
}

// FuzzMobilityIsMoveCount plays random games: the lines count the moves of both sides.
func FuzzMobilityIsMoveCount(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		g := randomGame(t, rand.New(rand.NewPCG(seed, 2)), loa.MaxSize)
		terrain := newTerrain(g.Position().Size(), g.Rules().Captures == loa.CapturesYes, new(Weights), nil)
		var n node
		for ply := range g.Plies() + 1 {
			p := g.PositionAt(ply)
			n.set(p, terrain)
			if got, want := n.mobility(p.Turn()), len(p.MovesUnchecked(nil)); got != want {
				t.Fatalf("%v: %d moves by the lines, %d by the generator", p, got, want)
			}
		}
	})
}

// FuzzEvaluationIsWeightedFeatures plays random games: the fast evaluation is the weighted sum of the features
// as Measure works them out.
func FuzzEvaluationIsWeightedFeatures(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed)
	}
	weights := testWeights()
	f.Fuzz(func(t *testing.T, seed uint64) {
		g := randomGame(t, rand.New(rand.NewPCG(seed, 3)), loa.MaxSize)
		meter := NewMeter(g.Rules(), g.Position().Size())
		terrain := newTerrain(g.Position().Size(), g.Rules().Captures == loa.CapturesYes, weights, nil)
		var n node
		for ply := range g.Plies() + 1 {
			p := g.PositionAt(ply)
			n.set(p, terrain)
			x, phase := meter.Measure(p)
			if got, want := terrain.evaluate(&n), weigh(weights, x, phase, p.Turn()); got != want {
				t.Fatalf("%v: evaluated as %d, the features are worth %d", p, got, want)
			}
		}
	})
}

// weigh is the evaluation in one line.
func weigh(w *Weights, x [Features]int, phase int, turn loa.Color) int {
	sum := 0
	for f, value := range x {
		sum += value * (w.Opening[f]*phase + w.Ending[f]*(16-phase))
	}
	return sum * (1 - 2*int(turn)) / (16 * unit)
}

// TestPackedSumsHaveRoom adds up the greatest values a board can hold: no field runs over into the next.
func TestPackedSumsHaveRoom(t *testing.T) {
	for size := loa.MinSize; size <= loa.MaxSize; size++ {
		w := new(Weights)
		for f := range Features {
			w.Opening[f], w.Ending[f] = 1<<11, 1<<11
		}
		terrain := newTerrain(size, true, w, nil)
		score, moves := 0, 0
		for line := range terrain.count {
			most, mostMoves := 0, 0
			first := int(terrain.empty[line])
			last := len(terrain.offers)
			for _, start := range terrain.empty[:terrain.count] {
				if int(start) > first {
					last = min(last, int(start))
				}
			}
			for _, sum := range terrain.offers[first:last] {
				opening, _ := scores(sum)
				most = max(most, opening, -opening)
				mostMoves = max(mostMoves, int(sum&0xfff), int(sum>>12&0xfff))
			}
			score += most
			moves += mostMoves
		}
		if score >= 1<<19 || moves >= 1<<12 {
			t.Errorf("size %d: scores up to %d, moves up to %d", size, score, moves)
		}
	}
}
