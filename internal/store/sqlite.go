package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/pressly/goose/v3"
	_ "modernc.org/sqlite" // the driver "sqlite"
)

// FileName is the name of the database file in the data directory.
const FileName = "loa.db"

// applicationID marks a SQLite file as ours: "LOAc" in ASCII.
const applicationID = 0x4c4f4163

// sqlite has one writer for everything: the file has room for no more.
var sqlite = kind{
	goose: goose.DialectSQLite3, migrations: onlyFiles{migrations},
	ways: func(s *Store) (way, *way, error) {
		log, err := os.OpenFile(s.path+"-wal", os.O_RDWR, 0) // it is there as long as a connection is
		return way{session: []string{"PRAGMA synchronous = normal"}, begin: []string{"BEGIN IMMEDIATE"}, log: log}, nil, err
	},
	tables:     `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'`,
	references: `SELECT "table" FROM pragma_foreign_key_list($1)`,
	keys:       `SELECT name FROM pragma_table_info($1) WHERE pk > 0 ORDER BY pk`,
	numbered:   `SELECT '' WHERE $1 <> $1`, // a new row is numbered after the highest
	lock:       func(context.Context, *sql.DB) (func(), error) { return func() {}, nil },
}

// openSQLite opens the file in a directory, which it makes when absent. A file that is empty, truncated or foreign is
// refused and left as it is.
func openSQLite(ctx context.Context, dir string) (*Store, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("data directory %q cannot be made: %w", dir, err)
	}
	path := filepath.Join(dir, FileName)
	for {
		s, err := openFile(ctx, dir, path)
		if !errors.Is(err, errUnsigned) || !young(path) {
			return s, err
		}
		select { // another process is making it
		case <-ctx.Done():
			return nil, err
		case <-time.After(youth / 10):
		}
	}
}

// errUnsigned is a file that bears no sign of this program yet.
var errUnsigned = errors.New("not one of this program")

// youth is longer than making a new file takes.
const youth = 300 * time.Millisecond

// young reports whether a file was made or changed just now.
func young(path string) bool {
	info, err := os.Stat(path)
	return err == nil && time.Since(info.ModTime()) < youth
}

func openFile(ctx context.Context, dir, path string) (*Store, error) {
	fresh, err := examine(path)
	if err != nil {
		return nil, err
	}
	if err := writable(dir); err != nil {
		return nil, err
	}
	dsn := "file:" + (&url.URL{Path: path}).EscapedPath() +
		"?_pragma=busy_timeout(10000)&_pragma=journal_mode(wal)&_pragma=synchronous(full)&_pragma=wal_autocheckpoint(4000)&_pragma=foreign_keys(on)&_txlock=immediate"
	db, err := sql.Open("sqlite", dsn)
	if err != nil {
		return nil, fmt.Errorf("opening %q: %w", path, err)
	}
	s := &Store{db: database{db, new(statements)}, kind: sqlite, path: path, name: fmt.Sprintf("database %q", path)}
	if err := s.sign(ctx, fresh); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return s, nil
}

// writable tells a directory that cannot be written to before SQLite says "unable to open database file".
func writable(dir string) error {
	probe, err := os.CreateTemp(dir, ".writable-*")
	if err != nil {
		return fmt.Errorf("data directory %q is not writable: %w", dir, err)
	}
	probe.Close()
	return os.Remove(probe.Name())
}

// examine looks at the file before SQLite does, which would take an empty one for a new database. It reports
// whether there is none yet.
func examine(path string) (fresh bool, err error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	if err != nil {
		return false, fmt.Errorf("database %q cannot be read: %w", path, err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return false, fmt.Errorf("database %q cannot be read: %w", path, err)
	}
	log, err := os.Open(path + "-wal")
	if errors.Is(err, fs.ErrNotExist) {
		return false, examineHeader(path, file, info.Size(), nil)
	}
	if err != nil {
		return false, fmt.Errorf("the log of database %q cannot be read: %w", path, err)
	}
	defer log.Close()
	return false, examineHeader(path, file, info.Size(), log)
}

// sign marks a fresh file as ours, and refuses one that is not.
func (s *Store) sign(ctx context.Context, fresh bool) error {
	if fresh {
		if _, err := s.db.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d", applicationID)); err != nil {
			return fmt.Errorf("%s cannot be written: %w", s.name, err)
		}
		return nil
	}
	var id int
	if err := s.db.QueryRowContext(ctx, "PRAGMA application_id").Scan(&id); err != nil {
		return fmt.Errorf("%s cannot be opened: %w", s.name, err)
	}
	if id != applicationID {
		return fmt.Errorf("%s is %w: its application id is %#x, expected %#x", s.name, errUnsigned, id, applicationID)
	}
	return nil
}

// sound has a file checked as a whole: its pages, its indexes, and what its rows refer to.
func (s *Store) sound(ctx context.Context) error {
	faults, err := readTexts(s.db, `SELECT integrity_check FROM pragma_integrity_check WHERE integrity_check <> 'ok'`)
	if err != nil {
		return err
	}
	if len(faults) > 0 {
		return errors.New(strings.Join(faults, "; "))
	}
	faults, err = readTexts(s.db, `SELECT "table" FROM pragma_foreign_key_check`)
	if err == nil && len(faults) > 0 {
		err = fmt.Errorf("%d rows refer to rows that are not there, the first in table %q", len(faults), faults[0])
	}
	return err
}
