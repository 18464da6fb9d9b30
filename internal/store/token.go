package store

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/linesofaction/loa/internal/account"
)

// AddToken stores a token of a member with the hash of its secret; account.ErrTooMany for one more than there may be.
func (s *Store) AddToken(ctx context.Context, person string, hash []byte, t account.AccessToken) error {
	err := s.writer.do(ctx, func(tx *transaction) error {
		var n int
		if err := tx.QueryRow(`SELECT COUNT(*) FROM access_token WHERE person = $1`, person).Scan(&n); err != nil {
			return err
		}
		if n >= account.MostTokens {
			return account.ErrTooMany
		}
		_, err := tx.Exec(`INSERT INTO access_token (id, hash, person, name, scopes, created) VALUES ($1, $2, $3, $4, $5, $6)`,
			t.ID, hex.EncodeToString(hash), person, t.Name, account.JoinScopes(t.Scopes), t.Created.UnixMilli())
		return err
	})
	if err != nil && !errors.Is(err, account.ErrTooMany) {
		return fmt.Errorf("storing a token of %s: %w", person, err)
	}
	return err
}

const tokenColumns = `access_token.id, access_token.name, access_token.scopes, access_token.created, access_token.used`

// tokenScan is what of a token a row is read into.
type tokenScan struct {
	account.AccessToken
	scopes        string
	created, used int64
}

func (t *tokenScan) into() []any { return []any{&t.ID, &t.Name, &t.scopes, &t.created, &t.used} }

func (t *tokenScan) token() (account.AccessToken, error) {
	var err error
	t.Scopes, err = account.ParseScopes(strings.Fields(t.scopes))
	t.Created = time.UnixMilli(t.created)
	if t.used != 0 {
		t.Used = time.UnixMilli(t.used)
	}
	return t.AccessToken, err
}

// Tokens returns the tokens of a member, the latest first.
func (s *Store) Tokens(ctx context.Context, person string) ([]account.AccessToken, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT `+tokenColumns+` FROM access_token WHERE person = $1 ORDER BY created DESC`, person)
	if err != nil {
		return nil, fmt.Errorf("reading the tokens of %s: %w", person, err)
	}
	defer rows.Close()
	var tokens []account.AccessToken
	for rows.Next() {
		var scan tokenScan
		if err := rows.Scan(scan.into()...); err != nil {
			return nil, fmt.Errorf("reading the tokens of %s: %w", person, err)
		}
		token, err := scan.token()
		if err != nil {
			return nil, fmt.Errorf("reading the tokens of %s: %w", person, err)
		}
		tokens = append(tokens, token)
	}
	return tokens, rows.Err()
}

// tokenSeen is how old a token's last use may get before it is noted anew, so that a request mostly only reads.
const tokenSeen = time.Hour

// PersonByToken returns whose token a secret's hash is, and the token, and whether there is one. It notes now and then
// that the token is used.
func (s *Store) PersonByToken(ctx context.Context, hash []byte) (account.Person, account.AccessToken, bool, error) {
	var scan tokenScan
	person, err := scanPerson(s.db.QueryRowContext(ctx, `SELECT `+personColumns+`, `+tokenColumns+` FROM access_token
		JOIN person ON person.id = access_token.person WHERE access_token.hash = $1`, hex.EncodeToString(hash)), scan.into()...)
	person, known, err := found(person, err, "reading a token")
	if err != nil || !known {
		return person, account.AccessToken{}, false, err
	}
	token, err := scan.token()
	if now := s.Now(); err == nil && now.Sub(token.Used) > tokenSeen {
		err = s.writer.do(ctx, func(tx *transaction) error {
			_, err := tx.Exec(`UPDATE access_token SET used = $2 WHERE id = $1`, token.ID, now.UnixMilli())
			return err
		})
	}
	return person, token, err == nil, err
}

// EndToken removes a token of a member.
func (s *Store) EndToken(ctx context.Context, person, id string) error {
	err := s.writer.do(ctx, func(tx *transaction) error {
		_, err := tx.Exec(`DELETE FROM access_token WHERE id = $2 AND person = $1`, person, id)
		return err
	})
	if err != nil {
		return fmt.Errorf("ending a token of %s: %w", person, err)
	}
	return nil
}

// BecomeBot makes the account of a member that of a bot, for good. account.ErrRated for one that has played rated games
// or is playing one.
func (s *Store) BecomeBot(ctx context.Context, person string) error {
	err := s.writer.do(ctx, func(tx *transaction) error {
		var rated int
		err := tx.QueryRow(`SELECT (SELECT COUNT(*) FROM rating WHERE person = $1)
			+ (SELECT COUNT(*) FROM match WHERE black = $1 AND ended = 0 AND rated = 1)
			+ (SELECT COUNT(*) FROM match WHERE white = $1 AND ended = 0 AND rated = 1)`, person).Scan(&rated)
		switch {
		case err != nil:
			return err
		case rated > 0:
			return account.ErrRated
		}
		if _, err := tx.Exec(`DELETE FROM seek WHERE person = $1`, person); err != nil {
			return err
		}
		return one(tx.Exec(`UPDATE person SET bot = 1 WHERE id = $1 AND member = 1`, person))
	})
	if err != nil && !errors.Is(err, account.ErrRated) {
		return fmt.Errorf("making a bot of %s: %w", person, err)
	}
	return err
}
