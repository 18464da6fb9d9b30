package solve

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/engine/solve/proof"
)

// ErrNoProof is the error of Proof when nothing was proved, or not in a way that can be written down.
var ErrNoProof = errors.New("no proof")

// errLost says that the table has lost, to newer entries, what it knew of a position.
var errLost = fmt.Errorf("%w: the table has lost parts of it; more memory or time would do", ErrNoProof)

// leastRepair is the least time that what the table has lost may take to find again.
const leastRepair = time.Minute

// Proof returns the proof of what the last Solve found. What the table has lost since is searched again, for at most as
// long as that search took, and until its context is done.
func (s *Solver) Proof() (*proof.Proof, error) {
	p := s.problem
	if p == nil {
		return nil, ErrNoProof
	}
	p.deadline, p.most = time.Now().Add(max(p.spent, leastRepair)), math.MaxUint64
	f := &proof.Proof{Rules: p.rules, Position: p.game.Start().Setup(), Images: p.images}
	for ply := range p.game.Plies() {
		f.Moves = append(f.Moves, p.game.Move(ply))
	}
	var err error
	if f.Claims, err = s.claims(); err != nil {
		if interrupted := p.ctx.Err(); interrupted != nil {
			err = fmt.Errorf("%w: %w", ErrNoProof, interrupted)
		}
		return nil, err
	}
	return f, nil
}

// claims returns what together shows the value that was found.
func (s *Solver) claims() (claims []proof.Claim, err error) {
	for _, a := range s.attempts {
		if a.root.proof == 0 {
			claim, err := a.buildWin()
			return []proof.Claim{claim}, err
		}
	}
	for _, a := range s.attempts {
		if a.root.disproof != 0 {
			return nil, ErrNoProof
		}
		claim, ok, err := a.buildHold()
		if err == nil && !ok {
			err = errLost
		}
		if err != nil {
			return nil, err
		}
		claims = append(claims, claim)
	}
	return claims, nil
}

// place is a position with the plies left before the cap, if that matters.
type place struct {
	key
	left int
}

// builder collects the records of a proof.
type builder struct {
	*search
	records map[place]proof.Record
}

// buildWin returns the claim that the attacker wins.
func (s *search) buildWin() (proof.Claim, error) {
	b := &builder{s, make(map[place]proof.Record)}
	s.path, s.stopped = s.path[:0], false
	left := s.left
	if !s.capped {
		left = int(s.root.plies)
	}
	var err error
	if s.start.Turn() == s.attacker {
		_, err = b.win(s.start, left)
	} else {
		_, err = b.lose(s.start, left)
	}
	claim := proof.Claim{Side: s.attacker, Wins: true}
	if err != nil {
		return claim, err
	}
	for _, r := range b.records {
		claim.Records = append(claim.Records, r)
	}
	sortRecords(&claim)
	return claim, nil
}

// sortRecords puts records into order. Of several for a position, at different distances from the cap, it keeps
// the quickest win or the longest hold, which serve for all.
func sortRecords(c *proof.Claim) {
	slices.SortFunc(c.Records, func(a, b proof.Record) int {
		switch {
		case a.Less(b):
			return -1
		case b.Less(a):
			return 1
		}
		if c.Wins {
			return int(a.Plies) - int(b.Plies)
		}
		return int(b.Plies) - int(a.Plies)
	})
	c.Records = slices.CompactFunc(c.Records, func(a, b proof.Record) bool { return a.Own == b.Own && a.Other == b.Other })
}

// image returns the position that stands for a position and its images, with the same side to move.
func (s *search) image(p loa.Position) (loa.Position, key) {
	k := keyOf(&p, s.images)
	if !s.images {
		return p, k
	}
	return k.position(s.rules, s.size, p.Turn()), k
}

// placeOf returns where the records have a position.
func (s *search) placeOf(k key, left int) place {
	if !s.capped {
		left = 0
	}
	return place{k, left}
}

// win records how the attacker, to move, wins from a position within so many plies as are left, and returns the
// plies within which it does.
//
// The plies noted with a proof are a fact, whatever else the table has lost since: the attacker does win within so
// many. So what is left can be one less with every ply, and what is not found in the table any more can be searched
// for within that. A position that comes again on the way has fewer plies left, so this does not go round in circles.
func (b *builder) win(p loa.Position, left int) (int, error) {
	p, k := b.image(p)
	at := b.placeOf(k, left)
	if r, ok := b.records[at]; ok && int(r.Plies) <= left {
		return int(r.Plies), nil
	}
	best, move := b.choose(p, left, func(c, best *child) bool {
		return c.proof == 0 && int(c.plies) < left && (best == nil || c.plies < best.plies)
	})
	if best == nil {
		return 0, errLost
	}
	plies, err := b.lose(best.pos, left-1)
	if err != nil {
		return 0, err
	}
	plies++
	if r, ok := b.records[at]; !ok || plies < int(r.Plies) {
		b.records[at] = proof.Record{Own: k.own, Other: k.other, Move: move, Plies: uint16(plies)}
	}
	return plies, nil
}

// lose records how the attacker wins after every move of the other side, and returns the plies within which.
func (b *builder) lose(p loa.Position, left int) (int, error) {
	if p.Outcome().Over() {
		return 0, nil
	}
	most := 0
	for _, m := range p.Moves(nil) {
		next := p.PlayUnchecked(m)
		plies := 0
		if !next.Outcome().Over() {
			var err error
			if plies, err = b.win(next, left-1); err != nil {
				return 0, err
			}
		}
		most = max(most, plies+1)
	}
	return most, nil
}

// tries is how often a position is searched again: what was found may be lost at once to what was found after it.
const tries = 3

// choose returns where the best move from a position leads, searching the position again if there is none; nil if
// there is none then.
func (s *search) choose(p loa.Position, left int, better func(c, best *child) bool) (best *child, move loa.Move) {
	for again := range 1 + tries {
		if again > 0 {
			s.again(p, left)
		}
		for _, m := range p.Moves(nil) {
			c := &child{pos: p.PlayUnchecked(m)}
			s.look(c, left-1)
			if better(c, best) {
				best, move = c, m
			}
		}
		if best != nil || s.ended() {
			break
		}
	}
	return best, move
}

// again searches a position on its own, as far as the limits allow: with the attacker to move for a win within the
// plies left, otherwise for whatever can be proved.
func (s *search) again(p loa.Position, left int) {
	n := &child{pos: p, key: keyOf(&p, s.images)}
	if p.Turn() != s.attacker || s.capped {
		s.stopAt = s.most
		s.expandAlone(n, left)
		return
	}
	near := *s.problem
	near.capped, near.facts, near.stopAt = true, true, near.most
	(&search{problem: &near, attacker: s.attacker}).expandAlone(n, left)
	s.nodes = near.nodes
}
