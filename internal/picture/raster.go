package picture

import (
	"errors"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"image/png"
	"io"
	"math"

	"github.com/linesofaction/loa"
)

// The sizes a picture can have, in pixels on an edge.
const (
	MinPixels = 100
	MaxPixels = 1200
)

// WritePNG writes a picture of so many pixels on an edge.
func (v View) WritePNG(w io.Writer, pixels int) error {
	frame := newCanvas(pixels, v.Board.Size).draw(v)
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	return encoder.Encode(w, frame)
}

// ErrNoFrames is the error of WriteGIF without anything to show.
var ErrNoFrames = errors.New("no positions to show")

// The pace of a game that moves, in hundredths of a second.
const (
	pace = 80
	rest = 300 // after the last move
)

// WriteGIF writes the positions of a game one after the other, for ever, in a picture of so many pixels on an edge. All
// boards have one size.
func WriteGIF(w io.Writer, pixels int, views []View) error {
	if len(views) == 0 {
		return ErrNoFrames
	}
	out := &gif.GIF{}
	c := newCanvas(pixels, views[0].Board.Size)
	for i, view := range views {
		frame := c.draw(view)
		part := image.NewPaletted(frame.Rect, frame.Palette)
		if i > 0 {
			part = image.NewPaletted(c.changed, frame.Palette)
		}
		draw.Draw(part, part.Rect, frame, part.Rect.Min, draw.Src)
		delay := pace
		if i == len(views)-1 {
			delay = rest
		}
		out.Image, out.Delay = append(out.Image, part), append(out.Delay, delay)
	}
	return gif.EncodeAll(w, out)
}

// shades is how many steps lie between two colors along an edge.
const shades = 8

// paint is a palette with what lies between the colors that touch.
type paint struct {
	palette color.Palette
	index   map[[2]color.RGBA]uint8 // of the first step from one color to another
}

func newPaint() *paint {
	p := &paint{index: map[[2]color.RGBA]uint8{}}
	grounds := []color.RGBA{light, dark, lastLight, lastDark}
	for _, ground := range grounds {
		for _, piece := range pieces {
			p.add(ground, piece.edge)
		}
	}
	for _, piece := range pieces {
		p.add(piece.edge, piece.face)
		p.add(piece.face, piece.mark)
	}
	p.add(rimColor, coord)
	return p
}

// add adds the steps from one color to another.
func (p *paint) add(from, to color.RGBA) {
	p.index[[2]color.RGBA{from, to}] = uint8(len(p.palette))
	mix := func(a, b uint8, step int) uint8 { return uint8((int(a)*(shades-step) + int(b)*step) / shades) }
	for step := range shades + 1 {
		p.palette = append(p.palette, color.RGBA{mix(from.R, to.R, step), mix(from.G, to.G, step), mix(from.B, to.B, step), 0xff})
	}
}

// canvas is what is drawn on, again and again: only what has changed since is drawn anew.
type canvas struct {
	*paint
	out     *image.Paletted
	size    int     // of the board
	unit    float64 // pixels of a square
	shown   map[loa.Square]content
	changed image.Rectangle // with the last drawing, at least a pixel
}

// content is what a square shows.
type content struct {
	ground color.RGBA
	side   loa.Color // NoColor for nobody
	x, y   int       // where it is drawn
}

func newCanvas(pixels, size int) *canvas {
	p := newPaint()
	c := &canvas{
		paint: p, out: image.NewPaletted(image.Rect(0, 0, pixels, pixels), p.palette),
		size: size, unit: float64(pixels) / (float64(size) + 2*rim), shown: map[loa.Square]content{},
	}
	for i := range c.out.Pix {
		c.out.Pix[i] = c.rim()
	}
	return c
}

// rim returns the color around the squares.
func (c *canvas) rim() uint8 { return c.index[[2]color.RGBA{rimColor, coord}] }

// draw draws a view over the one before and returns what is drawn on.
func (c *canvas) draw(v View) *image.Paletted {
	if len(c.shown) == 0 {
		c.letter(v)
	}
	c.changed = image.Rectangle{}
	for y := range c.size {
		for x := range c.size {
			at := v.square(x, y)
			now := content{v.tint(at), loa.NoColor, x, y}
			if side, ok := v.Board.At(at); ok {
				now.side = side
			}
			if c.shown[at] != now {
				c.shown[at] = now
				c.changed = c.changed.Union(c.square(now))
			}
		}
	}
	if c.changed.Empty() {
		c.changed = image.Rect(0, 0, 1, 1)
	}
	return c.out
}

// square draws a square and returns where.
func (c *canvas) square(what content) image.Rectangle {
	first := func(n int) int { return int(math.Ceil((float64(n)+rim)*c.unit - 0.5)) } // the first pixel whose middle is in
	box := image.Rect(first(what.x), first(what.y), first(what.x+1), first(what.y+1)).Intersect(c.out.Rect)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			shade := c.index[[2]color.RGBA{what.ground, pieces[loa.Black].edge}]
			if what.side != loa.NoColor {
				dx, dy := (float64(x)+0.5)/c.unit-rim-float64(what.x)-0.5, (float64(y)+0.5)/c.unit-rim-float64(what.y)-0.5
				shade = c.piece(what.ground, what.side, math.Sqrt(dx*dx+dy*dy), c.unit)
			}
			c.out.Pix[y*c.out.Stride+x] = shade
		}
	}
	return box
}

// piece returns the color at a distance from the middle of a piece.
func (p *paint) piece(ground color.RGBA, side loa.Color, r, unit float64) uint8 {
	look := pieces[side]
	// how much of the pixel lies within a radius
	within := func(radius float64) float64 { return min(1, max(0, (radius-r)*unit+0.5)) }
	step := func(from, to color.RGBA, share float64) uint8 {
		return p.index[[2]color.RGBA{from, to}] + uint8(math.Round(share*shades))
	}
	mark := within(dot)
	if side == loa.Black {
		mark = min(within(ring+ringWidth/2), 1-within(ring-ringWidth/2))
	}
	switch {
	case within(edge) < 1:
		return step(ground, look.edge, within(edge))
	case within(face) < 1:
		return step(look.edge, look.face, within(face))
	}
	return step(look.face, look.mark, mark)
}

// glyphs are the coordinates, five columns by seven rows, a bit for each point, the leftmost highest.
var glyphs = map[byte][7]uint8{
	'a': {0, 0, 14, 1, 15, 17, 15}, 'b': {16, 16, 30, 17, 17, 17, 30}, 'c': {0, 0, 14, 17, 16, 17, 14}, 'd': {1, 1, 15, 17, 17, 17, 15},
	'e': {0, 0, 14, 17, 31, 16, 14}, 'f': {6, 9, 8, 28, 8, 8, 8}, 'g': {0, 15, 17, 17, 15, 1, 14}, 'h': {16, 16, 30, 17, 17, 17, 17},
	'1': {4, 12, 4, 4, 4, 4, 14}, '2': {14, 17, 1, 2, 4, 8, 31}, '3': {31, 2, 4, 2, 1, 17, 14}, '4': {2, 6, 10, 18, 31, 2, 2},
	'5': {31, 16, 30, 1, 1, 17, 14}, '6': {6, 8, 16, 30, 17, 17, 14}, '7': {31, 1, 2, 4, 8, 8, 8}, '8': {14, 17, 17, 14, 17, 17, 14},
}

// letter writes the coordinates on the rim, where there is room for them.
func (c *canvas) letter(v View) {
	scale := int(c.unit * rim / 11)
	if scale < 1 {
		return
	}
	write := func(text string, x, y float64) { // around a point in squares
		left, top := int((x+rim)*c.unit)-5*scale/2, int((y+rim)*c.unit)-7*scale/2
		for row, bits := range glyphs[text[0]] {
			for column := range 5 * scale {
				for dy := range scale {
					if at := (image.Point{left + column, top + row*scale + dy}); bits>>(4-column/scale)&1 == 1 && at.In(c.out.Rect) {
						c.out.SetColorIndex(at.X, at.Y, c.rim()+shades)
					}
				}
			}
		}
	}
	for i := range c.size {
		write(v.square(i, c.size-1).String()[:1], float64(i)+0.5, float64(c.size)+rim/2)
		write(v.square(0, i).String()[1:], -rim/2, float64(i)+0.5)
	}
}
