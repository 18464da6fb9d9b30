package engine

import (
	"context"
	"flag"
	"os"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write testdata/bench.txt anew")

// TestBenchSignature compares the nodes of fixed searches with those noted, so that no change to the search or
// the evaluation goes unnoticed. Run it with -update after a change that is meant.
func TestBenchSignature(t *testing.T) {
	result, err := Bench(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	got := strconv.FormatUint(result.Signature, 10)
	if *update {
		if err := os.WriteFile("testdata/bench.txt", []byte(got+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/bench.txt")
	if err != nil {
		t.Fatal(err)
	}
	if got != strings.TrimSpace(string(want)) {
		t.Errorf("bench signature %s, testdata/bench.txt has %s", got, want)
	}
}
