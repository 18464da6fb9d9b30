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
	var nodes uint64
	if c.Divide && c.Depth > 0 {
		position.Divide(c.Depth, func(move loa.Move, below uint64) {
			fmt.Fprintf(streams.Out, "%s %d\n", position.Format(move), below)
			nodes += below
		})
	} else {
		nodes = position.Perft(c.Depth)
	}
	fmt.Fprintf(streams.Out, "nodes %d\n", nodes)
	return nil
}
