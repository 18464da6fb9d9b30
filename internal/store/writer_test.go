package store

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"strings"
	"testing"
)

// disk is a log whose syncs begin and end when a test says so.
type disk struct {
	begun chan struct{}
	end   chan error
}

func (d *disk) Sync() error {
	d.begun <- struct{}{}
	return <-d.end
}

func (d *disk) Close() error { return nil }

// writing returns a writer on a table of numbers, and its disk.
func writing(t *testing.T) (*writer, *sql.DB, *disk) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(t.TempDir(), "a.db")+"?_pragma=journal_mode(wal)")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if _, err := db.Exec("CREATE TABLE number (n INTEGER PRIMARY KEY)"); err != nil {
		t.Fatal(err)
	}
	d := &disk{begun: make(chan struct{}), end: make(chan error)}
	w, err := newWriter(database{DB: db}, way{begin: []string{"BEGIN IMMEDIATE"}, log: d})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		w.stop()
		w.close()
	})
	return w, db, d
}

// write stores a number and tells how that ended.
func (w *writer) write(n int) chan error {
	ended := make(chan error, 1)
	go func() {
		ended <- w.do(context.Background(), func(tx *transaction) error {
			_, err := tx.Exec("INSERT INTO number (n) VALUES ($1)", n)
			return err
		})
	}()
	return ended
}

func TestAWriteEndsWithASyncThatBeganAfterIt(t *testing.T) {
	w, _, d := writing(t)
	one := w.write(1)
	<-d.begun
	two := w.write(2)
	select {
	case <-one:
		t.Error("answered while the sync was under way")
	default:
	}
	d.end <- nil
	if err := <-one; err != nil {
		t.Fatal(err)
	}
	<-d.begun // another one, for what came after the first had begun
	select {
	case <-two:
		t.Error("answered with the sync of those before")
	default:
	}
	d.end <- nil
	if err := <-two; err != nil {
		t.Fatal(err)
	}
}

func TestNothingIsTakenAfterAFailedSync(t *testing.T) {
	w, db, d := writing(t)
	one := w.write(1)
	<-d.begun
	two := w.write(2)
	d.end <- errors.New("no disk")
	for _, ended := range []chan error{one, two, w.write(3)} {
		if err := <-ended; err == nil || !strings.Contains(err.Error(), "no disk") {
			t.Errorf("got %v, want the reason", err)
		}
	}
	var stored int
	if err := db.QueryRow("SELECT COUNT(*) FROM number WHERE n > 1").Scan(&stored); err != nil || stored != 0 {
		t.Errorf("%d numbers were stored after it (%v)", stored, err)
	}
}
