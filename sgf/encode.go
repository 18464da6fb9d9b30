package sgf

import (
	"fmt"
	"strings"

	"github.com/linesofaction/loa"
)

// Encode writes records in a form, one after another. Parse reads the text back as the same records, provided
// that these came from Parse, or that their texts have no control characters and no blanks at the ends of
// lines. The error is that of Record.Game for a record whose moves cannot be played, or an unknown form.
func Encode(form Form, records ...*Record) ([]byte, error) {
	var out []byte
	for i, r := range records {
		g, err := r.Game()
		if err == nil {
			err = playable(&r.Root, g.Start(), 1)
		}
		if err != nil {
			return nil, err
		}
		switch form {
		case FormSGF:
			out = appendSGF(out, r, g)
		case FormText:
			if i > 0 {
				out = append(out, '\n')
			}
			out = appendText(out, r, g)
		case FormJSON:
			if out, err = appendJSON(out, r, g); err != nil {
				return nil, err
			}
		default:
			return nil, &loa.SyntaxError{What: "form", Text: string(form), Want: "sgf, text or json"}
		}
	}
	return out, nil
}

// playable checks the variations of a record. It recurses for variations only.
func playable(at *Node, p loa.Position, ply int) error {
	for ; len(at.Next) > 0; ply++ {
		for _, variation := range at.Next[1:] {
			after, err := p.Play(variation.Move)
			if err == nil {
				err = playable(variation, after, ply+1)
			}
			if err != nil {
				return &Error{Ply: ply, Err: err}
			}
		}
		after, err := p.Play(at.Next[0].Move)
		if err != nil {
			return &Error{Ply: ply, Err: err}
		}
		at, p = at.Next[0], after
	}
	return nil
}

// appendSGF writes a record in the standard form.
func appendSGF(out []byte, r *Record, g *loa.Game) []byte {
	var b strings.Builder
	put := func(name string, values ...string) {
		b.WriteString(name)
		for _, v := range values {
			fmt.Fprintf(&b, "[%s]", escape(v))
		}
	}
	b.WriteString("(;FF[4]GM[9]CA[UTF-8]")
	put("SZ", fmt.Sprint(r.Start.Size))
	named, err := startOf(r.Rules)
	switch {
	case err == nil && named == r.Start && r.Rules.Start == loa.StartStandard:
		put("SU", "Standard")
	case err == nil && named == r.Start && r.Rules.Start == loa.StartScrambled:
		put("SU", "Scrambled-eggs")
	default:
		put("SU", "Custom")
		put("AB", squareNames(r.Start.Black)...)
		put("AW", squareNames(r.Start.White)...)
		put("PL", []string{"B", "W"}[r.Start.Turn])
	}
	put("RU", r.Rules.String())
	for i, name := range []string{"PB", "PW"} {
		if r.Players[i] != "" {
			put(name, r.Players[i])
		}
	}
	if r.Result.Standing != Unstated {
		re, rs := r.Result.sgf()
		put("RE", re)
		if rs != "" {
			put("RS", rs)
		}
	}
	for _, name := range names(r.Root.Props) {
		put(name, r.Root.Props[name]...)
	}
	if r.Root.Comment != "" {
		put("C", r.Root.Comment)
	}
	w := sgfWriter{out: &b}
	w.lines(&r.Root, g.Start())
	b.WriteString(")\n")
	return append(out, b.String()...)
}

func squareNames(squares loa.Bitboard) []string {
	var names []string
	for _, s := range squares.Squares() {
		names = append(names, s.String())
	}
	return names
}

// sgfWriter writes the nodes after the root, as many on a line as fit.
type sgfWriter struct {
	out    *strings.Builder
	column int
}

// lines writes everything that follows a node. It recurses where lines part, as deep as the game has plies at
// most.
func (w *sgfWriter) lines(at *Node, p loa.Position) {
	for len(at.Next) == 1 {
		w.node(at.Next[0], p)
		at, p = at.Next[0], p.PlayUnchecked(at.Next[0].Move)
	}
	for _, next := range at.Next {
		w.out.WriteString("\n(")
		w.column = 1
		w.node(next, p)
		w.lines(next, p.PlayUnchecked(next.Move))
		w.out.WriteString(")")
	}
}

// node writes one move and what is said of it.
func (w *sgfWriter) node(n *Node, p loa.Position) {
	var b strings.Builder
	move := n.Move.String()
	if n.Move != loa.Pass {
		mark := "-"
		if p.IsCapture(n.Move) {
			mark = ":"
		}
		move = n.Move.From().String() + mark + n.Move.To().String()
	}
	fmt.Fprintf(&b, ";%s[%s]", [...]string{"B", "W"}[p.Turn()], move)
	for _, name := range names(n.Props) {
		b.WriteString(name)
		for _, v := range n.Props[name] {
			fmt.Fprintf(&b, "[%s]", escape(v))
		}
	}
	if n.Comment != "" {
		fmt.Fprintf(&b, "C[%s]", escape(n.Comment))
	}
	text := b.String()
	const width = 100
	if w.column == 0 || w.column+len(text) > width && w.column > 1 {
		w.out.WriteByte('\n')
		w.column = 0
	}
	w.out.WriteString(text)
	w.column += len(text)
}
