package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"

	"github.com/linesofaction/loa/internal/wire"
)

// loadCommand tries how much a server on this machine bears.
type loadCommand struct {
	Games   int           `default:"100" help:"Games played at once."`
	Pace    time.Duration `default:"0" help:"Time between a turn and its move; 0 moves at once."`
	Sockets int           `default:"0" help:"Idle onlookers beside the players."`
	Time    time.Duration `default:"10s" help:"How long to measure."`
	Compare bool          `help:"Also measure a bare relay that stores every message, and print the ratio."`
	JSON    bool          `name:"json" help:"Print one JSON object."`
	Relay   bool          `hidden:"" help:"Be the bare relay."`
	Data    string        `hidden:"" help:"Directory of the relay."`
}

// loadResult is what load --json prints.
type loadResult struct {
	MovesPerSecond float64  `json:"moves_per_s"`
	Ack            quantile `json:"acknowledgement"`
	Delivery       quantile `json:"delivery"`
	Errors         int64    `json:"errors"`
	FirstError     string   `json:"first_error,omitempty"`
	IdleBytes      int64    `json:"memory_per_connection"` // of the server, measured over the idle onlookers
	Games          int      `json:"games"`
	Sockets        int      `json:"sockets"`
	Relay          float64  `json:"relay_messages_per_s,omitempty"`
	Ratio          float64  `json:"ratio,omitempty"`
}

// quantile are latencies in milliseconds.
type quantile struct {
	P50 float64 `json:"p50_ms"`
	P95 float64 `json:"p95_ms"`
	P99 float64 `json:"p99_ms"`
}

// quantiles sorts latencies and reads off their quantiles.
func quantiles(all []time.Duration) quantile {
	if len(all) == 0 {
		return quantile{}
	}
	slices.Sort(all)
	at := func(share float64) float64 {
		return float64(all[int(share*float64(len(all)-1))].Microseconds()) / 1000
	}
	return quantile{at(0.5), at(0.95), at(0.99)}
}

// Run carries the subcommand out.
func (c *loadCommand) Run(streams *Streams) error {
	if c.Relay {
		return serveRelay(streams, c.Data)
	}
	if c.Games < 1 || c.Sockets < 0 || c.Time <= 0 || c.Pace < 0 {
		return usagef("--games %d, --sockets %d, --time %s, --pace %s: expected at least one game and no negative number", c.Games, c.Sockets, c.Time, c.Pace)
	}
	result, err := c.measure("serve", "--requests", "1000000", "--new-games", "1000000", "--commands", "1000000")
	if err != nil {
		return err
	}
	if c.Compare {
		relay, err := c.measureRelay()
		if err != nil {
			return err
		}
		result.Relay, result.Ratio = relay, result.MovesPerSecond/relay
	}
	if c.JSON {
		return json.NewEncoder(streams.Out).Encode(result)
	}
	fmt.Fprintf(streams.Out, "%.0f moves/s in %d games beside %d onlookers, %d errors\nacknowledged in %.1f ms (p50), %.1f (p95), %.1f (p99)\ndelivered in %.1f ms (p50), %.1f (p95), %.1f (p99)\n",
		result.MovesPerSecond, result.Games, result.Sockets, result.Errors,
		result.Ack.P50, result.Ack.P95, result.Ack.P99, result.Delivery.P50, result.Delivery.P95, result.Delivery.P99)
	if result.IdleBytes > 0 {
		fmt.Fprintf(streams.Out, "%d bytes of the server for each idle connection\n", result.IdleBytes)
	}
	if c.Compare {
		fmt.Fprintf(streams.Out, "a bare relay: %.0f messages/s, ratio %.2f\n", result.Relay, result.Ratio)
	}
	return nil
}

// measurement is what the players of a run found.
type measurement struct {
	mu       sync.Mutex
	acks     []time.Duration
	delivers []time.Duration
	sent     map[string]time.Time // by match and ply
	errors   atomic.Int64
	first    error       // of those
	on       atomic.Bool // measuring
}

// fail counts an error, unless it is that of a run that ends.
func (m *measurement) fail(ctx context.Context, err error) {
	if ctx.Err() != nil {
		return
	}
	m.errors.Add(1)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.first == nil {
		m.first = err
	}
}

func (m *measurement) send(key string) {
	m.mu.Lock()
	m.sent[key] = time.Now()
	m.mu.Unlock()
}

// arrive notes that a move has come to the other side.
func (m *measurement) arrive(key string) {
	now := time.Now()
	m.mu.Lock()
	defer m.mu.Unlock()
	if at, ok := m.sent[key]; ok {
		delete(m.sent, key)
		if m.on.Load() {
			m.delivers = append(m.delivers, now.Sub(at))
		}
	}
}

func (m *measurement) acknowledge(took time.Duration) {
	if m.on.Load() {
		m.mu.Lock()
		m.acks = append(m.acks, took)
		m.mu.Unlock()
	}
}

// measure starts a server of its own and plays on it.
func (c *loadCommand) measure(args ...string) (loadResult, error) {
	result := loadResult{Games: c.Games, Sockets: c.Sockets}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	server, err := startServer(ctx, args...)
	if err != nil {
		return result, err
	}
	defer server.remove()
	transport := &http.Transport{MaxIdleConnsPerHost: 100}
	m := &measurement{sent: map[string]time.Time{}}
	var players sync.WaitGroup
	first := make(chan string, c.Games)
	for range c.Games {
		people, err := twoVisitors(server.base, transport)
		if err != nil {
			return result, err
		}
		players.Go(func() { c.pair(ctx, people, m, first) })
	}
	var watched []string
	for range c.Games {
		select {
		case path := <-first:
			watched = append(watched, path)
		case <-time.After(time.Minute):
			return result, errors.New("the games did not begin within a minute")
		}
	}
	if result.IdleBytes, err = c.watch(ctx, server, transport, watched); err != nil {
		return result, err
	}
	m.on.Store(true)
	begin := time.Now()
	time.Sleep(c.Time)
	m.on.Store(false)
	took := time.Since(begin)
	cancel()
	players.Wait()
	result.MovesPerSecond = float64(len(m.acks)) / took.Seconds()
	result.Ack, result.Delivery, result.Errors = quantiles(m.acks), quantiles(m.delivers), m.errors.Load()
	if m.first != nil {
		result.FirstError = m.first.Error()
	}
	return result, nil
}

func twoVisitors(base string, transport http.RoundTripper) (people [2]*visitor, err error) {
	for i := range people {
		if people[i], err = newVisitor(base, transport); err != nil {
			return people, err
		}
	}
	return people, nil
}

// watch opens the idle sockets and returns what each costs the server in memory.
func (c *loadCommand) watch(ctx context.Context, server *ownServer, transport http.RoundTripper, paths []string) (int64, error) {
	if c.Sockets == 0 {
		return 0, nil
	}
	before := server.memory()
	errs := make(chan error, c.Sockets)
	places := make(chan struct{}, 50) // connect at once
	for i := range c.Sockets {
		go func() {
			places <- struct{}{}
			v, err := newVisitor(server.base, transport)
			if err == nil {
				var connection *websocket.Conn
				if connection, err = v.dial(ctx, paths[i%len(paths)]+"/socket"); err == nil {
					go drain(ctx, connection)
				}
			}
			<-places
			errs <- err
		}()
	}
	for range c.Sockets {
		if err := <-errs; err != nil {
			return 0, fmt.Errorf("opening idle sockets: %w", err)
		}
	}
	return (server.memory() - before) / int64(c.Sockets), nil
}

// drain reads whatever comes.
func drain(ctx context.Context, connection *websocket.Conn) {
	defer connection.CloseNow()
	for {
		if _, _, err := connection.Read(ctx); err != nil {
			return
		}
	}
}

// pair plays one game after the other until ctx is done, and tells first the path of the first one.
func (c *loadCommand) pair(ctx context.Context, people [2]*visitor, m *measurement, first chan<- string) {
	told := false
	for ctx.Err() == nil {
		invitation, err := people[0].post(ctx, "/challenge", url.Values{"rules": {"standard"}, "control": {"60+60"}, "color": {"black"}})
		var path string
		if err == nil {
			path, err = people[1].post(ctx, invitation+"/accept", url.Values{})
		}
		if err != nil {
			m.fail(ctx, err)
			continue
		}
		if !told {
			told = true
			first <- path
		}
		var sides sync.WaitGroup
		for side, v := range people {
			sides.Go(func() {
				if err := c.seat(ctx, v, path, strconv.Itoa(side)+"-", m); err != nil {
					m.fail(ctx, err)
				}
			})
		}
		sides.Wait()
	}
}

// glance is as much of the server's messages as it takes to play any move, so that the players cost little of the
// machine they share with the server.
type glance struct {
	Type     string
	Text     string
	Seq      int
	From     int
	Keep     int
	Plies    []struct{}
	Position struct{ Moves []string }
	Can      struct{ Move bool }
	Outcome  *struct{}

	plies int
}

// seat plays one side of a game: any move, at the pace asked for.
func (c *loadCommand) seat(ctx context.Context, v *visitor, path, you string, m *measurement) error {
	connection, err := v.dial(ctx, path+"/socket")
	if err != nil {
		return err
	}
	defer connection.CloseNow()
	id := strings.TrimPrefix(path, "/game/")
	var state glance
	var sent time.Time
	waiting, moves := false, 0
	for {
		_, body, err := connection.Read(ctx)
		if err != nil {
			return err
		}
		var got glance
		if err := json.Unmarshal(body, &got); err != nil {
			return err
		}
		switch got.Type {
		case wire.KindSnapshot:
			state, state.plies = got, len(got.Plies)
		case wire.KindUpdate:
			if got.From != state.Seq {
				return errors.New("a gap in the updates")
			}
			state, state.plies = got, got.Keep+len(got.Plies)
			if len(got.Plies) > 0 && got.Can.Move {
				m.arrive(id + " " + strconv.Itoa(state.plies))
			}
		case wire.KindAck:
			waiting = false
			if got.Seq > state.Seq {
				state.Can.Move = false // what the move changed has not arrived yet
			}
			m.acknowledge(time.Since(sent))
		case wire.KindRefused:
			return fmt.Errorf("refused: %s", got.Text)
		default:
			continue
		}
		if state.Outcome != nil {
			return nil
		}
		if !state.Can.Move || waiting {
			continue
		}
		if c.Pace > 0 {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(c.Pace):
			}
		}
		moves++
		text := state.Position.Moves[(moves*7+len(id))%len(state.Position.Moves)]
		sent, waiting = time.Now(), true
		m.send(id + " " + strconv.Itoa(state.plies+1))
		if err := write(ctx, connection, wire.Command{
			V: wire.Version, Type: wire.KindMove, Match: id, Client: you + strconv.Itoa(moves), Ply: state.plies, Move: text,
		}); err != nil {
			return err
		}
	}
}

// memory returns the resident memory of the server in bytes, 0 where the system does not tell.
func (s *ownServer) memory() int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.process.Process.Pid))
	if err != nil {
		return 0
	}
	for _, line := range strings.Split(string(text), "\n") {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			kilobytes, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
			return kilobytes << 10
		}
	}
	return 0
}
