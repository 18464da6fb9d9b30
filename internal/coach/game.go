package coach

import (
	"context"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/engine"
	"github.com/linesofaction/loa/engine/solve"
)

// Hint is what the side to move should play, and why.
type Hint struct {
	Move   loa.Move
	Win    int // plies to a win that is certain, 0 for none seen; negative to a loss
	Threat int // plies in which the side wins after the move if the other one does nothing, 0 for none seen
}

// Hint searches the position of a game that is not over.
func (c *Coach) Hint(ctx context.Context, g *loa.Game) (Hint, error) {
	var h Hint
	err := c.ask(ctx, func(d *desk) error {
		d.engine.Reset()
		found, err := d.engine.Explain(ctx, g, engine.Limits{Nodes: hintNodes}, nil)
		if err != nil {
			return err
		}
		h = Hint{Move: found.BestMove, Threat: found.Threat}
		if plies, forced := found.Score.Plies(); forced {
			h.Win = plies
		}
		return nil
	})
	return h, err
}

// Review is what became of a move that was played, beside the best one there was.
type Review struct {
	Move, Best loa.Move
	Missed     int // plies of the certain win that the best move had and the move has not, 0 for none
	Allows     int // plies of the certain win that the move gave to the other side and the best one did not, 0 for none
	Win        int // plies to a certain win after the move, 0 for none seen; negative to a loss
	Lost       int // centipawns, where no end is certain
}

// Review compares the last move of a game that is not over with the best one.
func (c *Coach) Review(ctx context.Context, g *loa.Game) (Review, error) {
	var r Review
	err := c.ask(ctx, func(d *desk) error {
		d.engine.Reset()
		found, err := d.engine.Explain(ctx, g, engine.Limits{Nodes: reviewNodes}, nil)
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err // cut short, the two sides are not to be compared
		}
		p := found.Played
		r = Review{Move: p.Move, Best: p.Best, Allows: p.Allows, Lost: p.Lost()}
		best, forced := p.Before.Plies()
		after, still := p.After.Plies()
		if still {
			r.Win = after
		}
		if forced && best > 0 && (!still || after < 0) {
			r.Missed = best
		}
		return nil
	})
	return r, err
}

// Threat is how a side would win if it were to move now.
type Threat struct {
	Side  loa.Color
	Moves []loa.Move // that win at once
	Plies int        // in which it wins, 1 where a move wins at once, 0 where no win was found
}

// mostThreat is the number of plies within which threats are looked for. Those further away nobody sees.
const mostThreat = 5

// Threats returns what both sides threaten on a board that is not over, the side that is to move last.
func (c *Coach) Threats(ctx context.Context, g *loa.Game) ([2]Threat, error) {
	var threats [2]Threat
	err := c.ask(ctx, func(*desk) error {
		p := g.Position()
		rules := g.Rules()
		rules.Start, rules.Seed, rules.Size, rules.Cap = loa.StartCustom, 0, p.Size(), 0
		short := solve.NewShort(rules, 1) // the rules are those of the game
		for i, side := range []loa.Color{p.Turn().Opponent(), p.Turn()} {
			threats[i].Side = side
			setup := p.Setup()
			setup.Turn = side
			turned, err := setup.Position(rules)
			if err != nil {
				continue // a side that could not have been to move threatens nothing
			}
			threats[i] = threatOf(ctx, short, turned)
		}
		return ctx.Err()
	})
	return threats, err
}

// threatOf returns how the side to move wins.
func threatOf(ctx context.Context, short *solve.Short, p loa.Position) Threat {
	t := Threat{Side: p.Turn()}
	for _, m := range p.Moves(nil) {
		if p.PlayUnchecked(m).Outcome().Winner == p.Turn() {
			t.Moves, t.Plies = append(t.Moves, m), 1
		}
	}
	for plies := 3; t.Plies == 0 && plies <= mostThreat; plies += 2 {
		if wins, known := short.Wins(ctx, p, p.Turn(), plies, threatNodes); known && wins {
			t.Plies = plies
			if line := short.Line(ctx, p, p.Turn(), plies, threatNodes); len(line) > 0 {
				t.Moves = line[:1]
			}
		}
	}
	return t
}
