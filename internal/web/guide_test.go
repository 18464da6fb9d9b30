package web

import (
	"testing"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/engine"
)

// shown returns the position of an example, the move, and the position after it.
func shown(t *testing.T, key string) (before loa.Position, move loa.Move, after loa.Position) {
	t.Helper()
	e, ok := examples[key]
	if !ok {
		t.Fatalf("%s has no example", key)
	}
	setup, err := loa.ParseSetup(e.position)
	if err == nil {
		before, err = setup.Position(loa.Rules{})
	}
	if err == nil && e.move != "" {
		if move, _, err = loa.ParseMove(e.move); err == nil {
			if after, err = before.Play(move); err == nil && before.Format(move) != e.move {
				t.Errorf("%s: the move is written %s", key, before.Format(move))
			}
		}
	}
	if err != nil {
		t.Fatalf("%s: %v", key, err)
	}
	return before, move, after
}

func TestExamplesShowTheirRules(t *testing.T) {
	for _, key := range append(append([]string{}, guideRules...), guideAdvice...) {
		if before, _, _ := shown(t, key); before.Outcome().Over() {
			t.Errorf("%s: nothing can be played there", key)
		}
	}
	before, move, _ := shown(t, "over")
	if passed := loa.Between(move.From(), move.To()); passed&before.Pieces(loa.Black) == 0 || passed&before.Pieces(loa.White) != 0 {
		t.Error("over: no own piece, or an enemy, is passed")
	}
	if before, move, _ = shown(t, "capture"); !before.IsCapture(move) {
		t.Error("capture: nothing is captured")
	}
	if _, _, after := shown(t, "connect"); after.Outcome().Winner != loa.Black {
		t.Error("connect: Black does not win")
	}
	if before, _, _ = shown(t, "one"); before.Pieces(loa.White).Count() != 2 {
		t.Error("one: White does not have two pieces, of which one can be taken")
	}
	if _, _, after := shown(t, "end"); after.Outcome().Winner != loa.White {
		t.Error("end: the capture does not join the other side")
	}
	if before, _, _ = shown(t, "pass"); !before.MustPass() {
		t.Error("pass: there is a move")
	}
}

// TestAdviceIsTheEngines: what the guide advises in a position is what the engine plays there.
func TestAdviceIsTheEngines(t *testing.T) {
	e := engine.New(engine.Options{})
	for _, key := range guideAdvice {
		before, move, after := shown(t, key)
		game, err := loa.NewGameFrom(loa.Rules{}, before.Setup())
		if err != nil {
			t.Fatal(err)
		}
		e.Reset()
		result, err := e.Search(t.Context(), game, engine.Limits{Nodes: 100_000}, nil)
		if err != nil || result.BestMove != move {
			t.Errorf("%s: the engine plays %s (%v), the guide %s", key, before.Format(result.BestMove), err, before.Format(move))
		}
		enemy := before.Turn().Opponent()
		switch key {
		case "gather":
			if before.IsCapture(move) || after.Pieces(before.Turn()).CountGroups() >= before.Pieces(before.Turn()).CountGroups() {
				t.Error("gather: the move captures, or gathers nothing")
			}
		case "key":
			if after.Pieces(enemy).CountGroups() <= before.Pieces(enemy).CountGroups() {
				t.Error("key: the capture takes nothing apart")
			}
		case "short":
			if loa.Between(move.From(), move.To()) != 0 || before.Ray(move.From(), loa.Right).Count != 1 {
				t.Error("short: the line is not short")
			}
		case "stop":
			setup := before.Setup()
			setup.Turn = enemy
			threat, err := setup.Position(loa.Rules{})
			if err != nil {
				t.Fatal(err)
			}
			wins := false
			for _, m := range threat.Moves(nil) {
				wins = wins || threat.PlayUnchecked(m).Outcome().Winner == enemy
			}
			if !wins {
				t.Error("stop: there is nothing to stop")
			}
		}
	}
}
