package loa_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/linesofaction/loa"
)

// TestLegality holds single moves against clauses 3 to 6. The names say what other programs got wrong.
func TestLegality(t *testing.T) {
	const own = `
		8 . . . . . . . o
		7 . . . . . . . .
		6 . . . . . . . .
		5 . . . . . . . .
		4 . x . . . . . .
		3 . . . . . . . .
		2 . x . . . . . .
		1 o . . . . . . .
		  a b c d e f g h`
	const jump = `
		8 x . . . . . . x
		7 . . . . . . . .
		6 . . . . . . . .
		5 . . . . . . . .
		4 o . . o . x . .
		3 . . . . . . . .
		2 . . . . . . . .
		1 o . . . . . . o
		  a b c d e f g h`
	const begin = `
		8 . x x x x x x .
		7 o . . . . . . o
		6 o . . . . . . o
		5 o . . . . . . o
		4 o . . . . . . o
		3 o . . . . . . o
		2 o . . . . . . o
		1 . x x x x x x .
		  a b c d e f g h`
	const played = `
		8 . x . x x x x .
		7 o . . . . . . o
		6 o . x . . . . o
		5 o . . . . . . o
		4 o . . . . . . o
		3 o . . . . . . o
		2 o . . . . . . o
		1 . x x x x x x .
		  a b c d e f g h`
	tests := []struct {
		name, board string
		turn        loa.Color
		move        string
		why         string // empty for a legal move
	}{
		{"the whole line counts, not what is ahead", begin, loa.Black, "b1b3", ""},
		{"not fewer squares than pieces", begin, loa.Black, "b1b2", "holds 2"},
		{"no landing on an own piece", own, loa.Black, "b2b4", "own side"},
		{"no jump over an enemy piece", jump, loa.Black, "f4c4", "d4"},
		{"the enemy piece is on the way", played, loa.White, "a6d6", "c6"},
		{"another line is free", played, loa.White, "a6c4", ""},
		{"over five own pieces", begin, loa.Black, "b1h1", ""},
		{"a capture at the edge", begin, loa.White, "h3f1", ""},
		{"six on the file of White", begin, loa.White, "a2a8", ""},
		{"not up to six", begin, loa.White, "a2a4", "holds 6"},
		{"two on the rank", begin, loa.White, "a2c2", ""},
		{"the c-file holds two", begin, loa.Black, "c8c6", ""},
		{"to c7 it would be one", begin, loa.Black, "c8c7", "holds 2"},
		{"a piece of the other side", begin, loa.Black, "a2c2", "it is black to move"},
		{"no piece there", begin, loa.Black, "d4d5", "no piece"},
		{"not on a line", begin, loa.Black, "b1c3", "not on one"},
		{"a pass while there are moves", begin, loa.Black, "pass", "has a move"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := drawn(t, test.board, test.turn, "standard")
			m := move(t, test.move)
			err := p.Check(m)
			if test.why == "" {
				if err != nil || !p.IsLegal(m) || !slices.Contains(p.Moves(nil), m) {
					t.Errorf("%v, want a legal move", err)
				}
				return
			}
			if !errors.Is(err, loa.ErrIllegal) || !strings.Contains(err.Error(), test.why) || p.IsLegal(m) || slices.Contains(p.Moves(nil), m) {
				t.Errorf("%v, want %q", err, test.why)
			}
			if next, err := p.Play(m); err == nil || next != p {
				t.Errorf("Play gives %s, %v", next, err)
			}
		})
	}
}

// TestCapture: the enemy piece leaves the board, and the marks tell (clause 6).
func TestCapture(t *testing.T) {
	p := play(t, play(t, start(t, "standard"), "f1f3"), "a2c4")
	m := move(t, "c1c4")
	if !p.IsCapture(m) || p.Format(m) != "c1xc4" || p.Format(move(t, "b1b3")) != "b1-b3" {
		t.Errorf("written %s and %s", p.Format(m), p.Format(move(t, "b1b3")))
	}
	next := play(t, p, "c1c4")
	if next.Pieces(loa.White).Count() != 11 || next.Pieces(loa.Black).Count() != 12 || next.Occupied().Count() != 23 {
		t.Errorf("after the capture:\n%s", next.Board())
	}
	calm := under(t, "no-capture", p.String())
	if err := calm.Check(m); err == nil || !strings.Contains(err.Error(), "no captures") {
		t.Errorf("without captures: %v", err)
	}
}

// TestOutcome holds moves that end the game against clauses 7 to 13.
func TestOutcome(t *testing.T) {
	tests := []struct {
		name, position, move string
		want                 map[string]string // by rules
	}{
		{
			"White is left with one piece and wins", "x7/8/8/4o3/8/8/8/x3o2x b", "h1xe1",
			map[string]string{"standard": "white connected", "classic": "white connected", "misere": "black connected", "misere:both=mover": "black connected"},
		},
		{
			"the same by a diagonal", "8/8/8/8/x6x/8/5o2/7o b", "h4xf2",
			map[string]string{"standard": "white connected", "classic": "white connected"},
		},
		{
			"a capture that connects the opponent alone", "8/1o6/3o4/2ox4/2o1x1x1/8/4x3/8 b", "e4xb7",
			map[string]string{"standard": "white connected", "classic": "white connected", "misere": "black connected"},
		},
		{
			"a capture that connects both", "8/8/2x1oo2/4x3/4o3/8/8/8 b", "c6xe4",
			map[string]string{"standard": "none both-connected", "classic": "black both-connected", "misere": "none both-connected", "misere:both=mover": "white both-connected"},
		},
		{
			"the same at the edge", "8/4xxo1/8/6x1/8/8/1o6/1o6 b", "g5xg7",
			map[string]string{"standard": "none both-connected", "classic": "black both-connected"},
		},
		{
			"the last but one piece taken by a move that connects", "8/8/8/8/8/5o2/o3x3/7x b", "h1xf3",
			map[string]string{"standard": "none both-connected", "classic": "black both-connected", "openspiel": "black both-connected"},
		},
	}
	for _, test := range tests {
		for rules, want := range test.want {
			t.Run(test.name+", "+rules, func(t *testing.T) {
				p := under(t, rules, test.position)
				if o := p.Outcome(); o.Over() {
					t.Fatalf("over before the move: %s", o)
				}
				next := play(t, p, test.move)
				if got := next.Outcome().String(); got != want {
					t.Errorf("%s, want %s", got, want)
				}
				if moves := next.Moves(nil); len(moves) != 0 {
					t.Errorf("moves after the end: %v", moves)
				}
				if err := next.Check(move(t, "a1a2")); err == nil || !strings.Contains(err.Error(), "the game is over") {
					t.Errorf("a move after the end: %v", err)
				}
			})
		}
	}
}

// TestSideToMoveMatters: in a set-up position the side that is not to move is the mover (clause 11).
func TestSideToMoveMatters(t *testing.T) {
	const board = "8/8/8/8/8/8/oo6/xx6 "
	for position, want := range map[string]string{board + "w": "black both-connected", board + "b": "white both-connected"} {
		if got := under(t, "classic", position).Outcome().String(); got != want {
			t.Errorf("%s: %s, want %s", position, got, want)
		}
	}
}

// TestStuck: what happens to a side without a move is an option (clauses 12 and 13).
func TestStuck(t *testing.T) {
	const board = "6ox/6oo/8/8/8/8/oo6/xo6 "
	p := at(t, board+"b")
	if p.Outcome().Over() || !p.MustPass() || !slices.Equal(p.Moves(nil), []loa.Move{loa.Pass}) || !p.IsLegal(loa.Pass) {
		t.Errorf("under pass: %s, moves %v", p.Outcome(), p.Moves(nil))
	}
	if err := p.Check(move(t, "a1b1")); err == nil || !strings.Contains(err.Error(), "only pass") {
		t.Errorf("another move than pass: %v", err)
	}
	next := play(t, p, "pass")
	if next.Turn() != loa.White || next.Board() != p.Board() || len(next.Moves(nil)) != 22 {
		t.Errorf("after the pass %s with %d moves, want 22", next, len(next.Moves(nil)))
	}
	for rules, want := range map[string]string{"standard:nomove=loss": "white no-move", "standard:nomove=draw": "none no-move", "openspiel": "white no-move"} {
		p := under(t, rules, board+"b")
		if got := p.Outcome().String(); got != want || len(p.Moves(nil)) != 0 || p.MustPass() || p.IsLegal(loa.Pass) {
			t.Errorf("%s: %s, moves %v, want %s and none", rules, got, p.Moves(nil), want)
		}
		if o := under(t, rules, board+"w").Outcome(); o.Over() {
			t.Errorf("%s: White has moves, and it is %s", rules, o)
		}
	}
}

// TestBothStuck: neither side has a move and nobody is connected (clause 13).
func TestBothStuck(t *testing.T) {
	for rules, want := range map[string]string{"standard": "none no-move", "standard:nomove=draw": "none no-move", "standard:nomove=loss": "white no-move"} {
		p := drawn(t, `
			4 o x o x
			3 o x o o
			2 x x o o
			1 x o o o
			  a b c d`, loa.Black, rules)
		if got := p.Outcome().String(); got != want || p.MustPass() || len(p.Moves(nil)) != 0 || p.IsLegal(loa.Pass) {
			t.Errorf("%s: %s, want %s", rules, got, want)
		}
	}
}

// TestPositionIsAValue: playing changes nothing but the result.
func TestPositionIsAValue(t *testing.T) {
	p := start(t, "standard")
	before := p
	next := play(t, p, "b1b3")
	if p != before || next == p || next.Same(p) || !p.Same(before) {
		t.Error("the position changed under a move")
	}
	if p.Size() != 8 || p.Turn() != loa.Black || next.Turn() != loa.White {
		t.Errorf("size %d, turn %s, then %s", p.Size(), p.Turn(), next.Turn())
	}
}

// TestGroups lists the groups of a side, the largest first (clause 7).
func TestGroups(t *testing.T) {
	p := start(t, "standard")
	if groups := p.Groups(loa.Black); len(groups) != 2 || groups[0].Count() != 6 || groups[0].First().String() != "b1" {
		t.Errorf("groups of the start: %v", groups)
	}
	p = drawn(t, `
		5 x . . . o
		4 . . . . .
		3 . x x . .
		2 . x . . .
		1 x . . o .
		  a b c d e`, loa.Black, "standard")
	var sizes []int
	for _, g := range p.Groups(loa.Black) {
		sizes = append(sizes, g.Count())
	}
	if !slices.Equal(sizes, []int{4, 1}) || p.Pieces(loa.Black).CountGroups() != 2 || p.Pieces(loa.White).CountGroups() != 2 {
		t.Errorf("groups of %v pieces", sizes)
	}
	if loa.Bitboard(0).Connected() || loa.Bitboard(0).CountGroups() != 0 || !loa.Bitboard(8).Connected() {
		t.Error("an empty side is connected, or one piece is not")
	}
	// The h-file and the a-file are no neighbors.
	if (loa.SquareAt(7, 3).Bitboard() | loa.SquareAt(0, 4).Bitboard()).Connected() {
		t.Error("h4 and a5 touch")
	}
}
