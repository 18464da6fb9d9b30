package loa

import (
	"fmt"
	"strings"
)

// The least and the greatest number of squares on an edge.
const (
	MinSize = 4
	MaxSize = 8
)

// Board says who stands where, without a side to move. Black and White ought to be disjoint and within the
// board; Setup.Position reports where they are not.
type Board struct {
	Size         int // squares on an edge
	Black, White Bitboard
}

// At returns whose piece stands on a square, and whether there is one.
func (b Board) At(s Square) (Color, bool) {
	switch {
	case s < NoSquare && b.Black.Has(s):
		return Black, true
	case s < NoSquare && b.White.Has(s):
		return White, true
	}
	return NoColor, false
}

// put adds a piece.
func (b *Board) put(c Color, s Square) {
	if c == Black {
		b.Black |= s.Bitboard()
	} else {
		b.White |= s.Bitboard()
	}
}

// Text returns the ranks from the top, split by "/": x Black, o White, digits for empty squares.
func (b Board) Text() string {
	out := make([]byte, 0, 72)
	for rank := b.Size - 1; rank >= 0; rank-- {
		empty := byte(0)
		for file := range b.Size {
			color, ok := b.At(SquareAt(file, rank))
			if !ok {
				empty++
				continue
			}
			if empty > 0 {
				out = append(out, '0'+empty)
				empty = 0
			}
			out = append(out, "xo"[color])
		}
		if empty > 0 {
			out = append(out, '0'+empty)
		}
		if rank > 0 {
			out = append(out, '/')
		}
	}
	return string(out)
}

// String draws the board with its coordinates, one rank a line from the top: x Black, o White, . empty.
func (b Board) String() string {
	var out strings.Builder
	for rank := b.Size - 1; rank >= 0; rank-- {
		fmt.Fprintf(&out, "%d", rank+1)
		for file := range b.Size {
			mark := byte('.')
			if color, ok := b.At(SquareAt(file, rank)); ok {
				mark = "xo"[color]
			}
			out.WriteByte(' ')
			out.WriteByte(mark)
		}
		out.WriteByte('\n')
	}
	out.WriteByte(' ')
	for file := range b.Size {
		out.WriteByte(' ')
		out.WriteByte('a' + byte(file))
	}
	out.WriteByte('\n')
	return out.String()
}

// ParseDrawing reads a board as String draws it. Blank lines and indentation do not matter.
func ParseDrawing(text string) (Board, error) {
	var rows []string
	for _, line := range strings.Split(text, "\n") {
		line = strings.Join(strings.Fields(line), "")
		if line == "" || line[0] >= 'a' && line[0] <= 'h' {
			continue
		}
		rows = append(rows, strings.TrimLeft(line, "12345678"))
	}
	board, faults := parseRanks(strings.ReplaceAll(strings.Join(rows, "/"), ".", "1"))
	if len(faults) > 0 {
		return board, &SetupError{Text: text, Faults: faults}
	}
	return board, nil
}

// ParseBoard reads ranks as Text writes them.
func ParseBoard(text string) (Board, error) {
	board, faults := parseRanks(text)
	if len(faults) > 0 {
		return board, &SetupError{Text: text, Faults: faults}
	}
	return board, nil
}

// parseRanks reads ranks and lists everything that is wrong with them.
func parseRanks(text string) (Board, []Fault) {
	var faults []Fault
	fault := func(format string, args ...any) {
		faults = append(faults, Fault{Kind: FaultText, Square: NoSquare, Text: fmt.Sprintf(format, args...)})
	}
	ranks := strings.Split(text, "/")
	board := Board{Size: len(ranks)}
	sized := len(ranks) >= MinSize && len(ranks) <= MaxSize
	if !sized {
		fault("%s, expected 4 to 8 split by /", count(len(ranks), "rank"))
	}
	for i, row := range ranks {
		file, rank := 0, board.Size-1-i
		for _, r := range row {
			switch {
			case r >= '1' && r <= '8':
				file += int(r - '0')
				continue
			case r == 'x' || r == 'o':
				if sized && file < board.Size {
					color := Black
					if r == 'o' {
						color = White
					}
					board.put(color, SquareAt(file, rank))
				}
			default:
				fault("%q in rank %d, expected x, o or a digit 1 to 8", r, rank+1)
			}
			file++
		}
		if sized && file != board.Size {
			fault("rank %d %q has %s, expected %d", rank+1, row, count(file, "square"), board.Size)
		}
	}
	return board, faults
}

// count writes a number of things.
func count(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}

// mustBoard reads a layout that stands in this package's own source.
func mustBoard(text string) Board {
	board, err := ParseBoard(text)
	if err != nil {
		panic(err)
	}
	return board
}

// standardBoard returns the usual start on a board of any size.
func standardBoard(size int) Board {
	board := Board{Size: size}
	for i := 1; i < size-1; i++ {
		board.put(Black, SquareAt(i, 0))
		board.put(Black, SquareAt(i, size-1))
		board.put(White, SquareAt(0, i))
		board.put(White, SquareAt(size-1, i))
	}
	return board
}
