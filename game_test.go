package loa_test

import (
	"bufio"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/linesofaction/loa"
)

// gameFrom begins a game from a set-up position.
func gameFrom(t testing.TB, rules, position string) *loa.Game {
	t.Helper()
	setup, err := loa.ParseSetup(position)
	if err != nil {
		t.Fatal(err)
	}
	g, err := loa.NewGameFrom(parseRules(t, rules), setup)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func newGame(t testing.TB, rules string) *loa.Game {
	t.Helper()
	g, err := loa.NewGame(parseRules(t, rules))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// playAll makes the moves of a text, which must be legal.
func playAll(t testing.TB, g *loa.Game, moves string) {
	t.Helper()
	for _, text := range strings.Fields(moves) {
		if err := g.Play(move(t, text)); err != nil {
			t.Fatalf("ply %d: %v", g.Plies()+1, err)
		}
	}
}

// TestBlackMovesFirst in every game from a start (clause 2).
func TestBlackMovesFirst(t *testing.T) {
	for _, set := range loa.RuleSets() {
		if p, err := set.Rules.StartPosition(); err != nil || p.Turn() != loa.Black {
			t.Errorf("%s: %s to move, %v", set.Name, p.Turn(), err)
		}
	}
}

// shuffle leads back to the start in four plies.
const shuffle = "b1-b3 h7-f7 b3-b1 f7-h7 "

// TestRepetition counts the start as the first time (clause 14).
func TestRepetition(t *testing.T) {
	tests := []struct {
		name, rules, moves, want string
		times                    int
	}{
		{"the second time", "standard", shuffle, "open", 2},
		{"the third time", "standard", shuffle + shuffle, "none repetition", 3},
		{"one ply short of it", "standard", shuffle + strings.TrimSuffix(shuffle, "f7-h7 "), "open", 2},
		{"the second time under draw2", "openspiel", shuffle, "none repetition", 2},
		{"the third time under none", "standard:repetition=none", shuffle + shuffle + shuffle, "open", 4},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			g := newGame(t, test.rules)
			playAll(t, g, test.moves)
			if got := g.Outcome().String(); got != test.want || g.Repetitions() != test.times {
				t.Errorf("%s, %d times; want %s, %d", got, g.Repetitions(), test.want, test.times)
			}
			over := g.Outcome().Over()
			if over != (len(g.Moves(nil)) == 0) {
				t.Errorf("%s, and %d moves", g.Outcome(), len(g.Moves(nil)))
			}
			if err := g.Play(g.Position().Moves(nil)[0]); over != errors.Is(err, loa.ErrIllegal) {
				t.Errorf("another move gives %v", err)
			}
		})
	}
}

// TestSameBoardOtherSideIsNoRepetition: the side to move belongs to the position (clause 14).
func TestSameBoardOtherSideIsNoRepetition(t *testing.T) {
	const position = "7o/8/8/7x/o7/8/1x1o1x2/8 b"
	g := gameFrom(t, "standard", position)
	playAll(t, g, "b2-a3 a4-b4 a3-b3 b4-a4 b3-b2")
	if g.Position().Board() != g.Start().Board() || g.Position().Turn() == g.Start().Turn() {
		t.Fatalf("the moves lead to %s", g.Position())
	}
	if g.Repetitions() != 1 || g.Outcome().Over() {
		t.Errorf("%d times, %s", g.Repetitions(), g.Outcome())
	}
	if g.Position().Same(g.Start()) || g.Position().Hash() == g.Start().Hash() {
		t.Error("the side to move makes no difference")
	}
}

// TestPlyCap: the cap draws a game that is open, and only that (clause 15).
func TestPlyCap(t *testing.T) {
	g := newGame(t, "standard:cap=2")
	playAll(t, g, "b1-b3")
	if g.Outcome().Over() {
		t.Errorf("after one ply %s", g.Outcome())
	}
	playAll(t, g, "h7-f7")
	if got := g.Outcome().String(); got != "none ply-cap" {
		t.Errorf("after two plies %s", got)
	}
}

// TestWinOnTheCapIsAWin and on a repetition too: what the board decides comes first (clause 15).
func TestWinOnTheCapIsAWin(t *testing.T) {
	g := gameFrom(t, "standard:cap=1", "8/7o/6o1/4x3/1x3xo1/2x1xoxo/2x1oo2/8 w")
	playAll(t, g, "h7-h5")
	if got := g.Outcome().String(); got != "white connected" {
		t.Errorf("%s, want white connected", got)
	}
	g = gameFrom(t, "standard:nomove=draw,cap=1", "6ox/6oo/8/8/8/8/oo6/xo6 w")
	playAll(t, g, "b1-d1")
	if o := g.Outcome(); o.Reason == loa.PlyCap && g.Position().Outcome().Over() {
		t.Errorf("%s, though the board says %s", o, g.Position().Outcome())
	}
}

// TestForcedPassIsAPly that counts for cap and repetition (clause 12).
func TestForcedPassIsAPly(t *testing.T) {
	g := gameFrom(t, "standard:cap=1", "6ox/6oo/8/8/8/8/oo6/xo6 b")
	if !g.PlayForced() || g.Plies() != 1 || g.Move(0) != loa.Pass || g.Format(0) != "pass" {
		t.Errorf("%d plies", g.Plies())
	}
	if got := g.Outcome().String(); got != "none ply-cap" {
		t.Errorf("%s", got)
	}
	if g.PlayForced() {
		t.Error("a pass after the end")
	}
	if newGame(t, "standard").PlayForced() {
		t.Error("a pass at the start")
	}
	if err := newGame(t, "standard").Play(loa.Pass); !errors.Is(err, loa.ErrIllegal) {
		t.Errorf("a pass at the start gives %v", err)
	}
}

func TestFinishedSetupIsAFinishedGame(t *testing.T) {
	g := gameFrom(t, "standard", "8/8/8/3xx3/8/8/8/o6o w")
	if got := g.Outcome().String(); got != "black connected" || len(g.Moves(nil)) != 0 {
		t.Errorf("%s with moves %v", got, g.Moves(nil))
	}
}

func TestIllegalMoveChangesNothing(t *testing.T) {
	g := newGame(t, "standard")
	var illegal *loa.IllegalError
	if err := g.Play(move(t, "b1b2")); !errors.As(err, &illegal) || illegal.Move != "b1b2" || illegal.Reason == "" {
		t.Errorf("got %v", err)
	}
	if g.Plies() != 0 || g.Position() != g.Start() {
		t.Error("the game went on")
	}
}

func TestTruncateAndClone(t *testing.T) {
	g := newGame(t, "standard")
	playAll(t, g, shuffle+shuffle)
	copied := g.Clone()
	g.Truncate(5)
	if g.Plies() != 5 || g.Outcome().Over() || g.Position() != copied.PositionAt(5) {
		t.Errorf("after Truncate: %d plies, %s", g.Plies(), g.Outcome())
	}
	playAll(t, g, "h7-f7")
	if copied.Plies() != 8 || copied.Outcome().String() != "none repetition" || copied.Move(4) != move(t, "b1b3") {
		t.Error("the copy changed with the game")
	}
	g.Truncate(0)
	if g.Position() != g.Start() || g.Rules() != copied.Rules() {
		t.Error("Truncate(0) is not the start")
	}
}

func TestLastMoveOfASideSkipsItsPasses(t *testing.T) {
	g := gameFrom(t, "standard", "6ox/6oo/8/8/8/8/oo6/xo6 b")
	if _, ok := g.LastMoveOf(loa.White); ok {
		t.Error("White has moved before the first ply")
	}
	playAll(t, g, "pass b1-d1")
	if ply, ok := g.LastMoveOf(loa.White); !ok || ply != 1 {
		t.Errorf("White moved at ply %d, %v", ply, ok)
	}
	if ply, ok := g.LastMoveOf(loa.Black); ok {
		t.Errorf("Black moved at ply %d", ply)
	}
}

// recorded is a game of testdata/games.
type recorded struct {
	name, result, final string
	moves               []string
}

// recordedGames reads testdata/games.
func recordedGames(t testing.TB) []recorded {
	t.Helper()
	files, err := filepath.Glob("testdata/games/*.txt")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d files in testdata/games, %v", len(files), err)
	}
	var games []recorded
	for _, name := range files {
		file, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		game := recorded{name: filepath.Base(name)}
		for lines := bufio.NewScanner(file); lines.Scan(); {
			key, value, _ := strings.Cut(lines.Text(), ": ")
			switch key {
			case "result":
				game.result = value
			case "final":
				game.final = value
			case "moves":
				game.moves = strings.Fields(value)
			}
		}
		file.Close()
		games = append(games, game)
	}
	return games
}

func TestRecordedGamesReachTheirFinalPositions(t *testing.T) {
	for _, game := range recordedGames(t) {
		t.Run(game.name, func(t *testing.T) {
			g := newGame(t, "standard")
			for i, text := range game.moves {
				m, claim, err := loa.ParseMove(text)
				if err != nil {
					t.Fatal(err)
				}
				if !claim.Holds(g.Position(), m) {
					t.Errorf("%s is marked wrongly", text)
				}
				if err := g.Play(m); err != nil {
					t.Fatal(err)
				}
				if got := g.Format(i); got != text {
					t.Errorf("%s is written %s", text, got)
				}
			}
			if got := g.Position().String(); got != game.final {
				t.Errorf("ends at %s, want %s", got, game.final)
			}
			want := strings.ToLower(game.result) + " connected"
			if game.result == "unfinished" {
				want = "open"
			}
			if got := g.Outcome().String(); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
}

// TestClonesGoTheirOwnWays: clones share plies, and no move or takeback of one may show in another.
func TestClonesGoTheirOwnWays(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	first, err := loa.NewGame(loa.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	games, records := []*loa.Game{first}, [][]loa.Move{nil}
	for range 3000 {
		i := rng.IntN(len(games))
		g := games[i]
		switch moves := g.Moves(nil); {
		case rng.IntN(6) == 0 || len(moves) == 0:
			keep := rng.IntN(g.Plies() + 1)
			g.Truncate(keep)
			records[i] = slices.Clone(records[i][:keep])
		case rng.IntN(4) == 0 && len(games) < 50:
			games, records = append(games, g.Clone()), append(records, slices.Clone(records[i]))
		default:
			m := moves[rng.IntN(len(moves))]
			if err := g.Play(m); err != nil {
				t.Fatal(err)
			}
			records[i] = append(records[i], m)
		}
	}
	for i, g := range games {
		again, err := loa.NewGame(loa.Rules{})
		if err != nil {
			t.Fatal(err)
		}
		for ply, m := range records[i] {
			if g.Move(ply) != m {
				t.Fatalf("game %d, ply %d: %s, want %s", i, ply, g.Move(ply), m)
			}
			if err := again.Play(m); err != nil {
				t.Fatal(err)
			}
		}
		if g.Plies() != again.Plies() || g.Position() != again.Position() || g.Outcome() != again.Outcome() {
			t.Fatalf("game %d stands at %s, want %s", i, g.Position(), again.Position())
		}
	}
}
