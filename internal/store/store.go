// Package store keeps the club in an SQL database: a SQLite file by default, PostgreSQL by its address. Statements are
// written once, for both. It satisfies what live and web declare they need.
package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// connections bounds the readers at work at once; there is one writer of each sort.
const connections = 16

// Store is an open database. It is safe for use by many goroutines.
type Store struct {
	db     database
	kind   kind
	name   string // for errors; without a password
	path   string // of a file
	newest int64  // the last migration of this program
	writer *writer
	moves  *writer      // of what only adds to the log of a match; the same as writer where there is one
	clock  atomic.Int64 // how far the database's clock is ahead of this machine's, in nanoseconds
	doubt  atomic.Int64 // how far off that may be
}

// Open opens a database and brings it up to date: PostgreSQL for an address that begins with postgres://, the SQLite
// file in a directory for anything else. What is foreign, damaged, or written by a newer program is refused and left as
// it is. Several processes may open one at once.
func Open(ctx context.Context, place string) (*Store, error) {
	begin := openSQLite
	if remote(place) {
		begin = openPostgres
	}
	s, err := begin(ctx, place)
	if err != nil {
		return nil, err
	}
	// opening a connection costs more than most queries, so they are kept
	s.db.SetMaxOpenConns(connections)
	s.db.SetMaxIdleConns(connections)
	if err := s.migrate(ctx); err != nil {
		return nil, errors.Join(err, s.db.Close())
	}
	if err := s.write(); err != nil {
		return nil, errors.Join(fmt.Errorf("opening %s for writing: %w", s.name, err), s.Close())
	}
	return s, nil
}

// write starts the writers.
func (s *Store) write() error {
	way, moves, err := s.kind.ways(s)
	if err != nil {
		return err
	}
	if s.writer, err = newWriter(s.db, way); err != nil {
		return err
	}
	s.moves = s.writer
	if moves != nil {
		s.moves, err = newWriter(s.db, *moves)
	}
	return err
}

// remote reports whether a place is the address of a PostgreSQL server.
func remote(place string) bool {
	return strings.HasPrefix(place, "postgres://") || strings.HasPrefix(place, "postgresql://")
}

// Exists reports whether there is a database at a place; for a server, whether there may be.
func Exists(place string) bool {
	if remote(place) {
		return true
	}
	_, err := os.Stat(filepath.Join(place, FileName))
	return err == nil
}

// Close waits for what is being written and closes the database.
func (s *Store) Close() error {
	var errs []error
	for _, w := range []*writer{s.writer, s.moves} {
		if w != nil {
			w.stop()
			errs = append(errs, w.close())
		}
	}
	return errors.Join(append(errs, s.db.Close())...)
}

// Waiting returns how many writes wait for their turn.
func (s *Store) Waiting() int {
	if s.moves == s.writer {
		return len(s.writer.queue)
	}
	return len(s.writer.queue) + len(s.moves.queue)
}

// Stats returns how the connections are used.
func (s *Store) Stats() sql.DBStats { return s.db.Stats() }

// ErrBehind is returned by Ready for a database that lacks migrations of this program.
var ErrBehind = errors.New("the database is older than this program")

// Ready returns nil while the database answers and has all that this program needs of it.
func (s *Store) Ready(ctx context.Context) error {
	stored, err := s.Version(ctx)
	if err == nil && stored < s.newest {
		err = fmt.Errorf("%s has version %d, expected %d: %w", s.name, stored, s.newest, ErrBehind)
	}
	return err
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
	if err := s.readClock(ctx); err != nil {
		return err
	}
	return s.writer.do(ctx, func(tx *transaction) error {
		_, err := tx.Exec(`INSERT INTO setting (name, value) VALUES ('alive', $1) ON CONFLICT (name) DO UPDATE SET value = EXCLUDED.value
			WHERE setting.value < EXCLUDED.value`, // one that was held up must not turn it back
			strconv.AppendInt(nil, now.UnixMilli(), 10))
		return err
	})
}

// Now returns the time by the database's clock, so that processes on several machines agree about deadlines.
func (s *Store) Now() time.Time { return time.Now().Add(time.Duration(s.clock.Load())) }

// Stopped notes that nobody runs the service since an instant; see live.Store.
func (s *Store) Stopped(ctx context.Context, since time.Time) error {
	return s.writer.do(ctx, func(tx *transaction) error {
		_, err := tx.Exec(`INSERT INTO setting (name, value) VALUES ('stopped', $1) ON CONFLICT (name) DO UPDATE SET value = EXCLUDED.value`,
			strconv.AppendInt(nil, since.UnixMilli(), 10))
		return err
	})
}

// LastAlive returns when the service last noted that it runs, zero for never; see live.Store.
func (s *Store) LastAlive(ctx context.Context) (at time.Time, stopped bool, err error) {
	times := map[string]int64{}
	rows, err := s.db.QueryContext(ctx, `SELECT name, value FROM setting WHERE name IN ('alive', 'stopped')`)
	if err == nil {
		defer rows.Close()
		for rows.Next() && err == nil {
			var name string
			var value int64
			if err = rows.Scan(&name, &value); err == nil {
				times[name] = value
			}
		}
		err = errors.Join(err, rows.Err())
	}
	if err != nil {
		return at, false, fmt.Errorf("reading when the service was last alive: %w", err)
	}
	if times["stopped"] > 0 && times["stopped"] >= times["alive"] {
		return time.UnixMilli(times["stopped"]), true, nil
	}
	if times["alive"] > 0 {
		at = time.UnixMilli(times["alive"])
	}
	return at, false, nil
}
