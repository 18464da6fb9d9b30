package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/linesofaction/loa/internal/lab/fit"
)

// fitCommand finds the weights of the hand-written evaluation anew.
type fitCommand struct {
	Rules     string   `default:"standard" placeholder:"R" help:"Rule set. Default: ${default}."`
	Positions int      `default:"400000" help:"Positions of own games in each round."`
	Rounds    int      `default:"3" help:"Rounds of playing and fitting."`
	Nodes     uint64   `default:"2000" help:"Positions to search for a move."`
	Seed      uint64   `default:"1" help:"Chooses the openings; the same flags give the same weights."`
	Output    fileName `short:"o" required:"" placeholder:"FILE" help:"File to write the weights to, after every round."`
}

// Run carries the subcommand out.
func (c *fitCommand) Run(streams *Streams) error {
	if c.Positions < 1 || c.Rounds < 1 || c.Nodes < 1 {
		return usagef("--positions %d, --rounds %d, --nodes %d: expected numbers from 1", c.Positions, c.Rounds, c.Nodes)
	}
	rules, err := parseRules(c.Rules)
	if err != nil {
		return err
	}
	if err := writable(string(c.Output)); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return fit.Run(ctx, fit.Options{
		Rules: rules, Positions: c.Positions, Rounds: c.Rounds, Nodes: c.Nodes, Seed: c.Seed,
		Weights: string(c.Output), Log: streams.Err,
	})
}
