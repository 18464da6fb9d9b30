package solve

import (
	"context"
	"math"
	"time"
)

// Prove goes on for so many nodes with the attempt to prove that the side to move wins, after Begin, and leaves the other
// side's alone. Its result is the same every time, unless the context is done before. The value is Win or Unknown, with a
// line of a win in at most Bound plies; how short the shortest is is not found out.
func (s *Solver) Prove(ctx context.Context, nodes uint64) Result {
	p, a := s.problem, s.attempts[0]
	p.ctx, p.report, p.deadline = ctx, nil, time.Time{}
	p.most = math.MaxUint64
	p.stopAt = p.nodes + nodes
	if a.root.disproof != 0 && a.root.proof != 0 {
		a.run()
	}
	result := Result{Nodes: p.nodes}
	if a.root.proof == 0 && (p.rules.Cap == 0 || int(a.root.plies) <= p.left) {
		result.Value, result.Bound, result.PV = Win, int(a.root.plies), a.line()
	}
	return result
}
