package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

const winInFive = "8/7o/6xx/4x3/1x4o1/2xox1xo/4ooo1/3x4 w"

func TestSolve(t *testing.T) {
	tests := []struct {
		name  string
		args  []string
		value string
		plies int
	}{
		{"a win", []string{"--position", winInFive}, "win", 5},
		{"a win in one", []string{"--position", "8/7o/6o1/4x3/1x3xo1/2x1xoxo/2x1oo2/8 w"}, "win", 1},
		{"after its first move", []string{"--position", winInFive, "--moves", "d3xg6"}, "loss", 4},
		{"a draw", []string{"--rules", "misere:size=4"}, "draw", 0},
		{"too little", []string{"--nodes", "100"}, "unknown", 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got solution
			out := good(t, append([]string{"solve", "--json", "--memory", "32"}, test.args...)...)
			if err := json.Unmarshal([]byte(out), &got); err != nil {
				t.Fatal(err)
			}
			if got.Value != test.value || got.Plies != test.plies || got.Nodes == 0 || len(got.PV) != test.plies {
				t.Errorf("got %s", out)
			}
		})
	}
}

func TestSolveText(t *testing.T) {
	out := good(t, "solve", "--memory", "8", "--position", winInFive)
	var keys []string
	for line := range strings.Lines(out) {
		key, _, _ := strings.Cut(line, " ")
		keys = append(keys, key)
	}
	if want := []string{"value", "plies", "nodes", "seconds", "pv"}; !reflect.DeepEqual(keys, want) {
		t.Errorf("got %s", out)
	}
}

func TestProofOnFile(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "proof")
	good(t, "solve", "--rules", "standard:size=5", "--memory", "32", "--proof", file)
	out := good(t, "solve", "--verify", file)
	if !strings.HasPrefix(out, "verified: win in at most ") || !strings.HasSuffix(out, " positions\n") {
		t.Errorf("got %q", out)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	broken := filepath.Join(dir, "broken")
	if err := os.WriteFile(broken, text[:len(text)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	code, out, errs := call(t, "", "solve", "--verify", broken)
	if code != 1 || out != "" || !strings.Contains(errs, broken+": not a proof: byte ") {
		t.Errorf("exit %d, %q, %s", code, out, errs)
	}

	// nothing proved leaves what is there, and nothing is left of an attempt that fails
	code, _, errs = call(t, "", "solve", "--nodes", "10", "--memory", "8", "--proof", file)
	if code != 0 || !strings.Contains(errs, "nothing is proved") {
		t.Errorf("exit %d, %s", code, errs)
	}
	if now, err := os.ReadFile(file); err != nil || string(now) != string(text) {
		t.Errorf("the proof before has changed: %v", err)
	}
	taken := filepath.Join(dir, "taken")
	if err := os.MkdirAll(filepath.Join(taken, "inside"), 0o700); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := call(t, "", "solve", "--rules", "standard:size=4", "--memory", "8", "--proof", taken); code != 1 || !strings.Contains(errs, taken) {
		t.Errorf("exit %d, %s", code, errs)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 3 {
		t.Errorf("%v, %v", entries, err)
	}
}

func TestSolveGoesOnFromACheckpoint(t *testing.T) {
	file := filepath.Join(t.TempDir(), "five.state")
	args := []string{"solve", "--rules", "standard:size=5", "--checkpoint", file, "--memory", "16", "--nodes", "1500"}
	if out := good(t, args...); !strings.Contains(out, "value unknown") || !strings.Contains(out, "nodes 1500") {
		t.Errorf("at first: %s", out)
	}
	if out := good(t, args...); !strings.Contains(out, "value unknown") || !strings.Contains(out, "nodes 3000") {
		t.Errorf("then: %s", out)
	}
	if out := good(t, append(args[:len(args)-1], "1000000")...); !strings.Contains(out, "value win") {
		t.Errorf("in the end: %s", out)
	}
	code, _, errs := call(t, "", "solve", "--rules", "standard:size=4", "--checkpoint", file)
	if code != 1 || !strings.Contains(errs, file) || !strings.Contains(errs, "size=5") {
		t.Errorf("another board: exit %d, %q", code, errs)
	}
	if err := os.WriteFile(file, []byte("junk"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, errs = call(t, "", args...); code != 1 || !strings.Contains(errs, "cut off") {
		t.Errorf("junk: exit %d, %q", code, errs)
	}
	if left, err := os.ReadFile(file); err != nil || string(left) != "junk" {
		t.Errorf("the file was overwritten with %q, %v", left, err)
	}
}

// TestFilesThatCannotBeAreToldFirst: before anything is searched, and an empty name is none.
func TestFilesThatCannotBeAreToldFirst(t *testing.T) {
	dir := t.TempDir()
	missing := filepath.Join(dir, "missing", "file")
	for _, test := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"--proof", missing}, 1, missing + ": no such file"},
		{[]string{"--checkpoint", missing}, 1, missing + ": no such file"},
		{[]string{"--proof", dir}, 1, dir + ": it is a directory"},
		{[]string{"--checkpoint", dir}, 1, "is a directory"},
		{[]string{"--verify", dir}, 1, "is a directory"},
		{[]string{"--proof", ""}, 2, "--proof: expected a name"},
		{[]string{"--checkpoint", ""}, 2, "--checkpoint: expected a name"},
		{[]string{"--verify", ""}, 2, "--verify: expected a name"},
	} {
		code, out, errs := call(t, "", append([]string{"solve", "--nodes", "10", "--memory", "1"}, test.args...)...)
		if code != test.code || out != "" || !strings.Contains(errs, test.want) {
			t.Errorf("%q: exit %d, %q, %s", test.args, code, out, errs)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left %v, %v", left, err)
	}
}

// TestProofOfWhatIsNoFileLeavesIt: a device keeps its place.
func TestProofOfWhatIsNoFileLeavesIt(t *testing.T) {
	if os.DevNull != "/dev/null" {
		t.Skip("no devices among the files")
	}
	good(t, "solve", "--rules", "standard:size=4", "--memory", "1", "--proof", os.DevNull)
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Fatalf("%v, %v", info, err)
	}
}
