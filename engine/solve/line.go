package solve

import "github.com/linesofaction/loa"

// pvMost is the number of moves after which a principal variation is cut off.
const pvMost = 200

// line returns the moves of a proved win as the table has them: the quickest win known against the longest
// defense. It ends early where the table has lost what follows.
func (s *search) line() []loa.Move {
	var line []loa.Move
	s.path = s.path[:0]
	p, left := s.start, s.left
	for len(line) < pvMost && !p.Outcome().Over() {
		attacking := p.Turn() == s.attacker
		var best *child
		var move loa.Move
		for _, m := range p.Moves(nil) {
			c := &child{pos: p.PlayUnchecked(m)}
			s.look(c, left-1)
			if c.proof != 0 {
				if attacking {
					continue
				}
				return line
			}
			if best == nil || attacking && c.plies < best.plies || !attacking && c.plies > best.plies {
				best, move = c, m
			}
		}
		if best == nil {
			break
		}
		line = append(line, move)
		p = best.pos
		left--
	}
	return line
}
