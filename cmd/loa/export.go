package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/linesofaction/loa/internal/match"
	"github.com/linesofaction/loa/internal/store"
	"github.com/linesofaction/loa/internal/web"
	"github.com/linesofaction/loa/internal/wire"
)

// adminExportCommand writes the finished games between people to files.
type adminExportCommand struct {
	Server string `default:"https://localhost" placeholder:"URL" help:"Address people use, which SGF names as the place of each game. Default: ${default}."`
	Dir    string `arg:"" help:"Directory to write to: games-YYYY-MM.sgf and .jsonl, by the month of UTC in which a game ended, and SHA256SUMS. What is there is replaced."`
}

const (
	exportedAtOnce = 500
	exportSettled  = time.Second // a game that ended just now may be stored behind one that ended after it
)

// Run carries the subcommand out. The service may run meanwhile.
func (c *adminExportCommand) Run(streams *Streams, admin *adminCommand) error {
	if _, err := newAPIClient(c.Server, "", nil); err != nil {
		return err
	}
	if err := os.MkdirAll(c.Dir, 0o777); err != nil {
		return err
	}
	return admin.with(func(ctx context.Context, db *store.Store) error {
		e := &export{dir: c.Dir, server: c.Server}
		until, after := db.Now().Add(-exportSettled), match.ID("")
		for {
			ids, err := db.EndedAfter(ctx, "", after, until, exportedAtOnce)
			if err != nil {
				return err
			}
			for _, id := range ids {
				log, err := db.Entries(ctx, id, 0)
				if err != nil {
					return err
				}
				m, err := match.Replay(id, log)
				if err != nil {
					return err
				}
				if err := e.add(wire.RecordOf(m)); err != nil {
					return fmt.Errorf("game %s: %w", id, err)
				}
				after = id
			}
			if len(ids) < exportedAtOnce {
				break
			}
		}
		if err := e.finish(); err != nil {
			return err
		}
		fmt.Fprintf(streams.Out, "%d games in %d files, %s\n", e.games, e.files, filepath.Join(c.Dir, web.SumsFile))
		return nil
	})
}

// export writes games in the order in which they ended, month by month.
type export struct {
	dir, server string
	month       string
	open        []*exportFile // of the month
	sums        bytes.Buffer
	games       int
	files       int
}

// exportFile is a file that takes its place when it is whole.
type exportFile struct {
	name string
	file *os.File
	sum  hash.Hash
	io.Writer
}

// add takes a game in.
func (e *export) add(r wire.Record) error {
	if month := r.Ended.UTC().Format("2006-01"); month != e.month {
		if err := e.close(); err != nil {
			return err
		}
		if err := e.begin(month); err != nil {
			return err
		}
	}
	text, err := sgfOf(r, e.server)
	if err != nil {
		return err
	}
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	e.games++
	_, err = e.open[0].Write(text)
	_, fault := e.open[1].Write(append(line, '\n'))
	return errors.Join(err, fault)
}

// begin begins the files of a month, beside those that they will replace.
func (e *export) begin(month string) error {
	e.month = month
	for _, form := range []string{"sgf", "jsonl"} {
		f := &exportFile{name: "games-" + month + "." + form, sum: sha256.New()}
		var err error
		if f.file, err = os.Create(filepath.Join(e.dir, f.name+".tmp")); err != nil {
			return err
		}
		f.Writer = io.MultiWriter(f.file, f.sum)
		e.open = append(e.open, f)
	}
	return nil
}

// close puts the files of a month in their places.
func (e *export) close() error {
	for _, f := range e.open {
		if err := errors.Join(f.file.Sync(), f.file.Close()); err != nil {
			return err
		}
		if err := os.Rename(f.file.Name(), filepath.Join(e.dir, f.name)); err != nil {
			return err
		}
		fmt.Fprintf(&e.sums, "%x  %s\n", f.sum.Sum(nil), f.name)
		e.files++
	}
	e.open = nil
	return nil
}

// finish closes the last month and writes the sums of all.
func (e *export) finish() error {
	if err := e.close(); err != nil {
		return err
	}
	return replaceFile(filepath.Join(e.dir, web.SumsFile), e.sums.Bytes())
}
