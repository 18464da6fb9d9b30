package web_test

import (
	"context"
	"crypto/rand"
	"database/sql"
	"fmt"
	mathrand "math/rand/v2"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"
	"time"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/account"
	"github.com/linesofaction/loa/internal/bus"
	"github.com/linesofaction/loa/internal/live"
	"github.com/linesofaction/loa/internal/match"
	"github.com/linesofaction/loa/internal/store"
	"github.com/linesofaction/loa/internal/web"
)

// BenchmarkPages opens pages of a club without a past, of one whose past fills the pages, and of an old one. What a
// page costs may follow what it shows, but not what was played before.
func BenchmarkPages(b *testing.B) {
	clubs := []struct {
		name                               string
		people, games, left, mine, results int
	}{
		{"empty", 1, 0, 0, 0, 0},
		{"page", 60, 60, 60, 250, 250},
		{"old", 100_000, 100_000, 20_000, 10_000, 10_000},
	}
	pages := []struct{ name, path string }{
		{"home", "/"}, {"lobby", "/lobby"}, {"watch", "/watch"}, {"player", "/players/P1"}, {"leaders", "/players"},
	}
	for _, club := range clubs {
		dir := b.TempDir()
		db, err := store.Open(context.Background(), dir)
		if err != nil {
			b.Fatal(err)
		}
		defer db.Close()
		past(b, dir, club.people, club.games, club.left, club.mine, club.results)
		service := live.New(db, new(bus.Memory), time.Now, 100)
		limits := web.DefaultLimits()
		limits.Requests = 1e9
		site, err := web.New(web.Options{
			Live: service, Lobby: live.NewLobby(service, db, func() (string, error) { return "id", nil }, mathrand.Uint64),
			People: db, Members: db, Profiles: db, Ratings: db, Key: []byte("a key for tests"), Limits: limits,
		})
		if err != nil {
			b.Fatal(err)
		}
		for _, page := range pages {
			b.Run(page.name+"/"+club.name, func(b *testing.B) {
				for b.Loop() {
					answer := httptest.NewRecorder()
					site.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, page.path, nil))
					if answer.Code != http.StatusOK {
						b.Fatal(page.path, answer.Code)
					}
				}
			})
		}
	}
}

// BenchmarkMoves plays moves, one after the other, in a club without a past and in an old one: what a move costs must not
// follow what was played before.
func BenchmarkMoves(b *testing.B) {
	start, err := loa.Rules{}.StartPosition()
	if err != nil {
		b.Fatal(err)
	}
	for _, games := range []int{0, 100_000, 400_000} {
		dir := b.TempDir()
		db, err := store.Open(b.Context(), dir)
		if err != nil {
			b.Fatal(err)
		}
		defer db.Close()
		past(b, dir, max(1, min(games, 100_000)), games, games/5, games/10, games/10)
		service := live.New(db, new(bus.Memory), time.Now, 100)
		b.Run(fmt.Sprint(games, " games before"), func(b *testing.B) {
			var m *match.Match
			for n := 0; b.Loop(); n++ {
				if m == nil || m.Outcome().Over() {
					seats := [2]match.Seat{{Person: "p1", Name: "P1"}, {Person: "p2", Name: "P2"}}
					if m, err = service.Create(b.Context(), match.ID(rand.Text()), match.Terms{Start: start.Setup(), Seats: seats}); err != nil {
						b.Fatal(err)
					}
				}
				g := m.Game()
				moves := g.Moves(nil)
				if m, _, err = service.Submit(b.Context(), m.ID(), match.Command{By: g.Position().Turn(), Ask: match.Move{Ply: g.Plies(), Move: moves[n*7%len(moves)]}}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// past writes a past: members rated in one pool, finished games of others, games left against the computer, and for
// the first member games and rated results.
func past(b *testing.B, dir string, people, games, left, mine, results int) {
	b.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, store.FileName))
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	const count = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $1) `
	const match = `INSERT INTO match (id, seq, black, white, ended, engine_turn, updated, rules, control, rated, plies, winner, reason) `
	for _, step := range []struct {
		n   int
		sql string
	}{
		{people, `INSERT INTO person (id, name, created, member, name_key) ` + count + `SELECT 'p' || i, 'P' || i, 0, 1, CASE i WHEN 1 THEN '` + account.Key("P1") + `' ELSE 'key' || i END FROM n WHERE i <= $1`},
		{people, `INSERT INTO rating (person, pool, mean, deviation, volatility, games, played) ` + count +
			`SELECT 'p' || i, 'standard blitz', 1500 + i % 700, 60 + i % 100, 0.06, 30, 0 FROM n WHERE i <= $1`},
		{games, match + count + `SELECT 'g' || i, 9, 'p' || (i % 1000), 'p' || (i % 997), 1, 0, i, 'standard', '5+3', 1, 40, 'black', 'connected' FROM n WHERE i <= $1`},
		{left, match + count + `SELECT 'e' || i, 9, 'guest' || i, '', 0, 0, i, 'standard', '', 0, 40, 'none', 'none' FROM n WHERE i <= $1`},
		{mine, match + count + `SELECT 'm' || i, 9, 'p1', 'p' || (i % 50 + 2), 1, 0, i, 'standard', '5+3', 1, 40, 'black', 'connected' FROM n WHERE i <= $1`},
		{min(mine, results), `INSERT INTO closing (number, match_id, pool, black, white, points, at) ` + count +
			`SELECT i, 'm' || i, 'standard blitz', 'p1', 'p2', 1, i FROM n WHERE i <= $1`},
		{min(mine, results), `INSERT INTO rating_change (closing, person, before, after, deviation) ` + count +
			`SELECT i, 'p1', 1500, 1500 + i % 90, 60 FROM n WHERE i <= $1`},
	} {
		if step.n == 0 {
			continue
		}
		if _, err := db.Exec(step.sql, step.n); err != nil {
			b.Fatalf("%s: %v", step.sql, err)
		}
	}
	if _, err := db.Exec(`PRAGMA wal_checkpoint(TRUNCATE)`); err != nil { // a past is not in the log
		b.Fatal(err)
	}
}
