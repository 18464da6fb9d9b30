package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/account"
	"github.com/linesofaction/loa/internal/talk"
)

const remarkColumns = `remark.match_id, remark.room, remark.n, remark.person, person.name, remark.seat, remark.client, remark.at, remark.text, remark.preset, person.bot
	FROM remark JOIN person ON person.id = remark.person`

func scanRemark(row scanner) (talk.Remark, error) {
	var r talk.Remark
	var seat string
	var at int64
	if err := row.Scan(&r.Match, &r.Room, &r.N, &r.Person, &r.Name, &seat, &r.Client, &at, &r.Text, &r.Preset, &r.Bot); err != nil {
		return r, err
	}
	r.At, r.Seat = time.UnixMilli(at), loa.NoColor
	if seat == "" {
		return r, nil
	}
	var err error
	r.Seat, err = loa.ParseColor(seat)
	return r, err
}

func scanRemarks(rows *sql.Rows, err error) ([]talk.Remark, error) {
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var remarks []talk.Remark
	for rows.Next() {
		r, err := scanRemark(rows)
		if err != nil {
			return nil, err
		}
		remarks = append(remarks, r)
	}
	return remarks, rows.Err()
}

// AddRemark stores a remark under the next number of its room; see live.TalkStore.
func (s *Store) AddRemark(ctx context.Context, r talk.Remark) (talk.Remark, error) {
	seat := ""
	if r.Seat != loa.NoColor {
		seat = r.Seat.String()
	}
	err := s.writer.do(ctx, func(tx *transaction) error {
		known, err := said(tx, r.Match, r.Person, r.Client)
		if !errors.Is(err, sql.ErrNoRows) {
			r = known
			return err
		}
		if err := tx.QueryRow(`SELECT COALESCE(MAX(n), 0) + 1 FROM remark WHERE match_id = $1 AND room = $2`, r.Match, string(r.Room)).Scan(&r.N); err != nil {
			return err
		}
		_, err = tx.Exec(`INSERT INTO remark (match_id, room, n, person, seat, client, at, text, preset) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
			r.Match, string(r.Room), r.N, r.Person, seat, r.Client, r.At.UnixMilli(), r.Text, r.Preset)
		return err
	})
	if err != nil {
		return r, fmt.Errorf("storing a remark in match %s: %w", r.Match, err)
	}
	return r, nil
}

// said reads the remark with a client id, sql.ErrNoRows for none.
func said(db reader, match, person, client string) (talk.Remark, error) {
	if client == "" {
		return talk.Remark{}, sql.ErrNoRows
	}
	return scanRemark(db.QueryRow(`SELECT `+remarkColumns+` WHERE remark.match_id = $1 AND remark.person = $2 AND remark.client = $3 AND remark.client <> ''`, match, person, client))
}

// Remark returns the remark with a number in a room; see live.TalkStore.
func (s *Store) Remark(ctx context.Context, match string, room talk.Room, n int) (talk.Remark, bool, error) {
	r, err := scanRemark(s.db.QueryRowContext(ctx, `SELECT `+remarkColumns+` WHERE remark.match_id = $1 AND remark.room = $2 AND remark.n = $3`, match, string(room), n))
	return foundRemark(r, err)
}

// foundRemark turns a missing row into false.
func foundRemark(r talk.Remark, err error) (talk.Remark, bool, error) {
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return r, false, nil
	case err != nil:
		return r, false, fmt.Errorf("reading a remark: %w", err)
	}
	return r, true, nil
}

// Said returns the remark a person made with a client id; see live.TalkStore.
func (s *Store) Said(_ context.Context, match, person, client string) (talk.Remark, bool, error) {
	return foundRemark(said(s.db, match, person, client))
}

// Remarks returns the last remarks of a room after a number; see live.TalkStore.
func (s *Store) Remarks(ctx context.Context, match string, room talk.Room, after, limit int) ([]talk.Remark, error) {
	remarks, err := scanRemarks(s.db.QueryContext(ctx, `SELECT * FROM (SELECT `+remarkColumns+`
		WHERE remark.match_id = $1 AND remark.room = $2 AND remark.n > $3 ORDER BY remark.n DESC LIMIT $4) AS latest ORDER BY n`, match, string(room), after, limit))
	if err != nil {
		return nil, fmt.Errorf("reading the remarks in match %s: %w", match, err)
	}
	return remarks, nil
}

// RemarksBy returns all that a person has said, the latest first.
func (s *Store) RemarksBy(ctx context.Context, person string) ([]talk.Remark, error) {
	remarks, err := scanRemarks(s.db.QueryContext(ctx, `SELECT `+remarkColumns+` WHERE remark.person = $1 ORDER BY remark.at DESC`, person))
	if err != nil {
		return nil, fmt.Errorf("reading the remarks of %s: %w", person, err)
	}
	return remarks, nil
}

// SetMute lets a person not hear another, or all onlookers for an empty one, or ends that.
func (s *Store) SetMute(ctx context.Context, person, other string, on bool) error {
	statement := `DELETE FROM mute WHERE person = $1 AND other = $2`
	if on {
		statement = `INSERT INTO mute (person, other) VALUES ($1, $2) ON CONFLICT DO NOTHING`
	}
	err := s.writer.do(ctx, func(tx *transaction) error {
		_, err := tx.Exec(statement, person, other)
		return err
	})
	if err != nil {
		return fmt.Errorf("storing that %s mutes %q: %w", person, other, err)
	}
	return nil
}

// Unheard returns whose remarks a person does not get; see live.TalkStore.
func (s *Store) Unheard(_ context.Context, person string) (muted, blocked []string, err error) {
	if muted, err = readTexts(s.db, `SELECT other FROM mute WHERE person = $1`, person); err == nil {
		blocked, err = readTexts(s.db, `SELECT other FROM block WHERE person = $1 UNION SELECT person FROM block WHERE other = $1`, person)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("reading whom %s does not hear: %w", person, err)
	}
	return muted, blocked, nil
}

// Muted returns whom a person has muted, by name, and whether all onlookers are.
func (s *Store) Muted(ctx context.Context, person string) (people []account.Person, onlookers bool, err error) {
	if people, err = s.people(ctx, `SELECT `+personColumns+` FROM mute JOIN person ON person.id = mute.other WHERE mute.person = $1 ORDER BY person.name`, person); err != nil {
		return nil, false, fmt.Errorf("reading whom %s mutes: %w", person, err)
	}
	var n int
	if err := s.db.QueryRowContext(ctx, `SELECT COUNT(*) FROM mute WHERE person = $1 AND other = ''`, person).Scan(&n); err != nil {
		return nil, false, fmt.Errorf("reading whom %s mutes: %w", person, err)
	}
	return people, n > 0, nil
}

// Blocked returns whom a person blocks, by name.
func (s *Store) Blocked(ctx context.Context, person string) ([]account.Person, error) {
	people, err := s.people(ctx, `SELECT `+personColumns+` FROM block JOIN person ON person.id = block.other WHERE block.person = $1 ORDER BY person.name`, person)
	if err != nil {
		return nil, fmt.Errorf("reading whom %s blocks: %w", person, err)
	}
	return people, nil
}

// people returns the people of a query.
func (s *Store) people(ctx context.Context, query string, args ...any) ([]account.Person, error) {
	rows, err := s.db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var people []account.Person
	for rows.Next() {
		person, err := scanPerson(rows)
		if err != nil {
			return nil, err
		}
		people = append(people, person)
	}
	return people, rows.Err()
}
