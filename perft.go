package loa

// Perft counts the paths of exactly depth moves from a position: a finished position has no children, a forced
// pass is one path, repetition and ply cap are ignored, and depth 0 is 1. Nothing is allocated.
//
// The last two plies are never played out. How many moves a line offers a side follows from its contents
// alone, so a table answers for each of the 46 lines, and a move changes only the seven lines through its two
// squares (eight minus the one they share): the moves after it are the moves before it, less what those seven
// offered, plus what they offer now.
func (p Position) Perft(depth int) uint64 {
	if depth <= 0 {
		return 1
	}
	if p.Outcome().Over() {
		return 0
	}
	return p.perft(depth)
}

// Divide calls visit for every legal move with the Perft of one ply less behind it.
func (p Position) Divide(depth int, visit func(m Move, nodes uint64)) {
	if depth <= 0 || p.Outcome().Over() {
		return
	}
	for _, m := range p.Moves(nil) {
		visit(m, p.PlayUnchecked(m).Perft(depth-1))
	}
}

// perft assumes that the position is not over by a connection, and a depth of at least 1.
func (p Position) perft(depth int) uint64 {
	var buf [256]Move
	moves := p.MovesUnchecked(buf[:0])
	if len(moves) == 0 {
		return p.perftStuck(depth)
	}
	switch depth {
	case 1:
		return uint64(len(moves))
	case 2:
		return p.perftTwo(moves)
	}
	var nodes uint64
	for _, m := range moves {
		if next := p.PlayUnchecked(m); !next.Connection().Over() {
			nodes += next.perft(depth - 1)
		}
	}
	return nodes
}

// perftStuck counts the paths when no piece of the side to move can move.
func (p Position) perftStuck(depth int) uint64 {
	switch {
	case !p.mustPass():
		return 0
	case depth == 1:
		return 1
	}
	return p.PlayUnchecked(Pass).perft(depth - 1)
}

// perftTwo counts the paths of two plies behind the given moves, the second by the tables.
func (p Position) perftTwo(moves []Move) uint64 {
	me := p.turn
	offers := &lineOffers[p.captures][me^1]
	board := &boardLines[p.size]
	var contents [maxLines]uint16 // the ternary contents of each line, as an index into offers
	for i := range board.lines {
		contents[i] = board.lines[i].base
	}
	for c, rest := range p.pieces {
		for rest != 0 {
			for _, at := range board.at[rest.Pop()] {
				contents[at.line] += at.weight << c
			}
		}
	}
	total := 0
	for i := range board.lines {
		total += int(offers[contents[i]])
	}
	var nodes uint64
	for _, m := range moves {
		from, to := m.From(), m.To()
		mine := p.pieces[me] ^ (from.Bitboard() | to.Bitboard())
		theirs := p.pieces[me^1] &^ to.Bitboard()
		if mine.Connected() || theirs.Connected() {
			continue
		}
		leave, land := &board.at[from], &board.at[to]
		shared := (board8.toward[from][to] - 1) & 3
		captured := uint16(p.pieces[me^1]>>to&1) << (me ^ 1)
		count := total
		for axis := range leave {
			l, t := leave[axis], land[axis]
			old := contents[l.line]
			now := old - l.weight<<me
			if axis == int(shared) {
				now += t.weight<<me - t.weight*captured
			} else {
				into := contents[t.line]
				count += int(offers[into+t.weight<<me-t.weight*captured]) - int(offers[into])
			}
			count += int(offers[now]) - int(offers[old])
		}
		if count == 0 {
			next := p.PlayUnchecked(m)
			nodes += next.perftStuck(1)
			continue
		}
		nodes += uint64(count)
	}
	return nodes
}

const (
	maxLines     = 46   // ranks, files and both kinds of diagonal of the 8×8 board
	lineContents = 9840 // 3 + 9 + … + 3⁸, the contents of lines of every length from 1 to 8
)

// lineAt is where a square stands on one of its lines.
type lineAt struct {
	line   uint8  // number of the line
	weight uint16 // 3^n for the nth square of the line
}

// boardLine is one line of a board.
type boardLine struct {
	base uint16 // index in a lineOffers table of this length of line, empty
}

// linesOf numbers the lines of a board of one size.
type linesOf struct {
	lines []boardLine
	at    [64][4]lineAt // by Square and Axis
}

// Tables filled once and never written again: the lines of each size of board, and by captures and color how
// many moves a line with given contents offers.
var (
	boardLines = newBoardLines()
	lineOffers = newLineOffers()
)

func newBoardLines() *[MaxSize + 1]linesOf {
	all := new([MaxSize + 1]linesOf)
	for size := MinSize; size <= MaxSize; size++ {
		board := &all[size]
		mask := boardMask(size)
		for axis := FileAxis; axis <= FallingAxis; axis++ {
			for done, rest := Bitboard(0), mask; rest&^done != 0; {
				line := Line((rest&^done).First(), axis) & mask
				done |= line
				weight := uint16(1)
				for _, s := range line.Squares() {
					board.at[s][axis] = lineAt{uint8(len(board.lines)), weight}
					weight *= 3
				}
				board.lines = append(board.lines, boardLine{base: lineBase(line.Count())})
			}
		}
	}
	return all
}

// lineBase returns where the contents of lines of a length begin in a table.
func lineBase(length int) uint16 {
	base, power := uint16(0), uint16(3)
	for range length - 1 {
		base += power
		power *= 3
	}
	return base
}

func newLineOffers() *[2][2][lineContents]uint8 {
	all := new([2][2][lineContents]uint8)
	for length := 1; length <= MaxSize; length++ {
		base, contents := int(lineBase(length)), 1
		for range length {
			contents *= 3
		}
		for code := range contents {
			var line [MaxSize]int // 0 empty, 1 Black, 2 White
			count := 0
			for i, rest := 0, code; i < length; i, rest = i+1, rest/3 {
				line[i] = rest % 3
				if line[i] != 0 {
					count++
				}
			}
			for from, piece := range line[:length] {
				if piece == 0 {
					continue
				}
				for _, step := range []int{-1, 1} {
					to := from + count*step
					if to < 0 || to >= length || line[to] == piece {
						continue
					}
					free := true
					for i := from + step; i != to; i += step {
						free = free && line[i] != 3-piece
					}
					if free {
						all[CapturesYes][piece-1][base+code]++
						if line[to] == 0 {
							all[CapturesNo][piece-1][base+code]++
						}
					}
				}
			}
		}
	}
	return all
}
