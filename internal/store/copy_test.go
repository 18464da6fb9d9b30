package store_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/account"
	"github.com/linesofaction/loa/internal/live"
	"github.com/linesofaction/loa/internal/match"
	"github.com/linesofaction/loa/internal/store"
	"github.com/linesofaction/loa/internal/talk"
)

// full fills a store with something in most tables.
func full(t *testing.T, s *store.Store) {
	t.Helper()
	ctx := context.Background()
	for i, id := range []string{"ann", "bob"} {
		if err := s.AddPerson(ctx, account.Person{ID: id, Name: fmt.Sprint(1000 + i), Created: began}, account.HashSecret(id)); err != nil {
			t.Fatal(err)
		}
		member(t, s, id, "Member "+id)
	}
	start, err := loa.Rules{}.StartPosition()
	if err != nil {
		t.Fatal(err)
	}
	seats := [2]match.Seat{{Person: "ann", Name: "Ann"}, {Person: "bob", Name: "Bob"}}
	for i := range 250 { // more than one statement writes
		id := match.ID(fmt.Sprint("m", i))
		log, err := match.Create(match.Terms{Start: start.Setup(), Seats: seats}, began)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Append(ctx, log, summary(t, id, log)); err != nil {
			t.Fatal(err)
		}
		if i > 1 {
			continue
		}
		end := []match.Entry{{Seq: 2, At: began, Event: match.Ended{Outcome: loa.Outcome{Winner: loa.Black, Reason: loa.Resigned}}}}
		sum := summary(t, id, append(log, end...))
		sum.Closing = &live.Closing{Pool: "pool", Black: "ann", White: "bob", Points: 1, At: began}
		if err := s.Append(ctx, end, sum); err != nil {
			t.Fatal(err)
		}
	}
	said := remark("ann", "c", "a\x00b \xff ünïcode")
	said.Match = "m0"
	if _, err := s.AddRemark(ctx, said); err != nil {
		t.Fatal(err)
	}
	if err := s.AddReport(ctx, talk.Report{By: "ann", About: "bob", Reason: "abuse", At: began}); err != nil {
		t.Fatal(err)
	}
	if err := s.Act(ctx, account.Act{At: began, Kind: account.Warn, Person: "bob", Name: "Bob", Reason: "because"}, ""); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Key(ctx); err != nil {
		t.Fatal(err)
	}
	if err := s.Alive(ctx, began); err != nil {
		t.Fatal(err)
	}
}

func TestACopyIsTheSameClub(t *testing.T) {
	ctx := context.Background()
	for _, test := range []struct {
		name     string
		from, to func(testing.TB) string
	}{
		{"to PostgreSQL", func(t testing.TB) string { return t.TempDir() }, database},
		{"from PostgreSQL", database, func(t testing.TB) string { return t.TempDir() }},
	} {
		t.Run(test.name, func(t *testing.T) {
			from, to := open(t, test.from(t)), open(t, test.to(t))
			full(t, from)
			copied, err := store.Copy(ctx, from, to, began.Add(time.Hour))
			if err != nil {
				t.Fatal(err)
			}
			rows := map[string]int{}
			for _, c := range copied {
				rows[c.Table] = c.Rows
			}
			for table, want := range map[string]int{"person": 2, "match": 250, "event": 252, "closing": 2, "rating": 2, "pool": 1, "remark": 1, "act": 1, "setting": 2, "tally": 2} {
				if rows[table] != want {
					t.Errorf("%d rows of %s, want %d", rows[table], table, want)
				}
			}
			if _, ok := rows["goose_db_version"]; ok {
				t.Error("the versions were copied")
			}
			if last, _, err := to.LastAlive(ctx); err != nil || !last.Equal(began) {
				t.Errorf("last alive at %s, %v", last, err)
			}
			if err := to.CheckRatings(ctx); err != nil {
				t.Error(err)
			}
			// what numbers itself goes on
			if err := to.Act(ctx, account.Act{At: began, Kind: account.Warn, Person: "bob", Name: "Bob", Reason: "again"}, ""); err != nil {
				t.Error(err)
			}
			if last, err := to.LastAct(ctx); err != nil || last != 2 {
				t.Errorf("the next act is %d, %v", last, err)
			}
			if _, err := store.Copy(ctx, from, to, began.Add(time.Hour)); !errors.Is(err, store.ErrNotEmpty) {
				t.Errorf("into a club that is there: %v", err)
			}
			if _, err := store.Copy(ctx, from, to, began.Add(time.Second)); !errors.Is(err, store.ErrServed) {
				t.Errorf("from a club that is served: %v", err)
			}
		})
	}
}
