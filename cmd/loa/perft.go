package main

import (
	"fmt"

	"github.com/linesofaction/loa"
)

// perftCommand counts paths of moves.
type perftCommand struct {
	gameFlags
	Divide bool `help:"Print the count behind each first move."`
	Depth  int  `arg:"" name:"DEPTH" help:"Number of plies, from 0."`
}

// maxPerftDepth is where the count of any start would leave 64 bits.
const maxPerftDepth = 12

// Run carries the subcommand out.
func (c *perftCommand) Run(streams *Streams) error {
	if c.Depth < 0 || c.Depth > maxPerftDepth {
		return usagef("depth %d: expected a number of plies from 0 to %d", c.Depth, maxPerftDepth)
	}
	game, err := c.start()
	if err != nil {
		return err
	}
	position := game.Position()
	nodes, moves, done := uint64(0), len(position.Moves(nil)), 0
	watched := isTerminal(streams.Err)
	if c.Depth == 0 {
		nodes = position.Perft(0)
	}
	position.Divide(c.Depth, func(move loa.Move, below uint64) {
		nodes += below
		if done++; watched {
			fmt.Fprintf(streams.Err, "\r%d of %d first moves ", done, moves)
		}
		if c.Divide {
			fmt.Fprintf(streams.Out, "%s %d\n", position.Format(move), below)
		}
	})
	if watched && done > 0 {
		fmt.Fprintln(streams.Err)
	}
	fmt.Fprintf(streams.Out, "nodes %d\n", nodes)
	return nil
}
