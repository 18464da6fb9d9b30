package sgf_test

import (
	"os"
	"strings"
	"testing"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/sgf"
)

// mainLine returns the moves that were played as text.
func mainLine(r *sgf.Record) string {
	var moves []string
	for _, m := range r.Main() {
		moves = append(moves, m.String())
	}
	return strings.Join(moves, " ")
}

// one reads a text with one game and no warnings.
func one(t *testing.T, text string) *sgf.Record {
	t.Helper()
	records, _ := parse(t, text, sgf.Options{Strict: true})
	if len(records) != 1 {
		t.Fatalf("%d games", len(records))
	}
	return records[0]
}

func sample(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestMovesInEveryForm(t *testing.T) {
	const want = "c8c6 h4f2 g8g6 h2e2"
	for _, text := range []string{
		"c8-c6 h4-f2 g8-g6 h2-e2",
		"C8C6 H4F2 G8G6 H2E2",
		"c8 c6 h4 f2 g8 g6 h2 e2",
		"c8 - c6, h4 - f2, g8 - g6, h2 - e2",
		"1. c8-c6 h4-f2 2. g8-g6 h2-e2",
		"1.c8-c6 1...h4-f2 2.g8-g6! 2...h2-e2??",
		"c8-c6 h4-f2 g8-g6 h2-e2 1/2-1/2",
		"1 c8-c6\n2 h4-f2+\n3 g8-g6\n4 h2-e2++\n",
		"# a comment\nmoves: c8-c6 # why\nh4-f2 (a6-c4 {a reason}) g8-g6\r\nh2-e2",
		"(;GM[9];B[c8-c6];W[h4-f2];B[G8-G6!];W[h2-e2++])",
		"(;GM[9];B[c8c6];W[h4f2];B[g8g6];W[h2e2])",
		"(;GM[9]C[x]B[c8-c6];W[h4-f2];C[said between];B[g8-g6];W[h2-e2])",
		"(;GM[LOA]P0[id \"Ann\"];P0[0 Start Black];P0[1 C8-C6];P1[2 H4-F2];P0[3 G8-G6];P1[4 H2-E2])",
		"(;GM[9];B[0 Start Black];B[1 C8-C6  ];W[2 H4-F2  ];B[3 G8-G6  ];W[4 H2-E2  ])",
		"(;GM[LOA];P1[0 Start Black];P1[1 C8-C6];P0[2 H4-F2];P1[3 G8-G6];P0[4 H2-E2])",
		"(;GM[9];B[cacc];W[hefg];B[gagc];W[hgeg])",
		`{"moves":["c8-c6","h4-f2","g8-g6","h2-e2"]}`,
		`[{"moves":["c8-c6","h4f2","g8g6","h2 e2"]}]`,
	} {
		if got := mainLine(one(t, text)); got != want {
			t.Errorf("%s\ngives %q, want %q", text, got, want)
		}
	}
}

func TestCommentsMarksAndVariationsInText(t *testing.T) {
	r := one(t, "c8-c6 {why} [BL 95] h4-f2 (a6-c4 (a2-c2) g8-g6)")
	if r.Root.Next[0].Comment != "why" || r.Root.Next[0].Props["BL"][0] != "95" {
		t.Errorf("comment %q, marks %v", r.Root.Next[0].Comment, r.Root.Next[0].Props)
	}
	after := r.Root.Next[0].Next
	if len(after) != 3 || len(after[1].Next) != 1 {
		t.Errorf("%d moves for ply 2", len(after))
	}
}

func TestBoardspace(t *testing.T) {
	r := one(t, sample(t, "boardspace.sgf"))
	if got := mainLine(r); got != "c8c6 h4f2 d8d6 h2e2" {
		t.Errorf("moves %q", got)
	}
	if r.Players != [2]string{"Ann", "Ben"} {
		t.Errorf("players %q", r.Players)
	}
	if want := (sgf.Result{Standing: sgf.Decided, Winner: loa.White, Reason: loa.Resigned}); r.Result != want {
		t.Errorf("result %v, want %v", r.Result, want)
	}
	if r.Rules.String() != "classic:repetition=none" {
		t.Errorf("rules %s", r.Rules)
	}
	fork := r.Root.Next[0].Next[0]
	if fork.Comment != "two on the rank" || len(fork.Next) != 2 || fork.Next[1].Move.String() != "g8g6" {
		t.Errorf("the move taken back is not kept as a variation: %+v", fork)
	}
}

func TestBoardspaceWords(t *testing.T) {
	tests := []struct {
		name, text, moves, result string
	}{
		{"Start White", "(;GM[LOA];P1[0 Start White];P1[1 a2-c2])", "a2c2", "?"},
		{"winontime", "(;GM[LOA];P0[0 b1-b3];P1[1 winontime])", "b1b3", "White (flag)"},
		{"Forfeit", "(;GM[LOA];P0[0 b1-b3];P1[1 Forfeit])", "b1b3", "Black (abandoned)"},
		{"won by name", "(;GM[LOA]P0[id \"Ann\"]P1[id \"Ben\"]RE[Game won by Ann];P0[0 b1-b3];P1[1 Resigns])", "b1b3", "Black (resigned)"},
		{"draw", "(;GM[LOA]RE[The game is a draw];P0[0 b1-b3])", "b1b3", "draw (agreed)"},
		{"done and reset", "(;GM[LOA];P0[0 Select b1];P0[1 Reset];P0[2 b1-b3];P0[3 Done])", "b1b3", "?"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := one(t, test.text)
			if got := mainLine(r); got != test.moves || r.Result.String() != test.result {
				t.Errorf("moves %q, result %s; want %q, %s", got, r.Result, test.moves, test.result)
			}
		})
	}
}

func TestPlayStrategy(t *testing.T) {
	r := one(t, sample(t, "playstrategy.sgf"))
	if got := mainLine(r); got != "d1b3 a3c5 c8c5 h5f7 g8g6" {
		t.Errorf("moves %q", got)
	}
	if r.Players != [2]string{"Ann", "Ben"} || r.Root.Props["GN"][0] != "Lines Of Action" {
		t.Errorf("quoted values are %q, %q", r.Players, r.Root.Props)
	}
	if r.Rules.NoMove != loa.NoMoveDraw {
		t.Errorf("rules %s", r.Rules)
	}
}

func TestScrambledEggsIsAnotherLayoutOnEachSite(t *testing.T) {
	tests := []struct {
		name, text string
		start      loa.Start
	}{
		{"standard SGF", "(;GM[9]SU[Scrambled-eggs];B[b8-b6])", loa.StartScrambled},
		{"PlayStrategy", sample(t, "playstrategy-scrambled.sgf"), loa.StartScrambledB},
	}
	for _, test := range tests {
		if r := one(t, test.text); r.Rules.Start != test.start {
			t.Errorf("%s: start %s, want %s", test.name, r.Rules.Start, test.start)
		}
	}
}

func TestSetups(t *testing.T) {
	tests := []struct{ name, text, rules, start string }{
		{"by name", "(;GM[9]SU[standard])", "standard", "1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 b"},
		{"by size", "(;GM[9]SZ[6])", "mini", "1xxxx1/o4o/o4o/o4o/o4o/1xxxx1 b"},
		{"by rules", "(;GM[9]SZ[6]RU[mini-six])", "mini-six", "1xxx2/5o/o4o/o4o/o5/2xxx1 b"},
		{"changed", "(;GM[9]SU[Standard]AE[b1:g1]AB[d4]PL[W])", "standard:start=custom", "1xxxxxx1/o6o/o6o/o6o/o2x3o/o6o/o6o/8 w"},
		{"whole", "(;GM[9]SU[Custom]AB[A1:B2]AW[h8][g6])", "standard:start=custom", "7o/8/6o1/8/8/8/xx6/xx6 b"},
		{"White first", "(;GM[9]PL[White])", "standard:start=custom", "1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 w"},
		{"a named start set up by hand", "start: 1oxoxox1/x6o/o6x/x6o/o6x/x6o/o6x/1xoxoxo1 b\nmoves:", "standard:start=scrambled-b", "1oxoxox1/x6o/o6x/x6o/o6x/x6o/o6x/1xoxoxo1 b"},
		{"PlayStrategy's IP", "(;GM[9]IP[LL6/8/8/8/8/8/8/ll6 b - - 0 1]PC[playstrategy.org])", "standard:nomove=draw,start=custom", "xx6/8/8/8/8/8/8/oo6 w"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			records, _ := parse(t, test.text, sgf.Options{})
			r := records[0]
			if r.Start.String() != test.start {
				t.Errorf("start %s, want %s", r.Start, test.start)
			}
			if want, err := loa.ParseRules(test.rules); err != nil || r.Rules.Start != want.Start || r.Rules.NoMove != want.NoMove {
				t.Errorf("rules %s, want %s", r.Rules, test.rules)
			}
		})
	}
}

func TestRulesOfTheCallerReplaceThoseOfTheRecord(t *testing.T) {
	const text = "rules: standard\nstart: 8/8/2x1oo2/4x3/4o3/8/8/8 b\nmoves: c6xe4"
	classic := loa.Rules{Both: loa.BothMover}
	for _, o := range []struct {
		options sgf.Options
		want    string
	}{{sgf.Options{}, "none both-connected"}, {sgf.Options{Rules: &classic}, "black both-connected"}} {
		records, _ := parse(t, text, o.options)
		outcome, err := records[0].Outcome()
		if err != nil || outcome.String() != o.want {
			t.Errorf("%v, %v, want %s", outcome, err, o.want)
		}
	}
}

func TestResultForms(t *testing.T) {
	for text, want := range map[string]string{
		"B+": "Black", "b+r": "Black (resigned)", "W+Resign": "White (resigned)", "W+T": "White (flag)", "B+Forfeit": "Black (abandoned)",
		"0": "draw", "Draw": "draw", "1/2-1/2": "draw", "1-0": "Black", "0-1": "White", "Void": "unfinished", "?": "?", "": "?",
		"White (adjudicated)": "White (adjudicated)", "draw (repetition)": "draw (repetition)", "white resigns": "Black (resigned)", "*": "unfinished",
	} {
		r, err := sgf.ParseResult(text)
		if err != nil || r.String() != want {
			t.Errorf("%q gives %s, %v, want %s", text, r, err, want)
		}
	}
	for _, text := range []string{"White resigned", "B-", "draw (bored)", "? (flag)", "+"} {
		if r, err := sgf.ParseResult(text); err == nil {
			t.Errorf("%q gives %s, want an error", text, r)
		}
	}
}

func TestRealGamesEndAsRecorded(t *testing.T) {
	winners := map[string]string{
		"E1": "white", "E2": "black", "E3": "white", "E4": "black", "E5": "white", "E6": "white",
		"F2": "black", "F3": "black", "F4": "black",
	}
	for name, winner := range winners {
		outcome, err := one(t, sample(t, "../../testdata/games/"+name+".txt")).Outcome()
		if err != nil || outcome.String() != winner+" connected" {
			t.Errorf("%s: %v, %v, want %s connected", name, outcome, err, winner)
		}
	}
	if outcome, err := one(t, sample(t, "../../testdata/games/F1.txt")).Outcome(); err != nil || outcome.Over() {
		t.Errorf("F1: %v, %v, want a game that is open", outcome, err)
	}
}
