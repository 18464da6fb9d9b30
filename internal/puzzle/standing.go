package puzzle

import (
	"hash/fnv"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/linesofaction/loa/internal/rating"
)

// Day is a day of the calendar in UTC, counted from 1970-01-01.
type Day int64

// DayOf returns the day that an instant is in.
func DayOf(t time.Time) Day { return Day(math.Floor(float64(t.Unix()) / (24 * 60 * 60))) }

// Begin returns the first instant of a day.
func (d Day) Begin() time.Time { return time.Unix(int64(d)*24*60*60, 0).UTC() }

// dailyPlies is the length from which a puzzle is one for a whole day.
const dailyPlies = 3

// Daily returns the puzzle of a day, the same for everybody who has the same puzzles; nil where there are none. None comes
// again before all others have had their day.
func Daily(puzzles []*Puzzle, day Day) *Puzzle {
	var fit []*Puzzle
	for _, p := range puzzles {
		if p.Plies() >= dailyPlies {
			fit = append(fit, p)
		}
	}
	if len(fit) == 0 {
		fit = slices.Clone(puzzles)
	}
	if len(fit) == 0 {
		return nil
	}
	n := Day(len(fit))
	turn, place := day/n, day%n
	if place < 0 {
		turn, place = turn-1, place+n
	}
	key := func(p *Puzzle) uint64 {
		h := fnv.New64a()
		h.Write([]byte{byte(turn), byte(turn >> 8)})
		h.Write([]byte(p.ID))
		return h.Sum64()
	}
	slices.SortFunc(fit, func(a, b *Puzzle) int {
		switch x, y := key(a), key(b); {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return strings.Compare(a.ID, b.ID)
	})
	return fit[place]
}

// Standing is how somebody does at puzzles.
type Standing struct {
	Rating rating.Rating
	Solved int // of those that were rated, at the first try
	Tried  int
	Streak int // days in a row, up to Last, on which the puzzle of the day was solved
	Best   int // the longest streak
	Last   Day
}

// A newcomer is offered wins in two first, and one failure is not to cost hundreds of points, as it would from the
// deviation of a newcomer to games.
const (
	startMean      = 1200
	startDeviation = 220
)

// NewStanding returns that of somebody who has not tried any.
func NewStanding() Standing {
	s := Standing{Rating: rating.New(), Last: -1}
	s.Rating.Mean, s.Rating.Deviation = startMean, startDeviation
	return s
}

// Tally returns the standing after a first try, and the rating of the puzzle, both from before it.
func (s Standing) Tally(puzzle rating.Rating, solved bool, now time.Time) (Standing, rating.Rating) {
	points := 0.0
	s.Tried++
	if solved {
		points = 1
		s.Solved++
	}
	s.Rating, puzzle = rating.Play(s.Rating, puzzle, points, now)
	return s, puzzle
}

// SolvedDaily returns the standing after the puzzle of a day was solved.
func (s Standing) SolvedDaily(day Day) Standing {
	switch {
	case day <= s.Last && s.Streak > 0:
		return s
	case s.Streak > 0 && day == s.Last+1:
		s.Streak++
	default:
		s.Streak = 1
	}
	s.Last, s.Best = day, max(s.Best, s.Streak)
	return s
}

// StreakOn returns the days in a row as they stand on a day: none when a day before was missed.
func (s Standing) StreakOn(day Day) int {
	if day > s.Last+1 {
		return 0
	}
	return s.Streak
}

// newDeviation is how uncertain a grade is: a third of puzzles are off by more.
const newDeviation = 150

// NewRating returns the rating of a puzzle that nobody has tried.
func (p *Puzzle) NewRating() rating.Rating {
	r := rating.New()
	r.Mean, r.Deviation = float64(p.Grade), newDeviation
	return r
}

// ease is by how many points the puzzles offered are easier than the person is strong, so that two of three are solved.
const ease = 100

// reach is the number of puzzles nearest in rating among which chance chooses.
const reach = 12

// FitFor returns the rating of the puzzles that suit somebody.
func FitFor(r rating.Rating) int { return int(math.Round(r.Mean)) - ease }

// Next returns a puzzle fit for a rating among those that were not tried, or among all when every one was. The number decides
// which of those that fit. It is nil where there are none.
func Next(puzzles []*Puzzle, ratings func(*Puzzle) rating.Rating, tried map[string]bool, r rating.Rating, chance uint64) *Puzzle {
	type fit struct {
		p   *Puzzle
		far float64
	}
	var fits []fit
	for _, again := range []bool{false, true} {
		for _, p := range puzzles {
			if tried[p.ID] == again {
				fits = append(fits, fit{p, math.Abs(ratings(p).Mean - (r.Mean - ease))})
			}
		}
		if len(fits) > 0 {
			break
		}
	}
	if len(fits) == 0 {
		return nil
	}
	slices.SortStableFunc(fits, func(a, b fit) int {
		switch {
		case a.far < b.far:
			return -1
		case a.far > b.far:
			return 1
		}
		return 0
	})
	return fits[chance%uint64(min(reach, len(fits)))].p
}
