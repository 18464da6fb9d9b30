package engine

import (
	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/engine/nnue"
)

// terrain holds the tables of a board of one size under given weights, and a net where that says what positions are
// worth. It is filled once and then only read.
type terrain struct {
	net         *nnue.Net // nil where the weights do
	size        int
	board       loa.Bitboard // its squares
	captures    bool
	count       int              // number of lines
	at          [64][4]lineAt    // by square and axis
	empty       [maxLines]uint16 // the code of each line without pieces
	offers      []int64          // by code; see packLine
	piece       [64]int64        // by square; see packPiece
	ring        [64]uint8        // squares to the nearest edge
	phase       [65]int          // by number of pieces: 16 for the start, 0 for half of it or fewer
	shape       [17]shape        // by phase: weights of the features from firstShape on
	leastSpread [65]int          // by number of pieces: the least possible sum of king's steps to the center
}

// lineAt is where a square stands on one of its lines.
type lineAt struct {
	line   uint8
	weight uint16 // 3^n for the nth square of the line
}

// packLine packs what a line offers: score at the start of the game and at its end, Black's moves, White's.
func packLine(opening, ending, black, white int) int64 {
	return int64(opening)<<44 + int64(ending)<<24 + int64(white)<<12 + int64(black)
}

// packPiece packs what a piece adds to its side: score at the start and at the end, its file, its rank.
func packPiece(opening, ending, file, rank int) int64 {
	return int64(opening)<<44 + int64(ending)<<24 + int64(rank)<<12 + int64(file)
}

// scores returns the two scores of a packed sum.
func scores(sum int64) (opening, ending int) {
	sum >>= 24
	low := sum << 44 >> 44
	return int((sum - low) >> 20), int(low)
}

// newTerrain fills the tables. With a net, which is for boards of this size, lines are worth what it says.
func newTerrain(size int, captures bool, w *Weights, net *nnue.Net) *terrain {
	t := &terrain{net: net, size: size, captures: captures}
	for rank := range size {
		for file := range size {
			s := loa.SquareAt(file, rank)
			t.board |= s.Bitboard()
			t.ring[s] = uint8(min(file, rank, size-1-file, size-1-rank))
			f := squareFeature(s, size)
			t.piece[s] = packPiece(w.Opening[f], w.Ending[f], file, rank)
			if net != nil {
				t.piece[s] = packPiece(0, 0, file, rank)
			}
		}
	}
	t.layLines(w)
	start := 4 * (size - 2)
	for pieces := range t.phase {
		t.phase[pieces] = max(0, min(16, (2*pieces-start)*16/start))
	}
	for n := range t.leastSpread {
		// one piece on the center, eight around it, sixteen around those
		t.leastSpread[n] = max(0, n-1) + max(0, n-9) + max(0, n-25) + max(0, n-49)
	}
	for phase := range t.shape {
		for f := firstShape; f < Features; f++ {
			t.shape[phase][f-firstShape] = w.Opening[f]*phase + w.Ending[f]*(16-phase)
		}
	}
	return t
}

// layLines numbers the lines and fills offers, once for each kind of line: its length and whether it runs along the
// edge, or the table of the net.
func (t *terrain) layLines(w *Weights) {
	inner := t.board
	for rest := t.board; rest != 0; {
		if s := rest.Pop(); t.ring[s] == 0 {
			inner &^= s.Bitboard()
		}
	}
	bases := make(map[int]uint16)
	for axis := loa.FileAxis; axis <= loa.FallingAxis; axis++ {
		for rest := t.board; rest != 0; {
			line := loa.Line(rest.First(), axis) & t.board
			rest &^= line
			edge := count(line) == t.size && line&inner == 0
			kind := count(line)
			if edge {
				kind = -1
			}
			if t.net != nil {
				kind = t.net.Board().LineTable(line)
			}
			base, known := bases[kind]
			if !known {
				base = uint16(len(t.offers))
				bases[kind] = base
				t.addLines(count(line), kind, edge, w)
			}
			t.empty[t.count] = base
			weight := uint16(1)
			for squares := line; squares != 0; weight *= 3 {
				t.at[squares.Pop()][axis] = lineAt{uint8(t.count), weight}
			}
			t.count++
		}
	}
}

// addLines appends what lines of a kind offer, for all their contents.
func (t *terrain) addLines(length, kind int, edge bool, w *Weights) {
	contents := make([]int, length)
	codes := 1
	for range contents {
		codes *= 3
	}
	for code := range codes {
		for i, rest := 0, code; i < len(contents); i, rest = i+1, rest/3 {
			contents[i] = rest % 3
		}
		var opening, ending int
		var moves [2]int
		lineFeatures(contents, edge, t.captures, func(side int, f Feature) {
			sign := 1 - 2*side
			opening += sign * w.Opening[f]
			ending += sign * w.Ending[f]
			if f <= CaptureEdge {
				moves[side]++
			}
		})
		if t.net != nil {
			opening, ending = t.net.Line(kind, code)
		}
		t.offers = append(t.offers, packLine(opening, ending, moves[0], moves[1]))
	}
}
