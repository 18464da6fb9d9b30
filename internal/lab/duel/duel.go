// Package duel measures two players against each other: series of games from balanced openings, each opening
// played with both colors.
package duel

import (
	"context"
	"fmt"
	"math"

	"github.com/linesofaction/loa"
)

// Player chooses moves. It is told of a new game before the first of its moves.
type Player interface {
	NewGame()
	Move(ctx context.Context, g *loa.Game) (loa.Move, error)
}

// Score counts games from the first player's side, and pairs of games on one opening by the points of the first
// player, in halves: 0, ½, 1, 1½, 2.
type Score struct {
	Wins, Losses, Draws int
	Pairs               [5]int
}

// Games returns the number of games.
func (s Score) Games() int { return s.Wins + s.Losses + s.Draws }

// Points returns the first player's share, from 0 to 1.
func (s Score) Points() float64 {
	return (float64(s.Wins) + float64(s.Draws)/2) / float64(s.Games())
}

// Elo returns the difference in rating the score speaks for, and half the width of its 95 % interval, worked out
// from the pairs, whose two games are not independent. It is infinite for a clean sweep.
func (s Score) Elo() (difference, margin float64) {
	pairs, mean, square := 0.0, 0.0, 0.0
	for halves, n := range s.Pairs {
		points := float64(halves) / 4
		pairs += float64(n)
		mean += points * float64(n)
		square += points * points * float64(n)
	}
	mean /= pairs
	deviation := 1.96 * math.Sqrt(max(square/pairs-mean*mean, 0)/pairs)
	return elo(mean), (elo(mean+deviation) - elo(mean-deviation)) / 2
}

func elo(points float64) float64 { return -400 * math.Log10(1/points-1) }

// String returns "+12 -7 =1, 62.5 %, +88.7 ± 40.1 Elo", without Elo where every pair went alike.
func (s Score) String() string {
	text := fmt.Sprintf("+%d -%d =%d, %.1f %%", s.Wins, s.Losses, s.Draws, 100*s.Points())
	if difference, margin := s.Elo(); margin > 0 && !math.IsInf(margin, 0) {
		text += fmt.Sprintf(", %+.1f ± %.1f Elo", difference, margin)
	}
	return text
}

// Run plays two games from each opening and calls each, unless nil, with the score after every pair. It returns
// the score up to then when the context is done.
func Run(ctx context.Context, first, second Player, openings []*loa.Game, each func(Score)) (Score, error) {
	var score Score
	for _, opening := range openings {
		halves := 0
		for color := range loa.Color(2) {
			players := [2]Player{first, second}
			if color == loa.White {
				players = [2]Player{second, first}
			}
			outcome, err := Play(ctx, players, opening.Clone())
			if err != nil {
				return score, err
			}
			switch outcome.Winner {
			case color:
				score.Wins++
				halves += 2
			case loa.NoColor:
				score.Draws++
				halves++
			default:
				score.Losses++
			}
		}
		score.Pairs[halves]++
		if each != nil {
			each(score)
		}
	}
	return score, nil
}

// Play goes on with a game, Black's player first in the list, until it is over. Forced passes are played without
// asking.
func Play(ctx context.Context, players [2]Player, g *loa.Game) (loa.Outcome, error) {
	for _, p := range players {
		p.NewGame()
	}
	for !g.Outcome().Over() {
		if g.PlayForced() {
			continue
		}
		turn := g.Position().Turn()
		m, err := players[turn].Move(ctx, g)
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			err = g.Play(m)
		}
		if err != nil {
			return loa.Outcome{Winner: loa.NoColor}, fmt.Errorf("%s, ply %d: %w", turn, g.Plies()+1, err)
		}
	}
	return g.Outcome(), nil
}
