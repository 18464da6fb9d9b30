package fit

import (
	"math"

	"github.com/linesofaction/loa/engine"
)

// columns is the number of weights: each feature in the opening and in the ending.
const columns = 2 * int(engine.Features)

// scale is the number of units of a weight in one unit of the logistic function: 16 in a centipawn, 200
// centipawns in a unit.
const scale = 16 * 200

// ridge draws every weight towards nothing with the force of so many positions, which settles what the
// positions leave open, such as features that add up to another.
const ridge = 100

// rare is added to the spread of a column, so that the ridge weighs more on a feature that is hardly ever there.
const rare = 0.05

// spread turns features into columns.
func spread(x [engine.Features]int, phase int) (row [columns]float32) {
	for f, value := range x {
		row[2*f] = float32(value*phase) / 16
		row[2*f+1] = float32(value*(16-phase)) / 16
	}
	return row
}

// columnsOf and weightsOf turn weights into the numbers of the regression and back.
func columnsOf(w *engine.Weights) (c [columns]float64) {
	for f := range w.Opening {
		c[2*f] = float64(w.Opening[f]) / scale
		c[2*f+1] = float64(w.Ending[f]) / scale
	}
	return c
}

func weightsOf(c [columns]float64) *engine.Weights {
	w := new(engine.Weights)
	for f := range w.Opening {
		w.Opening[f] = int(math.Round(c[2*f] * scale))
		w.Ending[f] = int(math.Round(c[2*f+1] * scale))
	}
	return w
}

// foretell returns what Black may expect of a position.
func foretell(x *[columns]float32, c *[columns]float64) float64 {
	sum := 0.0
	for i, value := range x {
		sum += float64(value) * c[i]
	}
	return 1 / (1 + math.Exp(-sum))
}

// loss returns the mean cross-entropy between results and what the weights foretell.
func loss(samples []sample, c [columns]float64) float64 {
	sum := 0.0
	for i := range samples {
		p := min(max(foretell(&samples[i].x, &c), 1e-9), 1-1e-9)
		r := float64(samples[i].result)
		sum -= r*math.Log(p) + (1-r)*math.Log(1-p)
	}
	return sum / float64(max(len(samples), 1))
}

// regress returns the weights with the least loss, by Newton's method. Columns are scaled to the same spread, so
// that the ridge weighs equally on all.
func regress(samples []sample, start [columns]float64) [columns]float64 {
	var size [columns]float64
	for i := range samples {
		for j, value := range samples[i].x {
			size[j] += float64(value) * float64(value)
		}
	}
	c := start
	for j := range size {
		size[j] = math.Sqrt(size[j]/float64(max(len(samples), 1))) + rare
		c[j] *= size[j]
	}
	for range 8 { // far more than it takes to come to rest
		var gradient [columns]float64
		var curvature [columns][columns]float64
		var row [columns]float64
		for i := range samples {
			sum := 0.0
			for j, value := range samples[i].x {
				row[j] = float64(value) / size[j]
				sum += row[j] * c[j]
			}
			p := 1 / (1 + math.Exp(-sum))
			miss, weight := p-float64(samples[i].result), p*(1-p)
			for j, value := range row {
				if value == 0 {
					continue
				}
				gradient[j] += miss * value
				value *= weight
				line := curvature[j][:j+1]
				for k := range line {
					line[k] += value * row[k]
				}
			}
		}
		for j := range c {
			gradient[j] += ridge * c[j]
			curvature[j][j] += ridge
		}
		step := solve(&curvature, gradient)
		for j := range c {
			c[j] -= step[j]
		}
	}
	for j := range c {
		c[j] /= size[j]
	}
	return c
}

// solve returns x with a·x = b for a symmetric positive definite a given by its lower half, by Cholesky's method. It
// overwrites a.
func solve(a *[columns][columns]float64, b [columns]float64) [columns]float64 {
	for j := range columns {
		for k := range j + 1 {
			sum := a[j][k]
			for i := range k {
				sum -= a[j][i] * a[k][i]
			}
			if j == k {
				a[j][j] = math.Sqrt(sum)
			} else {
				a[j][k] = sum / a[k][k]
			}
		}
	}
	for j := range columns {
		for k := range j {
			b[j] -= a[j][k] * b[k]
		}
		b[j] /= a[j][j]
	}
	for j := columns - 1; j >= 0; j-- {
		for k := j + 1; k < columns; k++ {
			b[j] -= a[k][j] * b[k]
		}
		b[j] /= a[j][j]
	}
	return b
}
