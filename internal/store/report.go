package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/linesofaction/loa/internal/account"
	"github.com/linesofaction/loa/internal/talk"
)

// AddReport stores a report; talk.ErrReported when its maker has an open one about the same person and match.
func (s *Store) AddReport(ctx context.Context, r talk.Report) error {
	quoted, err := json.Marshal(r.Context)
	if err != nil {
		return err
	}
	var match any
	if r.Match != "" {
		match = r.Match
	}
	err = s.writer.do(ctx, func(tx *transaction) error {
		result, err := tx.Exec(`INSERT INTO report (id, by, about, match, reason, text, context, at)
			SELECT COALESCE(MAX(id), 0) + 1, $1, $2, $3, $4, $5, $6, $7 FROM report WHERE true ON CONFLICT (by, about, COALESCE(match, '')) WHERE closed_at IS NULL DO NOTHING`,
			r.By, r.About, match, r.Reason, r.Text, string(quoted), r.At.UnixMilli())
		if err != nil {
			return err
		}
		if n, err := result.RowsAffected(); err != nil || n == 0 {
			return errors.Join(talk.ErrReported, err)
		}
		return nil
	})
	if err != nil && !errors.Is(err, talk.ErrReported) {
		return fmt.Errorf("storing a report by %s: %w", r.By, err)
	}
	return err
}

const selectReports = `SELECT report.id, report.by, person.name, report.about, COALESCE(report.match, ''), report.reason, report.text,
		report.context, report.at, COALESCE(report.closed_at, 0), report.answer
	FROM report JOIN person ON person.id = report.by WHERE `

// ReportsBy returns the reports a person has made, the latest first.
func (s *Store) ReportsBy(ctx context.Context, person string) ([]talk.Report, error) {
	return s.reports(ctx, selectReports+`report.by = $1 ORDER BY report.at DESC, report.id DESC`, person)
}

// Reports returns what people told the moderators, the earliest first, at most limit.
func (s *Store) Reports(ctx context.Context, f talk.Filter, limit int) ([]talk.Report, error) {
	switch {
	case f.About != "":
		return s.reports(ctx, selectReports+`report.about = $1 AND ($2 = 0 OR report.closed_at IS NULL) ORDER BY report.id LIMIT $3`, f.About, number(f.Open), limit)
	case f.Open:
		return s.reports(ctx, selectReports+`report.closed_at IS NULL ORDER BY report.id LIMIT $1`, limit)
	}
	return s.reports(ctx, selectReports+`report.id > 0 ORDER BY report.id LIMIT $1`, limit)
}

// Report returns one report, and whether there is one with that number.
func (s *Store) Report(ctx context.Context, id int64) (talk.Report, bool, error) {
	found, err := s.reports(ctx, selectReports+`report.id = $1`, id)
	if err != nil || len(found) == 0 {
		return talk.Report{}, false, err
	}
	return found[0], true, nil
}

func (s *Store) reports(ctx context.Context, query string, args ...any) ([]talk.Report, error) {
	rows, err := s.db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("reading reports: %w", err)
	}
	defer rows.Close()
	var reports []talk.Report
	for rows.Next() {
		var r talk.Report
		var quoted string
		var at, closed int64
		if err := rows.Scan(&r.ID, &r.By, &r.ByName, &r.About, &r.Match, &r.Reason, &r.Text, &quoted, &at, &closed, &r.Answer); err != nil {
			return nil, fmt.Errorf("reading reports: %w", err)
		}
		if err := json.Unmarshal([]byte(quoted), &r.Context); err != nil {
			return nil, fmt.Errorf("report %d is damaged: %w", r.ID, err)
		}
		r.At = time.UnixMilli(at)
		if closed != 0 {
			r.Closed = time.UnixMilli(closed)
		}
		reports = append(reports, r)
	}
	return reports, rows.Err()
}

// closeReport closes an open report with a moderator's reason.
func closeReport(tx *transaction, act account.Act) error {
	var by any
	if act.By != "" {
		by = act.By
	}
	result, err := tx.Exec(`UPDATE report SET closed_at = $2, closed_by = $3, answer = $4 WHERE id = $1 AND closed_at IS NULL`,
		act.Report, act.At.UnixMilli(), by, act.Reason)
	if err != nil {
		return err
	}
	if n, err := result.RowsAffected(); err != nil || n != 1 {
		return errors.Join(account.ErrAnswered, err)
	}
	return nil
}

// renameReports writes another name of a person into what reports keep.
func renameReports(tx *transaction, person, name string) error {
	rows, err := tx.Query(`SELECT id, about, context FROM report WHERE about = $1 OR by = $1 OR context LIKE '%"' || $1 || '"%'`, person)
	if err != nil {
		return err
	}
	defer rows.Close()
	changed := map[int64]string{}
	for rows.Next() {
		var id int64
		var about, quoted string
		var kept talk.Context
		if err := rows.Scan(&id, &about, &quoted); err != nil {
			return err
		}
		if err := json.Unmarshal([]byte(quoted), &kept); err != nil {
			return fmt.Errorf("report %d is damaged: %w", id, err)
		}
		if about == person {
			kept.Name = name
		}
		for i := range kept.Remarks {
			if kept.Remarks[i].Person == person {
				kept.Remarks[i].Name = name
			}
		}
		body, err := json.Marshal(kept)
		if err != nil {
			return err
		}
		changed[id] = string(body)
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return err
	}
	for id, body := range changed {
		if _, err := tx.Exec(`UPDATE report SET context = $2 WHERE id = $1`, id, body); err != nil {
			return err
		}
	}
	return nil
}
