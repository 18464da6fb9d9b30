package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
)

// writer commits in groups: everything that arrives while one transaction is being synced to disk goes into
// the next, so each caller waits for a real sync and a busy server still pays few of them.
type writer struct {
	db    *sql.DB
	queue chan *write
	quit  chan struct{}
	once  sync.Once // closes quit
	done  sync.WaitGroup
}

// write is one caller's statements. They succeed or fail on their own within the group.
type write struct {
	run    func(*sql.Tx) error
	result chan error
	err    error
}

// groupLimit bounds a group, so that one transaction never holds the file for long.
const groupLimit = 256

// errClosed is returned for what arrives after the store is closed.
var errClosed = errors.New("the store is closed")

func newWriter(db *sql.DB) *writer {
	w := &writer{db: db, queue: make(chan *write, groupLimit), quit: make(chan struct{})}
	w.done.Add(1)
	go w.loop()
	return w
}

// do runs statements in the next group and returns when they are on disk, or failed. A canceled context stops
// the waiting for a place, never a write that has one: its caller is told how it ended.
func (w *writer) do(ctx context.Context, run func(*sql.Tx) error) error {
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

// gather takes what is queued, without waiting.
func (w *writer) gather(first *write) []*write {
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

// commit runs a group in one transaction, each member behind a savepoint, and answers everybody.
func (w *writer) commit(group []*write) {
	err := w.transact(group)
	for _, one := range group {
		if one.err == nil {
			one.err = err
		}
		one.result <- one.err
	}
}

func (w *writer) transact(group []*write) error {
	tx, err := w.db.Begin()
	if err != nil {
		return fmt.Errorf("beginning a transaction: %w", err)
	}
	defer tx.Rollback() // does nothing after Commit
	for _, one := range group {
		if _, err := tx.Exec("SAVEPOINT one"); err != nil {
			return fmt.Errorf("setting a savepoint: %w", err)
		}
		end := "RELEASE one"
		if one.err = one.run(tx); one.err != nil {
			end = "ROLLBACK TO one"
		}
		if _, err := tx.Exec(end); err != nil {
			return fmt.Errorf("leaving a savepoint: %w", err)
		}
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("committing: %w", err)
	}
	return nil
}
