package web

import (
	"context"
	"fmt"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/lobby"
	"github.com/linesofaction/loa/internal/match"
	"github.com/linesofaction/loa/internal/rating"
	"github.com/linesofaction/loa/internal/wire"
)

// Ratings is what the page of a rated game needs of storage.
type Ratings interface {
	// Rating returns a person's rating in a pool, a newcomer's when there is none.
	Rating(ctx context.Context, person, pool string) (rating.Rating, error)
	// Changes returns what a match made of the ratings of Black and White, and whether it has done so.
	Changes(ctx context.Context, id match.ID) (black, white rating.Change, rated bool, err error)
}

// points writes a rating as people read it, with a question mark while it is still a guess.
func points(r rating.Rating) string {
	text := fmt.Sprint(round(r.Mean))
	if r.Provisional() {
		text += "?"
	}
	return text
}

// standing returns the rating of a player of a rated match, as it stands now; nothing in other matches.
func (s *Server) standing(ctx context.Context, m *match.Match, color loa.Color) (string, error) {
	terms := m.Terms()
	if !terms.Rated {
		return "", nil
	}
	r, err := s.Ratings.Rating(ctx, m.Seat(color).Person, lobby.Pool(terms.Rules, terms.Control, terms.Bots()))
	return points(r), err
}

// changes returns the message that says what a match made of the ratings, nil when it made nothing of them.
func (s *Server) changes(ctx context.Context, m *match.Match) (*wire.Ratings, error) {
	if !m.Terms().Rated || !m.Outcome().Over() {
		return nil, nil
	}
	black, white, rated, err := s.Ratings.Changes(ctx, m.ID())
	if err != nil || !rated {
		return nil, err
	}
	change := func(c rating.Change) wire.RatingChange {
		return wire.RatingChange{Before: round(c.Before), After: round(c.After)}
	}
	return &wire.Ratings{V: wire.Version, Type: wire.KindRatings, Match: string(m.ID()), Black: change(black), White: change(white)}, nil
}
