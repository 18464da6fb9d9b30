package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/sgf"
)

// recordFlags say how records are read.
type recordFlags struct {
	Strict bool    `help:"Make warnings errors."`
	Rules  *string `placeholder:"R" help:"Replay by this rule set instead of the one a record states: classic, standard:both=mover,repetition=none."`
}

// options returns the flags as package sgf takes them.
func (f recordFlags) options() (sgf.Options, error) {
	options := sgf.Options{Strict: f.Strict}
	if f.Rules != nil {
		rules, err := parseRules(*f.Rules)
		if err != nil {
			return options, err
		}
		options.Rules = &rules
	}
	return options, nil
}

// readRecords returns the games of a file, "-" being standard input, and writes the warnings about them. With an
// error come the games before the one that has it; of that one the error says enough.
func readRecords(file string, options sgf.Options, streams *Streams) ([]*sgf.Record, error) {
	data, err := readFile(file, streams)
	if err != nil {
		return nil, err
	}
	records, warnings, err := sgf.Parse(data, options)
	var bad *sgf.Error
	for _, w := range warnings {
		if !errors.As(err, &bad) || w.Game != 0 && w.Game < bad.Game {
			streams.warn("%s: %s", file, w)
		}
	}
	if err != nil {
		return records, fmt.Errorf("%s: %w", file, err)
	}
	return records, nil
}

// readFile reads a file, of one that is too large for a record only so much that sgf.Parse notices.
func readFile(file string, streams *Streams) ([]byte, error) {
	from := streams.In
	if file != "-" {
		opened, err := os.Open(file)
		if err != nil {
			return nil, err
		}
		defer opened.Close()
		from = opened
	}
	return io.ReadAll(io.LimitReader(from, sgf.MaxBytes+1))
}

// replayCommand plays recorded games through.
type replayCommand struct {
	recordFlags
	Files []string `arg:"" name:"FILE" help:"Records in any readable form; - is standard input."`
}

// Run carries the subcommand out. A bad record ends its file; the other files are still replayed.
func (c *replayCommand) Run(streams *Streams) error {
	options, err := c.options()
	if err != nil {
		return err
	}
	var failed error
	for _, file := range c.Files {
		records, err := readRecords(file, options, streams)
		for _, r := range records {
			line, err := ending(r)
			if err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
			fmt.Fprintf(streams.Out, "%s: %s\n", file, line)
		}
		if err != nil {
			if failed != nil {
				fmt.Fprintf(streams.Err, "loa: %v\n", oneLine(failed))
			}
			failed = err
		}
	}
	return failed
}

// ending returns how a game ended: winner, reason, plies, final position. The reason is "unfinished" for a game
// that nobody ended, and "unstated" where a record names the winner of an open board and does not say why.
func ending(r *sgf.Record) (string, error) {
	game, err := r.Game()
	if err != nil {
		return "", err
	}
	outcome, err := r.Outcome()
	if err != nil {
		return "", err
	}
	reason := outcome.Reason.String()
	switch {
	case outcome.Over():
	case outcome.Winner != loa.NoColor:
		reason = "unstated"
	default:
		reason = "unfinished"
	}
	return fmt.Sprintf("%s %s %d %s", outcome.Winner, reason, game.Plies(), game.Position()), nil
}
