package engine

import "github.com/linesofaction/loa"

// scored is a move with the score it is ordered by above it, so that comparing the words compares the scores.
type scored uint32

func newScored(m loa.Move, score int) scored { return scored(score)<<12 | scored(m) }

func (s scored) move() loa.Move { return loa.Move(s & 0xfff) }

// The scores of special moves, above every history.
const (
	orderTable  = 1 << 19
	orderKiller = 1 << 18 // the second killer one less
)

// history counts, for each move of a side, how often it was tried and how often it refuted the position: the
// relative history heuristic (Winands et al., 2006). Captures are counted apart from quiet moves.
type history [2][2][1 << 12]record

// record keeps the ratio beside the counts, so that ordering divides nothing.
type record struct {
	hits, tries uint16
	ratio       uint16 // of historyOne
}

const (
	historyOne   = 4096
	historyMost  = 1 << 12 // tries at which both counts are halved, so that what happened lately weighs more
	historyPrior = 2       // tries without a hit that a new record begins with: a move seldom tried proves little
	gatherBonus  = 128     // for each king's step towards the center of mass of the own pieces
	gatherLeast  = 8 * gatherBonus
)

// tried notes that a move was tried and whether it refuted the position.
func (r *record) tried(hit bool) {
	r.tries++
	if hit {
		r.hits++
	}
	if r.tries >= historyMost {
		r.tries /= 2
		r.hits /= 2
	}
	r.ratio = uint16(int(r.hits) * historyOne / (int(r.tries) + historyPrior))
}

// record returns the history of a move of the side to move.
func (w *worker) record(n *node, m loa.Move) *record {
	captures := 0
	if n.captures(m) {
		captures = 1
	}
	return &w.history[n.pos.Turn()][captures][m&0xfff]
}

// order fills the move list of a frame with scores: the move of the table, the killers, then by history and by
// how far they go towards the own pieces, or away from them where connecting loses.
func (w *worker) order(f *frame, moves []loa.Move, best loa.Move) {
	f.moves = f.moves[:0]
	turn := f.pos.Turn()
	enemy := f.pos.Pieces(turn.Opponent())
	records := &w.history[turn]
	steps := &board8.steps[f.center(turn)]
	bonus := gatherBonus
	if w.rules.Goal == loa.GoalMisere {
		bonus = -bonus
	}
	for _, m := range moves {
		var score int
		switch m {
		case best:
			score = orderTable
		case f.killers[0]:
			score = orderKiller
		case f.killers[1]:
			score = orderKiller - 1
		default:
			from, to := m.From(), m.To()
			record := &records[enemy>>to&1][m&0xfff]
			score = gatherLeast + int(record.ratio) + bonus*(int(steps[from&63])-int(steps[to&63]))
		}
		f.moves = append(f.moves, newScored(m, score))
	}
}

// pick brings the move with the highest score among moves[i:] to place i and returns it.
func pick(moves []scored, i int) loa.Move {
	best := i
	for j := i + 1; j < len(moves); j++ {
		if moves[j] > moves[best] {
			best = j
		}
	}
	moves[i], moves[best] = moves[best], moves[i]
	return moves[i].move()
}

// refuted notes that the ith move of a frame was too good for the opponent, and the ones before it were not.
func (w *worker) refuted(f *frame, i int) {
	for j := range i {
		w.record(&f.node, f.moves[j].move()).tried(false)
	}
	m := f.moves[i].move()
	w.record(&f.node, m).tried(true)
	if m != f.killers[0] {
		f.killers = [2]loa.Move{m, f.killers[0]}
	}
}
