package engine

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/linesofaction/loa"
)

// mustRules reads rules that a test writes down.
func mustRules(t testing.TB, text string) loa.Rules {
	t.Helper()
	rules, err := loa.ParseRules(text)
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

// mustGame begins a game from a position that a test writes down, or from the start for an empty text, and plays moves.
func mustGame(t testing.TB, rules, position string, moves ...string) *loa.Game {
	t.Helper()
	r := mustRules(t, rules)
	g, err := loa.NewGame(r)
	if position != "" {
		var setup loa.Setup
		if setup, err = loa.ParseSetup(position); err == nil {
			g, err = loa.NewGameFrom(r, setup)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range moves {
		m, _, err := loa.ParseMove(text)
		if err == nil {
			err = g.Play(m)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return g
}

// randomRules draws rules with any of the options, on a board of at most the given size.
func randomRules(r *rand.Rand, most int) loa.Rules {
	return loa.Rules{
		Both:       loa.Both(r.IntN(2)),
		NoMove:     loa.NoMoveRule(r.IntN(3)),
		Repetition: loa.RepetitionRule(r.IntN(3)),
		Captures:   loa.Captures(r.IntN(2)),
		Goal:       loa.Goal(r.IntN(2)),
		Start:      loa.StartStandard + loa.Start(3*r.IntN(2)), // standard or random
		Size:       loa.MinSize + r.IntN(most-loa.MinSize+1),
		Seed:       r.Uint64(),
		Cap:        r.IntN(2) * (1 + r.IntN(40)),
	}
}

// randomGame plays random moves of a game by random rules and stops before the game is over.
func randomGame(t testing.TB, r *rand.Rand, most int) *loa.Game {
	t.Helper()
	g, err := loa.NewGame(randomRules(r, most))
	if err != nil {
		t.Fatal(err)
	}
	for range r.IntN(60) {
		moves := g.Moves(nil)
		// now and then a piece goes there and back, so that positions repeat
		back := loa.NoMoveMade
		if n := g.Plies(); n >= 2 && g.Move(n-2) != loa.Pass {
			back = loa.NewMove(g.Move(n-2).To(), g.Move(n-2).From())
		}
		m := moves[r.IntN(len(moves))]
		if r.IntN(3) == 0 && g.Position().IsLegal(back) {
			m = back
		}
		if err := g.Play(m); err != nil {
			t.Fatal(err)
		}
		if g.Outcome().Over() {
			g.Truncate(g.Plies() - 1)
			break
		}
	}
	return g
}

// testWeights makes every feature count for something.
func testWeights() *Weights {
	w := new(Weights)
	for f := range Features {
		w.Opening[f] = 37*(int(f)+3)%101 - 50
		w.Ending[f] = 53*(int(f)+7)%97 - 48
	}
	return w
}

// TestALineIsMoreThanAMove: wherever a search is broken off it says how the game may go on, by legal moves.
func TestALineIsMoreThanAMove(t *testing.T) {
	for _, rules := range []string{"standard", "misere", "mini", "no-capture"} {
		g := mustGame(t, rules, "")
		for nodes := uint64(5_000); nodes < 40_000; nodes += 15_000 {
			result, err := New(Options{Hash: 1}).Search(context.Background(), g, Limits{Nodes: nodes, MultiPV: 2}, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, line := range result.Lines {
				if len(line.PV) < 3 {
					t.Errorf("%s, %d nodes: %v", rules, nodes, line.PV)
				}
				p := g.Position()
				for _, m := range line.PV {
					if p, err = p.Play(m); err != nil {
						t.Fatalf("%s, %d nodes: %v: %v", rules, nodes, line.PV, err)
					}
				}
			}
		}
	}
}
