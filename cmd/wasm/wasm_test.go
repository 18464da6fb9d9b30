//go:build !js

package main

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/linesofaction/loa/internal/wire"
)

// peer is an engine to talk to.
type peer struct {
	ask  func(wire.Ask)
	said <-chan []byte
}

// native returns the session of this very program.
func native(tb testing.TB) peer {
	tb.Helper()
	said := make(chan []byte, 1000)
	s := newSession(func(message []byte) { said <- message }, nil, nil)
	go s.run()
	tb.Cleanup(func() {
		s.cancel()
		close(s.jobs)
	})
	return ready(tb, peer{s.hear, said})
}

// webAssembly returns the same program built for the browser, running in Node.js.
func webAssembly(tb testing.TB) peer { return start(tb, browser(tb)) }

// browser builds the program for the browser and returns the command line that runs it in Node.js.
func browser(tb testing.TB) []string {
	tb.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		tb.Skip("there is no Node.js to run WebAssembly with")
	}
	program := filepath.Join(tb.TempDir(), "loa.wasm")
	build := exec.Command("go", "build", "-o", program, ".")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if out, err := build.CombinedOutput(); err != nil {
		tb.Fatalf("%v: %s", err, out)
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		tb.Fatal(err)
	}
	return []string{node, "testdata/run.mjs", filepath.Join(strings.TrimSpace(string(root)), "lib/wasm/wasm_exec.js"), program, "../../engine/nnue", "../../engine/book"}
}

func start(tb testing.TB, command []string) peer {
	tb.Helper()
	run := exec.Command(command[0], command[1:]...)
	run.Stderr = os.Stderr
	in, err := run.StdinPipe()
	if err != nil {
		tb.Fatal(err)
	}
	out, err := run.StdoutPipe()
	if err != nil {
		tb.Fatal(err)
	}
	if err := run.Start(); err != nil {
		tb.Fatal(err)
	}
	said := make(chan []byte, 1000)
	go func() {
		defer close(said)
		lines := bufio.NewReader(out)
		for {
			line, err := lines.ReadBytes('\n')
			if err != nil {
				return
			}
			said <- line
		}
	}()
	tb.Cleanup(func() {
		in.Close()
		for range said { // until it has ended
		}
		if err := run.Wait(); err != nil {
			tb.Error(err)
		}
	})
	ask := func(ask wire.Ask) {
		line, err := json.Marshal(ask)
		if err == nil {
			_, err = io.WriteString(in, string(line)+"\n")
		}
		if err != nil {
			tb.Error(err)
		}
	}
	return ready(tb, peer{ask, said})
}

func ready(tb testing.TB, p peer) peer {
	tb.Helper()
	p.until(tb, wire.KindReady)
	return p
}

// message is any message of the engine, without what depends on the machine.
type message map[string]any

func (m message) is(kind string) bool { return m["type"] == kind }

// until returns the messages up to the first of a kind.
func (p peer) until(tb testing.TB, kind string) (all []message) {
	tb.Helper()
	for {
		select {
		case line, ok := <-p.said:
			if !ok {
				tb.Fatalf("ended before it said %q, after %v", kind, all)
			}
			var m message
			if err := json.Unmarshal(line, &m); err != nil {
				tb.Fatalf("%s: %v", line, err)
			}
			if m["v"] != float64(wire.Version) {
				tb.Fatalf("version %v", m["v"])
			}
			delete(m, "nps")
			delete(m, "time")
			all = append(all, m)
			if m.is(kind) {
				return all
			}
			if m.is(wire.KindWrong) {
				tb.Fatalf("wrong: %v", m["text"])
			}
		case <-time.After(time.Minute):
			tb.Fatalf("nothing said for a minute after %v", all)
		}
	}
}

// searches are positions of different kinds with a number of nodes.
var searches = []struct {
	set   wire.Ask
	nodes uint64
}{
	{wire.Ask{Rules: "standard"}, 60_000},
	{wire.Ask{Rules: "standard", Moves: []string{"b1-b3", "a3xc1"}}, 60_000},
	{wire.Ask{Rules: "standard", Start: "1x6/2o4o/3xoxxo/6xo/3xo1xx/5xxo/7o/8 b"}, 60_000},
	{wire.Ask{Rules: "openspiel", Start: "5x2/o2xx1o1/3o2o1/2xoo1x1/2x2ox1/o1xx2o1/3oo3/4x3 w"}, 30_000},
	{wire.Ask{Rules: "misere", Start: "2x1x3/1o1x2o1/o2xo2o/3ox3/2xo1x2/o2x3o/3o2x1/2x5 w"}, 30_000},
	{wire.Ask{Rules: "no-capture"}, 30_000},
	{wire.Ask{Rules: "mini"}, 30_000},
	{wire.Ask{Rules: "standard", Level: 5}, 0},
	{wire.Ask{Rules: "standard", Level: 5, Seed: 3}, 0},
	{wire.Ask{Rules: "standard", Level: 9, Seed: 3}, 0}, // by the book
}

func (p peer) search(tb testing.TB, set wire.Ask, limits wire.Ask) []message {
	tb.Helper()
	set.V, set.Type, set.Fresh = wire.Version, wire.KindSet, true
	p.ask(set)
	all := p.until(tb, wire.KindStanding)
	limits.V, limits.Type = wire.Version, wire.KindSearch
	p.ask(limits)
	return append(all, p.until(tb, wire.KindBest)...)
}

// TestWebAssemblyGivesTheSameAnswers: positions, scores, lines and node counts are those of the native program.
func TestWebAssemblyGivesTheSameAnswers(t *testing.T) {
	here, browser := native(t), webAssembly(t)
	for i, s := range searches {
		limits := wire.Ask{ID: i + 1, Nodes: s.nodes, Lines: 1 + i%2}
		want, got := here.search(t, s.set, limits), browser.search(t, s.set, limits)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s %s: got %v, want %v", s.set.Rules, s.set.Start, got, want)
		}
	}
}

// TestGamesWithAComputerDiffer: a seed chooses among the moves of a level, those of the book included.
func TestGamesWithAComputerDiffer(t *testing.T) {
	p := webAssembly(t)
	for _, level := range []int{2, 9} {
		moves := map[any]bool{}
		for seed := range uint64(8) {
			for range 2 { // the same seed plays the same game
				said := p.search(t, wire.Ask{Rules: "standard", Level: level, Seed: seed}, wire.Ask{ID: 1})
				moves[[2]any{seed, said[len(said)-1]["move"]}] = true
			}
		}
		if len(moves) != 8 {
			t.Errorf("level %d plays otherwise with the same seed: %v", level, moves)
		}
		first := map[any]bool{}
		for of := range moves {
			first[of.([2]any)[1]] = true
		}
		if len(first) < 3 {
			t.Errorf("level %d with 8 seeds begins only with %v", level, first)
		}
	}
}

// TestExplanationsAreTheSame, and have all that a page shows: the ways of each side, a threat, and a move that gave the game away.
func TestExplanationsAreTheSame(t *testing.T) {
	moves := strings.Fields("c8-c6 h4-f2 g8-g6 h2-e2 b1-e4 a6-d3 c1-c3 a3-c5 e1-b4 a7-e3 f8xc5 a4-a1 d8-e7 a1xc3 e8xe3 a2-d2 " +
		"b8-b6 h5-e5 f1-c1 a5-a4 g1-g3 a4xc6 c5xe5 c6xe4 c1xc3 h6xe3 b6xe3 e4-g4 e7-f6 d2-g2 f6-h6") // of a recorded game, the last one loses
	set := wire.Ask{V: wire.Version, Type: wire.KindSet, Rules: "standard", Moves: moves}
	explain := func(p peer) message {
		p.ask(set)
		p.until(t, wire.KindStanding)
		p.ask(wire.Ask{V: wire.Version, Type: wire.KindExplain, ID: 7, Nodes: 20_000})
		said := p.until(t, wire.KindExplained)
		if !said[len(said)-2].is(wire.KindBest) {
			t.Errorf("%v before the explanation", said[len(said)-2])
		}
		return said[len(said)-1]
	}
	want, got := explain(native(t)), explain(webAssembly(t))
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	played, _ := want["played"].(map[string]any)
	if want["ways"] == nil || want["threat"] != 1. || played["move"] != "f6-h6" || played["allows"] == nil {
		t.Errorf("%v", want)
	}
}

// TestPuzzlesAreJudgedTheSame, and as the server judges them: right so far, solved, wrong with what refutes it, shown.
func TestPuzzlesAreJudgedTheSame(t *testing.T) {
	here, browser := native(t), webAssembly(t)
	z := wire.Ask{
		V: wire.Version, Type: wire.KindTry, Puzzle: "rq2chmt", Start: "8/7o/6xx/4x3/1x4o1/2xox1xo/4ooo1/3x4 w",
		Solution: strings.Fields("d3xg6 d1-c2 f2-f3 c2-c4 e2-h5"),
	}
	for i, test := range []struct {
		moves  string
		show   bool
		result string
		plies  int
	}{
		{"", false, wire.TryRight, 0},
		{"d3xg6", false, wire.TryRight, 2},
		{"d3xg6 f2-f3 e2-h5", false, wire.TrySolved, 5},
		{"d3-d5", false, wire.TryWrong, 2},
		{"", true, wire.TryShown, 5},
	} {
		z.ID, z.Moves, z.Show = i+1, strings.Fields(test.moves), test.show
		here.ask(z)
		browser.ask(z)
		want, got := here.until(t, wire.KindTried)[0], browser.until(t, wire.KindTried)[0]
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%q: got %v, want %v", test.moves, got, want)
		}
		if plies, _ := want["plies"].([]any); want["result"] != test.result || want["id"] != float64(i+1) || len(plies) != test.plies {
			t.Errorf("%q: %v", test.moves, want)
		}
	}
}

// TestWhatWouldMakeTheDownloadLargeIsLeftOut: each of these is 40 kB or more, and easily comes with another package.
func TestWhatWouldMakeTheDownloadLargeIsLeftOut(t *testing.T) {
	list := exec.Command("go", "list", "-deps", ".")
	list.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, large := range []string{"crypto/sha256", "encoding/json", "regexp", "net/http"} {
		if slices.Contains(strings.Fields(string(out)), large) {
			t.Errorf("the browser's engine depends on %s; the constraint !js keeps a file out of it", large)
		}
	}
}

// TestStopEndsASearchWithoutEnd: a message arrives while the engine thinks, also where there is one thread.
func TestStopEndsASearchWithoutEnd(t *testing.T) {
	for name, begin := range map[string]func(testing.TB) peer{"native": native, "WebAssembly": webAssembly} {
		t.Run(name, func(t *testing.T) {
			p := begin(t)
			p.ask(wire.Ask{V: wire.Version, Type: wire.KindSet, Rules: "standard"})
			p.until(t, wire.KindStanding)
			for _, last := range []string{wire.KindStop, wire.KindSet, wire.KindSearch} {
				p.ask(wire.Ask{V: wire.Version, Type: wire.KindSearch, ID: 1, Infinite: true})
				p.until(t, wire.KindInfo)
				p.ask(wire.Ask{V: wire.Version, Type: last, Rules: "standard", ID: 2, Depth: 1})
				said := p.until(t, wire.KindBest)
				if best := said[len(said)-1]; best["id"] != 1. || best["move"] == "" {
					t.Errorf("after %s: %v", last, best)
				}
				if last == wire.KindSearch {
					p.until(t, wire.KindBest)
				}
			}
		})
	}
}

// TestWrongMessagesChangeNothing: each is answered with what was wrong, and the game stands as before.
func TestWrongMessagesChangeNothing(t *testing.T) {
	for _, p := range []peer{native(t), webAssembly(t)} {
		tests := []struct {
			ask  wire.Ask
			want string
		}{
			{wire.Ask{Type: "search"}, "expected set"},
			{wire.Ask{Type: "explain"}, "expected set"},
			{wire.Ask{Type: "set", Rules: "chess"}, `"chess"`},
			{wire.Ask{Type: "set", Rules: "standard"}, ""},
			{wire.Ask{Type: "set", Rules: "standard", Start: "8/8 b"}, "8/8"},
			{wire.Ask{Type: "set", Rules: "standard", Moves: []string{"b1-b3", "a1-a8"}}, "a1a8"},
			{wire.Ask{Type: "set", Rules: "standard", Level: 11}, "level 11: expected 0 to 10"},
			{wire.Ask{Type: "play", Move: "b1xb3"}, "b1xb3"},
			{wire.Ask{Type: "play", Move: "\"\n"}, `"\"\n"`},
			{wire.Ask{Type: "dance"}, `"dance"`},
			{wire.Ask{Type: "try", Start: "8/8 b"}, "8/8"},
			{wire.Ask{Type: "try", Start: "8/7o/6xx/4x3/1x4o1/2xox1xo/4ooo1/3x4 w", Solution: []string{"z9"}}, "z9"},
			{wire.Ask{Type: "try", Start: "8/7o/6xx/4x3/1x4o1/2xox1xo/4ooo1/3x4 w", Moves: []string{"d3-d4"}}, "d3"},
		}
		for _, test := range tests {
			test.ask.V = wire.Version
			p.ask(test.ask)
			if test.want == "" {
				p.until(t, wire.KindStanding)
				continue
			}
			var wrong wire.Wrong
			if err := json.Unmarshal(<-p.said, &wrong); err != nil || wrong.Type != wire.KindWrong || !strings.Contains(wrong.Text, test.want) {
				t.Errorf("%+v: %+v, %v; want a text with %s", test.ask, wrong, err, test.want)
			}
		}
		p.ask(wire.Ask{V: wire.Version, Type: wire.KindPlay, Move: "b1-b3"})
		if standing := p.until(t, wire.KindStanding)[0]; standing["plies"] != 1. {
			t.Errorf("%v", standing)
		}
	}
}

func benchmark(b *testing.B, p peer) {
	nodes := 0.
	for b.Loop() {
		said := p.search(b, searches[1].set, wire.Ask{Nodes: 500_000})
		nodes += said[len(said)-1]["nodes"].(float64)
	}
	b.ReportMetric(nodes/b.Elapsed().Seconds(), "nodes/s")
}

func BenchmarkNative(b *testing.B)      { benchmark(b, native(b)) }
func BenchmarkWebAssembly(b *testing.B) { benchmark(b, webAssembly(b)) }

// BenchmarkStart is the time from a new process of Node.js to the first answer.
func BenchmarkStart(b *testing.B) {
	command := browser(b)
	for b.Loop() {
		start(b, command).search(b, searches[0].set, wire.Ask{Nodes: 1})
	}
}
