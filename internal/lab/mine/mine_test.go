package mine

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/puzzle"
)

var everyLength = []int{1, 3, 5, 7, 9}

func mustPosition(t *testing.T, text string) loa.Position {
	t.Helper()
	setup, err := loa.ParseSetup(text)
	if err != nil {
		t.Fatal(err)
	}
	g, err := loa.NewGameFrom(puzzle.Rules(), setup)
	if err != nil {
		t.Fatal(err)
	}
	return g.Position()
}

func TestPositionIsAPuzzleWhenOneFirstMoveWins(t *testing.T) {
	v := NewProver(1, 0)
	for _, test := range []struct {
		position string
		lengths  []int
		plies    int
		err      error
	}{
		{"8/7o/6xx/4x3/1x4o1/2xox1xo/4ooo1/3x4 w", everyLength, 5, nil},
		{"8/7o/6xx/4x3/1x4o1/2xox1xo/4ooo1/3x4 w", []int{3, 9}, 0, ErrOther},
		{"8/7o/6xx/4x3/1x4o1/2xox1xo/4ooo1/3x4 w", []int{3}, 0, ErrNoWin},
		{"8/7o/6o1/4x3/1x3xo1/2x1xoxo/2x1oo2/8 w", everyLength, 0, ErrSecond},
		{"1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 b", []int{1}, 0, ErrNoWin},
	} {
		line, err := v.Solve(context.Background(), mustPosition(t, test.position), test.lengths)
		if len(line) != test.plies || !errors.Is(err, test.err) {
			t.Errorf("%s in %v: %d plies, %v; want %d, %v", test.position, test.lengths, len(line), err, test.plies, test.err)
		}
	}
	v.Nodes = 1
	if _, err := v.Solve(context.Background(), mustPosition(t, "1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 b"), everyLength); !errors.Is(err, ErrHard) {
		t.Errorf("with a limit of one position: %v", err)
	}
}

func TestFalsePuzzleIsAFault(t *testing.T) {
	v := NewProver(1, 0)
	fault := func(name string, p loa.Position, line ...loa.Move) {
		t.Helper()
		if err := v.Check(context.Background(), puzzle.New(p, line, "")); err == nil {
			t.Errorf("%s: no fault", name)
		}
	}
	win := func(p loa.Position) loa.Move {
		for _, m := range p.Moves(nil) {
			if p.PlayUnchecked(m).Outcome().Winner == p.Turn() {
				return m
			}
		}
		return loa.NoMoveMade
	}
	twice := mustPosition(t, "8/7o/6o1/4x3/1x3xo1/2x1xoxo/2x1oo2/8 w")
	fault("two moves win", twice, win(twice))
	p := mustPosition(t, "8/7o/6xx/4x3/1x4o1/2xox1xo/4ooo1/3x4 w")
	first, _, err := loa.ParseMove("d3xg6")
	if err != nil {
		t.Fatal(err)
	}
	short := 0
	for _, reply := range p.PlayUnchecked(first).Moves(nil) {
		if m := win(p.PlayUnchecked(first).PlayUnchecked(reply)); m != loa.NoMoveMade {
			fault("the defense can last longer", p, first, reply, m)
			short++
		}
	}
	if short == 0 {
		t.Error("every defense is the longest")
	}
}

// TestShippedPuzzlesAreTrue proves a few of each length; `loa puzzles check` proves all.
func TestShippedPuzzlesAreTrue(t *testing.T) {
	puzzles, err := puzzle.Standard()
	if err != nil {
		t.Fatal(err)
	}
	most := map[int]int{1: 20, 3: 10, 5: 5, 7: 2, 9: 1}
	v := NewProver(8, 0)
	for _, z := range puzzles {
		if most[z.Plies()]--; most[z.Plies()] < 0 {
			continue
		}
		if err := v.Check(context.Background(), z); err != nil {
			t.Errorf("%s: %v", z.ID, err)
		}
	}
}

func TestSameSeedFindsTheSamePuzzles(t *testing.T) {
	const games = 60
	mine := func(workers, first int) (found []string) {
		options := Options{Play: games - first, First: first, Seed: 5, Lengths: []int{1}, Each: 100, Levels: [2]int{1, 2}, Nodes: 2000, Workers: workers, Log: io.Discard}
		tally, err := Run(context.Background(), options, func(z *puzzle.Puzzle) error {
			found = append(found, z.String())
			return nil
		})
		if err != nil || tally.Games != games-first || tally.Kept != len(found) {
			t.Fatalf("%s, %v", tally, err)
		}
		return found
	}
	one, two := mine(1, 0), mine(3, 0)
	if len(one) == 0 || strings.Join(one, "\n") != strings.Join(two, "\n") {
		t.Errorf("one worker finds\n%s\nthree find\n%s", strings.Join(one, "\n"), strings.Join(two, "\n"))
	}
	if rest := mine(1, games/2); !strings.HasSuffix(strings.Join(one, "\n"), strings.Join(rest, "\n")) {
		t.Errorf("from half the games on others are found: %v", rest)
	}
}
