package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"os/signal"
	"syscall"

	"github.com/linesofaction/loa/engine/nnue"
	"github.com/linesofaction/loa/internal/lab/train"
)

// trainCommand trains a net.
type trainCommand struct {
	Data     []fileName `arg:"" placeholder:"DIR" help:"Shards, or directories of shards, made by datagen."`
	Start    fileName   `placeholder:"FILE" help:"Net to go on from. Default: chance numbers."`
	Size     int        `default:"8" placeholder:"N" help:"Squares on an edge of the board, 8 or 6. Default: ${default}."`
	Hidden   int        `default:"128" placeholder:"N" help:"Hidden units of a side, a multiple of 32. Default: ${default}."`
	Samples  int        `default:"60000000" placeholder:"N" help:"Positions looked at in all. Default: ${default}."`
	Batch    int        `default:"2048" placeholder:"N" help:"Positions between two steps. Default: ${default}."`
	Rate     float64    `default:"0.002" help:"Rate of learning at its height. Default: ${default}."`
	Decay    float64    `default:"3" help:"Decay of what patterns are worth. Default: ${default}."`
	Share    float64    `default:"0.5" help:"Share of the result in what is learned; the rest is the score of the search. Default: ${default}."`
	Discount float64    `default:"0" help:"What each ply to the end takes from a result, so that quick wins are worth more. Default: ${default}."`
	Threats  bool       `help:"Also learn from positions in which the opponent threatens to win in one."`
	Seed     uint64     `default:"1" placeholder:"N" help:"The same flags on the same shards give the same net. Default: ${default}."`
	Workers  int        `default:"2" placeholder:"N" help:"Threads. Default: ${default}."`
	Output   fileName   `short:"o" required:"" placeholder:"FILE" help:"File for the net."`
}

// Run carries the subcommand out.
func (c *trainCommand) Run(streams *Streams) error {
	switch {
	case nnue.Board(c.Size) == nil:
		return usagef("--size %d: expected 8 or 6", c.Size)
	case c.Hidden < 32 || c.Hidden > nnue.MaxHidden || c.Hidden%32 != 0:
		return usagef("--hidden %d: expected a multiple of 32 up to %d", c.Hidden, nnue.MaxHidden)
	case c.Batch < 4 || c.Samples < c.Batch:
		return usagef("--samples %d, --batch %d: expected a batch from 4 and no fewer samples", c.Samples, c.Batch)
	case !(c.Share >= 0 && c.Share <= 1):
		return usagef("--share %g: expected a number from 0 to 1", c.Share)
	case !(c.Rate > 0 && c.Rate < 1):
		return usagef("--rate %g: expected a number between 0 and 1", c.Rate)
	case !(c.Decay >= 0 && c.Decay <= math.MaxFloat32):
		return usagef("--decay %g: expected a number from 0", c.Decay)
	case !(c.Discount >= 0 && c.Discount <= math.MaxFloat32):
		return usagef("--discount %g: expected a number from 0", c.Discount)
	case c.Workers < 1:
		return usagef("--workers %d: expected a number from 1", c.Workers)
	}
	if err := writable(string(c.Output)); err != nil {
		return err
	}
	var start *nnue.Net
	if c.Start != "" {
		file, err := os.ReadFile(string(c.Start))
		if err != nil {
			return err
		}
		if start, err = nnue.Parse(file); err != nil {
			return fmt.Errorf("%s: %w", c.Start, err)
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	data := make([]string, len(c.Data))
	for i, name := range c.Data {
		data[i] = string(name)
	}
	return train.Run(ctx, train.Options{
		Data: data, Start: start, Size: c.Size, Hidden: c.Hidden, Samples: c.Samples, Batch: c.Batch, Rate: c.Rate, Decay: c.Decay, Share: c.Share,
		Discount: c.Discount, Threats: c.Threats, Seed: c.Seed, Workers: c.Workers, Output: string(c.Output), Log: streams.Err,
	})
}
