package solve

import (
	"bytes"
	"context"
	"math/rand/v2"
	"testing"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/engine/solve/proof"
)

// TestProofIsFoundThoughTheTableHasLostParts wipes more and more of the table between the search and its proof.
func TestProofIsFoundThoughTheTableHasLostParts(t *testing.T) {
	rules, err := loa.ParseRules("standard:size=5")
	if err != nil {
		t.Fatal(err)
	}
	game, err := loa.NewGame(rules)
	if err != nil {
		t.Fatal(err)
	}
	s := New(16)
	result, err := s.Solve(context.Background(), game, Limits{}, nil)
	if err != nil || result.Value != Win {
		t.Fatal(result, err)
	}
	random := rand.New(rand.NewPCG(5, 5))
	for round := range 8 {
		for i := range s.table.buckets {
			for j := range s.table.buckets[i] {
				if random.IntN(3) == 0 {
					s.table.buckets[i][j] = entry{}
				}
			}
		}
		p, err := s.Proof()
		if err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		var file bytes.Buffer
		if err := p.Write(&file); err != nil {
			t.Fatal(err)
		}
		v, err := proof.Verify(bytes.NewReader(file.Bytes()), int64(file.Len()), nil)
		if err != nil || v.Value != "win" || v.Plies > result.Bound {
			t.Fatalf("round %d: %+v, %v; the search said at most %d plies", round, v, err, result.Bound)
		}
	}
}
