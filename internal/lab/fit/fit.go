// Package fit finds the weights of the engine's hand-written evaluation: the engine plays itself with the
// weights it has, a logistic regression finds the weights under which the evaluation foretells the results
// best, and both are repeated.
package fit

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/engine"
)

// Options say what to play and what to fit. The zero value is not usable: Positions, Rounds and Nodes are needed.
type Options struct {
	Rules     loa.Rules
	Positions int             // of own games, in each round
	Rounds    int             // of playing and fitting
	Nodes     uint64          // looked at for a move
	Seed      uint64          // of the openings; the same options give the same weights
	Start     *engine.Weights // to play the first round with; nil is the fitted ones the engine has
	Weights   string          // file to write the weights to
	Log       io.Writer       // gets a few lines a round
}

// Run plays and fits. Each round plays with the weights of the round before and fits on the positions of all
// rounds. After each round the weights found are written to the file Options.Weights.
func Run(ctx context.Context, options Options) error {
	weights := options.Start
	if weights == nil {
		weights = engine.FittedWeights(options.Rules)
	}
	var train, test []sample // every tenth game is kept apart, to see what the fit is worth
	games := 0
	for round := range options.Rounds {
		samples, played, err := play(ctx, options, weights, options.Seed+uint64(round)<<32)
		if err != nil {
			return err
		}
		games += played
		for _, s := range samples {
			if s.game%10 == 0 {
				test = append(test, s)
			} else {
				train = append(train, s)
			}
		}
		before := loss(test, columnsOf(weights))
		fitted := regress(train, columnsOf(weights))
		after := loss(test, fitted)
		weights = weightsOf(fitted)
		note := fmt.Sprintf("round %d of %d: %d positions of %d games; loss on every tenth game %.5f before, %.5f after",
			round+1, options.Rounds, len(train)+len(test), games, before, after)
		fmt.Fprintln(options.Log, note)
		head := fmt.Sprintf("# Fitted on own games under %s at %d nodes a move, seed %d; the tenth games are kept apart.\n# %s.\n# Feature, worth in the opening, in the ending.\n",
			options.Rules, options.Nodes, options.Seed, note)
		if err := os.WriteFile(options.Weights, []byte(head+weights.String()), 0o644); err != nil {
			return err
		}
	}
	return nil
}
