package train

import (
	"math"

	"github.com/linesofaction/loa/engine/nnue"
)

// model is a net in floating point. All its numbers are in one slice, which the others are parts of. Gradients
// have the same shape.
type model struct {
	hidden  int
	all     []float32
	input   []float32 // by feature, own pieces then enemy ones, a row for the hidden units
	bias    []float32
	output  []float32 // by bucket, the units of the side to move, then those of the other
	shift   []float32 // by bucket
	pattern []float32 // by worth, opening and ending
}

func newModel(hidden, worths int) *model {
	sizes := [...]int{128 * hidden, hidden, nnue.Buckets * 2 * hidden, nnue.Buckets, 2 * worths}
	total := 0
	for _, n := range sizes {
		total += n
	}
	total = (total + 31) / 32 * 32 // the rows in assembly
	m := &model{hidden: hidden, all: make([]float32, total)}
	rest := m.all
	for i, part := range []*[]float32{&m.input, &m.bias, &m.output, &m.shift, &m.pattern} {
		*part, rest = rest[:sizes[i]:sizes[i]], rest[sizes[i]:]
	}
	return m
}

// scratch is what one sample needs.
type scratch struct {
	sums, slopes [2][]float32 // by perspective
	features     [2][]int32
	codes        []int32
}

func newScratch(hidden, patterns int) *scratch {
	s := &scratch{codes: make([]int32, patterns)}
	for i := range 2 {
		s.sums[i] = make([]float32, hidden)
		s.slopes[i] = make([]float32, hidden)
	}
	return s
}

// forward returns the value of a sample in units of the logistic function.
func (m *model) forward(g *nnue.Geometry, x *sample, s *scratch) float32 {
	h := m.hidden
	for side := range 2 {
		s.features[side] = s.features[side][:0]
		sums := s.sums[side]
		copy(sums, m.bias)
		for i, set := range [2]uint64{uint64(x.own), uint64(x.enemy)} {
			for b := set; b != 0; b &= b - 1 {
				f := int32((i^side)*64 + trailing(b))
				s.features[side] = append(s.features[side], f)
				add(sums, m.input[int(f)*h:int(f)*h+h])
			}
		}
	}
	out := m.output[x.bucket*2*h : (x.bucket+1)*2*h]
	value := m.shift[x.bucket]
	for side := range 2 {
		value += weigh(s.sums[side], out[side*h:side*h+h])
	}
	var opening, ending float32
	g.Encode(x.black, x.white, s.codes)
	for i, code := range s.codes {
		tie := g.Tie[code]
		s.codes[i] = tie
		worth := m.pattern[tie&^1 : tie&^1+2]
		if tie&1 == 0 {
			opening += worth[0]
			ending += worth[1]
		} else {
			opening -= worth[0]
			ending -= worth[1]
		}
	}
	return value + x.sign*(opening*x.phase+ending*(1-x.phase))
}

// backward adds the gradients of a sample that forward has just been through, given the slope of its loss.
func (m *model) backward(grad *model, x *sample, s *scratch, by float32) {
	h := m.hidden
	grad.shift[x.bucket] += by
	for side := range 2 {
		at := x.bucket*2*h + side*h
		slopes := s.slopes[side]
		slope(slopes, grad.output[at:at+h], s.sums[side], m.output[at:at+h], by)
		add(grad.bias, slopes)
		for _, f := range s.features[side] {
			add(grad.input[int(f)*h:int(f)*h+h], slopes)
		}
	}
	opening := by * x.sign * x.phase
	ending := by*x.sign - opening
	for _, tie := range s.codes {
		worth := grad.pattern[tie&^1 : tie&^1+2]
		if tie&1 == 0 {
			worth[0] += opening
			worth[1] += ending
		} else {
			worth[0] -= opening
			worth[1] -= ending
		}
	}
	grad.pattern[0], grad.pattern[1] = 0, 0 // worth 0 is nothing
}

// adam is the optimizer of Kingma and Ba (2015), with worths of patterns that decay
// (Loshchilov and Hutter, 2019), for many patterns are rare.
type adam struct {
	mean, square []float32
	step         int
}

const (
	keepMean   = 0.9
	keepSquare = 0.999
)

// update takes a step along the mean of the gradients of a number of samples.
func (a *adam) update(m, grad *model, samples int, rate, decay float32) {
	a.step++
	fixMean := float32(1 / (1 - math.Pow(keepMean, float64(a.step))))
	fixSquare := float32(1 / (1 - math.Pow(keepSquare, float64(a.step))))
	descend(m.all, a.mean, a.square, grad.all, 1/float32(samples), fixMean, fixSquare, rate)
	for i := range m.pattern {
		m.pattern[i] -= rate * decay * m.pattern[i]
	}
}
