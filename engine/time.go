package engine

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/linesofaction/loa"
)

// Limits say when a search ends: at the first limit that is reached, and before that when going deeper is of no
// use. Without any limit it goes to MaxDepth.
type Limits struct {
	MoveTime time.Duration // time for this move
	Clock    *Clock        // clocks of the game, from which the engine makes out a time of its own
	Nodes    uint64        // positions looked at
	Depth    int           // plies
	Infinite bool          // does not return before the context is done, even when everything is known
	MultiPV  int           // number of best lines to work out; 0 takes Options.MultiPV
}

// Clock is what the clocks of a game show.
type Clock struct {
	Left, Increment                 time.Duration // of the side to move
	OpponentLeft, OpponentIncrement time.Duration
}

const (
	// movesToGo is the number of own moves the time left is shared among. Games last about 38 plies and rarely
	// 60, so from most positions 20 own moves are plenty.
	movesToGo = 20
	// overhead is left on the clock for the way of the move to whoever keeps the clock.
	overhead = 15 * time.Millisecond
)

// budget returns the time after which no new iteration begins and the time after which the search stops.
func (c *Clock) budget() (soft, hard time.Duration) {
	left := max(c.Left-overhead, time.Millisecond)
	share := left/movesToGo + c.Increment*3/4
	// Ahead on the clock some of the lead may be spent.
	if lead := c.Left - c.OpponentLeft; lead > 0 && c.OpponentLeft > 0 {
		share += min(lead/movesToGo, share/2)
	}
	hard = min(3*share, left/3+c.Increment/2, left)
	return min(share*6/10, hard), hard
}

// control is what the workers of a search share: the table, the rules, and when to stop.
type control struct {
	table   *table
	terrain *terrain
	rules   loa.Rules
	off     Technique
	plies   int // of the game before the search

	stop      atomic.Bool
	mostNodes uint64 // of the main thread exactly, of all together as look finds them
	start     time.Time
	soft      time.Duration // 0 is none
	hard      time.Duration // 0 is none
	yield     func()        // or nil
	workers   []*worker
}

// use reports whether a technique is to be used.
func (c *control) use(t Technique) bool { return c.off&t == 0 }

// limit turns limits into times and numbers, and stops the search when the context is done. The function it
// returns ends that watch.
func (c *control) limit(ctx context.Context, limits Limits) (release func() bool) {
	c.start = time.Now()
	c.mostNodes = ^uint64(0)
	if limits.Nodes > 0 {
		c.mostNodes = limits.Nodes
	}
	if limits.Clock != nil {
		c.soft, c.hard = limits.Clock.budget()
	}
	if limits.MoveTime > 0 && (c.hard == 0 || limits.MoveTime < c.hard) {
		c.hard = limits.MoveTime
	}
	return context.AfterFunc(ctx, func() { c.stop.Store(true) })
}

// look stops the search when its time is over, or when all threads together have looked at enough.
func (c *control) look() {
	if c.yield != nil {
		c.yield()
	}
	if c.hard > 0 && time.Since(c.start) >= c.hard || len(c.workers) > 1 && c.total() >= c.mostNodes {
		c.stop.Store(true)
	}
}

// total returns the positions looked at by all threads, as of late.
func (c *control) total() (nodes uint64) {
	for _, w := range c.workers {
		nodes += w.counted.Load()
	}
	return nodes
}
