package engine

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
	rings   [64][8]loa.Bitboard  // by distance d: the squares more than d king's steps away
}

var board8 = newGeometry()

// steps holds the difference of squares of one step in each direction.
var steps = [8]int{8, 9, 1, -7, -8, -9, -1, 7}

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
			for d := range kingDistance(a, b) {
				g.rings[a][d] |= b.Bitboard()
			}
		}
	}
	return g
}

// kingDistance returns the steps a king needs from one square to another.
func kingDistance(a, b loa.Square) int {
	return max(distance(a.File(), b.File()), distance(a.Rank(), b.Rank()))
}

func distance(a, b int) int { return max(a-b, b-a) }

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
