// Package book holds opening books: what deep searches found of the first moves of a game. Package
// internal/lab/opening makes them.
//
// A file begins with lines of text, each a word and what it says, up to an empty line:
//
//	loa book 1
//	rules standard
//	net 9d6b1c02aa37
//	nodes 300000
//	lines 5
//	positions 1000
//
// The net, or "none", is what the positions were valued by; nodes and lines are those of the search of each. Then come
// the positions and 32 bytes, the SHA-256 of everything before them. A position is 17 bytes and 6 more for each move,
// numbers with the most significant byte first: where the pieces of the side to move stand (8 bytes, bit n for square
// n, 8*rank + file), where the others stand (8), the number of moves (1), and for each move, the best first, the
// move (2, from + 64*to), its score by the search of this position and its value when the scores of the positions behind it
// are taken into account (2 each, engine scores as signed numbers). A position stands for its eight images under the
// symmetries of the board and is written as the least of them, and positions ascend by their first 16 bytes.
package book

import (
	"cmp"
	"slices"
	"strings"

	"github.com/linesofaction/loa"
)

// Head says what a book is of.
type Head struct {
	Rules loa.Rules
	Net   string // that valued the positions, "none" for the features
	Nodes uint64 // of the search of each position
	Lines int    // moves worked out in each position
}

// Book is an opening book. A nil one is empty.
type Book struct {
	Head
	entries map[Key]Entry
}

// Entry is what a book knows of a position: its moves, the best first.
type Entry []Move

// Move is a move of a book. Scores are those of package engine, for the side that moves.
type Move struct {
	Move  loa.Move
	Score int // by the search of the position
	Value int // when what the book knows of the positions behind it is taken into account
}

// Key is a position of a book: the pieces of the side to move and those of the other one.
type Key struct{ Own, Other loa.Bitboard }

// New returns a book of entries by key.
func New(head Head, entries map[Key]Entry) *Book { return &Book{head, entries} }

// Len returns the number of positions.
func (b *Book) Len() int {
	if b == nil {
		return 0
	}
	return len(b.entries)
}

// Entries returns the entries by key. They are not to be changed.
func (b *Book) Entries() map[Key]Entry {
	if b == nil {
		return nil
	}
	return b.entries
}

// Moves returns what a book knows of a position of a game by some rules, the best move first; nothing where the rules are
// not those of the book.
func (b *Book) Moves(p loa.Position, rules loa.Rules) []Move {
	if b == nil || !alike(rules, b.Rules) || p.Size() != b.Rules.Edge() {
		return nil
	}
	key, images := KeyOf(p)
	var moves []Move
	for _, known := range b.entries[key] {
		for _, image := range images {
			m := image.Back(known.Move)
			if !slices.ContainsFunc(moves, func(other Move) bool { return other.Move == m }) {
				moves = append(moves, Move{m, known.Score, known.Value})
			}
		}
	}
	return moves
}

// FileFor returns the name of the file of the book for games by rules whose size is known, empty where there is none.
func FileFor(rules loa.Rules) string {
	if rules.Edge() == 8 && alike(rules, loa.Rules{}) {
		return "standard.book"
	}
	return ""
}

// alike reports whether games by two rules are alike but for their starts and a ply cap.
func alike(a, b loa.Rules) bool {
	for _, r := range []*loa.Rules{&a, &b} {
		r.Start, r.Seed, r.Size, r.Cap = 0, 0, 0, 0
	}
	return a == b
}

// Image is one of the eight symmetries of a board.
type Image struct{ number, size int }

// Of returns the image of a move.
func (i Image) Of(m loa.Move) loa.Move { return loa.NewMove(i.square(m.From()), i.square(m.To())) }

// Back returns the move of which another one is the image.
func (i Image) Back(m loa.Move) loa.Move {
	if i.number == 5 || i.number == 6 { // a quarter turn; all others are their own inverse
		i.number ^= 3
	}
	return i.Of(m)
}

func (i Image) square(s loa.Square) loa.Square {
	f, r := s.File(), s.Rank()
	if i.number&1 != 0 {
		f = i.size - 1 - f
	}
	if i.number&2 != 0 {
		r = i.size - 1 - r
	}
	if i.number&4 != 0 {
		f, r = r, f
	}
	return loa.SquareAt(f, r)
}

func (i Image) board(b loa.Bitboard) (image loa.Bitboard) {
	for b != 0 {
		image |= i.square(b.Pop()).Bitboard()
	}
	return image
}

// KeyOf returns the key of a position, and the symmetries that make it that: more than one where the position is an
// image of itself.
func KeyOf(p loa.Position) (least Key, images []Image) {
	for n := range 8 {
		image := Image{n, p.Size()}
		key := Key{image.board(p.Pieces(p.Turn())), image.board(p.Pieces(p.Turn().Opponent()))}
		order := key.Compare(least)
		if n == 0 || order < 0 {
			least, images = key, images[:0]
		}
		if n == 0 || order <= 0 {
			images = append(images, image)
		}
	}
	return least, images
}

// Compare orders keys as files do.
func (k Key) Compare(other Key) int {
	return cmp.Or(cmp.Compare(k.Own, other.Own), cmp.Compare(k.Other, other.Other))
}

// String returns the pieces of the side to move and the others, as squares.
func (k Key) String() string {
	var text strings.Builder
	for i, pieces := range []loa.Bitboard{k.Own, k.Other} {
		if i > 0 {
			text.WriteString(" against")
		}
		for _, s := range pieces.Squares() {
			text.WriteString(" " + s.String())
		}
	}
	return strings.TrimSpace(text.String())
}
