package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/linesofaction/loa/engine"
	"github.com/linesofaction/loa/internal/lab/datagen"
)

// datagenCommand makes material to train nets on.
type datagenCommand struct {
	Rules   string   `default:"standard" placeholder:"R" help:"Rule set. Default: ${default}."`
	Player  string   `default:"engine" placeholder:"SPEC" help:"Who plays itself: engine or engine:eval=hand and so on, as for duel. Default: ${default}."`
	Nodes   uint64   `default:"2000" placeholder:"N" help:"Positions to search for a move. Default: ${default}."`
	Strays  float64  `default:"0" placeholder:"SHARE" help:"Of the positions of the games, the share from which a chance move is tried as well and the position after it searched. Default: ${default}."`
	Games   int      `default:"500" placeholder:"N" help:"Games in a shard. Default: ${default}."`
	Shards  int      `required:"" placeholder:"N" help:"Number of shards. Those that are there already are checked and kept."`
	First   int      `default:"0" placeholder:"N" help:"Number of the first shard; machines with different numbers make shards that can be joined. Default: ${default}."`
	Seed    uint64   `default:"1" placeholder:"N" help:"With the number of a shard decides what is in it. Default: ${default}."`
	Workers int      `default:"1" placeholder:"N" help:"Shards made at the same time. Default: ${default}."`
	Output  fileName `short:"o" required:"" placeholder:"DIR" help:"Directory for the shards."`
}

// Run carries the subcommand out. An interrupt ends it; the same call goes on where it ended.
func (c *datagenCommand) Run(streams *Streams) error {
	if c.Nodes < 1 || c.Games < 1 || c.Shards < 1 || c.First < 0 || c.Workers < 1 {
		return usagef("--nodes %d, --games %d, --shards %d, --first %d, --workers %d: expected numbers from 1, --first from 0",
			c.Nodes, c.Games, c.Shards, c.First, c.Workers)
	}
	if c.First > datagen.MostShards-c.Shards {
		return usagef("--first %d, --shards %d: expected numbers of shards below %d", c.First, c.Shards, datagen.MostShards)
	}
	if !(c.Strays >= 0 && c.Strays <= 1) {
		return usagef("--strays %g: expected a number from 0 to 1", c.Strays)
	}
	rules, err := parseRules(c.Rules)
	if err != nil {
		return err
	}
	options := engine.Options{Hash: 2}
	if err := setEngine(&options, c.Player); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return datagen.Run(ctx, datagen.Options{
		Rules: rules, Engine: options, Player: c.Player, Dir: string(c.Output), First: c.First, Shards: c.Shards, Games: c.Games,
		Nodes: c.Nodes, Strays: c.Strays, Seed: c.Seed, Workers: c.Workers, Log: streams.Err,
	})
}
