package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// recordFile writes a record into a temporary file and returns its name.
func recordFile(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "record")
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestReplayPrintsALinePerGame(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"connected", "start: x7/8/8/4o3/8/8/8/x3o2x b\nmoves: h1xe1", "white connected 1 x7/8/8/4o3/8/8/8/x3x3 w"},
		{"unfinished", "c8-c6", "none unfinished 1 1x1xxxx1/o6o/o1x4o/o6o/o6o/o6o/o6o/1xxxxxx1 w"},
		{"resigned", "c8-c6 resigns", "black resigned 1 1x1xxxx1/o6o/o1x4o/o6o/o6o/o6o/o6o/1xxxxxx1 w"},
		{"agreed", "result: draw\nmoves: c8-c6", "none agreed 1 1x1xxxx1/o6o/o1x4o/o6o/o6o/o6o/o6o/1xxxxxx1 w"},
		{"unstated", "result: White\nmoves: c8-c6", "white unstated 1 1x1xxxx1/o6o/o1x4o/o6o/o6o/o6o/o6o/1xxxxxx1 w"},
		{"SGF", "(;GM[9];B[c8-c6])", "none unfinished 1 1x1xxxx1/o6o/o1x4o/o6o/o6o/o6o/o6o/1xxxxxx1 w"},
		{"a smaller board", "rules: mini\nmoves:", "none unfinished 0 1xxxx1/o4o/o4o/o4o/o4o/1xxxx1 b"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			file := recordFile(t, test.text)
			if got, want := good(t, "replay", file), file+": "+test.want+"\n"; got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

func TestReplayByOtherRules(t *testing.T) {
	file := recordFile(t, "start: 8/8/2x1oo2/4x3/4o3/8/8/8 b\nmoves: c6xe4")
	for rules, want := range map[string]string{"standard": "none both-connected 1", "classic": "black both-connected 1"} {
		if out := good(t, "replay", "--rules", rules, file); !strings.Contains(out, want) {
			t.Errorf("%s: %q, want %q", rules, out, want)
		}
	}
}

func TestBadRecordIsOneLineAndTheOtherFilesAreReplayed(t *testing.T) {
	bad := recordFile(t, "result: White\nmoves: c8xc6 h4-h5")
	code, out, errs := call(t, "", "replay", bad, recordFile(t, "c8-c6"))
	want := "loa: " + bad + `: game 1, ply 2: move "h4-h5" is not legal: `
	if code != 1 || strings.Count(out, "\n") != 1 || strings.Count(errs, "\n") != 1 || !strings.HasPrefix(errs, want) {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
}

func TestGamesBeforeABadOneArePrinted(t *testing.T) {
	code, out, errs := call(t, "(;GM[9];B[c8xc6])(;GM[9];B[c8-c5])", "replay", "-")
	if code != 1 || strings.Count(out, "\n") != 1 || !strings.Contains(errs, "warning: -: game 1, ply 1") || !strings.Contains(errs, "game 2, ply 1") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
}

func TestStrictReplayRefusesWhatOnlyWarns(t *testing.T) {
	file := recordFile(t, "c8xc6")
	if code, out, errs := call(t, "", "replay", file); code != 0 || out == "" || !strings.Contains(errs, "warning") {
		t.Errorf("lenient: exit %d\n%s%s", code, out, errs)
	}
	if code, out, errs := call(t, "", "replay", "--strict", file); code != 1 || out != "" || !strings.Contains(errs, `"c8xc6"`) {
		t.Errorf("strict: exit %d\n%s%s", code, out, errs)
	}
}
