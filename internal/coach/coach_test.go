package coach

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/puzzle"
)

const threeMover = "rq2chmt | 8/7o/6xx/4x3/1x4o1/2xox1xo/4ooo1/3x4 w | d3xg6 d1-c2 f2-f3 c2-c4 e2-h5 | 1230 | E1"

func mustMoves(t *testing.T, text string) (moves []loa.Move) {
	t.Helper()
	for _, word := range strings.Fields(text) {
		m, _, err := loa.ParseMove(word)
		if err != nil {
			t.Fatal(err)
		}
		moves = append(moves, m)
	}
	return moves
}

func mustPuzzle(t *testing.T) *puzzle.Puzzle {
	t.Helper()
	z, err := puzzle.Parse(threeMover)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

func TestEveryMoveThatWinsInTimeIsRight(t *testing.T) {
	c, z := New(1), mustPuzzle(t)
	now := z.Position.PlayUnchecked(z.Line[0]).PlayUnchecked(z.Line[1])
	right, wrong := 0, 0
	for _, m := range now.Moves(nil) {
		v, err := c.Judge(context.Background(), z, []loa.Move{z.Line[0], m})
		if err != nil {
			t.Fatal(err)
		}
		switch v.Result {
		case Right:
			right++
			won := false // whatever the answer, the next move wins
			next := now.PlayUnchecked(m).PlayUnchecked(v.Moves[3])
			for _, last := range next.Moves(nil) {
				won = won || next.PlayUnchecked(last).Outcome().Winner == next.Turn()
			}
			if !won {
				t.Errorf("%s is right, and %s answers it", now.Format(m), v.Moves[3])
			}
		case Wrong:
			wrong++
			if len(v.Moves) < 4 && v.Fault != Draws && v.Plies != 0 {
				t.Errorf("%s is wrong, and nothing answers it: %+v", now.Format(m), v)
			}
		case Solved:
			t.Errorf("%s wins at once", now.Format(m))
		}
	}
	if right == 0 || wrong == 0 {
		t.Errorf("%d right, %d wrong", right, wrong)
	}
}

func TestOnlyTheSolutionBeginsAPuzzle(t *testing.T) {
	c, z := New(1), mustPuzzle(t)
	for _, m := range z.Position.Moves(nil) {
		v, err := c.Judge(context.Background(), z, []loa.Move{m})
		if err != nil {
			t.Fatal(err)
		}
		if (v.Result == Right) != (m == z.Line[0]) {
			t.Errorf("%s: %+v", z.Position.Format(m), v)
		}
		if v.Result == Wrong && v.Fault == NoFault {
			t.Errorf("%s: nothing is wrong with it", z.Position.Format(m))
		}
	}
}

func TestIllegalMoveInAPuzzleIsNoTry(t *testing.T) {
	if _, err := New(1).Judge(context.Background(), mustPuzzle(t), mustMoves(t, "d3-d4")); !errors.Is(err, loa.ErrIllegal) {
		t.Errorf("got %v", err)
	}
}

func mustGame(t *testing.T, text string) *loa.Game {
	t.Helper()
	setup, err := loa.ParseSetup(text)
	if err != nil {
		t.Fatal(err)
	}
	g, err := loa.NewGameFrom(loa.Rules{}, setup)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestThreatIsToldWithEveryWay(t *testing.T) {
	g := mustGame(t, "8/7o/6o1/4x3/1x3xo1/2x1xoxo/2x1oo2/8 b") // White would play h7-h5
	threats, err := New(1).Threats(context.Background(), g)
	if err != nil {
		t.Fatal(err)
	}
	for i, side := range []loa.Color{loa.White, loa.Black} {
		turned := g.Position().Setup()
		turned.Turn = side
		p := mustGame(t, turned.Board.Text()+" "+side.String()[:1]).Position()
		wins := 0
		for _, m := range p.Moves(nil) {
			if p.PlayUnchecked(m).Outcome().Winner == side {
				wins++
				if !slices.Contains(threats[i].Moves, m) {
					t.Errorf("%s wins for %s and is not told", m, side)
				}
			}
		}
		if threats[i].Side != side || threats[i].Plies != 1 || wins == 0 || wins != len(threats[i].Moves) {
			t.Errorf("%s: %+v, %d moves win", side, threats[i], wins)
		}
	}
}

func TestQuietBoardThreatensNothing(t *testing.T) {
	g, err := loa.NewGame(loa.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	threats, err := New(1).Threats(context.Background(), g)
	if err != nil || threats[0].Plies != 0 || threats[1].Plies != 0 {
		t.Errorf("%+v, %v", threats, err)
	}
}

func TestHintFindsTheWin(t *testing.T) {
	h, err := New(1).Hint(context.Background(), mustGame(t, "8/7o/6o1/4x3/1x3xo1/2x1xoxo/2x1oo2/8 w"))
	if err != nil || h.Win != 1 {
		t.Errorf("%+v, %v", h, err)
	}
}

func TestReviewTellsWhatAMoveAllowed(t *testing.T) {
	g, err := loa.NewGame(loa.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range mustMoves(t, "c8-c6 h4-f2 g8-g6 h2-e2 b1-e4 a6-d3 c1-c3 a3-c5 e1-b4 a7-e3 f8xc5 a4-a1 d8-e7 a1xc3 e8xe3 a2-d2 "+
		"b8-b6 h5-e5 f1-c1 a5-a4 g1-g3 a4xc6 c5xe5 c6xe4 c1xc3 h6xe3 b6xe3 e4-g4 e7-f6 d2-g2 f6-h6") { // of a recorded game, the last one loses
		if err := g.Play(m); err != nil {
			t.Fatal(err)
		}
	}
	r, err := New(1).Review(context.Background(), g)
	if err != nil || r.Allows == 0 || r.Win >= 0 || r.Move.String() != "f6h6" || r.Best == r.Move {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestReviewOfTheBestMoveFindsNothing(t *testing.T) {
	g := mustGame(t, "8/7o/6xx/4x3/1x4o1/2xox1xo/4ooo1/3x4 w")
	if err := g.Play(mustMoves(t, "d3xg6")[0]); err != nil { // a win in three moves, the only one
		t.Fatal(err)
	}
	r, err := New(1).Review(context.Background(), g)
	if err != nil || r.Best != r.Move || r.Win <= 0 || r.Allows != 0 || r.Missed != 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestQuestionEndsWithItsAsker(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	c := New(1)
	<-c.desks // all are taken
	if _, err := c.Hint(ctx, mustGame(t, "8/7o/6o1/4x3/1x3xo1/2x1xoxo/2x1oo2/8 w")); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
