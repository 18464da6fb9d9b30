package duel

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/engine"
)

// resting plays the first legal move.
type resting struct{}

func (resting) NewGame(context.Context) error { return nil }
func (resting) Move(_ context.Context, g *loa.Game) (loa.Move, error) {
	return g.Moves(nil)[0], nil
}

// failing cannot play.
type failing struct{ error }

func (failing) NewGame(context.Context) error { return nil }
func (f failing) Move(context.Context, *loa.Game) (loa.Move, error) {
	return loa.NoMoveMade, f.error
}

// run plays a series of two players.
func run(first, second Player, openings []*loa.Game, each func(Game, Score) error) (Score, error) {
	s := Series{Players: [2]func() Player{func() Player { return first }, func() Player { return second }}, Openings: openings, Each: each}
	return s.Run(context.Background())
}

func openings(t *testing.T, number int) []*loa.Game {
	t.Helper()
	games, err := Openings(context.Background(), loa.Rules{Size: 6}, number, 1)
	if err != nil {
		t.Fatal(err)
	}
	return games
}

// TestStrongerPlayerWinsWithBothColors, whichever place it has.
func TestStrongerPlayerWinsWithBothColors(t *testing.T) {
	strong := Engine(engine.Options{Hash: 1}, engine.Limits{Nodes: 500})
	games := openings(t, 2)
	var seen int
	score, err := run(strong, resting{}, games, func(Game, Score) error { seen++; return nil })
	if err != nil || score.Wins != 4 || score.Pairs[4] != 2 || seen != 4 {
		t.Errorf("%v, %v, seen %d times", score, err, seen)
	}
	score, err = run(resting{}, strong, games, nil)
	if err != nil || score.Losses != 4 || score.Pairs[0] != 2 {
		t.Errorf("%v, %v", score, err)
	}
}

// TestGreedyBeatsResting: it does gather.
func TestGreedyBeatsResting(t *testing.T) {
	score, err := run(Greedy(), resting{}, openings(t, 3), nil)
	if err != nil || score.Points() < 0.8 {
		t.Errorf("%v, %v", score, err)
	}
}

// TestOpeningsDiffer: no two are the same, and the same seed gives the same.
func TestOpeningsDiffer(t *testing.T) {
	first, second := openings(t, 3), openings(t, 3)
	known := map[uint64]bool{}
	for i, g := range first {
		if g.Plies() != 4 || g.Outcome().Over() || known[g.Position().Hash()] {
			t.Errorf("opening %d: %v after %d plies", i, g.Position(), g.Plies())
		}
		known[g.Position().Hash()] = true
		if !g.Position().Same(second[i].Position()) {
			t.Errorf("opening %d: %v, then %v", i, g.Position(), second[i].Position())
		}
	}
}

// TestOpeningsThatAreNotThere: where every beginning is decided the search for balanced ones ends with a reason, and so it does when it
// is broken off.
func TestOpeningsThatAreNotThere(t *testing.T) {
	if _, err := Openings(context.Background(), loa.Rules{Size: 4}, 1, 1); err == nil || !strings.HasPrefix(err.Error(), "0 balanced openings found, expected 1") {
		t.Errorf("got %v", err)
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := Openings(ctx, loa.Rules{}, 1, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("broken off: %v", err)
	}
}

// TestErrorNamesPly and keeps what has been counted.
func TestErrorNamesPly(t *testing.T) {
	fault := errors.New("out of order")
	_, err := run(resting{}, failing{fault}, openings(t, 1), nil)
	if !errors.Is(err, fault) || err.Error() != "white, ply 6: out of order" {
		t.Errorf("got %v", err)
	}
}

// TestScoreText: a clean sweep speaks for no number of points.
func TestScoreText(t *testing.T) {
	for want, score := range map[string]Score{
		"+2 -0 =0, 100.0 %":                      {Wins: 2, Pairs: [5]int{4: 1}},
		"+30 -10 =0, 75.0 %, +190.8 ± 107.2 Elo": {Wins: 30, Losses: 10, Pairs: [5]int{2: 10, 4: 10}},
	} {
		if got := score.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestEvenScoreIsNoDifference(t *testing.T) {
	even := Score{Wins: 1, Losses: 1, Pairs: [5]int{2: 1}}
	if difference, margin := even.Elo(); difference != 0 || math.Signbit(difference) || margin != 0 {
		t.Errorf("%g ± %g", difference, margin)
	}
}

func TestElo(t *testing.T) {
	tests := []struct {
		name              string
		score             Score
		difference, least float64
	}{
		{"level", Score{Wins: 10, Losses: 10, Pairs: [5]int{2: 10}}, 0, 0},
		{"three quarters", Score{Wins: 30, Losses: 10, Pairs: [5]int{2: 10, 4: 10}}, 190.8, 50},
	}
	for _, test := range tests {
		difference, margin := test.score.Elo()
		if math.Abs(difference-test.difference) > 0.1 || margin < test.least {
			t.Errorf("%s: %.1f ± %.1f, want %.1f ± at least %.1f", test.name, difference, margin, test.difference, test.least)
		}
	}
}
