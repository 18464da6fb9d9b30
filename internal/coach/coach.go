// Package coach answers those who train: what a move in a puzzle leads to, what to play in a game against the computer, and
// what the other side threatens. It asks the proof search and the engine, within bounds, so that no question costs much.
// A Coach works where engines do; a Client asks one over whatever carries questions there, from wherever pages are served.
package coach

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/linesofaction/loa/engine"
	"github.com/linesofaction/loa/engine/solve"
	"github.com/linesofaction/loa/internal/puzzle"
)

// Why a question has no answer.
var (
	ErrUnproved   = errors.New("not found out within the bounds")
	ErrBusy       = errors.New("too many questions wait to be answered")
	ErrUnanswered = errors.New("no coach answers")
)

// The bounds of a question, in positions looked at.
const (
	proofNodes  = 300_000 // for a win in a puzzle; the longest take 100 000
	attackNodes = 20_000  // for a win of the defender, where a shorter answer does
	replyNodes  = 10_000  // for the strongest reply to a wrong move
	hintNodes   = 60_000
	reviewNodes = 30_000 // twice, before the move and after it
	threatNodes = 6_000
	tableMiB    = 8
)

// mostWaiting is how many questions may wait for each desk. One takes a third of a second at most.
const mostWaiting = 16

// Coach answers questions, so many at a time; others wait, and when too many do it says so. It is safe for use by many
// goroutines.
type Coach struct {
	desks chan *desk
	asked atomic.Int64 // waiting or being answered
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

// Load returns how many questions are being answered, and how many wait.
func (c *Coach) Load() (answering, waiting int) {
	asked, most := int(c.asked.Load()), cap(c.desks)
	return min(asked, most), max(0, asked-most)
}

// ask waits for a desk and works at it.
func (c *Coach) ask(ctx context.Context, work func(*desk) error) error {
	defer c.asked.Add(-1)
	if c.asked.Add(1) > int64(cap(c.desks)*(1+mostWaiting)) {
		return ErrBusy
	}
	select {
	case d := <-c.desks:
		defer func() { c.desks <- d }()
		d.furnish()
		return work(d)
	case <-ctx.Done():
		return ctx.Err()
	}
}
