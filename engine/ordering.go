package engine

import "github.com/linesofaction/loa"

// scored is a move with the score it is ordered by above it and its place in the list below, so that the greatest of the
// words says all, and is found without a branch.
type scored uint64

func newScored(m loa.Move, score, place int) scored {
	return scored(score)<<24 | scored(m)<<8 | scored(place)
}

func (s scored) move() loa.Move { return loa.Move(s >> 8 & 0xfff) }

// The stages in which a frame comes by its moves.
const (
	stageTable = 1 + iota
	stageKillers
	stageOthers
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

// pick brings the best move of a frame among those from the ith on to place i and returns it; NoMoveMade when there are no
// more. First comes the best move known from the table, then the killers. The others are not worked out before those have been
// searched, for often one of them is enough.
func (w *worker) pick(f *frame, i int, best loa.Move) loa.Move {
	for i == len(f.moves) {
		switch f.stage++; f.stage {
		case stageTable:
			if best != loa.NoMoveMade {
				f.moves = append(f.moves, newScored(best, 0, 0))
			}
		case stageKillers:
			for _, m := range f.killers {
				if m != best && f.pos.Reaches(m) {
					f.moves = append(f.moves, newScored(m, 0, 0))
				}
			}
		case stageOthers:
			w.order(f, best)
		default:
			return loa.NoMoveMade
		}
	}
	top := f.moves[i]
	if f.stage == stageOthers {
		for _, m := range f.moves[i+1:] {
			top = max(top, m)
		}
		f.moves[top&0xff] = f.moves[i]&^0xff | top&0xff
		f.moves[i] = top
	}
	return top.move()
}

// order appends all moves but the best one and the killers to the list of a frame with scores: by history and by how far
// they go towards the own pieces, or away from them where connecting loses.
func (w *worker) order(f *frame, best loa.Move) {
	w.buf = f.pos.MovesUnchecked(w.buf[:0])
	turn := f.pos.Turn()
	enemy := f.pos.Pieces(turn.Opponent())
	records := &w.history[turn]
	steps := &board8.steps[f.center(turn)]
	bonus := gatherBonus
	if w.rules.Goal == loa.GoalMisere {
		bonus = -bonus
	}
	for _, m := range w.buf {
		if m == best || m == f.killers[0] || m == f.killers[1] {
			continue
		}
		from, to := m.From(), m.To()
		record := &records[enemy>>to&1][m&0xfff]
		score := gatherLeast + int(record.ratio) + bonus*(int(steps[from&63])-int(steps[to&63]))
		f.moves = append(f.moves, newScored(m, score, len(f.moves)))
	}
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
