package engine

import (
	"math/bits"

	"github.com/linesofaction/loa"
)

// geometry is filled once and never written again.
type geometry struct {
	rings [64][8]loa.Bitboard // by distance d: the squares more than d king's steps away
	steps [64][64]uint8       // king's steps from square to square
}

var board8 = newGeometry()

func newGeometry() *geometry {
	g := new(geometry)
	for a := loa.Square(0); a < loa.NoSquare; a++ {
		for b := loa.Square(0); b < loa.NoSquare; b++ {
			g.steps[a][b] = uint8(kingDistance(a, b))
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
