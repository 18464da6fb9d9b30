package store_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/account"
	"github.com/linesofaction/loa/internal/live"
	"github.com/linesofaction/loa/internal/match"
	"github.com/linesofaction/loa/internal/store"
)

var began = time.UnixMilli(1_700_000_000_000)

func open(t testing.TB, dir string) *store.Store {
	t.Helper()
	s, err := store.Open(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// first returns the log of a new match in which a person plays an engine.
func first(t testing.TB, person loa.Color) []match.Entry {
	t.Helper()
	start, err := loa.Rules{}.StartPosition()
	if err != nil {
		t.Fatal(err)
	}
	seats := [2]match.Seat{{Holder: match.Engine, Level: 2}, {Holder: match.Engine, Level: 2}}
	seats[person] = match.Seat{Person: "p", Name: "1234"}
	log, err := match.Create(match.Terms{Start: start.Setup(), Seats: seats}, began)
	if err != nil {
		t.Fatal(err)
	}
	return log
}

func summary(t testing.TB, id match.ID, log []match.Entry) live.Summary {
	t.Helper()
	m, err := match.Replay(id, log)
	if err != nil {
		t.Fatal(err)
	}
	return live.Summarize(m)
}

func TestEntriesSurviveReopening(t *testing.T) {
	ctx, dir := context.Background(), place(t)
	s := open(t, dir)
	log := first(t, loa.Black)
	if err := s.Append(ctx, log, summary(t, "m", log)); err != nil {
		t.Fatal(err)
	}
	key, err := s.Key(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = open(t, dir)
	got, err := s.Entries(ctx, "m", 0)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 1 || !got[0].At.Equal(log[0].At) || got[0].Event != log[0].Event {
		t.Errorf("read %+v, want %+v", got, log)
	}
	if again, err := s.Key(ctx); err != nil || !bytes.Equal(key, again) {
		t.Errorf("the key changed: %v", err)
	}
	if _, err := s.Entries(ctx, "nobody", 0); !errors.Is(err, live.ErrNotFound) {
		t.Errorf("an unknown match gives %v", err)
	}
	if err := s.Append(ctx, log, summary(t, "n", log)); err != nil {
		t.Error(err)
	}
}

func TestEntriesThatDoNotFollowAreAConflict(t *testing.T) {
	ctx := context.Background()
	s := open(t, place(t))
	log := first(t, loa.White)
	sum := summary(t, "m", log)
	later := []match.Entry{{Seq: 2, At: began, Event: match.Moved{Ply: 0, Move: loa.NewMove(1, 17)}}}
	if err := s.Append(ctx, later, sum); !errors.Is(err, live.ErrConflict) {
		t.Errorf("before the beginning: %v", err)
	}
	if err := s.Append(ctx, log, sum); err != nil {
		t.Fatal(err)
	}
	if err := s.Append(ctx, log, sum); !errors.Is(err, live.ErrConflict) {
		t.Errorf("a second beginning: %v", err)
	}
	later[0].Seq = 3
	if err := s.Append(ctx, later, sum); !errors.Is(err, live.ErrConflict) {
		t.Errorf("after a gap: %v", err)
	}
	if got, err := s.Entries(ctx, "m", 0); err != nil || len(got) != 1 {
		t.Errorf("%d entries %v, want the first alone", len(got), err)
	}
}

// TestAGroupKeepsItsGoodMembers: writers that arrive together share a transaction, and one that fails takes no
// other down.
func TestAGroupKeepsItsGoodMembers(t *testing.T) {
	ctx := context.Background()
	s := open(t, place(t))
	log := first(t, loa.Black)
	var wait sync.WaitGroup
	var mu sync.Mutex
	stored := 0
	for i := range 200 {
		id := match.ID(fmt.Sprint("m", i/2)) // each id twice: one of the two must lose
		sum := summary(t, id, log)
		wait.Go(func() {
			err := s.Append(ctx, log, sum)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				stored++
			case !errors.Is(err, live.ErrConflict):
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if stored != 100 {
		t.Errorf("%d stored, want 100", stored)
	}
}

func TestListsFollowTheSummary(t *testing.T) {
	ctx := context.Background()
	s := open(t, place(t))
	for id, person := range map[match.ID]loa.Color{"mine": loa.Black, "engine": loa.White} {
		log := first(t, person)
		if err := s.Append(ctx, log, summary(t, id, log)); err != nil {
			t.Fatal(err)
		}
	}
	if ids, err := s.EngineTurns(ctx); err != nil || fmt.Sprint(ids) != "[engine]" {
		t.Errorf("engine turns %v %v", ids, err)
	}
	if ids, err := s.RunningMatches(ctx, "p", 10); err != nil || len(ids) != 2 {
		t.Errorf("running %v %v", ids, err)
	}
	end := []match.Entry{{Seq: 2, At: began, Event: match.Ended{Outcome: loa.Outcome{Winner: loa.Black, Reason: loa.Resigned}}}}
	sum := summary(t, "engine", append(first(t, loa.White), end...))
	if err := s.Append(ctx, end, sum); err != nil {
		t.Fatal(err)
	}
	if ids, err := s.EngineTurns(ctx); err != nil || len(ids) != 0 {
		t.Errorf("engine turns after the end %v %v", ids, err)
	}
	if ids, err := s.RunningMatches(ctx, "p", 10); err != nil || fmt.Sprint(ids) != "[mine]" {
		t.Errorf("running after the end %v %v", ids, err)
	}
}

func TestPeopleAreKnownByTheHashOfTheirSecret(t *testing.T) {
	ctx := context.Background()
	s := open(t, place(t))
	person := account.Person{ID: "p", Name: "1234", Created: began}
	if err := s.AddPerson(ctx, person, account.HashSecret("secret")); err != nil {
		t.Fatal(err)
	}
	got, ok, err := s.PersonBySecret(ctx, account.HashSecret("secret"), began)
	if err != nil || !ok || got.ID != person.ID || got.Name != person.Name || !got.Created.Equal(began) {
		t.Errorf("got %+v %v %v", got, ok, err)
	}
	if _, ok, err := s.PersonBySecret(ctx, account.HashSecret("another"), began); ok || err != nil {
		t.Errorf("another secret is known: %v", err)
	}
}

func TestWhenASessionWasLastSeenIsKnownToTheHour(t *testing.T) {
	ctx := context.Background()
	s := open(t, place(t))
	if err := s.AddPerson(ctx, account.Person{ID: "p", Name: "1234", Created: began}, account.HashSecret("secret")); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct{ at, want time.Duration }{{59 * time.Minute, 0}, {61 * time.Minute, 61 * time.Minute}, {100 * time.Minute, 61 * time.Minute}, {10 * time.Minute, 61 * time.Minute}} {
		if _, ok, err := s.PersonBySecret(ctx, account.HashSecret("secret"), began.Add(step.at)); !ok || err != nil {
			t.Fatal(ok, err)
		}
		sessions, err := s.Sessions(ctx, "p")
		if err != nil || len(sessions) != 1 || !sessions[0].Seen.Equal(began.Add(step.want)) {
			t.Errorf("after %s: %+v, %v, want one seen after %s", step.at, sessions, err, step.want)
		}
	}
}

func TestUnusableFilesAreRefusedAndLeftAlone(t *testing.T) {
	ctx := context.Background()
	// a real database, its log folded into the file as Close does
	dir := t.TempDir()
	s := open(t, dir)
	log := first(t, loa.Black)
	if err := s.Append(ctx, log, summary(t, "m", log)); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	good, err := os.ReadFile(filepath.Join(dir, store.FileName))
	if err != nil {
		t.Fatal(err)
	}
	changed := func(statement string) []byte {
		path := filepath.Join(t.TempDir(), "changed.db")
		if err := os.WriteFile(path, good, 0o600); err != nil {
			t.Fatal(err)
		}
		db, err := sql.Open("sqlite", path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	tests := []struct {
		name string
		data []byte
		want string
	}{
		{"empty", []byte{}, "empty file"},
		{"text", []byte(strings.Repeat("not a database ", 20)), "not a SQLite file"},
		{"shorter than a header", good[:50], "not a SQLite file"},
		{"truncated", good[:len(good)-5000], "truncated"},
		{"foreign", changed("PRAGMA application_id = 7; PRAGMA journal_mode = delete"), "not one of this program"},
		{"nameless", changed("PRAGMA application_id = 0; PRAGMA journal_mode = delete"), "not one of this program"},
		{"newer", changed("INSERT INTO goose_db_version (version_id, is_applied) VALUES (999, 1)"), "newer program"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, store.FileName)
			if err := os.WriteFile(path, test.data, 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := store.Open(ctx, dir)
			if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), path) {
				t.Fatalf("got %v, want an error with %q and the path", err, test.want)
			}
			after, err := os.ReadFile(path)
			if err != nil || !bytes.Equal(after, test.data) {
				t.Errorf("the file was changed (%v)", err)
			}
		})
	}
}

// A server may be killed while SQLite folds its log into the file: page 1, which counts the pages, is written first,
// so the file is shorter than it says while the log still has the rest.
func TestKilledWhileFoldingTheLogLosesNothing(t *testing.T) {
	ctx := context.Background()
	from := t.TempDir()
	s := open(t, from)
	log := first(t, loa.Black)
	if err := s.Append(ctx, log, summary(t, "m", log)); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(filepath.Join(from, store.FileName))
	if err != nil {
		t.Fatal(err)
	}
	wal, err := os.ReadFile(filepath.Join(from, store.FileName+"-wal"))
	if err != nil {
		t.Fatal(err)
	}
	pageSize := int(binary.BigEndian.Uint16(file[16:]))
	var firstPage []byte
	frames := 0
	for at := 32; at+24+pageSize <= len(wal); at += 24 + pageSize {
		if binary.BigEndian.Uint32(wal[at:]) == 1 {
			firstPage = wal[at+24 : at+24+pageSize]
		}
		frames++
	}
	copy(file, firstPage)
	if pages := int(binary.BigEndian.Uint32(file[28:])); len(file) >= pages*pageSize {
		t.Fatalf("the file has %d bytes for %d pages: nothing to fold", len(file), pages)
	}
	write := func(wal []byte) string {
		dir := t.TempDir()
		for name, data := range map[string][]byte{store.FileName: file, store.FileName + "-wal": wal} {
			if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return dir
	}
	if entries, err := open(t, write(wal)).Entries(ctx, "m", 0); err != nil || len(entries) != len(log) {
		t.Errorf("got %d entries (%v), want %d", len(entries), err, len(log))
	}
	for name, lost := range map[string][]byte{
		"half the log":        wal[:32+frames/2*(24+pageSize)],
		"all but its header":  wal[:32],
		"the whole log":       {},
		"the log's own marks": append(make([]byte, 32), wal[32:]...),
	} {
		if _, err := store.Open(ctx, write(lost)); err == nil || !strings.Contains(err.Error(), "truncated") {
			t.Errorf("without %s: got %v, want an error with \"truncated\"", name, err)
		}
	}
}

func TestDirectoryThatCannotBeUsedIsNamed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(file, "club")
	if _, err := store.Open(context.Background(), dir); err == nil || !strings.Contains(err.Error(), dir) {
		t.Errorf("got %v, want an error that names %s", err, dir)
	}
}

func TestClosedStoreRefusesWrites(t *testing.T) {
	s := open(t, place(t))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	log := first(t, loa.Black)
	if err := s.Append(context.Background(), log, summary(t, "m", log)); err == nil {
		t.Error("a closed store took a write")
	}
}
