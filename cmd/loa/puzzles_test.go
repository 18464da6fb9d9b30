package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPuzzlesAreMinedAndProved: what mining writes is true, and the same call goes on where it ended.
func TestPuzzlesAreMinedAndProved(t *testing.T) {
	file := filepath.Join(t.TempDir(), "mined")
	args := []string{"puzzles", "mine", "--games", "0", "--records", "../../testdata/games/E1.txt,../../testdata/games/E3.txt", "--plies", "1,3,5", "-o", file}
	if out := good(t, args...); !strings.HasPrefix(out, "games 2, positions ") || !strings.Contains(out, "refused map[") {
		t.Errorf("mining says %s", out)
	}
	found, err := os.ReadFile(file)
	if err != nil || strings.Count(string(found), "\n") != 4 { // two lines of comment, a puzzle of each game
		t.Fatalf("%s, %v", found, err)
	}
	if out := good(t, "puzzles", "check", file); out != "puzzles 2, faults 0\n" {
		t.Errorf("checking says %s", out)
	}
	good(t, args...)
	if again, err := os.ReadFile(file); err != nil || string(again) != string(found) {
		t.Errorf("the same call adds %s, %v", again, err)
	}
	games := []string{"puzzles", "mine", "--games", "30", "--levels", "1-2", "--plies", "1", "--seed", "5", "-o", file}
	good(t, games...)
	once, err := os.ReadFile(file)
	if err != nil || len(once) == len(found) {
		t.Fatalf("30 games give nothing: %v", err)
	}
	good(t, games...)
	if twice, err := os.ReadFile(file); err != nil || string(twice) != string(once) {
		t.Errorf("the same call adds %s, %v", twice, err)
	}
}

func TestFalsePuzzlesAreCounted(t *testing.T) {
	file := filepath.Join(t.TempDir(), "false")
	const line = "zat5dse | 8/7o/6o1/4x3/1x3xo1/2x1xoxo/2x1oo2/8 w | h7-h5 | 900 | a game with two ways to win\n"
	if err := os.WriteFile(file, []byte(line), 0o600); err != nil {
		t.Fatal(err)
	}
	code, out, _ := call(t, "", "puzzles", "check", file)
	if code != 1 || !strings.HasSuffix(out, "puzzles 1, faults 1\n") || !strings.Contains(out, "another first move wins") {
		t.Errorf("exit %d, %s", code, out)
	}
}

func TestPuzzlesNameWhatIsWrong(t *testing.T) {
	dir := t.TempDir()
	junk, none, missing := filepath.Join(dir, "junk"), filepath.Join(dir, "none"), filepath.Join(dir, "missing")
	for file, text := range map[string]string{junk: "# comment\njunk\n", none: "# nothing\n"} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		name string
		args []string
		code int
		want string
	}{
		{"a file that is none", []string{"puzzles", "check", junk}, 1, junk + `, line 2: "junk"`},
		{"no file", []string{"puzzles", "check", missing}, 1, missing},
		{"a sample", []string{"puzzles", "check", "--sample=-1"}, 2, "--sample -1"},
		{"adding to junk", []string{"puzzles", "mine", "-o", junk}, 1, junk + ", line 2"},
		{"a length", []string{"puzzles", "mine", "--plies", "2", "-o", missing}, 2, `"2"`},
		{"levels", []string{"puzzles", "mine", "--levels", "7-3", "-o", missing}, 2, "--levels 7-3"},
		{"none of each", []string{"puzzles", "mine", "--each", "0", "-o", missing}, 2, "--each 0"},
		{"no such record", []string{"puzzles", "mine", "--records", missing, "-o", none}, 1, missing},
		{"a club with junk", []string{"serve", "--data", dir, "--puzzles", junk}, 1, junk + ", line 2"},
		{"a club with none", []string{"serve", "--data", dir, "--puzzles", none}, 1, "no puzzles"},
	} {
		code, _, errs := call(t, "", test.args...)
		if code != test.code || !strings.Contains(errs, test.want) {
			t.Errorf("%s: exit %d, %s; want %d and %s", test.name, code, errs, test.code, test.want)
		}
	}
}
