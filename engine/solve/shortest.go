package solve

import "github.com/linesofaction/loa"

// shortMost is the number of nodes after which the search for the shortest win is given up: a fraction of a second.
const shortMost = 20_000

// shortest returns the exact length of a win that is proved within bound plies, and a line of that length, or 0 where
// that is too long to find out. It searches for a win within one ply less, as if the cap came there, until there is
// none: near a cap disproofs are exact.
func (s *search) shortest(bound int) (plies int, line []loa.Move) {
	p := *s.problem
	p.capped, p.report = true, nil
	p.nodes, p.most, p.stopAt = 0, shortMost, shortMost
	x := &search{problem: &p, attacker: s.attacker}
	for {
		n := x.within(p.start, bound-1)
		if n.disproof == 0 {
			return x.longest(bound)
		}
		if n.proof != 0 {
			return 0, nil
		}
		bound = int(n.plies)
	}
}

// within searches for a win within so many plies.
func (s *search) within(p loa.Position, plies int) child {
	n := child{pos: p}
	s.path = s.path[:0]
	s.look(&n, plies)
	if n.proof != 0 && n.disproof != 0 && !s.ended() {
		s.expandAlone(&n, plies)
	}
	return n
}

// longest returns the length of a shortest win and a line in which one side wins no later and the other loses no sooner.
func (s *search) longest(plies int) (int, []loa.Move) {
	var line []loa.Move
	p := s.start
next:
	for left := plies; left > 0; left-- {
		attacking := p.Turn() == s.attacker
		for _, m := range p.Moves(nil) {
			to := p.PlayUnchecked(m)
			if attacking && s.within(to, left-1).proof == 0 ||
				!attacking && (left == 1 || s.within(to, left-2).disproof == 0) {
				line, p = append(line, m), to
				continue next
			}
		}
		return 0, nil
	}
	return plies, line
}
