package account

import (
	"time"

	"github.com/linesofaction/loa/internal/rating"
)

// PoolRating is a person's rating in one pool.
type PoolRating struct {
	Pool   string
	Rating rating.Rating
}

// HistoryPoint is a rating after one game.
type HistoryPoint struct {
	At   time.Time
	Mean float64
}

// Leader is a place on a leaderboard.
type Leader struct {
	Person Person
	Rating rating.Rating
}

// Played is a match as a list shows it.
type Played struct {
	ID      string
	Black   Person // without an id for an engine
	White   Person
	Rules   string
	Control string
	Rated   bool
	Plies   int
	Ended   bool
	Winner  string
	Reason  string
	Updated time.Time
}

// Score is how somebody's finished games of one rule set went, against people or against engines.
type Score struct {
	Rules            string
	Engine           bool
	Won, Lost, Drawn int
}

// Games returns their number.
func (s Score) Games() int { return s.Won + s.Lost + s.Drawn }
