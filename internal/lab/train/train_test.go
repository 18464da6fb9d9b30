package train

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/engine/nnue"
	"github.com/linesofaction/loa/internal/lab/datagen"
)

// records makes positions by chance, each worth what its pieces near the center say.
func records(n int, seed uint64) []datagen.Record {
	const center = loa.Bitboard(0x00003c3c3c3c0000)
	chance := rand.New(rand.NewPCG(seed, 0))
	made := make([]datagen.Record, n)
	for i := range made {
		r := &made[i]
		r.Black = loa.Bitboard(chance.Uint64() & chance.Uint64() & chance.Uint64())
		r.White = loa.Bitboard(chance.Uint64()&chance.Uint64()&chance.Uint64()) &^ r.Black
		r.Turn = loa.Color(i & 1)
		lead := (r.Black & center).Count() - (r.White & center).Count()
		if r.Turn == loa.White {
			lead = -lead
		}
		r.Score = int16(100 * lead)
		r.Result = uint8(1 + max(-1, min(1, lead)))
		r.Plies = 10
	}
	return made
}

func shard(t *testing.T, n int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "000000.shard")
	if err := datagen.WriteShard(path, "test", records(n, 1)); err != nil {
		t.Fatal(err)
	}
	return path
}

func options(t *testing.T, data string, log *strings.Builder) Options {
	return Options{
		Data: []string{data}, Size: 8, Hidden: 32, Samples: 60_000, Batch: 500, Rate: 0.01, Decay: 1, Share: 0.5, Seed: 1, Workers: 2,
		Output: filepath.Join(t.TempDir(), "net"), Log: log,
	}
}

// TestNetLearns what its positions are worth, and its whole numbers say the same as the floating ones.
func TestNetLearns(t *testing.T) {
	var log strings.Builder
	o := options(t, shard(t, 4000), &log)
	if err := Run(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(o.Output)
	if err != nil {
		t.Fatal(err)
	}
	net, err := nnue.Parse(file)
	if err != nil {
		t.Fatal(err)
	}
	right, all := 0, 0
	for _, r := range records(500, 2) {
		var s nnue.State
		net.Refresh(&s, r.Black, r.White)
		value := net.Value(&s, r.Turn, (r.Black | r.White).Count())
		codes := make([]int32, 78)
		nnue.Board(8).Encode(r.Black, r.White, codes)
		if r.Score != 0 {
			all++
			if (value > 0) == (r.Score > 0) {
				right++
			}
		}
	}
	if right < all*8/10 {
		t.Errorf("the sign is right for %d of %d positions\n%s", right, all, &log)
	}
}

// TestTrainingGoesOnFromANet, whose numbers it begins with.
func TestTrainingGoesOnFromANet(t *testing.T) {
	var log strings.Builder
	o := options(t, "", &log)
	net := o.newTrainer().net()
	o.Start = net
	if again := o.newTrainer().net(); again.Name() != net.Name() {
		t.Errorf("began with %s, want %s", again.Name(), net.Name())
	}
}

// TestGradients compares the slopes of backward with differences of forward.
func TestGradients(t *testing.T) {
	var log strings.Builder
	o := options(t, "", &log)
	tr := o.newTrainer()
	for i := range tr.model.pattern {
		tr.model.pattern[i] = float32(i%7) / 100
	}
	tr.model.pattern[0], tr.model.pattern[1] = 0, 0
	r := records(1, 3)[0]
	var x sample
	o.prepare(tr.geometry, &r, 5, &x)
	grad, s := newModel(o.Hidden, tr.geometry.Worths), tr.scratch[0]
	tr.model.forward(tr.geometry, &x, s)
	tr.model.backward(grad, &x, s, 1)
	checked := 0
	for i, want := range grad.all {
		if want == 0 || i%3 != 0 {
			continue
		}
		old := tr.model.all[i]
		tr.model.all[i] = old + 0.01
		up := tr.model.forward(tr.geometry, &x, s)
		tr.model.all[i] = old - 0.01
		down := tr.model.forward(tr.geometry, &x, s)
		tr.model.all[i] = old
		if got := (up - down) / 0.02; math.Abs(float64(got-want)) > 0.02 {
			t.Errorf("number %d: slope %.4f, difference %.4f", i, want, got)
		}
		checked++
	}
	if checked < 50 {
		t.Errorf("only %d slopes", checked)
	}
}

// TestRowsEqualGo: the assembly of the rows gives what Go gives, but for the order of adding up.
func TestRowsEqualGo(t *testing.T) {
	if !fast {
		t.Skip("this processor has no AVX2")
	}
	const n = 96
	chance := rand.New(rand.NewPCG(1, 0))
	row := func() []float32 {
		x := make([]float32, n)
		for i := range x {
			x[i] = float32(chance.NormFloat64())
		}
		return x
	}
	units, w, gradient := row(), row(), row()
	sum := float32(0)
	slopes, want := make([]float32, n), make([]float32, n)
	after := append([]float32(nil), gradient...)
	slope(slopes, gradient, units, w, 0.7)
	for i, v := range units {
		c := min(max(v, 0), 1)
		sum += c * c * w[i]
		if c == v {
			want[i] = 2 * 0.7 * c * w[i]
		}
		after[i] += 0.7 * c * c
	}
	if got := weigh(units, w); math.Abs(float64(got-sum)) > 1e-4 {
		t.Errorf("weighed %v, want %v", got, sum)
	}
	added := append([]float32(nil), w...)
	add(added, units)
	for i := range n {
		if math.Abs(float64(slopes[i]-want[i])) > 1e-5 || math.Abs(float64(gradient[i]-after[i])) > 1e-5 || added[i] != w[i]+units[i] {
			t.Fatalf("place %d: slope %v, want %v; gradient %v, want %v; added %v", i, slopes[i], want[i], gradient[i], after[i], added[i])
		}
	}
}

// interrupted cancels a context when something is logged.
type interrupted struct {
	cancel context.CancelFunc
	lines  int
}

func (w *interrupted) Write(p []byte) (int, error) {
	if w.lines++; w.lines == 4 {
		w.cancel()
	}
	return len(p), nil
}

// TestTrainingGoesOnWhereItWasBrokenOff and finds the same net, with any number of workers.
func TestTrainingGoesOnWhereItWasBrokenOff(t *testing.T) {
	data := shard(t, 300)
	var log strings.Builder
	whole := options(t, data, &log)
	whole.Samples = 6000
	if err := Run(context.Background(), whole); err != nil {
		t.Fatal(err)
	}
	parts := options(t, data, &log)
	parts.Samples, parts.Workers = 6000, 1
	ctx, cancel := context.WithCancel(context.Background())
	parts.Log = &interrupted{cancel: cancel}
	if err := Run(ctx, parts); !errors.Is(err, context.Canceled) {
		t.Fatalf("broken off: %v", err)
	}
	other := parts
	other.Rate = 0.5
	if err := Run(context.Background(), other); err == nil || !strings.Contains(err.Error(), "another training") {
		t.Errorf("other options: %v", err)
	}
	parts.Log = &log
	if err := Run(context.Background(), parts); err != nil {
		t.Fatal(err)
	}
	a, err := os.ReadFile(whole.Output)
	if err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(parts.Output); err != nil || string(a) != string(b) {
		t.Errorf("another net, %v", err)
	}
	if _, err := os.Stat(parts.Output + ".state"); !os.IsNotExist(err) {
		t.Errorf("the state is still there: %v", err)
	}
}

// TestCorruptShardIsNamed, and so is a directory without any.
func TestCorruptShardIsNamed(t *testing.T) {
	path := shard(t, 10)
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	file[len(file)/2] ^= 1
	if err := os.WriteFile(path, file, 0o644); err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	if err := Run(context.Background(), options(t, filepath.Dir(path), &log)); !errors.Is(err, datagen.ErrCorrupt) || !strings.Contains(err.Error(), path) {
		t.Errorf("got %v", err)
	}
	empty := t.TempDir()
	if err := Run(context.Background(), options(t, empty, &log)); err == nil || !strings.Contains(err.Error(), empty) {
		t.Errorf("got %v", err)
	}
}

// TestShardOfAnotherBoardIsNamed, of a smaller one and of a larger one.
func TestShardOfAnotherBoardIsNamed(t *testing.T) {
	large := shard(t, 20)
	records := records(20, 1)
	for i := range records {
		records[i].Black &= 0x3f3f3f3f3f3f
		records[i].White &= 0x3f3f3f3f3f3f
	}
	small := filepath.Join(t.TempDir(), "000000.shard")
	if err := datagen.WriteShard(small, "test", records); err != nil {
		t.Fatal(err)
	}
	for path, size := range map[string]int{large: 6, small: 8} {
		var log strings.Builder
		o := options(t, path, &log)
		o.Size = size
		if err := Run(context.Background(), o); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("size %d: %v", size, err)
		}
	}
}

// TestNetOfASmallerBoard is made of shards of that board.
func TestNetOfASmallerBoard(t *testing.T) {
	records := records(400, 1)
	for i := range records {
		records[i].Black &= 0x3f3f3f3f3f3f
		records[i].White &= 0x3f3f3f3f3f3f
	}
	path := filepath.Join(t.TempDir(), "000000.shard")
	if err := datagen.WriteShard(path, "test", records); err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	o := options(t, path, &log)
	o.Size, o.Samples = 6, 2000
	if err := Run(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(o.Output)
	if err != nil {
		t.Fatal(err)
	}
	if net, err := nnue.Parse(file); err != nil || net.Board().Size != 6 {
		t.Errorf("not a net of the 6×6 board: %v", err)
	}
}

// TestQuickWinsAreWorthMore where there is a discount.
func TestQuickWinsAreWorthMore(t *testing.T) {
	o := Options{Share: 1, Discount: 0.01}
	quick, slow := datagen.Record{Result: 2, Plies: 3}, datagen.Record{Result: 2, Plies: 30}
	drawn, lost := datagen.Record{Result: 1, Plies: 9}, datagen.Record{Result: 0, Plies: 3}
	if q, s := o.target(&quick), o.target(&slow); q <= s || s <= 0.5 || o.target(&drawn) != 0.5 || math.Abs(float64(q+o.target(&lost)-1)) > 1e-6 {
		t.Errorf("quick %v, slow %v, drawn %v, lost %v", q, s, o.target(&drawn), o.target(&lost))
	}
}

// TestWithoutAResultTheScoreIsLearned, whatever the share of the result.
func TestWithoutAResultTheScoreIsLearned(t *testing.T) {
	o := Options{Share: 0.75}
	stray := datagen.Record{Score: nnue.Scale, Result: datagen.Unknown}
	if got, want := float64(o.target(&stray)), 1/(1+math.Exp(-1)); math.Abs(got-want) > 1e-6 {
		t.Errorf("%v, expected %v", got, want)
	}
}
