// Package mine finds puzzles in games and proves them.
package mine

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/engine/solve"
	"github.com/linesofaction/loa/internal/puzzle"
)

// The reasons why a position is no puzzle, for errors.Is.
var (
	ErrNoWin  = errors.New("no win that is short enough")
	ErrHard   = errors.New("not found out within the limit")
	ErrSecond = errors.New("another first move wins too, within two plies more")
	ErrEven   = errors.New("the other side makes the last move")
	ErrOther  = errors.New("of a length not looked for")
)

// Prover finds out whether positions are puzzles. It is for one goroutine.
type Prover struct {
	short *solve.Short
	Nodes uint64 // looked at for each question, 0 for no limit
}

// NewProver returns a prover whose table takes the given number of MiB.
func NewProver(memory int, nodes uint64) *Prover {
	return &Prover{short: solve.NewShort(puzzle.Rules(), memory), Nodes: nodes}
}

// Solve returns the line of the only first move that wins, or why a position is no puzzle of one of the lengths.
func (v *Prover) Solve(ctx context.Context, p loa.Position, lengths []int) ([]loa.Move, error) {
	for plies := puzzle.LeastPlies; plies <= slices.Max(lengths); plies += 2 {
		wins, known := v.short.Wins(ctx, p, p.Turn(), plies, v.Nodes)
		if !known {
			return nil, ErrHard
		}
		switch {
		case wins && !slices.Contains(lengths, plies):
			return nil, ErrOther
		case wins:
			return v.line(ctx, p, plies)
		}
	}
	return nil, ErrNoWin
}

// line returns the line of a win that is known to be of so many plies.
func (v *Prover) line(ctx context.Context, p loa.Position, plies int) ([]loa.Move, error) {
	if err := v.unique(ctx, p, plies); err != nil {
		return nil, err
	}
	line := v.short.Line(ctx, p, p.Turn(), plies, v.Nodes)
	switch {
	case ctx.Err() != nil:
		return nil, ErrHard
	case len(line) != plies:
		return nil, ErrEven
	}
	return line, nil
}

// unique makes sure that one first move wins within a length and no other one within two plies more.
func (v *Prover) unique(ctx context.Context, p loa.Position, plies int) error {
	won := map[loa.Move]bool{}
	for _, within := range []int{plies, plies + puzzle.Spare} { // most other wins are as short, and soon found
		for _, m := range p.Moves(nil) {
			if won[m] {
				continue
			}
			wins, known := v.short.Wins(ctx, p.PlayUnchecked(m), p.Turn(), within-1, v.Nodes)
			switch {
			case !known:
				return ErrHard
			case wins:
				won[m] = true
			}
			if len(won) > 1 {
				return ErrSecond
			}
		}
	}
	if len(won) == 0 {
		return ErrNoWin
	}
	return nil
}

// Check proves a puzzle anew and returns what is wrong with it.
func (v *Prover) Check(ctx context.Context, z *puzzle.Puzzle) error {
	p, side, plies := z.Position, z.Position.Turn(), z.Plies()
	if o := p.Outcome(); o.Over() {
		return fmt.Errorf("the game is over: %s", o)
	}
	if err := v.unique(ctx, p, plies); err != nil {
		return err
	}
	now := p
	for i, m := range z.Line { // the line is a win of that length against the longest defense
		left := plies - i
		next := now.PlayUnchecked(m)
		wins, known := v.short.Wins(ctx, next, side, left-1, v.Nodes)
		if known && !wins {
			return fmt.Errorf("after %s there is no win in %d plies", now.Format(m), left-1)
		}
		if known && left > 2 {
			if wins, known = v.short.Wins(ctx, next, side, left-2, v.Nodes); known && wins {
				return fmt.Errorf("after %s there is a win in fewer than %d plies", now.Format(m), left-1)
			}
		}
		if !known {
			return ErrHard
		}
		now = next
	}
	return nil
}
