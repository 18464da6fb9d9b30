package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/linesofaction/loa/internal/match"
	"github.com/linesofaction/loa/internal/pgtest"
)

var cutTime = flag.Duration("cut", 0, "how long TestCut goes on, one round at least")

// asProgram in the environment makes this test the program itself, so that tests can start it as processes.
const asProgram = "LOA_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		os.Exit(run(os.Args[1:], &Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
	}
	os.Exit(m.Run())
}

// bound is how long a browser waits for a server before it turns to another, and so with the time of connecting again
// what a disturbance may cost a clock.
const (
	bound   = 2 * time.Second
	cutCost = 5 * time.Second
	slowly  = 20 * time.Second // the same where other tests run beside this one
)

// hold is how long a cut lasts at least; with time for it, longer than clocks and presence leave unnoticed.
func hold() time.Duration {
	if *cutTime > 0 {
		return 4 * time.Second
	}
	return time.Second
}

// installation is two processes that serve, and a worker, on a PostgreSQL and a NATS server of their own.
type installation struct {
	t        *testing.T
	database *pgtest.Server
	address  string // of the database
	bus      *server.Server
	port     int // of the bus
	servers  [2]*ownServer
	worker   *ownServer
	patience time.Duration // of players
	run      *chaos
	faults   []string
	done     []string // what was cut
}

// startBus starts the NATS server, again at the same port if it ran before.
func (i *installation) startBus() {
	i.t.Helper()
	options := &server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true}
	if i.port != 0 {
		options.Port = i.port
	}
	s, err := server.NewServer(options)
	if err != nil {
		i.t.Fatal(err)
	}
	go s.Start()
	if !s.ReadyForConnections(30 * time.Second) {
		i.t.Fatal("the NATS server does not start")
	}
	i.bus, i.port = s, s.Addr().(*net.TCPAddr).Port
	i.t.Cleanup(s.Shutdown)
}

// own starts this program as a process.
func (i *installation) own(args ...string) *ownServer {
	i.t.Helper()
	s := &ownServer{dir: i.t.TempDir(), args: args}
	if err := s.start(i.t.Context()); err != nil {
		i.t.Fatal(err)
	}
	i.t.Cleanup(func() {
		if i.t.Failed() {
			if text, err := os.ReadFile(s.dir + "/log"); err == nil {
				i.t.Logf("%s:\n%s", strings.Join(args[:1], " "), text[max(0, len(text)-4000):])
			}
		}
		_ = s.process.Process.Kill() // it may have ended
		_ = s.process.Wait()
	})
	return s
}

func install(t *testing.T) *installation {
	t.Helper()
	cost := slowly
	if *cutTime > 0 {
		cost = cutCost
	}
	i := &installation{t: t, patience: bound, run: newChaos(cost)}
	var err error
	i.database, err = pgtest.Start(false)
	if errors.Is(err, pgtest.ErrMissing) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { i.database.Remove() })
	if i.address, err = i.database.Database(); err != nil {
		t.Fatal(err)
	}
	i.startBus()
	t.Setenv(asProgram, "1")
	t.Setenv("LOA_DATABASE", i.address)
	t.Setenv("LOA_BUS", i.bus.ClientURL())
	for n := range i.servers {
		i.servers[n] = i.own("serve", "--engines", "0", "--requests", "100000", "--new-games", "100000", "--commands", "100000", "--sockets", "100000", "--listen", "127.0.0.1:0")
	}
	i.worker = i.own("worker", "--engines", "1", "--pace", "0")
	return i
}

// visitor returns somebody who comes to one server first, and turns to the other where that one does not answer.
func (i *installation) visitor(first int) *visitor {
	i.t.Helper()
	v, err := newVisitor(i.servers[first].base, new(http.Transport))
	if err != nil {
		i.t.Fatal(err)
	}
	v.others, v.patience, v.client.Timeout = []string{i.servers[1-first].base}, i.patience, i.patience
	return v
}

// play lets pairs, each with one player at either server, and people against the computer play until the time is over.
func (i *installation) play(ctx context.Context, enough <-chan struct{}, pairs, alone int) (wait func() error) {
	var playing sync.WaitGroup
	errs := make(chan error, pairs+alone)
	until := func(game func() error) {
		for {
			select {
			case <-enough:
				return
			default:
			}
			if err := game(); err != nil {
				errs <- err
				return
			}
		}
	}
	for pair := range pairs {
		var people [2]*visitor
		for side := range people {
			people[side] = i.visitor((pair + side) % 2)
			n := 2*pair + side
			name := fmt.Sprintf("player-%c%c", unlike[n/len(unlike)], unlike[n%len(unlike)])
			people[side].client.Timeout = time.Minute // hashing a password takes a while on a busy machine
			if _, err := people[side].post(ctx, "/join", url.Values{"name": {name}, "password": {"a password for " + name}}); err != nil {
				i.t.Fatalf("joining as %s: %v", name, err)
			}
			people[side].client.Timeout = i.patience
		}
		chance := rand.New(rand.NewPCG(1, uint64(pair)))
		playing.Go(func() { until(func() error { return i.run.game(ctx, people, chance) }) })
	}
	for n := range alone {
		v, chance := i.visitor(n%2), rand.New(rand.NewPCG(2, uint64(n)))
		playing.Go(func() {
			until(func() error {
				var path string
				if err := retry(ctx, func() error {
					var err error
					if path, err = v.post(ctx, "/play", url.Values{"rules": {"mini"}, "color": {"black"}, "level": {"1"}}); err != nil {
						v.elsewhere()
					}
					return err
				}); err != nil {
					return err
				}
				id := match.ID(strings.TrimPrefix(path, "/game/"))
				i.run.mu.Lock()
				i.run.games[id] = new(record)
				i.run.mu.Unlock()
				return (&chaosSeat{run: i.run, visitor: v, id: id, chance: chance}).play(ctx)
			})
		})
	}
	return func() error {
		playing.Wait()
		close(errs)
		var all []error
		for err := range errs {
			all = append(all, err)
		}
		return errors.Join(all...)
	}
}

func (i *installation) fault(format string, args ...any) {
	i.faults = append(i.faults, fmt.Sprintf(format, args...))
}

// cut disturbs the installation, and then mends it. Where people can go on meanwhile they have to.
func (i *installation) cut(what string, goOn bool, disturb, mend func() error) {
	i.t.Helper()
	i.done = append(i.done, what)
	i.run.disturb(what)
	if err := disturb(); err != nil {
		i.t.Fatalf("%s: %v", what, err)
	}
	lasts := time.After(hold())
	if goOn {
		i.proceed("while " + what)
	}
	<-lasts
	if err := mend(); err != nil {
		i.t.Fatalf("after %s: %v", what, err)
	}
	i.proceed("after " + what)
}

// proceed waits until more moves are acknowledged, of which the last ones at least were begun after now.
func (i *installation) proceed(when string) {
	i.t.Helper()
	const patience = time.Minute
	before := i.run.acknowledged()
	for until := time.Now().Add(patience); i.run.acknowledged() < before+20; {
		if time.Now().After(until) {
			i.fault("within %s of play only %d moves were made %s", patience, i.run.acknowledged()-before, when)
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// told checks what a page says while the database is away.
func (i *installation) told() {
	i.t.Helper()
	for n, s := range i.servers {
		v := i.visitor(n)
		request, err := http.NewRequestWithContext(i.t.Context(), http.MethodGet, s.base+"/lobby", nil)
		if err != nil {
			i.t.Fatal(err)
		}
		v.client.Timeout = 20 * time.Second
		answer, err := v.client.Do(request)
		if err != nil {
			i.fault("the lobby while the database is away: %v", err)
			continue
		}
		body, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil || answer.StatusCode != http.StatusServiceUnavailable || answer.Header.Get("Refresh") == "" || !strings.Contains(string(body), "Your games are kept") {
			i.fault("the lobby while the database is away: %s, %v: %.300s", answer.Status, err, body)
		}
	}
}

// asks asks the coach at either server until the answer is the one that is due.
func (i *installation) asks(when string, want int) {
	i.t.Helper()
	const patience = 30 * time.Second
	for n, s := range i.servers {
		v := i.visitor(n)
		v.client.Timeout = patience
		for until := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
			answer, err := v.client.PostForm(s.base+"/puzzles/rq2chmt/try", url.Values{"moves": {"d3-d5"}})
			status := 0
			if err == nil {
				status = answer.StatusCode
				answer.Body.Close()
			}
			if status == want {
				break
			}
			if time.Now().After(until) {
				i.fault("the coach %s: status %d, %v; expected %d", when, status, err, want)
				break
			}
		}
	}
}

// counts checks that what one server counts holds at the other: a name is tried at one until it has to wait.
func (i *installation) counts() {
	i.t.Helper()
	v := i.visitor(0)
	v.client.Timeout = time.Minute
	try := func(s *ownServer) int {
		answer, err := v.client.PostForm(s.base+"/sign-in", url.Values{"name": {"nobody-here"}, "password": {"a guess"}})
		if err != nil {
			i.t.Fatal(err)
		}
		answer.Body.Close()
		return answer.StatusCode
	}
	tries := 0
	for try(i.servers[0]) == http.StatusForbidden {
		tries++
	}
	more := 0
	for try(i.servers[1]) == http.StatusForbidden {
		if more++; more == tries {
			i.fault("a name that was tried %d times at one server may be tried as often at the other", tries)
			return
		}
		time.Sleep(time.Second / 2) // which is longer than the news takes
	}
}

func (i *installation) signal(s *ownServer, signal syscall.Signal) func() error {
	return func() error { return s.process.Process.Signal(signal) }
}

// restart ends a process by itself and starts it again.
func (i *installation) restart(s *ownServer) error {
	if err := s.stop(); err != nil {
		return err
	}
	return s.start(i.t.Context())
}

// TestCut plays on an installation of several processes while each of its parts is cut off in turn. No acknowledged move
// may be lost or stored twice, every game has one history and ends, and no clock loses more than connecting again takes.
func TestCut(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it takes half a minute")
	}
	ctx, begun := t.Context(), time.Now()
	i := install(t)
	enough := make(chan struct{})
	wait := i.play(ctx, enough, 4, 2)
	i.proceed("at the beginning")
	for round := 0; round == 0 || time.Since(begun) < *cutTime; round++ {
		one, two := i.servers[round%2], i.servers[1-round%2]
		i.cut("NATS was away", true,
			func() error { i.bus.Shutdown(); return nil },
			func() error { i.startBus(); return nil })
		i.cut("PostgreSQL was away", false,
			func() error {
				err := i.database.Stop()
				i.told()
				return err
			},
			i.database.Run)
		i.cut("a process was killed", true, one.kill, func() error { return one.start(ctx) })
		i.cut("a process was frozen", true, i.signal(two, syscall.SIGSTOP), i.signal(two, syscall.SIGCONT))
		i.asks("before the worker was killed", http.StatusOK)
		i.cut("the worker was killed", true, i.worker.kill, func() error {
			i.asks("while the worker was away", http.StatusServiceUnavailable)
			i.worker.base = ""
			return i.worker.start(ctx)
		})
		i.asks("after the worker was killed", http.StatusOK)
		i.cut("one process after the other was restarted", true, func() error { return i.restart(one) }, func() error { return i.restart(two) })
	}
	i.counts()
	close(enough)
	if err := wait(); err != nil {
		t.Fatal(err)
	}
	lost, err := i.run.check(ctx, i.address)
	if err != nil {
		t.Fatal(err)
	}
	i.faults = append(i.faults, lost...)
	for _, fault := range i.faults {
		t.Error(fault)
	}
	fmt.Printf("cuts %d, games %d, acknowledged moves %d, lost %d\n", len(i.done), len(i.run.games), i.run.acknowledged(), len(i.faults))
	for what, cost := range i.run.worst {
		t.Logf("cost a clock at most %s: %s", cost.Round(10*time.Millisecond), orElse(what, "no cut"))
	}
}
