// Package store keeps the club in an SQL database: a SQLite file by default. It satisfies what live and web
// declare they need.
package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/pressly/goose/v3"
	_ "modernc.org/sqlite" // the driver "sqlite"
)

//go:embed migrations/*.sql
var migrations embed.FS

// FileName is the name of the database file in the data directory.
const FileName = "loa.db"

// applicationID marks a SQLite file as ours: "LOAc" in ASCII.
const applicationID = 0x4c4f4163

// connections bounds the readers at work at once; there is one writer.
const connections = 16

// Store is an open database. It is safe for use by many goroutines.
type Store struct {
	db     *sql.DB
	writer *writer
}

// Open opens the database in a directory, which it makes when absent, and brings it up to date. A file that is
// empty, truncated, foreign, or written by a newer program is refused and left as it is.
func Open(ctx context.Context, dir string) (*Store, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("data directory %q cannot be made: %w", dir, err)
	}
	path := filepath.Join(dir, FileName)
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
	// opening a connection costs more than most queries, so they are kept
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	s := &Store{db: db}
	if err := s.prepare(ctx, path, fresh); err != nil {
		db.Close()
		return nil, err
	}
	log, err := os.OpenFile(path+"-wal", os.O_RDWR, 0) // it is there as long as a connection is
	if err == nil {
		s.writer, err = newWriter(ctx, db, log)
	}
	if err != nil {
		return nil, fmt.Errorf("opening %q for writing: %w", path, errors.Join(err, db.Close()))
	}
	return s, nil
}

// Exists reports whether there is a database in a directory.
func Exists(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, FileName))
	return err == nil
}

// Close waits for what is being written and closes the database.
func (s *Store) Close() error {
	s.writer.stop()
	return errors.Join(s.writer.close(), s.db.Close())
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

// prepare checks that the database is ours and not newer than this program, and migrates it.
func (s *Store) prepare(ctx context.Context, path string, fresh bool) error {
	var id int
	if err := s.db.QueryRowContext(ctx, "PRAGMA application_id").Scan(&id); err != nil {
		return fmt.Errorf("database %q cannot be opened: %w", path, err)
	}
	if fresh {
		if _, err := s.db.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d", applicationID)); err != nil {
			return fmt.Errorf("database %q cannot be written: %w", path, err)
		}
	} else if id != applicationID {
		return fmt.Errorf("database %q is not one of this program: its application id is %#x, expected %#x", path, id, applicationID)
	}
	dir, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	provider, err := goose.NewProvider(goose.DialectSQLite3, s.db, dir)
	if err != nil {
		return fmt.Errorf("reading the migrations: %w", err)
	}
	stored, err := provider.GetDBVersion(ctx)
	if err != nil {
		return fmt.Errorf("database %q: reading its version: %w", path, err)
	}
	sources := provider.ListSources()
	newest := sources[len(sources)-1].Version
	if stored > newest {
		return fmt.Errorf("database %q has version %d, this program knows up to %d: it was written by a newer program", path, stored, newest)
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("database %q: bringing it from version %d to %d: %w", path, stored, newest, err)
	}
	return nil
}

// Key returns the server's secret key, 32 random bytes made on first use.
func (s *Store) Key(ctx context.Context) ([]byte, error) {
	key := make([]byte, 32)
	if _, err := rand.Read(key); err != nil {
		return nil, err
	}
	if _, err := s.db.ExecContext(ctx, "INSERT INTO setting (name, value) VALUES ('key', $1) ON CONFLICT (name) DO NOTHING", key); err != nil {
		return nil, fmt.Errorf("storing the server's key: %w", err)
	}
	if err := s.db.QueryRowContext(ctx, "SELECT value FROM setting WHERE name = 'key'").Scan(&key); err != nil {
		return nil, fmt.Errorf("reading the server's key: %w", err)
	}
	if len(key) != 32 {
		return nil, fmt.Errorf("the server's key has %d bytes, expected 32", len(key))
	}
	return key, nil
}

// Alive notes that the service runs at now; see live.Store.
func (s *Store) Alive(ctx context.Context, now time.Time) error {
	return s.writer.do(ctx, func(tx *transaction) error {
		_, err := tx.Exec(`INSERT INTO setting (name, value) VALUES ('alive', $1) ON CONFLICT (name) DO UPDATE SET value = $1`, now.UnixMilli())
		return err
	})
}

// LastAlive returns when the service last noted that it runs, zero for never.
func (s *Store) LastAlive(ctx context.Context) (time.Time, error) {
	var at int64
	err := s.db.QueryRowContext(ctx, `SELECT value FROM setting WHERE name = 'alive'`).Scan(&at)
	if errors.Is(err, sql.ErrNoRows) {
		return time.Time{}, nil
	}
	if err != nil {
		return time.Time{}, fmt.Errorf("reading when the service was last alive: %w", err)
	}
	return time.UnixMilli(at), nil
}
