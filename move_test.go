package loa_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/linesofaction/loa"
)

// TestMoves reads every form of a move.
func TestMoves(t *testing.T) {
	tests := []struct {
		text  string
		claim loa.Claim
	}{
		{"c8c6", loa.ClaimNothing},
		{"c8 c6", loa.ClaimNothing},
		{"C8C6", loa.ClaimNothing},
		{" c8c6 ", loa.ClaimNothing},
		{"c8-c6", loa.ClaimQuiet},
		{"C8-C6", loa.ClaimQuiet},
		{"c8–c6", loa.ClaimQuiet},
		{"c8 - c6", loa.ClaimQuiet},
		{"c8-c6!", loa.ClaimQuiet},
		{"c8xc6", loa.ClaimCapture},
		{"c8Xc6", loa.ClaimCapture},
		{"c8:c6", loa.ClaimCapture},
		{"c8×c6", loa.ClaimCapture},
		{"c8:c6++", loa.ClaimCapture},
		{"c8xc6+!?", loa.ClaimCapture},
		{"c8-c6 !", loa.ClaimQuiet},
		{"c8-c6 + ?", loa.ClaimQuiet},
	}
	for _, test := range tests {
		m, claim, err := loa.ParseMove(test.text)
		if err != nil || m.String() != "c8c6" || claim != test.claim {
			t.Errorf("%q gives %s, %d, %v", test.text, m, claim, err)
		}
	}
	for _, text := range []string{"pass", "Pass", "PASS", "pass!"} {
		if m, _, err := loa.ParseMove(text); err != nil || m != loa.Pass || m.String() != "pass" {
			t.Errorf("%q gives %s, %v", text, m, err)
		}
	}
	for _, text := range []string{"", "c8", "c8-", "-c6", "c8-c9", "i8-c6", "c8--c6", "c8=c6", "c8c8", "c8-c6-c4", "e2e4x", "0-0", "c8\n-c6x", "résumé"} {
		if m, _, err := loa.ParseMove(text); !errors.Is(err, loa.ErrSyntax) || m != loa.NoMoveMade {
			t.Errorf("%q gives %s, %v", text, m, err)
		}
	}
	if loa.NoMoveMade.String() != "none" {
		t.Errorf("no move is %s", loa.NoMoveMade)
	}
}

// TestSquares are named by file and rank (clause 1).
func TestSquares(t *testing.T) {
	for s := loa.Square(0); s < loa.NoSquare; s++ {
		if again, err := loa.ParseSquare(strings.ToUpper(s.String())); err != nil || again != s || loa.SquareAt(s.File(), s.Rank()) != s {
			t.Errorf("%s reads as %s, %v", s, again, err)
		}
	}
	if a1, h8 := loa.SquareAt(0, 0), loa.SquareAt(7, 7); a1.String() != "a1" || h8.String() != "h8" || loa.NoSquare.String() != "-" {
		t.Errorf("%s, %s, %s", a1, h8, loa.NoSquare)
	}
	for _, text := range []string{"", "a", "a0", "a9", "i1", "1a", "a11", "@1"} {
		if s, err := loa.ParseSquare(text); !errors.Is(err, loa.ErrSyntax) || s != loa.NoSquare {
			t.Errorf("%q gives %s, %v", text, s, err)
		}
	}
}

func TestBitboard(t *testing.T) {
	set := loa.SquareAt(0, 0).Bitboard() | loa.SquareAt(7, 0).Bitboard() | loa.SquareAt(3, 3).Bitboard()
	names := func(b loa.Bitboard) (text string) {
		for _, s := range b.Squares() {
			text += s.String() + " "
		}
		return text
	}
	if set.Count() != 3 || names(set) != "a1 h1 d4 " || set.First().String() != "a1" || loa.Bitboard(0).First() != loa.NoSquare {
		t.Errorf("the set is %s", names(set))
	}
	if got := names(set.Neighbors()); got != "b1 g1 a2 b2 g2 h2 c3 d3 e3 c4 e4 c5 d5 e5 " {
		t.Errorf("its neighbors are %s", got)
	}
	if first := set.Pop(); first.String() != "a1" || set.Has(first) || set.Count() != 2 {
		t.Errorf("popped %s", first)
	}
}
