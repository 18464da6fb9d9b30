package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/linesofaction/loa/internal/live"
	"github.com/linesofaction/loa/internal/match"
	"github.com/linesofaction/loa/internal/rating"
)

// closeRated stores the result of a rated match and both rating changes, in the transaction of its last event.
func closeRated(tx *transaction, id match.ID, c *live.Closing) error {
	var number int64
	err := tx.QueryRow(`INSERT INTO closing (number, match_id, pool, black, white, points, at)
		SELECT COALESCE(MAX(number), 0) + 1, $1, $2, $3, $4, $5, $6 FROM closing RETURNING number`,
		string(id), c.Pool, c.Black, c.White, c.Points, c.At.UnixMilli()).Scan(&number)
	if err != nil {
		return err
	}
	people := [2]string{c.Black, c.White}
	var before [2]rating.Rating
	for i, person := range people {
		if before[i], err = readRating(tx, person, c.Pool); err != nil {
			return err
		}
	}
	var after [2]rating.Rating
	after[0], after[1] = rating.Play(before[0], before[1], c.Points, c.At)
	for i, person := range people {
		r := after[i]
		if _, err := tx.Exec(`INSERT INTO rating (person, pool, mean, deviation, volatility, games, played) VALUES ($1, $2, $3, $4, $5, $6, $7)
			ON CONFLICT (person, pool) DO UPDATE SET mean = $3, deviation = $4, volatility = $5, games = $6, played = $7`,
			person, c.Pool, r.Mean, r.Deviation, r.Volatility, r.Games, r.Played.UnixMilli()); err != nil {
			return err
		}
		if _, err := tx.Exec(`INSERT INTO rating_change (closing, person, before, after, deviation) VALUES ($1, $2, $3, $4, $5)`,
			number, person, before[i].Mean, r.Mean, r.Deviation); err != nil {
			return err
		}
	}
	return nil
}

// readRating returns a person's rating in a pool, a newcomer's when there is none.
func readRating(db reader, person, pool string) (rating.Rating, error) {
	var r rating.Rating
	var played int64
	err := db.QueryRow(`SELECT mean, deviation, volatility, games, played FROM rating WHERE person = $1 AND pool = $2`, person, pool).
		Scan(&r.Mean, &r.Deviation, &r.Volatility, &r.Games, &played)
	if errors.Is(err, sql.ErrNoRows) {
		return rating.New(), nil
	}
	r.Played = time.UnixMilli(played)
	return r, err
}

// Rating returns a person's rating in a pool, a newcomer's when there is none.
func (s *Store) Rating(_ context.Context, person, pool string) (rating.Rating, error) {
	r, err := readRating(s.db, person, pool)
	if err != nil {
		return r, fmt.Errorf("reading the rating of %s in %s: %w", person, pool, err)
	}
	return r, nil
}

// Changes returns what a match made of the ratings of Black and White, and whether it was rated.
func (s *Store) Changes(ctx context.Context, id match.ID) (black, white rating.Change, rated bool, err error) {
	err = s.db.QueryRowContext(ctx, `SELECT b.before, b.after, w.before, w.after FROM closing
		JOIN rating_change b ON b.closing = closing.number AND b.person = closing.black
		JOIN rating_change w ON w.closing = closing.number AND w.person = closing.white
		WHERE closing.match_id = $1`, string(id)).Scan(&black.Before, &black.After, &white.Before, &white.After)
	if errors.Is(err, sql.ErrNoRows) {
		return black, white, false, nil
	}
	if err != nil {
		err = fmt.Errorf("reading the rating changes of match %s: %w", id, err)
	}
	return black, white, err == nil, err
}

// CheckRatings works every rating out anew from the results and returns what differs from the stored ones.
func (s *Store) CheckRatings(ctx context.Context) error {
	rows, err := s.db.QueryContext(ctx, `SELECT pool, black, white, points, at FROM closing ORDER BY number`)
	if err != nil {
		return fmt.Errorf("reading the results: %w", err)
	}
	defer rows.Close()
	type key struct{ person, pool string }
	ratings := map[key]rating.Rating{}
	of := func(person, pool string) rating.Rating {
		if r, ok := ratings[key{person, pool}]; ok {
			return r
		}
		return rating.New()
	}
	for rows.Next() {
		var pool, black, white string
		var points float64
		var at int64
		if err := rows.Scan(&pool, &black, &white, &points, &at); err != nil {
			return fmt.Errorf("reading the results: %w", err)
		}
		b, w := rating.Play(of(black, pool), of(white, pool), points, time.UnixMilli(at))
		ratings[key{black, pool}], ratings[key{white, pool}] = b, w
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("reading the results: %w", err)
	}
	for k, want := range ratings {
		got, err := s.Rating(ctx, k.person, k.pool)
		if err != nil {
			return err
		}
		if got.Games != want.Games || math.Abs(got.Mean-want.Mean) > ratingTolerance || math.Abs(got.Deviation-want.Deviation) > ratingTolerance {
			return fmt.Errorf("the rating of %s in %s is %.6f of %d games, its results give %.6f of %d", k.person, k.pool, got.Mean, got.Games, want.Mean, want.Games)
		}
	}
	return nil
}

// ratingTolerance is far below a point, and above what storing a number costs.
const ratingTolerance = 1e-6
