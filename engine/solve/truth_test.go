package solve

import (
	"bytes"
	"context"
	"math/rand/v2"
	"testing"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/engine/solve/proof"
)

// truth works the value of a game out without any idea: it lists all positions that can come and marks, round by
// round, those from which a side wins within so many plies. It gives up where there are too many.
func truth(g *loa.Game, most int) (value Value, plies int, ok bool) {
	type state struct {
		board loa.Board
		turn  loa.Color
		left  int
	}
	left := 0
	if rules := g.Rules(); rules.Cap > 0 {
		left = rules.Cap - g.Plies()
	}
	drawn := barred(g)
	var states []state
	next := map[state][]state{}
	won := [2]map[state]int{{}, {}}
	var list func(p loa.Position, left int) state
	list = func(p loa.Position, left int) state {
		at := state{p.Board(), p.Turn(), left}
		if _, seen := next[at]; seen || len(states) > most {
			return at
		}
		states = append(states, at)
		next[at] = nil
		if o := p.Outcome(); o.Over() {
			if o.Winner != loa.NoColor {
				won[o.Winner][at] = 0
			}
			return at
		}
		if len(states) > 1 { // the root stands for now
			if g.Rules().Cap > 0 && left == 0 {
				return at
			}
			for _, d := range drawn {
				if d.Same(p) {
					return at
				}
			}
		}
		var after []state
		for _, m := range p.Moves(nil) {
			l := left
			if g.Rules().Cap > 0 {
				l--
			}
			after = append(after, list(p.PlayUnchecked(m), l))
		}
		next[at] = after
		return at
	}
	root := list(g.Position(), left)
	if len(states) > most {
		return Unknown, 0, false
	}
	for round := 1; ; round++ {
		changed := false
		for side := range loa.Color(2) {
			var found []state
			for _, at := range states {
				if _, known := won[side][at]; known || len(next[at]) == 0 {
					continue
				}
				good := 0
				for _, to := range next[at] {
					if _, wins := won[side][to]; wins {
						good++
					}
				}
				if at.turn == side && good > 0 || good == len(next[at]) {
					found = append(found, at)
				}
			}
			for _, at := range found {
				won[side][at] = round
				changed = true
			}
		}
		if !changed {
			break
		}
	}
	if plies, wins := won[root.turn][root]; wins {
		return Win, plies, true
	}
	if plies, wins := won[root.turn.Opponent()][root]; wins {
		return Loss, plies, true
	}
	return Draw, 0, true
}

// randomSmall begins a game on a small board with few pieces, under rules with any of the options, and plays some
// random moves.
func randomSmall(t testing.TB, r *rand.Rand) *loa.Game {
	for {
		rules := loa.Rules{
			Both: loa.Both(r.IntN(2)), NoMove: loa.NoMoveRule(r.IntN(3)), Repetition: loa.RepetitionRule(r.IntN(3)),
			Captures: loa.Captures(r.IntN(2)), Goal: loa.Goal(r.IntN(2)),
			Cap: max(0, r.IntN(40)-20),
		}
		board := loa.Board{Size: 4}
		for range 2 + r.IntN(4) {
			board.Black |= loa.SquareAt(r.IntN(4), r.IntN(4)).Bitboard()
		}
		for range 2 + r.IntN(4) {
			board.White |= loa.SquareAt(r.IntN(4), r.IntN(4)).Bitboard() &^ board.Black
		}
		if board.Black == 0 || board.White == 0 {
			continue
		}
		g, err := loa.NewGameFrom(rules, loa.Setup{Board: board, Turn: loa.Color(r.IntN(2))})
		if err != nil {
			t.Fatal(err)
		}
		for range r.IntN(12) {
			if moves := g.Moves(nil); len(moves) > 0 {
				if err := g.Play(moves[r.IntN(len(moves))]); err != nil {
					t.Fatal(err)
				}
			}
		}
		if !g.Outcome().Over() {
			return g
		}
	}
}

// FuzzSolveIsTruth compares the solver, and what the verifier says of its proofs, with the truth.
func FuzzSolveIsTruth(f *testing.F) {
	for seed := range uint64(100) {
		f.Add(seed)
	}
	s := New(1)
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 6))
		g := randomSmall(t, r)
		value, plies, ok := truth(g, 6000)
		if !ok {
			return
		}
		result, err := s.Solve(context.Background(), g, Limits{Nodes: 100_000}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if result.Value != value {
			t.Fatalf("%v after %d plies under %v: %v, not %v (in %d)", g.Position(), g.Plies(), g.Rules(), result.Value, value, plies)
		}
		if value != Draw && (result.Bound < plies || result.Plies != 0 && result.Plies != plies) {
			t.Fatalf("%v under %v: %v in %d, at most %d, not %d", g.Position(), g.Rules(), value, result.Plies, result.Bound, plies)
		}
		p, err := s.Proof()
		if err != nil {
			t.Fatalf("%v after %d plies under %v, %v: %v", g.Position(), g.Plies(), g.Rules(), value, err)
		}
		var file bytes.Buffer
		if err := p.Write(&file); err != nil {
			t.Fatal(err)
		}
		v, err := proof.Verify(bytes.NewReader(file.Bytes()), int64(file.Len()), nil)
		if err != nil {
			t.Fatalf("%v after %d plies under %v, %v: %v", g.Position(), g.Plies(), g.Rules(), value, err)
		}
		if v.Value != value.String() || v.Plies > result.Bound || v.Plies < plies {
			t.Fatalf("%v under %v: verified %v in %d, want %v in %d to %d", g.Position(), g.Rules(), v.Value, v.Plies, value, plies, result.Bound)
		}
	})
}
