package loa_test

import (
	"testing"

	"github.com/linesofaction/loa"
)

// at reads a position under the standard rules.
func at(t testing.TB, text string) loa.Position {
	t.Helper()
	return under(t, "standard", text)
}

// under reads a position under rules.
func under(t testing.TB, rules, text string) loa.Position {
	t.Helper()
	p, err := loa.ParsePosition(text, parseRules(t, rules))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// start returns the start position of rules.
func start(t testing.TB, rules string) loa.Position {
	t.Helper()
	p, err := parseRules(t, rules).StartPosition()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func parseRules(t testing.TB, text string) loa.Rules {
	t.Helper()
	rules, err := loa.ParseRules(text)
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

// drawn reads a board that is drawn as Board.String draws it.
func drawn(t testing.TB, drawing string, turn loa.Color, rules string) loa.Position {
	t.Helper()
	board, err := loa.ParseDrawing(drawing)
	if err != nil {
		t.Fatal(err)
	}
	p, err := loa.Setup{Board: board, Turn: turn}.Position(parseRules(t, rules))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// move reads a move.
func move(t testing.TB, text string) loa.Move {
	t.Helper()
	m, _, err := loa.ParseMove(text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// play makes a legal move.
func play(t testing.TB, p loa.Position, text string) loa.Position {
	t.Helper()
	next, err := p.Play(move(t, text))
	if err != nil {
		t.Fatal(err)
	}
	return next
}
