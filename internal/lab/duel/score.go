package duel

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/linesofaction/loa"
)

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

// moments returns the number of pairs and the mean and variance of the share in a pair.
func (s Score) moments() (pairs, mean, variance float64) {
	square := 0.0
	for halves, n := range s.Pairs {
		points := float64(halves) / 4
		pairs += float64(n)
		mean += points * float64(n)
		square += points * points * float64(n)
	}
	mean /= pairs
	return pairs, mean, max(square/pairs-mean*mean, 0)
}

// Elo returns the difference in rating the score speaks for, and half the width of its 95 % interval, worked out
// from the pairs, whose two games are not independent. It is infinite for a clean sweep.
func (s Score) Elo() (difference, margin float64) {
	pairs, mean, variance := s.moments()
	deviation := 1.96 * math.Sqrt(variance/pairs)
	return elo(mean), (elo(mean+deviation) - elo(mean-deviation)) / 2
}

func elo(points float64) float64 { return 400 * math.Log10(points/(1-points)) }

// share is the inverse of elo.
func share(elo float64) float64 { return 1 / (1 + math.Pow(10, -elo/400)) }

// String returns "+12 -7 =1, 62.5 %, +88.7 ± 40.1 Elo", without Elo where every pair went alike.
func (s Score) String() string {
	text := fmt.Sprintf("+%d -%d =%d, %.1f %%", s.Wins, s.Losses, s.Draws, 100*s.Points())
	if difference, margin := s.Elo(); margin > 0 && !math.IsInf(margin, 0) {
		text += fmt.Sprintf(", %+.1f ± %.1f Elo", difference, margin)
	}
	return text
}

// SPRT is a sequential probability ratio test between two differences in rating, with a chance of 5 % for either
// error.
type SPRT struct{ Elo0, Elo1 float64 }

// Bound is the log-likelihood ratio at which a test ends: log((1-0.05)/0.05).
const Bound = 2.944438979166441

// LLR returns the logarithm of how much likelier a score is with the second difference than with the first, in the
// normal approximation from pairs. Pairs that all went alike say nothing of their variance, so each result is
// taken to have been seen half a time more.
func (t SPRT) LLR(s Score) float64 {
	if s.Pairs == [5]int{} {
		return 0
	}
	pairs, mean, variance := s.moments()
	weight := pairs / (pairs + 2.5)
	variance = variance*weight + (1-weight)*(0.125+(mean-0.5)*(mean-0.5))
	s0, s1 := share(t.Elo0), share(t.Elo1)
	return pairs * (s1 - s0) * (2*mean - s0 - s1) / (2 * variance)
}

// ParseSPRT reads two differences in rating, such as "0,20".
func ParseSPRT(text string) (SPRT, error) {
	low, high, _ := strings.Cut(text, ",")
	elo0, err0 := strconv.ParseFloat(low, 64)
	elo1, err1 := strconv.ParseFloat(high, 64)
	if err0 != nil || err1 != nil || !(elo0 < elo1) || math.Abs(elo0) > 1000 || math.Abs(elo1) > 1000 {
		return SPRT{}, &loa.SyntaxError{What: "test", Text: text, Want: "two rising differences in rating from -1000 to 1000, such as 0,20"}
	}
	return SPRT{elo0, elo1}, nil
}
