package live_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/account"
	"github.com/linesofaction/loa/internal/bus"
	"github.com/linesofaction/loa/internal/clock"
	"github.com/linesofaction/loa/internal/live"
	"github.com/linesofaction/loa/internal/lobby"
	"github.com/linesofaction/loa/internal/match"
	"github.com/linesofaction/loa/internal/pgtest"
	"github.com/linesofaction/loa/internal/store"
	"github.com/linesofaction/loa/internal/talk"
)

// process is what one process of a club has of its own.
type process struct {
	db      *store.Store
	bus     *bus.NATS
	service *live.Service
}

func startNATS(t *testing.T, port int) *server.Server {
	t.Helper()
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: port, NoSigs: true, NoLog: true})
	if err != nil {
		t.Fatal(err)
	}
	go s.Start()
	if !s.ReadyForConnections(30 * time.Second) {
		t.Fatal("the NATS server does not start")
	}
	t.Cleanup(s.Shutdown)
	return s
}

// processes returns two processes of one club on PostgreSQL and NATS, which have heard each other.
func processes(t *testing.T, now func() time.Time) ([2]process, *server.Server) {
	t.Helper()
	database, err := pgtest.Start(true)
	if errors.Is(err, pgtest.ErrMissing) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { database.Remove() })
	address, err := database.Database()
	if err != nil {
		t.Fatal(err)
	}
	nats := startNATS(t, server.RANDOM_PORT)
	var both [2]process
	for i := range both {
		db, err := store.Open(t.Context(), address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { db.Close() })
		up := make(chan bool, 100)
		b, err := bus.Connect(nats.ClientURL(), "club", live.Missed, func(is bool, _ error) { up <- is })
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(b.Close)
		for !<-up {
		}
		both[i] = process{db, b, live.New(db, b, now, 100)}
	}
	heard := make(chan bool, 1000)
	cancel := both[1].bus.Listen("hello", func(string, int) { heard <- true })
	defer cancel()
	for {
		both[0].bus.Publish("hello", 1)
		select {
		case <-heard:
			return both, nats
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// await waits until a process hears that a match has got so far, and returns the match there.
func await(t *testing.T, p process, heard chan int, seq int) *match.Match {
	t.Helper()
	for {
		select {
		case got := <-heard:
			if got != live.Missed && got < seq {
				continue
			}
			m, err := p.service.Match(t.Context(), "m")
			if err != nil {
				t.Fatal(err)
			}
			if m.Seq() >= seq {
				return m
			}
		case <-time.After(30 * time.Second):
			t.Fatalf("nobody hears of number %d", seq)
		}
	}
}

func TestPlayersOfOneMatchAtTwoProcesses(t *testing.T) {
	both, nats := processes(t, now)
	var heard [2]chan int
	for i := range both {
		heard[i] = make(chan int, 1000)
		defer both[i].service.Listen("m", func(_ match.ID, seq int) { heard[i] <- seq })()
	}
	m := create(t, both[0].service, "m")
	play := func(from, to int) {
		t.Helper()
		for ply := from; ply < to; ply++ {
			mover := ply % 2
			var err error
			if m, _, err = both[mover].service.Submit(t.Context(), "m", next(m, ply, fmt.Sprint("c", ply))); err != nil {
				t.Fatalf("ply %d: %v", ply, err)
			}
			m = await(t, both[1-mover], heard[1-mover], m.Seq())
		}
	}
	play(0, 10)
	port := nats.Addr().(*net.TCPAddr).Port
	nats.Shutdown()
	play(10, 12) // followed through the database
	startNATS(t, port)
	play(12, 20)
	if m.Game().Plies() != 20 {
		t.Errorf("%d plies", m.Game().Plies())
	}
}

// TestOneCommandAtTwoProcessesIsCarriedOutOnce: as a page sends it that lost one of them.
func TestOneCommandAtTwoProcessesIsCarriedOutOnce(t *testing.T) {
	both, _ := processes(t, now)
	m := create(t, both[0].service, "m")
	for ply := range 10 {
		command := next(m, ply, fmt.Sprint("c", ply))
		var wait sync.WaitGroup
		var seqs [2]int
		for i := range both {
			wait.Go(func() {
				var err error
				if _, seqs[i], err = both[i].service.Submit(t.Context(), "m", command); err != nil {
					t.Error(err)
				}
			})
		}
		wait.Wait()
		var err error
		if m, err = both[ply%2].service.Refresh(t.Context(), "m"); err != nil {
			t.Fatal(err)
		}
		if seqs[0] != seqs[1] || m.Game().Plies() != ply+1 {
			t.Fatalf("ply %d was answered %v, and there are %d", ply, seqs, m.Game().Plies())
		}
	}
}

func TestNobodyIsPairedTwiceByTwoProcesses(t *testing.T) {
	both, _ := processes(t, time.Now)
	lobbies := [2]*live.Lobby{newLobby(both[0].service, both[0].db), newLobby(both[1].service, both[1].db)}
	control, err := clock.Parse("5+3")
	if err != nil {
		t.Fatal(err)
	}
	const people = 12
	var wait sync.WaitGroup
	for i := range people {
		id := fmt.Sprint("p", i)
		if err := both[0].db.AddPerson(t.Context(), account.Person{ID: id, Name: fmt.Sprint(1000 + i), Created: began}, account.HashSecret(id)); err != nil {
			t.Fatal(err)
		}
		wait.Go(func() {
			seek := lobby.Seeker{Person: id, Name: id, Guest: true, Wish: lobby.Wish{Control: control, Color: loa.NoColor}}
			if err := lobbies[i%2].Seek(t.Context(), seek); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	for range 5 {
		for _, l := range lobbies {
			wait.Go(func() {
				if err := l.Pair(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
	}
	wait.Wait()
	for i := range people {
		ids, err := both[0].db.RunningMatches(t.Context(), fmt.Sprint("p", i), 10)
		if err != nil || len(ids) != 1 {
			t.Errorf("person %d is in %v, %v", i, ids, err)
		}
	}
}

func TestWhatIsSaidAtOneProcessIsHeardAtTheOther(t *testing.T) {
	both, _ := processes(t, now)
	create(t, both[0].service, "m")
	for i, seat := range people {
		if err := both[0].db.AddPerson(t.Context(), account.Person{ID: seat.Person, Name: fmt.Sprint(1000 + i), Created: began}, account.HashSecret(seat.Person)); err != nil {
			t.Fatal(err)
		}
	}
	here, there := live.NewTalk(both[0].service, both[0].db), live.NewTalk(both[1].service, both[1].db)
	heard := make(chan bool, 100)
	defer there.Listen("m", func() { heard <- true })()
	if _, err := here.Say(t.Context(), talk.Remark{Match: "m", Room: talk.Players, Person: "black", Seat: loa.Black, At: began, Text: "hello"}); err != nil {
		t.Fatal(err)
	}
	<-heard
	remarks, err := there.Recent(t.Context(), "m", talk.Players, 0)
	if err != nil || len(remarks) != 1 || remarks[0].Text != "hello" {
		t.Errorf("%+v, %v", remarks, err)
	}
}

func TestATurnIsClaimedByOneProcess(t *testing.T) {
	both, _ := processes(t, time.Now)
	ctx := context.Background()
	m := create(t, both[0].service, "m")
	claim := func(i, seq int, lease time.Duration, want bool) {
		t.Helper()
		if got, err := both[i].service.ClaimTurn(ctx, "m", seq, lease); err != nil || got != want {
			t.Errorf("process %d claims %d: %v, %v, want %v", i, seq, got, err, want)
		}
	}
	claim(0, 1, -time.Hour, true) // of a process that has died since
	claim(1, 1, time.Hour, true)
	claim(0, 1, time.Hour, false)
	claim(0, 2, time.Hour, false) // no such turn yet
	if _, _, err := both[0].service.Submit(ctx, "m", next(m, 0, "")); err != nil {
		t.Fatal(err)
	}
	claim(0, 1, time.Hour, false) // it was played
	claim(0, 2, time.Hour, true)
}

// TestTimeWithoutTheDatabaseIsGivenBack: also where the processes go on running meanwhile.
func TestTimeWithoutTheDatabaseIsGivenBack(t *testing.T) {
	db := open(t)
	var mu sync.Mutex
	at := began
	clockNow := func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		return at
	}
	news := new(bus.Memory) // whichever of the two gives it back
	one, two := live.New(db, news, clockNow, 10), live.New(db, news, clockNow, 10)
	for _, s := range []*live.Service{one, two} {
		if err := s.Recover(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	control, err := clock.Parse("1+0")
	if err != nil {
		t.Fatal(err)
	}
	m, err := one.Create(t.Context(), "m", match.Terms{Start: start(t), Seats: people, Control: control})
	if err != nil {
		t.Fatal(err)
	}
	for ply := range 2 {
		if m, _, err = one.Submit(t.Context(), "m", next(m, ply, "")); err != nil {
			t.Fatal(err)
		}
	}
	mu.Lock()
	at = began.Add(90 * time.Second) // more than the clock has
	mu.Unlock()
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	credited := make(chan bool, 100)
	defer one.Listen("m", func(match.ID, int) { credited <- true })()
	for _, s := range []*live.Service{one, two} {
		running.Go(func() { s.Run(ctx, func(err error) { t.Error(err) }) })
	}
	<-credited
	stop()
	running.Wait()
	if m, err = one.Refresh(t.Context(), "m"); err != nil {
		t.Fatal(err)
	}
	if left := m.Clock().Left(loa.Black, clockNow()); m.Outcome().Over() || left < 59*time.Second || left > time.Minute {
		t.Errorf("%v, and Black has %s left", m.Outcome(), left)
	}
}
