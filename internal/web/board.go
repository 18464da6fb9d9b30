package web

import (
	"fmt"
	"strings"

	"github.com/linesofaction/loa"
)

// boardView is a board as the page first shows it, before its script takes over: what anyone can read.
type boardView struct {
	Label   string
	Size    int
	ViewBox string
	Rows    [][]cell
	Pieces  []pieceView
	Coords  []coordView
	Last    []pieceView // the squares of the last move
}

type cell struct{ Square, Label string }

type pieceView struct {
	X, Y  float64 // the middle of its square
	Color string  // b or w, as its drawing is called
}

type coordView struct {
	X, Y float64
	Text string
}

// letters are the keys by which a board with the focus is told in words; static/heard.js knows them.
var letters = []string{"p", "g", "m", "l", "c", "h"}

// rim is the width of the frame around the squares, in squares; static/geometry.js draws with the same.
const rim = 0.42

// boardView draws a position, from White's side when flipped.
func (v voice) boardView(p loa.Position, flipped bool, last ...loa.Square) boardView {
	size := p.Size()
	bottom := loa.Black
	if flipped {
		bottom = loa.White
	}
	b := boardView{
		Label:   v.T("board.label", "Side", v.T("side."+bottom.String())),
		Size:    size,
		ViewBox: fmt.Sprintf("%g %g %g %g", -rim, -rim, float64(size)+2*rim, float64(size)+2*rim),
	}
	center := func(file, rank int) (x, y float64) {
		if flipped {
			return float64(size-file) - 0.5, float64(rank) + 0.5
		}
		return float64(file) + 0.5, float64(size-rank) - 0.5
	}
	for row := range size {
		var cells []cell
		for column := range size {
			file, rank := column, size-1-row
			if flipped {
				file, rank = size-1-column, row
			}
			square := loa.SquareAt(file, rank)
			said := []string{square.String(), v.T("square.empty")}
			if color, ok := p.At(square); ok {
				said[1] = v.T("piece." + color.String())
				x, y := center(file, rank)
				b.Pieces = append(b.Pieces, pieceView{X: x, Y: y, Color: color.String()[:1]})
			}
			cells = append(cells, cell{square.String(), strings.Join(said, ", ")})
		}
		b.Rows = append(b.Rows, cells)
		n := row
		if flipped {
			n = size - 1 - row
		}
		at := float64(row) + 0.5
		b.Coords = append(b.Coords,
			coordView{at, float64(size) + 0.28, string(rune('a' + n))},
			coordView{-0.21, at + 0.07, fmt.Sprint(size - n)})
	}
	for _, square := range last {
		x, y := center(square.File(), square.Rank())
		b.Last = append(b.Last, pieceView{X: x - 0.5, Y: y - 0.5})
	}
	return b
}

// darkSquares returns the dark squares of a board as a path, for boards so small that they have no buttons.
func darkSquares(size int) string {
	var path strings.Builder
	for row := range size {
		for column := (row + 1) % 2; column < size; column += 2 {
			fmt.Fprintf(&path, "M%d %dh1v1h-1z", column, row)
		}
	}
	return path.String()
}
