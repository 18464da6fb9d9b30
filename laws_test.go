package loa_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/linesofaction/loa"
)

// walk plays moves that choices pick from a start and calls visit at every position.
func walk(t *testing.T, rules loa.Rules, choices []byte, visit func(p loa.Position)) {
	t.Helper()
	p, err := rules.StartPosition()
	if err != nil {
		t.Fatal(err)
	}
	for _, choice := range choices[:min(len(choices), 200)] {
		visit(p)
		moves := p.Moves(nil)
		if len(moves) == 0 {
			return
		}
		p = p.PlayUnchecked(moves[int(choice)*len(moves)>>8])
	}
	visit(p)
}

// fuzzWalks adds seeds for walks and runs law at every position of each.
func fuzzWalks(f *testing.F, law func(t *testing.T, rules loa.Rules, p loa.Position)) {
	for i := range len(loa.RuleSets()) + 3 {
		f.Add(uint8(i), uint64(i), []byte("Lines of Action is played on a board of eight by eight squares."))
		f.Add(uint8(i), uint64(i)<<40, []byte{255, 0, 128, 7, 255, 255, 3, 250, 17, 99, 160, 200, 4, 80, 190, 210, 33, 66, 132})
	}
	f.Fuzz(func(t *testing.T, set uint8, seed uint64, choices []byte) {
		sets := loa.RuleSets()
		rules := sets[int(set)%len(sets)].Rules
		if int(set)%(len(sets)+3) >= len(sets) {
			rules = loa.Rules{Start: loa.StartRandom, Size: 4 + int(seed%5), Seed: seed, Captures: loa.Captures(seed >> 7 & 1), NoMove: loa.NoMoveRule(seed >> 9 % 3)}
		}
		walk(t, rules, choices, func(p loa.Position) { law(t, rules, p) })
	})
}

// FuzzLegalIsListed: IsLegal, Moves, Check and the plain generator agree on every pair of squares and on pass.
func FuzzLegalIsListed(f *testing.F) {
	fuzzWalks(f, func(t *testing.T, rules loa.Rules, p loa.Position) {
		listed := p.Moves(nil)
		slices.Sort(listed)
		oracle := plainOf(p, rules)
		want := oracle.moves()
		if !slices.Equal(listed, want) {
			t.Fatalf("%s by %s: %v, the plain generator finds %v", p, rules, listed, want)
		}
		over := p.Outcome().Over()
		if over != (len(listed) == 0) {
			t.Fatalf("%s: %s with moves %v", p, p.Outcome(), listed)
		}
		for from := loa.Square(0); from < loa.NoSquare; from++ {
			for to := loa.Square(0); to < loa.NoSquare; to++ {
				m := loa.NewMove(from, to)
				_, in := slices.BinarySearch(listed, m)
				if p.IsLegal(m) != in {
					t.Fatalf("%s in %s: IsLegal %v, listed %v", m, p, p.IsLegal(m), in)
				}
			}
		}
	})
}

// FuzzCheckGivesAReason: an error if and only if the move is not legal, always with a reason.
func FuzzCheckGivesAReason(f *testing.F) {
	fuzzWalks(f, func(t *testing.T, rules loa.Rules, p loa.Position) {
		// Every seventh pair of squares, others at the next position, keeps this fast enough to fuzz.
		tried := append(p.Moves(nil), loa.Pass)
		for m := loa.Move(p.Hash() % 7); m < 1<<12; m += 7 {
			tried = append(tried, m)
		}
		for _, m := range tried {
			err := p.Check(m)
			if (err == nil) != p.IsLegal(m) {
				t.Fatalf("%s in %s: %v", m, p, err)
			}
			var illegal *loa.IllegalError
			if err != nil && (!errors.As(err, &illegal) || illegal.Reason == "" || illegal.Reason == "it does not follow the rules") {
				t.Fatalf("%s in %s: %v", m, p, err)
			}
		}
	})
}

// FuzzRayAgreesWithMoves: the legal rays of a side are its moves.
func FuzzRayAgreesWithMoves(f *testing.F) {
	fuzzWalks(f, func(t *testing.T, rules loa.Rules, p loa.Position) {
		var rays []loa.Move
		for _, from := range p.Pieces(p.Turn()).Squares() {
			for d := loa.Up; d < loa.Directions; d++ {
				ray := p.Ray(from, d)
				m := loa.NewMove(from, ray.Land)
				switch {
				case ray.Verdict.Legal():
					rays = append(rays, m)
					if (ray.Verdict == loa.CanCapture) != p.IsCapture(m) {
						t.Fatalf("%s in %s: %s", m, p, ray.Verdict)
					}
				case ray.Verdict == loa.Blocked || ray.Verdict == loa.OwnPiece || ray.Verdict == loa.NoCapture:
					if _, ok := p.At(ray.Blocker); !ok {
						t.Fatalf("%s %s in %s: nobody stands on %s", from, d, p, ray.Blocker)
					}
				}
			}
		}
		moves := p.MovesUnchecked(nil)
		slices.Sort(rays)
		slices.Sort(moves)
		if !slices.Equal(rays, moves) {
			t.Fatalf("%s: rays %v, moves %v", p, rays, moves)
		}
	})
}

// FuzzHashFromScratch: the hash that moves carry along is the hash of the board.
func FuzzHashFromScratch(f *testing.F) {
	fuzzWalks(f, func(t *testing.T, rules loa.Rules, p loa.Position) {
		again, err := p.Setup().Position(rules)
		if err != nil || again != p {
			t.Fatalf("%s carries the hash %x, its board has %x, %v", p, p.Hash(), again.Hash(), err)
		}
	})
}

// FuzzPerftIsPlainPerft at depths 1 and 2.
func FuzzPerftIsPlainPerft(f *testing.F) {
	fuzzWalks(f, func(t *testing.T, rules loa.Rules, p loa.Position) {
		oracle := plainOf(p, rules)
		for depth := 1; depth <= 2; depth++ {
			if got, want := p.Perft(depth), oracle.perft(depth); got != want {
				t.Fatalf("%s by %s, depth %d: %d, plainly %d", p, rules, depth, got, want)
			}
		}
	})
}

// FuzzConnectedIsPlainConnected: groups, their number and the connection fit each other and the plain flood.
func FuzzConnectedIsPlainConnected(f *testing.F) {
	f.Add(uint64(0))
	f.Add(uint64(1))
	f.Add(uint64(1<<7 | 1<<8))
	f.Add(uint64(0x8040201008040201))
	f.Fuzz(func(t *testing.T, set uint64) {
		b := loa.Bitboard(set)
		groups := b.Groups()
		var all loa.Bitboard
		for i, g := range groups {
			if !g.Connected() || all&g != 0 || (b&^g)&g.Neighbors() != 0 || i > 0 && g.Count() > groups[i-1].Count() {
				t.Fatalf("groups %v of %x", groups, set)
			}
			all |= g
		}
		p := plain{pieces: [2]uint64{set, 0}, size: 8}
		if all != b || b.CountGroups() != len(groups) || b.Connected() != (len(groups) == 1) || set != 0 && b.Connected() != p.connected(loa.Black) {
			t.Fatalf("%x: %d groups, connected %v", set, len(groups), b.Connected())
		}
	})
}

// FuzzSetupReadsBack: a text that is read is written and read as the same, and a position has the same text.
func FuzzSetupReadsBack(f *testing.F) {
	f.Add("1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 b")
	f.Add("xo2/4/4/3o w")
	f.Add("x111/4/22/3o b")
	f.Add("9/8 b b")
	f.Fuzz(func(t *testing.T, text string) {
		setup, err := loa.ParseSetup(text)
		if err != nil {
			if !errors.Is(err, loa.ErrSyntax) {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		if again, err := loa.ParseSetup(setup.String()); err != nil || again != setup {
			t.Fatalf("%q is written %q, which is %+v, %v", text, setup, again, err)
		}
		if board, err := loa.ParseDrawing(setup.Board.String()); err != nil || board != setup.Board {
			t.Fatalf("%q is drawn\n%s, %v", text, setup.Board, err)
		}
		if p, err := setup.Position(loa.Rules{}); err == nil && p.Setup() != setup {
			t.Fatalf("%q is the position %q", text, p)
		} else if err != nil && !errors.Is(err, loa.ErrSetup) {
			t.Fatal(err)
		}
	})
}

// FuzzMoveReadsBack: a text that is read is written and read as the same move.
func FuzzMoveReadsBack(f *testing.F) {
	for _, text := range []string{"c8-c6", "C8xC6+", "c8 c6", "pass", "c8×c6!?", "c8–c6", "c8c6c4", "-"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, _, err := loa.ParseMove(text)
		if err != nil {
			if !errors.Is(err, loa.ErrSyntax) {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		if again, claim, err := loa.ParseMove(m.String()); err != nil || again != m || claim != loa.ClaimNothing {
			t.Fatalf("%q is written %q, which is %s, %v", text, m, again, err)
		}
	})
}

// FuzzRulesReadBack: a text that is read is written and read as the same rules.
func FuzzRulesReadBack(f *testing.F) {
	for _, set := range loa.RuleSets() {
		f.Add(set.Name)
	}
	f.Add("classic:nomove=loss,repetition=none,captures=no,goal=misere,cap=90,start=random,size=5,seed=7")
	f.Add("Mini:start=standard , size=6")
	f.Fuzz(func(t *testing.T, text string) {
		rules, err := loa.ParseRules(text)
		if err != nil {
			if !errors.Is(err, loa.ErrSyntax) {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		if again, err := loa.ParseRules(rules.String()); err != nil || again != rules {
			t.Fatalf("%q is written %q, which is %+v, %v", text, rules, again, err)
		}
	})
}
