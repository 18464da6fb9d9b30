package nnue

import (
	"slices"
	"sync"

	"github.com/linesofaction/loa"
)

// Phases is the number of steps from the ending to the opening, between which what a pattern is worth goes evenly.
const Phases = 16

// Geometry says which patterns a board has: every line of two squares or more, then every block of 3×3
// squares. Patterns that are images of each other share a table of all the contents a pattern can have. It is
// filled once and never written again.
type Geometry struct {
	Size     int // squares on an edge
	Patterns []Pattern
	Lines    int          // the number of patterns that are lines; they come first
	At       [64][]Place  // by square: the patterns it is part of
	Tables   []Table      // the tables patterns share
	Codes    int          // contents in all tables together
	Tie      []int32      // by code: twice the number of the worth it has, plus one when the sign is changed
	Worths   int          // different worths; worth 0 is nothing
	images   [8][64]uint8 // symmetries of the board
}

// Pattern is a set of squares looked at together.
type Pattern struct {
	Table   int
	Squares []loa.Square // in the order of the table
}

// Place is where a square stands in a pattern.
type Place struct {
	Pattern uint8
	Weight  uint16 // 3^n for the nth square of the pattern; times two for a white piece
}

// Table is shared by patterns of one kind.
type Table struct {
	Base    int          // its first code
	Size    int          // 3 to the number of squares
	squares []loa.Square // of the first pattern of the kind
}

// Sizes are the squares on an edge of the boards that there are nets for, the first of them the usual one.
var Sizes = [...]int{8, 6}

var boards = [...]func() *Geometry{
	sync.OnceValue(func() *Geometry { return newGeometry(Sizes[0]) }),
	sync.OnceValue(func() *Geometry { return newGeometry(Sizes[1]) }),
}

// Board returns the geometry of a board of one of the Sizes, nil for another. The first call takes some milliseconds.
func Board(size int) *Geometry {
	for i, known := range Sizes {
		if size == known {
			return boards[i]()
		}
	}
	return nil
}

func newGeometry(size int) *Geometry {
	g := &Geometry{Size: size, Worths: 1}
	last := size - 1
	var board loa.Bitboard
	for r := range size {
		for f := range size {
			s := loa.SquareAt(f, r)
			board |= s.Bitboard()
			for i, at := range [8][2]int{
				{f, r}, {last - f, r}, {f, last - r}, {last - f, last - r}, {r, f}, {last - r, f}, {r, last - f}, {last - r, last - f},
			} {
				g.images[i][s] = uint8(loa.SquareAt(at[0], at[1]))
			}
		}
	}
	for axis := loa.FileAxis; axis <= loa.FallingAxis; axis++ {
		for rest := board; rest != 0; {
			line := loa.Line(rest.First(), axis) & board
			rest &^= line
			if line.Count() > 1 {
				g.add(line.Squares())
			}
		}
	}
	g.Lines = len(g.Patterns)
	for rank := range size - 2 {
		for file := range size - 2 {
			var block []loa.Square
			for i := range 9 {
				block = append(block, loa.SquareAt(file+i%3, rank+i/3))
			}
			g.add(block)
		}
	}
	for i, p := range g.Patterns {
		weight := uint16(1)
		for _, s := range p.Squares {
			g.At[s] = append(g.At[s], Place{uint8(i), weight})
			weight *= 3
		}
	}
	return g
}

// start is the number of pieces at the standard start.
func (g *Geometry) start() int { return 4 * (g.Size - 2) }

// Bucket returns the bucket of a position with a number of pieces.
func (g *Geometry) Bucket(pieces int) int {
	return max(0, min(Buckets-1, (g.start()-pieces)*2*Buckets/g.start()))
}

// Phase returns where between ending, 0, and opening, Phases, a position with a number of pieces is.
func (g *Geometry) Phase(pieces int) int {
	return max(0, min(Phases, (2*pieces-g.start())*Phases/g.start()))
}

// LineTable returns the table of a line of the board, -1 for a single square.
func (g *Geometry) LineTable(line loa.Bitboard) int {
	for _, p := range g.Patterns[:g.Lines] {
		if setOf(p.Squares) == line {
			return p.Table
		}
	}
	return -1
}

// Image returns one of the eight images of a set of squares; the first is the set itself.
func (g *Geometry) Image(b loa.Bitboard, symmetry int) (image loa.Bitboard) {
	for b != 0 {
		image |= 1 << g.images[symmetry][b.Pop()]
	}
	return image
}

// Encode fills codes with what is in each pattern, as indices of Tie.
func (g *Geometry) Encode(black, white loa.Bitboard, codes []int32) {
	for i, p := range g.Patterns {
		codes[i] = int32(g.Tables[p.Table].Base)
	}
	for black != 0 {
		for _, at := range g.At[black.Pop()] {
			codes[at.Pattern] += int32(at.Weight)
		}
	}
	for white != 0 {
		for _, at := range g.At[white.Pop()] {
			codes[at.Pattern] += 2 * int32(at.Weight)
		}
	}
}

// add appends a pattern with the table of the patterns it is an image of, or a new one.
func (g *Geometry) add(squares []loa.Square) {
	set := setOf(squares)
	for i, t := range g.Tables {
		for symmetry := range g.images {
			if setOf(t.squares) == g.Image(set, symmetry) {
				ordered := make([]loa.Square, len(squares))
				for _, s := range squares {
					ordered[slices.Index(t.squares, loa.Square(g.images[symmetry][s]))] = s
				}
				g.Patterns = append(g.Patterns, Pattern{i, ordered})
				return
			}
		}
	}
	t := Table{Base: g.Codes, Size: 1, squares: squares}
	for range squares {
		t.Size *= 3
	}
	g.Patterns = append(g.Patterns, Pattern{len(g.Tables), squares})
	g.Tables = append(g.Tables, t)
	g.Codes += t.Size
	g.tie(t)
}

// tie numbers the worths of a table: contents that are images of each other are worth the same, with the
// colors changed the opposite, and so nothing when that is the same.
func (g *Geometry) tie(t Table) {
	var orders [][]int
	for symmetry := range g.images {
		if g.Image(setOf(t.squares), symmetry) != setOf(t.squares) {
			continue
		}
		var order []int
		for _, s := range t.squares {
			order = append(order, slices.Index(t.squares, loa.Square(g.images[symmetry][s])))
		}
		orders = append(orders, order)
	}
	g.Tie = append(g.Tie, make([]int32, t.Size)...)
	ties := g.Tie[t.Base:]
	for code := range ties {
		if ties[code] != 0 {
			continue
		}
		worth := int32(2 * g.Worths)
		for _, order := range orders {
			if _, opposite := reorder(code, order); opposite == code {
				worth = 0 // also where there are no pieces
			}
		}
		if worth == 0 {
			continue
		}
		g.Worths++
		for _, order := range orders {
			same, opposite := reorder(code, order)
			ties[same], ties[opposite] = worth, worth+1
		}
	}
}

// reorder returns a code with its squares in another order, and the same with the colors changed.
func reorder(code int, order []int) (same, opposite int) {
	for i := 0; code != 0; i, code = i+1, code/3 {
		weight := 1
		for range order[i] {
			weight *= 3
		}
		switch code % 3 {
		case 1:
			same += weight
			opposite += 2 * weight
		case 2:
			same += 2 * weight
			opposite += weight
		}
	}
	return same, opposite
}

func setOf(squares []loa.Square) (set loa.Bitboard) {
	for _, s := range squares {
		set |= s.Bitboard()
	}
	return set
}
