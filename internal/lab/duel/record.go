package duel

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
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

// OpenRecord opens a file or makes it, and returns the games in it. A last line without an end is of a program that
// was killed while writing, and is dropped. The error names the file, and the line that is wrong.
func OpenRecord(path string, terms Terms) (*Record, []Game, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, nil, err
	}
	games, err := read(file, terms)
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("%s, %w", path, err), file.Close())
	}
	return &Record{file}, games, nil
}

func read(file *os.File, terms Terms) (games []Game, err error) {
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
		games = append(games, g)
	}
	return games, seekEnd(file)
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
