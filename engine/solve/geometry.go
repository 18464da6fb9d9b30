package solve

import (
	"math/bits"

	"github.com/linesofaction/loa"
)

// ways holds the lines through a square of the 8×8 board, which serve smaller boards too.
type ways struct {
	line  [4]loa.Bitboard // by loa.Axis
	reach [8]uint8        // by loa.Direction: squares to the edge
}

// geometry is filled once and never written again.
type geometry struct {
	ways    [64]ways
	between [64][64]loa.Bitboard // squares strictly between two squares of one line, else none
	steps   [64][64]uint8        // a king's steps from one square to another
}

var board8 = newGeometry()

// strides holds the difference of squares of one step in each direction.
var strides = [8]int{8, 9, 1, -7, -8, -9, -1, 7}

func newGeometry() *geometry {
	g := new(geometry)
	for a := loa.Square(0); a < loa.NoSquare; a++ {
		for axis := loa.FileAxis; axis <= loa.FallingAxis; axis++ {
			g.ways[a].line[axis] = loa.Line(a, axis)
		}
		for b := loa.Square(0); b < loa.NoSquare; b++ {
			if d, ok := loa.Toward(a, b); ok {
				g.ways[a].reach[d]++
				g.between[a][b] = loa.Between(a, b)
			}
			files, ranks := a.File()-b.File(), a.Rank()-b.Rank()
			g.steps[a][b] = uint8(max(files, -files, ranks, -ranks))
		}
	}
	return g
}

// boardOf returns the squares of a board.
func boardOf(size int) loa.Bitboard {
	var board loa.Bitboard
	for rank := range size {
		board |= (1<<size - 1) << (8 * rank)
	}
	return board
}

// flood returns the group of b that holds the seed.
func flood(b, seed loa.Bitboard) loa.Bitboard {
	for {
		grown := seed.Neighbors()&b | seed
		if grown == seed {
			return seed
		}
		seed = grown
	}
}

func count(b loa.Bitboard) int { return bits.OnesCount64(uint64(b)) }
