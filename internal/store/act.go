package store

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"time"

	"github.com/linesofaction/loa/internal/account"
)

// Act carries out what a moderator decides about a person and logs it, in one transaction. For account.Close, name is
// what the person is called from then on. A verdict is stored with its match; see live.Service.Adjudicate.
func (s *Store) Act(ctx context.Context, act account.Act, name string) error {
	err := s.writer.do(ctx, func(tx *transaction) error {
		if err := carryOut(tx, act, name); err != nil {
			return err
		}
		return logAct(tx, act)
	})
	if err != nil {
		return fmt.Errorf("storing %q about %s: %w", act.Kind, act.Person, err)
	}
	return nil
}

// carryOut does what an act says, the log aside.
func carryOut(tx *transaction, act account.Act, name string) error {
	until := act.Until.UnixMilli()
	switch act.Kind {
	case account.Warn:
		return one(tx.Exec(`UPDATE person SET notices = notices + 1 WHERE id = $1`, act.Person))
	case account.Mute:
		return one(tx.Exec(`UPDATE person SET muted = $2, notices = notices + 1 WHERE id = $1`, act.Person, until))
	case account.Unmute:
		return one(tx.Exec(`UPDATE person SET muted = 0, notices = notices + 1 WHERE id = $1`, act.Person))
	case account.Bar:
		if _, err := tx.Exec(`DELETE FROM seek WHERE person = $1`, act.Person); err != nil {
			return err
		}
		return one(tx.Exec(`UPDATE person SET barred = $2, notices = notices + 1 WHERE id = $1`, act.Person, until))
	case account.Unbar:
		return one(tx.Exec(`UPDATE person SET barred = 0, notices = notices + 1 WHERE id = $1`, act.Person))
	case account.Close:
		return closeAccount(tx, act.Person, name)
	case account.Appoint:
		return one(tx.Exec(`UPDATE person SET moderator = 1 WHERE id = $1 AND member = 1`, act.Person))
	case account.Dismiss:
		return one(tx.Exec(`UPDATE person SET moderator = 0 WHERE id = $1`, act.Person))
	case account.Answer:
		return closeReport(tx, act)
	}
	return fmt.Errorf("act of kind %q, which is not about a person", act.Kind)
}

func logAct(tx *transaction, a account.Act) error {
	until := int64(0)
	if !a.Until.IsZero() {
		until = a.Until.UnixMilli()
	}
	_, err := tx.Exec(`INSERT INTO act (at, moderator, kind, person, name, until, match_id, report, result, reason)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
		a.At.UnixMilli(), a.By, string(a.Kind), a.Person, a.Name, until, a.Match, a.Report, a.Result, a.Reason)
	return err
}

const selectActs = `SELECT act.number, act.at, act.moderator, COALESCE(person.name, ''), act.kind, act.person, act.name, act.until,
		act.match_id, act.report, act.result, act.reason
	FROM act LEFT JOIN person ON person.id = act.moderator WHERE `

// Acts returns entries of the moderators' log, the latest first, at most limit.
func (s *Store) Acts(ctx context.Context, f account.ActFilter, limit int) ([]account.Act, error) {
	before := f.Before
	if before == 0 {
		before = math.MaxInt64
	}
	const span = `act.number > $1 AND act.number < $2 `
	var rows *sql.Rows
	var err error
	switch {
	case f.Person != "":
		rows, err = s.db.QueryContext(ctx, selectActs+span+`AND act.person = $4 ORDER BY act.number DESC LIMIT $3`, f.After, before, limit, f.Person)
	case f.Match != "":
		rows, err = s.db.QueryContext(ctx, selectActs+span+`AND act.match_id = $4 AND act.match_id <> '' ORDER BY act.number DESC LIMIT $3`, f.After, before, limit, f.Match)
	default:
		rows, err = s.db.QueryContext(ctx, selectActs+span+`ORDER BY act.number DESC LIMIT $3`, f.After, before, limit)
	}
	if err != nil {
		return nil, fmt.Errorf("reading the moderators' log: %w", err)
	}
	defer rows.Close()
	var acts []account.Act
	for rows.Next() {
		var a account.Act
		var at, until int64
		if err := rows.Scan(&a.Number, &at, &a.By, &a.ByName, &a.Kind, &a.Person, &a.Name, &until, &a.Match, &a.Report, &a.Result, &a.Reason); err != nil {
			return nil, fmt.Errorf("reading the moderators' log: %w", err)
		}
		a.At = time.UnixMilli(at)
		if until != 0 {
			a.Until = time.UnixMilli(until)
		}
		acts = append(acts, a)
	}
	return acts, rows.Err()
}

// LastAct returns the number of the latest entry of the moderators' log, 0 for none.
func (s *Store) LastAct(ctx context.Context) (int64, error) {
	var number int64
	if err := s.db.QueryRowContext(ctx, `SELECT COALESCE(MAX(number), 0) FROM act`).Scan(&number); err != nil {
		return 0, fmt.Errorf("reading the moderators' log: %w", err)
	}
	return number, nil
}

// ReadNotices notes that a person has read what moderators did about them.
func (s *Store) ReadNotices(ctx context.Context, person string) error {
	err := s.writer.do(ctx, func(tx *transaction) error {
		_, err := tx.Exec(`UPDATE person SET notices = 0 WHERE id = $1`, person)
		return err
	})
	if err != nil {
		return fmt.Errorf("storing that %s has read the notices: %w", person, err)
	}
	return nil
}

// PersonByID returns a person, and whether there is one.
func (s *Store) PersonByID(ctx context.Context, id string) (account.Person, bool, error) {
	person, err := scanPerson(s.db.QueryRowContext(ctx, `SELECT `+personColumns+` FROM person WHERE id = $1`, id))
	return found(person, err, "reading a person")
}

// FindPeople returns the people whom a text may mean: members whose name begins with it however it is written,
// guests with that number, and whoever has it for an id; members first, at most limit.
func (s *Store) FindPeople(ctx context.Context, text string, limit int) ([]account.Person, error) {
	key := account.Key(text)
	rows, err := s.db.QueryContext(ctx, `SELECT `+personColumns+` FROM person
		WHERE id = $1 OR name = $1 OR ($2 <> '' AND name_key >= $2 AND name_key < $3)
		ORDER BY member DESC, name_key, created DESC LIMIT $4`, text, key, key+"\U0010FFFF", limit)
	if err != nil {
		return nil, fmt.Errorf("looking for people: %w", err)
	}
	defer rows.Close()
	var people []account.Person
	for rows.Next() {
		person, err := scanPerson(rows)
		if err != nil {
			return nil, fmt.Errorf("looking for people: %w", err)
		}
		people = append(people, person)
	}
	return people, rows.Err()
}
