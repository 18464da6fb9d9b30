package solve

import "github.com/linesofaction/loa"

// shortMost is the number of positions after which the search for the shortest win is given up: less than a tenth of
// a second.
const shortMost = 100_000

// shortest finds the exact length of a proved win: the least number of plies within which the attacker wins, by
// plain search to growing depths.
type shortest struct {
	*search
	seen    int // positions
	known   map[key]span
	replies [maxShort + 1]loa.Move // by depth, a move that refuted the position before
}

// maxShort is the greatest length that is looked for.
const maxShort = 40

// span says of a position with the attacker to move that it wins within some plies and not within some others.
type span struct{ yes, no uint8 }

// plies returns the exact length of a win proved within bound plies and a line of that length, or 0 where that is
// too long to find out.
func (s *search) plies(bound int) (int, []loa.Move) {
	if bound > maxShort {
		return 0, nil
	}
	x := &shortest{search: s, known: make(map[key]span)}
	for depth := 1; depth <= bound; depth++ {
		won := x.within(s.start, depth)
		if x.seen > shortMost {
			break
		}
		if won {
			return depth, x.line(s.start, depth)
		}
	}
	return 0, nil
}

// within reports whether the attacker wins within so many plies. The answer means nothing once too many positions
// are seen.
func (x *shortest) within(p loa.Position, depth int) bool {
	if x.seen++; x.seen > shortMost {
		return false
	}
	if o := p.Connection(); o.Over() {
		return o.Winner == x.attacker
	}
	if x.drawn(&p) {
		return false
	}
	attacking := p.Turn() == x.attacker
	if winInOne(&p, &x.rules, x.board) != loa.NoMoveMade {
		return attacking && depth > 0
	}
	if attacking {
		return depth > 0 && x.attack(p, depth)
	}
	return x.defend(p, depth)
}

func (x *shortest) attack(p loa.Position, depth int) bool {
	k := keyOf(&p, x.images)
	known := x.known[k]
	if known.yes != 0 && int(known.yes) <= depth {
		return true
	}
	if int(known.no) >= depth {
		return false
	}
	for _, m := range x.moves(p) {
		if x.within(p.PlayUnchecked(m), depth-1) {
			known.yes = uint8(depth)
			x.known[k] = known
			return true
		}
	}
	if x.seen <= shortMost {
		known.no = uint8(depth)
		x.known[k] = known
	}
	return false
}

func (x *shortest) defend(p loa.Position, depth int) bool {
	moves := x.moves(p)
	if len(moves) == 0 || depth == 0 {
		return p.Outcome().Winner == x.attacker
	}
	if m := x.replies[depth]; p.Reaches(m) && !x.within(p.PlayUnchecked(m), depth-1) {
		return false
	}
	for _, m := range moves {
		if !x.within(p.PlayUnchecked(m), depth-1) {
			x.replies[depth] = m
			return false
		}
	}
	return true
}

// moves returns the moves from a position where nobody is connected.
func (x *shortest) moves(p loa.Position) []loa.Move {
	moves := p.MovesUnchecked(make([]loa.Move, 0, 64))
	if len(moves) == 0 && p.MustPass() {
		moves = append(moves, loa.Pass)
	}
	return moves
}

// line returns a line of a win of exactly so many plies.
func (x *shortest) line(p loa.Position, depth int) []loa.Move {
	x.seen = 0
	var line []loa.Move
	for ; depth > 0; depth-- {
		attacking := p.Turn() == x.attacker
		found := false
		for _, m := range p.Moves(nil) {
			next := p.PlayUnchecked(m)
			if attacking && x.within(next, depth-1) || !attacking && (depth == 1 || !x.within(next, depth-2)) {
				line, p, found = append(line, m), next, true
				break
			}
		}
		if !found {
			break
		}
	}
	return line
}
