package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/linesofaction/loa/internal/account"
	"github.com/linesofaction/loa/internal/puzzle"
	"github.com/linesofaction/loa/internal/rating"
)

// PuzzleStanding returns how a person does at puzzles.
func (s *Store) PuzzleStanding(_ context.Context, person string) (puzzle.Standing, error) {
	standing, err := readPuzzler(s.db, person)
	if err != nil {
		return standing, fmt.Errorf("reading the puzzles of %s: %w", person, err)
	}
	return standing, nil
}

func readPuzzler(db reader, person string) (puzzle.Standing, error) {
	var standing puzzle.Standing
	var played, last int64
	r := &standing.Rating
	err := db.QueryRow(`SELECT mean, deviation, volatility, games, played, solved, streak, best, last_day FROM puzzle_person WHERE person = $1`, person).
		Scan(&r.Mean, &r.Deviation, &r.Volatility, &r.Games, &played, &standing.Solved, &standing.Streak, &standing.Best, &last)
	if errors.Is(err, sql.ErrNoRows) {
		return puzzle.NewStanding(), nil
	}
	if played != 0 {
		r.Played = time.UnixMilli(played)
	}
	standing.Tried, standing.Last = r.Games, puzzle.Day(last)
	return standing, err
}

// Solvers returns the members with the best ratings at puzzles.
func (s *Store) Solvers(ctx context.Context, limit int) ([]account.Leader, error) {
	// the limit of the deviation stands in the query as in the index; the constant fails to compile when it changes
	const _ = uint(rating.ProvisionalDeviation-110) + uint(110-rating.ProvisionalDeviation)
	rows, err := s.db.QueryContext(ctx, `SELECT `+personColumns+`, puzzle_person.mean, puzzle_person.deviation, puzzle_person.games FROM puzzle_person
		JOIN person ON person.id = puzzle_person.person WHERE puzzle_person.deviation <= 110 AND person.member = 1
		ORDER BY puzzle_person.mean DESC LIMIT $1`, limit)
	if err != nil {
		return nil, fmt.Errorf("reading the best solvers: %w", err)
	}
	defer rows.Close()
	var solvers []account.Leader
	for rows.Next() {
		var l account.Leader
		if l.Person, err = scanPerson(rows, &l.Rating.Mean, &l.Rating.Deviation, &l.Rating.Games); err != nil {
			return nil, fmt.Errorf("reading the best solvers: %w", err)
		}
		solvers = append(solvers, l)
	}
	return solvers, rows.Err()
}

func putPuzzler(tx *transaction, person string, s puzzle.Standing) error {
	_, err := tx.Exec(`INSERT INTO puzzle_person (person, mean, deviation, volatility, games, played, solved, streak, best, last_day)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (person) DO UPDATE SET
		mean = $2, deviation = $3, volatility = $4, games = $5, played = $6, solved = $7, streak = $8, best = $9, last_day = $10`,
		person, s.Rating.Mean, s.Rating.Deviation, s.Rating.Volatility, s.Rating.Games, millis(s.Rating.Played), s.Solved, s.Streak, s.Best, int64(s.Last))
	return err
}

// millis returns an instant as it is stored, 0 for none.
func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// PuzzleRating returns what tries made of a puzzle's grade, how many solved it, and whether anybody has tried.
func (s *Store) PuzzleRating(_ context.Context, id string) (r rating.Rating, solved int, tried bool, err error) {
	r, solved, tried, err = readPuzzle(s.db, id)
	if err != nil {
		err = fmt.Errorf("reading the rating of puzzle %s: %w", id, err)
	}
	return r, solved, tried, err
}

func readPuzzle(db reader, id string) (r rating.Rating, solved int, tried bool, err error) {
	var played int64
	err = db.QueryRow(`SELECT mean, deviation, volatility, games, played, solved FROM puzzle_rating WHERE puzzle = $1`, id).
		Scan(&r.Mean, &r.Deviation, &r.Volatility, &r.Games, &played, &solved)
	if errors.Is(err, sql.ErrNoRows) {
		return rating.New(), 0, false, nil
	}
	r.Played = time.UnixMilli(played)
	return r, solved, err == nil, err
}

// PuzzlesTried returns the puzzles that a person has tried.
func (s *Store) PuzzlesTried(ctx context.Context, person string) (map[string]bool, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT puzzle FROM puzzle_try WHERE person = $1`, person)
	if err != nil {
		return nil, fmt.Errorf("reading what %s has tried: %w", person, err)
	}
	defer rows.Close()
	tried := map[string]bool{}
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, fmt.Errorf("reading what %s has tried: %w", person, err)
		}
		tried[id] = true
	}
	return tried, rows.Err()
}

// RecordTry stores how a person's try at a puzzle ended, and what that makes of both ratings if it was the first one.
// shown says that the person asked for the solution, which counts as a try that failed. A day from 0 says that the puzzle was
// that day's and is solved: it counts for the streak unless the solution was asked for since the day began.
func (s *Store) RecordTry(ctx context.Context, person string, z *puzzle.Puzzle, solved, shown bool, day puzzle.Day, now time.Time) (change rating.Change, first bool, standing puzzle.Standing, err error) {
	err = s.writer.do(ctx, func(tx *transaction) error {
		first, change = false, rating.Change{}
		if standing, err = readPuzzler(tx, person); err != nil {
			return err
		}
		before := standing
		var shownAt int64
		err := tx.QueryRow(`SELECT shown FROM puzzle_try WHERE person = $1 AND puzzle = $2`, person, z.ID).Scan(&shownAt)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			first = true
			if standing, change, err = rate(tx, person, z, standing, solved, now); err != nil {
				return err
			}
		case err != nil:
			return err
		}
		if shown {
			if _, err := tx.Exec(`UPDATE puzzle_try SET shown = $3 WHERE person = $1 AND puzzle = $2`, person, z.ID, now.UnixMilli()); err != nil {
				return err
			}
		}
		if solved && day >= 0 && shownAt < day.Begin().UnixMilli() {
			standing = standing.SolvedDaily(day)
		}
		if standing == before {
			return nil
		}
		return putPuzzler(tx, person, standing)
	})
	if err != nil {
		err = fmt.Errorf("storing the try of %s at puzzle %s: %w", person, z.ID, err)
	}
	return change, first, standing, err
}

// rate stores a first try and what it makes of the puzzle's rating.
func rate(tx *transaction, person string, z *puzzle.Puzzle, standing puzzle.Standing, solved bool, now time.Time) (puzzle.Standing, rating.Change, error) {
	r, won, tried, err := readPuzzle(tx, z.ID)
	if err != nil {
		return standing, rating.Change{}, err
	}
	if !tried {
		r = z.NewRating()
	}
	change := rating.Change{Before: standing.Rating.Mean}
	standing, r = standing.Tally(r, solved, now)
	change.After = standing.Rating.Mean
	if _, err := tx.Exec(`INSERT INTO puzzle_try (person, puzzle, at, solved, before, after) VALUES ($1, $2, $3, $4, $5, $6)`,
		person, z.ID, now.UnixMilli(), number(solved), change.Before, change.After); err != nil {
		return standing, change, err
	}
	_, err = tx.Exec(`INSERT INTO puzzle_rating (puzzle, mean, deviation, volatility, games, played, solved) VALUES ($1, $2, $3, $4, $5, $6, $7)
		ON CONFLICT (puzzle) DO UPDATE SET mean = $2, deviation = $3, volatility = $4, games = $5, played = $6, solved = $7`,
		z.ID, r.Mean, r.Deviation, r.Volatility, r.Games, r.Played.UnixMilli(), won+number(solved))
	return standing, change, err
}
