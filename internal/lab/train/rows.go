package train

import "math"

// The rows of hidden units, each in assembly where the processor has it and in Go.

// add adds a row to another.
func add(to, from []float32) {
	if fast {
		addRow(&to[0], &from[0], len(to))
		return
	}
	from = from[:len(to)]
	for i := range to {
		to[i] += from[i]
	}
}

// weigh returns the sum of the squares of the units, cut off below 0 and above 1, times their weights.
func weigh(units, w []float32) (sum float32) {
	if fast {
		return weighRow(&units[0], &w[0], len(units))
	}
	w = w[:len(units)]
	for i, v := range units {
		c := min(max(v, 0), 1)
		sum += c * c * w[i]
	}
	return sum
}

// slope fills the slopes of units by the slope of what weigh returned, and adds that by the weights to a gradient.
func slope(slopes, gradient, units, w []float32, by float32) {
	if fast {
		slopeRow(&slopes[0], &gradient[0], &units[0], &w[0], by, len(units))
		return
	}
	slopes, gradient, w = slopes[:len(units)], gradient[:len(units)], w[:len(units)]
	for i, v := range units {
		c := min(max(v, 0), 1)
		gradient[i] += by * c * c
		slopes[i] = 0
		if c == v {
			slopes[i] = 2 * by * c * w[i]
		}
	}
}

// descend takes a step of Adam along a gradient times a factor.
func descend(m, mean, square, grad []float32, factor, fixMean, fixSquare, rate float32) {
	k := [...]float32{factor, 1 - keepMean, 1 - keepSquare, fixSquare, 1e-8, rate * fixMean}
	if fast {
		adamRow(&m[0], &mean[0], &square[0], &grad[0], &k[0], len(m))
		return
	}
	mean, square, grad = mean[:len(m)], square[:len(m)], grad[:len(m)]
	for i := range m {
		g := grad[i] * k[0]
		mean[i] += k[1] * (g - mean[i])
		square[i] += k[2] * (g*g - square[i])
		m[i] -= k[5] * mean[i] / (float32(math.Sqrt(float64(square[i]*k[3]))) + k[4])
	}
}
