package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"sync"
	"time"
)

// writer commits in groups: everything that arrives while one transaction is being synced to disk is carried out
// meanwhile and goes into the next, so each caller waits for a real sync and a busy server still pays few of them.
type writer struct {
	on    *transaction
	way   way
	queue chan *write
	quit  chan struct{}
	once  sync.Once // closes quit
	done  sync.WaitGroup
	fault error // of a sync; nothing can be relied on after it. Only read when no sync is under way.
}

// way is how a writer writes.
type way struct {
	session []string // said to every connection
	begin   []string // what begins a transaction
	log     syncer   // nil where a commit syncs
}

// syncer is the write-ahead log: what was committed before a Sync began lasts when that has ended well.
type syncer interface {
	Sync() error
	Close() error
}

// transaction runs statements on the one connection that writes. Each is prepared once for the life of the store:
// reading SQL costs SQLite more than carrying it out.
type transaction struct {
	db       database
	session  []string
	conn     *sql.Conn // nil after it was lost
	prepared map[string]*sql.Stmt
}

// connectWithin bounds how long writers wait for a connection before they are told that there is none.
const connectWithin = 5 * time.Second

// connect makes sure that there is a connection.
func (t *transaction) connect() error {
	if t.conn != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), connectWithin)
	defer cancel()
	conn, err := t.db.Conn(ctx)
	if err != nil {
		return err
	}
	t.conn = conn
	for _, statement := range t.session {
		if _, err := t.Exec(statement); err != nil {
			t.lose()
			return err
		}
	}
	return nil
}

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
	result chan error
	err    error
}

// group is the writes of one transaction.
type group struct {
	on      *transaction
	way     way
	members []*write
	apart   bool // each stands behind a savepoint, because one has failed
}

// groupLimit bounds a group, so that one transaction never holds the file for long.
const groupLimit = 256

// errClosed is returned for what arrives after the store is closed.
var errClosed = errors.New("the store is closed")

// newWriter writes over a connection of its own. Where it syncs the log itself, that connection commits without.
func newWriter(db database, way way) (*writer, error) {
	w := &writer{
		on: &transaction{db: db, session: way.session, prepared: map[string]*sql.Stmt{}}, way: way,
		queue: make(chan *write, groupLimit), quit: make(chan struct{}),
	}
	if err := w.on.connect(); err != nil {
		return nil, err
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
	err := w.on.close()
	if w.way.log == nil {
		return err
	}
	if fault := w.way.log.Close(); !errors.Is(fault, fs.ErrClosed) {
		err = errors.Join(err, fault)
	}
	return err
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
	g := &group{on: w.on, way: w.way}
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
	for range mostTries {
		if !again(err) {
			break
		}
		err = g.repeat()
	}
	if err != nil {
		err = fmt.Errorf("writing: %w", errors.Join(err, g.undo(err)))
	}
	if err != nil || w.way.log == nil {
		g.answer(err)
		close(synced)
		return synced
	}
	go func() {
		defer close(synced)
		if err := w.way.log.Sync(); err != nil {
			w.fault = fmt.Errorf("what was written may not be on disk: %v", err) // whatever the cause, it is not one that passes
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

// mostTries bounds how often a group is repeated that the database undoes in favor of another process.
const mostTries = 10

// begin begins a transaction, on a new connection if the last one is lost: nothing was done on it yet.
func (g *group) begin() error {
	var err error
	for range 2 {
		if err = g.on.connect(); err == nil {
			for _, statement := range g.way.begin {
				if _, err = g.on.Exec(statement); err != nil {
					break
				}
			}
		}
		if err == nil || !Unavailable(err) {
			break
		}
		g.on.lose()
	}
	if err != nil {
		return fmt.Errorf("beginning a transaction: %w", err)
	}
	return nil
}

// repeat carries the group out once more.
func (g *group) repeat() error {
	if _, err := g.on.Exec("ROLLBACK"); err != nil {
		return err
	}
	if err := g.begin(); err != nil {
		return err
	}
	g.apart = true
	for _, one := range g.members {
		if err := g.carryOutApart(one); err != nil {
			return err
		}
	}
	_, err := g.on.Exec("COMMIT")
	return err
}

// undo ends the transaction that an error has spoiled.
func (g *group) undo(err error) error {
	if g.on.conn == nil {
		return nil
	}
	_, undo := g.on.Exec("ROLLBACK")
	if Full(err) {
		return nil // SQLite has undone it already, or else what comes next is told
	}
	if undo != nil && Unavailable(err) {
		g.on.lose()
	}
	return undo
}

// spoils reports whether an error is one of the transaction as a whole.
func spoils(err error) bool { return again(err) || Unavailable(err) || Full(err) }

// carryOut runs the member added last. An error is one of the transaction as a whole. Hardly any member fails, and a
// savepoint costs as much as the statements of a move, so there are none until one does; then all begin again.
func (g *group) carryOut(one *write) error {
	if g.apart {
		return g.carryOutApart(one)
	}
	if err := one.run(g.on); err == nil || spoils(err) {
		return err
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
	err := one.run(g.on)
	if spoils(err) {
		return err
	}
	if one.err = err; err != nil {
		if _, err := g.on.Exec("ROLLBACK TO one"); err != nil {
			return err
		}
	}
	_, err = g.on.Exec("RELEASE one")
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
