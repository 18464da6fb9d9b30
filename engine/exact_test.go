package engine

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/linesofaction/loa"
)

// minimax is the search without any idea: every move is tried by the rules of the game. It shares with the
// engine only the evaluation, and what the horizon is: a side with a win in one has won.
func minimax(g *loa.Game, w *Weights, meter *Meter, depth, ply int) int {
	turn := g.Position().Turn()
	if o := g.Outcome(); o.Over() {
		switch o.Winner {
		case loa.NoColor:
			return 0
		case turn:
			return scoreWin - ply
		}
		return ply - scoreWin
	}
	if winByMoves(g.Position()) {
		return scoreWin - ply - 1
	}
	if depth == 0 {
		x, phase := meter.Measure(g.Position())
		return weigh(w, x, phase, turn)
	}
	best := -scoreNone
	for _, m := range g.Moves(nil) {
		if err := g.Play(m); err != nil {
			panic(err)
		}
		best = max(best, -minimax(g, w, meter, depth-1, ply+1))
		g.Truncate(g.Plies() - 1)
	}
	return best
}

// FuzzExactSearchIsMinimax searches small boards under random rules to small depths.
func FuzzExactSearchIsMinimax(f *testing.F) {
	for seed := range uint64(60) {
		f.Add(seed)
	}
	weights := testWeights()
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 5))
		g := randomGame(t, r, 6)
		depth := 1 + r.IntN(2)
		if g.Position().Size() == loa.MinSize || g.Position().Occupied().Count() < 8 {
			depth = 1 + r.IntN(4)
		}
		meter := NewMeter(g.Rules(), g.Position().Size())
		e := New(Options{Hash: 1, Weights: weights}.Exact())
		want := minimax(g.Clone(), weights, meter, depth, 0)
		result, err := e.Search(context.Background(), g, Limits{Depth: depth}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if int(result.Score) != want {
			t.Fatalf("%v after %d plies under %v, depth %d: %v, minimax says %v", g.Position(), g.Plies(), g.Rules(), depth, result.Score, Score(want))
		}
		// the move has the score as well
		if err := g.Play(result.BestMove); err != nil {
			t.Fatal(err)
		}
		if got := -minimax(g, weights, meter, depth-1, 1); got != want {
			t.Fatalf("%v under %v, depth %d: %v is worth %v, not %v", g.PositionAt(g.Plies()-1), g.Rules(), depth, result.BestMove, Score(got), Score(want))
		}
	})
}
