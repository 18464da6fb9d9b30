package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/linesofaction/loa/internal/live"
	"github.com/linesofaction/loa/internal/match"
)

// Append stores entries of one match and its new summary, or nothing; see live.Store. Entries of different
// matches that arrive together share one transaction.
func (s *Store) Append(ctx context.Context, entries []match.Entry, summary live.Summary) error {
	store := func(tx *transaction) error { return appendEntries(tx, entries, summary) }
	if summary.Outcome.Over() || summary.Act != nil { // ratings and tallies are read before they are written
		return s.writer.do(ctx, store)
	}
	return s.moves.do(ctx, store)
}

// appendEntries stores entries and summary in a transaction.
func appendEntries(tx *transaction, entries []match.Entry, summary live.Summary) error {
	rows := make([]eventRow, len(entries))
	for i, entry := range entries {
		body, err := match.Encode(entry.Event)
		if err != nil {
			return err
		}
		rows[i] = eventRow{entry.Seq, entry.At.UnixMilli(), entry.Client, entry.Event.Kind(), string(body)}
	}
	return appendRows(tx, rows, summary)
}

// eventRow is an entry as it stands in the table.
type eventRow struct {
	seq    int
	at     int64
	client string
	kind   string
	body   string
}

// appendRows guards the log: only who finds the match where the rows begin may write, so two who race cannot
// both.
func appendRows(tx *transaction, rows []eventRow, m live.Summary) error {
	before := rows[0].seq - 1
	var result sql.Result
	var err error
	if ends(rows) {
		if err := tallyEnd(tx, m, before == 0); err != nil {
			return err
		}
	}
	switch {
	case before == 0:
		result, err = tx.Exec(`INSERT INTO match (id, seq, black, white, ended, engine_turn, updated, deadline, rules, control, rated, plies, winner, reason)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) ON CONFLICT (id) DO NOTHING`,
			string(m.ID), m.Seq, m.Black, m.White, number(m.Outcome.Over()), number(m.EngineTurn), m.Updated.UnixMilli(), instant(m.Deadline),
			m.Rules, m.Control, number(m.Rated), m.Plies, m.Outcome.Winner.String(), m.Outcome.Reason.String())
	case !m.Outcome.Over(): // what is not named here need not be moved in indexes
		result, err = tx.Exec(`UPDATE match SET seq = $1, engine_turn = $2, updated = $3, deadline = $4, plies = $5 WHERE id = $6 AND seq = $7`,
			m.Seq, number(m.EngineTurn), m.Updated.UnixMilli(), instant(m.Deadline), m.Plies, string(m.ID), before)
	default:
		result, err = tx.Exec(`UPDATE match SET seq = $1, ended = $2, engine_turn = $3, updated = $4, deadline = $5, plies = $6, winner = $7, reason = $8
			WHERE id = $9 AND seq = $10`,
			m.Seq, number(m.Outcome.Over()), number(m.EngineTurn), m.Updated.UnixMilli(), instant(m.Deadline),
			m.Plies, m.Outcome.Winner.String(), m.Outcome.Reason.String(), string(m.ID), before)
	}
	if err != nil {
		return err
	}
	if changed, err := result.RowsAffected(); err != nil || changed != 1 {
		return errors.Join(live.ErrConflict, err)
	}
	for _, row := range rows {
		if _, err := tx.Exec(`INSERT INTO event (match_id, seq, at, client, version, kind, body) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
			string(m.ID), row.seq, row.at, row.client, match.Version, row.kind, row.body); err != nil {
			return err
		}
	}
	if m.Act != nil {
		if err := logAct(tx, *m.Act); err != nil {
			return err
		}
	}
	switch c := m.Closing; {
	case c == nil:
		return nil
	case c.Verdict:
		return reviseRated(tx, m.ID, c)
	default:
		return closeRated(tx, m.ID, c)
	}
}

// ends reports whether one of the rows ends the match, or changes how it ended.
func ends(rows []eventRow) bool {
	for _, row := range rows {
		if row.kind == (match.Ended{}).Kind() || row.kind == (match.Adjudicated{}).Kind() {
			return true
		}
	}
	return false
}

// instant returns the stored form of a time, nil for the zero one.
func instant(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UnixMilli()
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Entries returns the entries of a match after a sequence number; see live.Store.
func (s *Store) Entries(ctx context.Context, id match.ID, after int) ([]match.Entry, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT seq, at, client, version, kind, body FROM event WHERE match_id = $1 AND seq > $2 ORDER BY seq`, string(id), after)
	if err != nil {
		return nil, fmt.Errorf("reading match %s: %w", id, err)
	}
	defer rows.Close()
	var entries []match.Entry
	for rows.Next() {
		var row eventRow
		var version int
		if err := rows.Scan(&row.seq, &row.at, &row.client, &version, &row.kind, &row.body); err != nil {
			return nil, fmt.Errorf("reading match %s: %w", id, err)
		}
		event, err := match.Decode(version, row.kind, []byte(row.body))
		if err != nil {
			return nil, fmt.Errorf("match %s, event %d: %w", id, row.seq, err)
		}
		entries = append(entries, match.Entry{Seq: row.seq, At: time.UnixMilli(row.at), Client: row.client, Event: event})
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("reading match %s: %w", id, err)
	}
	if after == 0 && len(entries) == 0 {
		return nil, live.ErrNotFound
	}
	return entries, nil
}

// EngineTurns returns the matches that wait for an engine, the longest waiting first.
func (s *Store) EngineTurns(ctx context.Context) ([]match.ID, error) {
	return s.ids(ctx, `SELECT id FROM match WHERE engine_turn = 1 ORDER BY updated`)
}

// ClaimTurn claims an engine's turn; see live.Store.
func (s *Store) ClaimTurn(ctx context.Context, id match.ID, seq int, now, until time.Time) (bool, error) {
	var claimed int64
	err := s.moves.do(ctx, func(tx *transaction) error {
		result, err := tx.Exec(`UPDATE match SET claimed_seq = $1, claimed_until = $2 WHERE id = $3 AND seq = $1 AND (claimed_seq <> $1 OR claimed_until < $4)`,
			seq, until.UnixMilli(), string(id), now.UnixMilli())
		if err == nil {
			claimed, err = result.RowsAffected()
		}
		return err
	})
	if err != nil {
		return false, fmt.Errorf("claiming a turn of match %s: %w", id, err)
	}
	return claimed > 0, nil
}

// LeaveTurn ends the claim of a turn; see live.Store.
func (s *Store) LeaveTurn(ctx context.Context, id match.ID, seq int) error {
	err := s.moves.do(ctx, func(tx *transaction) error {
		_, err := tx.Exec(`UPDATE match SET claimed_until = 0 WHERE id = $1 AND seq = $2 AND claimed_seq = $2`, string(id), seq)
		return err
	})
	if err != nil {
		return fmt.Errorf("leaving a turn of match %s: %w", id, err)
	}
	return nil
}

// Due returns the matches whose deadline is not after an instant; see live.Store.
func (s *Store) Due(ctx context.Context, at time.Time, limit int) ([]match.ID, error) {
	return s.ids(ctx, `SELECT id FROM match WHERE deadline <= $1 ORDER BY deadline LIMIT $2`, at.UnixMilli(), limit)
}

// Timed returns the matches that have a deadline.
func (s *Store) Timed(ctx context.Context) ([]match.ID, error) {
	return s.ids(ctx, `SELECT id FROM match WHERE deadline IS NOT NULL ORDER BY deadline`)
}

// RunningMatches returns the unfinished matches a person has a seat in, those with other people before those with the computer and the latest
// first, at most limit.
func (s *Store) RunningMatches(ctx context.Context, person string, limit int) ([]match.ID, error) {
	if person == "" {
		return nil, nil // the empty name stands for the computer, which has a seat in any number of games
	}
	return s.ids(ctx, `SELECT id FROM (
		SELECT id, updated, CASE WHEN white = '' THEN 1 ELSE 0 END AS engine FROM match WHERE black = $1 AND ended = 0
		UNION SELECT id, updated, CASE WHEN black = '' THEN 1 ELSE 0 END FROM match WHERE white = $1 AND ended = 0
	) AS games ORDER BY engine, updated DESC LIMIT $2`, person, limit)
}

// Awaited returns the games between people at days a move in which it is a person's turn, those that wait longest first. Black moves first in
// all of them.
func (s *Store) Awaited(ctx context.Context, person string) ([]match.ID, error) {
	return s.ids(ctx, `SELECT id FROM (
		SELECT id, updated FROM match WHERE black = $1 AND ended = 0 AND white <> '' AND plies % 2 = 0 AND control LIKE '%d/move'
		UNION ALL SELECT id, updated FROM match WHERE white = $1 AND ended = 0 AND black <> '' AND plies % 2 = 1 AND control LIKE '%d/move'
	) AS games ORDER BY updated`, person)
}

// RunningGames returns the unfinished matches between people, the latest moved first, at most limit.
func (s *Store) RunningGames(ctx context.Context, limit int) ([]match.ID, error) {
	return s.ids(ctx, `SELECT id FROM match WHERE ended = 0 AND black <> '' AND white <> '' ORDER BY updated DESC LIMIT $1`, limit)
}

// FinishedGames returns the games between people that ended last and counted, at most limit.
func (s *Store) FinishedGames(ctx context.Context, limit int) ([]match.ID, error) {
	return s.ids(ctx, `SELECT id FROM match WHERE ended = 1 AND black <> '' AND white <> '' AND reason <> 'aborted' ORDER BY updated DESC LIMIT $1`, limit)
}

// CountRunning returns the number of unfinished matches between people.
func (s *Store) CountRunning(ctx context.Context) (int, error) {
	var n int
	if err := s.db.QueryRowContext(ctx, `SELECT COUNT(*) FROM match WHERE ended = 0 AND black <> '' AND white <> ''`).Scan(&n); err != nil {
		return 0, fmt.Errorf("counting running games: %w", err)
	}
	return n, nil
}

func (s *Store) ids(ctx context.Context, query string, args ...any) ([]match.ID, error) {
	rows, err := s.db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("listing matches: %w", err)
	}
	defer rows.Close()
	var ids []match.ID
	for rows.Next() {
		var id match.ID
		if err := rows.Scan(&id); err != nil {
			return nil, fmt.Errorf("listing matches: %w", err)
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}

// EndedAfter returns the games of a person, or of all between people for an empty one, that ended and counted, in the
// order in which they did, from the one after a match on and before an instant, at most limit. live.ErrNotFound for an
// unknown match.
func (s *Store) EndedAfter(ctx context.Context, person string, after match.ID, before time.Time, limit int) ([]match.ID, error) {
	var from int64
	until := before.UnixMilli()
	if after != "" {
		err := s.db.QueryRowContext(ctx, `SELECT updated FROM match WHERE id = $1`, string(after)).Scan(&from)
		if errors.Is(err, sql.ErrNoRows) {
			return nil, live.ErrNotFound
		}
		if err != nil {
			return nil, fmt.Errorf("reading match %s: %w", after, err)
		}
	}
	if person == "" {
		return s.ids(ctx, `SELECT id FROM match WHERE ended = 1 AND black <> '' AND white <> '' AND updated >= $1 AND updated < $2 AND (updated > $1 OR id > $3)
			AND reason <> 'aborted' ORDER BY updated, id LIMIT $4`, from, until, string(after), limit)
	}
	const (
		one  = `SELECT * FROM (SELECT id, updated FROM match WHERE `
		last = ` AND ended = 1 AND updated >= $2 AND updated < $3 AND (updated > $2 OR id > $4) AND reason <> 'aborted' ORDER BY updated, id LIMIT $5) AS part`
	)
	return s.ids(ctx, `SELECT id FROM (`+one+`black = $1`+last+` UNION ALL `+one+`white = $1 AND black <> $1`+last+`) AS games ORDER BY updated, id LIMIT $5`,
		person, from, until, string(after), limit)
}
