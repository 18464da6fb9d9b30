package main

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/linesofaction/loa/internal/account"
	"github.com/linesofaction/loa/internal/pgtest"
	"github.com/linesofaction/loa/internal/store"
)

func TestAdminCopyMovesAClubToPostgreSQL(t *testing.T) {
	server, err := pgtest.Start(true)
	if errors.Is(err, pgtest.ErrMissing) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Remove() })
	address, err := server.Database()
	if err != nil {
		t.Fatal(err)
	}
	ctx, dir := context.Background(), t.TempDir()
	db, err := store.Open(ctx, dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.AddPerson(ctx, account.Person{ID: "p", Name: "1234", Created: time.Now()}, account.HashSecret("p")); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	code, out, errs := call(t, "", "admin", "copy", "--from", dir, "--to", address)
	if code != 0 || !strings.Contains(out, "\n2 rows of ") || !strings.Contains(out, "person") {
		t.Fatalf("exit %d, %q, %q", code, out, errs)
	}
	if code, out, _ := call(t, "", "admin", "--database", address, "find", "p"); code != 0 || !strings.Contains(out, "1234") {
		t.Errorf("the person is not there: exit %d, %q", code, out)
	}
	for _, test := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"copy", "--from", dir, "--to", address}, 1, "expected an empty database"},
		{[]string{"copy", "--from", dir, "--to", dir}, 1, "already"},
		{[]string{"copy", "--from", dir + "/none", "--to", address}, 1, "no database"},
		{[]string{"copy", "--from", dir, "--to", "postgres://127.0.0.1:1/none"}, 1, "cannot be opened"},
		{[]string{"copy", "--from", dir}, 2, "--to"},
		{[]string{"--data", dir, "copy", "--from", dir, "--to", address}, 2, "--data"},
		{[]string{"--data", dir, "--database", address, "log"}, 2, "one of the two"},
		{[]string{"--database", "mysql://x", "log"}, 2, "postgres://"},
	} {
		code, out, errs := call(t, "", append([]string{"admin"}, test.args...)...)
		if code != test.code || !strings.Contains(errs, test.want) || out != "" {
			t.Errorf("%v: exit %d, %q, %q, want %d and %q", test.args, code, out, errs, test.code, test.want)
		}
	}
}

func TestWrongSettingsOfSeveralProcessesAreNamed(t *testing.T) {
	dir := t.TempDir()
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"serve", "--data", dir, "--listen", "127.0.0.1:0", "--bus", "http://x"}, "--bus"},
		{[]string{"serve", "--data", dir, "--listen", "127.0.0.1:0", "--engines=-2"}, "--engines -2"},
		{[]string{"worker", "--data", dir, "--engines", "0"}, "--engines 0"},
		{[]string{"worker", "--database", "nonsense"}, "--database"},
	} {
		code, _, errs := call(t, "", test.args...)
		if code != 2 || !strings.Contains(errs, test.want) {
			t.Errorf("%v: exit %d, %q", test.args, code, errs)
		}
	}
}
