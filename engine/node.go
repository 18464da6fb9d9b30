package engine

import "github.com/linesofaction/loa"

// maxLines is the number of lines of the 8×8 board: ranks, files and both kinds of diagonal.
const maxLines = 46

// node is a position together with what evaluation and search keep up to date from move to move. Playing a
// move fills another node; nothing is undone.
type node struct {
	pos   loa.Position
	lines int64            // packed sum over the lines of what they offer; see packLine
	mass  [2]int64         // by side, packed sum over the pieces; see packPiece
	codes [maxLines]uint16 // contents of each line, as an index into terrain.offers
}

// set fills a node from scratch.
func (n *node) set(p loa.Position, t *terrain) {
	n.pos = p
	n.codes = t.empty
	n.mass = [2]int64{}
	for side := range loa.Color(2) {
		for rest := p.Pieces(side); rest != 0; {
			s := rest.Pop()
			n.mass[side] += t.piece[s]
			for _, at := range t.at[s] {
				n.codes[at.line] += at.weight << side
			}
		}
	}
	n.lines = 0
	for _, code := range n.codes[:t.count] {
		n.lines += t.offers[code]
	}
}

// play fills next with the given position, which is that after a legal move, but for its codes. A move changes the seven lines
// through its two squares, less what those offered, plus what they offer now.
func (n *node) play(m loa.Move, after loa.Position, next *node, t *terrain) {
	next.pos, next.lines, next.mass = after, n.lines, n.mass
	if m == loa.Pass {
		return
	}
	me := n.pos.Turn()
	from, to := m.From(), m.To()
	next.mass[me] += t.piece[to] - t.piece[from]
	captured := n.pos.Pieces(me.Opponent()).Has(to)
	if captured {
		next.mass[me^1] -= t.piece[to]
	}
	lines := n.lines
	for axis := range 4 {
		leave, land := t.at[from][axis], t.at[to][axis]
		given := land.weight << me
		if captured {
			given -= land.weight << (me ^ 1)
		}
		old := n.codes[leave.line]
		now := old - leave.weight<<me
		if leave.line == land.line {
			now += given
		} else {
			into := n.codes[land.line]
			lines += t.offers[into+given] - t.offers[into]
		}
		lines += t.offers[now] - t.offers[old]
	}
	next.lines = lines
}

// encode fills the codes from those of the node before a move. Play leaves them out, for few positions have moves played from them.
func (n *node) encode(before *node, m loa.Move, t *terrain) {
	n.codes = before.codes
	if m == loa.Pass {
		return
	}
	me := before.pos.Turn()
	from, to := m.From(), m.To()
	captured := before.captures(m)
	for axis := range 4 {
		leave, land := t.at[from][axis], t.at[to][axis]
		n.codes[leave.line] -= leave.weight << me
		n.codes[land.line] += land.weight << me
		if captured {
			n.codes[land.line] -= land.weight << (me ^ 1)
		}
	}
}

// stuck reports whether the side to move has no move by a piece.
func (n *node) stuck() bool { return n.mobility(n.pos.Turn()) == 0 }

// mobility returns how many moves the pieces of a side have, whoever's turn it is.
func (n *node) mobility(side loa.Color) int { return int(n.lines >> (12 * side) & 0xfff) }

// captures reports whether a move by the side to move captures.
func (n *node) captures(m loa.Move) bool {
	return m != loa.Pass && n.pos.Pieces(n.pos.Turn().Opponent()).Has(m.To())
}

// center returns the center of mass of a side, rounded to a square.
func (n *node) center(side loa.Color) loa.Square {
	pieces := count(n.pos.Pieces(side))
	return centerOf(pieces, int(n.mass[side]&0xfff), int(n.mass[side]>>12&0xfff))
}

// centerOf returns the center of mass of a number of pieces from the sums of their files and ranks.
func centerOf(pieces, files, ranks int) loa.Square {
	return loa.SquareAt((2*files+pieces)/(2*pieces), (2*ranks+pieces)/(2*pieces))
}
