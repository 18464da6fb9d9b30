package engine

import (
	"context"
	"testing"

	"github.com/linesofaction/loa"
)

// TestEveryLevelPlaysEveryRuleSet plays the beginning of a game at each level by each named rule set.
func TestEveryLevelPlaysEveryRuleSet(t *testing.T) {
	for level := 1; level <= MaxLevel; level++ {
		e := New(Options{Hash: 1, Level: level})
		for _, set := range loa.RuleSets() {
			g, err := loa.NewGame(set.Rules)
			if err != nil {
				t.Fatal(err)
			}
			for range 2 {
				result, err := e.Search(context.Background(), g, Limits{Nodes: 2000}, nil)
				if err != nil {
					t.Fatalf("level %d, %s: %v", level, set.Name, err)
				}
				if err := g.Play(result.BestMove); err != nil {
					t.Fatalf("level %d, %s: %v", level, set.Name, err)
				}
			}
		}
	}
}

// TestEveryLevelTakesWinInOne, whatever chance says.
func TestEveryLevelTakesWinInOne(t *testing.T) {
	for level := 1; level <= MaxLevel; level++ {
		e := New(Options{Hash: 1, Level: level, Seed: uint64(level)})
		for _, win := range forcedWins(t) {
			if win.plies != 1 {
				continue
			}
			g := mustGame(t, "standard", win.position)
			for _, nodes := range []uint64{1, 200} {
				result, err := e.Search(context.Background(), g, Limits{Nodes: nodes}, nil)
				if err != nil {
					t.Fatal(err)
				}
				if p, err := g.Position().Play(result.BestMove); err != nil || p.Outcome().Winner != g.Position().Turn() {
					t.Errorf("level %d, %d nodes: %s: %v, %v", level, nodes, win.position, result.BestMove, err)
				}
			}
		}
	}
}

// TestLevelIsReproducibleBySeed: one seed chooses one move, many seeds choose several.
func TestLevelIsReproducibleBySeed(t *testing.T) {
	g := mustGame(t, "standard", "")
	chosen := map[loa.Move]bool{}
	for seed := range uint64(20) {
		var moves [2]loa.Move
		for i := range moves {
			result, err := New(Options{Hash: 1, Level: 1, Seed: seed}).Search(context.Background(), g, Limits{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if result.Nodes > LevelNodes(1) {
				t.Errorf("level 1 looked at %d positions, the limit is %d", result.Nodes, LevelNodes(1))
			}
			moves[i] = result.BestMove
		}
		if moves[0] != moves[1] {
			t.Errorf("seed %d: %v, then %v", seed, moves[0], moves[1])
		}
		chosen[moves[0]] = true
	}
	if len(chosen) < 3 {
		t.Errorf("20 seeds chose only %v", chosen)
	}
}

// TestLevelsGrow: each number allows at least as much as the one before.
func TestLevelsGrow(t *testing.T) {
	for i := 2; i <= MaxLevel; i++ {
		a, b := levels[i-1], levels[i]
		if b.nodes < a.nodes || b.spread > a.spread || b.lines > a.lines || b.sight < a.sight {
			t.Errorf("level %d: %+v after %+v", i, b, a)
		}
	}
}
