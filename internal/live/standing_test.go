package live_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/account"
	"github.com/linesofaction/loa/internal/clock"
	"github.com/linesofaction/loa/internal/live"
	"github.com/linesofaction/loa/internal/lobby"
	"github.com/linesofaction/loa/internal/match"
	"github.com/linesofaction/loa/internal/store"
)

const day = 24 * time.Hour

// daily looks for a game at so many days a move.
func daily(name string, days int, change ...func(*lobby.Wish)) lobby.Seeker {
	s := seeker(name, false)
	s.Wish.Control = clock.Control{Kind: clock.Correspondence, Step: time.Duration(days) * day}
	for _, c := range change {
		c(&s.Wish)
	}
	return s
}

func as(color loa.Color) func(*lobby.Wish) { return func(w *lobby.Wish) { w.Color = color } }

// stand lets people look for a game whether they are there or not.
func stand(t *testing.T, l *live.Lobby, seekers ...lobby.Seeker) {
	t.Helper()
	for _, s := range seekers {
		if err := l.Stand(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
}

// waiting lists who looks for what.
func waiting(t *testing.T, l *live.Lobby) string {
	t.Helper()
	seekers, err := l.Seeks(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, s := range seekers {
		out = append(out, s.Person+" "+s.Wish.Control.String())
	}
	return strings.Join(out, ", ")
}

// theOne returns the id of the only seek there is.
func theOne(t *testing.T, l *live.Lobby) string {
	t.Helper()
	seekers, err := l.Seeks(t.Context())
	if err != nil || len(seekers) != 1 {
		t.Fatalf("seeks %+v, %v", seekers, err)
	}
	return seekers[0].ID
}

func TestASeekAtDaysAMoveStandsForTwoWeeks(t *testing.T) {
	l, _, db, h := meet(t, "ann", "bob")
	stand(t, l, daily("ann", 2))
	for _, end := range []func(context.Context, string, string) error{l.RestSeeking, l.StopSeeking} { // as the page does that closes
		if err := end(t.Context(), "ann", daily("ann", 2).Wish.Setting()); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.StopSeeking(t.Context(), "ann", ""); err != nil {
		t.Fatal(err)
	}
	h.turn(live.StandingLife - time.Minute)
	if got := waiting(t, l); got != "ann 2d/move" {
		t.Errorf("after nearly two weeks: %q", got)
	}
	h.turn(2 * time.Minute)
	if got := waiting(t, l); got != "" {
		t.Errorf("after two weeks: %q", got)
	}
	if err := l.Seek(t.Context(), daily("bob", 2)); err != nil || len(running(t, db, "bob")) != 0 {
		t.Errorf("bob plays %v, %v", running(t, db, "bob"), err)
	}
}

func TestASeekThatIsMadeAgainStandsFromThenOn(t *testing.T) {
	l, _, _, h := meet(t, "ann")
	stand(t, l, daily("ann", 2))
	h.turn(10 * day)
	stand(t, l, daily("ann", 2))
	// a program that looks for the same does not shorten it
	if err := l.Seek(t.Context(), daily("ann", 2)); err != nil {
		t.Fatal(err)
	}
	h.turn(10 * day)
	if seekers, err := l.Seeks(t.Context()); err != nil || len(seekers) != 1 || seekers[0].Until.Sub(h.now()) != 4*day || h.now().Sub(seekers[0].Since) != 20*day {
		t.Errorf("seeks %+v, %v", seekers, err)
	}
}

func TestWhoLooksForWhatStandsPlaysAtOnce(t *testing.T) {
	l, service, db, h := meet(t, "ann", "bob")
	ann := daily("ann", 2, as(loa.White), func(w *lobby.Wish) { w.Rules.Goal = loa.GoalMisere })
	stand(t, l, ann)
	h.turn(3 * day)
	bob := daily("bob", 2, func(w *lobby.Wish) { w.Rules.Goal = loa.GoalMisere })
	stand(t, l, bob)
	games := running(t, db, "ann")
	if len(games) != 1 || !slices.Equal(games, running(t, db, "bob")) || waiting(t, l) != "" {
		t.Fatalf("ann plays %v, bob %v; waiting %q", games, running(t, db, "bob"), waiting(t, l))
	}
	m, err := service.Match(t.Context(), games[0])
	if err != nil || m.SeatOf("ann") != loa.White || m.Terms().Rules != ann.Wish.Rules {
		t.Errorf("terms %+v, %v", m.Terms(), err)
	}
	if awaited, err := db.Awaited(t.Context(), "bob"); err != nil || !slices.Equal(awaited, games) {
		t.Errorf("bob is awaited in %v, %v", awaited, err)
	}
}

func TestASeekThatStandsIsTaken(t *testing.T) {
	l, service, db, h := meet(t, "ann", "bob", "cid")
	told := map[match.ID]int{}
	for _, name := range []string{"ann", "bob"} {
		defer service.Listen(live.PersonTopic(name), func(topic match.ID, _ int) { told[topic]++ })()
	}
	stand(t, l, daily("ann", 3, as(loa.Black)), daily("cid", 3, as(loa.Black)))
	h.turn(day)
	seekers, err := l.Seeks(t.Context())
	if err != nil || len(seekers) != 2 {
		t.Fatalf("seeks %+v, %v", seekers, err)
	}
	// bob gets the one he chose, though another one is older
	chosen := seekers[1]
	id, err := l.Take(t.Context(), chosen.ID, daily("bob", 9))
	if err != nil {
		t.Fatal(err)
	}
	m, err := service.Match(t.Context(), id)
	if err != nil || m.SeatOf(chosen.Person) != loa.Black || m.SeatOf("bob") != loa.White || m.Terms().Control != chosen.Wish.Control {
		t.Errorf("%+v, %v", m.Terms(), err)
	}
	if got := waiting(t, l); got != seekers[0].Person+" 3d/move" {
		t.Errorf("waiting: %q", got)
	}
	if len(running(t, db, chosen.Person)) != 1 || told[live.PersonTopic("bob")] != 1 {
		t.Errorf("%s plays %v; told %v", chosen.Person, running(t, db, chosen.Person), told)
	}
	if _, err := l.Take(t.Context(), chosen.ID, daily("bob", 9)); !errors.Is(err, live.ErrGone) {
		t.Errorf("once more: %v", err)
	}
}

func TestWhoMayNotTakeASeek(t *testing.T) {
	l, _, db, h := meet(t, "ann", "bob", "bot", "barred")
	stand(t, l, daily("ann", 3, func(w *lobby.Wish) { w.Rated, w.Below, w.Above = true, 100, 100 }))
	id := theOne(t, l)
	guest, program := seeker("bob", false), seeker("bot", false)
	guest.Guest, program.Bot = true, true
	for _, name := range []string{"bot", "bob"} {
		if err := db.Join(t.Context(), name, "a-"+name, "password"); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.BecomeBot(t.Context(), "bot"); err != nil {
		t.Fatal(err)
	}
	if err := db.Act(t.Context(), account.Act{At: h.now(), Kind: account.Bar, Person: "barred", Until: h.now().Add(day), Reason: "because"}, ""); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		by   lobby.Seeker
		id   string
		want error
	}{
		"its maker":      {seeker("ann", false), id, live.ErrOwn},
		"a guest, rated": {guest, id, live.ErrGuest},
		"a bot":          {program, id, live.ErrBlocked},
		"who is barred":  {seeker("barred", false), id, live.ErrBarred},
		"unknown":        {seeker("bob", false), "nothing", live.ErrGone},
	} {
		if _, err := l.Take(t.Context(), test.id, test.by); !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", name, err, test.want)
		}
	}
	if err := db.SetBlock(t.Context(), "ann", "bob", true); err != nil { // known a little later, and heeded at once
		t.Fatal(err)
	}
	if _, err := l.Take(t.Context(), id, seeker("bob", false)); !errors.Is(err, live.ErrBlocked) {
		t.Errorf("blocked: %v", err)
	}
	if waiting(t, l) != "ann 3d/move" || len(running(t, db, "ann")) != 0 {
		t.Errorf("waiting %q, ann plays %v", waiting(t, l), running(t, db, "ann"))
	}
}

func TestOnlyItsMakerWithdrawsASeek(t *testing.T) {
	l, _, _, _ := meet(t, "ann", "bob")
	stand(t, l, daily("ann", 3))
	id := theOne(t, l)
	for _, test := range []struct{ person, want string }{{"bob", "ann 3d/move"}, {"ann", ""}, {"ann", ""}} {
		if err := l.Withdraw(t.Context(), test.person, id); err != nil || waiting(t, l) != test.want {
			t.Errorf("withdrawn by %s: %q, %v", test.person, waiting(t, l), err)
		}
	}
}

func TestSeeksThatStandAreBounded(t *testing.T) {
	for _, guest := range []bool{false, true} {
		l, _, _, h := meet(t, "ann")
		var err error
		made := 0
		for ; err == nil && made < 100; made++ {
			s := daily("ann", 1+made%14, as([]loa.Color{loa.Black, loa.White}[made/14]))
			s.Guest = guest
			err = l.Stand(t.Context(), s)
		}
		if !errors.Is(err, live.ErrManySeeks) || made-1 != live.StandingSeeks(guest) {
			t.Errorf("guest %t: the %dth: %v", guest, made, err)
		}
		again := daily("ann", 1, as(loa.Black))
		again.Guest = guest
		if err := l.Stand(t.Context(), again); err != nil {
			t.Errorf("guest %t: one of them again: %v", guest, err)
		}
		if err := l.Seek(t.Context(), seeker("ann", false)); err != nil {
			t.Errorf("guest %t: one while the page is open: %v", guest, err)
		}
		h.turn(live.StandingLife + time.Minute)
		if err := l.Stand(t.Context(), daily("ann", 2)); err != nil {
			t.Errorf("guest %t: when they have expired: %v", guest, err)
		}
	}
}

func TestSeeksStandBesideAGame(t *testing.T) {
	l, _, db, _ := meet(t, "ann", "bob", "cid")
	stand(t, l, daily("ann", 2), daily("ann", 3))
	if err := l.Seek(t.Context(), seeker("ann", false)); err != nil {
		t.Fatal(err)
	}
	seekers, err := l.Seeks(t.Context())
	if err != nil || len(seekers) != 3 || !seekers[0].Until.IsZero() {
		t.Fatalf("those who are there do not come first: %+v, %v", seekers, err)
	}
	if _, err := l.Take(t.Context(), seekers[1].ID, seeker("bob", false)); err != nil {
		t.Fatal(err)
	}
	if got := waiting(t, l); got != "ann 5+3, ann 3d/move" {
		t.Errorf("after a game at days a move: %q", got)
	}
	if err := l.Seek(t.Context(), seeker("cid", false)); err != nil {
		t.Fatal(err)
	}
	if got := waiting(t, l); got != "ann 3d/move" {
		t.Errorf("after a game that is played at once: %q", got)
	}
	if games := running(t, db, "ann"); len(games) != 2 {
		t.Errorf("ann plays %v", games)
	}
}

func TestSeeksGoWithTheirMakers(t *testing.T) {
	for name, leave := range map[string]func(*store.Store, time.Time) error{
		"barred": func(db *store.Store, now time.Time) error {
			return db.Act(t.Context(), account.Act{At: now, Kind: account.Bar, Person: "ann", Until: now.Add(day), Reason: "because"}, "")
		},
		"account closed": func(db *store.Store, _ time.Time) error {
			if err := db.Join(t.Context(), "ann", "Marit", "password"); err != nil {
				return err
			}
			return db.CloseAccount(t.Context(), "ann", "1234")
		},
		"a guest without a session": func(db *store.Store, _ time.Time) error {
			return db.EndSession(t.Context(), "ann", account.HashSecret("ann"))
		},
	} {
		l, _, db, h := meet(t, "ann", "bob")
		stand(t, l, daily("ann", 2))
		id := theOne(t, l)
		if err := leave(db, h.now()); err != nil {
			t.Fatal(err)
		}
		if _, err := l.Take(t.Context(), id, seeker("bob", false)); !errors.Is(err, live.ErrGone) { // before it is noticed
			t.Errorf("%s: taken: %v", name, err)
		}
		h.turn(2 * time.Second)
		if got := waiting(t, l); got != "" {
			t.Errorf("%s: %q", name, got)
		}
	}
	l, _, db, h := meet(t, "ann")
	if err := db.Join(t.Context(), "ann", "Marit", "password"); err != nil {
		t.Fatal(err)
	}
	stand(t, l, daily("ann", 2))
	if err := db.EndSession(t.Context(), "ann", account.HashSecret("ann")); err != nil {
		t.Fatal(err)
	}
	h.turn(2 * time.Second)
	if got := waiting(t, l); got != "ann 2d/move" {
		t.Errorf("a member who has signed out: %q", got)
	}
}

// Everybody hears of a seek that is gone, also where nobody has said so.
func TestTheLobbyNoticesThatASeekHasExpired(t *testing.T) {
	l, service, _, h := meet(t, "ann")
	stand(t, l, daily("ann", 2))
	waiting(t, l)
	news := 0
	defer service.Listen(live.LobbyTopic, func(match.ID, int) { news++ })()
	for _, test := range []struct {
		after time.Duration
		want  int
	}{{time.Minute, 0}, {live.StandingLife, 1}, {time.Minute, 1}} {
		h.turn(test.after)
		if err := l.Pair(t.Context()); err != nil || news != test.want {
			t.Errorf("%d pieces of news, want %d; %v", news, test.want, err)
		}
	}
}

// TestProcessesTakeASeekOnce: one seek, taken at two processes at once.
func TestProcessesTakeASeekOnce(t *testing.T) {
	both, _ := processes(t, now)
	names := []string{"ann", "p0", "p1", "p2", "p3", "p4", "p5"}
	for _, name := range names {
		if err := both[0].db.AddPerson(t.Context(), account.Person{ID: name, Name: name, Created: began}, account.HashSecret(name)); err != nil {
			t.Fatal(err)
		}
	}
	var lobbies [2]*live.Lobby
	for i, p := range both {
		lobbies[i] = newLobby(p.service, p.db)
	}
	stand(t, lobbies[0], daily("ann", 2))
	id := theOne(t, lobbies[1])
	var wait sync.WaitGroup
	errs := make([]error, len(names))
	for i, name := range names[1:] {
		wait.Go(func() { _, errs[i] = lobbies[i%2].Take(t.Context(), id, seeker(name, false)) })
	}
	wait.Wait()
	taken := 0
	for _, err := range errs[:len(names)-1] {
		switch {
		case err == nil:
			taken++
		case !errors.Is(err, live.ErrGone):
			t.Error(err)
		}
	}
	if games, err := both[1].db.RunningMatches(t.Context(), "ann", 10); err != nil || taken != 1 || len(games) != 1 {
		t.Errorf("taken %d times; ann plays %v, %v", taken, games, err)
	}
	stand(t, lobbies[1], daily("ann", 2))
	if err := lobbies[0].Withdraw(t.Context(), "ann", id); err != nil || waiting(t, lobbies[0]) != "" {
		t.Errorf("withdrawn at the other process: %q, %v", waiting(t, lobbies[0]), err)
	}
}
