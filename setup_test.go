package loa_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/linesofaction/loa"
)

// TestFaultsAreAllListed: a set-up that cannot be a position says everything that is wrong with it (clause 11).
func TestFaultsAreAllListed(t *testing.T) {
	tests := []struct {
		name  string
		setup loa.Setup
		rules loa.Rules
		want  []loa.FaultKind
	}{
		{"an empty board", loa.Setup{Board: loa.Board{Size: 8}}, loa.Rules{}, []loa.FaultKind{loa.FaultNoPieces, loa.FaultNoPieces}},
		{"Black has nothing", loa.Setup{Board: loa.Board{Size: 8, White: 1}}, loa.Rules{}, []loa.FaultKind{loa.FaultNoPieces}},
		{"White has nothing", loa.Setup{Board: loa.Board{Size: 8, Black: 1}, Turn: loa.White}, loa.Rules{}, []loa.FaultKind{loa.FaultNoPieces}},
		{"two on a square", loa.Setup{Board: loa.Board{Size: 8, Black: 7, White: 6}}, loa.Rules{}, []loa.FaultKind{loa.FaultTwice, loa.FaultTwice}},
		{"off the board", loa.Setup{Board: loa.Board{Size: 4, Black: 1, White: 1<<4 | 1<<63 | 2}}, loa.Rules{}, []loa.FaultKind{loa.FaultOutside, loa.FaultOutside}},
		{"a size", loa.Setup{Board: loa.Board{Size: 9, Black: 1, White: 2}}, loa.Rules{}, []loa.FaultKind{loa.FaultSize}},
		{"a size of other rules", loa.Setup{Board: loa.Board{Size: 5, Black: 1, White: 2}}, loa.Rules{Size: 6}, []loa.FaultKind{loa.FaultRules}},
		{"rules that cannot be", loa.Setup{Board: loa.Board{Size: 8, Black: 1, White: 2}}, loa.Rules{Both: 7}, []loa.FaultKind{loa.FaultRules}},
		{"nobody's turn", loa.Setup{Board: loa.Board{Size: 8, Black: 1, White: 2}, Turn: loa.NoColor}, loa.Rules{}, []loa.FaultKind{loa.FaultTurn}},
		{
			"everything",
			loa.Setup{Board: loa.Board{Size: 5, Black: 1<<63 | 3}, Turn: 9},
			loa.Rules{Size: 8, Cap: -1},
			[]loa.FaultKind{loa.FaultRules, loa.FaultTurn, loa.FaultRules, loa.FaultOutside, loa.FaultNoPieces},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := test.setup.Position(test.rules)
			var fault *loa.SetupError
			if !errors.As(err, &fault) || !errors.Is(err, loa.ErrSetup) {
				t.Fatalf("got %v", err)
			}
			var got []loa.FaultKind
			for _, f := range fault.Faults {
				got = append(got, f.Kind)
				if f.Text == "" || !strings.Contains(err.Error(), f.Text) {
					t.Errorf("%q is not in %v", f.Text, err)
				}
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("faults %v, want %v: %v", got, test.want, err)
			}
		})
	}
}

// TestAnyOtherArrangementIsAPosition, a full board too (clause 11).
func TestAnyOtherArrangementIsAPosition(t *testing.T) {
	for text, want := range map[string]string{
		"oooooooo/xxxxxxxx/oooooooo/xxxxxxxx/oooooooo/xxxxxxxx/oooooooo/xxxxxxxx b": "open",
		"xxxxxxxx/xxxxxxxx/xxxxxxxx/xxxxxxxx/xxxxxxxx/xxxxxxxx/xxxxxxxx/xxxxxxxo w": "none both-connected",
		"x3/4/4/3o b":  "none both-connected",
		"xo2/4/4/3o b": "black connected",
	} {
		p := at(t, text)
		if p.String() != text {
			t.Errorf("%s is written %s", text, p)
		}
		if got := p.Outcome().String(); want != "open" && got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func TestUnreadableSetups(t *testing.T) {
	for text, wants := range map[string][]string{
		"":                             {"1 rank,", "no side to move"},
		"xo2/4/4/3o":                   {"no side to move"},
		"xo2/4/4/3o r":                 {`"r"`},
		"xo2/4/4/3o b b":               {`"b" after the side to move`},
		"xo3/4/4/3o b":                 {`rank 4 "xo3" has 5 squares`},
		"xo2/4/4/3 b":                  {`rank 1 "3" has 3 squares`},
		"xo2/4/4/3O b":                 {`'O' in rank 1`},
		"xq2/4/5/3z ?":                 {`'q' in rank 4`, `rank 2 "5" has 5`, `'z' in rank 1`, `"?"`},
		"8/8 b":                        {"2 ranks"},
		"xz6/9/8 q":                    {"3 ranks", `'z' in rank 3`, `'9' in rank 2`, `"q"`},
		"9/9/9/9/9/9/9/9/9 b":          {"9 ranks"},
		"xo2/4/4/3ö w":                 {`'ö' in rank 1`},
		strings.Repeat("8/", 70) + "8": {"71 ranks", "no side to move"},
	} {
		_, err := loa.ParseSetup(text)
		if !errors.Is(err, loa.ErrSyntax) || !errors.Is(err, loa.ErrSetup) {
			t.Errorf("%q gives %v", text, err)
			continue
		}
		for _, want := range wants {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%q gives %v, want %s in it", text, err, want)
			}
		}
	}
	if _, err := loa.ParsePosition("8/8/8/8/8/8/8/x7 b", loa.Rules{}); err == nil || errors.Is(err, loa.ErrSyntax) || !strings.Contains(err.Error(), "White has no pieces") {
		t.Errorf("a side without pieces gives %v", err)
	}
}

// TestDialects read what cannot be told from our own form by looking.
func TestDialects(t *testing.T) {
	const want = "1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 b"
	for text, dialect := range map[string]loa.Dialect{
		want: loa.DialectOwn,
		"1LLLLLL1/l6l/l6l/l6l/l6l/l6l/l6l/1LLLLLL1 w - - 0 1": loa.DialectPlayStrategy,
		"1llllll1/L6L/L6L/L6L/L6L/L6L/L6L/1llllll1 b":         loa.DialectCutechess,
	} {
		setup, err := loa.ParseSetupDialect(text, dialect)
		if err != nil || setup.String() != want {
			t.Errorf("%s gives %s, %v", text, setup, err)
		}
	}
}

func TestDrawingReadsBack(t *testing.T) {
	for _, rules := range []string{"standard", "scrambled", "mini-six", "standard:size=4", "standard:size=7"} {
		board := start(t, rules).Board()
		if again, err := loa.ParseDrawing(board.String()); err != nil || again != board {
			t.Errorf("%s is drawn\n%sand reads as\n%s%v", rules, board, again, err)
		}
		if again, err := loa.ParseBoard(board.Text()); err != nil || again != board {
			t.Errorf("%s is written %s and reads as %s, %v", rules, board.Text(), again.Text(), err)
		}
	}
	if _, err := loa.ParseDrawing("4 x q . .\n3 . . . .\n2 . . . .\n1 . . . o\n"); !errors.Is(err, loa.ErrSyntax) {
		t.Errorf("a drawing with a q gives %v", err)
	}
}
