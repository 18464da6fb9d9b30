package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/engine/nnue"
)

// TestBookIsMadeAndPrinted: the start comes first, lines lead to their positions, and the same call changes nothing.
func TestBookIsMadeAndPrinted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mini.book")
	args := []string{"book", path, "--rules", "mini", "--positions", "12", "--nodes", "300", "--lines", "3"}
	if out := good(t, args...); !strings.Contains(out, "12 positions") {
		t.Error(out)
	}
	first := good(t, "book", "--export", path)
	good(t, args...)
	if second := good(t, "book", "--export", path); second != first {
		t.Errorf("%s, then %s", first, second)
	}
	var book exported
	if err := json.Unmarshal([]byte(first), &book); err != nil {
		t.Fatal(err)
	}
	if book.Rules != "mini" || book.Net != nnue.For(loa.Rules{Size: 6}).Name() || len(book.Positions) != 12 || len(book.Positions[0].Line) != 0 {
		t.Errorf("%+v", book)
	}
	for _, p := range book.Positions {
		out := good(t, "judge", "--rules", "mini", "--moves", strings.Join(p.Line, " "), "--json")
		if !strings.Contains(out, `"position":"`+p.Position+`"`) || len(p.Moves) == 0 || !strings.Contains(out, `"`+p.Moves[0].Move+`"`) {
			t.Errorf("%+v: %s", p, out)
		}
	}
}

// TestBookNamesWhatIsWrong with a call or a file.
func TestBookNamesWhatIsWrong(t *testing.T) {
	junk := filepath.Join(t.TempDir(), "junk")
	if err := os.WriteFile(junk, []byte("junk"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		args []string
		code int
		want string
	}{
		{"no file", []string{"book"}, 2, "file"},
		{"no positions", []string{"book", junk, "--positions", "0"}, 2, "--positions 0"},
		{"too many lines", []string{"book", junk, "--lines", "256"}, 2, "--lines 256"},
		{"rules that are none", []string{"book", junk, "--rules", "chess"}, 1, `"chess"`},
		{"file of something else", []string{"book", junk}, 1, junk},
		{"printing it", []string{"book", "--export", junk}, 1, junk},
		{"missing file", []string{"book", "--export", junk + "2"}, 1, junk + "2"},
	} {
		t.Run(test.name, func(t *testing.T) {
			code, _, errs := call(t, "", test.args...)
			if code != test.code || !strings.Contains(errs, test.want) {
				t.Errorf("exit %d, %s; want %d and %s", code, errs, test.code, test.want)
			}
		})
	}
	if text, err := os.ReadFile(junk); err != nil || string(text) != "junk" {
		t.Errorf("the file holds %q, %v", text, err)
	}
}
