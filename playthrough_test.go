package loa_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/linesofaction/loa"
)

var update = flag.Bool("update", false, "rewrite testdata/playthrough")

// TestPlaythroughs plays the games of testdata/playthrough and holds every state on the way against the file: a
// drawing of the board, whose turn it is, the groups of each side, the number of moves, the hash and the outcome.
func TestPlaythroughs(t *testing.T) {
	files, err := filepath.Glob("testdata/playthrough/*.golden")
	if err != nil || len(files) < 6 {
		t.Fatalf("%d files in testdata/playthrough, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			head, _, _ := strings.Cut(string(want), "\n\n")
			head = strings.TrimRight(head, "\n")
			got := head + "\n\n" + playthrough(t, head)
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
					t.Fatal(err)
				}
			} else if got != string(want) {
				t.Errorf("%s changed; -update if it should:\n%s", file, firstDifference(string(want), got))
			}
		})
	}
}

// playthrough plays the game that the head of a file describes and writes every state.
func playthrough(t *testing.T, head string) string {
	t.Helper()
	var rules, from, moves string
	for line := range strings.Lines(head) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		value = strings.TrimSpace(value)
		switch key {
		case "rules":
			rules = value
		case "start":
			from = value
		case "moves":
			moves = value
		}
	}
	g := newGameOr(t, rules, from)
	var out strings.Builder
	state := func() {
		p := g.Position()
		fmt.Fprintf(&out, "%s%s to move, groups %d and %d, %d moves, hash %016x, %s\n", p.Board(), p.Turn(),
			p.Pieces(loa.Black).CountGroups(), p.Pieces(loa.White).CountGroups(), len(g.Moves(nil)), p.Hash(), g.Outcome())
	}
	state()
	for i, text := range strings.Fields(moves) {
		playAll(t, g, text)
		fmt.Fprintf(&out, "\n%d. %s\n", i+1, g.Format(i))
		state()
	}
	return out.String()
}

func newGameOr(t *testing.T, rules, from string) *loa.Game {
	t.Helper()
	if from == "" {
		return newGame(t, rules)
	}
	return gameFrom(t, rules, from)
}

// firstDifference returns the lines around the place where two texts part.
func firstDifference(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	line := func(lines []string) string {
		if i < len(lines) {
			return lines[i]
		}
		return "(the end)"
	}
	return fmt.Sprintf("line %d\nwant %s\ngot  %s", i+1, line(a), line(b))
}
