// Package train finds the numbers of the engine's net from shards of searched positions.
package train

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/linesofaction/loa/engine/nnue"
	"github.com/linesofaction/loa/internal/lab/datagen"
)

// Options say what to train on and how.
type Options struct {
	Data     []string  // shards and directories of shards
	Start    *nnue.Net // to go on from; nil begins with chance numbers
	Size     int       // squares on an edge of the board; that of Start where there is one
	Hidden   int       // units; those of Start where there is one
	Samples  int       // looked at in all
	Batch    int       // samples between two steps
	Rate     float64   // of learning, at its height
	Decay    float64   // of what patterns are worth
	Share    float64   // of the result in what is learned; the rest is the score of the search
	Discount float64   // what a ply to the end takes from a result, so that quick wins are worth more
	Threats  bool      // also learn from positions under a threat
	Seed     uint64
	Workers  int
	Output   string // file for the net
	Log      io.Writer
}

// slices is the number of parts a batch is worked through in, each with gradients of its own, whatever the
// number of workers, so that the same options find the same numbers.
const slices = 4

// reports is how often a training tells how it goes and keeps its state.
const reports = 40

// Run trains a net. A training that is broken off leaves its state beside the net, and goes on from there when it is
// called with the same options. The error names a shard that cannot be used.
func Run(ctx context.Context, o Options) error {
	files, err := shards(o.Data)
	if err != nil {
		return err
	}
	if o.Start != nil {
		o.Size, o.Hidden = o.Start.Board().Size, o.Start.Hidden()
	}
	train, test, err := load(files, o.Size, o.Threats)
	if err != nil {
		return err
	}
	fmt.Fprintf(o.Log, "%d positions to learn from, %d to test on, of %d shards\n", len(train), len(test), len(files))
	if len(train) == 0 {
		return fmt.Errorf("%s: expected shards with positions to learn from", strings.Join(o.Data, ", "))
	}
	t := o.newTrainer()
	from := ""
	if o.Start != nil {
		from = o.Start.Name()
	}
	of := terms{
		from, len(files), len(train) + len(test), o.Hidden, o.Samples, o.Batch,
		o.Rate, o.Decay, o.Share, o.Discount, o.Threats, o.Seed,
	}
	state := o.Output + ".state"
	begun, err := t.resume(state, of)
	if err != nil {
		return err
	}
	steps := o.Samples / o.Batch
	every := max(steps/reports, 1)
	start := time.Now()
	loss := 0.0
	for step := begun; step < steps; step++ {
		if ctx.Err() != nil {
			if fault := t.save(state, of, step); fault != nil {
				return fault
			}
			return fmt.Errorf("%w, the same call goes on from %s", context.Cause(ctx), state)
		}
		loss += t.step(train, step, o.rate(step, steps))
		if n := step%every + 1; n == every || step+1 == steps {
			loss /= float64(min(n, step+1-begun))
			if math.IsNaN(loss) || math.IsInf(loss, 0) {
				return fmt.Errorf("step %d: the loss is %g; expected a lower rate than %g", step+1, loss, o.Rate)
			}
			apart := ""
			if len(test) > 0 {
				apart = fmt.Sprintf(", apart %.5f", t.test(test))
			}
			fmt.Fprintf(o.Log, "step %d of %d: loss %.5f%s, %.0f samples/s\n",
				step+1, steps, loss, apart, float64((step+1-begun)*o.Batch)/time.Since(start).Seconds())
			loss = 0
			if err := t.save(state, of, step+1); err != nil {
				return err
			}
		}
	}
	if err := t.net().Save(o.Output); err != nil {
		return err
	}
	return os.Remove(state)
}

// rate rises at first, then falls along a cosine to next to nothing.
func (o *Options) rate(step, steps int) float32 {
	warm := float64(step+1) / (0.02*float64(steps) + 1)
	fall := 0.51 + 0.49*math.Cos(math.Pi*float64(step)/float64(steps))
	return float32(o.Rate * min(warm, 1) * fall)
}

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// target returns what a record says the side to move may expect.
func (o *Options) target(r *datagen.Record) float32 {
	score := logistic(float64(r.Score) / nnue.Scale)
	if r.Result == datagen.Unknown {
		return float32(score)
	}
	result := 0.5 + (float64(r.Result)/2-0.5)*math.Exp(-o.Discount*float64(r.Plies))
	return float32(o.Share*result + (1-o.Share)*score)
}

type trainer struct {
	*Options
	geometry *nnue.Geometry
	model    *model
	adam     adam
	grads    [slices]*model
	scratch  [slices]*scratch
}

func (o *Options) newTrainer() *trainer {
	g := nnue.Board(o.Size)
	t := &trainer{Options: o, geometry: g, model: newModel(o.Hidden, g.Worths)}
	for i := range slices {
		t.grads[i] = newModel(o.Hidden, g.Worths)
		t.scratch[i] = newScratch(o.Hidden, len(g.Patterns))
	}
	t.adam = adam{mean: make([]float32, len(t.model.all)), square: make([]float32, len(t.model.all))}
	if o.Start != nil {
		m := t.model
		input, bias, output, shift, pattern := o.Start.Floats()
		for i, part := range [][]float32{input, bias, output, shift, pattern} {
			copy([][]float32{m.input, m.bias, m.output, m.shift, m.pattern}[i], part)
		}
		return t
	}
	chance := rand.New(rand.NewPCG(o.Seed, 1))
	for i := range t.model.input {
		t.model.input[i] = float32(chance.NormFloat64()) * 0.15
	}
	for i := range t.model.bias {
		t.model.bias[i] = 0.3
	}
	for i := range t.model.output {
		t.model.output[i] = float32(chance.NormFloat64()) * 0.05
	}
	return t
}

// step learns from one batch, drawn with replacement and each in one of its eight images, and returns its mean loss.
func (t *trainer) step(data []datagen.Record, step int, rate float32) float64 {
	var losses [slices]float64
	t.parallel(func(slice int) {
		grad, s := t.grads[slice], t.scratch[slice]
		clear(grad.all)
		chance := rand.New(rand.NewPCG(t.Seed, uint64(step)<<8+uint64(slice)+2))
		var x sample
		for range t.Batch / slices {
			n := chance.Uint64()
			r := &data[int(n>>3%uint64(len(data)))]
			t.prepare(t.geometry, r, int(n&7), &x)
			p := logistic(float64(t.model.forward(t.geometry, &x, s)))
			losses[slice] += entropy(p, float64(x.target))
			t.model.backward(grad, &x, s, float32(p)-x.target)
		}
	})
	total := t.grads[0]
	for _, grad := range t.grads[1:] {
		add(total.all, grad.all)
	}
	n := t.Batch / slices * slices
	t.adam.update(t.model, total, n, rate, float32(t.Decay))
	for i, w := range t.model.output {
		t.model.output[i] = min(max(w, -nnue.MostOutput), nnue.MostOutput)
	}
	sum := 0.0
	for _, l := range losses {
		sum += l
	}
	return sum / float64(n)
}

// entropy returns the cross-entropy of a target less the least it can be.
func entropy(p, target float64) float64 {
	h := func(q float64) float64 {
		sum := 0.0
		if target > 0 {
			sum -= target * math.Log(max(q, 1e-12))
		}
		if target < 1 {
			sum -= (1 - target) * math.Log(max(1-q, 1e-12))
		}
		return sum
	}
	return h(p) - h(target)
}

// test returns the mean loss on positions kept apart.
func (t *trainer) test(data []datagen.Record) float64 {
	var losses [slices]float64
	t.parallel(func(slice int) {
		var x sample
		for i := slice; i < len(data); i += slices {
			t.prepare(t.geometry, &data[i], 0, &x)
			losses[slice] += entropy(logistic(float64(t.model.forward(t.geometry, &x, t.scratch[slice]))), float64(x.target))
		}
	})
	sum := 0.0
	for _, l := range losses {
		sum += l
	}
	return sum / float64(len(data))
}

// parallel does the slices of a batch, as many at a time as there are workers.
func (t *trainer) parallel(do func(slice int)) {
	var group sync.WaitGroup
	workers := max(1, min(t.Workers, slices))
	for w := range workers {
		group.Go(func() {
			for slice := w; slice < slices; slice += workers {
				do(slice)
			}
		})
	}
	group.Wait()
}

// net returns the net in whole numbers.
func (t *trainer) net() *nnue.Net {
	m := t.model
	return nnue.Quantize(t.geometry, m.hidden, m.input, m.bias, m.output, m.shift, m.pattern)
}
