package solve

import (
	"context"
	"time"

	"github.com/linesofaction/loa"
)

// maxPath is the number of plies beyond which a path is given up as not proved. A ply cap further away than that has no
// say in the search.
const maxPath = 1000

// search is the attempt to prove that one side, the attacker, wins from a position.
type search struct {
	*problem
	attacker loa.Color
	levels   [maxPath + 1][]child // the moves of the nodes of the path
	path     []step
	root     child
}

// problem is what both attempts share.
type problem struct {
	rules    loa.Rules
	size     int
	board    loa.Bitboard
	game     *loa.Game
	start    loa.Position
	barred   []loa.Position // these would be drawn by repetition, for the game has had them
	images   bool           // whether positions that are images of each other are one
	capped   bool           // whether the ply cap is near enough to matter
	facts    bool           // whether, when capped, wins proved without regard to the plies left count and are noted as such
	left     int            // plies left before the cap, when capped
	table    *table
	nodes    uint64
	stopAt   uint64 // nodes at which the search pauses
	most     uint64 // nodes at which it ends
	deadline time.Time
	ctx      context.Context
	stopped  bool
	since    time.Time      // when the search would have begun, had it not paused
	spent    time.Duration  // before the last pause
	report   func(Progress) // or nil
	reported time.Time
}

// step is a position on the path from the root.
type step struct {
	key    key
	pieces int
}

// child is a move from a node and where it leads.
type child struct {
	pos             loa.Position
	key             key
	proof, disproof uint32
	plies           uint16 // when proved
}

// run searches until the root is proved or disproved, or the search is to pause.
func (s *search) run() { s.expandAlone(&s.root, s.left) }

// expandAlone searches a position without regard to how it was reached.
func (s *search) expandAlone(n *child, left int) {
	s.path, s.stopped = s.path[:0], false
	s.expand(n, infinite, infinite, left)
}

// expand searches below a node until its proof number or its disproof number reaches a threshold, and sets both.
func (s *search) expand(n *child, proofMost, disproofMost uint32, left int) {
	s.nodes++
	if s.nodes >= s.stopAt || s.nodes&127 == 0 && s.out() {
		s.stopped = true
	}
	if s.report != nil && s.nodes&1023 == 0 && time.Since(s.reported) > time.Second {
		s.tell()
	}
	begin := s.nodes
	attacking := n.pos.Turn() == s.attacker

	// Step 1: the moves, and what is known of where they lead.
	var buf [256]loa.Move
	moves := n.pos.MovesUnchecked(buf[:0])
	if len(moves) == 0 {
		if o := n.pos.Outcome(); o.Over() {
			s.settle(n, o.Winner == s.attacker, 0)
			s.store(n, attacking, left, begin)
			return
		}
		moves = append(moves, loa.Pass)
	}
	children := s.levels[len(s.path)][:0]
	s.path = append(s.path, step{n.key, count(n.pos.Occupied())})
	for _, m := range moves {
		children = append(children, child{pos: n.pos.PlayUnchecked(m)})
		c := &children[len(children)-1]
		s.look(c, left-1)
		if attacking && c.proof == 0 || !attacking && c.disproof == 0 {
			break // nothing better can come
		}
	}
	s.levels[len(s.path)-1] = children

	for {
		// Step 2: the side to move needs one good move, the other side an answer to all of them.
		best, least, second, sum := 0, uint32(infinite), uint32(infinite), uint32(0)
		for i := range children {
			want, refute := children[i].proof, children[i].disproof
			if !attacking {
				want, refute = refute, want
			}
			sum = min(sum+refute, infinite-1)
			if want < least {
				best, least, second = i, want, least
			} else {
				second = min(second, want)
			}
		}
		c := &children[best]
		if attacking {
			n.proof, n.disproof = c.proof, sum
		} else {
			n.proof, n.disproof = sum, c.disproof
		}
		if n.proof == 0 {
			n.disproof = infinite
		} else if n.disproof == 0 {
			n.proof = infinite
		}
		if n.proof >= proofMost || n.disproof >= disproofMost || s.stopped {
			break
		}

		// Step 3: the most promising move is searched until another one is by an eighth, or until the threshold of the
		// node is met. An eighth needs the fewest nodes on testdata/forced_wins.txt of none, 1/32, 1/16, 1/8 and 1/4.
		slack := second + second/8 + 1
		if attacking {
			s.expand(c, min(proofMost, slack), disproofMost-(sum-c.disproof), left-1)
		} else {
			s.expand(c, proofMost-(sum-c.proof), min(disproofMost, slack), left-1)
		}
	}

	// Step 4: the plies of a proof are those of the quickest win, or of the longest defense.
	if n.proof == 0 {
		plies := uint16(0)
		for _, c := range children {
			switch {
			case !attacking:
				plies = max(plies, c.plies+1)
			case c.proof == 0 && (plies == 0 || c.plies < plies):
				plies = c.plies + 1
			}
		}
		n.plies = plies
	}
	s.path = s.path[:len(s.path)-1]
	s.store(n, attacking, left, begin)
}

// look sets what is known of a position without searching it.
func (s *search) look(c *child, left int) {
	if o := c.pos.Connection(); o.Over() {
		s.settle(c, o.Winner == s.attacker, 0)
		return
	}
	if s.capped && left == 0 {
		s.settle(c, c.pos.Outcome().Winner == s.attacker, 0)
		return
	}
	if s.drawn(&c.pos) {
		s.settle(c, false, 0)
		return
	}
	attacking := c.pos.Turn() == s.attacker
	if WinInOne(&c.pos, &s.rules, s.board) != loa.NoMoveMade {
		s.settle(c, attacking, 1)
		return
	}
	c.key = keyOf(&c.pos, s.images)
	if s.onPath(c) {
		s.settle(c, false, 0)
		return
	}
	if s.facts {
		if e := s.table.probe(c.key, s.stateAt(attacking, 0)); e != nil && e.proof == 0 && int(e.plies) <= left {
			s.settle(c, true, e.plies)
			return
		}
	}
	if e := s.table.probe(c.key, s.state(attacking, left)); e != nil {
		c.proof, c.disproof, c.plies = e.proof, e.disproof, e.plies
		return
	}
	s.estimate(c, attacking)
}

// drawn reports whether a position has been in the game so often that it would be a draw.
func (p *problem) drawn(now *loa.Position) bool {
	for i := range p.barred {
		if now.Same(p.barred[i]) {
			return true
		}
	}
	return false
}

// onPath reports whether a position, or an image of it, is on the path already.
func (s *search) onPath(c *child) bool {
	if len(s.path) == maxPath {
		return true
	}
	if s.capped {
		return false // every ply comes nearer to the cap: no path returns to what it has had
	}
	pieces := count(c.pos.Occupied())
	for i := len(s.path) - 2; i >= 0 && s.path[i].pieces == pieces; i -= 2 {
		if s.path[i].key == c.key {
			return true
		}
	}
	return false
}

// settle notes that a position is proved, in so many plies, or disproved.
func (s *search) settle(c *child, proved bool, plies uint16) {
	c.proof, c.disproof, c.plies = infinite, 0, 0
	if proved {
		c.proof, c.disproof, c.plies = 0, infinite, plies
	}
}

// state returns the state of a position in the table.
func (s *search) state(attacking bool, left int) uint16 {
	if !s.capped {
		left = 0
	}
	return s.stateAt(attacking, left)
}

// stateAt is state for so many plies left, or 0 where they make no difference.
func (s *search) stateAt(attacking bool, left int) uint16 {
	state := stateOf(attacking, left)
	if !s.images && s.attacker == loa.White {
		state |= whiteAttacks // the game has not had the position with its colors changed
	}
	return state
}

func (s *search) store(n *child, attacking bool, left int, begin uint64) {
	state := s.state(attacking, left)
	if s.facts && n.proof == 0 {
		state = s.stateAt(attacking, 0)
	}
	s.table.store(entry{n.key, n.proof, n.disproof, uint32(min(s.nodes-begin+1, 1<<32-1)), n.plies, state})
}

// tell reports how far the search is.
func (s *search) tell() {
	s.reported = time.Now()
	s.report(Progress{s.nodes, s.reported.Sub(s.since), s.attacker, s.root.proof, s.root.disproof})
}

// ended reports whether the limits are reached, in nodes too.
func (p *problem) ended() bool { return p.nodes >= p.most || p.out() }

// out reports whether the limits are reached.
func (s *problem) out() bool {
	return s.ctx.Err() != nil || !s.deadline.IsZero() && time.Now().After(s.deadline)
}
