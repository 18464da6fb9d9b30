package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/engine/solve"
	"github.com/linesofaction/loa/engine/solve/proof"
)

// solveCommand proves what a position is worth.
type solveCommand struct {
	gameFlags
	moveFlag
	Nodes      *uint64        `placeholder:"N" help:"Give up after this many positions."`
	Time       *time.Duration `placeholder:"D" help:"Give up after this long. Default: 1m, without --nodes."`
	Memory     int            `default:"256" placeholder:"M" help:"Size of the table in MiB. Default: ${default}."`
	Proof      fileName       `placeholder:"FILE" help:"Write the proof to a file."`
	Checkpoint fileName       `placeholder:"FILE" help:"Go on from this file if it is there, and write it every ten minutes and at the end."`
	Verify     fileName       `placeholder:"FILE" help:"Check a proof instead; the other flags mean nothing to it."`
	JSON       bool           `name:"json" help:"Print one JSON object."`
}

// solution is what solve --json prints.
type solution struct {
	Value   string   `json:"value"`
	Plies   int      `json:"plies,omitempty"`
	Nodes   uint64   `json:"nodes"`
	Seconds float64  `json:"seconds"`
	PV      []string `json:"pv"`
}

// verification is what solve --verify --json prints.
type verification struct {
	Value     string `json:"value"`
	Plies     int    `json:"plies_at_most,omitempty"`
	Positions int64  `json:"positions"`
}

const (
	solveTime   = time.Minute // where no limit is given
	maxSolveMiB = 1 << 20
)

// limits returns when the search ends, or what is wrong with the flags.
func (c *solveCommand) limits() (solve.Limits, error) {
	limits := solve.Limits{}
	if c.Nodes == nil && c.Time == nil {
		limits.Time = solveTime
	}
	if c.Nodes != nil {
		if limits.Nodes = *c.Nodes; *c.Nodes == 0 {
			return limits, usagef("--nodes 0: expected a number from 1")
		}
	}
	if c.Time != nil {
		if limits.Time = *c.Time; *c.Time <= 0 {
			return limits, usagef("--time %s: expected more than nothing", *c.Time)
		}
	}
	if c.Memory < 1 || c.Memory > maxSolveMiB {
		return limits, usagef("--memory %d: expected a number of MiB from 1 to %d", c.Memory, maxSolveMiB)
	}
	return limits, nil
}

// Run carries the subcommand out. An interrupt ends the search and prints what was found until then.
func (c *solveCommand) Run(streams *Streams) error {
	limits, err := c.limits()
	if err != nil {
		return err
	}
	if c.Verify != "" {
		return c.verify(streams)
	}
	game, err := c.game(c.moveFlag, streams)
	if err != nil {
		return err
	}
	if o := game.Outcome(); o.Over() {
		return fmt.Errorf("position %q: the game is over: %s", game.Position(), o)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	solver := solve.New(c.Memory)
	var report func(solve.Progress)
	if isTerminal(streams.Err) {
		report = func(p solve.Progress) {
			fmt.Fprintf(streams.Err, "%d nodes, %.1f s, win for %s: proof number %d, disproof number %d\n",
				p.Nodes, p.Time.Seconds(), p.Attacker, p.Proof, p.Disproof)
		}
	}
	for _, name := range []fileName{c.Proof, c.Checkpoint} {
		if name == "" {
			continue
		}
		if err := writable(string(name)); err != nil {
			return err
		}
	}
	result, err := c.solve(ctx, solver, game, limits, report, streams)
	if err != nil && result.Value == solve.Unknown {
		return err
	}
	// what was found is said first, whatever becomes of the files
	if saying := c.say(streams, game, result); saying != nil || err != nil {
		return errors.Join(saying, err)
	}
	switch {
	case c.Proof == "":
		return nil
	case result.Value == solve.Unknown:
		streams.warn("%s: nothing is proved, so nothing is written", c.Proof)
		return nil
	}
	p, err := solver.Proof()
	if err != nil {
		return fmt.Errorf("%s: %w", c.Proof, err)
	}
	return writeWhole(string(c.Proof), p.Write)
}

// say prints what was found.
func (c *solveCommand) say(streams *Streams, game *loa.Game, result solve.Result) error {
	found := solution{
		Value: result.Value.String(), Plies: result.Plies, Nodes: result.Nodes, Seconds: result.Time.Seconds(),
		PV: formatLine(game.Position(), result.PV),
	}
	if c.JSON {
		return json.NewEncoder(streams.Out).Encode(found)
	}
	fmt.Fprintf(streams.Out, "value %s\n", found.Value)
	switch {
	case result.Plies > 0:
		fmt.Fprintf(streams.Out, "plies %d\n", result.Plies)
	case result.Bound > 0:
		fmt.Fprintf(streams.Out, "plies at most %d\n", result.Bound)
	}
	fmt.Fprintf(streams.Out, "nodes %d\nseconds %.3f\npv %s\n", found.Nodes, found.Seconds, strings.Join(found.PV, " "))
	return nil
}

// checkpointEvery is how much of a long search a crash can lose.
const checkpointEvery = 10 * time.Minute

// solve searches to the limits, with a checkpoint now and then where one is asked for.
func (c *solveCommand) solve(ctx context.Context, solver *solve.Solver, game *loa.Game, limits solve.Limits, report func(solve.Progress), streams *Streams) (solve.Result, error) {
	if c.Checkpoint == "" {
		return solver.Solve(ctx, game, limits, report)
	}
	if err := c.resume(solver, game, streams); err != nil {
		return solve.Result{}, err
	}
	left := limits
	for {
		before := solver.Nodes()
		slice := left
		if slice.Time == 0 || slice.Time > checkpointEvery {
			slice.Time = checkpointEvery
		}
		begin := time.Now()
		result := solver.Continue(ctx, slice, report)
		// also of what is proved, so that its proof can be written another day
		if err := writeWhole(string(c.Checkpoint), solver.WriteState); err != nil {
			return result, err
		}
		if result.Value != solve.Unknown {
			return result, nil
		}
		if left.Time > 0 {
			if left.Time -= time.Since(begin); left.Time <= 0 {
				return result, nil
			}
		}
		if left.Nodes > 0 {
			searched := result.Nodes - before
			if left.Nodes <= searched {
				return result, nil
			}
			left.Nodes -= searched
		}
		if ctx.Err() != nil {
			return result, nil
		}
	}
}

// resume takes up a checkpoint, or begins where there is none.
func (c *solveCommand) resume(solver *solve.Solver, game *loa.Game, streams *Streams) error {
	file, err := os.Open(string(c.Checkpoint))
	if errors.Is(err, fs.ErrNotExist) {
		return solver.Begin(game)
	}
	if err != nil {
		return err
	}
	defer file.Close()
	if err := solver.ReadState(file, game); err != nil {
		return fmt.Errorf("%s: %w", c.Checkpoint, err)
	}
	fmt.Fprintf(streams.Err, "going on from %s, %d nodes\n", c.Checkpoint, solver.Nodes())
	return nil
}

// verify checks the proof in a file.
func (c *solveCommand) verify(streams *Streams) error {
	file, err := os.Open(string(c.Verify))
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	var report func(done, all int64)
	if isTerminal(streams.Err) {
		report = func(done, all int64) { fmt.Fprintf(streams.Err, "\r%d of %d positions ", done, all) }
	}
	v, err := proof.Verify(file, info.Size(), report)
	if report != nil {
		fmt.Fprintln(streams.Err)
	}
	var fault *proof.Fault
	if errors.As(err, &fault) {
		return fmt.Errorf("%s: not a proof: %w", c.Verify, err)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", c.Verify, err)
	}
	if c.JSON {
		return json.NewEncoder(streams.Out).Encode(verification{v.Value, v.Plies, v.Positions})
	}
	if v.Plies > 0 {
		fmt.Fprintf(streams.Out, "verified: %s in at most %d plies, %d positions\n", v.Value, v.Plies, v.Positions)
	} else {
		fmt.Fprintf(streams.Out, "verified: %s, %d positions\n", v.Value, v.Positions)
	}
	return nil
}
