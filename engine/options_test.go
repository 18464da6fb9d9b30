package engine

import (
	"errors"
	"strings"
	"testing"

	"github.com/linesofaction/loa"
)

// TestTechniquesRoundTrip: every set is read as it is written.
func TestTechniquesRoundTrip(t *testing.T) {
	for set := Technique(0); set <= Everything; set++ {
		if got, err := ParseTechniques(set.String()); err != nil || got != set {
			t.Errorf("%q came back as %q, %v", set, got, err)
		}
	}
	_, err := ParseTechniques("null-move,magic")
	if !errors.Is(err, loa.ErrSyntax) || !strings.Contains(err.Error(), `"magic"`) {
		t.Errorf("got %v", err)
	}
}

// TestOptionsHaveDefaults, and values out of range are brought into it.
func TestOptionsHaveDefaults(t *testing.T) {
	e := New(Options{})
	if got := e.Options(); got.Hash != DefaultHash || got.Threads != 1 || got.MultiPV != 1 || got.Level != 0 {
		t.Errorf("defaults are %+v", got)
	}
	if got := (Options{Threads: 10_000, Level: 11, Hash: -3, MultiPV: 1000}).normal(); got.Threads != MaxThreads || got.Level != MaxLevel || got.Hash != DefaultHash || got.MultiPV != MaxMultiPV {
		t.Errorf("brought into range as %+v", got)
	}
}

// TestFittedWeightsAreThere for every rule set, and are read as they are written.
func TestFittedWeightsAreThere(t *testing.T) {
	for _, set := range loa.RuleSets() {
		w := FittedWeights(set.Rules)
		if *w == (Weights{}) {
			t.Errorf("%s: no weights", set.Name)
		}
		if got, err := ParseWeights(w.String()); err != nil || *got != *w {
			t.Errorf("%s: came back as\n%v, %v", set.Name, got, err)
		}
	}
}

// TestParseWeightsNamesWhatIsWrong has lines that are no weights.
func TestParseWeightsNamesWhatIsWrong(t *testing.T) {
	for _, line := range []string{"magic 1 2", "turn 1", "turn 1 2 3", "turn one 2", "turn 1 99999"} {
		_, err := ParseWeights("# a remark\n\n" + line + "\n")
		if !errors.Is(err, loa.ErrSyntax) {
			t.Errorf("%q: got %v", line, err)
		}
	}
}
