package web_test

import (
	"crypto/rand"
	"database/sql"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
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

// history is what was played in a club before its pages are opened.
type history struct {
	name                               string
	people, games, left, mine, results int
}

// histories are of a club without a past, of one whose past fills the pages, and of an old one.
var histories = []history{
	{"empty", 1, 0, 0, 0, 0},
	{"page", 60, 60, 60, 250, 250},
	{"old", 100_000, 100_000, 20_000, 10_000, 10_000},
}

// historicPages are those whose cost could follow it.
var historicPages = []struct{ name, path string }{
	{"home", "/"}, {"lobby", "/lobby"}, {"watch", "/watch"}, {"player", "/players/P1"}, {"leaders", "/players"},
}

// grown returns a site with a past.
func grown(t testing.TB, h history) *web.Server { return grownWith(t, h, func(*web.Options) {}) }

// grownWith is grown with options changed.
func grownWith(t testing.TB, h history, change func(*web.Options)) *web.Server {
	t.Helper()
	dir := t.TempDir()
	db, err := store.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	past(t, dir, h)
	options := optionsOf(t, db)
	options.Talk = live.NewTalk(options.Live, db)
	options.Now, options.Limits = time.Now, web.DefaultLimits()
	options.Limits.Requests = 1e9
	change(&options)
	site, err := web.New(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(site.Close)
	return site
}

// opened returns a page of a site.
func opened(t testing.TB, site *web.Server, path string) string {
	t.Helper()
	answer := httptest.NewRecorder()
	site.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, path, nil))
	if answer.Code != http.StatusOK {
		t.Fatal(path, answer.Code)
	}
	return answer.Body.String()
}

// BenchmarkPages opens pages of clubs with different pasts. What a page costs may follow what it shows, but not what was
// played before.
func BenchmarkPages(b *testing.B) {
	for _, h := range histories {
		site := grown(b, h)
		for _, page := range historicPages {
			b.Run(page.name+"/"+h.name, func(b *testing.B) {
				for b.Loop() {
					opened(b, site, page.path)
				}
			})
		}
	}
}

// What the benchmark opens shows the past, and no more of it than fits a page.
func TestPagesOfAPastShowABoundedPartOfIt(t *testing.T) {
	fits, more := grown(t, histories[1]), grown(t, history{"more", 600, 600, 600, 2500, 2500})
	for _, page := range historicPages {
		first, second := opened(t, fits, page.path), opened(t, more, page.path)
		if len(second) > len(first)*11/10 {
			t.Errorf("%s: %d bytes, and %d with ten times the past", page.name, len(first), len(second))
		}
	}
	for path, want := range map[string]string{"/watch": "/game/m250", "/players/P1": "/game/m250", "/players": "P50"} {
		if !strings.Contains(opened(t, fits, path), want) {
			t.Errorf("%s does not show %s", path, want)
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
		past(b, dir, history{"", max(1, min(games, 100_000)), games, games / 5, games / 10, games / 10})
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
func past(b testing.TB, dir string, h history) {
	b.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, store.FileName))
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	const count = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $1) `
	const game = `INSERT INTO match (id, seq, black, white, ended, engine_turn, updated, rules, control, rated, plies, winner, reason) `
	for _, step := range []struct {
		n   int
		sql string
	}{
		{h.people, `INSERT INTO person (id, name, created, member, name_key) ` + count + `SELECT 'p' || i, 'P' || i, 0, 1, CASE i WHEN 1 THEN '` + account.Key("P1") + `' ELSE 'key' || i END FROM n WHERE i <= $1`},
		{h.people, `INSERT INTO rating (person, pool, mean, deviation, volatility, games, played) ` + count +
			`SELECT 'p' || i, 'standard blitz', 1500 + i % 700, 60 + i % 100, 0.06, 30, 0 FROM n WHERE i <= $1`},
		{h.games, game + count + `SELECT 'g' || i, 9, 'p' || (i % 1000), 'p' || (i % 997), 1, 0, i, 'standard', '5+3', 1, 40, 'black', 'connected' FROM n WHERE i <= $1`},
		{h.left, game + count + `SELECT 'e' || i, 9, 'guest' || i, '', 0, 0, i, 'standard', '', 0, 40, 'none', 'none' FROM n WHERE i <= $1`},
		{h.mine, game + count + `SELECT 'm' || i, 9, 'p1', 'p' || (i % 50 + 2), 1, 0, i, 'standard', '5+3', 1, 40, 'black', 'connected' FROM n WHERE i <= $1`},
		{min(h.mine, h.results), `INSERT INTO closing (number, match_id, pool, black, white, points, at) ` + count +
			`SELECT i, 'm' || i, 'standard blitz', 'p1', 'p2', 1, i FROM n WHERE i <= $1`},
		{min(h.mine, h.results), `INSERT INTO rating_change (closing, person, before, after, deviation) ` + count +
			`SELECT i, 'p1', 1500, 1500 + i % 90, 60 FROM n WHERE i <= $1`},
	} {
		if step.n == 0 {
			continue
		}
		if _, err := db.Exec(step.sql, step.n); err != nil {
			b.Fatalf("%s: %v", step.sql, err)
		}
	}
	for n, entry := range ended(b) { // which the pages that list games replay
		body, err := match.Encode(entry.Event)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := db.Exec(`INSERT INTO event (match_id, seq, at, client, version, kind, body)
			SELECT id, $1, 0, '', $2, $3, $4 FROM (SELECT id FROM match WHERE ended = 1 ORDER BY updated DESC LIMIT 100)`,
			n+1, match.Version, entry.Event.Kind(), string(body)); err != nil {
			b.Fatal(err)
		}
	}
	if _, err := db.Exec(`PRAGMA wal_checkpoint(TRUNCATE)`); err != nil { // a past is not in the log
		b.Fatal(err)
	}
}

// ended returns the log of a short game.
func ended(b testing.TB) []match.Entry {
	b.Helper()
	start, err := loa.Rules{}.StartPosition()
	if err != nil {
		b.Fatal(err)
	}
	log, err := match.Create(match.Terms{Start: start.Setup(), Seats: [2]match.Seat{{Person: "p1", Name: "P1"}, {Person: "p2", Name: "P2"}}}, time.Now())
	if err != nil {
		b.Fatal(err)
	}
	m, err := match.Replay("m", log)
	if err != nil {
		b.Fatal(err)
	}
	end, err := match.Decide(m, match.Command{By: loa.White, Ask: match.Resign{}}, time.Now())
	if err != nil {
		b.Fatal(err)
	}
	return append(log, end...)
}
