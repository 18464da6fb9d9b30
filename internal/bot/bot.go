// Package bot puts the engine in a seat. It keeps nothing of its own: whose turn it is follows from the stored
// matches, so a bot that starts where another was killed goes on where that one stood.
package bot

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/live"
	"github.com/linesofaction/loa/internal/match"
)

// Chooser picks a move for the side to move of a game that is not over. It returns soon after ctx is done.
type Chooser func(ctx context.Context, game *loa.Game, level int) (loa.Move, error)

// Bot plays the turns of engines.
type Bot struct {
	Service  *live.Service
	Choose   Chooser
	Workers  int           // how many turns are thought about at once
	Patience time.Duration // after which a turn is played whatever the engine says
	Sweep    time.Duration // how often the stored turns are looked through for one that was missed
	Lease    time.Duration // for how long a turn is claimed at a time; more than it mostly takes
	Log      *slog.Logger

	mu      sync.Mutex
	wake    *sync.Cond
	queue   []match.ID
	waiting map[match.ID]bool     // in queue
	busy    map[match.ID]*thought // being thought about
	stopped bool
	missed  chan struct{}     // news may have been lost
	later   map[match.ID]bool // claimed elsewhere, and looked at again when the claim ends
	mine    map[match.ID]int  // sequence numbers of the turns claimed here and not played yet
}

// thought is a turn that is being thought about.
type thought struct {
	seq    int // of the match it thinks about
	cancel context.CancelFunc
}

// Run plays until ctx is done. A turn under way is then given up; it is still in the store.
func (b *Bot) Run(ctx context.Context) error {
	b.wake = sync.NewCond(&b.mu)
	b.waiting, b.busy = map[match.ID]bool{}, map[match.ID]*thought{}
	b.missed, b.later, b.mine = make(chan struct{}, 1), map[match.ID]bool{}, map[match.ID]int{}
	defer b.Service.ListenForEngines(b.hear)()
	var workers sync.WaitGroup
	for range max(1, b.Workers) {
		workers.Go(func() { b.work(ctx) })
	}
	err := b.sweep(ctx)
	b.mu.Lock()
	b.stopped = true
	b.wake.Broadcast()
	b.mu.Unlock()
	workers.Wait()
	return err
}

// sweep queues every stored turn now and then, so that none is missed for good.
func (b *Bot) sweep(ctx context.Context) error {
	ticker := time.NewTicker(b.Sweep)
	defer ticker.Stop()
	for {
		ids, err := b.Service.EngineTurns(ctx)
		if err != nil && ctx.Err() == nil {
			b.Log.Error("listing engine turns", "error", err)
		}
		for _, id := range ids {
			b.hear(id, 0)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		case <-b.missed:
		}
	}
}

// hear takes note that a match has reached a sequence number. 0 is no news about a match that is being thought
// about, and live.Missed is no news of a match at all.
func (b *Bot) hear(id match.ID, seq int) {
	if seq == live.Missed {
		select {
		case b.missed <- struct{}{}:
		default:
		}
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if now := b.busy[id]; now != nil {
		if seq == 0 || seq == now.seq {
			return
		}
		now.cancel() // the position it thinks about is gone
	}
	if !b.waiting[id] {
		b.waiting[id] = true
		b.queue = append(b.queue, id)
		b.wake.Signal()
	}
}

// take waits for a match that nobody thinks about and marks it busy.
func (b *Bot) take(ctx context.Context) (match.ID, context.Context, *thought, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for {
		if b.stopped {
			return "", nil, nil, false
		}
		for i, id := range b.queue {
			if b.busy[id] != nil {
				continue
			}
			b.queue = append(b.queue[:i], b.queue[i+1:]...)
			delete(b.waiting, id)
			turn, cancel := context.WithTimeout(ctx, b.Patience)
			now := &thought{cancel: cancel}
			b.busy[id] = now
			return id, turn, now, true
		}
		b.wake.Wait()
	}
}

// leave marks a match as free again.
func (b *Bot) leave(id match.ID, now *thought) {
	now.cancel()
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.busy, id)
	b.wake.Signal()
}

func (b *Bot) work(ctx context.Context) {
	for {
		id, turn, now, ok := b.take(ctx)
		if !ok {
			return
		}
		if err := b.play(ctx, turn, id, now); err != nil && ctx.Err() == nil {
			b.Log.Error("playing an engine's turn", "match", id, "error", err)
		}
		b.leave(id, now)
	}
}

// claim claims a turn, so that no other process thinks about it. One that another has claimed is looked at again when
// that claim has ended, for its process may be dead.
func (b *Bot) claim(ctx context.Context, id match.ID, seq int) (bool, error) {
	claimed, err := b.Service.ClaimTurn(ctx, id, seq, b.Lease)
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case err != nil:
		return false, err
	case claimed:
		b.mine[id] = seq
		return true, nil
	case !b.later[id]:
		b.later[id] = true
		time.AfterFunc(b.Lease+time.Second/10, func() {
			b.mu.Lock()
			delete(b.later, id)
			b.mu.Unlock()
			b.hear(id, 0)
		})
	}
	return false, nil
}

// play thinks about a turn, if the match still waits for an engine, and submits the move.
func (b *Bot) play(ctx, turn context.Context, id match.ID, now *thought) error {
	m, err := b.Service.Match(ctx, id)
	if err != nil || !m.EngineToMove() {
		return err
	}
	b.mu.Lock()
	now.seq = m.Seq()
	mine := b.mine[id] == m.Seq()
	b.mu.Unlock()
	if turn.Err() != nil {
		return nil // news came before it was known which position this is; they have queued the match again
	}
	if !mine {
		if claimed, err := b.claim(ctx, id, m.Seq()); err != nil || !claimed {
			return err
		}
	}
	game := m.Game().Clone()
	color := game.Position().Turn()
	move, err := b.Choose(turn, game, m.Seat(color).Level)
	switch {
	case ctx.Err() != nil, errors.Is(turn.Err(), context.Canceled):
		return nil // stopping, or the match has moved on
	case err != nil || !game.Position().IsLegal(move):
		b.Log.Error("the engine has no move, playing the first legal one", "match", id, "move", move.String(), "error", err)
		move = game.Moves(nil)[0]
	}
	b.mu.Lock()
	delete(b.mine, id)
	b.mu.Unlock()
	_, _, err = b.Service.Submit(ctx, id, match.Command{By: color, Ask: match.Move{Ply: game.Plies(), Move: move, Seq: m.Seq()}})
	var refusal *match.Refusal
	if errors.As(err, &refusal) {
		return nil // somebody was faster, and what came of it was heard
	}
	return err
}
