package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

// writer commits in groups: everything that arrives while one transaction is being synced to disk goes into
// the next, so each caller waits for a real sync and a busy server still pays few of them.
type writer struct {
	on    *transaction
	begin []string
	queue chan *write
	quit  chan struct{}
	once  sync.Once // closes quit
	done  sync.WaitGroup
}

// transaction runs statements on the one connection that writes. Each is prepared once for the life of the store:
// reading SQL costs SQLite more than carrying it out.
type transaction struct {
	db       database
	conn     *sql.Conn // nil after it was lost
	prepared map[string]*sql.Stmt
}

// connect makes sure that there is a connection.
func (t *transaction) connect() error {
	if t.conn != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), connectWithin)
	defer cancel()
	conn, err := t.db.Conn(ctx)
	if err == nil {
		t.conn = conn
	}
	return err
}

// connectWithin bounds how long writers wait for a connection before they are told that there is none.
const connectWithin = 5 * time.Second

// lose gives up a connection that no longer works.
func (t *transaction) lose() {
	clear(t.prepared)
	if t.conn != nil {
		discard(t.conn)
		t.conn = nil
	}
}

// statement returns the prepared form of a query.
func (t *transaction) statement(query string) (*sql.Stmt, error) {
	if known, ok := t.prepared[query]; ok {
		return known, nil
	}
	made, err := t.conn.PrepareContext(context.Background(), query)
	if err != nil {
		return nil, err
	}
	t.prepared[query] = made
	return made, nil
}

// close gives the connection up. SQLite folds its log into the file only when nothing is prepared any more. It may be
// called again.
func (t *transaction) close() error {
	var errs []error
	for query, statement := range t.prepared {
		errs = append(errs, statement.Close())
		delete(t.prepared, query)
	}
	if t.conn == nil {
		return errors.Join(errs...)
	}
	if err := t.conn.Close(); err != nil && !errors.Is(err, sql.ErrConnDone) {
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// Exec carries a statement out.
func (t *transaction) Exec(query string, args ...any) (sql.Result, error) {
	statement, err := t.statement(query)
	if err != nil {
		return nil, err
	}
	return statement.Exec(mended(args)...)
}

// Query returns the rows of a query.
func (t *transaction) Query(query string, args ...any) (*sql.Rows, error) {
	return t.conn.QueryContext(context.Background(), query, mended(args)...)
}

// QueryRow returns the one row of a query.
func (t *transaction) QueryRow(query string, args ...any) *sql.Row {
	return t.conn.QueryRowContext(context.Background(), query, mended(args)...)
}

// write is one caller's statements. They succeed or fail on their own within the group, and may be run twice.
type write struct {
	run    func(*transaction) error
	match  string // whose log it adds to, if it does nothing else
	result chan error
	err    error
}

// groupLimit bounds a group, so that one transaction never holds the file for long.
const groupLimit = 256

// errClosed is returned for what arrives after the store is closed.
var errClosed = errors.New("the store is closed")

// newWriter returns a writer whose transactions begin with the statements given.
func newWriter(ctx context.Context, db database, begin []string) (*writer, error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	w := &writer{
		on: &transaction{db: db, conn: conn, prepared: map[string]*sql.Stmt{}}, begin: begin,
		queue: make(chan *write, groupLimit), quit: make(chan struct{}),
	}
	w.done.Add(1)
	go w.loop()
	return w, nil
}

// do runs statements in the next group and returns when they are on disk, or failed. A canceled context stops
// the waiting for a place, never a write that has one: its caller is told how it ended.
func (w *writer) do(ctx context.Context, run func(*transaction) error) error {
	return w.add(ctx, "", run)
}

// add is do for what only adds to the log of a match.
func (w *writer) add(ctx context.Context, match string, run func(*transaction) error) error {
	one := &write{run: run, match: match, result: make(chan error, 1)}
	select {
	case <-w.quit:
		return errClosed
	case <-ctx.Done():
		return ctx.Err()
	case w.queue <- one:
	}
	select {
	case err := <-one.result:
		return err
	case <-w.quit:
		w.done.Wait()
		select {
		case err := <-one.result:
			return err
		default:
			return errClosed
		}
	}
}

// stop finishes the group under way and what is queued. It may be called again.
func (w *writer) stop() {
	w.once.Do(func() { close(w.quit) })
	w.done.Wait()
}

func (w *writer) loop() {
	defer w.done.Done()
	for {
		select {
		case one := <-w.queue:
			w.commit(w.gather(one))
		case <-w.quit:
			for {
				select {
				case one := <-w.queue:
					w.commit(w.gather(one))
				default:
					return
				}
			}
		}
	}
}

// gather takes what is queued, without waiting longer than until all who can run have run: those who were answered
// last may have more to write, and a larger group costs hardly more than a small one.
func (w *writer) gather(first *write) []*write {
	runtime.Gosched()
	group := []*write{first}
	for len(group) < groupLimit {
		select {
		case one := <-w.queue:
			group = append(group, one)
		default:
			return group
		}
	}
	return group
}

// mostTries bounds how often a group is carried out that the database undoes in favor of another process.
const mostTries = 10

// commit runs a group in one transaction and answers everybody.
func (w *writer) commit(group []*write) {
	// two processes that change the same rows in the same order do not wait for each other in a circle
	slices.SortStableFunc(group, func(a, b *write) int { return strings.Compare(a.match, b.match) })
	var err error
	for range mostTries {
		if err = w.attempt(group); !again(err) {
			break
		}
	}
	for _, one := range group {
		if one.err == nil {
			one.err = err
		}
		one.result <- one.err
	}
}

// attempt runs a group in one transaction, and once more with each member on its own if one of them fails.
func (w *writer) attempt(group []*write) error {
	err := w.transact(group, w.together)
	var failed *memberError
	if errors.As(err, &failed) && !again(err) {
		err = w.transact(group, w.apart)
	}
	return err
}

func (w *writer) transact(group []*write, carryOut func([]*write) error) error {
	if err := w.start(); err != nil {
		return fmt.Errorf("beginning a transaction: %w", err)
	}
	err := carryOut(group)
	if err == nil {
		_, err = w.on.Exec("COMMIT")
	}
	if err != nil {
		_, undo := w.on.Exec("ROLLBACK")
		if undo != nil && Unavailable(err) {
			w.on.lose()
		}
		return fmt.Errorf("writing: %w", errors.Join(err, undo))
	}
	return nil
}

// start begins a transaction, on a new connection if the last one is lost: nothing was done on it yet.
func (w *writer) start() error {
	var err error
	for range 2 {
		if err = w.on.connect(); err == nil {
			for _, statement := range w.begin {
				if _, err = w.on.Exec(statement); err != nil {
					break
				}
			}
		}
		if err == nil || !Unavailable(err) {
			return err
		}
		w.on.lose()
	}
	return err
}

// memberError says that a member of a group failed, so that the group must be carried out apart.
type memberError struct{ error }

// together runs the members of a group one after the other and stops at the first that fails. Hardly any does, and a
// savepoint for each costs as much as the statements of a move.
func (w *writer) together(group []*write) error {
	for _, one := range group {
		if err := one.run(w.on); err != nil {
			return &memberError{err}
		}
	}
	return nil
}

// apart runs each member of a group behind a savepoint. An error is one of the transaction as a whole.
func (w *writer) apart(group []*write) error {
	for _, one := range group {
		if _, err := w.on.Exec("SAVEPOINT one"); err != nil {
			return err
		}
		if one.err = one.run(w.on); again(one.err) || Unavailable(one.err) {
			return one.err
		} else if one.err != nil {
			if _, err := w.on.Exec("ROLLBACK TO one"); err != nil {
				return err
			}
		}
		if _, err := w.on.Exec("RELEASE one"); err != nil {
			return err
		}
	}
	return nil
}
