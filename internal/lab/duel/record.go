package duel

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/linesofaction/loa"
)

// Terms say what a series is between; games recorded under other terms are of another series.
type Terms struct {
	A        string `json:"a"`
	B        string `json:"b"`
	Rules    string `json:"rules"`
	Limits   string `json:"limits"`
	Openings string `json:"openings"`
	Games    int    `json:"games"`
	Seed     uint64 `json:"seed"`
}

// Record is a file that games are added to as they end: a line with the terms, then a line for each game, all JSON.
type Record struct{ file *os.File }

// OpenRecord opens a file or makes it, and returns the games in it, each from one of the openings of the series. A last line
// without an end is of a program that was killed while writing, and is dropped. The error names the file, and the line that is
// wrong.
func OpenRecord(path string, terms Terms, openings []*loa.Game) (*Record, []Game, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, nil, err
	}
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, nil, errors.Join(fmt.Errorf("%s: expected a file, to go on from as well", path), err, file.Close())
	}
	games, err := read(file, terms, openings)
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("%s, %w", path, err), file.Close())
	}
	return &Record{file}, games, nil
}

func read(file *os.File, terms Terms, openings []*loa.Game) (games []Game, err error) {
	text, err := io.ReadAll(file)
	if err != nil {
		return nil, err
	}
	head, err := json.Marshal(terms)
	if err != nil {
		return nil, err
	}
	head = append(head, '\n')
	if bytes.HasPrefix(head, text) { // nothing, or killed while writing the first line
		if err := file.Truncate(0); err != nil {
			return nil, err
		}
		_, err := file.WriteAt(head, 0)
		return nil, errors.Join(err, seekEnd(file))
	}
	known := map[int]bool{}
	for i, line := range bytes.SplitAfter(text, []byte("\n")) {
		switch {
		case i == 0 && !bytes.Equal(line, head):
			return nil, fmt.Errorf("line 1: %q: expected the terms of this duel, %s", line[:min(len(line), 400)], bytes.TrimSpace(head))
		case i == 0:
			continue
		case !bytes.HasSuffix(line, []byte("\n")):
			return games, errors.Join(file.Truncate(int64(len(text)-len(line))), seekEnd(file))
		}
		var g Game
		if err := json.Unmarshal(line, &g); err != nil {
			return nil, fmt.Errorf("line %d: expected a game: %w", i+1, err)
		}
		err := g.check(openings)
		if err == nil && known[g.Number] {
			err = errors.New("a second time")
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: game %d: %w", i+1, g.Number, err)
		}
		known[g.Number] = true
		games = append(games, g)
	}
	return games, seekEnd(file)
}

// check reports why a game is none from the openings of a series.
func (g *Game) check(openings []*loa.Game) error {
	switch {
	case g.Number < 0 || g.Number >= 2*len(openings):
		return fmt.Errorf("expected a number from 0 to %d", 2*len(openings)-1)
	case g.Opening != openings[g.Number/2].Position().String():
		return fmt.Errorf("from %q: expected %q", g.Opening, openings[g.Number/2].Position())
	case g.Black != names[g.Number%2]:
		return fmt.Errorf("black is %q: expected %q", g.Black, names[g.Number%2])
	case !slices.Contains([]string{names[0], names[1], drawn}, g.Winner):
		return fmt.Errorf("winner %q: expected %q, %q or %q", g.Winner, names[0], names[1], drawn)
	}
	return nil
}

func seekEnd(file *os.File) error {
	_, err := file.Seek(0, io.SeekEnd)
	return err
}

// Add writes a game.
func (r *Record) Add(g Game) error {
	line, err := json.Marshal(g)
	if err != nil {
		return err
	}
	_, err = r.file.Write(append(line, '\n'))
	return err
}

// Close closes the file.
func (r *Record) Close() error { return r.file.Close() }
