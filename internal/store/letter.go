package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/linesofaction/loa/internal/account"
)

// Email returns a person's confirmed address, empty for none.
func (s *Store) Email(ctx context.Context, person string) (string, error) {
	var email string
	if err := s.db.QueryRowContext(ctx, `SELECT email FROM person WHERE id = $1`, person).Scan(&email); err != nil {
		return "", fmt.Errorf("reading the address of %s: %w", person, err)
	}
	return email, nil
}

// PeopleByEmail returns the members with a confirmed address, at most limit.
func (s *Store) PeopleByEmail(ctx context.Context, email string, limit int) ([]account.Person, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT `+personColumns+` FROM person WHERE email = $1 AND email <> '' AND member = 1 ORDER BY created LIMIT $2`, email, limit)
	if err != nil {
		return nil, fmt.Errorf("looking for an address: %w", err)
	}
	defer rows.Close()
	var people []account.Person
	for rows.Next() {
		person, err := scanPerson(rows)
		if err != nil {
			return nil, fmt.Errorf("looking for an address: %w", err)
		}
		people = append(people, person)
	}
	return people, rows.Err()
}

// DropEmail forgets a person's address and what was sent to it.
func (s *Store) DropEmail(ctx context.Context, person string) error {
	err := s.writer.do(ctx, func(tx *transaction) error { return dropEmail(tx, person) })
	if err != nil {
		return fmt.Errorf("forgetting the address of %s: %w", person, err)
	}
	return nil
}

func dropEmail(tx *transaction, person string) error {
	if _, err := tx.Exec(`DELETE FROM token WHERE person = $1`, person); err != nil {
		return err
	}
	_, err := tx.Exec(`UPDATE person SET email = '' WHERE id = $1`, person)
	return err
}

// PutToken stores what a letter's secret is good for, in the place of an earlier one for the same, and queues the
// letter, to be sent from an instant on.
func (s *Store) PutToken(ctx context.Context, token account.Token, letter account.Letter, now time.Time) error {
	err := s.writer.do(ctx, func(tx *transaction) error {
		if err := putToken(tx, token, now); err != nil {
			return err
		}
		return putLetter(tx, letter, now)
	})
	if err != nil {
		return fmt.Errorf("storing a letter to %s: %w", token.Person, err)
	}
	return nil
}

func putToken(tx *transaction, token account.Token, now time.Time) error {
	if _, err := tx.Exec(`DELETE FROM token WHERE expires < $1`, now.UnixMilli()); err != nil {
		return err
	}
	if _, err := tx.Exec(`DELETE FROM token WHERE person = $1 AND purpose = $2`, token.Person, string(token.Purpose)); err != nil {
		return err
	}
	_, err := tx.Exec(`INSERT INTO token (hash, person, purpose, email, expires) VALUES ($1, $2, $3, $4, $5)`,
		token.Hash, token.Person, string(token.Purpose), token.Email, token.Expires.UnixMilli())
	return err
}

// Readmit stores the secret of a link by which a member who has lost the password comes in again, in the place of an
// earlier one, and logs the act.
func (s *Store) Readmit(ctx context.Context, act account.Act, token account.Token) error {
	err := s.writer.do(ctx, func(tx *transaction) error {
		if err := one(tx.Exec(`UPDATE person SET notices = notices + 1 WHERE id = $1 AND member = 1`, token.Person)); err != nil {
			return err
		}
		if err := putToken(tx, token, act.At); err != nil {
			return err
		}
		return logAct(tx, act)
	})
	if err != nil {
		return fmt.Errorf("storing a link for %s: %w", token.Person, err)
	}
	return nil
}

// PutLetter queues a letter, to be sent from an instant on.
func (s *Store) PutLetter(ctx context.Context, letter account.Letter, now time.Time) error {
	err := s.writer.do(ctx, func(tx *transaction) error { return putLetter(tx, letter, now) })
	if err != nil {
		return fmt.Errorf("storing a letter: %w", err)
	}
	return nil
}

func putLetter(tx *transaction, letter account.Letter, now time.Time) error {
	_, err := tx.Exec(`INSERT INTO letter (recipient, subject, text, due, tries) VALUES ($1, $2, $3, $4, 0)`,
		letter.To, letter.Subject, letter.Text, now.UnixMilli())
	return err
}

// Token returns what the hash of a letter's secret is good for at now, and whether it is good for anything.
func (s *Store) Token(ctx context.Context, hash []byte, purpose account.Purpose, now time.Time) (account.Token, bool, error) {
	t := account.Token{Hash: hash, Purpose: purpose}
	var expires int64
	err := s.db.QueryRowContext(ctx, `SELECT person, email, expires FROM token WHERE hash = $1 AND purpose = $2`, hash, string(purpose)).Scan(&t.Person, &t.Email, &expires)
	if errors.Is(err, sql.ErrNoRows) {
		return t, false, nil
	}
	if err != nil {
		return t, false, fmt.Errorf("reading a token: %w", err)
	}
	t.Expires = time.UnixMilli(expires)
	return t, now.Before(t.Expires), nil
}

// ConfirmEmail makes the address of a token the person's and uses the token up; account.ErrTokenUsed when it was.
func (s *Store) ConfirmEmail(ctx context.Context, token account.Token) error {
	return s.spend(ctx, token, `UPDATE person SET email = $2 WHERE id = $1 AND member = 1`, token.Email)
}

// RecoverPassword gives the person of a token another password, ends all sessions and uses the token up;
// account.ErrTokenUsed when it was.
func (s *Store) RecoverPassword(ctx context.Context, token account.Token, password string) error {
	return s.spend(ctx, token, `UPDATE person SET password = $2 WHERE id = $1 AND member = 1`, password)
}

// spend uses a token up for one change of a person. A token for a password ends all sessions, too.
func (s *Store) spend(ctx context.Context, token account.Token, update, value string) error {
	err := s.writer.do(ctx, func(tx *transaction) error {
		result, err := tx.Exec(`DELETE FROM token WHERE hash = $1 AND purpose = $2`, token.Hash, string(token.Purpose))
		if err != nil {
			return err
		}
		if n, err := result.RowsAffected(); err != nil || n != 1 {
			return errors.Join(account.ErrTokenUsed, err)
		}
		if err := one(tx.Exec(update, token.Person, value)); err != nil {
			return err
		}
		if token.Purpose != account.Recover {
			return nil
		}
		_, err = tx.Exec(`DELETE FROM session WHERE person = $1`, token.Person)
		return err
	})
	if err != nil {
		return fmt.Errorf("using a token of %s: %w", token.Person, err)
	}
	return nil
}

// TakeLetter returns a letter that is due at now, false for none. It is due again at an instant that follows from how
// often it was taken, this time too.
func (s *Store) TakeLetter(ctx context.Context, now time.Time, again func(tries int) time.Time) (letter account.Letter, ok bool, err error) {
	// a look without writing first: most of the time there is nothing to send
	var n int
	if err := s.db.QueryRowContext(ctx, `SELECT COUNT(*) FROM (SELECT 1 FROM letter WHERE due <= $1 LIMIT 1) AS due`, now.UnixMilli()).Scan(&n); err != nil || n == 0 {
		return letter, false, err
	}
	err = s.writer.do(ctx, func(tx *transaction) error {
		err := tx.QueryRow(`SELECT id, recipient, subject, text, tries FROM letter WHERE due <= $1 ORDER BY due LIMIT 1`, now.UnixMilli()).
			Scan(&letter.ID, &letter.To, &letter.Subject, &letter.Text, &letter.Tries)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		ok = true
		letter.Tries++
		_, err = tx.Exec(`UPDATE letter SET due = $2, tries = $3 WHERE id = $1`, letter.ID, again(letter.Tries).UnixMilli(), letter.Tries)
		return err
	})
	if err != nil {
		return letter, false, fmt.Errorf("taking a letter: %w", err)
	}
	return letter, ok, nil
}

// DropLetter removes a letter that was sent, or given up.
func (s *Store) DropLetter(ctx context.Context, id int64) error {
	err := s.writer.do(ctx, func(tx *transaction) error {
		_, err := tx.Exec(`DELETE FROM letter WHERE id = $1`, id)
		return err
	})
	if err != nil {
		return fmt.Errorf("removing a letter: %w", err)
	}
	return nil
}
