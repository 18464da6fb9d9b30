package solve

import (
	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/engine/solve/proof"
)

// holding is a position, with the defender to move, of a claim to hold while the claim is collected.
type holding struct {
	pos     loa.Position
	left    int
	move    loa.Move
	next    child   // where the move leads
	parents []place // positions whose moves allow this one; the zero place, which no position has, for the root
	lost    bool    // the attacker wins here after all
}

// holder collects a claim that the defender cannot be made to lose.
type holder struct {
	*search
	held map[place]*holding
	open []place // positions that need a move
}

// buildHold returns the claim that the defender cannot be made to lose: positions with the defender to move,
// each with a move after which every reply leads to one of them or ends the game without a loss, the cap included.
//
// This is where disproofs are made sure of. One that rested on a repetition which other paths do not have may
// be wrong; then a position turns up without such a move, and those that relied on it look for another one. When
// that reaches the root, ok is false: the attacker wins, and a search of the root will find out.
func (s *search) buildHold() (claim proof.Claim, ok bool, err error) {
	s.path, s.stopped = s.path[:0], false
	h := &holder{search: s, held: make(map[place]*holding)}
	if s.start.Turn() == s.attacker {
		h.answer(s.start, s.left, place{})
	} else {
		h.reach(s.start, s.left, place{})
	}
	for len(h.open) > 0 {
		at := h.open[len(h.open)-1]
		h.open = h.open[:len(h.open)-1]
		found := h.find(at)
		if s.ended() {
			return claim, true, errLost
		}
		if !found && !h.lose(at) {
			return claim, false, nil
		}
	}
	return h.claim(), true, nil
}

// reach adds a position with the defender to move, and reports whether it may hold.
func (h *holder) reach(p loa.Position, left int, parent place) bool {
	if h.safe(p, left) {
		return true
	}
	p, k := h.image(p)
	at := h.placeOf(k, left)
	x := h.held[at]
	if x == nil {
		x = &holding{pos: p, left: left}
		h.held[at] = x
		h.open = append(h.open, at)
	}
	x.parents = append(x.parents, parent)
	return !x.lost
}

// answer adds what the attacker can reach from a position, and reports whether all of it may hold.
func (h *holder) answer(p loa.Position, left int, parent place) bool {
	if h.safe(p, left) {
		return true
	}
	for _, m := range p.Moves(nil) {
		if !h.reach(p.PlayUnchecked(m), left-1, parent) {
			return false
		}
	}
	return true
}

// safe reports whether the game ends at a position that the attacker is known not to win.
func (h *holder) safe(p loa.Position, left int) bool {
	return h.drawn(&p) || h.capped && left == 0 || p.Outcome().Over()
}

// find looks for a move that holds a position, and reports whether there is one.
func (h *holder) find(at place) bool {
	x := h.held[at]
	for !x.lost && !h.ended() {
		best, move := h.choose(x.pos, x.left, func(c, best *child) bool { return best == nil && c.disproof == 0 })
		if best == nil {
			return false
		}
		if h.answer(best.pos, x.left-1, at) {
			x.move, x.next = move, *best
			break
		}
		h.table.forget(best.key, h.state(true, x.left-1)) // it leads to a lost position
	}
	return true
}

// lose notes that a position is lost and that those whose moves allow it need others. It reports whether that
// leaves the root alone.
func (h *holder) lose(at place) bool {
	x := h.held[at]
	x.lost = true
	for _, parent := range x.parents {
		if parent == (place{}) {
			return false
		}
		if up := h.held[parent]; up.move != loa.NoMoveMade {
			h.table.forget(up.next.key, h.state(true, up.left-1))
			up.move = loa.NoMoveMade
			h.open = append(h.open, parent)
		}
	}
	return true
}

// claim returns the positions that hold.
func (h *holder) claim() proof.Claim {
	claim := proof.Claim{Side: h.attacker.Opponent()}
	for _, x := range h.held {
		if x.lost {
			continue
		}
		k := keyOf(&x.pos, h.images)
		r := proof.Record{Own: k.own, Other: k.other, Move: x.move}
		if h.capped {
			r.Plies = uint16(x.left)
		}
		claim.Records = append(claim.Records, r)
	}
	sortRecords(&claim)
	return claim
}
