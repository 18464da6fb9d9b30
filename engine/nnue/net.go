// Package nnue is the engine's net: a small efficiently updatable neural network with whole numbers, which says
// what a position of the 8×8 board is worth.
//
// Each side has a row of hidden units, fed by where its own and the enemy's pieces stand, with the same numbers
// for both sides. Units are cut off below 0 and above 1, squared and weighed, those of the side to move with other
// numbers than those of its opponent, and in four buckets by the number of pieces. Added to that is a worth for
// what is in each pattern: every line of two squares or more and every block of 3×3 squares.
package nnue

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

const (
	// Features is the number of inputs of a side: its own pieces by square, then those of the enemy.
	Features = 128
	// MaxHidden is the greatest number of hidden units of a side. The number is a multiple of 32.
	MaxHidden = 256
	// Buckets is the number of sets of weights the hidden units have.
	Buckets = 4
	// Scale is the number of centipawns in a unit of the logistic function: a value of c centipawns stands for an
	// expectation of 1/(1+e^(-c/Scale)).
	Scale = 200
	// Unit is the number of units of a value in a centipawn.
	Unit = 16
	// MostOutput is the greatest weight of a hidden unit.
	MostOutput = 127.0 / oneOutput

	coarse    = 4   // worths of patterns are multiples, so that a net packs into four fifths of the bytes
	one       = 255 // a hidden unit at its height
	oneOutput = 64  // weight 1 of a hidden unit

	oneValue = one * one * oneOutput
)

// Net is a net. It is not changed after it has been made.
type Net struct {
	geometry *Geometry // of its board
	fast     bool      // use assembly
	hidden   int
	input    []int16 // by feature, a row for the hidden units
	bias     []int16
	output   []int16 // by bucket, the units of the side to move, then those of the other
	shift    []int32 // by bucket, in 1/oneValue
	pattern  []int16 // by worth, opening and ending
	terrain  *terrain
}

// Quantize returns the net for a board of numbers in floating point, in the order of the parts of the file.
func Quantize(g *Geometry, hidden int, input, bias, output, shift, pattern []float32) *Net {
	small := func(from []float32, unit float64, step int16) []int16 {
		to := make([]int16, len(from))
		most := float64(math.MaxInt16 / step)
		for i, x := range from {
			to[i] = int16(max(-most, min(most, math.Round(float64(x)*unit/float64(step))))) * step
		}
		return to
	}
	n := &Net{
		geometry: g, hidden: hidden, input: small(input, one, 1), bias: small(bias, one, 1), output: small(output, oneOutput, 1), pattern: small(pattern, Scale*Unit, coarse),
	}
	for _, x := range shift {
		n.shift = append(n.shift, int32(math.Round(float64(x)*oneValue)))
	}
	for unit := range hidden {
		if reach := n.reach(unit); reach > mostReach {
			for at := unit; at < len(n.input); at += hidden {
				n.input[at] = int16(int(n.input[at]) * (mostReach - abs(n.bias[unit])) / reach)
			}
		}
	}
	n.fill(fast())
	return n
}

// mostReach is how far from 0 a unit may come, so that its lane holds it.
const mostReach = laneMiddle - 1

// reach returns how far from 0 a unit can come: on every square stands the piece that moves it more.
func (n *Net) reach(unit int) int {
	sum := abs(n.bias[unit])
	for s := range Features / 2 {
		sum += max(abs(n.input[s*n.hidden+unit]), abs(n.input[(s+Features/2)*n.hidden+unit]))
	}
	return sum
}

func abs(x int16) int { return max(int(x), -int(x)) }

// Board returns the geometry of the board that the net is for.
func (n *Net) Board() *Geometry { return n.geometry }

// Hidden returns the number of hidden units of a side.
func (n *Net) Hidden() int { return n.hidden }

// Floats returns the numbers of a net as Quantize takes them.
func (n *Net) Floats() (input, bias, output, shift, pattern []float32) {
	large := func(from []int16, unit float32) []float32 {
		to := make([]float32, len(from))
		for i, x := range from {
			to[i] = float32(x) / unit
		}
		return to
	}
	for _, x := range n.shift {
		shift = append(shift, float32(x)/oneValue)
	}
	return large(n.input, one), large(n.bias, one), large(n.output, oneOutput), shift, large(n.pattern, Scale*Unit)
}

// A file holds magic, version, and the shape: features, hidden units, buckets, pattern worths, 32 bits each; then
// the numbers of the net in the order of the fields of Net; all little-endian.
const (
	magic   = "LOANNUE\n"
	version = 1
)

// ErrFormat is the error of a file that is no net this program can use.
var ErrFormat = errors.New("unusable net")

func (n *Net) bytes() []byte {
	var out bytes.Buffer
	out.WriteString(magic)
	for _, part := range []any{
		[]uint32{version, Features, uint32(n.hidden), Buckets, uint32(len(n.pattern) / 2)}, n.input, n.bias, n.output, n.shift, n.pattern,
	} {
		// a buffer takes everything
		_ = binary.Write(&out, binary.LittleEndian, part)
	}
	return out.Bytes()
}

// Parse reads what Save wrote. The error is ErrFormat and says what is wrong.
func Parse(file []byte) (*Net, error) {
	refuse := func(format string, args ...any) (*Net, error) {
		return nil, fmt.Errorf("%w: %s", ErrFormat, fmt.Sprintf(format, args...))
	}
	if len(file) < len(magic)+20 || string(file[:len(magic)]) != magic {
		return refuse("expected a file that begins with %q", magic)
	}
	// by hand, for binary.Read would be a part of the browser's engine
	word := func(i int) uint32 { return binary.LittleEndian.Uint32(file[len(magic)+4*i:]) }
	head := struct{ Version, Features, Hidden, Buckets, Worths uint32 }{word(0), word(1), word(2), word(3), word(4)}
	var board *Geometry // which the number of its worths tells
	for _, size := range Sizes {
		if g := Board(size); int(head.Worths) == g.Worths {
			board = g
			break
		}
	}
	switch {
	case head.Version != version:
		return refuse("version %d, expected %d", head.Version, version)
	case head.Features != Features || head.Buckets != Buckets || board == nil:
		return refuse("%d features, %d buckets, %d worths; expected %d, %d, and %d for the board of %d×%d or %d for that of %d×%d", head.Features, head.Buckets, head.Worths,
			Features, Buckets, Board(Sizes[0]).Worths, Sizes[0], Sizes[0], Board(Sizes[1]).Worths, Sizes[1], Sizes[1])
	case head.Hidden == 0 || head.Hidden > MaxHidden || head.Hidden%32 != 0:
		return refuse("%d hidden units, expected a multiple of 32 up to %d", head.Hidden, MaxHidden)
	}
	h := int(head.Hidden)
	n := &Net{
		geometry: board, hidden: h,
		input: make([]int16, Features*h), bias: make([]int16, h), output: make([]int16, Buckets*2*h), shift: make([]int32, Buckets),
		pattern: make([]int16, 2*head.Worths),
	}
	rest := file[len(magic)+20:]
	switch over := len(rest) - 2*(len(n.input)+len(n.bias)+len(n.output)+len(n.pattern)) - 4*len(n.shift); {
	case over < 0:
		return refuse("%d bytes, too few for %d hidden units", len(file), h)
	case over > 0:
		return refuse("%d bytes too many for %d hidden units", over, h)
	}
	read := func(part []int16) {
		for i := range part {
			part[i] = int16(binary.LittleEndian.Uint16(rest[2*i:]))
		}
		rest = rest[2*len(part):]
	}
	read(n.input)
	read(n.bias)
	read(n.output)
	for i := range n.shift {
		n.shift[i] = int32(binary.LittleEndian.Uint32(rest[4*i:]))
	}
	rest = rest[4*len(n.shift):]
	read(n.pattern)
	for _, w := range n.output {
		if w < -127 || w > 127 {
			return refuse("weight %d of a hidden unit, expected -127 to 127", w)
		}
	}
	for unit := range h {
		if reach := n.reach(unit); reach > mostReach {
			return refuse("hidden unit %d comes to %d, expected at most %d", unit, reach, mostReach)
		}
	}
	n.fill(fast())
	return n, nil
}
