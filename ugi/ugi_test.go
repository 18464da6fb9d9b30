package ugi

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/engine"
)

// TestMain lets the test program serve the protocol itself, so that there is a command for Start to run.
func TestMain(m *testing.M) {
	if os.Getenv("UGI_SERVE") != "" {
		if err := Serve(context.Background(), os.Stdin, os.Stdout, testIdentity, testOptions); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

var (
	testIdentity = Identity{Name: "Test", Author: "Nobody"}
	testOptions  = engine.Options{Hash: 1}
)

// talk sends a whole script and returns what is answered.
func talk(t *testing.T, script ...string) []string {
	t.Helper()
	var out strings.Builder
	in := strings.NewReader(strings.Join(script, "\n") + "\n")
	if err := Serve(context.Background(), in, &out, testIdentity, testOptions); err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
}

// TestAnswers sends scripts and compares every line that is not the info of a search.
func TestAnswers(t *testing.T) {
	const stuck = "6ox/6oo/8/8/8/8/oo6/xo6"
	tests := []struct {
		name   string
		script []string
		want   []string // regular expressions of whole lines
	}{
		{"greeting", []string{"ugi"}, []string{
			"id name Test", "id author Nobody",
			"option name Rules type combo default standard var standard( var [a-z-]+)+",
			"option name Hash type spin default 16 min 1 max [0-9]+", "option name Threads type spin default 1 min 1 max [0-9]+",
			"option name MultiPV type spin default 1 min 1 max [0-9]+", "option name Level type spin default 0 min 0 max 10",
			"option name Eval type combo default net var net var hand var first", "option name Seed type spin default 0 min 0 max [0-9]+",
			"option name Off type string default none", "ugiok",
		}},
		{"ready", []string{"isready", "uginewgame", "isready"}, []string{"readyok", "readyok"}},
		{"empty lines and blanks are nothing", []string{"", "   ", "  isready  "}, []string{"readyok"}},
		{"queries at the start", []string{"query p1turn", "query gameover", "query result"}, []string{"response true", "response false", "response none"}},
		{"white to move", []string{"position startpos moves c8c6", "query p1turn"}, []string{"response false"}},
		{"player one has won", []string{"position fen 8/8/8/8/8/8/2xx4/o6o w", "query gameover", "query result"}, []string{"response true", "response p1win"}},
		{"player two has won", []string{"position fen x7/8/8/4o3/8/8/8/x3o2x b moves h1xe1", "query result"}, []string{"response p2win"}},
		{"a draw", []string{"position fen 8/8/2x1oo2/4x3/4o3/8/8/8 b moves c6xe4", "query result"}, []string{"response draw"}},
		{"the same where the mover wins", []string{"setoption name Rules value classic", "position fen 8/8/2x1oo2/4x3/4o3/8/8/8 b moves c6xe4", "query result"}, []string{"response p1win"}},
		{"a win in one", []string{"position fen 8/7o/6o1/4x3/1x3xo1/2x1xoxo/2x1oo2/8 w", "go depth 3"}, []string{"bestmove (e2h5|h3f5|h7h5)"}},
		{"a forced pass", []string{"position fen " + stuck + " b", "go depth 2"}, []string{"bestmove pass"}},
		{
			"a missing pass is inserted",
			[]string{"position fen " + stuck + " b moves b1b3", "query p1turn"},
			[]string{`info string move "b1b3": a forced pass is missing before it, inserted`, "response true"},
		},
		{
			"a finished game",
			[]string{"position fen 8/8/8/8/8/8/2xx4/o6o w", "go depth 2"},
			[]string{"info string go: the game is over: black connected, expected a position with a legal move", "bestmove none"},
		},
		{"a changed option of the rules", []string{"setoption name rules value standard:size=6", "position fen 1xxxx1/o4o/o4o/o4o/o4o/1xxxx1 b moves b1b3", "query p1turn"}, []string{"response false"}},
		{"rules begin a game", []string{"position startpos moves c8c6", "setoption name Rules value mini", "query p1turn", "go depth 1"}, []string{"response true", "bestmove [a-f][1-6][a-f][1-6]"}},
		{"options", []string{"setoption name Hash value 2", "setoption name Threads value 2", "setoption name Level value 3", "setoption name Eval value hand", "go depth 1"}, []string{"bestmove [a-h][1-8][a-h][1-8]"}},
		{"clocks", []string{"go p1time 50 p2time 50 p1inc 0 p2inc 0"}, []string{"bestmove [a-h][1-8][a-h][1-8]"}},
		{"commands wait for the end of a search", []string{"go depth 3", "position startpos moves c8c6", "go nodes 200"}, []string{"bestmove [a-h][18][a-h][1-8]", "bestmove [ah][1-8][a-h][1-8]"}},
		{"an infinite search ends with the input", []string{"go infinite"}, []string{"bestmove [a-h][1-8][a-h][1-8]"}},
		{"quit ends a search", []string{"go", "quit", "isready"}, []string{"bestmove [a-h][1-8][a-h][1-8]"}},
		{"ready during a search", []string{"go infinite", "isready", "query p1turn", "stop"}, []string{"readyok", "response true", "bestmove [a-h][1-8][a-h][1-8]"}},
		{
			"not during an infinite search",
			[]string{"go infinite", "position startpos", "quit"},
			[]string{`info string position "position startpos": a search without a limit is running, expected stop before`, "bestmove [a-h][1-8][a-h][1-8]"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for _, line := range talk(t, test.script...) {
				if !strings.HasPrefix(line, "info depth ") {
					got = append(got, line)
				}
			}
			if len(got) != len(test.want) {
				t.Fatalf("answered\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
			for i, want := range test.want {
				if !regexp.MustCompile("^" + want + "$").MatchString(got[i]) {
					t.Errorf("answered %q, want %q", got[i], want)
				}
			}
		})
	}
}

// TestMalformedLinesChangeNothing sends each bad line after a move: it gets one info string that has the
// offending text, and the game stands as before.
func TestMalformedLinesChangeNothing(t *testing.T) {
	tests := []struct{ line, text string }{
		{"hello", `"hello"`},
		{"go depth", `"depth"`},
		{"go depth x", `"x"`},
		{"go depth 0", `"0"`},
		{"go depth -3", `"-3"`},
		{"go depth 3 depth 4", `"depth"`},
		{"go quickly", `"quickly"`},
		{"go movetime 99999999999999999999", `"99999999999999999999"`},
		{"go p1time 1000", "p2time"}, // White is to move
		{"position", "startpos or fen"},
		{"position middle", `"middle"`},
		{"position fen 8/8 b", `"8/8 b"`},
		{"position fen 8/8/8/8/8/8/8/8 b", "Black has no pieces"},
		{"position fen 8/8/8/8/8/8/8/o6x", "startpos or fen"},
		{"position startpos c8c6", `"c8c6"`},
		{"position startpos moves c8c9", `"c8c9"`},
		{"position startpos moves c8c5", `"c8c5"`},
		{"position startpos moves c8c6 c8c6", `"c8c6"`},
		{"position startpos moves pass", `"pass"`},
		{"setoption", "name NAME value VALUE"},
		{"setoption name Speed value 3", `"Speed"`},
		{"setoption name Hash value lots", `"lots"`},
		{"setoption name Seed value -1", `"-1"`},
		{"setoption name Off value null-move,magic", `"magic"`},
		{"setoption name Level value 11", `"11"`},
		{"setoption name Eval value hands", `"hands"`},
		{"setoption name Rules value chess", `"chess"`},
		{"setoption name Rules value mini:size=8,size=8", `"size=8"`},
		{"query weather", `"weather"`},
		{"query", "p1turn, gameover or result"},
		{strings.Repeat("x", 2*longestLine), "xxx"},
	}
	for _, test := range tests {
		got := talk(t, "position startpos moves c8c6", test.line, "query p1turn", "query result")
		if len(got) != 3 || got[1] != "response false" || got[2] != "response none" {
			t.Errorf("%.40q: answered %q", test.line, got)
			continue
		}
		if !strings.HasPrefix(got[0], "info string ") || !strings.Contains(got[0], test.text) {
			t.Errorf("%.40q: answered %q, want an info string with %s", test.line, got[0], test.text)
		}
	}
}

// TestSeedsAndSwitchesChangeTheSearch: a level plays otherwise by another seed, and every technique can be switched off, all of them back on.
func TestSeedsAndSwitchesChangeTheSearch(t *testing.T) {
	last := func(script ...string) string {
		said := talk(t, script...)
		return said[len(said)-1]
	}
	moves := map[string]bool{}
	for seed := range 8 {
		moves[last("setoption name Level value 1", fmt.Sprintf("setoption name Seed value %d", seed), "go nodes 2000")] = true
	}
	if len(moves) < 3 {
		t.Errorf("8 seeds play only %v", moves)
	}
	nodes := func(script ...string) string {
		said := talk(t, append(script, "go depth 6")...)
		return regexp.MustCompile(`nodes \d+`).FindString(said[len(said)-2])
	}
	whole := nodes()
	if none := nodes("setoption name Off value null-move", "setoption name Off value none"); none != whole {
		t.Errorf("with all back on %s, before %s", none, whole)
	}
	if exact := nodes("setoption name Off value " + engine.Technique(engine.Everything).String()); exact == whole {
		t.Error("nothing was switched off")
	}
}

// TestInfoLines has the exact form of what a search writes.
func TestInfoLines(t *testing.T) {
	move := "([a-h][1-8][a-h][1-8]|pass)"
	form := regexp.MustCompile(`^info depth [0-9]+( multipv [0-9]+)? seldepth [0-9]+ hashfull [0-9]+ wdl [0-9]+ [0-9]+ [0-9]+ score (cp -?[0-9]+|win [0-9]+|loss [0-9]+) nodes [0-9]+ nps [0-9]+ time [0-9]+ pv( ` + move + `)+$`)
	lines := talk(t, "setoption name MultiPV value 3", "go depth 4")
	seen := 0
	for _, line := range lines[:len(lines)-1] {
		if !form.MatchString(line) {
			t.Errorf("%q has the wrong form", line)
		}
		if strings.Contains(line, " seldepth 0 ") {
			t.Errorf("%q looked nowhere", line)
		}
		if strings.HasPrefix(line, "info depth 4 multipv 3 ") {
			seen++
		}
	}
	if seen == 0 {
		t.Errorf("no third line of depth 4 in\n%s", strings.Join(lines, "\n"))
	}
	for _, line := range talk(t, "position fen 8/7o/6ox/4x3/1x4o1/2x1x1xo/2x1ooo1/8 w", "go depth 5") {
		if strings.HasPrefix(line, "info depth 3 ") && !strings.Contains(line, " score win 3 ") {
			t.Errorf("%q does not have the win in three", line)
		}
	}
}

// FuzzInfoRoundTrip: what is written of an info is read as the same.
func FuzzInfoRoundTrip(f *testing.F) {
	f.Add(5, 12, uint64(345), "c8c6")
	f.Add(1, 29995, uint64(1), "pass")
	f.Add(64, -29990, uint64(1<<40), "a1b2")
	f.Fuzz(func(t *testing.T, depth, score int, nodes uint64, move string) {
		m, _, err := loa.ParseMove(move)
		if err != nil || score < -29999 || score > 29999 || depth < 0 || nodes > 1<<62 {
			t.Skip("not an info")
		}
		info := engine.Info{Line: engine.Line{Score: engine.Score(score), PV: []loa.Move{m}}, MultiPV: 1, Depth: depth, Nodes: nodes}
		got, err := parseInfo(formatInfo(info, 0))
		if err != nil || got.Score != info.Score || got.Depth != depth || got.Nodes != nodes || len(got.PV) != 1 || got.PV[0] != m {
			t.Fatalf("%+v came back as %+v, %v", info, got, err)
		}
	})
}

// FuzzServerSurvives sends anything: no line may crash the server, and it answers afterwards.
func FuzzServerSurvives(f *testing.F) {
	f.Add("position fen 8/8/8/8/8/8/8/8 b\ngo depth 1\nsetoption name Level value")
	f.Add("go p1time\x00 5\nposition startpos moves pass pass\nquery \xff")
	f.Fuzz(func(t *testing.T, script string) {
		for _, word := range []string{"go", "quit", "Threads", "Hash", "threads", "hash"} {
			if strings.Contains(script, word) {
				t.Skip("searches and large tables take their time")
			}
		}
		got := talk(t, script, "isready")
		if got[len(got)-1] != "readyok" {
			t.Fatalf("answered %q", got)
		}
	})
}

// TestServeEndsWithContext: nothing is read any more, and a search answers before the end.
func TestServeEndsWithContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	in, feed := io.Pipe()
	out, answers := io.Pipe()
	served := make(chan error)
	go func() {
		err := Serve(ctx, in, answers, testIdentity, testOptions)
		answers.Close()
		served <- err
	}()
	if _, err := io.WriteString(feed, "go infinite\n"); err != nil {
		t.Fatal(err)
	}
	var last string
	for lines := bufio.NewScanner(out); lines.Scan(); last = lines.Text() {
		cancel()
	}
	if err := <-served; err != nil || !strings.HasPrefix(last, "bestmove ") {
		t.Errorf("ended with %q, %v", last, err)
	}
	feed.Close()
}

// pair returns a client and a server connected by pipes.
func pair(t *testing.T) *Client {
	t.Helper()
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	go func() {
		out.CloseWithError(Serve(context.Background(), in, out, testIdentity, testOptions))
	}()
	c, err := NewClient(context.Background(), fromServer, toServer)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// TestClientPlaysWholeGames plays both sides through the protocol, by several rule sets, to the end.
func TestClientPlaysWholeGames(t *testing.T) {
	ctx := context.Background()
	c := pair(t)
	if c.Name != "Test" || c.Author != "Nobody" || len(c.Options) != 8 {
		t.Errorf("greeted by %+v with options %q", c.Identity, c.Options)
	}
	for _, text := range []string{"mini", "misere:cap=60", "classic:size=5", "openspiel:size=4"} {
		rules, err := loa.ParseRules(text)
		if err != nil {
			t.Fatal(err)
		}
		g, err := loa.NewGame(rules)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.NewGame(ctx); err != nil {
			t.Fatal(err)
		}
		for !g.Outcome().Over() && g.Plies() < 100 {
			m, info, err := c.Search(ctx, g, engine.Limits{Nodes: 300}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if len(info.PV) == 0 || info.PV[0] != m {
				t.Errorf("%v: %v played, info has %v", g.Position(), m, info.PV)
			}
			if err := g.Play(m); err != nil {
				t.Fatal(err)
			}
		}
		if err := c.Position(ctx, g); err != nil {
			t.Fatal(err)
		}
		if got, err := c.Query(ctx, "gameover"); err != nil || got != fmt.Sprint(g.Outcome().Over()) {
			t.Errorf("%s: gameover %q, %v, want %v", text, got, err, g.Outcome())
		}
	}
}

// TestClientStopsSearch: a context that ends still gets a move.
func TestClientStopsSearch(t *testing.T) {
	c := pair(t)
	g, err := loa.NewGame(loa.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	m, _, err := c.Search(ctx, g, engine.Limits{Infinite: true}, func(engine.Info) { cancel() })
	if err != nil || !g.Position().IsLegal(m) {
		t.Errorf("%v, %v", m, err)
	}
}

// TestClientHearsRemarks: what the server complains of reaches the driver.
func TestClientHearsRemarks(t *testing.T) {
	c := pair(t)
	var remarks []string
	c.Remark = func(text string) { remarks = append(remarks, text) }
	if err := c.SetOption(context.Background(), "Level", "eleven"); err != nil {
		t.Fatal(err)
	}
	if len(remarks) != 1 || !strings.Contains(remarks[0], `"eleven"`) {
		t.Errorf("heard %q", remarks)
	}
}

// TestStartRunsCommand drives this very program.
func TestStartRunsCommand(t *testing.T) {
	t.Setenv("UGI_SERVE", "1")
	ctx := t.Context()
	c, err := Start(ctx, os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	g, err := loa.NewGame(loa.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	clock := &engine.Clock{Left: 100e6, OpponentLeft: 100e6}
	if m, _, err := c.Search(ctx, g, engine.Limits{Clock: clock, Depth: 3}, nil); err != nil || !g.Position().IsLegal(m) {
		t.Errorf("%v, %v", m, err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if _, err := Start(ctx, "/nonexistent/engine"); err == nil {
		t.Error("a command that does not exist was started")
	}
}
