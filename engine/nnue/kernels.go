package nnue

// Hidden units and contents of blocks are lanes, four to a word, the first lowest: numbers of 16 bits from 0 on, which for a unit
// is its value plus laneMiddle. The kernels have two forms that give the same to the last bit: assembly, which Net.fast chooses and
// which adds lane by lane, and Go, which adds whole words. Words need rows of their own, in which a lane below 0 borrows from the next.
// No sum leaves its lane, for Parse and Quantize see to that.
const (
	laneBits   = 16
	laneMiddle = 1 << 15
)

// pack returns numbers as lanes, for the kernels of a net.
func (n *Net) pack(numbers []int16) []uint64 {
	words := make([]uint64, len(numbers)/4)
	for i, x := range numbers {
		lane := uint64(int64(x))
		if n.fast {
			lane &= 1<<laneBits - 1
		}
		words[i/4] += lane << (i % 4 * laneBits)
	}
	return words
}

// move sets to = from + add - sub.
func (n *Net) move(to, from, add, sub []uint64) {
	if n.fast {
		moveAVX2(&to[0], &from[0], &add[0], &sub[0], len(to))
		return
	}
	from, add, sub = from[:len(to)], add[:len(to)], sub[:len(to)]
	for i := range to {
		to[i] = from[i] + add[i] - sub[i]
	}
}

// capture sets to = from + add - sub - taken.
func (n *Net) capture(to, from, add, sub, taken []uint64) {
	if n.fast {
		captureAVX2(&to[0], &from[0], &add[0], &sub[0], &taken[0], len(to))
		return
	}
	from, add, sub, taken = from[:len(to)], add[:len(to)], sub[:len(to)], taken[:len(to)]
	for i := range to {
		to[i] = from[i] + add[i] - sub[i] - taken[i]
	}
}

// weigh returns the sum of the squares of the units, cut off below 0 and above one, times their weights.
func (n *Net) weigh(units []uint64, w []int16) (sum int32) {
	if n.fast {
		return weighAVX2(&units[0], &w[0], len(units))
	}
	squares := n.terrain.squares
	for _, x := range units {
		sum += int32(squares[uint16(x)])*int32(w[0]) + int32(squares[uint16(x>>16)])*int32(w[1]) +
			int32(squares[uint16(x>>32)])*int32(w[2]) + int32(squares[uint16(x>>48)])*int32(w[3])
		w = w[4:]
	}
	return sum
}

// newSquares returns the squares of units, cut off, by lane: quicker than to cut off, and the lanes that occur are few.
func newSquares() *[1 << laneBits]uint16 {
	squares := new([1 << laneBits]uint16)
	for lane := range squares {
		c := max(0, min(lane-laneMiddle, one))
		squares[lane] = uint16(c * c)
	}
	return squares
}

// look returns what the contents of the blocks are worth for Black in a phase of the game, in 1/Phases.
func (n *Net) look(contents []uint64, phase int) int32 {
	t := n.terrain
	if n.fast {
		return lookAVX2(&contents[0], &t.bases[0], &t.worths[0], Phases-phase|phase<<16)
	}
	var ending, opening int32
	for i, base := range t.bases[:blocks] {
		worth := t.worths[base+int32(contents[i/4]>>(i%4*laneBits)&(1<<laneBits-1))]
		ending += int32(worth[0])
		opening += int32(worth[1])
	}
	return ending*int32(Phases-phase) + opening*int32(phase)
}
