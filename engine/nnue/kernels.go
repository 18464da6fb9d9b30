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
