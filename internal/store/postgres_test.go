package store_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"

	"github.com/linesofaction/loa/internal/account"
	"github.com/linesofaction/loa/internal/live"
	"github.com/linesofaction/loa/internal/pgtest"
	"github.com/linesofaction/loa/internal/store"
)

// postgres is the server of these tests, started when the first of them needs it.
var postgres = sync.OnceValues(func() (*pgtest.Server, error) { return pgtest.Start(true) })

func TestMain(m *testing.M) {
	code := m.Run()
	if server, err := postgres(); err == nil && startedPostgres {
		server.Remove()
	}
	os.Exit(code)
}

var startedPostgres bool

// database returns the address of a new PostgreSQL database, or skips the test where there is no server.
func database(t testing.TB) string {
	t.Helper()
	startedPostgres = true
	server, err := postgres()
	if errors.Is(err, pgtest.ErrMissing) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	address, err := server.Database()
	if err != nil {
		t.Fatal(err)
	}
	return address
}

// suite is the tests of everything that does not depend on the kind of database.
var suite = map[string]func(*testing.T){
	"TestTokensAreKnownByTheirSecretsUntilTheyEnd":        TestTokensAreKnownByTheirSecretsUntilTheyEnd,
	"TestSolversAreMembersWithSettledRatingsTheBestFirst": TestSolversAreMembersWithSettledRatingsTheBestFirst,
	"TestEndedGamesGoOnAfterOne":                          TestEndedGamesGoOnAfterOne,
	"TestActsTakeEffectAndAreLogged":                      TestActsTakeEffectAndAreLogged,
	"TestActAboutNobodyLeavesNoTrace":                     TestActAboutNobodyLeavesNoTrace,
	"TestNoticesAreReadOnce":                              TestNoticesAreReadOnce,
	"TestPeopleAreFoundByNameNumberAndID":                 TestPeopleAreFoundByNameNumberAndID,
	"TestEntriesSurviveReopening":                         TestEntriesSurviveReopening,
	"TestEntriesThatDoNotFollowAreAConflict":              TestEntriesThatDoNotFollowAreAConflict,
	"TestAGroupKeepsItsGoodMembers":                       TestAGroupKeepsItsGoodMembers,
	"TestListsFollowTheSummary":                           TestListsFollowTheSummary,
	"TestPeopleAreKnownByTheHashOfTheirSecret":            TestPeopleAreKnownByTheHashOfTheirSecret,
	"TestWhenASessionWasLastSeenIsKnownToTheHour":         TestWhenASessionWasLastSeenIsKnownToTheHour,
	"TestClosedStoreRefusesWrites":                        TestClosedStoreRefusesWrites,
	"TestRemarksAreNumberedInTheirRoomAndStoredOnce":      TestRemarksAreNumberedInTheirRoomAndStoredOnce,
	"TestWhoIsNotHeard":                                   TestWhoIsNotHeard,
	"TestFollowingEndsWithABlock":                         TestFollowingEndsWithABlock,
	"TestNobodyFollowsOrBlocksWithoutEnd":                 TestNobodyFollowsOrBlocksWithoutEnd,
	"TestOneOpenReportForEachPersonAndMatch":              TestOneOpenReportForEachPersonAndMatch,
	"TestAClosedAccountLeavesItsWordsUnderAnotherName":    TestAClosedAccountLeavesItsWordsUnderAnotherName,
	"TestTextsThatNoDatabaseTakesAreMended":               TestTextsThatNoDatabaseTakesAreMended,
	"TestAPasswordEndsOtherSessions":                      TestAPasswordEndsOtherSessions,
	"TestStoresThatStartTogetherMigrateOnce":              TestStoresThatStartTogetherMigrateOnce,
	"TestTwoStoresOfOneClubNumberAndCountAsOne":           TestTwoStoresOfOneClubNumberAndCountAsOne,
}

const onPostgres = "TestOnPostgres"

// TestOnPostgres runs the whole suite once more, on PostgreSQL.
func TestOnPostgres(t *testing.T) {
	for name, test := range suite {
		t.Run(name, test)
	}
}

// place returns where a test keeps its database: a directory, or, within TestOnPostgres, the address of a new one.
func place(t testing.TB) string {
	t.Helper()
	if strings.HasPrefix(t.Name(), onPostgres) {
		return database(t)
	}
	return t.TempDir()
}

// TestEveryTestOfStorageRunsOnPostgres: what opens a store by place belongs in the suite.
func TestEveryTestOfStorageRunsOnPostgres(t *testing.T) {
	for _, name := range []string{"act_test.go", "store_test.go", "talk_test.go", "puzzle_test.go", "postgres_test.go"} {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, function := range regexp.MustCompile(`(?m)^func (Test\w+)\((?s:.*?)\n}`).FindAllStringSubmatch(string(source), -1) {
			if regexp.MustCompile(`[ ,(]place\(t\)|crowd\(t\)`).MatchString(function[0]) && suite[function[1]] == nil && function[1] != t.Name() {
				t.Errorf("%s: %s is not in the suite", name, function[1])
			}
		}
	}
}

// TestPostgresTakesEveryStatement: and finds rows by an index where it is made to. Its planner prefers reading small
// tables whole, so that is what it is forbidden here.
func TestPostgresTakesEveryStatement(t *testing.T) {
	address := database(t)
	open(t, address)
	db, err := sql.Open("pgx", address)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	for _, setting := range []string{"enable_seqscan = off", "plan_cache_mode = force_generic_plan"} {
		if _, err := db.Exec("SET " + setting); err != nil {
			t.Fatal(err)
		}
	}
	whole := regexp.MustCompile(`Seq Scan on (\w+)`)
	for i, statement := range sqlStatements(t) {
		name := fmt.Sprint("s", i)
		if _, err := db.Exec("PREPARE " + name + " AS " + statement); err != nil {
			t.Errorf("%s: %v", statement, err)
			continue
		}
		execute := "EXECUTE " + name
		if n := highest(statement); n > 0 {
			execute += "(" + strings.TrimSuffix(strings.Repeat("NULL,", n), ",") + ")"
		}
		rows, err := db.Query("EXPLAIN " + execute)
		if err != nil {
			t.Errorf("%s: %v", statement, err)
			continue
		}
		for rows.Next() {
			var step string
			if err := rows.Scan(&step); err != nil {
				t.Fatal(err)
			}
			if whole.MatchString(step) && !allowed(statement) {
				t.Errorf("%s: %s", step, statement)
			}
		}
		rows.Close()
	}
}

func TestTextsThatNoDatabaseTakesAreMended(t *testing.T) {
	ctx, s := context.Background(), open(t, place(t))
	if err := s.AddPerson(ctx, account.Person{ID: "p", Name: "1234", Created: began}, account.HashSecret("p")); err != nil {
		t.Fatal(err)
	}
	if err := s.AddSession(ctx, "p", account.HashSecret("q"), account.Session{Agent: "a\xffb\x00c", Created: began.Add(time.Hour), Seen: began}); err != nil {
		t.Fatal(err)
	}
	sessions, err := s.Sessions(ctx, "p")
	if err != nil || len(sessions) != 2 || sessions[0].Agent != "a\uFFFDb\uFFFDc" {
		t.Errorf("%+v, %v", sessions, err)
	}
	if _, err := s.Entries(ctx, "m\x00\xff", 0); !errors.Is(err, live.ErrNotFound) {
		t.Errorf("a match by an impossible name: %v", err)
	}
}

func TestAPasswordEndsOtherSessions(t *testing.T) {
	ctx, s := context.Background(), open(t, place(t))
	if err := s.AddPerson(ctx, account.Person{ID: "p", Name: "1234", Created: began}, account.HashSecret("p")); err != nil {
		t.Fatal(err)
	}
	member(t, s, "p", "Marit")
	if err := s.AddSession(ctx, "p", account.HashSecret("q"), account.Session{Created: began, Seen: began}); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		keep []byte
		left int
	}{{account.HashSecret("q"), 1}, {nil, 0}} {
		if err := s.SetPassword(ctx, "p", "another", step.keep); err != nil {
			t.Fatal(err)
		}
		if sessions, err := s.Sessions(ctx, "p"); err != nil || len(sessions) != step.left {
			t.Errorf("keeping %x: %d sessions, %v, want %d", step.keep, len(sessions), err, step.left)
		}
	}
	if err := s.AddPerson(ctx, account.Person{ID: "r", Name: "1235", Created: began}, account.HashSecret("r")); err != nil {
		t.Fatal(err)
	}
	if err := s.Join(ctx, "r", "marit", "hash"); !errors.Is(err, account.ErrNameTaken) {
		t.Errorf("a name that is taken: %v", err)
	}
}

func TestStoresThatStartTogetherMigrateOnce(t *testing.T) {
	at := place(t)
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			s, err := store.Open(context.Background(), at)
			if err != nil {
				t.Error(err)
				return
			}
			if _, err := s.Key(context.Background()); err != nil {
				t.Error(err)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
}

// TestTwoStoresOfOneClubNumberAndCountAsOne: what reads first and then writes, from two processes at once.
func TestTwoStoresOfOneClubNumberAndCountAsOne(t *testing.T) {
	ctx, at := context.Background(), place(t)
	stores := []*store.Store{open(t, at), open(t, at)}
	if err := stores[0].AddPerson(ctx, account.Person{ID: "ann", Name: "1000", Created: began}, account.HashSecret("ann")); err != nil {
		t.Fatal(err)
	}
	log := first(t, 0)
	if err := stores[0].Append(ctx, log, summary(t, "m", log)); err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	for i := range 40 {
		wait.Go(func() {
			if _, err := stores[i%2].AddRemark(ctx, remark("ann", fmt.Sprint("c", i), "text")); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	all, err := stores[0].Remarks(ctx, "m", "players", 0, 100)
	if err != nil || len(all) != 40 || all[39].N != 40 {
		t.Errorf("%d remarks, %v", len(all), err)
	}
}

func TestPostgresDatabasesThatAreNotOursAreRefused(t *testing.T) {
	for _, test := range []struct{ name, statement, want string }{
		{"foreign", `CREATE TABLE theirs (id INTEGER)`, `"theirs"`},
		{"newer", `INSERT INTO goose_db_version (version_id, is_applied) VALUES (999, true)`, "newer program"},
	} {
		t.Run(test.name, func(t *testing.T) {
			address := database(t)
			if test.name == "newer" {
				open(t, address).Close()
			}
			db, err := sql.Open("pgx", address)
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			if _, err := db.Exec(test.statement); err != nil {
				t.Fatal(err)
			}
			if _, err := store.Open(context.Background(), address); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want an error with %s", err, test.want)
			}
		})
	}
}

// TestAStoreGoesOnWhereTheServerComesBack: what is not acknowledged fails at once and says that the database is away.
func TestAStoreGoesOnWhereTheServerComesBack(t *testing.T) {
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
	ctx, s := context.Background(), open(t, address)
	log := first(t, 0)
	for i := range 3 {
		id := fmt.Sprint("m", i)
		if err := s.Append(ctx, log, summary(t, "m", log)); err != nil && i == 0 {
			t.Fatal(err)
		}
		if err := s.AddPerson(ctx, account.Person{ID: id, Name: "1000", Created: began}, account.HashSecret(id)); err != nil {
			t.Fatal(err)
		}
		if err := server.Stop(); err != nil {
			t.Fatal(err)
		}
		if err := s.AddPerson(ctx, account.Person{ID: "lost", Name: "1000", Created: began}, account.HashSecret("lost")); !store.Unavailable(err) {
			t.Errorf("writing without a server: %v", err)
		}
		if _, err := s.Entries(ctx, "m", 0); !store.Unavailable(err) {
			t.Errorf("reading without a server: %v", err)
		}
		if err := server.Run(); err != nil {
			t.Fatal(err)
		}
	}
	if _, known, err := s.PersonByID(ctx, "lost"); known || err != nil {
		t.Errorf("a person nobody was told of is stored: %v, %v", known, err)
	}
}
