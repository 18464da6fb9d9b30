package nnue

import "github.com/linesofaction/loa"

// State is what the net keeps of a position and brings up to date from move to move.
type State struct {
	units  [2][MaxHidden]int16 // by side, before they are cut off
	blocks [36]uint16          // what is in each block of 3×3 squares, as an index of its table
	worth  [2]int32            // of the blocks for Black, in the ending and in the opening
}

// pair is a worth in the ending and in the opening, in sixteenths of a centipawn.
type pair [2]int16

// place is where a square stands in a block.
type place struct{ block, weight uint16 }

// terrain says which blocks a square is in.
type terrain struct {
	base [36]uint32 // of the table of each block in Net.blocks
	at   [64][]place
}

// fill makes what is not in the file.
func (n *Net) fill() {
	n.fast = fast()
	g := n.geometry
	first := g.Tables[g.Patterns[g.Lines].Table].Base
	n.blocks = make([]pair, g.Codes-first)
	for i := range n.blocks {
		opening, ending := n.worth(first + i)
		n.blocks[i] = pair{int16(ending), int16(opening)}
	}
	for i, p := range g.Patterns[g.Lines:] {
		n.terrain.base[i] = uint32(g.Tables[p.Table].Base - first)
	}
	for s := range n.terrain.at {
		for _, at := range g.At[s] {
			if int(at.Pattern) >= g.Lines {
				n.terrain.at[s] = append(n.terrain.at[s], place{uint16(at.Pattern) - uint16(g.Lines), at.Weight})
			}
		}
	}
}

// Refresh fills a state from scratch.
func (n *Net) Refresh(s *State, black, white loa.Bitboard) {
	for side := range s.units {
		copy(s.units[side][:n.hidden], n.bias)
	}
	s.blocks, s.worth = [36]uint16{}, [2]int32{}
	for color, set := range [2]loa.Bitboard{black, white} {
		for set != 0 {
			square := set.Pop()
			for side := range s.units {
				for i, w := range n.row(side, loa.Color(color), square) {
					s.units[side][i] += w
				}
			}
			for _, at := range n.terrain.at[square] {
				s.blocks[at.block] += at.weight << color
			}
		}
	}
	for i, code := range s.blocks {
		worth := n.blocks[n.terrain.base[i]+uint32(code)]
		s.worth[0] += int32(worth[0])
		s.worth[1] += int32(worth[1])
	}
}

// row returns the row of a piece in the eyes of a side.
func (n *Net) row(side int, color loa.Color, s loa.Square) []int16 {
	at := ((side^int(color))<<6 | int(s)) * n.hidden
	return n.input[at : at+n.hidden]
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
	to.blocks, to.worth = from.blocks, from.worth
	for _, at := range n.terrain.at[m.From()] {
		n.change(to, at.block, -at.weight<<color)
	}
	for _, at := range n.terrain.at[m.To()] {
		given := at.weight << color
		if captured {
			given -= at.weight << (color ^ 1)
		}
		n.change(to, at.block, given)
	}
}

// change adds to the code of a block.
func (n *Net) change(s *State, block, by uint16) {
	code, base := s.blocks[block], n.terrain.base[block]
	old, now := n.blocks[base+uint32(code)], n.blocks[base+uint32(code+by)]
	s.blocks[block] = code + by
	s.worth[0] += int32(now[0]) - int32(old[0])
	s.worth[1] += int32(now[1]) - int32(old[1])
}

// Value returns what the net says of a position for the side to move, the lines left out, in 1/Unit of a centipawn.
func (n *Net) Value(s *State, turn loa.Color, pieces int) int {
	bucket := n.geometry.Bucket(pieces)
	w := n.output[bucket*2*n.hidden : (bucket+1)*2*n.hidden]
	sum := int64(n.shift[bucket])
	sum += int64(n.weigh(s.units[turn][:n.hidden], w[:n.hidden]))
	sum += int64(n.weigh(s.units[turn^1][:n.hidden], w[n.hidden:]))
	phase := n.geometry.Phase(pieces)
	worth := int(s.worth[1])*phase + int(s.worth[0])*(Phases-phase)
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
