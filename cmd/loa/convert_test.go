package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestConvertThroughEveryForm(t *testing.T) {
	const text = "# about\nblack: Ann\nmoves: c8-c6 {why} h4-f2 (a6-c4 g8-g6) resigns"
	file := recordFile(t, text)
	first := good(t, "convert", "--to", "sgf", file)
	for _, form := range []string{"json", "text", "sgf"} {
		out := filepath.Join(t.TempDir(), "out")
		if printed := good(t, "convert", "--to", form, "-o", out, file); printed != "" {
			t.Errorf("with -o it prints %q", printed)
		}
		file = out
	}
	last, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(last) != first {
		t.Errorf("through JSON and text\n%sbecame\n%s", first, last)
	}
}

func TestConvertedJSONHasThePromisedFields(t *testing.T) {
	var record struct {
		Rules, Start string
		Moves        []string
		Players      map[string]string
		Result       map[string]string
		Comments     []map[string]any
		Variations   []map[string]any
	}
	out := good(t, "convert", "--to", "json", recordFile(t, "black: Ann\nmoves: c8-c6 {why} h4-f2 (a6-c4) resigns"))
	if err := json.Unmarshal([]byte(out), &record); err != nil {
		t.Fatal(err)
	}
	if record.Rules != "standard" || !strings.HasSuffix(record.Start, " b") || strings.Join(record.Moves, " ") != "c8-c6 h4-f2" ||
		record.Players["black"] != "Ann" || record.Result["winner"] != "white" || record.Result["reason"] != "resigned" ||
		len(record.Comments) != 1 || len(record.Variations) != 1 {
		t.Errorf("got %s", out)
	}
}

func TestBadRecordLeavesTheOutputFileAlone(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "out.sgf")
	bad := recordFile(t, "c8-c6 h4-h5")
	if code, printed, _ := call(t, "", "convert", "--to", "sgf", bad); code != 1 || printed != "" {
		t.Errorf("to standard output: exit %d, %q", code, printed)
	}
	if err := os.WriteFile(out, []byte("before"), 0o640); err != nil {
		t.Fatal(err)
	}
	if code, _, _ := call(t, "", "convert", "--to", "sgf", "-o", out, bad); code != 1 {
		t.Errorf("exit %d", code)
	}
	if kept, _ := os.ReadFile(out); string(kept) != "before" {
		t.Errorf("the file now holds %q", kept)
	}
	good(t, "convert", "--to", "text", "-o", out, recordFile(t, "c8-c6"))
	info, err := os.Stat(out)
	if err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("permissions %v, %v", info.Mode(), err)
	}
	if files, _ := os.ReadDir(dir); len(files) != 1 {
		t.Errorf("%d files, want the output alone", len(files))
	}
}

func TestConvertNamesAnOutputThatCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	for _, out := range []string{dir, filepath.Join(dir, "absent", "out")} {
		code, _, errs := call(t, "", "convert", "--to", "sgf", "-o", out, recordFile(t, "c8-c6"))
		if code != 1 || !strings.Contains(errs, out+": cannot be written") || strings.Count(errs, "\n") != 1 {
			t.Errorf("exit %d, %s", code, errs)
		}
	}
}
