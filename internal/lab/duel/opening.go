package duel

import (
	"context"
	"math/rand/v2"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/engine"
)

const (
	randomPlies  = 6  // even, so that Black is to move as at the start
	balance      = 40 // centipawns within which an opening is balanced: 55 to 45 by the engine's own guess
	balanceNodes = 5000
	longest      = 300 // plies after which a game is drawn, where the rules have no cap of their own
)

// Openings returns a number of different games after a few random moves that the engine thinks balanced. Random
// moves alone decide too many games and hide the difference between the players.
func Openings(ctx context.Context, rules loa.Rules, number int, seed uint64) ([]*loa.Game, error) {
	if rules.Cap == 0 {
		rules.Cap = longest
	}
	chance := rand.New(rand.NewPCG(seed, 0))
	judge := engine.New(engine.Options{Hash: 1})
	known := make(map[uint64]bool)
	var openings []*loa.Game
	for len(openings) < number {
		if rules.Start == loa.StartRandom {
			rules.Seed = chance.Uint64()
		}
		g, err := loa.NewGame(rules)
		if err != nil {
			return nil, err
		}
		for plies := 0; plies < randomPlies && !g.Outcome().Over(); plies++ {
			moves := g.Moves(nil)
			if err := g.Play(moves[chance.IntN(len(moves))]); err != nil {
				return nil, err
			}
		}
		if g.Outcome().Over() || known[g.Position().Hash()] {
			continue
		}
		known[g.Position().Hash()] = true
		judge.Reset()
		found, err := judge.Search(ctx, g, engine.Limits{Nodes: balanceNodes}, nil)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		if found.Score >= -balance && found.Score <= balance {
			openings = append(openings, g)
		}
	}
	return openings, nil
}
