package store

import (
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/linesofaction/loa/internal/account"
	"github.com/linesofaction/loa/internal/match"
)

// AddPerson stores a new guest with the hash of a first session's secret.
func (s *Store) AddPerson(ctx context.Context, person account.Person, secretHash []byte) error {
	err := s.writer.do(ctx, func(tx *transaction) error {
		if _, err := tx.Exec(`INSERT INTO person (id, name, created) VALUES ($1, $2, $3)`,
			person.ID, person.Name, person.Created.UnixMilli()); err != nil {
			return err
		}
		return addSession(tx, person.ID, secretHash, account.Session{Created: person.Created, Seen: person.Created})
	})
	if err != nil {
		return fmt.Errorf("storing person %s: %w", person.ID, err)
	}
	return nil
}

func addSession(tx *transaction, person string, secretHash []byte, session account.Session) error {
	_, err := tx.Exec(`INSERT INTO session (secret_hash, person, created, seen, agent) VALUES ($1, $2, $3, $4, $5)`,
		secretHash, person, session.Created.UnixMilli(), session.Seen.UnixMilli(), session.Agent)
	return err
}

const personColumns = `person.id, person.name, person.member, person.created, person.moderator, person.muted, person.barred, person.notices, person.bot`

func scanPerson(row scanner, more ...any) (account.Person, error) {
	var person account.Person
	var created, muted, barred int64
	err := row.Scan(append([]any{&person.ID, &person.Name, &person.Member, &created, &person.Moderator, &muted, &barred, &person.Notices, &person.Bot}, more...)...)
	person.Created = time.UnixMilli(created)
	if muted != 0 {
		person.Muted = time.UnixMilli(muted)
	}
	if barred != 0 {
		person.Barred = time.UnixMilli(barred)
	}
	return person, err
}

// PersonBySecret returns whose session a secret's hash is, and whether there is one, and notes now and then that it was
// seen at now.
func (s *Store) PersonBySecret(ctx context.Context, secretHash []byte, now time.Time) (account.Person, bool, error) {
	var seen int64
	person, err := scanPerson(s.db.QueryRowContext(ctx, `SELECT `+personColumns+`, session.seen FROM session
		JOIN person ON person.id = session.person WHERE session.secret_hash = $1`, secretHash), &seen)
	if err == nil && now.UnixMilli()-seen >= account.SeenWithin.Milliseconds() {
		// a disk that is full keeps nobody from reading
		_ = s.writer.do(ctx, func(tx *transaction) error {
			_, err := tx.Exec(`UPDATE session SET seen = $2 WHERE secret_hash = $1 AND seen < $2`, secretHash, now.UnixMilli())
			return err
		})
	}
	return found(person, err, "reading a session")
}

// PersonByName returns the member with a name, however it is written, and whether there is one.
func (s *Store) PersonByName(ctx context.Context, name string) (account.Person, bool, error) {
	person, err := scanPerson(s.db.QueryRowContext(ctx, `SELECT `+personColumns+` FROM person WHERE name_key = $1`, account.Key(name)))
	return found(person, err, "reading a member")
}

// found turns a missing row into false.
func found(person account.Person, err error, what string) (account.Person, bool, error) {
	if errors.Is(err, sql.ErrNoRows) {
		return account.Person{}, false, nil
	}
	if err != nil {
		return account.Person{}, false, fmt.Errorf("%s: %w", what, err)
	}
	return person, true, nil
}

// Join makes a member of a guest, who keeps id, games and sessions, and whose games have the new name. account.ErrNameTaken for a name that
// looks like another's, also one whose account was closed.
func (s *Store) Join(ctx context.Context, person, name, password string) error {
	err := s.writer.do(ctx, func(tx *transaction) error {
		former := 0
		if err := tx.QueryRow(`SELECT COUNT(*) FROM former_name WHERE hash = $1`, formerName(name)).Scan(&former); err != nil {
			return err
		}
		if former > 0 {
			return account.ErrNameTaken
		}
		if err := one(tx.Exec(`UPDATE person SET name = $2, name_key = $3, password = $4, member = 1 WHERE id = $1 AND member = 0`,
			person, name, account.Key(name), password)); err != nil {
			return err
		}
		return renameSeats(tx, person, name, true)
	})
	if taken(err) || errors.Is(err, account.ErrNameTaken) {
		return account.ErrNameTaken
	}
	if err != nil {
		return fmt.Errorf("making %s a member: %w", person, err)
	}
	return nil
}

// one turns an update that did not change exactly one row into an error.
func one(result sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := result.RowsAffected(); err != nil || n != 1 {
		return errors.Join(fmt.Errorf("%d rows changed, expected 1", n), err)
	}
	return nil
}

// PasswordOf returns the stored form of a member's password.
func (s *Store) PasswordOf(ctx context.Context, person string) (string, error) {
	var password string
	if err := s.db.QueryRowContext(ctx, `SELECT password FROM person WHERE id = $1`, person).Scan(&password); err != nil {
		return "", fmt.Errorf("reading the password of %s: %w", person, err)
	}
	return password, nil
}

// SetPassword changes a member's password and ends all sessions but one, which may be nil.
func (s *Store) SetPassword(ctx context.Context, person, password string, keep []byte) error {
	err := s.writer.do(ctx, func(tx *transaction) error {
		if err := one(tx.Exec(`UPDATE person SET password = $2 WHERE id = $1 AND member = 1`, person, password)); err != nil {
			return err
		}
		return endOthers(tx, person, keep)
	})
	if err != nil {
		return fmt.Errorf("changing the password of %s: %w", person, err)
	}
	return nil
}

// AddSession stores a new session of a person.
func (s *Store) AddSession(ctx context.Context, person string, secretHash []byte, session account.Session) error {
	err := s.writer.do(ctx, func(tx *transaction) error { return addSession(tx, person, secretHash, session) })
	if err != nil {
		return fmt.Errorf("storing a session of %s: %w", person, err)
	}
	return nil
}

// Sessions returns the sessions of a person, the latest first.
func (s *Store) Sessions(ctx context.Context, person string) ([]account.Session, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT secret_hash, created, seen, agent FROM session WHERE person = $1 ORDER BY created DESC`, person)
	if err != nil {
		return nil, fmt.Errorf("reading the sessions of %s: %w", person, err)
	}
	defer rows.Close()
	var sessions []account.Session
	for rows.Next() {
		var session account.Session
		var created, seen int64
		if err := rows.Scan(&session.Hash, &created, &seen, &session.Agent); err != nil {
			return nil, fmt.Errorf("reading the sessions of %s: %w", person, err)
		}
		session.Created, session.Seen = time.UnixMilli(created), time.UnixMilli(seen)
		sessions = append(sessions, session)
	}
	return sessions, rows.Err()
}

// EndSession removes one session of a person.
func (s *Store) EndSession(ctx context.Context, person string, secretHash []byte) error {
	err := s.writer.do(ctx, func(tx *transaction) error {
		_, err := tx.Exec(`DELETE FROM session WHERE person = $1 AND secret_hash = $2`, person, secretHash)
		return err
	})
	if err != nil {
		return fmt.Errorf("ending a session of %s: %w", person, err)
	}
	return nil
}

// EndOtherSessions removes all sessions of a person but one.
func (s *Store) EndOtherSessions(ctx context.Context, person string, keep []byte) error {
	err := s.writer.do(ctx, func(tx *transaction) error { return endOthers(tx, person, keep) })
	if err != nil {
		return fmt.Errorf("ending sessions of %s: %w", person, err)
	}
	return nil
}

func endOthers(tx *transaction, person string, keep []byte) error {
	_, err := tx.Exec(`DELETE FROM session WHERE person = $1 AND secret_hash <> $2`, person, append([]byte{}, keep...)) // no NULL, from which nothing differs
	return err
}

// CloseAccount deletes a member: the name, which nobody can take again, the password, the sessions and the seeks. Games stay for those who
// played them, and remarks and reports for those who read them, under the name given in their place.
func (s *Store) CloseAccount(ctx context.Context, person, name string) error {
	err := s.writer.do(ctx, func(tx *transaction) error { return closeAccount(tx, person, name) })
	if err != nil {
		return fmt.Errorf("closing the account of %s: %w", person, err)
	}
	return nil
}

// formerName returns what is kept of the name of a closed account.
func formerName(name string) string {
	return hex.EncodeToString(account.HashSecret(account.Key(name)))
}

func closeAccount(tx *transaction, person, name string) error {
	var before string
	if err := tx.QueryRow(`SELECT name FROM person WHERE id = $1 AND member = 1`, person).Scan(&before); err != nil {
		return err
	}
	if _, err := tx.Exec(`INSERT INTO former_name (hash) VALUES ($1) ON CONFLICT (hash) DO NOTHING`, formerName(before)); err != nil {
		return err
	}
	if err := one(tx.Exec(`UPDATE person SET name = $2, name_key = NULL, password = '', member = 0, moderator = 0, bot = 0 WHERE id = $1 AND member = 1`, person, name)); err != nil {
		return err
	}
	for _, statement := range []string{
		`DELETE FROM session WHERE person = $1`, `DELETE FROM seek WHERE person = $1`, `DELETE FROM access_token WHERE person = $1`,
		`DELETE FROM block WHERE person = $1 OR other = $1`,
		`DELETE FROM mute WHERE person = $1 OR other = $1`,
		`DELETE FROM follow WHERE person = $1 OR other = $1`,
		`UPDATE challenge SET refused = 1 WHERE maker = $1 AND match_id = ''`, `UPDATE challenge SET refused = 1 WHERE invited = $1 AND invited <> '' AND match_id = ''`,
	} {
		if _, err := tx.Exec(statement, person); err != nil {
			return err
		}
	}
	if err := dropEmail(tx, person); err != nil {
		return err
	}
	if err := renameReports(tx, person, name); err != nil {
		return err
	}
	return renameSeats(tx, person, name, false)
}

// renameSeats writes another name of a person, who is a member from now on or is none, into the first events of that person's matches.
func renameSeats(tx *transaction, person, name string, member bool) error {
	ids, err := readTexts(tx, `SELECT id FROM match WHERE black = $1 AND ended = 1 UNION SELECT id FROM match WHERE white = $1 AND ended = 1
		UNION SELECT id FROM match WHERE black = $1 AND ended = 0 UNION SELECT id FROM match WHERE white = $1 AND ended = 0`, person)
	if err != nil {
		return err
	}
	for _, id := range ids {
		var version int
		var kind, body string
		if err := tx.QueryRow(`SELECT version, kind, body FROM event WHERE match_id = $1 AND seq = 1`, id).Scan(&version, &kind, &body); err != nil {
			return err
		}
		event, err := match.Decode(version, kind, []byte(body))
		if err != nil {
			return err
		}
		created, ok := event.(match.Created)
		if !ok {
			return fmt.Errorf("match %s begins with %q", id, kind)
		}
		for c := range created.Seats {
			if created.Seats[c].Person == person {
				created.Seats[c].Name, created.Seats[c].Member, created.Seats[c].Bot = name, member, false
			}
		}
		changed, err := match.Encode(created)
		if err != nil {
			return err
		}
		if _, err := tx.Exec(`UPDATE event SET body = $2 WHERE match_id = $1 AND seq = 1`, id, string(changed)); err != nil {
			return err
		}
	}
	return nil
}
