package book

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"

	"github.com/linesofaction/loa"
)

const (
	magic       = "loa book 1"
	sumBytes    = 32
	longestLine = 200
)

// Parse reads a book. The error says what is wrong and where; nothing of a file that is cut off or changed is used.
func Parse(file []byte) (*Book, error) {
	rest, sum := file, []byte(nil)
	if len(file) >= sumBytes {
		rest, sum = file[:len(file)-sumBytes], file[len(file)-sumBytes:]
	}
	b := &Book{entries: map[Key]Entry{}}
	positions := 0
	number := func(text string, most int) (int, error) {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 || n > most {
			return 0, fmt.Errorf("expected a number up to %d", most)
		}
		return n, nil
	}
	lines := []struct {
		word string
		read func(text string) error
	}{
		{"loa", func(text string) error {
			if "loa "+text != magic {
				return fmt.Errorf("expected %q", magic)
			}
			return nil
		}},
		{"rules", func(text string) (err error) { b.Rules, err = loa.ParseRules(text); return err }},
		{"net", func(text string) error { b.Net = text; return nil }},
		{"nodes", func(text string) (err error) { b.Nodes, err = strconv.ParseUint(text, 10, 64); return err }},
		{"lines", func(text string) (err error) { b.Lines, err = number(text, 255); return err }},
		{"positions", func(text string) (err error) { positions, err = number(text, 1<<24); return err }},
		{"", func(string) error { return nil }},
	}
	for n, line := range lines {
		text, _, _ := strings.Cut(string(rest[:min(len(rest), longestLine)]), "\n")
		word, says, _ := strings.Cut(text, " ")
		if word != line.word {
			return nil, fmt.Errorf("line %d: %q: expected %q", n+1, text, strings.TrimSpace(line.word+" …"))
		}
		if err := line.read(says); err != nil {
			return nil, fmt.Errorf("line %d: %q: %w", n+1, text, err)
		}
		rest = rest[min(len(text)+1, len(rest)):]
	}
	if err := check(file[:len(file)-len(sum)], sum); err != nil {
		return nil, err
	}
	last := Key{}
	for n := range positions {
		wrong := func(what string) (*Book, error) { return nil, fmt.Errorf("position %d: %s", n+1, what) }
		if len(rest) < 17 || len(rest) < 17+6*int(rest[16]) {
			return wrong("expected more bytes")
		}
		key := Key{loa.Bitboard(binary.BigEndian.Uint64(rest)), loa.Bitboard(binary.BigEndian.Uint64(rest[8:]))}
		if n > 0 && key.Compare(last) <= 0 || key.Own&key.Other != 0 {
			return wrong("expected pieces of two sides, in rising order")
		}
		entry := make(Entry, rest[16])
		rest = rest[17:]
		for i := range entry {
			move, score, value := binary.BigEndian.Uint16(rest), binary.BigEndian.Uint16(rest[2:]), binary.BigEndian.Uint16(rest[4:])
			entry[i] = Move{loa.Move(move), int(int16(score)), int(int16(value))}
			if m := entry[i].Move; move >= 1<<12 || !key.Own.Has(m.From()) || key.Own.Has(m.To()) {
				return wrong("a move that no piece can make")
			}
			if i > 0 && entry[i].Value > entry[i-1].Value {
				return wrong("expected the best move first")
			}
			rest = rest[6:]
		}
		b.entries[key], last = entry, key
	}
	if len(rest) > 0 {
		return nil, fmt.Errorf("%d bytes after the last position", len(rest))
	}
	return b, nil
}
