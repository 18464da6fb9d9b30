package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// call runs the program and returns its exit code and what it wrote.
func call(t *testing.T, stdin string, args ...string) (code int, out, errs string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code = run(args, &Streams{In: strings.NewReader(stdin), Out: &stdout, Err: &stderr})
	return code, stdout.String(), stderr.String()
}

// good runs the program, which must succeed, and returns its output.
func good(t *testing.T, args ...string) string {
	t.Helper()
	code, out, errs := call(t, "", args...)
	if code != 0 {
		t.Fatalf("%q: exit %d, %s", args, code, errs)
	}
	return out
}

func TestExitCodes(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("moves: c8-c7\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		args []string
		code int
		want string // in standard error
	}{
		{"nothing", nil, 2, "Usage"},
		{"unknown subcommand", []string{"dance"}, 2, "dance"},
		{"unknown flag", []string{"judge", "--loud"}, 2, "--loud"},
		{"missing argument", []string{"perft"}, 2, "DEPTH"},
		{"malformed number", []string{"perft", "two"}, 2, "two"},
		{"negative depth", []string{"perft", "--", "-1"}, 2, "-1"},
		{"depth out of reach", []string{"perft", "40"}, 2, "40"},
		{"unknown rules", []string{"judge", "--rules", "chess"}, 1, `"chess"`},
		{"unknown option of rules", []string{"judge", "--rules", "standard:colour=red"}, 1, `"colour=red"`},
		{"no rules at all", []string{"judge", "--rules", ""}, 1, `""`},
		{"no position at all", []string{"judge", "--position", ""}, 1, `""`},
		{"a size the rule set is not made for", []string{"judge", "--rules", "mini:size=8"}, 1, `"size=8"`},
		{"no lines wanted", []string{"analyze", "--nodes", "5", "--multipv", "0"}, 2, "--multipv 0"},
		{"no rules for a record", []string{"replay", "--rules", "", file}, 1, `""`},
		{"unreadable position", []string{"judge", "--position", "8/8 b"}, 1, `"8/8 b"`},
		{"unusable position", []string{"judge", "--position", "4/4/4/xx2 b"}, 1, "White has no pieces"},
		{"size that does not fit", []string{"judge", "--rules", "scrambled", "--position", "4/oo2/4/xx2 b"}, 1, "8×8"},
		{"start that does not fit", []string{"perft", "--rules", "mini-six:size=8", "1"}, 1, "size=8"},
		{"unreadable move", []string{"judge", "--moves", "b1-b3 c9"}, 1, `"c9"`},
		{"illegal move", []string{"judge", "--moves", "b1-b2"}, 1, `"b1b2"`},
		{"wrong capture mark, strict", []string{"judge", "--strict", "--moves", "b1xb3"}, 1, `"b1xb3"`},
		{"missing pass, strict", []string{"judge", "--strict", "--position", "6ox/6oo/8/8/8/8/oo6/xo6 b", "--moves", "g8-e8"}, 1, "pass"},
		{"analysis without a limit", []string{"analyze"}, 2, "--time"},
		{"analysis with two limits", []string{"analyze", "--nodes", "5", "--depth", "2"}, 2, "--depth"},
		{"analysis of nothing", []string{"analyze", "--nodes", "0"}, 2, "--nodes 0"},
		{"malformed duration", []string{"analyze", "--time", "soon"}, 2, "soon"},
		{"analysis of a finished game", []string{"analyze", "--nodes", "5", "--position", "8/8/8/3xx3/8/8/8/o6o b"}, 1, "over"},
		{"solution without nodes", []string{"solve", "--nodes", "0"}, 2, "--nodes 0"},
		{"solution without time", []string{"solve", "--time", "0s"}, 2, "--time 0s"},
		{"solution without memory", []string{"solve", "--memory", "0"}, 2, "--memory 0"},
		{"solution of a finished game", []string{"solve", "--position", "8/8/8/3xx3/8/8/8/o6o b"}, 1, "over"},
		{"proof that is none", []string{"solve", "--verify", file}, 1, "line 1"},
		{"proof that is not there", []string{"solve", "--verify", filepath.Join(dir, "absent")}, 1, "absent"},
		{"proof that is a directory", []string{"solve", "--verify", dir}, 1, dir},
		{"level out of range", []string{"play", "--level", "11"}, 2, "11"},
		{"record without games", []string{"replay", filepath.Join(dir, "absent")}, 1, "absent"},
		{"record with an illegal move", []string{"replay", file}, 1, "c8"},
		{"conversion to nothing known", []string{"convert", "--to", "pgn", file}, 2, "pgn"},
		{"conversion of a bad record", []string{"convert", "--to", "sgf", file}, 1, "c8"},
		{"address that is none", []string{"serve", "--listen", "nowhere", "--data", dir}, 1, `"nowhere"`},
		{"directory that is a file", []string{"serve", "--listen", "127.0.0.1:0", "--data", file}, 1, file},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			code, out, errs := call(t, "", test.args...)
			if code != test.code || !strings.Contains(errs, test.want) {
				t.Errorf("exit %d, want %d; want %q in %s", code, test.code, test.want, errs)
			}
			if out != "" {
				t.Errorf("standard output %q, want nothing", out)
			}
			if lines := strings.Count(errs, "\n"); code == 1 && lines != 1 {
				t.Errorf("%d lines on standard error, want one:\n%s", lines, errs)
			}
		})
	}
}

func TestPerft(t *testing.T) {
	if out := good(t, "perft", "3"); out != "nodes 44952\n" {
		t.Errorf("got %q", out)
	}
	out := good(t, "perft", "--rules", "mini", "--divide", "2")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if len(lines) != 25 || lines[24] != "nodes 524" {
		t.Errorf("%d lines, the last %q", len(lines), lines[len(lines)-1])
	}
	if out := good(t, "perft", "--position", "6ox/6oo/8/8/8/8/oo6/xo6 b", "1"); out != "nodes 1\n" {
		t.Errorf("a forced pass: %q", out)
	}
}

func TestJudge(t *testing.T) {
	tests := []struct {
		name string
		args []string
		want judgement
	}{
		{
			"a capture that connects both",
			[]string{"--position", "8/8/2x1oo2/4x3/4o3/8/8/8 b", "--moves", "c6xe4"},
			judgement{
				Position: "8/8/4oo2/4x3/4x3/8/8/8 w", Rules: "standard", Turn: "white", Moves: []string{},
				Over: true, Winner: "none", Reason: "both-connected",
			},
		},
		{
			"the same when the mover wins",
			[]string{"--rules", "classic", "--position", "8/8/2x1oo2/4x3/4o3/8/8/8 b", "--moves", "c6e4"},
			judgement{
				Position: "8/8/4oo2/4x3/4x3/8/8/8 w", Rules: "classic", Turn: "white", Moves: []string{},
				Over: true, Winner: "black", Reason: "both-connected",
			},
		},
		{
			"a forced pass is the only move",
			[]string{"--position", "6ox/6oo/8/8/8/8/oo6/xo6 b"},
			judgement{
				Position: "6ox/6oo/8/8/8/8/oo6/xo6 b", Rules: "standard", Turn: "black", Moves: []string{"pass"},
				Winner: "none",
			},
		},
	}
	groups := [][2]int{{1, 1}, {1, 1}, {2, 2}}
	for i, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.want.Groups.Black, test.want.Groups.White = groups[i][0], groups[i][1]
			out := good(t, append([]string{"judge", "--json"}, test.args...)...)
			var got judgement
			if err := json.Unmarshal([]byte(out), &got); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, test.want) {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
		})
	}
}

func TestMissingForcedPassIsPutInWithAWarning(t *testing.T) {
	code, out, errs := call(t, "", "judge", "--json", "--position", "6ox/6oo/8/8/8/8/oo6/xo6 b", "--moves", "g8-e8")
	if code != 0 || !strings.Contains(errs, "pass") || !strings.Contains(out, `"turn":"black"`) {
		t.Errorf("exit %d, %s%s", code, out, errs)
	}
}

func TestAnalyzeFindsTheWin(t *testing.T) {
	out := good(t, "analyze", "--json", "--depth", "5", "--multipv", "2", "--position", "8/7o/6o1/4x3/1x3xo1/2x1xoxo/2x1oo2/8 w")
	var got analysis
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	if got.Score["win"] != 1 || len(got.PV) != 1 || got.BestMove != got.PV[0] || len(got.Lines) != 2 {
		t.Errorf("got %+v", got)
	}
}

func TestAnalyzeExplains(t *testing.T) {
	args := []string{"analyze", "--nodes", "20000", "--explain", "--moves", "b1-b3 h3-e3"}
	out := good(t, args...)
	for _, want := range []string{"ways to win next move: black ", "played h3-e3: "} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in %s", want, out)
		}
	}
	var got analysis
	if err := json.Unmarshal([]byte(good(t, append(args, "--json")...)), &got); err != nil {
		t.Fatal(err)
	}
	if got.Explain == nil || got.Explain.Played == nil || got.Explain.Played.Move != "h3-e3" || len(got.Explain.Ways) != 2 {
		t.Errorf("%+v", got.Explain)
	}
}

func TestAnalyzeIsReproducible(t *testing.T) {
	args := []string{"analyze", "--nodes", "20000", "--moves", "b1-b3 h3-e3"}
	without := func(out string) string {
		var kept []string
		for _, line := range strings.Split(out, "\n") {
			if !strings.HasPrefix(line, "nps") {
				kept = append(kept, line)
			}
		}
		return strings.Join(kept, "\n")
	}
	if one, two := without(good(t, args...)), without(good(t, args...)); one != two {
		t.Errorf("first %s, then %s", one, two)
	}
}

func TestPlayInTheTerminal(t *testing.T) {
	code, out, errs := call(t, "lines b1\nb1-b2\nc1\nundo\nb1-b3\nundo\nresign\n", "play", "--level", "1", "--rules", "mini")
	if code != 0 || errs != "" {
		t.Fatalf("exit %d, %s", code, errs)
	}
	for _, want := range []string{"You are black", "off the board", "is not legal", `move "c1"`, "nothing to take back", "white plays", "white wins"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in %s", want, out)
		}
	}
}

func TestMoveNumbersAmongTheMoves(t *testing.T) {
	want := good(t, "judge", "--moves", "c8-c6 a6-c4 b1-b3")
	for _, moves := range []string{"1. c8-c6 a6-c4 2. b1-b3", "1.c8c6 a6c4 2.b1b3", "1. c8-c6 1... a6-c4 2. b1-b3"} {
		if got := good(t, "judge", "--moves", moves); got != want {
			t.Errorf("%q: %s, want %s", moves, got, want)
		}
	}
}

// full is a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestLostResultsAreAnError(t *testing.T) {
	for _, args := range [][]string{{"perft", "2"}, {"judge"}, {"version"}, {"bench", "--help"}} {
		var errs bytes.Buffer
		if code := run(args, &Streams{In: strings.NewReader(""), Out: full{}, Err: &errs}); code != 1 || !strings.Contains(errs.String(), "no space left") {
			t.Errorf("%q: exit %d, %s", args, code, errs.String())
		}
	}
}

func TestVersion(t *testing.T) {
	if out := good(t, "version"); !strings.HasPrefix(out, "loa ") || strings.Count(out, "\n") != 1 {
		t.Errorf("got %q", out)
	}
}

func TestHelpGoesToStandardOutput(t *testing.T) {
	if out := good(t, "--help"); !strings.Contains(out, "analyze") {
		t.Errorf("got %q", out)
	}
	if out := good(t, "serve", "--help"); !strings.Contains(out, "--listen") {
		t.Errorf("got %q", out)
	}
}
