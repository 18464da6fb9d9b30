package fit

import (
	"context"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/engine"
)

// TestRegressionFindsHiddenWeights draws results from known weights and finds them again.
func TestRegressionFindsHiddenWeights(t *testing.T) {
	chance := rand.New(rand.NewPCG(1, 2))
	var hidden [columns]float64
	for j := range hidden {
		hidden[j] = float64(j%5)/4 - 0.5
	}
	samples := make([]sample, 20_000)
	for i := range samples {
		s := &samples[i]
		for j := range s.x {
			s.x[j] = float32(chance.NormFloat64())
		}
		if chance.Float64() < foretell(&s.x, &hidden) {
			s.result = 1
		}
	}
	found := regress(samples, [columns]float64{})
	for j := range hidden {
		if math.Abs(found[j]-hidden[j]) > 0.15 {
			t.Errorf("column %d: found %.3f, hidden is %.3f", j, found[j], hidden[j])
		}
	}
	if before, after := loss(samples, [columns]float64{}), loss(samples, found); after >= before {
		t.Errorf("loss %.4f before, %.4f after", before, after)
	}
}

// TestWeightsRoundTrip: columns and weights are the same numbers.
func TestWeightsRoundTrip(t *testing.T) {
	w := engine.FittedWeights(loa.Rules{})
	if got := weightsOf(columnsOf(w)); *got != *w {
		t.Errorf("%v came back as %v", w, got)
	}
}

// TestRunWritesWeights plays and fits a little; the same options write the same file.
func TestRunWritesWeights(t *testing.T) {
	var texts [2]string
	for i := range texts {
		var log strings.Builder
		file := filepath.Join(t.TempDir(), "weights.txt")
		options := Options{Rules: loa.Rules{Size: 6}, Positions: 150, Rounds: 2, Nodes: 50, Seed: 3, Weights: file, Log: &log}
		if err := Run(context.Background(), options); err != nil {
			t.Fatal(err)
		}
		if lines := strings.Count(log.String(), "\n"); lines != 2 {
			t.Errorf("logged %q", log.String())
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := engine.ParseWeights(string(text)); err != nil {
			t.Fatal(err)
		}
		texts[i] = string(text)
	}
	if texts[0] != texts[1] {
		t.Errorf("wrote\n%s\nthen\n%s", texts[0], texts[1])
	}
}

// TestRunEndsWithContext and leaves no file half made.
func TestRunEndsWithContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	file := filepath.Join(t.TempDir(), "weights.txt")
	err := Run(ctx, Options{Positions: 1000, Rounds: 1, Nodes: 50, Weights: file, Log: &strings.Builder{}})
	if err != context.Canceled {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(file); !os.IsNotExist(err) {
		t.Errorf("a file was written: %v", err)
	}
}
