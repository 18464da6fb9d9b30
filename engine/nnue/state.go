package nnue

import "github.com/linesofaction/loa"

// blocks is the number of blocks of 3×3 squares of the 8×8 board, and blockLanes that filled up to what the kernels take at a time.
const (
	blocks     = 36
	blockLanes = 64
)

// State is what the net keeps of a position and brings up to date from move to move.
type State struct {
	units  [2][MaxHidden / 4]uint64 // lanes, by side, before they are cut off
	blocks [blockLanes / 4]uint64   // lanes: what is in each block of 3×3 squares, as an index of its table
}

// pair is a worth in the ending and in the opening, in sixteenths of a centipawn.
type pair [2]int16

// terrain is what a state begins with and what pieces add to it, made for the kernels from the numbers of a net.
type terrain struct {
	start   []uint64               // the units without pieces
	units   []uint64               // rows by whether the piece is the enemy's, and its square
	blocks  []uint64               // rows by color and square of the piece
	worths  []pair                 // nothing, then by code the tables of all blocks
	bases   [blockLanes]int32      // of the table of each block in worths, 0 beyond the blocks
	squares *[1 << laneBits]uint16 // for the form in Go
}

// fill makes the terrain, for the kernels in assembly or in Go.
func (n *Net) fill(fast bool) {
	n.fast = fast
	g, t := n.geometry, new(terrain)
	n.terrain = t
	t.start = make([]uint64, n.hidden/4)
	for i, x := range n.bias {
		t.start[i/4] |= uint64(uint16(x)+laneMiddle) << (i % 4 * laneBits)
	}
	t.units = n.pack(n.input)
	if !fast {
		t.squares = newSquares()
	}
	contents := make([]int16, Features*blockLanes)
	for s := range g.At {
		for _, at := range g.At[s] {
			if i := int(at.Pattern) - g.Lines; i >= 0 {
				for color := range 2 {
					contents[(color<<6|s)*blockLanes+i] = int16(at.Weight) << color
				}
			}
		}
	}
	t.blocks = n.pack(contents)
	first := g.Tables[g.Patterns[g.Lines].Table].Base
	t.worths = make([]pair, 1, 1+g.Codes-first)
	for code := first; code < g.Codes; code++ {
		opening, ending := n.worth(code)
		t.worths = append(t.worths, pair{int16(ending), int16(opening)})
	}
	for i, p := range g.Patterns[g.Lines:] {
		t.bases[i] = int32(1 + g.Tables[p.Table].Base - first)
	}
}

// Refresh fills a state from scratch.
func (n *Net) Refresh(s *State, black, white loa.Bitboard) {
	*s = State{}
	none := make([]uint64, MaxHidden/4)
	for side := range loa.Color(2) {
		copy(s.units[side][:], n.terrain.start)
	}
	for color, set := range [2]loa.Bitboard{black, white} {
		for set != 0 {
			square := set.Pop()
			for side := range loa.Color(2) {
				units := n.units(s, side)
				n.move(units, units, n.row(side, loa.Color(color), square), none)
			}
			n.move(s.blocks[:], s.blocks[:], n.contents(loa.Color(color), square), none)
		}
	}
}

// units returns the units of a side.
func (n *Net) units(s *State, side loa.Color) []uint64 { return s.units[side][:n.hidden/4] }

// row returns what a piece adds to the units of a side.
func (n *Net) row(side, color loa.Color, s loa.Square) []uint64 {
	words := n.hidden / 4
	return n.terrain.units[(int(side^color)<<6|int(s))*words:][:words]
}

// contents returns what a piece adds to the contents of the blocks.
func (n *Net) contents(color loa.Color, s loa.Square) []uint64 {
	const words = blockLanes / 4
	return n.terrain.blocks[(int(color)<<6|int(s))*words:][:words]
}

// Move fills a state from the one before a move by a color, which perhaps captured.
func (n *Net) Move(to, from *State, color loa.Color, m loa.Move, captured bool) {
	if m == loa.Pass {
		*to = *from
		return
	}
	for side := range loa.Color(2) {
		leave, land := n.row(side, color, m.From()), n.row(side, color, m.To())
		if captured {
			n.capture(n.units(to, side), n.units(from, side), land, leave, n.row(side, color^1, m.To()))
		} else {
			n.move(n.units(to, side), n.units(from, side), land, leave)
		}
	}
	leave, land := n.contents(color, m.From()), n.contents(color, m.To())
	if captured {
		n.capture(to.blocks[:], from.blocks[:], land, leave, n.contents(color^1, m.To()))
	} else {
		n.move(to.blocks[:], from.blocks[:], land, leave)
	}
}

// Value returns what the net says of a position for the side to move, the lines left out, in 1/Unit of a centipawn.
func (n *Net) Value(s *State, turn loa.Color, pieces int) int {
	bucket := n.geometry.Bucket(pieces)
	w := n.output[bucket*2*n.hidden : (bucket+1)*2*n.hidden]
	sum := int64(n.shift[bucket])
	sum += int64(n.weigh(n.units(s, turn), w[:n.hidden]))
	sum += int64(n.weigh(n.units(s, turn^1), w[n.hidden:]))
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
