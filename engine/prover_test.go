package engine

import (
	"context"
	"testing"
)

// TestRootProofFindsWinBeyondTheHorizon: a win in seven plies at the cost of a few thousand positions, with its whole line, the
// same every time and within the limit.
func TestRootProofFindsWinBeyondTheHorizon(t *testing.T) {
	g := mustGame(t, "standard", "8/1xo4o/3xoxxo/6xo/3xo1xx/5xxo/6o1/8 b")
	side := g.Position().Turn()
	limits := Limits{Nodes: 60_000}
	var results [2]Result
	for i := range results {
		var err error
		if results[i], err = New(Options{Hash: 4}).Search(context.Background(), g, limits, nil); err != nil {
			t.Fatal(err)
		}
	}
	result := results[0]
	if plies, forced := result.Score.Plies(); !forced || plies < 7 || len(result.PV) > plies || result.BestMove != result.PV[0] {
		t.Errorf("%v, %v", result.Score, result.PV)
	}
	if other := results[1]; other.Nodes != result.Nodes || other.Score != result.Score || other.BestMove != result.BestMove {
		t.Errorf("%v, then %v", result, other)
	}
	if result.Nodes > limits.Nodes {
		t.Errorf("%d nodes", result.Nodes)
	}
	line := g.Clone()
	for _, m := range result.PV {
		if err := line.Play(m); err != nil {
			t.Fatal(err)
		}
	}
	if line.Outcome().Winner != side {
		t.Errorf("the line ends with %v", line.Outcome())
	}
}

// TestProofsAreLeftOutWhenOff: the search then spends nothing on them.
func TestProofsAreLeftOutWhenOff(t *testing.T) {
	e := New(Options{Hash: 4, Off: RootProofs})
	if _, err := e.Search(context.Background(), mustGame(t, "standard", "8/1xo4o/3xoxxo/6xo/3xo1xx/5xxo/6o1/8 b"), Limits{Nodes: 20_000}, nil); err != nil {
		t.Fatal(err)
	}
	if e.solver != nil {
		t.Error("a solver was made")
	}
}
