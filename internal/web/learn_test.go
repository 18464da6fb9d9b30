package web

import (
	"strings"
	"testing"

	"github.com/linesofaction/loa"
)

// TestLessonsAreTrue holds what the course says against the rules.
func TestLessonsAreTrue(t *testing.T) {
	c, err := newCatalog()
	if err != nil {
		t.Fatal(err)
	}
	v := c.voice("en", "slate")
	wanted := map[string]int{"count": 1, "both": 1, "capture": 4, "twice": 1, "again": 1}
	seen := map[string]lessonView{}
	for _, l := range lessons {
		game, err := l.game()
		if err != nil {
			t.Fatal(err)
		}
		if game.Outcome().Over() {
			t.Errorf("%s: the game is over before the lesson", l.key)
		}
		view, err := v.lesson(l, game)
		if err != nil {
			t.Fatal(err)
		}
		seen[l.key] = view
		if n := len(view.Wanted); n == 0 || wanted[l.key] > 0 && n != wanted[l.key] {
			t.Errorf("%s: %d moves do it: %v", l.key, n, view.Wanted)
		}
	}
	for _, check := range []struct {
		lesson, move string
		want         loa.Outcome
	}{
		{"connect", "d3-d5", loa.Outcome{Winner: loa.Black, Reason: loa.Connected}},
		{"one", "h1xe1", loa.Outcome{Winner: loa.White, Reason: loa.Connected}},
		{"twice", "c6xe4", loa.Outcome{Winner: loa.NoColor, Reason: loa.BothConnected}},
		{"again", "f7-h7", loa.Outcome{Winner: loa.NoColor, Reason: loa.Repetition}},
		{"win", "h7-h5", loa.Outcome{Winner: loa.White, Reason: loa.Connected}},
	} {
		for _, l := range lessons {
			if l.key != check.lesson {
				continue
			}
			game, err := l.game()
			if err != nil {
				t.Fatal(err)
			}
			move, _, err := loa.ParseMove(check.move)
			if err == nil {
				err = game.Play(move)
			}
			if err != nil || game.Outcome() != check.want {
				t.Errorf("%s: %s gives %s, %v", l.key, check.move, game.Outcome(), err)
			}
		}
	}
	if verdicts := strings.Join(seen["twice"].Verdicts, "; "); verdicts != "Standard: Draw; Classic: Black wins; Misère: Draw" {
		t.Errorf("both at once: %s", verdicts)
	}
	if n := len(seen["twice"].Wanted["c6xe4"].Groups); n != 2 {
		t.Errorf("both at once: %d groups light up", n)
	}
	if seen["pass"].Position.Turn != "white" {
		t.Errorf("pass: %s to move", seen["pass"].Position.Turn)
	}
}
