// Package duel measures two players against each other: series of games from balanced openings, each opening
// played with both colors.
package duel

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"sync"

	"github.com/linesofaction/loa"
)

// Player chooses moves. It is told of a new game before the first of its moves. A Fault of it loses the game; any
// other error ends the series. A player that is an io.Closer is closed in the end.
type Player interface {
	NewGame(ctx context.Context) error
	Move(ctx context.Context, g *loa.Game) (loa.Move, error)
}

// Fault is what a player did wrong: it ended, was silent for too long, or answered with nonsense.
type Fault struct{ Cause error }

func (f *Fault) Error() string { return f.Cause.Error() }
func (f *Fault) Unwrap() error { return f.Cause }

// Series is a series of games.
type Series struct {
	Players  [2]func() Player // make the players, anew for each worker
	Openings []*loa.Game      // each is played twice, the first player Black first
	Workers  int              // games at the same time; 0 is one
	Played   []Game           // games of the series that have been played before
	Test     *SPRT            // ends the series when it has its answer; nil plays it to the end
	Each     func(Game, Score) error
}

// Game is a game of a series as it is kept.
type Game struct {
	Number  int      `json:"game"` // from 0; two games in turn share an opening
	Opening string   `json:"opening"`
	Black   string   `json:"black"`  // "a" or "b"
	Winner  string   `json:"winner"` // "a", "b" or "draw"
	Reason  string   `json:"reason"`
	Fault   string   `json:"fault,omitempty"` // of the loser
	Moves   []string `json:"moves"`
}

var names = [2]string{"a", "b"}

const drawn = "draw" // in place of a winner

// Run plays what is left of a series and calls Each, unless nil, with every game as it ends. It returns the score of
// all games, those played before included, also when the context is done or there is an error.
func (s *Series) Run(ctx context.Context) (Score, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	board := scoreboard{halves: make(map[int]int)}
	known := make(map[int]bool)
	for _, g := range s.Played {
		known[g.Number] = true
		board.add(g)
	}
	var mutex sync.Mutex
	next := 0
	take := func() (number int, more bool) {
		mutex.Lock()
		defer mutex.Unlock()
		if s.Test != nil && math.Abs(s.Test.LLR(board.score)) >= Bound {
			return 0, false
		}
		for ; next < 2*len(s.Openings); next++ {
			if !known[next] {
				next++
				return next - 1, true
			}
		}
		return 0, false
	}
	finish := func(g Game) error {
		mutex.Lock()
		defer mutex.Unlock()
		board.add(g)
		if s.Each == nil {
			return nil
		}
		return s.Each(g, board.score)
	}
	var workers sync.WaitGroup
	for range max(s.Workers, 1) {
		workers.Go(func() {
			players := [2]Player{s.Players[0](), s.Players[1]()}
			defer closeAll(players)
			for ctx.Err() == nil {
				number, more := take()
				if !more {
					return
				}
				g, err := s.play(ctx, players, number)
				if err == nil {
					err = finish(g)
				}
				if err != nil {
					cancel(err)
				}
			}
		})
	}
	workers.Wait()
	return board.score, context.Cause(ctx)
}

// closeAll closes the players that can be. How a program ends that has played its games makes no difference.
func closeAll(players [2]Player) {
	for _, p := range players {
		if c, ok := p.(io.Closer); ok {
			_ = c.Close()
		}
	}
}

// scoreboard adds games up.
type scoreboard struct {
	score  Score
	halves map[int]int // by opening, of the first of two games
}

func (b *scoreboard) add(g Game) {
	halves := 1
	switch g.Winner {
	case names[0]:
		b.score.Wins++
		halves = 2
	case names[1]:
		b.score.Losses++
		halves = 0
	default:
		b.score.Draws++
	}
	opening := g.Number / 2
	if first, half := b.halves[opening]; half {
		b.score.Pairs[first+halves]++
	} else {
		b.halves[opening] = halves
	}
}

// play plays one game of the series.
func (s *Series) play(ctx context.Context, players [2]Player, number int) (Game, error) {
	black := number % 2
	g := s.Openings[number/2].Clone()
	start := g.Plies()
	kept := Game{Number: number, Opening: g.Position().String(), Black: names[black], Winner: drawn, Moves: []string{}}
	outcome, err := Play(ctx, [2]Player{players[black], players[1-black]}, g)
	var fault *Fault
	switch {
	case errors.As(err, &fault):
		kept.Reason, kept.Fault = "fault", err.Error()
	case err != nil:
		return kept, err
	default:
		kept.Reason = outcome.Reason.String()
	}
	if outcome.Winner != loa.NoColor {
		kept.Winner = names[int(outcome.Winner)^black]
	}
	for ply := start; ply < g.Plies(); ply++ {
		kept.Moves = append(kept.Moves, g.Move(ply).String())
	}
	return kept, nil
}

// Play goes on with a game, Black's player first in the list, until it is over. Forced passes are played without
// asking. A player whose error is a Fault has lost.
func Play(ctx context.Context, players [2]Player, g *loa.Game) (loa.Outcome, error) {
	failed := func(color loa.Color, err error) (loa.Outcome, error) {
		var fault *Fault
		winner := loa.NoColor
		if errors.As(err, &fault) {
			winner = color.Opponent()
		}
		return loa.Outcome{Winner: winner}, fmt.Errorf("%s, ply %d: %w", color, g.Plies()+1, err)
	}
	for color, p := range players {
		err := p.NewGame(ctx)
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		if err != nil {
			return failed(loa.Color(color), err)
		}
	}
	for !g.Outcome().Over() {
		if g.PlayForced() {
			continue
		}
		turn := g.Position().Turn()
		m, err := players[turn].Move(ctx, g)
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		if err == nil {
			err = g.Play(m)
		}
		if err != nil {
			return failed(turn, err)
		}
	}
	return g.Outcome(), nil
}
