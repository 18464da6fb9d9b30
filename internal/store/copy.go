package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pressly/goose/v3"
)

// ErrNotEmpty is returned for a target of Copy that holds something.
var ErrNotEmpty = errors.New("it is not empty")

// ErrServed is returned for a source of Copy that is being played on: what happens meanwhile would be lost.
var ErrServed = errors.New("it is being served")

// servedWithin is longer than a running service goes without noting that it runs.
const servedWithin = 3 * time.Second

// rowsAtOnce bounds how many rows one statement writes.
const rowsAtOnce = 200

// table is what Copy knows of a table: its columns, and what its primary key orders rows by.
type table struct {
	name    string
	columns []string
	key     []string
	derived bool // a trigger fills it
}

// Copied is how many rows of a table were copied and found to be the same.
type Copied struct {
	Table string
	Rows  int
}

// Copy copies a whole club into an empty database, in one transaction, and then compares every row. The errors are
// ErrNotEmpty, ErrServed, and whatever differs.
func Copy(ctx context.Context, from, to *Store, now time.Time) ([]Copied, error) {
	last, stopped, err := from.LastAlive(ctx)
	if err != nil {
		return nil, err
	}
	if !stopped && now.Sub(last) < servedWithin {
		return nil, fmt.Errorf("%s: %w", from.name, ErrServed)
	}
	return copyAll(ctx, from, to)
}

// copyAll copies one moment of a club, which may be played meanwhile.
func copyAll(ctx context.Context, from, to *Store) ([]Copied, error) {
	tables, err := from.tables(ctx)
	if err != nil {
		return nil, err
	}
	theirs, err := from.sameShape(ctx, to, tables)
	if err != nil {
		return nil, err
	}
	for _, t := range tables {
		var n int
		if err := to.db.QueryRowContext(ctx, `SELECT COUNT(*) FROM `+t.name).Scan(&n); err != nil {
			return nil, err
		}
		if n > 0 {
			return nil, fmt.Errorf("%s: table %q has %d rows: %w", to.name, t.name, n, ErrNotEmpty)
		}
	}
	source, err := from.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true, Isolation: from.kind.snapshot})
	if err != nil {
		return nil, err
	}
	defer source.Rollback()
	target, err := to.db.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	defer target.Rollback()
	if err := errors.Join(from.kind.wait(ctx, source), to.kind.wait(ctx, target)); err != nil {
		return nil, err
	}
	for _, t := range tables {
		if t.derived {
			continue
		}
		if err := t.copy(ctx, source, target); err != nil {
			return nil, fmt.Errorf("copying table %q: %w", t.name, err)
		}
	}
	if err := to.resume(ctx, target, tables); err != nil {
		return nil, err
	}
	if err := target.Commit(); err != nil {
		return nil, err
	}
	copied := make([]Copied, len(tables))
	for i, t := range tables {
		n, err := t.compare(ctx, source, to.db, theirs[t.name])
		if err != nil {
			return nil, fmt.Errorf("table %q: %w", t.name, err)
		}
		copied[i] = Copied{t.name, n}
	}
	return copied, nil
}

// derivedTables are filled by triggers.
var derivedTables = []string{"pool"}

// tables returns the tables of this program in an order in which each comes after those it refers to.
func (s *Store) tables(ctx context.Context) ([]table, error) {
	names, err := readTexts(s.db, s.kind.tables)
	if err != nil {
		return nil, err
	}
	names = slices.DeleteFunc(names, func(name string) bool { return name == goose.DefaultTablename })
	slices.Sort(names)
	var sorted []table
	placed := map[string]bool{}
	for len(sorted) < len(names) {
		before := len(sorted)
		for _, name := range names {
			if placed[name] {
				continue
			}
			refers, err := readTexts(s.db, s.kind.references, name)
			if err != nil {
				return nil, err
			}
			if slices.ContainsFunc(refers, func(other string) bool { return other != name && !placed[other] }) {
				continue
			}
			t := table{name: name, derived: slices.Contains(derivedTables, name)}
			if t.columns, err = s.columns(ctx, name); err != nil {
				return nil, err
			}
			if t.key, err = readTexts(s.db, s.kind.keys, name); err != nil {
				return nil, err
			}
			if len(t.key) == 0 {
				return nil, fmt.Errorf("%s: table %q has no primary key", s.name, name)
			}
			placed[name] = true
			sorted = append(sorted, t)
		}
		if len(sorted) == before {
			return nil, fmt.Errorf("%s: the tables refer to each other in a circle", s.name)
		}
	}
	return sorted, nil
}

// columns returns the names of a table's columns in order of the alphabet, since databases keep them in different ones.
func (s *Store) columns(ctx context.Context, table string) ([]string, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT * FROM `+table+` WHERE 1 = 0`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	names, err := rows.Columns()
	slices.Sort(names)
	return names, err
}

// sameShape returns the tables of another database by name, and refuses one whose tables differ.
func (s *Store) sameShape(ctx context.Context, other *Store, tables []table) (map[string]table, error) {
	theirs, err := other.tables(ctx)
	if err != nil {
		return nil, err
	}
	shape := func(tables []table) string {
		var lines []string
		for _, t := range tables {
			lines = append(lines, t.name+" ("+strings.Join(t.columns, ", ")+")")
		}
		slices.Sort(lines)
		return strings.Join(lines, "\n")
	}
	if a, b := shape(tables), shape(theirs); a != b {
		return nil, fmt.Errorf("the tables of %s are not those of %s:\n%s\nand\n%s", s.name, other.name, a, b)
	}
	named := map[string]table{}
	for _, t := range theirs {
		named[t.name] = t
	}
	return named, nil
}

// all is the query for every row of a table, in the order of its key.
func (t table) all() string {
	return `SELECT ` + strings.Join(t.columns, ", ") + ` FROM ` + t.name + ` ORDER BY ` + strings.Join(t.key, ", ")
}

// asker is a database or a transaction of it.
type asker interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// each calls do with every row of a table, as plain values.
func (t table) each(ctx context.Context, db asker, do func(row []any) error) error {
	rows, err := db.QueryContext(ctx, t.all())
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		row := make([]any, len(t.columns))
		into := make([]any, len(row))
		for i := range row {
			into[i] = &row[i]
		}
		if err := rows.Scan(into...); err != nil {
			return err
		}
		for i, value := range row {
			row[i] = plain(t.name, value)
		}
		if err := do(row); err != nil {
			return err
		}
	}
	return rows.Err()
}

// plain brings a value into the one form that both kinds of databases hold it in.
func plain(table string, value any) any {
	switch v := value.(type) {
	case string:
		return mend(v)
	case int64:
		if table == "setting" { // as it was stored before there was PostgreSQL
			return strconv.AppendInt(nil, v, 10)
		}
	case []byte:
		return append([]byte{}, v...)
	}
	return value
}

// copy copies every row.
func (t table) copy(ctx context.Context, from, to *sql.Tx) error {
	var values []any
	write := func() error {
		if len(values) == 0 {
			return nil
		}
		var rows []string
		for at := 0; at < len(values); at += len(t.columns) {
			var places []string
			for i := range t.columns {
				places = append(places, fmt.Sprintf("$%d", at+i+1))
			}
			rows = append(rows, "("+strings.Join(places, ", ")+")")
		}
		_, err := to.ExecContext(ctx, `INSERT INTO `+t.name+` (`+strings.Join(t.columns, ", ")+`) VALUES `+strings.Join(rows, ", "), values...)
		values = values[:0]
		return err
	}
	err := t.each(ctx, from, func(row []any) error {
		values = append(values, row...)
		if len(values) < rowsAtOnce*len(t.columns) {
			return nil
		}
		return write()
	})
	if err != nil {
		return err
	}
	return write()
}

// resume lets the counters of columns go on after the highest number.
func (s *Store) resume(ctx context.Context, tx *sql.Tx, tables []table) error {
	for _, t := range tables {
		columns, err := readTexts(s.db, s.kind.numbered, t.name)
		if err != nil {
			return err
		}
		for _, column := range columns {
			if _, err := tx.ExecContext(ctx, fmt.Sprintf(`SELECT setval(pg_get_serial_sequence('%[1]s', '%[2]s')::regclass, MAX(%[2]s)) FROM %[1]s HAVING COUNT(*) > 0`, t.name, column)); err != nil {
				return err
			}
		}
	}
	return nil
}

// compare reads every row of both and returns how many there are, or the first that differs.
func (t table) compare(ctx context.Context, from *sql.Tx, to asker, copied table) (n int, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	theirs := make(chan []any, rowsAtOnce)
	ended := make(chan error, 1)
	go func() {
		defer close(theirs)
		ended <- copied.each(ctx, to, func(row []any) error {
			select {
			case theirs <- row:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		})
	}()
	err = t.each(ctx, from, func(row []any) error {
		other, ok := <-theirs
		if !ok {
			return errors.Join(fmt.Errorf("the copy ends after %d rows", n), <-ended)
		}
		for i := range row {
			if !same(row[i], other[i]) {
				return fmt.Errorf("row %d differs in %q: %v and %v", n+1, t.columns[i], row[i], other[i])
			}
		}
		n++
		return nil
	})
	if err != nil {
		return n, err
	}
	if extra, ok := <-theirs; ok {
		return n, fmt.Errorf("the copy has more rows than %d, the next is %v", n, extra)
	}
	return n, <-ended
}

func same(a, b any) bool {
	left, ok := a.([]byte)
	if right, also := b.([]byte); ok && also {
		return bytes.Equal(left, right)
	}
	return !ok && a == b
}
