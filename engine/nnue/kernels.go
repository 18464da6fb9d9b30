package nnue

// The kernels have two forms that give the same to the last bit: assembly, which Net.fast chooses, and Go.

// move sets to = from + add - sub.
func (n *Net) move(to, from, add, sub []int16) {
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
func (n *Net) capture(to, from, add, sub, taken []int16) {
	if n.fast {
		captureAVX2(&to[0], &from[0], &add[0], &sub[0], &taken[0], len(to))
		return
	}
	from, add, sub, taken = from[:len(to)], add[:len(to)], sub[:len(to)], taken[:len(to)]
	for i := range to {
		to[i] = from[i] + add[i] - sub[i] - taken[i]
	}
}

// weigh returns the sum of the squares of the units, cut off, times their weights.
func (n *Net) weigh(units, w []int16) (sum int32) {
	if n.fast {
		return weighAVX2(&units[0], &w[0], len(units))
	}
	w = w[:len(units)]
	for i, v := range units {
		if v > 0 {
			c := int32(min(int(v), one))
			sum += c * c * int32(w[i])
		}
	}
	return sum
}

// look returns what the contents of the blocks are worth for Black in a phase of the game, in 1/Phases.
func (n *Net) look(contents *[blockLanes]int16, phase int) int32 {
	t := n.terrain
	if n.fast {
		return lookAVX2(&contents[0], &t.bases[0], &t.worths[0], Phases-phase|phase<<16)
	}
	var ending, opening int32
	for i, base := range t.bases[:blocks] {
		worth := t.worths[base+int32(contents[i])]
		ending += int32(worth[0])
		opening += int32(worth[1])
	}
	return ending*int32(Phases-phase) + opening*int32(phase)
}
