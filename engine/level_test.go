package engine

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/engine/book"
	"github.com/linesofaction/loa/engine/solve"
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

// TestLevelsGrow: each number looks at least as far and errs at most as often as the one before. The noise does not
// fall steadily, for another ply of sight is worth more than a level.
func TestLevelsGrow(t *testing.T) {
	for kind := range levels {
		for i := 2; i <= MaxLevel; i++ {
			a, b := levelFor(kind, i-1), levelFor(kind, i)
			if b.nodes < a.nodes || b.greed > a.greed || b.overlook > a.overlook || b.depth < a.depth && b.depth > 0 {
				t.Errorf("kind %d, level %d: %+v after %+v", kind, i, *b, *a)
			}
		}
	}
}

// TestLowLevelsOverlookEnemyConnections now and then, no more often than they are said to, and upper levels never do.
func TestLowLevelsOverlookEnemyConnections(t *testing.T) {
	const games = 100
	lost := [MaxLevel + 1]int{}
	positions := 0
	for _, win := range forcedWins(t) { // the side to move wins in one, so it threatens to when it is not to move
		if win.plies != 1 {
			continue
		}
		setup, err := loa.ParseSetup(win.position)
		if err != nil {
			t.Fatal(err)
		}
		setup.Turn = setup.Turn.Opponent()
		g := mustGame(t, "standard", setup.String())
		safe := slices.ContainsFunc(g.Moves(nil), func(m loa.Move) bool { return !loses(g, m) })
		rules := g.Rules()
		p := g.Position()
		if !safe || solve.WinInOne(&p, &rules, ^loa.Bitboard(0)) != loa.NoMoveMade {
			continue
		}
		positions++
		for level := 1; level <= MaxLevel; level++ {
			e := New(Options{Hash: 1, Level: level})
			for seed := range uint64(games) {
				if levels[usual][level].overlook == 0 && seed > 0 {
					break
				}
				e.options.Seed = seed
				result, err := e.Search(context.Background(), g, Limits{Depth: 2}, nil)
				if err != nil {
					t.Fatal(err)
				}
				if loses(g, result.BestMove) {
					lost[level]++
				}
			}
		}
	}
	for level := 1; level <= MaxLevel; level++ {
		most := positions * games * levels[usual][level].overlook * 3 / 200
		if lost[level] > most || level == 1 && lost[level] == 0 {
			t.Errorf("level %d lost at once in %d of %d positions, %d times each", level, lost[level], positions, games)
		}
	}
}

// loses reports whether the opponent wins by a move or with its next move after it.
func loses(g *loa.Game, m loa.Move) bool {
	p := g.Position().PlayUnchecked(m)
	if p.Outcome().Winner == p.Turn() {
		return true
	}
	for _, reply := range p.Moves(nil) {
		if p.PlayUnchecked(reply).Outcome().Winner == p.Turn() {
			return true
		}
	}
	return false
}

// TestLostPositionIsDefended: where every move loses, every level plays one after which the loss takes longest.
func TestLostPositionIsDefended(t *testing.T) {
	lines := []Line{
		{WinIn(-4), []loa.Move{loa.NewMove(1, 17)}},
		{WinIn(-2), []loa.Move{loa.NewMove(2, 18)}},
		{WinIn(-2), []loa.Move{loa.NewMove(3, 19)}},
	}
	for level := 1; level <= MaxLevel; level++ {
		for seed := range uint64(20) {
			if got := new(worker).choose(levelOf(level, loa.Rules{}), lines, rand.New(rand.NewPCG(seed, 0))); got != lines[0].PV[0] {
				t.Errorf("level %d, seed %d: %v", level, seed, got)
			}
		}
	}
}

// TestUpperLevelsOpenByTheBook with moves that it calls nearly the best, different ones by seed; lower levels, other rules and
// positions it does not know are searched.
func TestUpperLevelsOpenByTheBook(t *testing.T) {
	start := mustGame(t, "standard", "")
	known := book.Standard().Moves(start.Position(), start.Rules())
	chosen := map[loa.Move]bool{}
	for seed := range uint64(40) {
		result, err := New(Options{Hash: 1, Level: BookLevel, Seed: seed}).Search(context.Background(), start, Limits{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(known, func(m book.Move) bool { return m.Move == result.BestMove })
		if result.Nodes != 0 || i < 0 || known[i].Value < known[0].Value-bookMargin || result.Score != Score(known[i].Value) {
			t.Errorf("seed %d: %v, %v, %d nodes", seed, result.BestMove, result.Score, result.Nodes)
		}
		chosen[result.BestMove] = true
	}
	if len(chosen) < 2 {
		t.Errorf("40 seeds chose only %v", chosen)
	}
	for name, options := range map[string]Options{
		"a lower level": {Hash: 1, Level: BookLevel - 1}, "another book": {Hash: 1, Level: MaxLevel, Book: new(book.Book)},
		"full strength": {Hash: 1},
	} {
		if result, err := New(options).Search(context.Background(), start, Limits{Nodes: 500}, nil); err != nil || result.Nodes == 0 {
			t.Errorf("%s: %d nodes, %v", name, result.Nodes, err)
		}
	}
	for _, g := range []*loa.Game{mustGame(t, "misere", ""), mustGame(t, "standard", "1x6/2o4o/3xoxxo/6xo/3xo1xx/5xxo/7o/8 b")} {
		if result, err := New(Options{Hash: 1, Level: MaxLevel}).Search(context.Background(), g, Limits{Nodes: 500}, nil); err != nil || result.Nodes == 0 {
			t.Errorf("%s: %d nodes, %v", g.Position(), result.Nodes, err)
		}
	}
}
