package duel

import (
	"bufio"
	"context"
	_ "embed"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/engine"
)

const (
	balance      = 40 // centipawns within which an opening is balanced: 55 to 45 by the engine's own guess
	balanceNodes = 5000
	mostTries    = 200 // random beginnings for each opening, of which one in five or ten is balanced
	longest      = 300 // plies after which a game is drawn, where the rules have no cap of their own
)

//go:embed openings.txt
var book string

// Book returns a number of the balanced openings that are part of the program, the seed says which. There are none
// for other starts than the standard one or where another goal or no captures would make them less balanced, and not more than
// there are.
func Book(rules loa.Rules, number int, seed uint64) []*loa.Game {
	if rules.Start != loa.StartStandard || rules.Goal != loa.GoalConnect || rules.Captures != loa.CapturesYes {
		return nil
	}
	games, err := ReadOpenings(strings.NewReader(book), rules)
	if err != nil || number > len(games) || games[0].Position().Size() != 8 {
		return nil // the rules do not allow them
	}
	chance := rand.New(rand.NewPCG(seed, 1))
	chance.Shuffle(len(games), func(i, j int) { games[i], games[j] = games[j], games[i] })
	return games[:number]
}

// ReadOpenings reads positions to begin games with, one a line as loa.ParseSetup reads it. Blank lines and lines that
// begin with # are left out. The error names the line.
func ReadOpenings(in io.Reader, rules loa.Rules) (games []*loa.Game, err error) {
	if rules.Cap == 0 {
		rules.Cap = longest
	}
	scanner := bufio.NewScanner(in)
	n := 1
	for ; scanner.Scan(); n++ {
		text := strings.TrimSpace(scanner.Text())
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		setup, err := loa.ParseSetup(text)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		g, err := loa.NewGameFrom(rules, setup)
		if err == nil && g.Outcome().Over() {
			err = fmt.Errorf("%s: the game is over: %s, expected a position to go on from", text, g.Outcome())
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		games = append(games, g)
	}
	if err := scanner.Err(); err != nil {
		return nil, fmt.Errorf("line %d: %w", n, err)
	}
	return games, nil
}

// randomPlies returns with how many random moves an opening on a board of a size begins: as many as a side has pieces at the
// start of the standard rules, which is a sixth of a game and more, but even, so that Black is to move as at the start.
func randomPlies(size int) int { return (size - 2) &^ 1 }

// Openings returns a number of different games after a few random moves that the engine thinks balanced with either
// evaluation, the one in use and the features. Random moves alone decide too many games and hide the difference between the players.
// The error says when there are not so many.
func Openings(ctx context.Context, rules loa.Rules, number int, seed uint64) ([]*loa.Game, error) {
	if rules.Cap == 0 {
		rules.Cap = longest
	}
	chance := rand.New(rand.NewPCG(seed, 0))
	judges := []*engine.Engine{
		engine.New(engine.Options{Hash: 1}), engine.New(engine.Options{Hash: 1, Eval: engine.EvalHand}),
	}
	known := make(map[uint64]bool)
	var openings []*loa.Game
	for tries := 0; len(openings) < number; tries++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if tries > mostTries*number {
			return nil, fmt.Errorf("%d balanced openings found, expected %d: play fewer games, or from openings of a file", len(openings), number)
		}
		if rules.Start == loa.StartRandom {
			rules.Seed = chance.Uint64()
		}
		g, err := loa.NewGame(rules)
		if err != nil {
			return nil, err
		}
		for plies := 0; plies < randomPlies(g.Position().Size()) && !g.Outcome().Over(); plies++ {
			moves := g.Moves(nil)
			if err := g.Play(moves[chance.IntN(len(moves))]); err != nil {
				return nil, err
			}
		}
		if g.Outcome().Over() || known[g.Position().Hash()] {
			continue
		}
		known[g.Position().Hash()] = true
		even, err := balanced(ctx, judges, g)
		if err != nil {
			return nil, err
		}
		if even {
			openings = append(openings, g)
		}
	}
	return openings, nil
}

// balanced reports whether every judge thinks a position balanced.
func balanced(ctx context.Context, judges []*engine.Engine, g *loa.Game) (bool, error) {
	for _, judge := range judges {
		judge.Reset()
		found, err := judge.Search(ctx, g, engine.Limits{Nodes: balanceNodes}, nil)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil || found.Score < -balance || found.Score > balance {
			return false, err
		}
	}
	return true, nil
}
