package sgf

import (
	"fmt"
	"strings"

	"github.com/linesofaction/loa"
)

// appendText writes a record as a list of moves.
func appendText(out []byte, r *Record, g *loa.Game) []byte {
	var b strings.Builder
	if r.Root.Comment != "" {
		for line := range strings.SplitSeq(r.Root.Comment, "\n") {
			b.WriteString(strings.TrimRight("# "+line, " ") + "\n")
		}
	}
	fmt.Fprintf(&b, "rules: %s\n", r.Rules)
	if named, err := startOf(r.Rules); err != nil || named != r.Start {
		fmt.Fprintf(&b, "start: %s\n", r.Start)
	}
	for i, key := range []string{"black", "white"} {
		if r.Players[i] != "" {
			fmt.Fprintf(&b, "%s: %s\n", key, r.Players[i])
		}
	}
	for _, name := range names(r.Root.Props) {
		for _, value := range r.Root.Props[name] {
			fmt.Fprintf(&b, "%s: %s\n", factWord(name), strings.ReplaceAll(value, "\n", "\n  "))
		}
	}
	fmt.Fprintf(&b, "result: %s\nplies: %d\nfinal: %s\nmoves:", r.Result, g.Plies(), g.Position())
	w := textWriter{out: &b, column: len("moves:")}
	w.line(&r.Root, g.Start(), 1)
	b.WriteByte('\n')
	return append(out, b.String()...)
}

// textWriter writes moves, breaking lines between words.
type textWriter struct {
	out    *strings.Builder
	column int
	open   bool // a parenthesis has just been opened
}

// line writes everything that follows a node. It recurses for variations only.
func (w *textWriter) line(at *Node, p loa.Position, ply int) {
	for ; len(at.Next) > 0; ply++ {
		main := at.Next[0]
		w.node(main, p, ply)
		for _, variation := range at.Next[1:] {
			w.word("(")
			w.open = true
			w.node(variation, p, ply)
			w.line(variation, p.PlayUnchecked(variation.Move), ply+1)
			w.out.WriteByte(')')
			w.column++
		}
		at, p = main, p.PlayUnchecked(main.Move)
	}
}

// node writes one move and what is said of it.
func (w *textWriter) node(n *Node, p loa.Position, ply int) {
	move := p.Format(n.Move)
	if ply%2 == 1 {
		move = fmt.Sprintf("%d. %s", ply/2+1, move)
	}
	w.word(move)
	for _, name := range names(n.Props) {
		for _, value := range n.Props[name] {
			w.word("[" + strings.TrimRight(name+" "+escape(value), " ") + "]")
		}
	}
	if n.Comment != "" {
		w.word("{" + strings.NewReplacer(`\`, `\\`, `}`, `\}`).Replace(n.Comment) + "}")
	}
}

// word writes a word behind a blank, on a new line, or right behind an opening parenthesis.
func (w *textWriter) word(text string) {
	const width = 100
	switch {
	case w.open:
		w.open = false
	case w.column+1+len(text) > width && w.column > 0:
		w.out.WriteByte('\n')
		w.column = 0
	default:
		w.out.WriteByte(' ')
		w.column++
	}
	w.out.WriteString(text)
	if i := strings.LastIndexByte(text, '\n'); i >= 0 {
		w.column = len(text) - i
	} else {
		w.column += len(text)
	}
}
