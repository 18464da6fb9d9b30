package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/engine"
	"github.com/linesofaction/loa/engine/book"
	"github.com/linesofaction/loa/engine/nnue"
	"github.com/linesofaction/loa/internal/lab/opening"
)

// bookCommand makes and shows opening books.
type bookCommand struct {
	File      fileName `arg:"" optional:"" help:"Book to make, or to go on with. With --export, the one to print; without a file that of the program."`
	Export    bool     `help:"Print a book as JSON instead of making one."`
	Rules     string   `default:"standard" placeholder:"R" help:"Rule set. Default: ${default}."`
	Positions int      `default:"1000" placeholder:"N" help:"Positions in the book. Default: ${default}."`
	Nodes     uint64   `default:"300000" placeholder:"N" help:"Positions to search for each. Default: ${default}."`
	Lines     int      `default:"5" placeholder:"K" help:"Moves of each to work out. Default: ${default}."`
	Workers   int      `default:"1" placeholder:"N" help:"Searches at the same time. Default: ${default}."`
}

// Run carries the subcommand out. An interrupt ends it; the same call goes on where it ended.
func (c *bookCommand) Run(streams *Streams) error {
	if c.Export {
		return c.export(streams)
	}
	switch {
	case c.File == "":
		return usagef("expected a file for the book, or --export")
	case c.Positions < 1 || c.Nodes < 1 || c.Workers < 1 || c.Lines < 1 || c.Lines > opening.MaxLines:
		return usagef("--positions %d, --nodes %d, --lines %d, --workers %d: expected numbers from 1, lines up to %d",
			c.Positions, c.Nodes, c.Lines, c.Workers, opening.MaxLines)
	}
	rules, err := parseRules(c.Rules)
	if err != nil {
		return err
	}
	if rules.Start == loa.StartRandom {
		return fmt.Errorf("--rules %s: expected games that begin alike", rules)
	}
	if err := writable(string(c.File)); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	head := book.Head{Rules: rules, Net: "none", Nodes: c.Nodes, Lines: c.Lines}
	if net := nnue.For(rules); net != nil {
		head.Net = net.Name()
	}
	watched := isTerminal(streams.Err)
	maker := opening.Maker{Head: head, Positions: c.Positions, Workers: c.Workers, Report: func(positions int) {
		if watched {
			fmt.Fprintf(streams.Err, "\r%d of %d positions", positions, c.Positions)
		}
	}}
	made, err := maker.Make(ctx, string(c.File))
	if watched {
		fmt.Fprintln(streams.Err)
	}
	if err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	fmt.Fprintf(streams.Out, "%s: %d positions\n", c.File, made.Len())
	return nil
}

// exported is what book --export prints.
type exported struct {
	Rules     string             `json:"rules"`
	Net       string             `json:"net"`
	Nodes     uint64             `json:"nodes"`
	Positions []exportedPosition `json:"positions"`
}

// exportedPosition is a position of the book as the shortest way leads to it.
type exportedPosition struct {
	Line     []string       `json:"line"` // moves from the start
	Position string         `json:"position"`
	Moves    []exportedMove `json:"moves"` // the best first
}

// exportedMove is a move of a book.
type exportedMove struct {
	Move  string         `json:"move"`
	Score map[string]int `json:"score"` // by the search of this position
	Value map[string]int `json:"value"` // when the positions behind it are taken into account
}

// export prints a book: its positions in the order of the plies to them, better lines first.
func (c *bookCommand) export(streams *Streams) error {
	b := book.Standard()
	if c.File != "" {
		file, err := os.ReadFile(string(c.File))
		if err != nil {
			return err
		}
		if b, err = book.Parse(file); err != nil {
			return fmt.Errorf("%s: %w", c.File, err)
		}
	}
	start, err := b.Rules.StartPosition()
	if err != nil {
		return err
	}
	type reached struct {
		position loa.Position
		line     []string
	}
	out := exported{Rules: b.Rules.String(), Net: b.Net, Nodes: b.Nodes, Positions: []exportedPosition{}}
	seen := map[book.Key]bool{}
	for open := []reached{{start, []string{}}}; len(open) > 0; open = open[1:] {
		at := open[0]
		key, _ := book.KeyOf(at.position)
		moves := b.Moves(at.position, b.Rules)
		if seen[key] || len(moves) == 0 {
			continue
		}
		seen[key] = true
		entry := exportedPosition{Line: at.line, Position: at.position.String()}
		images := map[book.Key]bool{}
		for _, m := range moves {
			next := at.position.PlayUnchecked(m.Move)
			if key, _ := book.KeyOf(next); images[key] {
				continue // an image of a move that is there
			} else {
				images[key] = true
			}
			text := at.position.Format(m.Move)
			entry.Moves = append(entry.Moves, exportedMove{text, scoreObject(engine.Score(m.Score)), scoreObject(engine.Score(m.Value))})
			open = append(open, reached{next, append(at.line[:len(at.line):len(at.line)], text)})
		}
		out.Positions = append(out.Positions, entry)
	}
	return json.NewEncoder(streams.Out).Encode(out)
}
