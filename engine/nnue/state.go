package nnue

import "github.com/linesofaction/loa"

// blocks is the number of blocks of 3×3 squares of the 8×8 board, and blockLanes that filled up to what the kernels take at a time.
const (
	blocks     = 36
	blockLanes = 64
)

// State is what the net keeps of a position and brings up to date from move to move.
type State struct {
	units  [2][MaxHidden]int16 // by side, before they are cut off
	blocks [blockLanes]int16   // what is in each block of 3×3 squares, as an index of its table
}

// pair is a worth in the ending and in the opening, in sixteenths of a centipawn.
type pair [2]int16

// terrain is what the patterns of three squares by three need, made from what is in the file.
type terrain struct {
	worths []pair                    // nothing, then by code the tables of all blocks
	bases  [blockLanes]int32         // of the table of each block in worths, 0 beyond the blocks
	given  [2][64 * blockLanes]int16 // by color and square, a row of what a piece adds to the contents of each block
}

// fill makes what is not in the file.
func (n *Net) fill() {
	n.fast = fast()
	g, t := n.geometry, new(terrain)
	n.terrain = t
	first := g.Tables[g.Patterns[g.Lines].Table].Base
	t.worths = make([]pair, 1, 1+g.Codes-first)
	for code := first; code < g.Codes; code++ {
		opening, ending := n.worth(code)
		t.worths = append(t.worths, pair{int16(ending), int16(opening)})
	}
	for i, p := range g.Patterns[g.Lines:] {
		t.bases[i] = int32(1 + g.Tables[p.Table].Base - first)
	}
	for s := range g.At {
		for _, at := range g.At[s] {
			if i := int(at.Pattern) - g.Lines; i >= 0 {
				for color := range t.given {
					t.given[color][s*blockLanes+i] = int16(at.Weight) << color
				}
			}
		}
	}
}

// Refresh fills a state from scratch.
func (n *Net) Refresh(s *State, black, white loa.Bitboard) {
	for side := range s.units {
		copy(s.units[side][:n.hidden], n.bias)
	}
	s.blocks = [blockLanes]int16{}
	for color, set := range [2]loa.Bitboard{black, white} {
		for set != 0 {
			square := set.Pop()
			for side := range s.units {
				for i, w := range n.row(side, loa.Color(color), square) {
					s.units[side][i] += w
				}
			}
			for i, given := range n.terrain.row(loa.Color(color), square) {
				s.blocks[i] += given
			}
		}
	}
}

// row returns the row of a piece in the eyes of a side.
func (n *Net) row(side int, color loa.Color, s loa.Square) []int16 {
	at := ((side^int(color))<<6 | int(s)) * n.hidden
	return n.input[at : at+n.hidden]
}

// row returns what a piece adds to the contents of the blocks.
func (t *terrain) row(color loa.Color, s loa.Square) []int16 {
	return t.given[color][int(s)*blockLanes:][:blockLanes]
}

// Move fills a state from the one before a move by a color, which perhaps captured.
func (n *Net) Move(to, from *State, color loa.Color, m loa.Move, captured bool) {
	if m == loa.Pass {
		*to = *from
		return
	}
	for side := range to.units {
		leave, land := n.row(side, color, m.From()), n.row(side, color, m.To())
		if captured {
			taken := n.row(side, color^1, m.To())
			n.capture(to.units[side][:n.hidden], from.units[side][:n.hidden], land, leave, taken)
		} else {
			n.move(to.units[side][:n.hidden], from.units[side][:n.hidden], land, leave)
		}
	}
	leave, land := n.terrain.row(color, m.From()), n.terrain.row(color, m.To())
	if captured {
		n.capture(to.blocks[:], from.blocks[:], land, leave, n.terrain.row(color^1, m.To()))
	} else {
		n.move(to.blocks[:], from.blocks[:], land, leave)
	}
}

// Value returns what the net says of a position for the side to move, the lines left out, in 1/Unit of a centipawn.
func (n *Net) Value(s *State, turn loa.Color, pieces int) int {
	bucket := n.geometry.Bucket(pieces)
	w := n.output[bucket*2*n.hidden : (bucket+1)*2*n.hidden]
	sum := int64(n.shift[bucket])
	sum += int64(n.weigh(s.units[turn][:n.hidden], w[:n.hidden]))
	sum += int64(n.weigh(s.units[turn^1][:n.hidden], w[n.hidden:]))
	worth := int(n.look(&s.blocks, n.geometry.Phase(pieces)))
	if turn == loa.White {
		worth = -worth
	}
	return int(sum*(Scale*Unit)/oneValue) + worth/Phases
}

// Line returns what a line of a table is worth for Black with given contents, in the opening and in the ending, in
// 1/Unit of a centipawn: the contents are 3^n times 1 for a black piece, times 2 for a white one, on its nth square.
// Table -1 is of lines without worth.
func (n *Net) Line(table, contents int) (opening, ending int) {
	if table < 0 {
		return 0, 0
	}
	return n.worth(n.geometry.Tables[table].Base + contents)
}

// worth returns what a pattern is worth with a code.
func (n *Net) worth(code int) (opening, ending int) {
	tie := n.geometry.Tie[code]
	worth := n.pattern[tie&^1:][:2]
	if tie&1 != 0 {
		return -int(worth[0]), -int(worth[1])
	}
	return int(worth[0]), int(worth[1])
}
