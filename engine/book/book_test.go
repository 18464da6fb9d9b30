package book_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/engine/book"
)

// TestStandardBookHoldsOnlyLegalMoves: every position that its own moves lead to from the start, each move of it, and there
// are no others.
func TestStandardBookHoldsOnlyLegalMoves(t *testing.T) {
	b := book.Standard()
	start, err := b.Rules.StartPosition()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[book.Key]bool{}
	var visit func(p loa.Position)
	visit = func(p loa.Position) {
		key, _ := book.KeyOf(p)
		moves := b.Moves(p, b.Rules)
		if seen[key] || len(moves) == 0 {
			return
		}
		seen[key] = true
		for i, m := range moves {
			next, err := p.Play(m.Move)
			if err != nil {
				t.Fatalf("%s: %v", p, err)
			}
			if i > 0 && m.Value > moves[i-1].Value {
				t.Errorf("%s: %v after %v", p, m, moves[i-1])
			}
			visit(next)
		}
	}
	visit(start)
	if len(seen) != b.Len() || b.Len() < 300 {
		t.Errorf("%d positions come from the start, of %d", len(seen), b.Len())
	}
}

// TestImagesHaveTheSameMoves: a position and its images have images of the same moves, with the same values.
func TestImagesHaveTheSameMoves(t *testing.T) {
	b := book.Standard()
	p, err := b.Rules.StartPosition()
	if err != nil {
		t.Fatal(err)
	}
	p = p.PlayUnchecked(b.Moves(p, b.Rules)[0].Move)
	want := b.Moves(p, b.Rules)
	setup := p.Setup()
	setup.Board.Black, setup.Board.White = mirrored(setup.Board.Black), mirrored(setup.Board.White)
	rules := b.Rules
	rules.Start, rules.Size = loa.StartCustom, 8
	image, err := setup.Position(rules)
	if err != nil {
		t.Fatal(err)
	}
	got := b.Moves(image, rules)
	if len(got) != len(want) || len(got) == 0 {
		t.Fatalf("%v, want images of %v", got, want)
	}
	for _, m := range want {
		to := loa.NewMove(m.Move.From()^7, m.Move.To()^7)
		if !slices.Contains(got, book.Move{Move: to, Score: m.Score, Value: m.Value}) {
			t.Errorf("no image of %v in %v", m, got)
		}
	}
}

func mirrored(b loa.Bitboard) (image loa.Bitboard) {
	for _, s := range b.Squares() {
		image |= (s ^ 7).Bitboard()
	}
	return image
}

// TestOtherRulesHaveNoBook: the same position under rules that differ in more than the start is not in it.
func TestOtherRulesHaveNoBook(t *testing.T) {
	b := book.Standard()
	p, err := b.Rules.StartPosition()
	if err != nil {
		t.Fatal(err)
	}
	for _, set := range loa.RuleSets() {
		known := len(b.Moves(p, set.Rules)) > 0
		if same := slices.Contains([]string{"standard", "scrambled", "scrambled-b", "random", "mini", "mini-six"}, set.Name); known != same {
			t.Errorf("%s: %v", set.Name, known)
		}
	}
	if got := (*book.Book)(nil).Moves(p, b.Rules); got != nil {
		t.Errorf("no book has %v", got)
	}
}

// TestBookFileRoundTrips.
func TestBookFileRoundTrips(t *testing.T) {
	want := book.Standard()
	got, err := book.Parse(want.Append(nil))
	if err != nil {
		t.Fatal(err)
	}
	if got.Head != want.Head || !maps.EqualFunc(got.Entries(), want.Entries(), slices.Equal[book.Entry]) {
		t.Error("another book came back")
	}
}

// TestDamagedBookIsRefused: cut off or changed anywhere, with where or why.
func TestDamagedBookIsRefused(t *testing.T) {
	whole := book.Standard().Append(nil)
	chance := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		if _, err := book.Parse(whole[:chance.IntN(len(whole))]); err == nil {
			t.Fatal("a book that was cut off is taken")
		}
		changed := slices.Clone(whole)
		changed[chance.IntN(len(changed))] ^= 1 << chance.IntN(8)
		if _, err := book.Parse(changed); err == nil {
			t.Fatal("a book that was changed is taken")
		}
	}
	for _, test := range []struct{ file, want string }{
		{"", `line 1: "": expected "loa …"`},
		{"loa book 2\n", "line 1: \"loa book 2\": expected \"loa book 1\""},
		{"loa book 1\nrules chess\n", "chess"},
		{strings.Replace(string(whole), "positions ", "positions x", 1), "line 6"},
	} {
		if _, err := book.Parse([]byte(test.file)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%.40q: %v, want %s", test.file, err, test.want)
		}
	}
}
