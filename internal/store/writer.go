package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime"
	"sync"
)

// writer commits in groups: everything that arrives while one transaction is being synced to disk goes into
// the next, so each caller waits for a real sync and a busy server still pays few of them.
type writer struct {
	on    *transaction
	queue chan *write
	quit  chan struct{}
	once  sync.Once // closes quit
	done  sync.WaitGroup
}

// transaction runs statements on the one connection that writes. Each is prepared once for the life of the store:
// reading SQL costs SQLite more than carrying it out.
type transaction struct {
	conn     *sql.Conn
	prepared map[string]*sql.Stmt
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
	return statement.Exec(args...)
}

// Query returns the rows of a query.
func (t *transaction) Query(query string, args ...any) (*sql.Rows, error) {
	return t.conn.QueryContext(context.Background(), query, args...)
}

// QueryRow returns the one row of a query.
func (t *transaction) QueryRow(query string, args ...any) *sql.Row {
	return t.conn.QueryRowContext(context.Background(), query, args...)
}

// write is one caller's statements. They succeed or fail on their own within the group, and may be run twice.
type write struct {
	run    func(*transaction) error
	result chan error
	err    error
}

// groupLimit bounds a group, so that one transaction never holds the file for long.
const groupLimit = 256

// errClosed is returned for what arrives after the store is closed.
var errClosed = errors.New("the store is closed")

func newWriter(ctx context.Context, db *sql.DB) (*writer, error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	w := &writer{
		on:    &transaction{conn: conn, prepared: map[string]*sql.Stmt{}},
		queue: make(chan *write, groupLimit), quit: make(chan struct{}),
	}
	w.done.Add(1)
	go w.loop()
	return w, nil
}

// do runs statements in the next group and returns when they are on disk, or failed. A canceled context stops
// the waiting for a place, never a write that has one: its caller is told how it ended.
func (w *writer) do(ctx context.Context, run func(*transaction) error) error {
	one := &write{run: run, result: make(chan error, 1)}
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

// commit runs a group in one transaction and answers everybody.
func (w *writer) commit(group []*write) {
	err := w.transact(group, w.together)
	var failed *memberError
	if errors.As(err, &failed) {
		err = w.transact(group, w.apart)
	}
	for _, one := range group {
		if one.err == nil {
			one.err = err
		}
		one.result <- one.err
	}
}

func (w *writer) transact(group []*write, carryOut func([]*write) error) error {
	if _, err := w.on.Exec("BEGIN IMMEDIATE"); err != nil {
		return fmt.Errorf("beginning a transaction: %w", err)
	}
	err := carryOut(group)
	if err == nil {
		_, err = w.on.Exec("COMMIT")
	}
	if err != nil {
		_, undo := w.on.Exec("ROLLBACK")
		return fmt.Errorf("writing: %w", errors.Join(err, undo))
	}
	return nil
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
		if one.err = one.run(w.on); one.err != nil {
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
