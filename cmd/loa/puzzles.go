package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"github.com/linesofaction/loa/engine"
	"github.com/linesofaction/loa/internal/lab/mine"
	"github.com/linesofaction/loa/internal/puzzle"
)

// puzzlesCommand makes puzzles and proves them.
type puzzlesCommand struct {
	Mine  minePuzzles  `cmd:"" help:"Look for puzzles in games that the engine plays and in records, and add them to a file."`
	Check checkPuzzles `cmd:"" help:"Prove every puzzle of a file anew, or of those that are part of the program."`
}

// minePuzzles looks for puzzles.
type minePuzzles struct {
	Games   int      `default:"1000" placeholder:"N" help:"Games for the engine to play at most. Default: ${default}."`
	Records []string `placeholder:"FILE" help:"Records of games to look through first."`
	Seed    uint64   `default:"1" placeholder:"N" help:"Decides the games. Default: ${default}."`
	Plies   string   `default:"1,3,5,7,9" placeholder:"LIST" help:"Lengths to look for. Default: ${default}."`
	Each    int      `default:"100" placeholder:"N" help:"End with so many puzzles of each length, those in the file included. Default: ${default}."`
	Levels  string   `default:"3-7" placeholder:"A-B" help:"Levels of the players. Default: ${default}."`
	Nodes   uint64   `default:"40000" placeholder:"N" help:"Positions for each question of a proof; a candidate that needs more is left out. Default: ${default}."`
	Workers int      `default:"1" placeholder:"N" help:"Games looked at at the same time; what is found does not depend on it. Default: ${default}."`
	Output  string   `short:"o" required:"" placeholder:"FILE" help:"File to add to. The same call goes on after the last game that it has a puzzle of."`
}

// Run carries the subcommand out. An interrupt ends it; what was found is in the file.
func (c *minePuzzles) Run(streams *Streams) error {
	options := mine.Options{
		Play: c.Games, Seed: c.Seed, Each: c.Each, Nodes: c.Nodes, Workers: c.Workers, Log: streams.Err,
	}
	if c.Games < 0 || c.Each < 1 || c.Nodes < 1 || c.Workers < 1 {
		return usagef("--games %d, --each %d, --nodes %d, --workers %d: expected numbers from 1, --games from 0", c.Games, c.Each, c.Nodes, c.Workers)
	}
	for _, text := range strings.Split(c.Plies, ",") {
		plies, err := strconv.Atoi(text)
		if err != nil || plies < puzzle.LeastPlies || plies > puzzle.MostPlies || plies%2 == 0 {
			return usagef("--plies %s: %q, expected some of 1,3,5,7,9", c.Plies, text)
		}
		options.Lengths = append(options.Lengths, plies)
	}
	weak, strong, _ := strings.Cut(c.Levels, "-")
	for i, text := range []string{weak, strong} {
		level, err := strconv.Atoi(text)
		if err != nil || level < 1 || level > engine.MaxLevel || i == 1 && level < options.Levels[0] {
			return usagef("--levels %s: expected two levels from 1 to %d, as in 3-7", c.Levels, engine.MaxLevel)
		}
		options.Levels[i] = level
	}
	known, err := readPuzzles(c.Output)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	options.Known = known
	options.First, options.Play = resume(known, c.Seed, c.Games)
	if options.First == 0 {
		if err := c.readRecords(&options, streams); err != nil {
			return err
		}
	}
	file, err := os.OpenFile(c.Output, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer file.Close()
	if len(known) == 0 {
		if _, err := file.WriteString(puzzle.Head); err != nil {
			return err
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	tally, err := mine.Run(ctx, options, func(z *puzzle.Puzzle) error {
		_, err := fmt.Fprintln(file, z)
		return err
	})
	fmt.Fprintln(streams.Out, tally)
	if errors.Is(err, context.Canceled) {
		return nil
	}
	if closing := file.Close(); err == nil {
		err = closing
	}
	return err
}

// resume returns the number of the first game of a seed that no puzzle is known of or of a later one, and how many are left.
func resume(known []*puzzle.Puzzle, seed uint64, games int) (first, left int) {
	for _, z := range known {
		var number int
		var of uint64
		if n, _ := fmt.Sscanf(z.Source, mine.EngineGame, &number, &of); n == 2 && of == seed {
			first = max(first, number+1)
		}
	}
	return first, max(0, games-first)
}

// readRecords adds recorded games.
func (c *minePuzzles) readRecords(options *mine.Options, streams *Streams) error {
	reading, err := recordFlags{}.options()
	if err != nil {
		return err
	}
	for _, name := range c.Records {
		records, err := readRecords(name, reading, streams)
		if err != nil {
			return err
		}
		for i, r := range records {
			game, err := r.Game()
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			source := fmt.Sprintf("%s, game %d", filepath.Base(name), i+1)
			options.Games, options.Sources = append(options.Games, game), append(options.Sources, source)
		}
	}
	return nil
}

// readPuzzles returns the puzzles of a file.
func readPuzzles(name string) ([]*puzzle.Puzzle, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return puzzle.Read(file, name)
}

// checkPuzzles proves puzzles anew.
type checkPuzzles struct {
	Sample int    `placeholder:"N" help:"Prove only every Nth."`
	File   string `arg:"" optional:"" name:"FILE" help:"Puzzles; without it those of the program."`
}

// Run carries the subcommand out. The error counts the faults, which are printed.
func (c *checkPuzzles) Run(streams *Streams) error {
	var puzzles []*puzzle.Puzzle
	var err error
	if c.Sample < 0 {
		return usagef("--sample %d: expected a number from 1", c.Sample)
	}
	if c.File == "" {
		puzzles, err = puzzle.Standard()
	} else {
		puzzles, err = readPuzzles(c.File)
	}
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	every := max(1, c.Sample)
	faults := make([]error, len(puzzles))
	next := make(chan int)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			prover := mine.NewProver(checkMiB, 0)
			for i := range next {
				faults[i] = prover.Check(ctx, puzzles[i])
			}
		})
	}
	proved := 0
	for i := 0; i < len(puzzles) && ctx.Err() == nil; i += every {
		next <- i
		proved++
	}
	close(next)
	workers.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	wrong := 0
	for i, fault := range faults {
		if fault != nil {
			wrong++
			fmt.Fprintf(streams.Out, "%s: %v\n", puzzles[i].ID, fault)
		}
	}
	wrong += alike(puzzles, streams)
	fmt.Fprintf(streams.Out, "puzzles %d, faults %d\n", proved, wrong)
	if wrong > 0 {
		return fmt.Errorf("%d faults", wrong)
	}
	return nil
}

// checkMiB is the table of each worker.
const checkMiB = 64

// alike prints the puzzles that are too much like an earlier one, and counts them.
func alike(puzzles []*puzzle.Puzzle, streams *Streams) (n int) {
	for i, z := range puzzles {
		for _, other := range puzzles[:i] {
			if z.Near(other, mine.Likeness) {
				n++
				fmt.Fprintf(streams.Out, "%s: too much like %s\n", z.ID, other.ID)
				break
			}
		}
	}
	return n
}
