package store

import (
	"context"
	"fmt"
)

// SetBlock lets a person block another, or ends that.
func (s *Store) SetBlock(ctx context.Context, person, other string, on bool) error {
	statement := `DELETE FROM block WHERE person = $1 AND other = $2`
	if on {
		statement = `INSERT INTO block (person, other) VALUES ($1, $2) ON CONFLICT DO NOTHING`
	}
	err := s.writer.do(ctx, func(tx *transaction) error {
		_, err := tx.Exec(statement, person, other)
		return err
	})
	if err != nil {
		return fmt.Errorf("storing that %s blocks %s: %w", person, other, err)
	}
	return nil
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
