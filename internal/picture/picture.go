// Package picture draws positions and games: SVG as text, PNG, and GIF that moves. Every form shows the same
// drawing.
package picture

import (
	"image/color"

	"github.com/linesofaction/loa"
)

// View is what a picture shows.
type View struct {
	Board   loa.Board
	Last    []loa.Square // tinted: the squares of the last move
	Flipped bool         // White's side below
}

// The drawing, in squares: the same board and pieces as on the pages, in the theme they begin with.
const (
	rim       = 0.42
	edge      = 0.39  // radius of a piece with its edge
	face      = 0.362 // and without
	ring      = 0.165 // the mark of Black
	ringWidth = 0.05
	dot       = 0.085 // the mark of White
)

var (
	rimColor  = color.RGBA{0x32, 0x3d, 0x45, 0xff}
	light     = color.RGBA{0x7f, 0x8f, 0x9b, 0xff}
	dark      = color.RGBA{0x6d, 0x7d, 0x89, 0xff}
	coord     = color.RGBA{0xb9, 0xc4, 0xcb, 0xff}
	lastLight = color.RGBA{0x99, 0xa5, 0xaf, 0xff}
	lastDark  = color.RGBA{0x8a, 0x97, 0xa1, 0xff}
	pieces    = [2]struct{ edge, face, mark color.RGBA }{
		{color.RGBA{0x05, 0x08, 0x0a, 0xff}, color.RGBA{0x17, 0x1c, 0x20, 0xff}, color.RGBA{0x62, 0x70, 0x7a, 0xff}},
		{color.RGBA{0xaa, 0xa6, 0x97, 0xff}, color.RGBA{0xf7, 0xf4, 0xec, 0xff}, color.RGBA{0x85, 0x81, 0x72, 0xff}},
	}
)

// place returns where a square's left upper corner is drawn, in squares from that of the board.
func (v View) place(s loa.Square) (x, y int) {
	if v.Flipped {
		return v.Board.Size - 1 - s.File(), s.Rank()
	}
	return s.File(), v.Board.Size - 1 - s.Rank()
}

// square returns the square that is drawn at a place.
func (v View) square(x, y int) loa.Square {
	if v.Flipped {
		return loa.SquareAt(v.Board.Size-1-x, y)
	}
	return loa.SquareAt(x, v.Board.Size-1-y)
}

// tint returns the color of a square.
func (v View) tint(s loa.Square) color.RGBA {
	shade, last := (s.File()+s.Rank())%2 == 0, false
	for _, l := range v.Last {
		last = last || l == s
	}
	switch {
	case last && shade:
		return lastDark
	case last:
		return lastLight
	case shade:
		return dark
	}
	return light
}
