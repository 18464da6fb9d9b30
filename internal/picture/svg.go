package picture

import (
	"fmt"
	"image/color"
	"strings"

	"github.com/linesofaction/loa"
)

// SVG returns a picture as text that needs nothing else.
func (v View) SVG() []byte {
	var out strings.Builder
	n := v.Board.Size
	whole := float64(n) + 2*rim
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="%g %g %g %g" width="%d" height="%d" role="img"><title>%s</title>`,
		-rim, -rim, whole, whole, 60*n, 60*n, v.Board.Text())
	fmt.Fprintf(&out, `<rect x="%g" y="%g" width="%g" height="%g" fill="%s"/>`, -rim, -rim, whole, whole, hex(rimColor))
	for y := range n {
		for x := range n {
			fmt.Fprintf(&out, `<rect x="%d" y="%d" width="1" height="1" fill="%s"/>`, x, y, hex(v.tint(v.square(x, y))))
		}
	}
	fmt.Fprintf(&out, `<g fill="%s" font-family="system-ui, sans-serif" font-size=".22" text-anchor="middle">`, hex(coord))
	for i := range n {
		fmt.Fprintf(&out, `<text x="%g" y="%g">%s</text><text x="-.21" y="%g">%d</text>`,
			float64(i)+0.5, float64(n)+0.28, v.square(i, n-1).String()[:1], float64(i)+0.57, v.square(0, i).Rank()+1)
	}
	out.WriteString(`</g>`)
	for side, own := range [2]loa.Bitboard{v.Board.Black, v.Board.White} {
		look := pieces[side]
		for own != 0 {
			x, y := v.place(own.Pop())
			fmt.Fprintf(&out, `<g transform="translate(%d.5 %d.5)"><circle r="%g" fill="%s"/><circle r="%g" fill="%s"/>`, x, y, edge, hex(look.edge), face, hex(look.face))
			if loa.Color(side) == loa.Black {
				fmt.Fprintf(&out, `<circle r="%g" fill="none" stroke="%s" stroke-width="%g"/></g>`, ring, hex(look.mark), ringWidth)
			} else {
				fmt.Fprintf(&out, `<circle r="%g" fill="%s"/></g>`, dot, hex(look.mark))
			}
		}
	}
	out.WriteString(`</svg>`)
	return []byte(out.String())
}

func hex(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }
