package store_test

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/pressly/goose/v3"

	"github.com/linesofaction/loa/internal/account"
	"github.com/linesofaction/loa/internal/store"
)

// earlier makes a database as a program left it that knew the migrations up to a version.
func earlier(t *testing.T, version int64, statements ...string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	db, err := sql.Open("sqlite", filepath.Join(dir, store.FileName))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	provider, err := goose.NewProvider(goose.DialectSQLite3, db, os.DirFS("migrations"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := provider.UpTo(t.Context(), version); err != nil {
		t.Fatal(err)
	}
	for _, statement := range append(statements, "PRAGMA application_id = 0x4c4f4163") {
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestGamesOfEarlierDatabasesAreCounted(t *testing.T) {
	const match = `INSERT INTO match (id, seq, black, white, ended, engine_turn, updated, rules, winner, reason) VALUES `
	dir := earlier(t, 7,
		match+`('a', 2, 'p', 'q', 1, 0, 0, 'standard', 'black', 'resigned')`,
		match+`('b', 2, 'q', 'p', 1, 0, 0, 'standard:cap=60', 'none', 'ply-cap')`,
		match+`('c', 2, 'q', 'p', 1, 0, 0, 'standard', 'none', 'aborted')`,
		match+`('d', 2, 'p', '', 1, 0, 0, 'misere', 'white', 'connected')`,
		match+`('e', 2, 'p', 'q', 0, 0, 0, 'standard', 'none', 'none')`,
	)
	s := open(t, dir)
	for person, want := range map[string][]account.Score{
		"p": {{Rules: "standard", Won: 1, Drawn: 1}, {Rules: "misere", Engine: true, Lost: 1}},
		"q": {{Rules: "standard", Lost: 1, Drawn: 1}},
		"":  nil,
	} {
		got, err := s.Scores(context.Background(), person)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %+v, %v, want %+v", person, got, err, want)
		}
	}
}
