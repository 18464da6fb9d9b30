package engine_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/engine"
)

// masterGame returns the first moves of game E1 of testdata/games, which White wins on ply 36.
func masterGame(t *testing.T, plies int) *loa.Game {
	t.Helper()
	text, err := os.ReadFile("../testdata/games/E1.txt")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(text), "moves: ")
	g, err := loa.NewGame(loa.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range strings.Fields(list)[:plies] {
		move, _, err := loa.ParseMove(word)
		if err == nil {
			err = g.Play(move)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return g
}

func TestExplanations(t *testing.T) {
	for _, test := range []struct {
		name   string
		plies  int
		ways   [2]int
		threat int
		allows int
	}{
		{"a quiet middle game", 13, [2]int{0, 0}, 0, 0},
		{"the losing move", 31, [2]int{0, 0}, 1, 5},
		{"a lost position has nothing to allow", 33, [2]int{0, 0}, 1, 0},
		{"both sides are about to connect", 35, [2]int{1, 4}, 0, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			g := masterGame(t, test.plies)
			got, err := engine.New(engine.Options{Hash: 16}).Explain(context.Background(), g, engine.Limits{Nodes: 30_000}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got.Ways != test.ways || got.Threat != test.threat || got.Played.Allows != test.allows {
				t.Errorf("ways %v, threat %d, played %+v", got.Ways, got.Threat, *got.Played)
			}
			if p := got.Played; p.Best == p.Move && p.Lost() != 0 {
				t.Errorf("the best move lost %d", p.Lost())
			}
			if g.Plies() != test.plies {
				t.Error("the game was changed")
			}
		})
	}
}

// TestForcedEndsOfAMoveAndItsPositionAgree: after the first move of a win in five it is one in four, and where the other side
// then does its best, the loss in four was one.
func TestForcedEndsOfAMoveAndItsPositionAgree(t *testing.T) {
	setup, err := loa.ParseSetup("8/7o/6xx/4x3/1x4o1/2xox1xo/4ooo1/3x4 w")
	if err != nil {
		t.Fatal(err)
	}
	g, err := loa.NewGameFrom(loa.Rules{}, setup)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		move          string
		before, after engine.Score
	}{
		{"d3xg6", engine.WinIn(5), engine.WinIn(4)},
		{"h6xh3", engine.WinIn(-4), engine.WinIn(-3)},
	} {
		m, _, err := loa.ParseMove(test.move)
		if err == nil {
			err = g.Play(m)
		}
		if err != nil {
			t.Fatal(err)
		}
		got, err := engine.New(engine.Options{Hash: 4}).Explain(context.Background(), g, engine.Limits{Nodes: 20_000}, nil)
		if err != nil || got.Played.Best != m || got.Played.Before != test.before || got.Played.After != test.after {
			t.Errorf("%s: %+v, %v", test.move, got.Played, err)
		}
	}
}

func TestExplanationOfAFirstMoveHasNoPlayedOne(t *testing.T) {
	g := masterGame(t, 0)
	got, err := engine.New(engine.Options{Hash: 1}).Explain(context.Background(), g, engine.Limits{Nodes: 1000}, nil)
	if err != nil || got.Played != nil || got.Threat != 0 || got.Ways != [2]int{} {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestFinishedGameHasNoExplanation(t *testing.T) {
	_, err := engine.New(engine.Options{Hash: 1}).Explain(context.Background(), masterGame(t, 36), engine.Limits{Nodes: 1000}, nil)
	if !errors.Is(err, engine.ErrGameOver) {
		t.Error(err)
	}
}
