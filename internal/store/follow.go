package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/linesofaction/loa/internal/account"
	"github.com/linesofaction/loa/internal/live"
)

// SetFollow lets a person follow another, or ends that. The errors are account.ErrFollowsFull, and live.ErrBlocked when
// one of the two has blocked the other.
func (s *Store) SetFollow(ctx context.Context, person, other string, on bool, at time.Time) error {
	err := s.writer.do(ctx, func(tx *transaction) error {
		if !on {
			_, err := tx.Exec(`DELETE FROM follow WHERE person = $1 AND other = $2`, person, other)
			return err
		}
		blocked, err := apart(tx, person, other)
		if err != nil {
			return err
		}
		if blocked {
			return live.ErrBlocked
		}
		var count int
		if err := tx.QueryRow(`SELECT COUNT(*) FROM follow WHERE person = $1 AND other <> $2`, person, other).Scan(&count); err != nil {
			return err
		}
		if count >= account.MaxFollows {
			return account.ErrFollowsFull
		}
		_, err = tx.Exec(`INSERT INTO follow (person, other, at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`, person, other, at.UnixMilli())
		return err
	})
	if err != nil && !errors.Is(err, live.ErrBlocked) && !errors.Is(err, account.ErrFollowsFull) {
		return fmt.Errorf("storing that %s follows %s: %w", person, other, err)
	}
	return err
}

// Follows reports whether a person follows another.
func (s *Store) Follows(ctx context.Context, person, other string) (bool, error) {
	var n int
	if err := s.db.QueryRowContext(ctx, `SELECT COUNT(*) FROM follow WHERE person = $1 AND other = $2`, person, other).Scan(&n); err != nil {
		return false, fmt.Errorf("reading whether %s follows %s: %w", person, other, err)
	}
	return n > 0, nil
}

// Following returns whom a person follows, by name, each with the running match between people that moved last.
func (s *Store) Following(ctx context.Context, person string) ([]account.Followed, error) {
	const last = `SELECT id FROM match WHERE ended = 0 AND black <> '' AND white <> '' AND (black = follow.other OR white = follow.other) ORDER BY updated DESC LIMIT 1`
	rows, err := s.db.QueryContext(ctx, `SELECT `+personColumns+`, follow.at, COALESCE((`+last+`), '')
		FROM follow JOIN person ON person.id = follow.other WHERE follow.person = $1 ORDER BY person.name`, person)
	if err != nil {
		return nil, fmt.Errorf("reading whom %s follows: %w", person, err)
	}
	defer rows.Close()
	var followed []account.Followed
	for rows.Next() {
		var f account.Followed
		var at int64
		if f.Person, err = scanPerson(rows, &at, &f.Match); err != nil {
			return nil, fmt.Errorf("reading whom %s follows: %w", person, err)
		}
		f.Since = time.UnixMilli(at)
		followed = append(followed, f)
	}
	return followed, rows.Err()
}
