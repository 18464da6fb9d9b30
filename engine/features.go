package engine

import (
	"math/bits"

	"github.com/linesofaction/loa"
)

// Feature is a number taken from a position, Black's share less White's, that the evaluation weighs.
type Feature int

// The features. Those of a line are summed over every line of two squares or more; "edge" is the edge of the board.
const (
	MoveInside    Feature = iota // moves to an empty square off the edge
	MoveEdge                     // moves to an empty square on the edge
	CaptureInside                // captures off the edge
	CaptureEdge                  // captures on the edge
	Walled                       // pieces on the edge kept from a square inside by an enemy on the way
	Blocked                      // other pieces kept from a square by an enemy on the way
	OwnTaken                     // pieces kept from a square by an own piece there

	Square00 // pieces on corners, and so on by the distances of the square from the two nearest edges
	Square01
	Square02
	Square03
	Square11
	Square12
	Square13
	Square22
	Square23
	Square33

	Spread       // king's steps to the center of mass, summed, less the least possible, per piece, ×64
	Center1      // 1 when the center of mass is on the edge or one square off
	Center2      // two squares off
	Quad3        // 2×2 blocks with three own pieces, within two squares of the center of mass
	Quad4        // with four
	QuadDiagonal // 2×2 blocks anywhere with two pieces, corner to corner
	Pairs        // pairs of neighbors, per piece, ×64
	Box          // squares of the smallest rectangle around all pieces
	Groups2      // 1 when the pieces form two groups
	Groups3      // three
	Groups4      // four
	Groups5      // five
	Groups6      // six or more
	Stranded     // pieces outside the largest group
	Singles      // pieces without a neighbor
	Pieces       // pieces
	Turn         // 1 for the side to move

	Features // their number
)

const firstShape = Spread // features before it are kept up to date move by move

var featureNames = [Features]string{
	"move-inside", "move-edge", "capture-inside", "capture-edge", "walled", "blocked", "own-taken",
	"square-00", "square-01", "square-02", "square-03", "square-11", "square-12", "square-13", "square-22", "square-23", "square-33",
	"spread", "center-1", "center-2", "quad-3", "quad-4", "quad-diagonal",
	"pairs", "box", "groups-2", "groups-3", "groups-4", "groups-5", "groups-6", "stranded", "singles", "pieces", "turn",
}

// String returns the name that stands for the feature in a file of weights.
func (f Feature) String() string { return featureNames[f] }

// gathers reports whether the feature is about where pieces stand and how they hang together, and not about moves,
// material or the turn.
func (f Feature) gathers() bool { return f >= Square00 && f < Pieces }

// squareFeature returns the feature of a piece on a square of a board of the given size.
func squareFeature(s loa.Square, size int) Feature {
	a := min(s.File(), size-1-s.File())
	b := min(s.Rank(), size-1-s.Rank())
	a, b = min(a, b), max(a, b)
	return [4][4]Feature{
		{Square00, Square01, Square02, Square03},
		{0, Square11, Square12, Square13},
		{0, 0, Square22, Square23},
		{0, 0, 0, Square33},
	}[a][b]
}

// lineFeatures adds what one line has to offer the two sides. The contents are 0 for an empty square, 1 for
// Black, 2 for White; edge says that the whole line runs along the edge, otherwise only its ends lie on it.
func lineFeatures(contents []int, edge, captures bool, add func(side int, f Feature)) {
	pieces := 0
	for _, piece := range contents {
		if piece != 0 {
			pieces++
		}
	}
	last := len(contents) - 1
	onEdge := func(i int) bool { return edge || i == 0 || i == last }
	for from, piece := range contents {
		if piece == 0 {
			continue
		}
		side := piece - 1
		for _, step := range [2]int{-1, 1} {
			to := from + pieces*step
			if to < 0 || to > last {
				continue
			}
			free := true
			for i := from + step; i != to; i += step {
				free = free && contents[i] != 3-piece
			}
			switch {
			case !free && onEdge(from) && !edge:
				add(side, Walled)
			case !free:
				add(side, Blocked)
			case contents[to] == piece:
				add(side, OwnTaken)
			case contents[to] == 0 && onEdge(to):
				add(side, MoveEdge)
			case contents[to] == 0:
				add(side, MoveInside)
			case !captures:
				add(side, Blocked)
			case onEdge(to):
				add(side, CaptureEdge)
			default:
				add(side, CaptureInside)
			}
		}
	}
}

// shape holds the features from firstShape on.
type shape [Features - firstShape]int

// addShape adds the features of one side, all but Turn, times sign. It takes the sums of the files and ranks
// of the pieces, which a node keeps.
func (t *terrain) addShape(x *shape, own loa.Bitboard, files, ranks, sign int) {
	n := count(own)
	center := centerOf(n, files, ranks)
	sum := -t.leastSpread[n]
	for d := range 7 {
		outside := own & board8.rings[center][d]
		if outside == 0 {
			break
		}
		sum += count(outside)
	}
	add := func(f Feature, value int) { x[f-firstShape] += sign * value }
	add(Spread, sum*64/n)
	if ring := t.ring[center]; ring < 3 {
		add(Center1+Feature(max(ring, 1)-1), 1)
	}

	right, up, both := (own&^fileA)>>1, own>>8, (own&^fileA)>>9
	x1, c1 := own^right, own&right
	x2, c2 := up^both, up&both
	three, four := c1&x2|c2&x1, c1&c2
	near := nearQuads(center)
	add(Quad3, count(three&near))
	add(Quad4, count(four&near))
	add(QuadDiagonal, count(x1&x2&(own^up)&^fileH))
	falling := own & ((own &^ fileH) >> 7)
	add(Pairs, (count(c1)+count(own&up)+count(own&both)+count(falling))*64/n)
	add(Box, boxOf(own))

	singles := own &^ own.Neighbors()
	groups := count(singles)
	largest := min(groups, 1)
	for rest := own &^ singles; rest != 0; groups++ {
		group := flood(own, rest&-rest)
		rest &^= group
		largest = max(largest, count(group))
	}
	if groups > 1 {
		add(Groups2+Feature(min(groups, 6)-2), 1)
	}
	add(Stranded, n-largest)
	add(Singles, count(singles))
	add(Pieces, n)
}

// nearQuads returns the lower left squares of the 2×2 blocks that lie within two squares of a center.
func nearQuads(center loa.Square) loa.Bitboard {
	around := ^board8.rings[center][2]
	return around & (around &^ fileA >> 1) & (around >> 8)
}

// boxOf returns the squares of the smallest rectangle around a set that is not empty.
func boxOf(b loa.Bitboard) int {
	files := b | b>>32
	files |= files >> 16
	files |= files >> 8
	width := bits.Len8(uint8(files)) - bits.TrailingZeros8(uint8(files))
	height := (bits.Len64(uint64(b))-1)/8 - bits.TrailingZeros64(uint64(b))/8 + 1
	return width * height
}

const (
	fileA loa.Bitboard = 0x0101010101010101
	fileH loa.Bitboard = fileA << 7
)
