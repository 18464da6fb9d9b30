package nnue

import "github.com/linesofaction/loa"

// blocks is the number of blocks of 3×3 squares of the 8×8 board, and blockLanes that filled up to what the kernels take at a time.
const (
	blocks     = 36
	blockLanes = 64
)

// State is what the net keeps of a position and brings up to date from move to move, in lanes: the units of Black and of White
// before they are cut off, then what is in each block of 3×3 squares, as an index of its table.
type State [(2*MaxHidden + blockLanes) / 4]uint64

// pair is a worth in the ending and in the opening, in sixteenths of a centipawn.
type pair [2]int16

// terrain is what a state begins with and what pieces add to it, made for the kernels from the numbers of a net.
type terrain struct {
	start   []uint64               // a state without pieces
	pieces  []uint64               // what a piece adds to a state, rows by its color and square
	worths  []pair                 // nothing, then by code the tables of all blocks
	bases   [blockLanes]int32      // of the table of each block in worths, 0 beyond the blocks
	squares *[1 << laneBits]uint16 // for the form in Go
}

// fill makes the terrain, for the kernels in assembly or in Go.
func (n *Net) fill(fast bool) {
	n.fast = fast
	g, t := n.geometry, new(terrain)
	n.terrain = t
	numbers := make([]int16, 0, Features*n.lanes())
	for color := range loa.Color(2) {
		for square := range loa.NoSquare {
			for side := range loa.Color(2) {
				feature := int(side^color)<<6 | int(square)
				numbers = append(numbers, n.input[feature*n.hidden:][:n.hidden]...)
			}
			contents := make([]int16, blockLanes)
			for _, at := range g.At[square] {
				if i := int(at.Pattern) - g.Lines; i >= 0 {
					contents[i] = int16(at.Weight) << color
				}
			}
			numbers = append(numbers, contents...)
		}
	}
	t.pieces = n.pack(numbers)
	t.start = make([]uint64, n.lanes()/4)
	for i := range 2 * n.hidden {
		t.start[i/4] |= uint64(uint16(n.bias[i%n.hidden])+laneMiddle) << (i % 4 * laneBits)
	}
	if !fast {
		t.squares = newSquares()
	}
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
	state, none := s[:n.lanes()/4], make([]uint64, n.lanes()/4)
	copy(state, n.terrain.start)
	for color, set := range [2]loa.Bitboard{black, white} {
		for set != 0 {
			n.move(state, state, n.piece(loa.Color(color), set.Pop()), none)
		}
	}
}

// lanes returns the number of lanes of a state that are in use.
func (n *Net) lanes() int { return 2*n.hidden + blockLanes }

// piece returns what a piece adds to a state.
func (n *Net) piece(color loa.Color, s loa.Square) []uint64 {
	words := n.lanes() / 4
	return n.terrain.pieces[(int(color)<<6|int(s))*words:][:words]
}

// Move fills a state from the one before a move by a color, which perhaps captured.
func (n *Net) Move(to, from *State, color loa.Color, m loa.Move, captured bool) {
	if m == loa.Pass {
		*to = *from
		return
	}
	words := n.lanes() / 4
	leave, land := n.piece(color, m.From()), n.piece(color, m.To())
	if captured {
		n.capture(to[:words], from[:words], land, leave, n.piece(color^1, m.To()))
	} else {
		n.move(to[:words], from[:words], land, leave)
	}
}

// Value returns what the net says of a position for the side to move, the lines left out, in 1/Unit of a centipawn.
func (n *Net) Value(s *State, turn loa.Color, pieces int) int {
	bucket, words := n.geometry.Bucket(pieces), n.hidden/4
	w := n.output[bucket*2*n.hidden:][:2*n.hidden]
	sum := int64(n.shift[bucket])
	sum += int64(n.weigh(s[int(turn)*words:][:words], w[:n.hidden]))
	sum += int64(n.weigh(s[int(turn^1)*words:][:words], w[n.hidden:]))
	worth := int(n.look(s[2*words:][:blockLanes/4], n.geometry.Phase(pieces)))
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
