package bot_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/bot"
	"github.com/linesofaction/loa/internal/bus"
	"github.com/linesofaction/loa/internal/live"
	"github.com/linesofaction/loa/internal/match"
	"github.com/linesofaction/loa/internal/store"
)

// club is a service with a person as Black against an engine, and the numbers the match reaches.
type club struct {
	service *live.Service
	reached chan int
}

func newClub(t *testing.T, person loa.Color) *club {
	t.Helper()
	db, err := store.Open(context.Background(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	c := &club{
		service: live.New(db, new(bus.Memory), func() time.Time { return time.UnixMilli(1_700_000_000_000) }, 10),
		reached: make(chan int, 100),
	}
	c.service.Listen("m", func(_ match.ID, seq int) { c.reached <- seq })
	start, err := loa.Rules{}.StartPosition()
	if err != nil {
		t.Fatal(err)
	}
	seats := [2]match.Seat{}
	seats[person] = match.Seat{Person: "p", Name: "1"}
	seats[person.Opponent()] = match.Seat{Holder: match.Engine, Level: 4}
	if _, err := c.service.Create(context.Background(), "m", match.Terms{Start: start.Setup(), Seats: seats}); err != nil {
		t.Fatal(err)
	}
	c.await(t, 1)
	return c
}

// await waits until the match has reached a number.
func (c *club) await(t *testing.T, seq int) {
	t.Helper()
	for {
		select {
		case got := <-c.reached:
			if got >= seq {
				return
			}
		case <-t.Context().Done():
			t.Fatal("the match did not go on")
		}
	}
}

// run starts a bot that chooses as told and stops it with the test.
func (c *club) run(t *testing.T, choose bot.Chooser) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	b := &bot.Bot{
		Service: c.service, Choose: choose, Workers: 2, Patience: time.Hour, Sweep: time.Hour,
		Log: slog.New(slog.DiscardHandler),
	}
	go func() { done <- b.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

func first(_ context.Context, game *loa.Game, _ int) (loa.Move, error) {
	return game.Moves(nil)[0], nil
}

func (c *club) submit(t *testing.T, ask match.Ask, by loa.Color) *match.Match {
	t.Helper()
	m, _, err := c.service.Submit(context.Background(), "m", match.Command{By: by, Ask: ask})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestTurnLeftByAnotherProcessIsPlayedAtStart(t *testing.T) {
	c := newClub(t, loa.White) // the engine is to move before any bot runs
	c.run(t, first)
	c.await(t, 2)
}

func TestReplyFollowsAMove(t *testing.T) {
	c := newClub(t, loa.Black)
	levels := make(chan int, 1)
	c.run(t, func(ctx context.Context, game *loa.Game, level int) (loa.Move, error) {
		levels <- level
		return first(ctx, game, level)
	})
	c.submit(t, match.Move{Ply: 0, Move: loa.NewMove(1, 17)}, loa.Black)
	c.await(t, 3)
	if level := <-levels; level != 4 {
		t.Errorf("asked at level %d, want that of the seat, 4", level)
	}
}

func TestTakebackWhileThinkingCancelsTheThought(t *testing.T) {
	c := newClub(t, loa.Black)
	thinking := make(chan struct{}, 1)
	calls := 0
	c.run(t, func(ctx context.Context, game *loa.Game, level int) (loa.Move, error) {
		if calls++; calls == 1 {
			thinking <- struct{}{}
			<-ctx.Done()
			return loa.NoMoveMade, ctx.Err()
		}
		return first(ctx, game, level)
	})
	c.submit(t, match.Move{Ply: 0, Move: loa.NewMove(1, 17)}, loa.Black)
	<-thinking
	c.submit(t, match.Takeback{Ply: 1}, loa.Black)
	m := c.submit(t, match.Move{Ply: 0, Move: loa.NewMove(2, 18)}, loa.Black)
	c.await(t, m.Seq()+1)
	m, err := c.service.Match(context.Background(), "m")
	if err != nil {
		t.Fatal(err)
	}
	if m.Game().Plies() != 2 || m.Game().Move(0) != loa.NewMove(2, 18) {
		t.Errorf("plies %d, first %s", m.Game().Plies(), m.Game().Move(0))
	}
}

func TestLegalMoveIsPlayedWhenTheEngineFails(t *testing.T) {
	for name, choose := range map[string]bot.Chooser{
		"an error":        func(context.Context, *loa.Game, int) (loa.Move, error) { return 0, errors.New("broken") },
		"an illegal move": func(context.Context, *loa.Game, int) (loa.Move, error) { return loa.NewMove(0, 1), nil },
	} {
		t.Run(name, func(t *testing.T) {
			c := newClub(t, loa.White)
			c.run(t, choose)
			c.await(t, 2)
		})
	}
}

func TestTurnGivenUpAtTheEndIsFreeAtOnce(t *testing.T) {
	c := newClub(t, loa.White)
	ctx, cancel := context.WithCancel(t.Context())
	thinking, done := make(chan bool, 1), make(chan error, 1)
	b := &bot.Bot{
		Service: c.service, Workers: 1, Patience: time.Hour, Sweep: time.Hour, Lease: time.Hour, Log: slog.New(slog.DiscardHandler),
		Choose: func(ctx context.Context, _ *loa.Game, _ int) (loa.Move, error) {
			thinking <- true
			<-ctx.Done()
			return loa.NoMoveMade, ctx.Err()
		},
	}
	go func() { done <- b.Run(ctx) }()
	<-thinking
	if free, err := c.service.ClaimTurn(t.Context(), "m", 1, time.Hour); free || err != nil {
		t.Fatalf("while it is thought about: %v, %v", free, err)
	}
	cancel()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	c.await(t, 1) // others are told
	if free, err := c.service.ClaimTurn(t.Context(), "m", 1, time.Hour); !free || err != nil {
		t.Errorf("afterwards: %v, %v", free, err)
	}
}
