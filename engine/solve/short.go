package solve

import (
	"context"

	"github.com/linesofaction/loa"
)

// Short proves wins within a number of plies, as puzzles state them. What it has found out about a position serves for
// every later question about it, from any path, for it knows no past. Its rules have no ply cap.
type Short struct {
	problem
	searches [2]*search // by the side that is to win
}

// NewShort returns a prover by the given rules whose table takes the given number of MiB, at least one bucket.
func NewShort(rules loa.Rules, memory int) *Short {
	s := &Short{problem: problem{rules: rules, table: newTable(memory), images: true, capped: true}}
	for _, side := range []loa.Color{loa.Black, loa.White} {
		s.searches[side] = &search{problem: &s.problem, attacker: side}
	}
	return s
}

// Wins reports whether a side wins from a position within so many plies, whatever the other one does, and whether that
// was found out before the context was done or so many positions had been looked at; 0 is no limit.
func (s *Short) Wins(ctx context.Context, p loa.Position, side loa.Color, plies int, nodes uint64) (wins, known bool) {
	if o := p.Outcome(); o.Over() || plies <= 0 {
		return o.Winner == side, true
	}
	s.begin(ctx, p, nodes)
	n := s.searches[side].within(p, plies)
	return n.proof == 0, n.proof == 0 || n.disproof == 0
}

// Line returns the line of a win within so many plies by a side, and of none shorter: the other side loses no sooner
// than it must. It is nil where the win is not exactly as long, or that was not found out within the limits.
func (s *Short) Line(ctx context.Context, p loa.Position, side loa.Color, plies int, nodes uint64) []loa.Move {
	s.begin(ctx, p, nodes)
	_, line := s.searches[side].longest(plies)
	return line
}

// begin sets what a question is about, and its limits.
func (s *Short) begin(ctx context.Context, p loa.Position, nodes uint64) {
	s.start, s.size, s.board = p, p.Size(), boardOf(p.Size())
	s.ctx, s.nodes, s.most = ctx, 0, nodes
	if nodes == 0 {
		s.most = 1 << 62
	}
	s.stopAt = s.most
	for _, x := range s.searches {
		x.stopped = false
	}
}
