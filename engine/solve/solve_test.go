package solve

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/engine/solve/proof"
)

var long = flag.Bool("long", false, "solve the boards that take longer")

// mustGame begins a game from a position that a test writes down, or from the start for an empty text.
func mustGame(t testing.TB, rules, position string) *loa.Game {
	t.Helper()
	r, err := loa.ParseRules(rules)
	if err != nil {
		t.Fatal(err)
	}
	g, err := loa.NewGame(r)
	if position != "" {
		var setup loa.Setup
		if setup, err = loa.ParseSetup(position); err == nil {
			g, err = loa.NewGameFrom(r, setup)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// mustVerify writes down what a solver has just proved and has it checked.
func mustVerify(t testing.TB, s *Solver, r Result) proof.Verdict {
	t.Helper()
	p, err := s.Proof()
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := p.Write(&file); err != nil {
		t.Fatal(err)
	}
	v, err := proof.Verify(bytes.NewReader(file.Bytes()), int64(file.Len()), nil)
	if err != nil {
		t.Fatal(err)
	}
	if v.Value != r.Value.String() || v.Plies > r.Bound {
		t.Fatalf("verified %s in %d plies, found %s in %d", v.Value, v.Plies, r.Value, r.Bound)
	}
	return v
}

// TestForcedWins proves the wins of testdata/forced_wins.txt, in at most a tenth of the nodes that a plain
// proof-number search needed.
func TestForcedWins(t *testing.T) {
	text, err := os.ReadFile("testdata/forced_wins.txt")
	if err != nil {
		t.Fatal(err)
	}
	s := New(16)
	var sum, plain uint64
	var slowest time.Duration
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Split(strings.TrimSpace(line), " | ")
		if len(fields) != 4 {
			t.Fatalf("%q: expected four fields", line)
		}
		nodes, err := strconv.ParseUint(fields[2], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		g := mustGame(t, "standard", fields[0])
		r, err := s.Solve(context.Background(), g, Limits{Nodes: 200_000}, nil)
		if err != nil {
			t.Fatal(err)
		}
		sum, plain, slowest = sum+r.Nodes, plain+nodes, max(slowest, r.Time)
		if r.Value != Win {
			t.Errorf("%s: %s", fields[0], r.Value)
			continue
		}
		plies, err := strconv.Atoi(fields[1])
		if err != nil {
			plies = 10 // more than 9
		}
		if r.Bound < plies || r.Plies != 0 && (plies < 10 && r.Plies != plies || r.Plies < plies || len(r.PV) != r.Plies) {
			t.Errorf("%s: win in %d or at most %d by %v, want %s", fields[0], r.Plies, r.Bound, r.PV, fields[1])
		}
		mustVerify(t, s, r)
	}
	t.Logf("%d nodes, a plain search %d; the slowest took %v", sum, plain, slowest)
	if plain == 0 || sum > plain/10 {
		t.Errorf("%d nodes, want at most a tenth of %d", sum, plain)
	}
}

func TestSmallBoards(t *testing.T) {
	tests := []struct {
		rules string
		value Value
		long  bool
	}{
		{"standard:size=4", Win, false},
		{"standard:size=5", Win, false},
		{"classic:size=4", Win, false},
		{"classic:size=5", Win, false},
		{"no-capture:size=4", Win, false},
		{"no-capture:size=5", Win, false},
		{"openspiel:size=5", Win, false},
		{"misere:size=4", Draw, false},
		{"misere:size=4,both=mover", Draw, false},
		{"misere:size=4,cap=9", Draw, false},
		{"misere:size=4,nomove=draw,captures=no", Draw, true},
	}
	s := New(64)
	for _, test := range tests {
		t.Run(test.rules, func(t *testing.T) {
			if test.long && !*long {
				t.Skip("only with -long")
			}
			r, err := s.Solve(context.Background(), mustGame(t, test.rules, ""), Limits{Nodes: 5_000_000}, nil)
			if err != nil || r.Value != test.value {
				t.Fatalf("%s, %v; want %s", r.Value, err, test.value)
			}
			v := mustVerify(t, s, r)
			t.Logf("%s, at most %d plies, %d nodes, %d positions", r.Value, v.Plies, r.Nodes, v.Positions)
		})
	}
}

func TestLimitsEndSolve(t *testing.T) {
	g := mustGame(t, "standard", "")
	s := New(1)
	r, err := s.Solve(context.Background(), g, Limits{Nodes: 1000}, nil)
	if err != nil || r.Value != Unknown || r.Nodes != 1000 {
		t.Errorf("%+v, %v", r, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if r, err := s.Solve(ctx, g, Limits{}, nil); err != nil || r.Value != Unknown {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := s.Proof(); !errors.Is(err, ErrNoProof) {
		t.Errorf("a proof of nothing: %v", err)
	}
	over := mustGame(t, "standard", "8/8/8/3xx3/8/8/8/o6o b")
	if _, err := s.Solve(context.Background(), over, Limits{}, nil); !errors.Is(err, ErrGameOver) {
		t.Errorf("a game that is over: %v", err)
	}
}

func TestResultIsTheSameAgain(t *testing.T) {
	g := mustGame(t, "standard:size=5", "")
	var first Result
	for i, s := range []*Solver{New(8), New(8)} {
		for again := range 2 {
			r, err := s.Solve(context.Background(), g, Limits{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if i == 0 && again == 0 {
				first = r
			}
			if r.Nodes != first.Nodes || r.Bound != first.Bound {
				t.Errorf("%d nodes, within %d plies; before %d, %d", r.Nodes, r.Bound, first.Nodes, first.Bound)
			}
		}
	}
}

// TestDisproofIsMadeSureOfAlthoughBrokenOff: a table that says wrongly of every first move that it does not win, as repetition
// can make it, leads to no other value, wherever the search is broken off.
func TestDisproofIsMadeSureOfAlthoughBrokenOff(t *testing.T) {
	g := mustGame(t, "standard:size=5", "")
	s := New(4)
	for nodes := uint64(1); nodes < 2000; nodes += 1 + nodes {
		if err := s.Begin(g); err != nil {
			t.Fatal(err)
		}
		p := g.Position()
		for _, m := range g.Moves(nil) {
			next := p.PlayUnchecked(m)
			s.table.store(entry{key: keyOf(&next, true), proof: infinite, work: 1 << 20, state: stateOf(false, 0)})
		}
		if r := s.Continue(t.Context(), Limits{Nodes: nodes}, nil); r.Value != Unknown {
			t.Fatalf("%s after %d nodes", r.Value, r.Nodes)
		}
		if r := s.Continue(t.Context(), Limits{Nodes: 200_000}, nil); r.Value != Win {
			t.Errorf("broken off after %d nodes: %s", nodes, r.Value)
		}
	}
}

// TestColorsAreToldApartAfterRepetition: where the game has had positions that would be drawn, what one side's search finds out
// is no answer to the other side's about the same position with the colors changed.
func TestColorsAreToldApartAfterRepetition(t *testing.T) {
	g := mustGame(t, "standard:size=4,repetition=draw2", "")
	s := New(1)
	told := func() bool {
		if err := s.Begin(g); err != nil {
			t.Fatal(err)
		}
		black, white := s.attempts[0], s.attempts[1]
		c := black.root
		c.proof, c.disproof = 0, infinite
		black.store(&c, true, 0, 0)
		return s.table.probe(c.key, white.state(true, 0)) != nil
	}
	if !told() {
		t.Error("colors make a difference from the start")
	}
	for range 2 {
		if err := g.Play(g.Moves(nil)[0]); err != nil {
			t.Fatal(err)
		}
	}
	if len(barred(g)) == 0 || g.Position().Turn() != loa.Black {
		t.Fatalf("no position is drawn next at %v", g.Position())
	}
	if told() {
		t.Error("colors make no difference")
	}
}

// TestKeysAreThoseOfImages compares the key of a position with those of its images and of the colors changed.
func TestKeysAreThoseOfImages(t *testing.T) {
	for size := loa.MinSize; size <= loa.MaxSize; size++ {
		board := loa.Board{Size: size, Black: 1 | 1<<9 | 1<<10, White: 2 | 1<<17}
		p, err := loa.Setup{Board: board, Turn: loa.Black}.Position(loa.Rules{})
		if err != nil {
			t.Fatal(err)
		}
		want := keyOf(&p, true)
		turn := func(b loa.Bitboard) loa.Bitboard { return transpose(flipRanks(b, size)) }
		mirror := func(b loa.Bitboard) loa.Bitboard { return flipFiles(b, size) }
		for i := range 16 {
			change := turn
			if i%4 == 3 {
				change = mirror
			}
			board.Black, board.White = change(board.Black), change(board.White)
			color := loa.Black
			if i >= 8 {
				color = loa.White
			}
			set := loa.Setup{Board: board, Turn: color}
			if color == loa.White {
				set.Black, set.White = set.White, set.Black
			}
			q, err := set.Position(loa.Rules{})
			if err != nil {
				t.Fatal(err)
			}
			if got := keyOf(&q, true); got != want {
				t.Errorf("%v has key %v, its image %v", q, got, want)
			}
		}
	}
}

// TestProveAgreesWithSolve: the attempt of one side alone, in slices, proves the wins of testdata/forced_wins.txt with a line that
// is one, never in fewer plies than there are, and never that the side that loses wins.
func TestProveAgreesWithSolve(t *testing.T) {
	text, err := os.ReadFile("testdata/forced_wins.txt")
	if err != nil {
		t.Fatal(err)
	}
	s, wins := New(1), 0
	prove := func(g *loa.Game, nodes uint64) (r Result) {
		if err := s.Begin(g); err != nil {
			t.Fatal(err)
		}
		for {
			before := s.Nodes()
			if r = s.Prove(t.Context(), 64); r.Value == Win || r.Nodes >= nodes || r.Nodes == before {
				return r
			}
		}
	}
	for line := range strings.Lines(string(text)) {
		fields := strings.Split(line, "|")
		if strings.HasPrefix(line, "#") || len(fields) != 4 {
			continue
		}
		least, err := strconv.Atoi(strings.TrimSpace(fields[1]))
		if err != nil || least > 7 {
			continue // longer ones take longer
		}
		g := mustGame(t, "standard", strings.TrimSpace(fields[0]))
		side := g.Position().Turn()
		r := prove(g, 20_000)
		if r.Value != Win || r.Bound < least || len(r.PV) > r.Bound {
			t.Errorf("%s: %+v, want a win in %d plies or more", fields[0], r, least)
			continue
		}
		for i, m := range r.PV {
			if err := g.Play(m); err != nil {
				t.Fatalf("%s: %v", fields[0], err)
			}
			if i == 0 && !g.Outcome().Over() {
				if r := prove(g.Clone(), 300); r.Value == Win {
					t.Errorf("%s: the side that loses wins in %d", g.Position(), r.Bound)
				}
			}
		}
		if len(r.PV) == r.Bound && g.Outcome().Winner != side {
			t.Errorf("%s: %v does not win", fields[0], r.PV)
		}
		wins++
	}
	if wins < 20 {
		t.Errorf("%d wins", wins)
	}
}
