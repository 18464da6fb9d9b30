package duel

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/engine"
	"github.com/linesofaction/loa/ugi"
)

// role is the environment variable under which this test program plays a program that is driven.
const role = "LOA_DUEL_ROLE"

func TestMain(m *testing.M) {
	if os.Getenv(role) == "" {
		os.Exit(m.Run())
	}
	switch os.Getenv(role) {
	case "good":
		serve(os.Stdout)
		return
	case "talkative":
		serve(talkative{})
		return
	case "parent":
		if err := os.Setenv(role, "child"); err != nil {
			os.Exit(1)
		}
		child := exec.Command(os.Args[0])
		child.Stdout = os.Stdout
		if child.Run() != nil {
			os.Exit(1)
		}
		return
	case "child":
		forever := make(chan os.Signal, 1)
		signal.Notify(forever)
		for {
			<-forever
		}
	}
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		switch text := lines.Text(); {
		case text == "ugi":
			fmt.Println("ugiok")
		case text == "isready":
			fmt.Println("readyok")
		case text == "quit" && os.Getenv(role) != "silent":
			return
		case !strings.HasPrefix(text, "go"):
		case os.Getenv(role) == "crash":
			os.Exit(3)
		case os.Getenv(role) == "illegal":
			fmt.Println("bestmove a1a1")
		case os.Getenv(role) == "long":
			fmt.Println("bestmove", strings.Repeat("z", 1<<20))
		case os.Getenv(role) == "flood":
			for {
				fmt.Println("info depth 1 score cp 3")
			}
		}
	}
}

func serve(out io.Writer) {
	if ugi.Serve(context.Background(), os.Stdin, out, ugi.Identity{Name: "good"}, engine.Options{Hash: 1}) != nil {
		os.Exit(1)
	}
}

// talkative puts what other engines write around the moves.
type talkative struct{}

func (talkative) Write(line []byte) (int, error) {
	if move, ok := strings.CutPrefix(string(line), "bestmove "); ok {
		fmt.Printf("info string %s\ninfo depth 1 currmove %s", strings.Repeat("z", 1<<20), move)
		fmt.Println("info depth deep\ninfo depth 2 score cp 31 lowerbound")
		fmt.Printf("bestmove %s ponder a1a2\n", strings.TrimSpace(move))
		return len(line), nil
	}
	return os.Stdout.Write(line)
}

// TestFaultsOfProgramsAreScored: whatever a program does wrong loses its game and is told, and the series goes on.
func TestFaultsOfProgramsAreScored(t *testing.T) {
	for _, test := range []struct {
		role, fault string
		wins        int
	}{
		{"good", "", 0},
		{"talkative", "", 0},
		{"crash", "the engine has ended: exit status 3", 4},
		{"illegal", "a1a1", 4},
		{"long", "zzz…", 4},
		{"flood", "no answer within", 4},
		{"silent", "no answer within", 4},
		{"parent", "no answer within", 4},
	} {
		t.Run(test.role, func(t *testing.T) {
			t.Setenv(role, test.role)
			patience := 10 * time.Second
			if strings.HasPrefix(test.fault, "no answer") {
				patience = 300 * time.Millisecond
			}
			program := func() Player {
				return Program([]string{os.Args[0]}, engine.Limits{Nodes: 50}, patience)
			}
			series := Series{Players: [2]func() Player{Greedy, program}, Openings: openings(t, 2)}
			series.Each = func(g Game, _ Score) error {
				if !strings.Contains(g.Fault, test.fault) || len(g.Fault) > 300 || (g.Fault == "") != (test.fault == "") {
					t.Errorf("game %d: fault %q, want %q", g.Number, g.Fault, test.fault)
				}
				return nil
			}
			score, err := series.Run(context.Background())
			if err != nil || score.Games() != 4 || test.wins > 0 && score.Wins != test.wins {
				t.Errorf("%v, %v", score, err)
			}
		})
	}
}

// TestProgramThatIsNotThereLoses.
func TestProgramThatIsNotThereLoses(t *testing.T) {
	missing := func() Player {
		return Program([]string{filepath.Join(t.TempDir(), "missing")}, engine.Limits{}, time.Second)
	}
	series := Series{Players: [2]func() Player{missing, Greedy}, Openings: openings(t, 1)}
	if score, err := series.Run(context.Background()); err != nil || score.Losses != 2 {
		t.Errorf("%v, %v", score, err)
	}
}

// TestInterruptIsNobodysFault: a program that an interrupt ends while a game begins has not lost it.
func TestInterruptIsNobodysFault(t *testing.T) {
	t.Setenv(role, "child")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	program := func() Player {
		cancel()
		return Program([]string{os.Args[0]}, engine.Limits{}, time.Minute)
	}
	series := Series{Players: [2]func() Player{program, Greedy}, Openings: openings(t, 1), Each: func(g Game, _ Score) error {
		t.Errorf("%+v", g)
		return nil
	}}
	if score, err := series.Run(ctx); err != context.Canceled || score.Games() != 0 {
		t.Errorf("%v, %v", score, err)
	}
	game := openings(t, 1)[0]
	if _, err := Play(ctx, [2]Player{program(), Greedy()}, game); err == nil || errors.As(err, new(*Fault)) {
		t.Errorf("%v", err)
	}
}

// TestRecordGoesOnWhereItEnded, although the program was killed while writing.
func TestRecordGoesOnWhereItEnded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games")
	terms := Terms{A: "greedy", B: "resting", Games: 6}
	games := openings(t, 3)
	players := [2]func() Player{Greedy, func() Player { return resting{} }}
	play := func(most int) (Score, int) {
		t.Helper()
		record, played, err := OpenRecord(path, terms, games)
		if err != nil {
			t.Fatal(err)
		}
		defer record.Close()
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		fresh := 0
		series := Series{Players: players, Openings: games, Played: played, Each: func(g Game, _ Score) error {
			if fresh++; fresh == most {
				cancel()
			}
			return record.Add(g)
		}}
		score, err := series.Run(ctx)
		if err != nil && err != context.Canceled {
			t.Fatal(err)
		}
		return score, fresh
	}
	if _, fresh := play(3); fresh != 3 {
		t.Fatalf("played %d games", fresh)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(text, `{"game":`...), 0o644); err != nil {
		t.Fatal(err)
	}
	score, fresh := play(0)
	again, none := play(0)
	if fresh != 3 || score.Games() != 6 || none != 0 || again != score {
		t.Errorf("%d fresh games, %v; then %d, %v", fresh, score, none, again)
	}

	for name, change := range map[string]func(string) string{
		"no winner":     func(text string) string { return strings.Replace(text, `"winner":"a"`, `"winner":"c"`, 1) },
		"another color": func(text string) string { return strings.Replace(text, `"black":"a"`, `"black":"b"`, 1) },
		"no such game":  func(text string) string { return strings.Replace(text, `"game":0`, `"game":6`, 1) },
		"twice":         func(text string) string { return text + text[strings.LastIndex(text[:len(text)-1], "\n")+1:] },
		"no game":       func(text string) string { return text + "{]\n" },
	} {
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		other := filepath.Join(t.TempDir(), "changed")
		changed := change(string(whole))
		if err := os.WriteFile(other, []byte(changed), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, _, err := OpenRecord(other, terms, games); err == nil || changed == string(whole) || !strings.Contains(err.Error(), other+", line ") {
			t.Errorf("%s: %v", name, err)
		}
	}

	if _, _, err := OpenRecord(os.DevNull, terms, games); err == nil || !strings.Contains(err.Error(), os.DevNull) {
		t.Errorf("what keeps nothing: %v", err)
	}

	terms.A = "engine"
	if _, _, err := OpenRecord(path, terms, games); err == nil || !strings.Contains(err.Error(), path+", line 1: ") {
		t.Errorf("other terms: %v", err)
	}
}

// TestWorkersPlayEveryGameOnce.
func TestWorkersPlayEveryGameOnce(t *testing.T) {
	seen := map[int]bool{}
	series := Series{
		Players: [2]func() Player{Greedy, Greedy}, Openings: openings(t, 5), Workers: 3,
		Each: func(g Game, _ Score) error {
			seen[g.Number] = true
			return nil
		},
	}
	if score, err := series.Run(context.Background()); err != nil || score.Games() != 10 || len(seen) != 10 {
		t.Errorf("%v, %v, seen %v", score, err, seen)
	}
}

// TestSPRTEndsASeries when the answer is plain, and names the side it is on.
func TestSPRTEndsASeries(t *testing.T) {
	test := SPRT{-50, 50}
	one := openings(t, 1)
	var many []*loa.Game
	for range 100 {
		many = append(many, one[0])
	}
	series := Series{Players: [2]func() Player{Greedy, func() Player { return resting{} }}, Openings: many, Test: &test}
	score, err := series.Run(context.Background())
	if err != nil || score.Games() == 200 || test.LLR(score) < Bound {
		t.Errorf("%v, %v, LLR %.2f", score, err, test.LLR(score))
	}
}

func TestLLR(t *testing.T) {
	test := SPRT{0, 20}
	level := Score{Wins: 100, Losses: 100, Pairs: [5]int{20, 10, 40, 10, 20}}
	if llr := test.LLR(level); llr >= 0 || llr < -1 {
		t.Errorf("level: %.3f", llr)
	}
	ahead := Score{Wins: 110, Losses: 90, Pairs: [5]int{10, 10, 40, 20, 20}}
	if up, down := test.LLR(ahead), (SPRT{0, 120}).LLR(ahead); up <= 0 || down >= 0 {
		t.Errorf("ahead: %.3f, %.3f", up, down)
	}
	if llr := test.LLR(Score{}); llr != 0 {
		t.Errorf("no games: %.3f", llr)
	}
}

func TestParseSPRT(t *testing.T) {
	if got, err := ParseSPRT("-2.5,10"); err != nil || got != (SPRT{-2.5, 10}) {
		t.Errorf("%v, %v", got, err)
	}
	for _, text := range []string{"", "5", "5,5", "10,0", "0,x", "NaN,1", "0,1,2"} {
		if _, err := ParseSPRT(text); err == nil || !strings.Contains(err.Error(), `"`+text+`"`) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestReadOpenings: a position a line, and the line that is wrong is named.
func TestReadOpenings(t *testing.T) {
	const start = "1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 b\n"
	games, err := ReadOpenings(strings.NewReader("# two\n\n"+start+start), loa.Rules{})
	if err != nil || len(games) != 2 {
		t.Errorf("%d, %v", len(games), err)
	}
	for _, text := range []string{"nonsense\n", "8/8/8/3xo3/8/8/8/8 b\n"} {
		if _, err := ReadOpenings(strings.NewReader(start+text), loa.Rules{}); err == nil || !strings.HasPrefix(err.Error(), "line 2: ") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

var update = flag.Bool("update", false, "find the openings of the book anew")

// closest returns the openings that two long searches find balanced as well, the first of which is there to save time.
func closest(t *testing.T, games []*loa.Game) (found []*loa.Game) {
	even := make([]bool, len(games))
	var workers sync.WaitGroup
	for w := range 2 {
		workers.Go(func() {
			judge := engine.New(engine.Options{Hash: 64})
			for i := w; i < len(games); i += 2 {
				even[i] = within(t, judge, games[i], 200_000, 45) && within(t, judge, games[i], 2_000_000, 25)
			}
		})
	}
	workers.Wait()
	for i, g := range games {
		if even[i] {
			found = append(found, g)
		}
	}
	return found[:400]
}

// within reports whether a search finds an opening within so many centipawns of balance.
func within(t *testing.T, judge *engine.Engine, g *loa.Game, nodes uint64, most engine.Score) bool {
	judge.Reset()
	result, err := judge.Search(t.Context(), g, engine.Limits{Nodes: nodes}, nil)
	if err != nil {
		t.Error(err)
	}
	return result.Score >= -most && result.Score <= most
}

// TestBookIsBalancedAndDiffers: every opening is another one with the game going on, and a seed chooses among them.
func TestBookIsBalancedAndDiffers(t *testing.T) {
	if *update {
		games, err := Openings(context.Background(), loa.Rules{}, 1600, 1)
		if err != nil {
			t.Fatal(err)
		}
		text := "# Six random moves after which the engine finds Black and White within 25 centipawns, searching 2,000,000 positions.\n"
		for _, g := range closest(t, games) {
			text += g.Position().String() + "\n"
		}
		if err := os.WriteFile("openings.txt", []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		t.Skip("written")
	}
	games := Book(loa.Rules{}, 400, 1)
	known := map[uint64]bool{}
	for i, g := range games {
		if g.Outcome().Over() || g.Position().Turn() != loa.Black || known[g.Position().Hash()] {
			t.Errorf("opening %d: %v", i, g.Position())
		}
		known[g.Position().Hash()] = true
	}
	if len(games) != 400 {
		t.Fatalf("%d openings", len(games))
	}
	if other := Book(loa.Rules{}, 1, 2); other[0].Position().Same(games[0].Position()) {
		t.Error("another seed begins alike")
	}
	if Book(loa.Rules{}, 401, 1) != nil {
		t.Error("more openings than there are")
	}
	for _, rules := range []loa.Rules{{Size: 6}, {Start: loa.StartScrambled}, {Goal: loa.GoalMisere}, {Captures: loa.CapturesNo}} {
		if Book(rules, 1, 1) != nil {
			t.Errorf("openings for %s", rules)
		}
	}
}
