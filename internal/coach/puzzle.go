package coach

import (
	"context"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/engine"
	"github.com/linesofaction/loa/internal/puzzle"
)

// Result is how a try at a puzzle stands.
type Result uint8

// The results.
const (
	Right  Result = iota // so far; the defender has answered
	Solved               // the last move has won
	Wrong                // the last move does not win in time
)

// String returns the result as messages name it.
func (r Result) String() string { return [...]string{"right", "solved", "wrong"}[r] }

// Fault is why a move is wrong.
type Fault uint8

// The faults.
const (
	NoFault Fault = iota
	Loses         // the other side now wins by force
	Draws         // the move connects both sides
	Late          // the reply leaves no win in time
)

// String returns the fault as messages name it, nothing for none.
func (f Fault) String() string { return [...]string{"", "loses", "draws", "late"}[f] }

// Verdict is what moves in a puzzle lead to.
type Verdict struct {
	Result Result
	Moves  []loa.Move // the moves of both sides, the last one with its answer
	Taken  int        // how many of the solver's moves count: those after a wrong one do not
	Fault  Fault
	Plies  int // in which the other side wins, with Loses
}

// Judge plays the solver's moves, answers each by the longest defense, and says how that stands. The move after which
// there is no win in the stated number of plies is wrong, and is answered by what refutes it. The error is an
// *loa.IllegalError for a move that the rules forbid, and ErrUnproved.
func (c *Coach) Judge(ctx context.Context, z *puzzle.Puzzle, own []loa.Move) (Verdict, error) {
	var v Verdict
	err := c.ask(ctx, func(d *desk) (err error) {
		v, err = d.judge(ctx, z, own)
		return err
	})
	return v, err
}

func (d *desk) judge(ctx context.Context, z *puzzle.Puzzle, own []loa.Move) (Verdict, error) {
	var v Verdict
	now, side := z.Position, z.Position.Turn()
	for _, move := range own {
		next, err := now.Play(move)
		if err != nil {
			return v, err
		}
		onLine := startsWith(z.Line, v.Moves)
		left := z.Plies() - len(v.Moves) - 1 // plies after this move
		v.Moves = append(v.Moves, move)
		v.Taken++
		wins := onLine && z.Line[len(v.Moves)-1] == move
		if !wins && v.Taken > 1 { // the first move is the only one
			if wins, err = d.wins(ctx, next, side, left); err != nil {
				return v, err
			}
		}
		if !wins {
			v.Result = Wrong
			return v, d.refute(ctx, &v, next, left)
		}
		if next.Outcome().Over() {
			v.Result = Solved
			return v, nil
		}
		reply, err := d.reply(ctx, z, &v, next, left)
		if err != nil {
			return v, err
		}
		v.Moves = append(v.Moves, reply)
		now = next.PlayUnchecked(reply)
		if now.Outcome().Over() { // the only move connects the other side
			v.Result = Solved
			return v, nil
		}
	}
	return v, nil
}

// startsWith reports whether a line begins with so many moves and goes on.
func startsWith(line, moves []loa.Move) bool {
	if len(moves) >= len(line) {
		return false
	}
	for i, m := range moves {
		if line[i] != m {
			return false
		}
	}
	return true
}

// wins reports whether a side wins within so many plies.
func (d *desk) wins(ctx context.Context, p loa.Position, side loa.Color, plies int) (bool, error) {
	wins, known := d.short.Wins(ctx, p, side, plies, proofNodes)
	if !known {
		return false, ErrUnproved
	}
	return wins, nil
}

// reply returns the move of the defender that loses latest: that of the solution as long as that is followed.
func (d *desk) reply(ctx context.Context, z *puzzle.Puzzle, v *Verdict, p loa.Position, left int) (loa.Move, error) {
	if startsWith(z.Line, v.Moves) {
		return z.Line[len(v.Moves)], nil
	}
	side := z.Position.Turn()
	for left > 1 { // the solver may have found a quicker way than the one that is left
		shorter, err := d.wins(ctx, p, side, left-1)
		if err != nil {
			return loa.NoMoveMade, err
		}
		if !shorter {
			break
		}
		left--
	}
	line := d.short.Line(ctx, p, side, left, proofNodes)
	if len(line) == 0 {
		return loa.NoMoveMade, ErrUnproved
	}
	return line[0], nil
}

// mostAttack is the number of plies within which a win of the defender is looked for.
const mostAttack = 5

// refute answers a wrong move: by a win where the other side has one that can be shown, or by the strongest move that
// leaves no win in time.
func (d *desk) refute(ctx context.Context, v *Verdict, p loa.Position, left int) error {
	side := p.Turn().Opponent()
	if o := p.Outcome(); o.Over() {
		v.Fault = Draws
		if o.Winner == p.Turn() {
			v.Fault = Loses
		}
		return nil
	}
	for plies := 1; plies <= mostAttack; plies += 2 {
		if wins, known := d.short.Wins(ctx, p, p.Turn(), plies, attackNodes); known && wins {
			if line := d.short.Line(ctx, p, p.Turn(), plies, proofNodes); len(line) > 0 {
				v.Moves, v.Fault, v.Plies = append(v.Moves, line...), Loses, plies
				return nil
			}
		}
	}
	v.Fault = Late
	game, err := loa.NewGameFrom(puzzle.Rules(), p.Setup())
	if err != nil {
		return err
	}
	d.engine.Reset()
	best, err := d.engine.Search(ctx, game, engine.Limits{Nodes: replyNodes}, nil)
	if err != nil {
		return err
	}
	for _, m := range append([]loa.Move{best.BestMove}, p.Moves(nil)...) {
		wins, err := d.wins(ctx, p.PlayUnchecked(m), side, left-1)
		if err != nil {
			return err
		}
		if !wins {
			v.Moves = append(v.Moves, m)
			return nil
		}
	}
	return ErrUnproved
}
