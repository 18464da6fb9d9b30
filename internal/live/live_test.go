package live_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/bus"
	"github.com/linesofaction/loa/internal/live"
	"github.com/linesofaction/loa/internal/match"
	"github.com/linesofaction/loa/internal/store"
)

var began = time.UnixMilli(1_700_000_000_000)

func now() time.Time { return began }

func open(t testing.TB) *store.Store {
	t.Helper()
	s, err := store.Open(context.Background(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

var people = [2]match.Seat{{Person: "black", Name: "1"}, {Person: "white", Name: "2"}}

// start returns the standard position.
func start(t testing.TB) loa.Setup {
	t.Helper()
	start, err := loa.Rules{}.StartPosition()
	if err != nil {
		t.Fatal(err)
	}
	return start.Setup()
}

func create(t testing.TB, s *live.Service, id match.ID) *match.Match {
	t.Helper()
	m, err := s.Create(context.Background(), id, match.Terms{Start: start(t), Seats: people})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// next returns a legal move for whoever is to move.
func next(m *match.Match, pick int, client string) match.Command {
	moves := m.Game().Moves(nil)
	return match.Command{
		By: m.Game().Position().Turn(), Client: client,
		Ask: match.Move{Ply: m.Game().Plies(), Move: moves[pick%len(moves)]},
	}
}

func TestUnknownMatchIsNotFound(t *testing.T) {
	s := live.New(open(t), new(bus.Memory), now, 10)
	if _, err := s.Match(context.Background(), "nobody"); !errors.Is(err, live.ErrNotFound) {
		t.Errorf("got %v", err)
	}
	if _, _, err := s.Submit(context.Background(), "nobody", match.Command{Ask: match.Resign{}}); !errors.Is(err, live.ErrNotFound) {
		t.Errorf("got %v", err)
	}
}

func TestAcknowledgedMovesAreThereForAnotherProcess(t *testing.T) {
	ctx, db := context.Background(), open(t)
	one := live.New(db, new(bus.Memory), now, 10)
	m := create(t, one, "m")
	for i := range 20 {
		var err error
		if m, _, err = one.Submit(ctx, "m", next(m, i, fmt.Sprint(i))); err != nil {
			t.Fatal(err)
		}
		fresh, err := live.New(db, new(bus.Memory), now, 10).Match(ctx, "m")
		if err != nil {
			t.Fatal(err)
		}
		if fresh.Seq() != m.Seq() || !fresh.Game().Position().Same(m.Game().Position()) {
			t.Fatalf("after ply %d another process sees %s, want %s", i+1, fresh.Game().Position(), m.Game().Position())
		}
	}
}

func TestStaleProcessReadsWhatItMissedAndDecidesAgain(t *testing.T) {
	ctx, db := context.Background(), open(t)
	one, two := live.New(db, new(bus.Memory), now, 10), live.New(db, new(bus.Memory), now, 10)
	m := create(t, one, "m")
	if _, err := two.Match(ctx, "m"); err != nil {
		t.Fatal(err)
	}
	m, _, err := one.Submit(ctx, "m", next(m, 0, "a"))
	if err != nil {
		t.Fatal(err)
	}
	m, _, err = two.Submit(ctx, "m", next(m, 3, "b")) // decided against a state without "a" at first
	var refusal *match.Refusal
	if errors.As(err, &refusal) {
		if m, err = two.Refresh(ctx, "m"); err != nil {
			t.Fatal(err)
		}
		m, _, err = two.Submit(ctx, "m", next(m, 3, "b"))
	}
	if err != nil || m.Game().Plies() != 2 {
		t.Fatalf("%d plies, %v", m.Game().Plies(), err)
	}
	// a command of the other process that was carried out is answered, not carried out again
	again := next(create(t, one, "other"), 0, "a")
	m, seq, err := two.Submit(ctx, "m", again)
	if err != nil || seq != 2 || m.Game().Plies() != 2 {
		t.Errorf("answered %d at %d plies, %v", seq, m.Game().Plies(), err)
	}
}

func TestListenersHearEveryChange(t *testing.T) {
	ctx := context.Background()
	s := live.New(open(t), new(bus.Memory), now, 10)
	m := create(t, s, "m")
	create(t, s, "other")
	var heard []int
	cancel := s.Listen("m", func(_ match.ID, seq int) { heard = append(heard, seq) })
	for range 2 {
		next, _, err := s.Submit(ctx, "m", next(m, 0, ""))
		if err != nil {
			t.Fatal(err)
		}
		cancel()
		m = next
	}
	if fmt.Sprint(heard) != "[2]" {
		t.Errorf("heard %v", heard)
	}
}

func TestEnginesHearOfMatchesTheyMayPlayIn(t *testing.T) {
	ctx := context.Background()
	b, store := new(bus.Memory), open(t)
	s := live.New(store, b, now, 10)
	create(t, s, "people")
	seats := people
	seats[loa.White] = match.Seat{Holder: match.Engine, Level: 1}
	var heard []string
	defer s.ListenForEngines(func(id match.ID, seq int) { heard = append(heard, fmt.Sprint(id, " ", seq)) })()
	if _, err := s.Create(ctx, "engine", match.Terms{Start: start(t), Seats: seats}); err != nil {
		t.Fatal(err)
	}
	for _, id := range []match.ID{"people", "engine"} {
		m, err := s.Match(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := s.Submit(ctx, id, next(m, 0, "")); err != nil {
			t.Fatal(err)
		}
	}
	if err := newLobby(s, store).StopSeeking(ctx, "ann", ""); err != nil { // news of the lobby, not of a match
		t.Fatal(err)
	}
	b.Publish("elsewhere", 7) // another process plays it
	if want := "[engine 1 engine 2 elsewhere 7]"; fmt.Sprint(heard) != want {
		t.Errorf("heard %v, want %s", heard, want)
	}
}

func TestMemoryIsBounded(t *testing.T) {
	ctx := context.Background()
	s := live.New(open(t), new(bus.Memory), now, 4)
	for i := range 40 {
		create(t, s, match.ID(fmt.Sprint("m", i)))
	}
	for i := range 40 {
		m, err := s.Match(ctx, match.ID(fmt.Sprint("m", i)))
		if err != nil || m.Seq() != 1 {
			t.Fatalf("match %d: %v", i, err)
		}
	}
}

// asked is a command of many kinds, now and then one that is behind, or comes from the wrong side.
func asked(m *match.Match, rng *rand.Rand, client string) match.Command {
	plies := m.Game().Plies()
	if rng.IntN(8) == 0 {
		plies -= 2
	}
	command := match.Command{By: m.Game().Position().Turn(), Client: client}
	if rng.IntN(8) == 0 {
		command.By = command.By.Opponent()
	}
	switch moves := m.Game().Moves(nil); {
	case rng.IntN(400) == 0:
		command.Ask = match.Resign{}
	case len(moves) == 0 || rng.IntN(6) == 0:
		command.Ask = match.Takeback{Ply: plies}
	case rng.IntN(10) == 0:
		command.Ask = match.OfferOf{What: match.OfferDraw, Ply: plies}
	case rng.IntN(20) == 0:
		command.Ask = match.Decline{What: match.OfferTakeback}
	default:
		command.Ask = match.Move{Ply: plies, Move: moves[rng.IntN(len(moves))]}
	}
	return command
}

// TestRace: a thousand commands of many clients of two processes for few matches. There is one history for each, every
// acknowledged command is in it exactly once, and none that was refused.
func TestRace(t *testing.T) {
	ctx, db := context.Background(), open(t)
	shared := new(bus.Memory)
	processes := []*live.Service{live.New(db, shared, now, 10), live.New(db, shared, now, 10)}
	const matches, clients, commands = 6, 20, 60
	for i := range matches {
		create(t, processes[0], match.ID(fmt.Sprint("m", i)))
	}
	var mu sync.Mutex
	acknowledged, refused := map[string]int{}, map[string]bool{}
	var wait sync.WaitGroup
	for client := range clients {
		wait.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(client), 2))
			s := processes[client%2]
			for i := range commands {
				id := match.ID(fmt.Sprint("m", rng.IntN(matches)))
				m, err := s.Match(ctx, id)
				if err != nil {
					t.Error(err)
					return
				}
				name := fmt.Sprintf("%s/%d.%d", id, client, i)
				command := asked(m, rng, name)
				for range 1 + rng.IntN(2) { // some are sent twice, as after a lost answer: the last one counts
					_, seq, err := s.Submit(ctx, id, command)
					var refusal *match.Refusal
					mu.Lock()
					switch {
					case err == nil:
						if before, ok := acknowledged[name]; ok && before != seq {
							t.Errorf("%s answered %d, then %d", name, before, seq)
						}
						acknowledged[name] = seq
						delete(refused, name)
					case errors.As(err, &refusal):
						refused[name] = true
					default:
						t.Error(err)
					}
					mu.Unlock()
				}
				if i%8 == 0 {
					if _, err := s.Refresh(ctx, id); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	wait.Wait()
	found := map[string]bool{}
	for i := range matches {
		id := match.ID(fmt.Sprint("m", i))
		log, err := db.Entries(ctx, id, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := match.Replay(id, log); err != nil {
			t.Fatal(err)
		}
		for _, entry := range log {
			if entry.Client == "" {
				continue
			}
			if found[entry.Client] {
				t.Errorf("%s is in the history twice", entry.Client)
			}
			found[entry.Client] = true
			if acknowledged[entry.Client] != entry.Seq {
				t.Errorf("%s stands at %d, acknowledged as %d", entry.Client, entry.Seq, acknowledged[entry.Client])
			}
		}
	}
	for name := range acknowledged {
		if !found[name] {
			t.Errorf("%s was acknowledged and is lost", name)
		}
		if refused[name] {
			t.Errorf("%s was both acknowledged and refused", name)
		}
	}
	if a, r := len(acknowledged), len(refused); a+r < 1000 || a < 200 || r < 100 {
		t.Errorf("%d commands were acknowledged and %d refused; expected a thousand, and many of both", a, r)
	}
}
