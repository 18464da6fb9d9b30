package loa

import "math/bits"

// Bitboard is a set of squares, bit n for Square n.
type Bitboard uint64

const (
	fileA Bitboard = 0x0101010101010101
	fileH Bitboard = fileA << 7
	rank1 Bitboard = 0xff
)

// boardMask returns the squares of a board with the given number of squares on an edge.
func boardMask(size int) Bitboard {
	var mask Bitboard
	for rank := range size {
		mask |= (1<<size - 1) << (8 * rank)
	}
	return mask
}

// Count returns the number of squares in the set.
func (b Bitboard) Count() int { return bits.OnesCount64(uint64(b)) }

// Has reports whether a square is in the set.
func (b Bitboard) Has(s Square) bool { return b>>s&1 != 0 }

// First returns the lowest square of the set, NoSquare of an empty one.
func (b Bitboard) First() Square { return Square(bits.TrailingZeros64(uint64(b))) }

// Pop removes the lowest square from a set that is not empty and returns it.
func (b *Bitboard) Pop() Square {
	s := b.First()
	*b &= *b - 1
	return s
}

// Squares returns the squares of the set in ascending order.
func (b Bitboard) Squares() []Square {
	squares := make([]Square, 0, b.Count())
	for b != 0 {
		squares = append(squares, b.Pop())
	}
	return squares
}

// Neighbors returns every square next to a square of the set, along an edge or at a corner. A square of the
// set itself is among them only when another one of the set touches it.
func (b Bitboard) Neighbors() Bitboard {
	side := (b&^fileH)<<1 | (b&^fileA)>>1
	row := b | side
	return side | row<<8 | row>>8
}
