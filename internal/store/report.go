package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

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

// ReportsBy returns the reports a person has made, the latest first.
func (s *Store) ReportsBy(ctx context.Context, person string) ([]talk.Report, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT id, by, about, COALESCE(match, ''), reason, text, context, at FROM report WHERE by = $1 ORDER BY at DESC, id DESC`, person)
	if err != nil {
		return nil, fmt.Errorf("reading the reports by %s: %w", person, err)
	}
	defer rows.Close()
	var reports []talk.Report
	for rows.Next() {
		var r talk.Report
		var quoted string
		var at int64
		if err := rows.Scan(&r.ID, &r.By, &r.About, &r.Match, &r.Reason, &r.Text, &quoted, &at); err != nil {
			return nil, fmt.Errorf("reading the reports by %s: %w", person, err)
		}
		if err := json.Unmarshal([]byte(quoted), &r.Context); err != nil {
			return nil, fmt.Errorf("report %d is damaged: %w", r.ID, err)
		}
		r.At = time.UnixMilli(at)
		reports = append(reports, r)
	}
	return reports, rows.Err()
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
