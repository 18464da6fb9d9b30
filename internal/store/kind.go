package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/pressly/goose/v3"
)

// Migrations are written once where one text serves both kinds of database. What stands in migrations/postgres takes
// the place there of what has the same name, and of all that is not newer.
//
//go:embed migrations
var migrations embed.FS

// kind is what differs between kinds of databases.
type kind struct {
	goose      goose.Dialect
	migrations fs.FS
	// ways returns how transactions are written that have the club to themselves, and, where those may happen beside
	// them, those that only add to the logs of matches
	ways func(*Store) (way, *way, error)
	// what Copy asks: the names of all tables; those that one refers to; what its primary key orders rows by, texts by their bytes;
	// the columns that have a counter of their own
	tables, references, keys, numbered string
	snapshot                           sql.IsolationLevel // in which a long reading sees one moment
	patient                            string             // lets a transaction wait for as long as it likes
	// lock keeps other processes from migrating until it is released
	lock func(context.Context, *sql.DB) (release func(), err error)
}

// wait lets a transaction that copies wait for its other side.
func (k kind) wait(ctx context.Context, tx *sql.Tx) error {
	if k.patient == "" {
		return nil
	}
	_, err := tx.ExecContext(ctx, k.patient)
	return err
}

// onlyFiles is the migrations for SQLite: those in the topmost folder.
type onlyFiles struct{ fs.FS }

func (o onlyFiles) Open(name string) (fs.File, error) { return o.FS.Open("migrations/" + name) }

func (o onlyFiles) ReadDir(name string) ([]fs.DirEntry, error) {
	return fs.ReadDir(o.FS, strings.TrimSuffix("migrations/"+name, "/."))
}

// overlaid is the migrations for PostgreSQL: its own, and those that are newer than the first of them.
type overlaid struct{ onlyFiles }

const own = "postgres/"

func (o overlaid) Open(name string) (fs.File, error) {
	file, err := o.onlyFiles.Open(own + name)
	if errors.Is(err, fs.ErrNotExist) {
		return o.onlyFiles.Open(name)
	}
	return file, err
}

func (o overlaid) ReadDir(name string) ([]fs.DirEntry, error) {
	files, err := o.onlyFiles.ReadDir(own + name)
	if err != nil {
		return nil, err
	}
	first, known := files[0].Name(), map[string]bool{}
	for _, file := range files {
		known[file.Name()] = true
	}
	common, err := o.onlyFiles.ReadDir(name)
	for _, file := range common {
		if !file.IsDir() && file.Name() > first && !known[file.Name()] {
			files = append(files, file)
		}
	}
	return files, err
}

// migrate brings the database up to date, and refuses one that a newer program wrote.
func (s *Store) migrate(ctx context.Context) error {
	release, err := s.kind.lock(ctx, s.db.DB)
	if err != nil {
		return fmt.Errorf("%s cannot be locked: %w", s.name, err)
	}
	defer release()
	provider, err := goose.NewProvider(s.kind.goose, s.db.DB, s.kind.migrations)
	if err != nil {
		return fmt.Errorf("reading the migrations: %w", err)
	}
	sources := provider.ListSources()
	newest := sources[len(sources)-1].Version
	s.newest = newest
	for before := int64(-1); ; {
		stored, err := provider.GetDBVersion(ctx)
		if err != nil {
			return fmt.Errorf("%s: reading its version: %w", s.name, err)
		}
		if stored > newest {
			return fmt.Errorf("%s has version %d, this program knows up to %d: it was written by a newer program", s.name, stored, newest)
		}
		_, err = provider.Up(ctx)
		if err == nil {
			return nil
		}
		if stored == before {
			return fmt.Errorf("%s: bringing it from version %d to %d: %w", s.name, stored, newest, err)
		}
		before = stored // another process may have been faster, and then there is less to do
	}
}

// database is a pool of connections. Texts that no database takes are mended on their way.
type database struct {
	*sql.DB
	kept *statements // nil where the driver keeps them itself
}

// QueryContext returns the rows of a query.
func (d database) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if statement := d.kept.of(ctx, d.DB, query); statement != nil {
		return statement.QueryContext(ctx, mended(args)...)
	}
	return d.DB.QueryContext(ctx, query, mended(args)...)
}

// QueryRowContext returns the one row of a query.
func (d database) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	if statement := d.kept.of(ctx, d.DB, query); statement != nil {
		return statement.QueryRowContext(ctx, mended(args)...)
	}
	return d.DB.QueryRowContext(ctx, query, mended(args)...)
}

// statements keeps the prepared form of queries: reading SQL costs SQLite more than carrying most of it out. They are
// closed with the connections. Its zero value is ready; nil keeps nothing.
type statements struct {
	mu    sync.Mutex
	known map[string]*sql.Stmt
}

// mostStatements bounds what is kept, where texts are put together.
const mostStatements = 500

// of returns the prepared form of a query, nil where it has none; then the query is to be asked as it is.
func (k *statements) of(ctx context.Context, db *sql.DB, query string) *sql.Stmt {
	if k == nil {
		return nil
	}
	k.mu.Lock()
	known, full := k.known[query], len(k.known) >= mostStatements
	k.mu.Unlock()
	if known != nil || full {
		return known
	}
	made, err := db.PrepareContext(ctx, query)
	if err != nil {
		return nil // the query itself will say what is wrong
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if known := k.known[query]; known != nil {
		made.Close()
		return known
	}
	if k.known == nil {
		k.known = map[string]*sql.Stmt{}
	}
	k.known[query] = made
	return made
}

// Query returns the rows of a query.
func (d database) Query(query string, args ...any) (*sql.Rows, error) {
	return d.QueryContext(context.Background(), query, args...)
}

// QueryRow returns the one row of a query.
func (d database) QueryRow(query string, args ...any) *sql.Row {
	return d.QueryRowContext(context.Background(), query, args...)
}

// mended replaces what PostgreSQL does not take in a text: bytes that are no UTF-8, and zeros. It changes the slice.
func mended(args []any) []any {
	for i, arg := range args {
		if text, ok := arg.(string); ok {
			if clean := mend(text); clean != text {
				args[i] = clean
			}
		}
	}
	return args
}

func mend(text string) string {
	if utf8.ValidString(text) && strings.IndexByte(text, 0) < 0 {
		return text
	}
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
}
