package store_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/linesofaction/loa/internal/account"
	"github.com/linesofaction/loa/internal/store"
)

func TestABackupBringsTheSameClubBack(t *testing.T) {
	file := func(t testing.TB) string { return t.TempDir() }
	for _, test := range []struct {
		name     string
		from, to func(testing.TB) string
	}{
		{"of a file to a file", file, file},
		{"of a file to PostgreSQL", file, database},
		{"of PostgreSQL to a file", database, file},
	} {
		t.Run(test.name, func(t *testing.T) {
			ctx, place, backup := context.Background(), test.from(t), filepath.Join(t.TempDir(), "club.db.gz")
			from := open(t, place)
			full(t, from)
			copied, err := store.Backup(ctx, from, backup)
			if err != nil {
				t.Fatal(err)
			}
			target := test.to(t)
			restored, err := store.Restore(ctx, backup, target)
			if err != nil {
				t.Fatal(err)
			}
			if a, b := fmt.Sprint(copied), fmt.Sprint(restored); a != b {
				t.Errorf("restored %s of %s", b, a)
			}
			to := open(t, target)
			entries, err := to.Entries(ctx, "m0", 0)
			if err != nil || len(entries) != 2 {
				t.Errorf("the first match has %d entries, %v", len(entries), err)
			}
			if _, err := store.Restore(ctx, backup, target); !errors.Is(err, store.ErrNotEmpty) {
				t.Errorf("a second restoring ended with %v", err)
			}
		})
	}
}

func TestABackupIsOneMomentOfAClubThatGoesOn(t *testing.T) {
	for _, place := range []func(testing.TB) string{func(t testing.TB) string { return t.TempDir() }, database} {
		ctx, backup := context.Background(), filepath.Join(t.TempDir(), "club.db.gz")
		s := open(t, place(t))
		full(t, s)
		stop, ended := make(chan struct{}), make(chan error, 1)
		added := make(chan struct{}, 1)
		go func() {
			defer close(ended)
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				default:
				}
				person := account.Person{ID: fmt.Sprint("new", i), Name: fmt.Sprint("n", i), Created: began}
				if err := s.AddPerson(ctx, person, account.HashSecret(person.ID)); err != nil {
					ended <- err
					return
				}
				select {
				case added <- struct{}{}:
				default:
				}
			}
		}()
		<-added
		_, err := store.Backup(ctx, s, backup)
		close(stop)
		if err := errors.Join(err, <-ended); err != nil {
			t.Fatal(err)
		}
		if _, err := store.Restore(ctx, backup, t.TempDir()); err != nil {
			t.Error(err)
		}
	}
}

func TestADamagedBackupIsRefusedAndLeavesNothing(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	s := open(t, t.TempDir())
	full(t, s)
	good := filepath.Join(dir, "good")
	if _, err := store.Backup(ctx, s, good); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Backup(ctx, s, good); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a backup over another ended with %v", err)
	}
	body, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	changed := append([]byte{}, body...)
	changed[len(changed)/2] ^= 1
	for name, content := range map[string][]byte{
		"empty": {}, "foreign": []byte("SQLite format 3\x00"), "short": body[:len(body)/2], "changed": changed, "longer": append(append([]byte{}, body...), "more"...),
	} {
		bad, target := filepath.Join(dir, name), filepath.Join(t.TempDir(), "club")
		if err := os.WriteFile(bad, content, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := store.Restore(ctx, bad, target); !errors.Is(err, store.ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
		if left, err := os.ReadDir(target); err != nil || len(left) > 0 {
			t.Errorf("%s: left %v, %v", name, left, err)
		}
	}
}
