package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/engine"
	"github.com/linesofaction/loa/engine/nnue"
)

// benchCommand measures this machine.
type benchCommand struct {
	JSON bool `name:"json" help:"Print one JSON object."`
}

// benchmarks is what bench --json prints.
type benchmarks struct {
	Net                string `json:"net"`
	Signature          uint64 `json:"signature"`
	NodesPerSecond     uint64 `json:"nodes_per_second"`
	PerftPerSecond     uint64 `json:"perft_leaves_per_second"`
	PlayoutsPerSecond  uint64 `json:"random_playouts_per_second"`
	PlayoutPliesOnMean uint64 `json:"random_playout_plies"`
}

const (
	benchPerftDepth = 5
	benchPlayouts   = 20_000
	benchPlies      = 10_000 // no random game is as long
)

// Run carries the subcommand out.
func (c *benchCommand) Run(streams *Streams) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	search, err := engine.Bench(ctx)
	if err != nil {
		return err
	}
	start, err := loa.Rules{}.StartPosition()
	if err != nil {
		return err
	}
	begin := time.Now()
	leaves := start.Perft(benchPerftDepth)
	perft := time.Since(begin)

	chance := rand.New(rand.NewPCG(1, 0))
	plies := 0
	begin = time.Now()
	for range benchPlayouts {
		_, n := start.Playout(chance, benchPlies)
		plies += n
	}
	playouts := time.Since(begin)

	b := benchmarks{
		Net:                nnue.Standard().Name(),
		Signature:          search.Signature,
		NodesPerSecond:     search.NPS,
		PerftPerSecond:     uint64(float64(leaves) / perft.Seconds()),
		PlayoutsPerSecond:  uint64(benchPlayouts / playouts.Seconds()),
		PlayoutPliesOnMean: uint64(plies / benchPlayouts),
	}
	if c.JSON {
		return json.NewEncoder(streams.Out).Encode(b)
	}
	fmt.Fprintf(streams.Out, "net %s\nsignature %d\nnodes/s %d\nperft leaves/s %d\nrandom playouts/s %d (%d plies each)\n",
		b.Net, b.Signature, b.NodesPerSecond, b.PerftPerSecond, b.PlayoutsPerSecond, b.PlayoutPliesOnMean)
	return nil
}
