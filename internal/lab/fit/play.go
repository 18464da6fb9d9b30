package fit

import (
	"context"
	"math/rand/v2"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/engine"
)

// sample is a position of a game, as the regression sees it.
type sample struct {
	x      [columns]float32
	result float32 // for Black: 1 won, ½ drawn, 0 lost
	game   int
}

const (
	leastRandom = 4   // random plies a game begins with, so that games differ
	moreRandom  = 7   // up to so many more, less one
	longest     = 100 // plies after which a game is given up as a draw
)

// play lets the engine play itself until there are enough positions. Left out are the random openings and
// positions in which the search sees a forced end, for there the evaluation is not asked.
func play(ctx context.Context, options Options, weights *engine.Weights, seed uint64) (samples []sample, games int, err error) {
	e := engine.New(engine.Options{Hash: 4, Weights: weights})
	rules := options.Rules
	rules.Cap = longest
	for ; len(samples) < options.Positions; games++ {
		chance := rand.New(rand.NewPCG(seed, uint64(games)))
		g, err := opening(rules, chance)
		if err != nil {
			return nil, 0, err
		}
		e.Reset()
		meter := engine.NewMeter(rules, g.Position().Size())
		first := len(samples)
		for !g.Outcome().Over() {
			found, err := e.Search(ctx, g, engine.Limits{Nodes: options.Nodes}, nil)
			if err != nil {
				return nil, 0, err
			}
			if err := ctx.Err(); err != nil {
				return nil, 0, err
			}
			if _, forced := found.Score.Plies(); !forced {
				x, phase := meter.Measure(g.Position())
				samples = append(samples, sample{x: spread(x, phase), game: games})
			}
			if err := g.Play(found.BestMove); err != nil {
				return nil, 0, err
			}
		}
		for i := range samples[first:] {
			samples[first+i].result = points(g.Outcome())
		}
	}
	return samples, games, nil
}

// opening plays random moves from the start until nothing is over.
func opening(rules loa.Rules, chance *rand.Rand) (*loa.Game, error) {
	if rules.Start == loa.StartRandom {
		rules.Seed = chance.Uint64()
	}
	for {
		g, err := loa.NewGame(rules)
		if err != nil {
			return nil, err
		}
		for plies := leastRandom + chance.IntN(moreRandom); plies > 0 && !g.Outcome().Over(); plies-- {
			moves := g.Moves(nil)
			if err := g.Play(moves[chance.IntN(len(moves))]); err != nil {
				return nil, err
			}
		}
		if !g.Outcome().Over() {
			return g, nil
		}
	}
}

// points returns what Black gets for an outcome.
func points(o loa.Outcome) float32 {
	switch o.Winner {
	case loa.Black:
		return 1
	case loa.White:
		return 0
	}
	return 0.5
}
