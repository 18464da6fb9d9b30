// Package coach answers those who train: what a move in a puzzle leads to, what to play in a game against the computer, and
// what the other side threatens. It asks the proof search and the engine, within bounds, so that no question costs much.
package coach

import (
	"context"
	"errors"

	"github.com/linesofaction/loa/engine"
	"github.com/linesofaction/loa/engine/solve"
	"github.com/linesofaction/loa/internal/puzzle"
)

// ErrUnproved is the error when a question would take longer to answer than is allowed.
var ErrUnproved = errors.New("not found out within the bounds")

// The bounds of a question, in positions looked at.
const (
	proofNodes  = 300_000 // for a win in a puzzle; the longest take 100 000
	attackNodes = 20_000  // for a win of the defender, where a shorter answer does
	replyNodes  = 10_000  // for the strongest reply to a wrong move
	hintNodes   = 60_000
	threatNodes = 6_000
	tableMiB    = 8
)

// Coach answers questions, so many at a time; the others wait. It is safe for use by many goroutines.
type Coach struct {
	desks chan *desk
}

// desk is what one question needs. It is empty until somebody asks, for its tables are large.
type desk struct {
	short  *solve.Short
	engine *engine.Engine
}

// furnish fills an empty desk.
func (d *desk) furnish() {
	if d.engine == nil {
		d.short, d.engine = solve.NewShort(puzzle.Rules(), tableMiB), engine.New(engine.Options{Hash: tableMiB})
	}
}

// New returns a coach that answers so many questions at the same time.
func New(workers int) *Coach {
	c := &Coach{desks: make(chan *desk, max(1, workers))}
	for range cap(c.desks) {
		c.desks <- new(desk)
	}
	return c
}

// ask waits for a desk and works at it.
func (c *Coach) ask(ctx context.Context, work func(*desk) error) error {
	select {
	case d := <-c.desks:
		defer func() { c.desks <- d }()
		d.furnish()
		return work(d)
	case <-ctx.Done():
		return ctx.Err()
	}
}
