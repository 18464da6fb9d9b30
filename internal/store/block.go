package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/linesofaction/loa/internal/account"
)

// SetBlock lets a person block another, or ends that. Blocking ends following both ways. account.ErrBlocksFull for one more than there may be.
func (s *Store) SetBlock(ctx context.Context, person, other string, on bool) error {
	err := s.writer.do(ctx, func(tx *transaction) error {
		if !on {
			_, err := tx.Exec(`DELETE FROM block WHERE person = $1 AND other = $2`, person, other)
			return err
		}
		var count int
		if err := tx.QueryRow(`SELECT COUNT(*) FROM block WHERE person = $1 AND other <> $2`, person, other).Scan(&count); err != nil {
			return err
		}
		if count >= account.MaxBlocks {
			return account.ErrBlocksFull
		}
		if _, err := tx.Exec(`INSERT INTO block (person, other) VALUES ($1, $2) ON CONFLICT DO NOTHING`, person, other); err != nil {
			return err
		}
		_, err := tx.Exec(`DELETE FROM follow WHERE person = $1 AND other = $2 OR person = $2 AND other = $1`, person, other)
		return err
	})
	if err != nil && !errors.Is(err, account.ErrBlocksFull) {
		return fmt.Errorf("storing that %s blocks %s: %w", person, other, err)
	}
	return err
}

// Blocks reports whether a person blocks another.
func (s *Store) Blocks(ctx context.Context, person, other string) (bool, error) {
	var n int
	err := s.db.QueryRowContext(ctx, `SELECT COUNT(*) FROM block WHERE person = $1 AND other = $2`, person, other).Scan(&n)
	if err != nil {
		return false, fmt.Errorf("reading whether %s blocks %s: %w", person, other, err)
	}
	return n > 0, nil
}

// Apart reports whether one of two people has blocked the other.
func (s *Store) Apart(_ context.Context, a, b string) (bool, error) {
	blocked, err := apart(s.db, a, b)
	if err != nil {
		return false, fmt.Errorf("reading whether %s and %s are apart: %w", a, b, err)
	}
	return blocked, nil
}

func apart(db reader, a, b string) (bool, error) {
	var n int
	err := db.QueryRow(`SELECT COUNT(*) FROM block WHERE person = $1 AND other = $2 OR person = $2 AND other = $1`, a, b).Scan(&n)
	return n > 0, err
}
