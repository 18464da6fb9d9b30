package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"sync"
)

// writer commits in groups: everything that arrives while one transaction is being synced to disk is carried out
// meanwhile and goes into the next, so each caller waits for a real sync and a busy server still pays few of them.
type writer struct {
	on    *transaction
	log   syncer
	queue chan *write
	quit  chan struct{}
	once  sync.Once // closes quit
	done  sync.WaitGroup
	fault error // of a sync; nothing can be relied on after it. Only read when no sync is under way.
}

// syncer is the write-ahead log: what was committed before a Sync began lasts when that has ended well.
type syncer interface {
	Sync() error
	Close() error
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

// group is the writes of one transaction.
type group struct {
	on      *transaction
	members []*write
	apart   bool // each stands behind a savepoint, because one has failed
}

// groupLimit bounds a group, so that one transaction never holds the file for long.
const groupLimit = 256

// errClosed is returned for what arrives after the store is closed.
var errClosed = errors.New("the store is closed")

// newWriter writes over a connection of its own, which commits without syncing, and syncs the log itself.
func newWriter(ctx context.Context, db *sql.DB, log syncer) (*writer, error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	w := &writer{
		on: &transaction{conn: conn, prepared: map[string]*sql.Stmt{}}, log: log,
		queue: make(chan *write, groupLimit), quit: make(chan struct{}),
	}
	if _, err := w.on.Exec("PRAGMA synchronous = normal"); err != nil {
		return nil, errors.Join(err, w.on.close())
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

// close gives the connection and the log up. It is for after stop, and may be called again.
func (w *writer) close() error {
	err := w.log.Close()
	if errors.Is(err, fs.ErrClosed) {
		err = nil
	}
	return errors.Join(w.on.close(), err)
}

func (w *writer) loop() {
	defer w.done.Done()
	synced := make(chan struct{})
	close(synced) // there is nothing to wait for yet
	for {
		select {
		case one := <-w.queue:
			synced = w.commit(one, synced)
			continue
		case <-w.quit:
		}
		select {
		case one := <-w.queue:
			synced = w.commit(one, synced)
		default:
			<-synced
			return
		}
	}
}

// commit carries out in one transaction what is queued, and what comes until the group before is synced. It returns
// when the transaction is committed; that it is synced, and that everybody has been answered, is told by closing the
// channel returned.
func (w *writer) commit(first *write, before <-chan struct{}) (synced chan struct{}) {
	runtime.Gosched() // those who were answered last may have more to write, and a larger group costs hardly more
	synced = make(chan struct{})
	g := &group{on: w.on}
	err := g.begin()
	for one := first; one != nil; one = w.next(g, before) {
		g.members = append(g.members, one)
		if err == nil {
			err = g.carryOut(one)
		}
	}
	if err == nil {
		err = w.fault
	}
	if err == nil {
		_, err = g.on.Exec("COMMIT")
	}
	if err != nil {
		_, undo := g.on.Exec("ROLLBACK")
		g.answer(fmt.Errorf("writing: %w", errors.Join(err, undo)))
		close(synced)
		return synced
	}
	go func() {
		defer close(synced)
		if err := w.log.Sync(); err != nil {
			w.fault = fmt.Errorf("what was written may not be on disk: %w", err)
		}
		g.answer(w.fault)
	}()
	return synced
}

// next returns what else goes into a group, nil when the group before is synced and nothing is queued.
func (w *writer) next(g *group, before <-chan struct{}) *write {
	if len(g.members) == groupLimit {
		<-before
		return nil
	}
	select {
	case one := <-w.queue:
		return one
	default:
	}
	select {
	case one := <-w.queue:
		return one
	case <-before:
		return nil
	}
}

func (g *group) begin() error {
	if _, err := g.on.Exec("BEGIN IMMEDIATE"); err != nil {
		return fmt.Errorf("beginning a transaction: %w", err)
	}
	return nil
}

// carryOut runs the member added last. An error is one of the transaction as a whole. Hardly any member fails, and a
// savepoint costs as much as the statements of a move, so there are none until one does; then all begin again.
func (g *group) carryOut(one *write) error {
	if g.apart {
		return g.carryOutApart(one)
	}
	if one.run(g.on) == nil {
		return nil
	}
	g.apart = true
	if _, err := g.on.Exec("ROLLBACK"); err != nil {
		return err
	}
	if err := g.begin(); err != nil {
		return err
	}
	for _, one := range g.members {
		if err := g.carryOutApart(one); err != nil {
			return err
		}
	}
	return nil
}

// carryOutApart runs a member behind a savepoint, so that it fails alone.
func (g *group) carryOutApart(one *write) error {
	if _, err := g.on.Exec("SAVEPOINT one"); err != nil {
		return err
	}
	if one.err = one.run(g.on); one.err != nil {
		if _, err := g.on.Exec("ROLLBACK TO one"); err != nil {
			return err
		}
	}
	_, err := g.on.Exec("RELEASE one")
	return err
}

// answer tells every member how it ended: with its own error, or with that of the group.
func (g *group) answer(err error) {
	for _, one := range g.members {
		if one.err == nil {
			one.err = err
		}
		one.result <- one.err
	}
}
