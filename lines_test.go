package loa_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/linesofaction/loa"
)

// TestRayInEveryDirection puts a piece on d4, another piece on the way and maybe one where it lands, and turns
// the picture through all eight directions (clauses 3 to 6). A third piece behind it makes the count three.
func TestRayInEveryDirection(t *testing.T) {
	ways := [loa.Directions][2]int{{0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}}
	tests := []struct {
		name            string
		near, next, end byte // one, two and three squares away; '.' is empty
		want            loa.Verdict
		blocker         int // squares away, 0 for none
	}{
		{"to an empty square", '.', '.', '.', loa.CanMove, 0},
		{"over an own piece", 'x', '.', '.', loa.CanMove, 0},
		{"over two own pieces", 'x', 'x', '.', loa.CanMove, 0},
		{"over an enemy piece", 'o', '.', '.', loa.Blocked, 1},
		{"over an enemy piece farther on", '.', 'o', '.', loa.Blocked, 2},
		{"over two enemy pieces, the nearest blocks", 'o', 'o', '.', loa.Blocked, 1},
		{"a capture", '.', '.', 'o', loa.CanCapture, 0},
		{"a capture over an own piece", 'x', '.', 'o', loa.CanCapture, 0},
		{"no capture over an enemy piece", 'o', '.', 'o', loa.Blocked, 1},
		{"onto an own piece", '.', '.', 'x', loa.OwnPiece, 3},
		{"onto an own piece over an enemy piece", 'o', '.', 'x', loa.Blocked, 1},
	}
	for d := loa.Up; d < loa.Directions; d++ {
		for _, test := range tests {
			t.Run(fmt.Sprintf("%s/%s", d, test.name), func(t *testing.T) {
				away := func(n int) loa.Square { return loa.SquareAt(3+n*ways[d][0], 3+n*ways[d][1]) }
				board := loa.Board{Size: 8}
				stones := 1
				put := func(mark byte, s loa.Square) {
					switch mark {
					case 'x':
						board.Black |= s.Bitboard()
						stones++
					case 'o':
						board.White |= s.Bitboard()
						stones++
					}
				}
				board.Black |= away(0).Bitboard()
				put(test.near, away(1))
				put(test.next, away(2))
				put(test.end, away(3))
				for behind := 1; stones < 3; behind++ {
					put('o', away(-behind))
				}
				board.White |= loa.SquareAt(4, 5).Bitboard() // off the lines of d4, so that White has a piece
				p, err := loa.Setup{Board: board, Turn: loa.Black}.Position(loa.Rules{})
				if err != nil {
					t.Fatal(err)
				}
				ray := p.Ray(away(0), d)
				want := loa.Ray{Direction: d, Count: 3, Land: away(3), Verdict: test.want, Blocker: loa.NoSquare}
				if test.blocker > 0 {
					want.Blocker = away(test.blocker)
				}
				if ray != want {
					t.Errorf("got %+v, want %+v in\n%s", ray, want, p.Board())
				}
				m := loa.NewMove(away(0), away(3))
				if legal := p.Reaches(m); legal != ray.Verdict.Legal() || slices.Contains(p.MovesUnchecked(nil), m) != legal {
					t.Errorf("%s: Reaches says %v, the ray %s", m, legal, ray.Verdict)
				}
			})
		}
	}
}

// TestRayOffTheBoard: the count leads over an edge, of smaller boards too (clauses 1 and 4).
func TestRayOffTheBoard(t *testing.T) {
	p := start(t, "standard:size=5")
	ray := p.Ray(loa.SquareAt(1, 0), loa.Down)
	if ray.Verdict != loa.OffBoard || ray.Land != loa.NoSquare || ray.Count != 2 {
		t.Errorf("b1 down: %+v", ray)
	}
	if ray := p.Ray(loa.SquareAt(3, 0), loa.Right); ray.Verdict != loa.OffBoard || ray.Count != 3 {
		t.Errorf("d1 to the right of a 5×5 board: %+v", ray)
	}
	if ray := p.Ray(loa.SquareAt(2, 2), loa.Up); ray.Verdict != loa.OffBoard || ray.Count != 0 {
		t.Errorf("an empty square: %+v", ray)
	}
}

// TestRayWithoutCaptures gives the piece in the way of landing (clause 6).
func TestRayWithoutCaptures(t *testing.T) {
	p := under(t, "no-capture", "8/8/8/8/3o3o/8/8/x2o4 b")
	if ray := p.Ray(loa.SquareAt(0, 0), loa.Right); ray.Verdict != loa.CanMove || ray.Count != 2 {
		t.Errorf("a1 to the right: %+v", ray)
	}
	p = under(t, "no-capture", "8/8/8/8/7o/8/8/x1o5 b")
	if ray := p.Ray(loa.SquareAt(0, 0), loa.Right); ray.Verdict != loa.NoCapture || ray.Blocker != loa.SquareAt(2, 0) || ray.Verdict.Legal() {
		t.Errorf("a1 to the right: %+v", ray)
	}
}

func TestRayIsForEitherSideWhoeversTurnItIs(t *testing.T) {
	if ray := start(t, "standard").Ray(loa.SquareAt(0, 1), loa.Right); ray.Verdict != loa.CanMove || ray.Count != 2 {
		t.Errorf("a2 to the right: %+v", ray)
	}
}

func TestNamesOfVerdictsAndDirections(t *testing.T) {
	for v, want := range []string{"move", "capture", "off-board", "blocked", "own-piece", "no-capture"} {
		if got := loa.Verdict(v).String(); got != want {
			t.Errorf("verdict %d is %q", v, got)
		}
	}
	for d, want := range []string{"up", "up-right", "right", "down-right", "down", "down-left", "left", "up-left"} {
		if got := loa.Direction(d).String(); got != want {
			t.Errorf("direction %d is %q", d, got)
		}
	}
}

// TestLines holds the tables against walking (clause 3).
func TestLines(t *testing.T) {
	for a := loa.Square(0); a < loa.NoSquare; a++ {
		for b := loa.Square(0); b < loa.NoSquare; b++ {
			df, dr := b.File()-a.File(), b.Rank()-a.Rank()
			d, ok := loa.Toward(a, b)
			straight := a != b && (df == 0 || dr == 0 || df == dr || df == -dr)
			if ok != straight {
				t.Fatalf("%s toward %s: %v", a, b, ok)
			}
			var between loa.Bitboard
			if straight {
				steps := max(df, -df, dr, -dr)
				for i := 1; i < steps; i++ {
					between |= loa.SquareAt(a.File()+i*df/steps, a.Rank()+i*dr/steps).Bitboard()
				}
				line := loa.Line(a, d.Axis())
				if line != loa.Line(b, d.Axis()) || !line.Has(a) || !line.Has(b) || between&^line != 0 {
					t.Errorf("the line of %s and %s is %v", a, b, line.Squares())
				}
			}
			if got := loa.Between(a, b); got != between {
				t.Errorf("between %s and %s: %v", a, b, got.Squares())
			}
		}
	}
}
