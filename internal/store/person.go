package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/linesofaction/loa/internal/account"
)

// AddPerson stores a new person with the hash of a first session's secret.
func (s *Store) AddPerson(ctx context.Context, person account.Person, secretHash []byte) error {
	err := s.writer.do(ctx, func(tx *sql.Tx) error {
		if _, err := tx.Exec(`INSERT INTO person (id, name, created) VALUES ($1, $2, $3)`,
			person.ID, person.Name, person.Created.UnixMilli()); err != nil {
			return err
		}
		_, err := tx.Exec(`INSERT INTO session (secret_hash, person, created) VALUES ($1, $2, $3)`,
			secretHash, person.ID, person.Created.UnixMilli())
		return err
	})
	if err != nil {
		return fmt.Errorf("storing person %s: %w", person.ID, err)
	}
	return nil
}

// PersonBySecret returns whose session a secret's hash is, and whether there is one.
func (s *Store) PersonBySecret(ctx context.Context, secretHash []byte) (account.Person, bool, error) {
	var person account.Person
	var created int64
	err := s.db.QueryRowContext(ctx, `SELECT person.id, person.name, person.created FROM session
		JOIN person ON person.id = session.person WHERE session.secret_hash = $1`, secretHash).
		Scan(&person.ID, &person.Name, &created)
	if errors.Is(err, sql.ErrNoRows) {
		return account.Person{}, false, nil
	}
	if err != nil {
		return account.Person{}, false, fmt.Errorf("reading a session: %w", err)
	}
	person.Created = time.UnixMilli(created)
	return person, true, nil
}
