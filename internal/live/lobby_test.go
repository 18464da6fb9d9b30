package live_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/account"
	"github.com/linesofaction/loa/internal/bus"
	"github.com/linesofaction/loa/internal/clock"
	"github.com/linesofaction/loa/internal/live"
	"github.com/linesofaction/loa/internal/lobby"
	"github.com/linesofaction/loa/internal/match"
	"github.com/linesofaction/loa/internal/store"
)

var ids atomic.Int64

func newLobby(service *live.Service, db *store.Store) *live.Lobby {
	return live.NewLobby(service, db,
		func() (string, error) { return fmt.Sprint("id", ids.Add(1)), nil },
		func() uint64 { return uint64(ids.Load()) << 32 })
}

// meet returns a lobby with people, and the clock of both.
func meet(t testing.TB, names ...string) (*live.Lobby, *live.Service, *store.Store, *hand) {
	t.Helper()
	db, h := open(t), new(hand)
	for _, name := range names {
		if err := db.AddPerson(context.Background(), account.Person{ID: name, Name: name, Created: began}, account.HashSecret(name)); err != nil {
			t.Fatal(err)
		}
	}
	service := live.New(db, new(bus.Memory), h.now, 100)
	return newLobby(service, db), service, db, h
}

func wish(rated bool) lobby.Wish {
	return lobby.Wish{Control: clock.Control{Kind: clock.Fischer, Base: 5 * time.Minute, Step: 3 * time.Second}, Rated: rated, Color: loa.NoColor}
}

func seeker(name string, rated bool) lobby.Seeker {
	return lobby.Seeker{Person: name, Name: name, Wish: wish(rated)}
}

func running(t testing.TB, db *store.Store, person string) []match.ID {
	t.Helper()
	found, err := db.RunningMatches(context.Background(), person, 10)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestTwoStrangersMeet(t *testing.T) {
	ctx := context.Background()
	l, service, db, _ := meet(t, "ann", "bob")
	told := map[match.ID]int{}
	for _, name := range []string{"ann", "bob"} {
		defer service.Listen(live.PersonTopic(name), func(topic match.ID, _ int) { told[topic]++ })()
	}
	for range 3 { // a page reloaded is still one seek
		if err := l.Seek(ctx, seeker("ann", true)); err != nil {
			t.Fatal(err)
		}
	}
	if waiting, err := l.Seeks(ctx); err != nil || len(waiting) != 1 || waiting[0].Name != "ann" {
		t.Fatalf("waiting %+v, %v", waiting, err)
	}
	if err := l.Seek(ctx, seeker("bob", true)); err != nil {
		t.Fatal(err)
	}
	games := running(t, db, "ann")
	if len(games) != 1 || fmt.Sprint(games) != fmt.Sprint(running(t, db, "bob")) {
		t.Fatalf("ann plays %v, bob %v", games, running(t, db, "bob"))
	}
	m, err := service.Match(ctx, games[0])
	if err != nil || !m.Terms().Rated || m.Terms().Control != wish(true).Control || m.SeatOf("ann") == m.SeatOf("bob") {
		t.Errorf("terms %+v, %v", m.Terms(), err)
	}
	if waiting, err := l.Seeks(ctx); err != nil || len(waiting) != 0 {
		t.Errorf("still waiting %+v, %v", waiting, err)
	}
	if len(told) != 2 {
		t.Errorf("told %v", told)
	}
}

func TestSeekOfAClosedPageIsNotPaired(t *testing.T) {
	ctx := context.Background()
	l, _, db, h := meet(t, "ann", "bob")
	if err := l.Seek(ctx, seeker("ann", false)); err != nil {
		t.Fatal(err)
	}
	h.turn(live.SeekLife + time.Second)
	if err := l.Seek(ctx, seeker("bob", false)); err != nil {
		t.Fatal(err)
	}
	if games := running(t, db, "bob"); len(games) != 0 {
		t.Errorf("bob plays %v against nobody", games)
	}
	if err := l.StopSeeking(ctx, "bob", ""); err != nil {
		t.Fatal(err)
	}
	if waiting, err := l.Seeks(ctx); err != nil || len(waiting) != 0 {
		t.Errorf("waiting %+v, %v", waiting, err)
	}
}

// A page that is loaded again was closed for a moment, in which nobody is paired with it.
func TestASearchThatIsResumedHasWaitedAllTheTime(t *testing.T) {
	ctx := context.Background()
	for _, test := range []struct {
		name string
		end  func(*live.Lobby, *hand)
		kept bool
	}{
		{"closed and loaded again", func(l *live.Lobby, h *hand) {
			if err := l.RestSeeking(ctx, "ann", wish(false).Setting()); err != nil {
				t.Fatal(err)
			}
			if waiting, err := l.Seeks(ctx); err != nil || len(waiting) != 0 {
				t.Errorf("while nobody looks: %+v, %v", waiting, err)
			}
			if err := l.Seek(ctx, seeker("bob", false)); err != nil { // pairing sweeps
				t.Fatal(err)
			}
			if err := l.StopSeeking(ctx, "bob", ""); err != nil {
				t.Fatal(err)
			}
			h.turn(live.SeekLife / 2)
		}, true},
		{"without network for a while", func(_ *live.Lobby, h *hand) { h.turn(live.SeekLife * 3 / 2) }, true},
		{"closed for long", func(l *live.Lobby, h *hand) {
			if err := l.RestSeeking(ctx, "ann", wish(false).Setting()); err != nil {
				t.Fatal(err)
			}
			h.turn(live.SeekLife + time.Second)
		}, false},
		{"stopped", func(l *live.Lobby, _ *hand) {
			if err := l.StopSeeking(ctx, "ann", ""); err != nil {
				t.Fatal(err)
			}
		}, false},
	} {
		l, _, db, h := meet(t, "ann", "bob")
		look := func() time.Time {
			t.Helper()
			if err := l.Seek(ctx, seeker("ann", false)); err != nil {
				t.Fatal(err)
			}
			waiting, err := l.Seeks(ctx)
			if err != nil || len(waiting) != 1 {
				t.Fatalf("%s: waiting %+v, %v", test.name, waiting, err)
			}
			return waiting[0].Since
		}
		began := look()
		h.turn(live.SeekLife / 3)
		test.end(l, h)
		if games := running(t, db, "ann"); len(games) != 0 {
			t.Errorf("%s: ann plays %v", test.name, games)
		}
		if got := look(); got.Equal(began) != test.kept {
			t.Errorf("%s: looks since %s, began at %s", test.name, got, began)
		}
	}
}

func TestGuestsPlayCasualGames(t *testing.T) {
	ctx := context.Background()
	l, _, _, _ := meet(t, "ann", "bob")
	guest := seeker("ann", true)
	guest.Guest = true
	if err := l.Seek(ctx, guest); !errors.Is(err, live.ErrGuest) {
		t.Errorf("got %v", err)
	}
	c, err := l.Challenge(ctx, lobby.Challenge{From: "bob", Name: "bob", Wish: wish(true)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Accept(ctx, c.ID, guest); !errors.Is(err, live.ErrGuest) {
		t.Errorf("got %v", err)
	}
}

// TestProcessesPairASeekOnce: many seekers in two processes that pair at once; everybody who plays plays one game.
func TestProcessesPairASeekOnce(t *testing.T) {
	ctx := context.Background()
	var names []string
	for i := range 14 {
		names = append(names, fmt.Sprint("p", i))
	}
	l, service, db, _ := meet(t, names...)
	lobbies := []*live.Lobby{l, newLobby(live.New(db, new(bus.Memory), service.Now, 100), db)}
	var wait sync.WaitGroup
	for i, name := range names {
		wait.Go(func() {
			if err := lobbies[i%2].Seek(ctx, seeker(name, true)); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if err := l.Pair(ctx); err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if games := running(t, db, name); len(games) != 1 {
			t.Errorf("%s plays %v", name, games)
		}
	}
}

func TestChallengeIsTakenOnce(t *testing.T) {
	ctx := context.Background()
	l, service, db, _ := meet(t, "ann", "bob", "cid")
	w := wish(false)
	w.Color = loa.White
	c, err := l.Challenge(ctx, lobby.Challenge{From: "ann", Name: "ann", Wish: w})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Accept(ctx, c.ID, seeker("ann", false)); !errors.Is(err, live.ErrOwn) {
		t.Errorf("one's own: %v", err)
	}
	taken, conflicts := atomic.Int64{}, atomic.Int64{}
	var wait sync.WaitGroup
	for _, name := range []string{"bob", "cid"} {
		wait.Go(func() {
			switch _, err := l.Accept(ctx, c.ID, seeker(name, false)); {
			case err == nil:
				taken.Add(1)
			case errors.Is(err, live.ErrConflict):
				conflicts.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if taken.Load() != 1 || conflicts.Load() != 1 {
		t.Errorf("taken %d times, refused %d times", taken.Load(), conflicts.Load())
	}
	games := running(t, db, "ann")
	if len(games) != 1 {
		t.Fatalf("ann plays %v", games)
	}
	if m, err := service.Match(ctx, games[0]); err != nil || m.SeatOf("ann") != loa.White {
		t.Errorf("ann is %s, %v", m.SeatOf("ann"), err)
	}
	if _, state, err := l.Get(ctx, c.ID); err != nil || state != "taken" {
		t.Errorf("state %q, %v", state, err)
	}
}

// Who calls games off, does not come to them or leaves them is known for it when the next pairing is made; the other one
// is not, and neither is who was there when the flag fell.
func TestWhoLeavesGamesIsLessFavored(t *testing.T) {
	ctx := context.Background()
	// moves makes the first moves, and one more where it is to be White's turn
	moves := func(s *live.Service, id match.ID, turn loa.Color) {
		for range 2 + int(turn) {
			m, err := s.Match(ctx, id)
			if err == nil {
				_, _, err = s.Submit(ctx, id, match.Command{By: m.Game().Position().Turn(), Ask: match.Move{Ply: m.Game().Plies(), Move: m.Game().Moves(nil)[0]}})
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	flag := func(gone bool) func(*live.Service, *hand, match.ID, loa.Color) {
		return func(s *live.Service, h *hand, id match.ID, by loa.Color) {
			s.Attend(func(of match.ID, side loa.Color, _ time.Time) bool { return gone && of == id && side == by })
			moves(s, id, by)
			h.turn(time.Hour)
			if err := s.Expire(ctx); err != nil {
				t.Fatal(err)
			}
		}
	}
	claim := func(draw bool) func(*live.Service, *hand, match.ID, loa.Color) {
		return func(s *live.Service, _ *hand, id match.ID, by loa.Color) {
			moves(s, id, by)
			if _, _, err := s.Submit(ctx, id, match.Command{By: by.Opponent(), Ask: match.Claim{Draw: draw, Away: time.Hour}}); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, end := range map[string]func(*live.Service, *hand, match.ID, loa.Color){
		"called off": func(s *live.Service, _ *hand, id match.ID, by loa.Color) {
			if _, _, err := s.Submit(ctx, id, match.Command{By: by, Ask: match.Abort{}}); err != nil {
				t.Fatal(err)
			}
		},
		"no first move": func(s *live.Service, h *hand, id match.ID, by loa.Color) {
			if by == loa.White {
				m, err := s.Match(ctx, id)
				if err == nil {
					_, _, err = s.Submit(ctx, id, match.Command{By: loa.Black, Ask: match.Move{Move: m.Game().Moves(nil)[0]}})
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			h.turn(time.Hour)
			if err := s.Expire(ctx); err != nil {
				t.Fatal(err)
			}
		},
		"away when the flag fell": flag(true),
		"away, and the end was found by a late offer": func(s *live.Service, h *hand, id match.ID, by loa.Color) {
			s.Attend(func(of match.ID, side loa.Color, _ time.Time) bool { return side == by })
			moves(s, id, by)
			h.turn(time.Hour)
			if _, _, err := s.Submit(ctx, id, match.Command{By: by.Opponent(), Ask: match.Resign{}}); err != nil {
				t.Fatal(err)
			}
		},
		"a win was claimed":        claim(false),
		"a draw was claimed":       claim(true),
		"there when the flag fell": flag(false),
	} {
		for _, by := range []loa.Color{loa.Black, loa.White} {
			l, service, db, h := meet(t, "ann", "bob")
			for _, person := range []string{"ann", "bob"} {
				if err := l.Seek(ctx, seeker(person, false)); err != nil {
					t.Fatal(err)
				}
			}
			m, err := service.Match(ctx, running(t, db, "ann")[0])
			if err != nil {
				t.Fatal(err)
			}
			end(service, h, m.ID(), by)
			for color, want := range map[loa.Color]bool{by: name == "there when the flag fell", by.Opponent(): true} {
				standing, err := db.Standing(ctx, m.Seat(color).Person)
				if err != nil || standing.Kept == 1 != want {
					t.Errorf("%s by %s: %s has kept %.2f of the games, %v", name, by, color, standing.Kept, err)
				}
			}
		}
	}
}

func TestBlockedPeopleAreKeptApart(t *testing.T) {
	ctx := context.Background()
	l, _, db, h := meet(t, "ann", "bob")
	open, err := l.Challenge(ctx, lobby.Challenge{From: "ann", Name: "ann", Wish: wish(false)})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.SetBlock(ctx, "bob", "ann", true); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Accept(ctx, open.ID, seeker("bob", false)); !errors.Is(err, live.ErrBlocked) {
		t.Errorf("accepting: %v", err)
	}
	if _, err := l.Challenge(ctx, lobby.Challenge{From: "ann", Name: "ann", To: "bob", Wish: wish(false)}); !errors.Is(err, live.ErrBlocked) {
		t.Errorf("challenging: %v", err)
	}
	for _, name := range []string{"ann", "bob"} {
		if err := l.Seek(ctx, seeker(name, false)); err != nil {
			t.Fatal(err)
		}
	}
	if games := running(t, db, "ann"); len(games) != 0 {
		t.Errorf("paired: %v", games)
	}
	if err := db.SetBlock(ctx, "bob", "ann", false); err != nil {
		t.Fatal(err)
	}
	h.turn(time.Second)
	if err := l.Pair(ctx); err != nil {
		t.Fatal(err)
	}
	if games := running(t, db, "ann"); len(games) != 1 {
		t.Errorf("after the block: %v", games)
	}
}

func TestTheLobbyTellsEverybodyWhatJoiningBrings(t *testing.T) {
	ctx := context.Background()
	l, _, db, _ := meet(t, "ann", "bob", "cid")
	if err := db.SetBlock(ctx, "ann", "bob", true); err != nil {
		t.Fatal(err)
	}
	if err := l.Seek(ctx, seeker("ann", true)); err != nil {
		t.Fatal(err)
	}
	for person, want := range map[string]string{"ann": "ann:", "bob": "", "cid": "ann:", "": "ann:"} {
		seen, err := l.SeeksFor(ctx, person)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, s := range seen {
			got += s.Person + ":" + string(s.Prospect)
		}
		if got != want {
			t.Errorf("%q sees %q, want %q", person, got, want)
		}
	}
}

func TestChallengesThatCannotBeAccepted(t *testing.T) {
	ctx := context.Background()
	l, _, _, h := meet(t, "ann", "bob", "cid")
	challenge := func(to string) string {
		t.Helper()
		c, err := l.Challenge(ctx, lobby.Challenge{From: "ann", Name: "ann", To: to, Wish: wish(false)})
		if err != nil {
			t.Fatal(err)
		}
		return c.ID
	}
	named, refused, old := challenge("bob"), challenge("bob"), challenge("")
	if open, err := l.Challenges(ctx, "bob"); err != nil || len(open) != 2 {
		t.Errorf("%d challenges for bob, %v", len(open), err)
	}
	if err := l.Refuse(ctx, refused, "cid"); !errors.Is(err, live.ErrNotYours) {
		t.Errorf("somebody else refuses: %v", err)
	}
	if err := l.Refuse(ctx, refused, "bob"); err != nil {
		t.Error(err)
	}
	if _, err := l.Accept(ctx, named, seeker("cid", false)); !errors.Is(err, live.ErrNotYours) {
		t.Errorf("for somebody else: %v", err)
	}
	if _, err := l.Accept(ctx, refused, seeker("bob", false)); !errors.Is(err, live.ErrConflict) {
		t.Errorf("refused: %v", err)
	}
	if _, err := l.Accept(ctx, "nothing", seeker("bob", false)); !errors.Is(err, live.ErrNotFound) {
		t.Errorf("unknown: %v", err)
	}
	h.turn(lobby.ChallengeLife + time.Hour)
	if _, err := l.Accept(ctx, old, seeker("bob", false)); !errors.Is(err, live.ErrExpired) {
		t.Errorf("expired: %v", err)
	}
}
