package sgf_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/sgf"
)

// TestEveryLeniencyWarnsAndStrictRefuses holds what the readers document.
func TestEveryLeniencyWarnsAndStrictRefuses(t *testing.T) {
	const stuck = "6ox/6oo/8/8/8/8/oo6/xo6 b"
	tests := []struct {
		name, text, warning string
		moves               string // of the main line
	}{
		{"a missing forced pass", "start: " + stuck + "\nmoves: b1-d1", "ply 1: \"b1-d1\": black has no move", "pass b1d1"},
		{"a capture that is none", "b1xb3", "ply 1: \"b1xb3\": it is marked as a capture", "b1b3"},
		{"a capture that is not marked", "f1-f3 a2-c4 c1-c4", "ply 3: \"c1-c4\": it captures", "f1f3 a2c4 c1c4"},
		{"a winner without a reason", "result: Black\nmoves: b1-b3", "\"Black\": the board is still open", "b1b3"},
		{"another reason than the board's", "start: x7/8/8/4o3/8/8/8/x3o2x b\nresult: White (resigned)\nmoves: h1xe1", "the reason is connected", "h1e1"},
		{"a variation that cannot be played", "b1-b3 (b1-b4 a2-c2)", "ply 1: the variation is cut off: move \"b1-b4\"", "b1b3"},
		{"a variation that cannot be read", "b1-b3 (b9)", "ply 1: the variation is cut off: move \"b9\"", "b1b3"},
		{"Latin-1", "white: Andr\xe9\nmoves: b1-b3", "not UTF-8", "b1b3"},
		{"an unknown line", "weather: fine\nmoves: b1-b3", "\"weather: fine\": left out", "b1b3"},
		{"a resignation in a variation, text", "b1-b3 (b1-h1 resigns)", "\"resigns\": left out", "b1b3"},
		{"an unknown field", `{"moves":["b1-b3"],"weather":1}`, "\"\\\"weather\\\"\": left out", "b1b3"},
		{"text around a game", "From: Ann\n\n(;GM[9];B[b1-b3])\nBye", "\"From: Ann\": text outside", "b1b3"},
		{"nodes without parentheses", ";GM[9];B[b1-b3];W[a2-c2]", "no ( before the first node", "b1b3 a2c2"},
		{"no GM", "(;FF[4];B[b1-b3])", "no GM", "b1b3"},
		{"a version above 4", "(;FF[5]GM[9];B[b1-b3])", "\"FF[5]\": read as FF[4]", "b1b3"},
		{"names as in old files", "(;GaMe[9];Black[b1-b3])", "\"GaMe\": read as the property GM", "b1b3"},
		{"names in lower case", "(;gm[9];b[b1-b3])", "\"gm\": read as the property GM", "b1b3"},
		{"a name with a digit", "(;GM[9]B1[x];B[b1-b3])", "\"B1\": left out", "b1b3"},
		{"the end missing", "(;GM[9];B[b1-b3](;W[a2-c2]", "2 closing parentheses are missing", "b1b3 a2c2"},
		{"two moves in a node", "(;GM[9];B[b1-b3]W[a2-c2])", "\"W[a2-c2]\": two moves in one node", "b1b3 a2c2"},
		{"AB and AW without SU", "(;GM[9]AB[a1][c1]AW[h8][h5];B[a1-c3])", "AB and AW without SU", "a1c3"},
		{"White moves first, without PL", "(;GM[9]SU[Custom]AB[a1][c1]AW[h8][h5];W[h8-h6])", "names no side to move", "h8h6"},
		{"unknown rules", "(;GM[9]RU[Japanese];B[b1-b3])", "\"RU[Japanese]\": left out", "b1b3"},
		{"an unknown result", "(;GM[9]RE[great];B[b1-b3])", "\"RE[great]\": left out", "b1b3"},
		{"an unknown reason", "(;GM[9]RE[B+R]RS[bored];B[b1-b3])", "\"RS[bored]\": left out", "b1b3"},
		{"a start in IP that cannot be read", "(;GM[9]IP[8/8 w];B[bhbf])", "\"IP[8/8 w]\": left out", "b1b3"},
		{"a fact after the first move", "(;GM[9];B[b1-b3]SZ[8])", "\"SZ\": left out", "b1b3"},
		{"nothing put in the place of a move taken back", "(;GM[LOA];P0[0 b1-b3];P1[1 a2-c2];P1[2 Undo])", "\"a2-c2\": left out", "b1b3"},
		{"nothing to take back", "(;GM[LOA];P0[0 Undo];P0[1 b1-b3])", "\"Undo\": left out", "b1b3"},
		{"a resignation in a variation, SGF", "(;GM[9];B[b1-b3](;W[a2-c2])(;W[resign]))", "\"resign\": left out", "b1b3 a2c2"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			records, warnings, err := sgf.Parse([]byte(test.text), sgf.Options{})
			if err != nil {
				t.Fatal(err)
			}
			found := ""
			for _, w := range warnings {
				found += w.String() + "\n"
			}
			if !strings.Contains(found, test.warning) {
				t.Errorf("warnings %q, want %q", found, test.warning)
			}
			var moves []string
			for _, m := range records[0].Main() {
				moves = append(moves, m.String())
			}
			if got := strings.Join(moves, " "); len(records) != 1 || got != test.moves {
				t.Errorf("%d games, moves %q, want %q", len(records), got, test.moves)
			}
			if _, _, err := sgf.Parse([]byte(test.text), sgf.Options{Strict: true}); !errors.Is(err, loa.ErrSyntax) || !strings.Contains(err.Error(), test.warning) {
				t.Errorf("strict reading gives %v, want ErrSyntax and the same words", err)
			}
		})
	}
}

func TestBadRecordsNameGamePlyTextAndReason(t *testing.T) {
	tests := []struct {
		name, text, want string
		kind             error
	}{
		{"nothing", "", "expected a game", loa.ErrSyntax},
		{"prose", "once upon a time", "game 1, ply 1: move \"once\": expected two squares", loa.ErrSyntax},
		{"unreadable move", "b1-b3 a2-c9", "game 1, ply 2: move \"a2-c9\": expected", loa.ErrSyntax},
		{"illegal move", "b1-b3 a2-a3", "game 1, ply 2: move \"a2-a3\" is not legal", loa.ErrIllegal},
		{"the second game", "b1-b3\n\nrules: mini\nmoves: b1-b4", "game 2, ply 1: move \"b1-b4\" is not legal", loa.ErrIllegal},
		{"a move after the end", "start: x7/8/8/4o3/8/8/8/x3o2x b\nmoves: h1xe1 e5-e4", "ply 2: move \"e5-e4\" is not legal: the game is over: white connected", loa.ErrIllegal},
		{"a move after resigning", "b1-b3 resigns a2-c2", "ply 2: move \"a2-c2\" is not legal: the game is over: Black (resigned)", loa.ErrIllegal},
		{"a pass that is not forced", "pass", "ply 1: move \"pass\" is not legal", loa.ErrIllegal},
		{"another winner", "start: x7/8/8/4o3/8/8/8/x3o2x b\nresult: Black\nmoves: h1xe1", "result \"Black\": the moves end in \"white connected\"", sgf.ErrDisagrees},
		{"unfinished though it is over", "start: x7/8/8/4o3/8/8/8/x3o2x b\nresult: unfinished\nmoves: h1xe1", "result \"unfinished\"", sgf.ErrDisagrees},
		{"connected though it is not", "result: Black (connected)\nmoves: b1-b3", "the game is still open after 1 plies", sgf.ErrDisagrees},
		{"two who resign", "result: White (resigned)\nmoves: b1-b3 white resigns", "result \"White (resigned)\"", sgf.ErrDisagrees},
		{"another number of plies", "plies: 3\nmoves: b1-b3", "plies 3: the moves are 1", sgf.ErrDisagrees},
		{"another final position", "final: 1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 w\nmoves: b1-b3", "final position", sgf.ErrDisagrees},
		{"unknown rules", "rules: chess\nmoves: b1-b3", "rules \"chess\"", loa.ErrSyntax},
		{"a start that is none", "start: 8/8/8/8/8/8/8/xx6 b\nmoves: a1-b1", "White has no pieces", loa.ErrSetup},
		{"an unreadable start", "start: 8/8 b\nmoves: a1-b1", "2 ranks", loa.ErrSyntax},
		{"half a move", "b1-b3 a2", "\"a2\": expected the square it goes to", loa.ErrSyntax},
		{"a color alone", "b1-b3 black", "after a color", loa.ErrSyntax},
		{"an open variation", "b1-b3 (b1-h1", "expected ) at the end of the variation", loa.ErrSyntax},
		{"a variation of nothing", "(b1-b3)", "behind the move it replaces", loa.ErrSyntax},
		{"an open comment", "b1-b3 {well", "\"{well\": expected } at its end", loa.ErrSyntax},
		{"a key twice", "black: Ann\nblack: Ben\nmoves: b1-b3", "black only once", loa.ErrSyntax},
		{"a mark of another kind", "b1-b3 [C text]", "property \"C\"", loa.ErrSyntax},
		{"another game", "(;GM[1];B[aa])", "GM \"1\": expected 9", loa.ErrSyntax},
		{"an open value", "(;GM[9];B[b1-b3", "expected ] at the end", loa.ErrSyntax},
		{"a property without a value", "(;GM[9];B)", "expected [ and a value", loa.ErrSyntax},
		{"a size", "(;GM[9]SZ[9];B[b1-b3])", "SZ \"9\"", loa.ErrSyntax},
		{"an unknown set-up", "(;GM[9]SU[Parachute];B[b1-b3])", "SU \"Parachute\"", loa.ErrSyntax},
		{"a set-up without pieces", "(;GM[9]SU[Custom];B[b1-b3])", "Black has no pieces; White has no pieces", loa.ErrSetup},
		{"two pieces on a square", "(;GM[9]SU[Custom]AB[a1]AW[a1];B[b1-b3])", "two pieces on a1", loa.ErrSetup},
		{"a point off the board", "(;GM[9]SU[Custom]AB[i1]AW[a1];B[b1-b3])", "square \"i1\"", loa.ErrSyntax},
		{"out of turn", "(;GM[9];B[b1-b3];B[c1-c3])", "ply 2: move \"c1-c3\" is not legal: it is white to move", loa.ErrIllegal},
		{"pieces set up later", "(;GM[9];B[b1-b3];AB[c3];W[a2-c2])", "ply 2: set-up \"AB[c3]\"", loa.ErrSyntax},
		{"edit", "(;GM[LOA];P0[0 Start Black];P0[1 Edit];P0[2 b1-b3])", "ply 1: move \"Edit\": expected a move", loa.ErrSyntax},
		{"a size the rules do not have", "(;GM[9]SZ[8]RU[mini];B[b1-b3])", "another size of board", loa.ErrSetup},
		{"JSON without moves", `{"rules":"standard"}`, "no moves", loa.ErrSyntax},
		{"broken JSON", `{"moves":["b1-b3"`, "JSON", loa.ErrSyntax},
		{"JSON of another kind", `{"moves":"b1-b3"}`, "JSON", loa.ErrSyntax},
		{"a comment on no ply", `{"moves":["b1-b3"],"comments":[{"ply":2,"text":"x"}]}`, "\"ply 2\": expected a ply of its line", loa.ErrSyntax},
		{"a winner that is none", `{"moves":["b1-b3"],"result":{"winner":"red"}}`, "result \"red\"", loa.ErrSyntax},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, _, err := sgf.Parse([]byte(test.text), sgf.Options{})
			if err == nil {
				t.Fatal("no error")
			}
			if !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %q, want %q in it", err, test.want)
			}
			if !errors.Is(err, test.kind) {
				t.Errorf("%q is not %q", err, test.kind)
			}
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("%q has more than one line", err)
			}
		})
	}
}

func TestGamesBeforeABadOneAreReturned(t *testing.T) {
	records, _, err := sgf.Parse([]byte("(;GM[9];B[b1-b3])(;GM[9];B[b1-b4])"), sgf.Options{})
	var bad *sgf.Error
	if len(records) != 1 || !errors.As(err, &bad) || bad.Game != 2 || bad.Ply != 1 {
		t.Errorf("%d games and %v", len(records), err)
	}
}

// manyProperties returns a node of a million properties.
func manyProperties() string {
	var b strings.Builder
	for i := range 1_000_000 {
		b.WriteString("X")
		for ; i > 0; i /= 26 {
			b.WriteByte('A' + byte(i%26))
		}
		b.WriteString("[]")
	}
	return b.String()
}

func TestHostileInputCostsLittle(t *testing.T) {
	tests := []struct{ name, text string }{
		{"parentheses", strings.Repeat("(;", 2_000_000)},
		{"closing parentheses", "(;GM[9]" + strings.Repeat(")", 1_000_000)},
		{"variations in text", "b1-b3 " + strings.Repeat("(b1-b3 ", 100_000)},
		{"variations in SGF", "(;GM[9]" + strings.Repeat("(;B[b1-b3])(;B[b1-h1]", 100_000)},
		{"brackets in JSON", strings.Repeat("[", 1_000_000)},
		{"variations in JSON", strings.Repeat(`{"moves":["b1-b3"],"variations":[`, 100_000)},
		{"comments in text", "b1-b3 " + strings.Repeat("{a}", 2_000_000)},
		{"lines of comments", "b1-b3\n" + strings.Repeat("#a\n", 2_000_000)},
		{"lines of a fact", "event: x\n" + strings.Repeat("  a\n", 2_000_000)},
		{"comments in SGF", "(;GM[9]" + strings.Repeat(";C[a]", 400_000) + ")"},
		{"properties", "(;GM[9]" + manyProperties() + ")"},
		{"resignations", strings.Repeat("b1-b3 ", 300_000) + strings.Repeat("resigns ", 500_000)},
		{"moves taken back", "(;GM[9]" + strings.Repeat("(;B[b1-b3])(;B[b1-b3]B[undo])", 150_000) + ")"},
		{"an open value", "(;C[" + strings.Repeat("\\", 3_000_000)},
		{"too large", strings.Repeat(" ", sgf.MaxBytes+1)},
		{"a long game", "rules: standard:repetition=none\nmoves: " + strings.Repeat("b1-b3 h7-f7 b3-b1 f7-h7 ", 6_000)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if _, _, err := sgf.Parse([]byte(test.text), sgf.Options{}); err != nil && len(err.Error()) > 400 {
				t.Errorf("an error of %d bytes: %.400v", len(err.Error()), err)
			}
		})
	}
}

func TestWrongKindsOfJSONAreNamedPlainly(t *testing.T) {
	for text, want := range map[string]string{
		`{"moves":[1]}`:                    "moves is number where text belongs",
		`{"moves":"c8-c6"}`:                "moves is string where a list belongs",
		`{"moves":[],"players":"me"}`:      "players is string where an object belongs",
		`{"moves":[],"comments":{"1":[]}}`: "comments",
	} {
		_, _, err := sgf.Parse([]byte(text), sgf.Options{})
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "jsonRecord") || strings.Contains(err.Error(), "Go ") {
			t.Errorf("%s: got %v, want %q", text, err, want)
		}
	}
}
