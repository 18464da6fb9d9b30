package engine

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/linesofaction/loa"
)

// forcedWin is a line of testdata/forced_wins.txt.
type forcedWin struct {
	position, source string
	plies            int
}

func forcedWins(t testing.TB) []forcedWin {
	t.Helper()
	text, err := os.ReadFile("testdata/forced_wins.txt")
	if err != nil {
		t.Fatal(err)
	}
	var wins []forcedWin
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Split(strings.TrimSpace(line), " | ")
		plies, err := strconv.Atoi(fields[1])
		if err != nil {
			t.Fatal(err)
		}
		wins = append(wins, forcedWin{fields[0], fields[3], plies})
	}
	if len(wins) == 0 {
		t.Fatal("no forced wins in testdata/forced_wins.txt")
	}
	return wins
}

// TestForcedWinsAreFound at full strength, none reported shorter than the shortest there is.
func TestForcedWinsAreFound(t *testing.T) {
	e := New(Options{Hash: 4})
	for _, win := range forcedWins(t) {
		e.Reset()
		result, err := e.Search(context.Background(), mustGame(t, "standard", win.position), Limits{Nodes: 200_000}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if plies, forced := result.Score.Plies(); !forced || plies < win.plies {
			t.Errorf("%s (%s): %v at depth %d, want win %d", win.position, win.source, result.Score, result.Depth, win.plies)
		}
	}
}

// TestExactSearchFindsShortestWin: with every technique off the shortest win is found at its own depth.
func TestExactSearchFindsShortestWin(t *testing.T) {
	e := New(Options{}.Exact())
	for _, win := range forcedWins(t) {
		if win.plies > 3 {
			continue
		}
		result, err := e.Search(context.Background(), mustGame(t, "standard", win.position), Limits{Depth: win.plies}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if result.Score != WinIn(win.plies) {
			t.Errorf("%s (%s): %v, want win %d", win.position, win.source, result.Score, win.plies)
		}
	}
}

// TestOutcomesInSearch has positions whose value follows from the rules alone.
func TestOutcomesInSearch(t *testing.T) {
	const (
		both  = "8/8/x7/8/2x5/1o1o4/8/8 b"
		stuck = "6ox/6oo/8/8/8/8/oo6/xo6 b"
	)
	tests := []struct {
		name, rules, position string
		moves                 []string
		depth                 int
		want                  Score
		best                  string // any where empty
	}{
		{"the mover wins when both connect", "classic", both, nil, 1, WinIn(1), ""},
		{"a side without a move passes", "standard:cap=1", stuck, nil, 3, 0, "pass"},
		{"the last ply of the cap", "standard:cap=3", "", []string{"c8c6", "a6c4"}, 3, 0, ""},
		{"a win on the last ply of the cap", "standard:cap=1", "8/7o/6o1/4x3/1x3xo1/2x1xoxo/2x1oo2/8 w", nil, 3, WinIn(1), ""},
	}
	for _, test := range tests {
		e := New(Options{Hash: 1}.Exact())
		result, err := e.Search(context.Background(), mustGame(t, test.rules, test.position, test.moves...), Limits{Depth: test.depth}, nil)
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		if result.Score != test.want {
			t.Errorf("%s: %v, want %v", test.name, result.Score, test.want)
		}
		if test.best != "" && result.BestMove.String() != test.best {
			t.Errorf("%s: %v, want %s", test.name, result.BestMove, test.best)
		}
	}
}

// TestSearchOfFinishedGame is refused.
func TestSearchOfFinishedGame(t *testing.T) {
	g := mustGame(t, "standard", "x7/8/8/4o3/8/8/8/x3o2x b", "h1xe1")
	if _, err := New(Options{Hash: 1}).Search(context.Background(), g, Limits{Depth: 1}, nil); !errors.Is(err, ErrGameOver) {
		t.Errorf("got %v, want ErrGameOver", err)
	}
}

// FuzzSearchIsLegal searches random games by random rules with few nodes, at every level and with any techniques:
// the move and every best line can be played.
func FuzzSearchIsLegal(f *testing.F) {
	for seed := range uint64(60) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 6))
		g := randomGame(t, r, loa.MaxSize)
		e := New(Options{Hash: 1, Level: r.IntN(MaxLevel + 1), MultiPV: 1 + r.IntN(4), Seed: seed, Off: Technique(r.IntN(Everything + 1))})
		for range 4 {
			plies, now := g.Plies(), g.Position()
			result, err := e.Search(context.Background(), g, Limits{Nodes: 1 + uint64(r.IntN(3000))}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if g.Plies() != plies || !g.Position().Same(now) {
				t.Fatal("the search changed the game")
			}
			for _, line := range result.Lines {
				playLine(t, g.Clone(), line)
			}
			if err := g.Play(result.BestMove); err != nil {
				t.Fatalf("%v under %v: %v", now, g.Rules(), err)
			}
			if g.Outcome().Over() {
				return
			}
		}
	})
}

// playLine plays a best line as far as the game goes.
func playLine(t *testing.T, g *loa.Game, line Line) {
	t.Helper()
	start := g.Position()
	for _, m := range line.PV {
		if err := g.Play(m); err != nil {
			t.Fatalf("%v under %v: line %v: %v", start, g.Rules(), line.PV, err)
		}
	}
}

// TestSearchIsReproducible: the same searches in the same order give the same, with one thread.
func TestSearchIsReproducible(t *testing.T) {
	run := func() (results []Result) {
		e := New(Options{Hash: 1, MultiPV: 2})
		g := mustGame(t, "standard", "")
		for range 4 {
			result, err := e.Search(context.Background(), g, Limits{Nodes: 20_000}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if result.Nodes > 20_000 {
				t.Errorf("%d nodes, the limit is 20000", result.Nodes)
			}
			result.Time, result.NPS = 0, 0
			results = append(results, result)
			if err := g.Play(result.BestMove); err != nil {
				t.Fatal(err)
			}
		}
		return results
	}
	first, second := run(), run()
	for i := range first {
		if first[i].BestMove != second[i].BestMove || first[i].Nodes != second[i].Nodes || first[i].Score != second[i].Score || !slices.Equal(first[i].PV, second[i].PV) {
			t.Errorf("search %d: %+v, then %+v", i, first[i], second[i])
		}
	}
}

// TestMultiPV: as many different lines as asked for, the best first.
func TestMultiPV(t *testing.T) {
	g := mustGame(t, "standard", "")
	result, err := New(Options{Hash: 1}).Search(context.Background(), g, Limits{Depth: 4, MultiPV: 5}, nil)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[loa.Move]bool{}
	for i, line := range result.Lines {
		if seen[line.PV[0]] || i > 0 && line.Score > result.Lines[i-1].Score {
			t.Errorf("line %d of %+v", i+1, result.Lines)
		}
		seen[line.PV[0]] = true
	}
	if len(result.Lines) != 5 {
		t.Errorf("%d lines, want 5", len(result.Lines))
	}
	if result.BestMove != result.Lines[0].PV[0] || result.Score != result.Lines[0].Score {
		t.Errorf("the best line is not the first: %+v", result)
	}
}

// TestInfiniteSearchWaitsForContext even when it has found a forced win, and ends with it.
func TestInfiniteSearchWaitsForContext(t *testing.T) {
	g := mustGame(t, "standard", "8/7o/6ox/4x3/1x4o1/2x1x1xo/2x1ooo1/8 w")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	reports := 0
	result, err := New(Options{Hash: 1}).Search(ctx, g, Limits{Infinite: true}, func(info Info) {
		if reports++; info.Depth > 4 {
			cancel()
		}
	})
	if err != nil || result.Score != WinIn(3) || reports < 5 {
		t.Errorf("%+v, %v after %d reports", result, err, reports)
	}
}

// TestDoneContextStillGetsMove: whoever gives up gets a legal move.
func TestDoneContextStillGetsMove(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	g := mustGame(t, "standard", "")
	for _, limits := range []Limits{{Infinite: true}, {MoveTime: time.Hour}, {}} {
		result, err := New(Options{Hash: 1, Threads: 2}).Search(ctx, g, limits, nil)
		if err != nil || !g.Position().IsLegal(result.BestMove) {
			t.Errorf("%+v, %v", result, err)
		}
	}
}

// TestThreadsShareWork: several threads find the same wins, and count all their nodes.
func TestThreadsShareWork(t *testing.T) {
	e := New(Options{Threads: 3})
	for _, win := range forcedWins(t) {
		if win.plies != 5 {
			continue
		}
		result, err := e.Search(context.Background(), mustGame(t, "standard", win.position), Limits{Depth: 14}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if plies, forced := result.Score.Plies(); !forced || plies < win.plies {
			t.Errorf("%s (%s): %v, want win %d", win.position, win.source, result.Score, win.plies)
		}
	}
}

// TestEnginesAreIndependent: two engines search at the same time and find what each finds alone.
func TestEnginesAreIndependent(t *testing.T) {
	search := func(g *loa.Game) uint64 {
		result, err := New(Options{Hash: 1}).Search(context.Background(), g, Limits{Depth: 5}, nil)
		if err != nil {
			t.Error(err)
		}
		return result.Nodes
	}
	games := []*loa.Game{mustGame(t, "standard", ""), mustGame(t, "misere", ""), mustGame(t, "mini", "")}
	together := make(chan uint64)
	for _, g := range games {
		go func() { together <- search(g) }()
	}
	var sum uint64
	for range games {
		sum += <-together
	}
	for _, g := range games {
		sum -= search(g)
	}
	if sum != 0 {
		t.Error("searches at the same time went another way than one after the other")
	}
}

// TestRulesChangeForgetsTable: a value under one rule set must not serve another.
func TestRulesChangeForgetsTable(t *testing.T) {
	const both = "8/8/x7/8/2x5/1o1o4/8/8 b"
	e := New(Options{Hash: 1})
	for range 2 {
		for rules, wins := range map[string]bool{"standard": false, "classic": true} {
			result, err := e.Search(context.Background(), mustGame(t, rules, both), Limits{Depth: 1}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if (result.Score == WinIn(1)) != wins {
				t.Errorf("%s: %v", rules, result.Score)
			}
		}
	}
}

func BenchmarkSearch(b *testing.B) {
	g := mustGame(b, "standard", "")
	e := New(Options{})
	var nodes uint64
	for b.Loop() {
		e.Reset()
		result, err := e.Search(context.Background(), g, Limits{Nodes: 500_000}, nil)
		if err != nil {
			b.Fatal(err)
		}
		nodes += result.Nodes
	}
	b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "nodes/s")
}

// TestZugzwangIsSeen: where connecting loses a side may be lost because it has to move, which a search that tries a null move
// could miss. What a plain search sees to be lost a search with everything, three plies deeper, sees as well.
func TestZugzwangIsSeen(t *testing.T) {
	chance := rand.New(rand.NewPCG(5, 6))
	plain, full := New(Options{Hash: 1}.Exact()), New(Options{Hash: 1, Off: RootProofs})
	for lost := 0; lost < 10; {
		g, err := loa.NewGame(loa.Rules{Goal: loa.GoalMisere, Size: 4, Start: loa.StartRandom, Seed: chance.Uint64()})
		if err != nil {
			t.Fatal(err)
		}
		for range chance.IntN(14) {
			if !g.Outcome().Over() {
				moves := g.Moves(nil)
				if err := g.Play(moves[chance.IntN(len(moves))]); err != nil {
					t.Fatal(err)
				}
			}
		}
		if g.Outcome().Over() {
			continue
		}
		want, err := plain.Search(context.Background(), g, Limits{Depth: 4}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if plies, forced := want.Score.Plies(); !forced || plies > -2 {
			continue
		}
		lost++
		got, err := full.Search(context.Background(), g, Limits{Depth: 7}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, forced := got.Score.Plies(); !forced || got.Score > 0 {
			t.Errorf("%s: %s, a plain search says %s", g.Position(), got.Score, want.Score)
		}
	}
}
