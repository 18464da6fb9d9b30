package engine

import (
	"math/bits"
	"sync/atomic"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/engine/nnue"
	"github.com/linesofaction/loa/engine/solve"
)

const (
	// MaxDepth is the greatest depth a search goes to.
	MaxDepth = 64
	maxPly   = 100 // frames of a worker, more than MaxDepth so that extensions find room
)

// worker is one thread of a search with everything it does not share.
type worker struct {
	*control
	helper  bool // not the one that keeps the limits and reports
	nodes   uint64
	deepest int
	counted atomic.Uint64 // nodes as of late, for the other threads
	past    []uint64      // hashes of the positions of the game before the root
	hashes  [maxPly + 2]uint64
	stack   [maxPly + 2]frame
	root    []rootMove
	history history
	buf     []loa.Move
}

// frame is one ply of the path being searched.
type frame struct {
	node
	state      nnue.State // of the net, when updated
	updated    bool
	encoded    bool     // the codes of the node are filled
	move       loa.Move // that led here
	captured   bool     // whether it captured
	judge      bool     // whether the move that led here can have connected a side
	null       bool     // whether it was a null move
	reversible int      // plies since the last capture or null move, those of the game included
	eval       int      // by step 5, where the side to move has a move
	excluded   loa.Move // not searched here, for step 11; NoMoveMade for none
	killers    [2]loa.Move
	moves      []scored
	stage      int        // of moves
	line       []loa.Move // the best line from here
}

// rootMove is a move of the position searched.
type rootMove struct {
	move  loa.Move
	score int // at this depth, of a move found better than those before it, else -scoreNone
	guess int // the score at the depth before
	line  []loa.Move
}

// halt reports whether the search must stop; the worker that keeps the limits looks whether one is reached.
func (w *worker) halt() bool {
	if w.nodes&1023 == 0 {
		w.counted.Store(w.nodes)
		if !w.helper {
			w.control.look()
		}
	}
	if !w.helper && w.nodes >= w.mostNodes {
		w.stop.Store(true)
	}
	return w.stop.Load()
}

// enter fills the frame of the next ply with the position after a move.
func (w *worker) enter(ply int, m loa.Move) {
	f, next := &w.stack[ply], &w.stack[ply+1]
	if !f.encoded {
		f.encode(&w.stack[ply-1].node, f.move, w.terrain)
		f.encoded = true
	}
	after := f.pos.PlayUnchecked(m)
	w.hashes[ply+1] = after.Hash()
	prefetch(w.table.bucket(w.key(ply + 1)))
	captures := f.captures(m)
	f.play(m, after, &next.node, w.terrain)
	next.encoded, next.updated, next.move, next.captured = false, false, m, captures
	next.null, next.excluded = false, loa.NoMoveMade
	next.reversible = f.reversible + 1
	if captures {
		next.reversible = 0
	}
	// Whoever could have connected by a quiet move would have won in one, which step 4 found.
	next.judge = captures || ply == 0 || w.rules.Goal == loa.GoalMisere
}

// over returns the value of a position where the game is over, and whether it is: by a connection, by a side
// without a move, by repetition, by the ply cap, in the order of the rules.
func (w *worker) over(ply int) (int, bool) {
	f := &w.stack[ply]
	if f.judge {
		switch o := f.pos.Connection(); {
		case !o.Over():
		case o.Winner == loa.NoColor:
			return 0, true
		case o.Winner == f.pos.Turn():
			return scoreWin - ply, true
		default:
			return ply - scoreWin, true
		}
	}
	if f.stuck() {
		switch {
		case w.rules.NoMove == loa.NoMoveLoss:
			return ply - scoreWin, true
		case w.rules.NoMove == loa.NoMoveDraw || f.mobility(f.pos.Turn().Opponent()) == 0:
			return 0, true
		}
	}
	if f.reversible >= 4 && w.repeated(ply) {
		return 0, true
	}
	return 0, w.rules.Cap > 0 && w.plies+ply >= w.rules.Cap
}

// repeated reports whether the rules call the position of a ply repeated too often.
func (w *worker) repeated(ply int) bool {
	need := 3
	switch w.rules.Repetition {
	case loa.RepetitionNone:
		return false
	case loa.RepetitionDraw2:
		need = 2
	}
	hash, seen := w.hashes[ply], 1
	for back := 4; back <= w.stack[ply].reversible; back += 2 {
		at := ply - back
		if at >= 0 {
			if w.hashes[at] != hash {
				continue
			}
			if at > 0 && w.use(TwofoldDraws) {
				return true
			}
		} else if at += len(w.past); at < 0 || w.past[at] != hash {
			continue
		}
		if seen++; seen >= need {
			return true
		}
	}
	return false
}

// search returns the value of the position of a ply for its side to move, searched to a depth. A value of
// alpha or less says that the true one is no greater, a value of beta or more that it is no less. After a
// halt the value means nothing.
func (w *worker) search(ply, depth, alpha, beta int) int {
	f := &w.stack[ply]
	f.line = f.line[:0]
	if w.halt() {
		return 0
	}
	w.nodes++
	w.deepest = max(w.deepest, ply)
	inLine := beta-alpha > 1 // on what may become the best line; otherwise only a bound is asked for

	// Step 1. A game that is over has its value. Step 2 is in repeated.
	if value, over := w.over(ply); over {
		return value
	}

	// Step 3. Nothing here can be better than a win in one or worse than a loss at once.
	alpha, beta = max(alpha, ply-scoreWin), min(beta, scoreWin-ply-1)
	if alpha >= beta {
		return alpha
	}

	// Step 4. A win in one needs no search, at the horizon too, where it makes the evaluation quiet.
	stuck := f.stuck()
	if !stuck {
		if m := solve.WinInOne(&f.pos, &w.rules, w.terrain.board); m != loa.NoMoveMade {
			f.line = append(f.line, m)
			return scoreWin - ply - 1
		}
	}
	if depth <= 0 || ply >= maxPly-1 {
		return w.evaluate(ply)
	}

	// Step 5. Evaluate, also what the table will turn out to know, for that comes from far away meanwhile. Where the side to move
	// stands no better than at its last turn, less is expected of its moves.
	if !stuck {
		f.eval = w.evaluate(ply)
	}
	rising := w.rising(ply)

	// Step 6. What an earlier search found.
	key := w.key(ply)
	known, found := w.table.probe(key)
	if found {
		score := fromTable(known.score, ply)
		if !inLine && known.depth >= depth && !f.partial() && w.use(TableCutoffs) &&
			(known.bound == boundExact || known.bound == boundLower && score >= beta || known.bound == boundUpper && score <= alpha) {
			return score
		}
		if !f.pos.Reaches(known.move) {
			known.move = loa.NoMoveMade
		}
	}

	// Step 7. A side without a move passes.
	if stuck {
		w.enter(ply, loa.Pass)
		value := -w.search(ply+1, depth-1, -beta, -alpha)
		f.setLine(loa.Pass, &w.stack[ply+1])
		return value
	}

	// Step 8. Reverse futility: so far above beta that a few plies will not lose it, unless the opponent threatens
	// to win in one.
	margin := futilityMargin(w.terrain.size) * depth
	if rising && w.use(Trend) {
		margin -= futilityMargin(w.terrain.size)
	}
	if !inLine && depth <= futilityDepth && f.eval-margin >= beta && beta > -scoreForced && !f.partial() &&
		w.use(ReverseFutility) && !solve.Threat(&f.pos, &w.rules, w.terrain.board) {
		return f.eval
	}

	// Step 9. Null move: above beta even if the opponent moves twice.
	if !inLine && depth >= nullDepth && f.eval >= beta && !f.null && !f.partial() && beta > -scoreForced && w.use(NullMove) {
		w.enter(ply, loa.Pass)
		next := &w.stack[ply+1]
		next.null, next.reversible = true, 0
		value := -w.search(ply+1, depth-nullReduction-depth/4, -beta, 1-beta)
		if w.stop.Load() {
			return 0
		}
		if value >= beta {
			if value >= scoreForced {
				value = beta // a win proved with a move that does not exist
			}
			return value
		}
	}

	// Step 10. Without a move to begin with a deep search is wasteful; what it finds serves the next one.
	if depth >= 4 && known.move == loa.NoMoveMade && w.use(InternalReductions) {
		depth--
	}

	// Step 11. Singular extension: where all other moves fall well short of the known one it is searched a ply deeper, and where
	// another one comes up to beta as well the position is good enough.
	extra := 0
	if depth >= singularDepth && known.move != loa.NoMoveMade && known.depth >= depth-3 && known.bound >= boundLower && !f.partial() && w.use(Singular) {
		if score := fromTable(known.score, ply); score < scoreForced && score > -scoreForced {
			limit := score - singularMargin*depth
			f.excluded = known.move
			value := w.search(ply, (depth-1)/2, limit-1, limit)
			f.excluded = loa.NoMoveMade
			f.line = f.line[:0]
			switch {
			case w.stop.Load():
				return 0
			case value < limit:
				extra = 1
			case limit >= beta && !inLine:
				return limit
			}
		}
	}

	// Step 12. The moves, best guess first.
	f.moves, f.stage = f.moves[:0], 0
	w.stack[ply+2].killers = [2]loa.Move{}
	best, bestMove, kind := -scoreNone, loa.NoMoveMade, boundUpper
	for i := 0; ; i++ {
		m := w.pick(f, i, known.move)
		if m == loa.NoMoveMade {
			break
		}
		if m == f.excluded {
			continue
		}

		// Step 13. Late move pruning: near the leaves the moves that never refuted anything are left out.
		if !inLine && i >= pruneAfter(depth, rising) && best > -scoreForced && w.use(LateMovePruning) {
			break
		}

		w.enter(ply, m)
		var value int
		if i == 0 {
			value = -w.search(ply+1, depth-1+extra, -beta, -alpha)
		} else {
			// Step 14. Late moves are searched less deep, and again if they turn out good.
			reduced := 0
			if depth >= 3 && i >= 3 && w.use(LateReductions) {
				reduced = min(reduction(depth, i, inLine, rising), depth-2)
			}
			value = -w.search(ply+1, depth-1-reduced, -alpha-1, -alpha)
			if value > alpha && reduced > 0 {
				value = -w.search(ply+1, depth-1, -alpha-1, -alpha)
			}
			if value > alpha && value < beta {
				value = -w.search(ply+1, depth-1, -beta, -alpha)
			}
		}
		if w.stop.Load() {
			return 0
		}

		// Step 15. Better than before; too good for the opponent to allow?
		if value <= best {
			continue
		}
		best, bestMove = value, m
		if value <= alpha {
			continue
		}
		alpha, kind = value, boundExact
		f.setLine(m, &w.stack[ply+1])
		if value >= beta {
			kind = boundLower
			w.refuted(f, i)
			break
		}
	}

	// Step 16. Remember.
	if f.partial() {
		return max(best, ply-scoreWin)
	}
	w.table.store(key, entry{bestMove, toTable(best, ply), depth, kind})
	return best
}

// partial reports whether a move of the frame is left out, so that what is found is not about the position.
func (f *frame) partial() bool { return f.excluded != loa.NoMoveMade }

// rising reports whether the side to move of a ply stands better than at its last turn on the path; true where that is not known.
func (w *worker) rising(ply int) bool {
	if ply < 2 || !w.use(Trend) {
		return true
	}
	f, last, before := &w.stack[ply], &w.stack[ply-1], &w.stack[ply-2]
	return f.null || last.null || before.stuck() || f.eval > before.eval
}

// setLine makes the best line of a frame a move and what follows it.
func (f *frame) setLine(m loa.Move, next *frame) {
	f.line = append(append(f.line[:0], m), next.line...)
}

// searchRoot searches the moves of the root from the given place on, brings the best of them to that place and
// returns its value, as search does.
func (w *worker) searchRoot(depth, alpha, beta, first int) int {
	w.stack[2].killers = [2]loa.Move{}
	best := -scoreNone
	for i := first; i < len(w.root); i++ {
		r := &w.root[i]
		w.enter(0, r.move)
		var value int
		if i == first {
			value = -w.search(1, depth-1, -beta, -alpha)
		} else {
			reduced := 0
			if depth >= 3 && i >= first+3 && w.use(LateReductions) {
				reduced = min(reduction(depth, i-first, true, true), depth-2)
			}
			value = -w.search(1, depth-1-reduced, -alpha-1, -alpha)
			if value > alpha && reduced > 0 {
				value = -w.search(1, depth-1, -alpha-1, -alpha)
			}
			if value > alpha && value < beta {
				value = -w.search(1, depth-1, -beta, -alpha)
			}
		}
		if w.stop.Load() {
			break
		}
		if value <= best {
			continue
		}
		best = value
		if value > alpha {
			r.score = value
			r.line = append(append(r.line[:0], r.move), w.stack[1].line...)
			found := *r
			copy(w.root[first+1:i+1], w.root[first:i])
			w.root[first] = found
		}
		alpha = max(alpha, value)
		if alpha >= beta {
			break
		}
	}
	return best
}

// key returns the hash of the position of a ply for the table. Near the ply cap the same board is worth
// something else on another ply.
func (w *worker) key(ply int) uint64 {
	if left := w.rules.Cap - w.plies - ply; w.rules.Cap > 0 && left < 2*maxPly {
		return w.hashes[ply] ^ uint64(left)*0x9e3779b97f4a7c15
	}
	return w.hashes[ply]
}

// toTable counts a forced end from the position itself instead of from the root, fromTable the reverse.
func toTable(score, ply int) int {
	switch {
	case score >= scoreForced:
		return score + ply
	case score <= -scoreForced:
		return score - ply
	}
	return score
}

func fromTable(score, ply int) int {
	switch {
	case score >= scoreForced:
		return score - ply
	case score <= -scoreForced:
		return score + ply
	}
	return score
}

// Tuned numbers; docs/engine.md has the games each was measured by.
const (
	futilityDepth  = 5
	nullDepth      = 4
	nullReduction  = 3
	pruneDepth     = 5
	singularDepth  = 6
	singularMargin = 3 // centipawns a ply
)

// futilityMargin returns the centipawns for each ply of depth by which a position on a board of a size must be above beta: 90 on the
// usual one, 60 on that of 6×6, where less can still happen.
func futilityMargin(size int) int { return 15*size - 30 }

// pruneAfter returns the number of moves looked at near the leaves.
func pruneAfter(depth int, rising bool) int {
	if depth > pruneDepth {
		return 1 << 10
	}
	most := 4 + 3*depth*depth/2
	if !rising {
		most = most * 2 / 3
	}
	return most
}

// reduction returns the plies by which the move of a given place is searched less deep: two fifths of the
// product of the binary logarithms of depth and place, one more where the side to move stands no better than before. A half
// and more lost, a third did not gain.
func reduction(depth, place int, inLine, rising bool) int {
	r := (log8(depth)*log8(place)/8 + 4) / 20
	if inLine {
		r--
	}
	if !rising {
		r++
	}
	return max(r, 0)
}

// log8 returns eight times the binary logarithm, rounded down along straight lines between powers of two.
func log8(n int) int {
	exponent := bits.Len(uint(n)) - 1
	return 8*exponent + (n<<3)>>exponent - 8
}
