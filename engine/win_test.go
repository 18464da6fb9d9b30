package engine

import (
	"math/rand/v2"
	"testing"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/engine/solve"
)

// winByMoves finds a win in one by trying every move.
func winByMoves(p loa.Position) bool {
	for _, m := range p.MovesUnchecked(nil) {
		if o := p.PlayUnchecked(m).Connection(); o.Over() && o.Winner == p.Turn() {
			return true
		}
	}
	return false
}

// boardOf returns the squares of the board of a position.
func boardOf(p loa.Position) loa.Bitboard {
	var board loa.Bitboard
	for rank := range p.Size() {
		board |= loa.Bitboard(1<<p.Size()-1) << (8 * rank)
	}
	return board
}

// checkWin compares the test with the moves.
func checkWin(t *testing.T, p loa.Position, rules loa.Rules) {
	t.Helper()
	m := solve.WinInOne(&p, &rules, boardOf(p))
	if m == loa.NoMoveMade {
		if winByMoves(p) {
			t.Fatalf("%v under %v: a win in one is missed", p, rules)
		}
		return
	}
	if !p.IsLegal(m) {
		t.Fatalf("%v under %v: %v is not legal", p, rules, m)
	}
	if o := p.PlayUnchecked(m).Connection(); o.Winner != p.Turn() {
		t.Fatalf("%v under %v: %v leads to %v", p, rules, m, o)
	}
}

// FuzzWinInOneIsMoveGeneration scatters few pieces, mostly near each other, for wins are frequent there.
func FuzzWinInOneIsMoveGeneration(f *testing.F) {
	for seed := range uint64(200) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 4))
		for range 50 {
			rules := randomRules(r, loa.MaxSize)
			checkWin(t, scatter(t, r, rules), rules)
		}
		g := randomGame(t, r, loa.MaxSize)
		for ply := range g.Plies() + 1 {
			checkWin(t, g.PositionAt(ply), g.Rules())
		}
	})
}

// scatter returns a position in which nobody is connected yet.
func scatter(t *testing.T, r *rand.Rand, rules loa.Rules) loa.Position {
	for {
		board := loa.Board{Size: rules.Size}
		side := 2 + r.IntN(rules.Size-1)
		for range 2 + r.IntN(2*side) {
			at := loa.SquareAt(r.IntN(side), r.IntN(side)).Bitboard()
			if r.IntN(4) == 0 {
				at = loa.SquareAt(r.IntN(rules.Size), r.IntN(rules.Size)).Bitboard()
			}
			switch {
			case (board.Black|board.White)&at != 0:
			case r.IntN(2) == 0:
				board.Black |= at
			default:
				board.White |= at
			}
		}
		if board.Black == 0 || board.White == 0 {
			continue
		}
		p, err := loa.Setup{Board: board, Turn: loa.Color(r.IntN(2))}.Position(rules)
		if err != nil {
			t.Fatal(err)
		}
		if !p.Connection().Over() {
			return p
		}
	}
}

// TestWinInOne has the cases that a test on groups alone would get wrong.
func TestWinInOne(t *testing.T) {
	tests := []struct {
		name, rules, position string
		win                   bool
	}{
		{"the capture connects both sides", "standard", "8/8/x7/8/2x5/1o1o4/8/8 b", false},
		{"the same where the mover wins", "classic", "8/8/x7/8/2x5/1o1o4/8/8 b", true},
		{"the same where connecting loses", "misere", "8/8/x7/8/2x5/1o1o4/8/8 b", false},
		{"a capture connects", "standard", "8/4x3/3x4/2o5/5o2/8/1x6/8 w", true},
		{"the same without captures", "no-capture", "8/4x3/3x4/2o5/5o2/8/1x6/8 w", false},
		{"the capture connects only the enemy", "standard", "x7/8/8/4o3/8/8/8/x3o2x b", false},
		{"that is the aim of misère", "misere", "x7/8/8/4o3/8/8/8/x3o2x b", true},
	}
	for _, test := range tests {
		g := mustGame(t, test.rules, test.position)
		p, rules := g.Position(), g.Rules()
		if got := solve.WinInOne(&p, &rules, boardOf(p)) != loa.NoMoveMade; got != test.win {
			t.Errorf("%s: win in one %v, want %v", test.name, got, test.win)
		}
	}
}

func BenchmarkWinInOne(b *testing.B) {
	g := mustGame(b, "standard", "8/1xo1o3/3xoxxo/2x3xo/4o1xx/5xxo/6o1/8 w")
	p, rules := g.Position(), g.Rules()
	board := boardOf(p)
	b.ReportAllocs()
	for b.Loop() {
		solve.WinInOne(&p, &rules, board)
	}
}
