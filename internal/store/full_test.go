package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestAFullFileRefusesWhatHasNoRoomAndGoesOnWhenThereIsSome(t *testing.T) {
	ctx := context.Background()
	s, err := Open(ctx, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	limit := func(statement string) {
		t.Helper()
		if err := s.writer.do(ctx, func(tx *transaction) error { return tx.QueryRow(statement).Scan(new(int)) }); err != nil {
			t.Fatal(err)
		}
	}
	kept := map[string]bool{}
	keep := func(name string) error {
		err := s.writer.do(ctx, func(tx *transaction) error {
			_, err := tx.Exec(`INSERT INTO setting (name, value) VALUES ($1, $2)`, name, []byte(strings.Repeat("x", 20_000)))
			return err
		})
		kept[name] = err == nil
		return err
	}
	limit("PRAGMA max_page_count = 1") // it cannot be less than there are
	var full error
	for n := 0; full == nil; n++ {
		full = keep(fmt.Sprint("before ", n))
	}
	if !Full(full) || Unavailable(full) {
		t.Fatalf("a file without room gives %v", full)
	}
	// together with others, some of which fail for another reason
	results := make(chan error, 20)
	for range cap(results) {
		go func() {
			results <- s.writer.do(ctx, func(tx *transaction) error {
				_, err := tx.Exec(`INSERT INTO setting (name, value) VALUES ('before 0 ' || hex(randomblob(8)), zeroblob(20000))`)
				return err
			})
		}()
	}
	for range cap(results) {
		if err := <-results; !Full(err) {
			t.Errorf("got %v", err)
		}
	}
	limit("PRAGMA max_page_count = 1000000")
	if err := keep("after"); err != nil {
		t.Fatal(err)
	}
	for name, want := range kept {
		var n int
		if err := s.db.QueryRow(`SELECT COUNT(*) FROM setting WHERE name = $1`, name).Scan(&n); err != nil || n == 1 != want {
			t.Errorf("%q: %d rows, acknowledged %v, %v", name, n, want, err)
		}
	}
	if err := s.sound(ctx); err != nil {
		t.Error(err)
	}
	if Full(errors.New("no room")) || Full(nil) {
		t.Error("another error counts as a full disk")
	}
}
