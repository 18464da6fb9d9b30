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
	Pace     time.Duration // what a move takes on average at least, so that people can follow; 0 answers at once
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
	pauses  sync.WaitGroup    // moves that are chosen and not yet due
}

// thought is a turn that is being thought about.
type thought struct {
	seq    int // of the match it thinks about, 0 until that is loaded
	heard  int // the newest number heard of before that
	cancel context.CancelFunc
}

// Run plays until ctx is done. A turn under way is then given up; it is still in the store, for others to take at once.
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
	b.pauses.Wait()
	b.leaveTurns(context.WithoutCancel(ctx))
	return err
}

// leaveWithin bounds what the end of a process waits for its claims to end. They end by themselves, later.
const leaveWithin = time.Second

// leaveTurns ends the claims of the turns that were not played.
func (b *Bot) leaveTurns(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, leaveWithin)
	defer cancel()
	for id, seq := range b.mine {
		if err := b.Service.LeaveTurn(ctx, id, seq); err != nil {
			b.Log.Error("leaving an engine's turn", "match", id, "error", err)
			return
		}
	}
}

// Load returns how many turns are being thought about, or chosen and not yet due, and how many wait.
func (b *Bot) Load() (thinking, waiting int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.busy), len(b.queue)
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
		if now.seq == 0 {
			now.heard = max(now.heard, seq)
			return
		}
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

func (b *Bot) work(ctx context.Context) {
	for {
		id, turn, now, ok := b.take(ctx)
		if !ok {
			return
		}
		began := time.Now()
		m, move, err := b.think(ctx, turn, id, now)
		if m == nil {
			b.leave(ctx, id, now, err)
			continue
		}
		// What is left of the pause is waited for elsewhere, so that it keeps no other game from being thought about.
		b.pauses.Go(func() {
			if wait(turn, b.pause(m)-time.Since(began)) {
				err = b.submit(ctx, m, move)
			}
			b.leave(ctx, id, now, err)
		})
	}
}

// leave marks a match as free again and tells what went wrong with its turn, if something did.
func (b *Bot) leave(ctx context.Context, id match.ID, now *thought, err error) {
	if err != nil && ctx.Err() == nil {
		b.Log.Error("playing an engine's turn", "match", id, "error", err)
	}
	now.cancel()
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.busy, id)
	b.wake.Signal()
}

// pause returns what the turn of a match takes at least: from half to three halves of the pace, as the position has it,
// and no more than a fortieth of the time that is left.
func (b *Bot) pause(m *match.Match) time.Duration {
	if b.Pace <= 0 {
		return 0
	}
	pause := b.Pace/2 + time.Duration(m.Game().Position().Hash()%uint64(b.Pace))
	if deadline, ok := m.Deadline(); ok {
		pause = min(pause, deadline.Sub(m.Updated())/40)
	}
	return pause
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

// wait waits and reports whether the turn is still to be played: a turn whose time is over is, one that was
// called off is not.
func wait(turn context.Context, pause time.Duration) bool {
	if pause > 0 {
		timer := time.NewTimer(pause)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-turn.Done():
		}
	}
	return !errors.Is(turn.Err(), context.Canceled)
}

// think chooses a move for the turn of a match, if that still waits for an engine; otherwise, or when the turn was
// called off, it returns no match.
func (b *Bot) think(ctx, turn context.Context, id match.ID, now *thought) (*match.Match, loa.Move, error) {
	m, err := b.load(ctx, id, now)
	if err != nil || !m.EngineToMove() {
		return nil, loa.NoMoveMade, err
	}
	b.mu.Lock()
	mine := b.mine[id] == m.Seq()
	b.mu.Unlock()
	if !mine {
		if claimed, err := b.claim(ctx, id, m.Seq()); err != nil || !claimed {
			return nil, loa.NoMoveMade, err
		}
	}
	game := m.Game().Clone()
	move, err := b.Choose(turn, game, m.Seat(game.Position().Turn()).Level)
	switch {
	case ctx.Err() != nil, errors.Is(turn.Err(), context.Canceled):
		return nil, loa.NoMoveMade, nil // stopping, or the match has moved on
	case err != nil || !game.Position().IsLegal(move):
		b.Log.Error("the engine has no move, playing the first legal one", "match", id, "move", move.String(), "error", err)
		move = game.Moves(nil)[0]
	}
	return m, move, nil
}

// load returns the match to think about, as new as what was heard of it.
func (b *Bot) load(ctx context.Context, id match.ID, now *thought) (*match.Match, error) {
	for {
		m, err := b.Service.Match(ctx, id)
		if err != nil {
			return nil, err
		}
		b.mu.Lock()
		if now.heard <= m.Seq() {
			now.seq = m.Seq()
			b.mu.Unlock()
			return m, nil
		}
		now.heard = 0 // what was heard is stored, so the next look has it
		b.mu.Unlock()
	}
}

// submit plays a move in a match as it was when the move was chosen.
func (b *Bot) submit(ctx context.Context, m *match.Match, move loa.Move) error {
	color, plies := m.Game().Position().Turn(), m.Game().Plies()
	b.mu.Lock()
	delete(b.mine, m.ID())
	b.mu.Unlock()
	_, _, err := b.Service.Submit(ctx, m.ID(), match.Command{By: color, Ask: match.Move{Ply: plies, Move: move, Seq: m.Seq()}})
	var refusal *match.Refusal
	if errors.As(err, &refusal) {
		return nil // somebody was faster, and what came of it was heard
	}
	return err
}
