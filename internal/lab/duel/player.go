package duel

import (
	"context"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/engine"
)

// engineSeat is an engine that plays under the same limits in every move.
type engineSeat struct {
	engine *engine.Engine
	limits engine.Limits
}

// Engine returns a player that searches every move within limits.
func Engine(options engine.Options, limits engine.Limits) Player {
	return &engineSeat{engine.New(options), limits}
}

func (p *engineSeat) NewGame(context.Context) error {
	p.engine.Reset()
	return nil
}

func (p *engineSeat) Move(ctx context.Context, g *loa.Game) (loa.Move, error) {
	found, err := p.engine.Search(ctx, g, p.limits, nil)
	return found.BestMove, err
}

// greedy gathers without looking ahead.
type greedy struct{}

// Greedy returns a player that wins when it can in one move, and otherwise makes the move after which the
// distances of its pieces from their center of mass add up to least, the first of equal ones. It knows no other
// goal than to connect.
func Greedy() Player { return greedy{} }

func (greedy) NewGame(context.Context) error { return nil }

func (greedy) Move(_ context.Context, g *loa.Game) (loa.Move, error) {
	p := g.Position()
	best, least := loa.NoMoveMade, 0
	for _, m := range g.Moves(nil) {
		next := p.PlayUnchecked(m)
		switch next.Connection().Winner {
		case p.Turn():
			return m, nil
		case p.Turn().Opponent():
			continue
		}
		if spread := spreadOf(next.Pieces(p.Turn())); best == loa.NoMoveMade || spread < least {
			best, least = m, spread
		}
	}
	if best == loa.NoMoveMade { // every move loses
		best = g.Moves(nil)[0]
	}
	return best, nil
}

// spreadOf returns the squared distances of pieces from their center of mass, summed and times their number.
func spreadOf(pieces loa.Bitboard) int {
	n, files, ranks, squares := 0, 0, 0, 0
	for _, s := range pieces.Squares() {
		n++
		files += s.File()
		ranks += s.Rank()
		squares += s.File()*s.File() + s.Rank()*s.Rank()
	}
	return n*squares - files*files - ranks*ranks
}
