package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
)

// advisory locks, by the letters "LOA" and a number: one for migrations, one for whoever has the club to itself.
const (
	lockMigrations = 0x4c4f4101
	lockClub       = 0x4c4f4102
)

// postgres has two writers in every process. What adds to the log of a match is guarded by the match's row and may
// happen anywhere at once. The rest has the club to itself, as all has in SQLite, so that what reads first and then
// writes is right in both.
var postgres = kind{
	goose: goose.DialectPostgres, migrations: overlaid{onlyFiles{migrations}},
	ways: func(*Store) (way, *way, error) {
		lock := fmt.Sprintf("SELECT pg_advisory_xact_lock(%d)", lockClub)
		return way{begin: []string{"BEGIN", lock}}, &way{begin: []string{"BEGIN"}}, nil
	},
	tables:     `SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'`,
	references: `SELECT confrelid::regclass::text FROM pg_constraint WHERE contype = 'f' AND conrelid = to_regclass($1)`,
	keys: `SELECT CASE a.atttypid WHEN 'text'::regtype THEN quote_ident(a.attname) || ' COLLATE "C"' ELSE quote_ident(a.attname) END FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
		WHERE i.indisprimary AND i.indrelid = to_regclass($1) ORDER BY array_position(i.indkey::smallint[], a.attnum)`,
	snapshot: sql.LevelRepeatableRead,
	patient:  "SET LOCAL idle_in_transaction_session_timeout = 0",
	numbered: `SELECT column_name FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = $1 AND is_identity = 'YES'`,
	lock:     lockPostgres,
}

// Bounds on a server, in milliseconds: a process that is frozen within a transaction must not hold the others up.
const (
	idleWithin = "2000"
	lockWithin = "8000"
	dialWithin = 5 * time.Second
)

// openPostgres opens a database of a server. One with tables of another program is refused.
func openPostgres(ctx context.Context, address string) (*Store, error) {
	config, err := pgx.ParseConfig(address)
	if err != nil {
		return nil, fmt.Errorf("database address cannot be read, expected postgres://user:password@host:port/name: %w", err)
	}
	config.ConnectTimeout = dialWithin
	config.RuntimeParams["application_name"] = "loa"
	config.RuntimeParams["idle_in_transaction_session_timeout"] = idleWithin
	config.RuntimeParams["lock_timeout"] = lockWithin
	s := &Store{
		db: database{DB: stdlib.OpenDB(*config)}, kind: postgres,
		name: fmt.Sprintf("database %q on %s", config.Database, config.Host),
	}
	if err := s.belongs(ctx); err != nil {
		return nil, errors.Join(err, s.db.Close())
	}
	return s, s.readClock(ctx)
}

// belongs refuses a database that another program has tables in.
func (s *Store) belongs(ctx context.Context) error {
	tables, err := readTexts(s.db, s.kind.tables)
	if err != nil {
		return fmt.Errorf("%s cannot be opened: %w", s.name, err)
	}
	known := map[string]bool{}
	for _, table := range tables {
		known[table] = true
	}
	if len(tables) == 0 || known["goose_db_version"] && (known["match"] && known["event"] || len(tables) == 1) {
		return nil
	}
	return fmt.Errorf("%s is not one of this program: it has the table %q; expected an empty database, or one that loa made", s.name, tables[0])
}

func lockPostgres(ctx context.Context, db *sql.DB) (release func(), err error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := conn.ExecContext(ctx, fmt.Sprintf("SET lock_timeout = 0; SELECT pg_advisory_lock(%d)", lockMigrations)); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return func() { discard(conn) }, nil // the lock ends with the connection
}

// discard closes a connection that is not to be used again.
func discard(conn *sql.Conn) {
	_ = conn.Raw(func(any) error { return driver.ErrBadConn })
	_ = conn.Close()
}

// readClock measures how far the database's clock is ahead. A measurement counts when it contradicts the last one.
func (s *Store) readClock(ctx context.Context) error {
	if s.kind.goose != goose.DialectPostgres {
		return nil
	}
	before := time.Now()
	var micros int64
	if err := s.db.QueryRowContext(ctx, `SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint`).Scan(&micros); err != nil {
		return fmt.Errorf("reading the clock of %s: %w", s.name, err)
	}
	trip := time.Since(before)
	ahead := int64(time.UnixMicro(micros).Sub(before.Add(trip / 2)))
	known, doubt := s.clock.Load(), s.doubt.Load()
	if off := max(ahead-known, known-ahead); doubt == 0 || int64(trip) < doubt || off > doubt/2+int64(trip)/2 {
		s.clock.Store(ahead)
		s.doubt.Store(int64(trip))
	}
	return nil
}

// again reports whether a transaction was undone for no fault of its own, and should be tried once more.
func again(err error) bool {
	var refused *pgconn.PgError
	return errors.As(err, &refused) && (refused.Code == "40P01" || refused.Code == "40001") // deadlock, serialization
}

// taken reports whether an error says that another row has the same unique value.
func taken(err error) bool {
	var refused *pgconn.PgError
	return errors.As(err, &refused) && refused.Code == "23505" || err != nil && strings.Contains(err.Error(), "UNIQUE constraint failed")
}

// Unavailable reports whether an error says that the database cannot be reached or is shutting down, so that the same
// may succeed a moment later.
func Unavailable(err error) bool {
	var dial *pgconn.ConnectError
	var network net.Error
	var refused *pgconn.PgError
	switch {
	case errors.As(err, &refused):
		return strings.HasPrefix(refused.Code, "08") || strings.HasPrefix(refused.Code, "57P") ||
			refused.Code == "25P03" || refused.Code == "53300" || refused.Code == "55P03"
	case errors.As(err, &dial), errors.As(err, &network):
		return true
	}
	return errors.Is(err, driver.ErrBadConn) || errors.Is(err, sql.ErrConnDone) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) ||
		err != nil && strings.Contains(err.Error(), "conn closed")
}
