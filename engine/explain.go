package engine

import (
	"context"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/engine/solve"
)

// Explanation is what a search found in the terms of the game.
type Explanation struct {
	Result
	// Ways is the number of moves of each side, by color, that win at once, were it that side's turn.
	Ways [2]int
	// Threat is the number of plies within which the best move's side wins if the other side then does nothing; 0 where
	// no such win was found.
	Threat int
	// Played is what became of the last move of the game, nil without one.
	Played *Played
}

// Played compares a move with the best one there was.
type Played struct {
	Move   loa.Move
	Best   loa.Move // of that position
	Before Score    // of the best move, for the side that moved
	After  Score    // of the move that was played, for the same side; a forced end is told in plies from there
	Allows int      // plies of the forced win that the move gave to the other side and the best one did not; 0 for none
}

// Lost returns the centipawns that the move lost, none where a forced end is on either side.
func (p *Played) Lost() int {
	if _, forced := p.Before.Plies(); forced {
		return 0
	}
	if _, forced := p.After.Plies(); forced {
		return 0
	}
	return max(0, int(p.Before-p.After))
}

const (
	// threatNodes bounds the proof of a threat. Threats further away than it finds are none that a person would see.
	threatNodes = 2000
	// threatSlice is after how many of them others have their turn.
	threatSlice = 128
)

// Explain searches like Search and explains what it found. It searches a second time, with the same limits, the
// position before the last move.
func (e *Engine) Explain(ctx context.Context, g *loa.Game, limits Limits, report func(Info)) (Explanation, error) {
	result, err := e.Search(ctx, g, limits, report)
	if err != nil {
		return Explanation{}, err
	}
	out := Explanation{Result: result}
	p := g.Position()
	for _, color := range []loa.Color{loa.Black, loa.White} {
		out.Ways[color] = ways(p, g.Rules(), color)
	}
	out.Threat = e.threat(ctx, g.Rules(), p.PlayUnchecked(result.BestMove), p.Turn())
	if g.Plies() > 0 {
		out.Played, err = e.played(ctx, g, limits, result.Score)
	}
	return out, err
}

// played compares the last move of a game, after which the score is the opponent's, with the best one there was.
func (e *Engine) played(ctx context.Context, g *loa.Game, limits Limits, after Score) (*Played, error) {
	last := g.Plies() - 1
	before := g.Clone()
	before.Truncate(last)
	best, err := e.Search(ctx, before, limits, nil)
	if err != nil {
		return nil, err
	}
	p := &Played{Move: g.Move(last), Best: best.BestMove, Before: best.Score, After: -after}
	if p.Move == p.Best { // the longer look counts
		p.Before = max(p.Before, p.After.shift(1))
		p.After = p.Before.shift(-1)
	}
	_, lost := p.Before.Plies()
	if plies, forced := after.Plies(); forced && plies > 0 && (!lost || p.Before > 0) && p.Move != p.Best {
		p.Allows = plies
	}
	return p, nil
}

// turned returns a position with another side to move, and whether that is one.
func turned(p loa.Position, rules loa.Rules, turn loa.Color) (loa.Position, bool) {
	setup := p.Setup()
	setup.Turn = turn
	rules.Start, rules.Seed, rules.Size = loa.StartCustom, 0, p.Size()
	q, err := setup.Position(rules)
	return q, err == nil
}

// ways counts the moves of a side that win at once.
func ways(p loa.Position, rules loa.Rules, color loa.Color) int {
	q, ok := turned(p, rules, color)
	if !ok {
		return 0
	}
	count := 0
	for _, move := range q.Moves(nil) {
		if q.PlayUnchecked(move).Outcome().Winner == color {
			count++
		}
	}
	return count
}

// threat returns within how many plies a side wins from a position if it were to move again, 0 where no such win is found.
func (e *Engine) threat(ctx context.Context, rules loa.Rules, p loa.Position, side loa.Color) int {
	if p.Outcome().Over() {
		return 0
	}
	q, ok := turned(p, rules, side)
	if !ok || q.Outcome().Over() {
		return 0
	}
	rules.Start, rules.Seed, rules.Size = loa.StartCustom, 0, p.Size()
	game, err := loa.NewGameFrom(rules, q.Setup())
	solver := solve.New(1)
	if err != nil || solver.Begin(game) != nil {
		return 0
	}
	for ctx.Err() == nil {
		before := solver.Nodes()
		switch found := solver.Prove(ctx, threatSlice); {
		case found.Value == solve.Win:
			return found.Bound
		case found.Nodes >= threatNodes || found.Nodes == before:
			return 0
		}
		if e.options.Yield != nil {
			e.options.Yield()
		}
	}
	return 0
}
