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
		if err := putRating(tx, person, c.Pool, r); err != nil {
			return err
		}
		if _, err := tx.Exec(`INSERT INTO rating_change (closing, person, before, after, deviation) VALUES ($1, $2, $3, $4, $5)`,
			number, person, before[i].Mean, r.Mean, r.Deviation); err != nil {
			return err
		}
	}
	return nil
}

func putRating(tx *transaction, person, pool string, r rating.Rating) error {
	_, err := tx.Exec(`INSERT INTO rating (person, pool, mean, deviation, volatility, games, played) VALUES ($1, $2, $3, $4, $5, $6, $7)
		ON CONFLICT (person, pool) DO UPDATE SET mean = $3, deviation = $4, volatility = $5, games = $6, played = $7`,
		person, pool, r.Mean, r.Deviation, r.Volatility, r.Games, r.Played.UnixMilli())
	return err
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

// reviseRated gives a rated match another result than it had, or one, or none, and works out anew what followed from
// it.
func reviseRated(tx *transaction, id match.ID, c *live.Closing) error {
	var number int64
	err := tx.QueryRow(`SELECT number FROM closing WHERE match_id = $1`, string(id)).Scan(&number)
	switch {
	case errors.Is(err, sql.ErrNoRows) && c.Void:
		return nil
	case errors.Is(err, sql.ErrNoRows):
		return closeRated(tx, id, c)
	case err != nil:
		return err
	case c.Void:
		if _, err := tx.Exec(`DELETE FROM rating_change WHERE closing = $1`, number); err != nil {
			return err
		}
		_, err = tx.Exec(`DELETE FROM closing WHERE number = $1`, number)
	default:
		_, err = tx.Exec(`UPDATE closing SET points = $2 WHERE number = $1`, number, c.Points)
	}
	if err != nil {
		return err
	}
	return reworkPool(tx, c.Pool, number, c.Black, c.White)
}

// reworkPool works out the ratings of a pool anew from its results, and stores what may have changed: the changes from
// a closing on, and the ratings of those who played since, and of two more.
func reworkPool(tx *transaction, pool string, from int64, black, white string) error {
	rows, err := tx.Query(`SELECT number, pool, black, white, points, at FROM closing WHERE pool = $1 ORDER BY number`, pool)
	if err != nil {
		return err
	}
	touched := map[string]bool{black: true, white: true}
	type change struct {
		closing       int64
		person        string
		before, after rating.Rating
	}
	var changes []change
	ratings, err := replayRatings(rows, func(r result, before, after [2]rating.Rating) {
		if r.number < from {
			return
		}
		for i, person := range [2]string{r.black, r.white} {
			touched[person] = true
			changes = append(changes, change{r.number, person, before[i], after[i]})
		}
	})
	if err != nil {
		return err
	}
	for _, c := range changes {
		if err := one(tx.Exec(`UPDATE rating_change SET before = $3, after = $4, deviation = $5 WHERE closing = $1 AND person = $2`,
			c.closing, c.person, c.before.Mean, c.after.Mean, c.after.Deviation)); err != nil {
			return err
		}
	}
	for person := range touched {
		if _, err := tx.Exec(`DELETE FROM rating WHERE person = $1 AND pool = $2`, person, pool); err != nil {
			return err
		}
		r, played := ratings[rated{person, pool}]
		if !played {
			continue
		}
		if err := putRating(tx, person, pool, r); err != nil {
			return err
		}
	}
	return nil
}

// rated is somebody in a pool.
type rated struct{ person, pool string }

// result is one closing.
type result struct {
	number       int64
	pool         string
	black, white string
	points       float64
	at           time.Time
}

// replayRatings plays results in their order, tells each what it makes of both ratings, and returns what they are in
// the end. It closes the rows.
func replayRatings(rows *sql.Rows, each func(r result, before, after [2]rating.Rating)) (map[rated]rating.Rating, error) {
	defer rows.Close()
	ratings := map[rated]rating.Rating{}
	of := func(person, pool string) rating.Rating {
		if r, ok := ratings[rated{person, pool}]; ok {
			return r
		}
		return rating.New()
	}
	for rows.Next() {
		var r result
		var at int64
		if err := rows.Scan(&r.number, &r.pool, &r.black, &r.white, &r.points, &at); err != nil {
			return nil, err
		}
		r.at = time.UnixMilli(at)
		before := [2]rating.Rating{of(r.black, r.pool), of(r.white, r.pool)}
		var after [2]rating.Rating
		after[0], after[1] = rating.Play(before[0], before[1], r.points, r.at)
		ratings[rated{r.black, r.pool}], ratings[rated{r.white, r.pool}] = after[0], after[1]
		each(r, before, after)
	}
	return ratings, rows.Err()
}

// CheckRatings works every rating out anew from the results and returns what differs from the stored ones.
func (s *Store) CheckRatings(ctx context.Context) error {
	rows, err := s.db.QueryContext(ctx, `SELECT number, pool, black, white, points, at FROM closing ORDER BY number`)
	if err != nil {
		return fmt.Errorf("reading the results: %w", err)
	}
	ratings, err := replayRatings(rows, func(result, [2]rating.Rating, [2]rating.Rating) {})
	if err != nil {
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
