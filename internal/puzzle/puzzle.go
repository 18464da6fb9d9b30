// Package puzzle holds puzzles: positions in which exactly one move wins within so many plies. It is pure; that they are
// true is proved by internal/lab/mine, and what a move in one leads to by internal/coach.
package puzzle

import (
	"encoding/binary"
	"hash/fnv"
	"math/bits"

	"github.com/linesofaction/loa"
)

// The lengths of puzzles: odd numbers of plies, since the side to move makes the last move.
const (
	LeastPlies = 1
	MostPlies  = 9
)

// Spare is the number of plies beyond the stated length within which no other first move wins.
const Spare = 2

// Puzzle is a position, and how the side to move wins against the longest defense.
type Puzzle struct {
	ID       string // follows from the position; the images of a position share it
	Position loa.Position
	Line     []loa.Move
	Grade    int // in points, as ratings are
	Source   string
	Themes   []Theme
}

// Rules are what puzzles are played by.
func Rules() loa.Rules { return loa.Rules{Size: loa.MaxSize} }

// New returns the puzzle of a position and a line that is legal from it, graded by what can be seen of it.
func New(p loa.Position, line []loa.Move, source string) *Puzzle {
	themes := themesOf(p, line[0])
	return &Puzzle{ID: idOf(p), Position: p, Line: line, Grade: grade(p, line, themes), Source: source, Themes: themes}
}

// Plies returns the length of the win.
func (p *Puzzle) Plies() int { return len(p.Line) }

// Moves returns the number of moves in which the side to move wins.
func (p *Puzzle) Moves() int { return (len(p.Line) + 1) / 2 }

// A name has so many of these letters: 2^35 names for a few thousand puzzles.
const (
	idLength  = 7
	idLetters = "abcdefghijklmnopqrstuvwxyz234567"
)

// idOf names a position, the same for all its images.
func idOf(p loa.Position) string {
	images := imagesOf(p)
	least := images[0]
	for _, image := range images[1:] {
		if image.own < least.own || image.own == least.own && image.other < least.other {
			least = image
		}
	}
	h := fnv.New64a()
	var raw [17]byte
	raw[0] = byte(p.Size())
	binary.BigEndian.PutUint64(raw[1:], uint64(least.own))
	binary.BigEndian.PutUint64(raw[9:], uint64(least.other))
	h.Write(raw[:])
	var id [idLength]byte
	for i, rest := 0, h.Sum64(); i < idLength; i++ {
		id[i] = idLetters[rest>>59]
		rest <<= 5
	}
	return string(id[:])
}

// sides are the pieces of the side to move and of the other one.
type sides struct{ own, other loa.Bitboard }

// imagesOf returns a position as the eight symmetries of the board show it, without its colors.
func imagesOf(p loa.Position) (images [8]sides) {
	own, other, last := p.Pieces(p.Turn()), p.Pieces(p.Turn().Opponent()), p.Size()-1
	for i := range images {
		turn := func(b loa.Bitboard) (out loa.Bitboard) {
			for b != 0 {
				s := b.Pop()
				file, rank := s.File(), s.Rank()
				if i&1 != 0 {
					file = last - file
				}
				if i&2 != 0 {
					rank = last - rank
				}
				if i&4 != 0 {
					file, rank = rank, file
				}
				out |= loa.SquareAt(file, rank).Bitboard()
			}
			return out
		}
		images[i] = sides{turn(own), turn(other)}
	}
	return images
}

// Near reports whether two puzzles are so much alike that one who knows one has little to find in the other: the same
// position but for so many squares, under some symmetry and with either color to move.
func (p *Puzzle) Near(q *Puzzle, squares int) bool {
	if p.Position.Size() != q.Position.Size() {
		return false
	}
	mine := sides{p.Position.Pieces(p.Position.Turn()), p.Position.Pieces(p.Position.Turn().Opponent())}
	for _, image := range imagesOf(q.Position) {
		if bits.OnesCount64(uint64((mine.own^image.own)|(mine.other^image.other))) <= squares {
			return true
		}
	}
	return false
}
