package engine

import "github.com/linesofaction/loa"

// terrain holds the tables of a board of one size under given weights. It is filled once and then only read.
type terrain struct {
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

// newTerrain fills the tables.
func newTerrain(size int, captures bool, w *Weights) *terrain {
	t := &terrain{size: size, captures: captures}
	for rank := range size {
		for file := range size {
			s := loa.SquareAt(file, rank)
			t.board |= s.Bitboard()
			t.ring[s] = uint8(min(file, rank, size-1-file, size-1-rank))
			f := squareFeature(s, size)
			t.piece[s] = packPiece(w.Opening[f], w.Ending[f], file, rank)
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

// layLines numbers the lines and fills offers: first the lines whose ends alone lie on the edge, by length,
// then those along the edge.
func (t *terrain) layLines(w *Weights) {
	base := make([]uint16, t.size+1)
	for length := 1; length <= t.size; length++ {
		base[length] = uint16(len(t.offers))
		t.addLines(length, false, w)
	}
	alongEdge := uint16(len(t.offers))
	t.addLines(t.size, true, w)

	board, inner := t.board, t.board
	for rest := board; rest != 0; {
		if s := rest.Pop(); t.ring[s] == 0 {
			inner &^= s.Bitboard()
		}
	}
	for axis := loa.FileAxis; axis <= loa.FallingAxis; axis++ {
		for rest := board; rest != 0; {
			line := loa.Line(rest.First(), axis) & board
			rest &^= line
			length := count(line)
			t.empty[t.count] = base[length]
			if length == t.size && line&inner == 0 {
				t.empty[t.count] = alongEdge
			}
			weight := uint16(1)
			for squares := line; squares != 0; weight *= 3 {
				t.at[squares.Pop()][axis] = lineAt{uint8(t.count), weight}
			}
			t.count++
		}
	}
}

// addLines appends what lines of one length offer, for all their contents.
func (t *terrain) addLines(length int, edge bool, w *Weights) {
	codes := 1
	for range length {
		codes *= 3
	}
	contents := make([]int, length)
	for code := range codes {
		for i, rest := 0, code; i < length; i, rest = i+1, rest/3 {
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
		t.offers = append(t.offers, packLine(opening, ending, moves[0], moves[1]))
	}
}
