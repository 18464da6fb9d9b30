package main

import (
	"bytes"
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
	Compare bool          `help:"Also measure a bare relay that stores every message, or with --database one process on SQLite, and print the ratio."`
	loadPlace
	JSON  bool   `name:"json" help:"Print one JSON object."`
	Relay bool   `hidden:"" help:"Be the bare relay."`
	Data  string `hidden:"" help:"Directory of the relay."`
}

// loadPlace is a larger installation to try.
type loadPlace struct {
	Database  string `placeholder:"URL" help:"PostgreSQL database for tests that several processes serve, with one player of each game at either."`
	Bus       string `placeholder:"URL" help:"NATS server by which they hear each other."`
	Processes int    `default:"2" placeholder:"N" help:"How many processes, with --database. Default: ${default}."`
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
	SQLite         float64  `json:"sqlite_moves_per_s,omitempty"` // of one process, in the place of the relay
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
	if c.Database != "" && (!isPostgres(c.Database) || c.Bus == "" || c.Processes < 1) || c.Database == "" && c.Bus != "" {
		return usagef("--database %q, --bus %q, --processes %d: expected a database that begins with postgres://, the bus beside it and at least one process, or neither database nor bus", c.Database, c.Bus, c.Processes)
	}
	collectLess()
	result, err := c.measure(c.loadPlace)
	if err != nil {
		return err
	}
	if c.Compare && c.Database != "" {
		alone, err := c.measure(loadPlace{})
		if err != nil {
			return err
		}
		result.SQLite, result.Ratio = alone.MovesPerSecond, result.MovesPerSecond/alone.MovesPerSecond
	} else if c.Compare {
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
	switch {
	case result.SQLite > 0:
		fmt.Fprintf(streams.Out, "one process on SQLite: %.0f moves/s, ratio %.2f\n", result.SQLite, result.Ratio)
	case c.Compare:
		fmt.Fprintf(streams.Out, "a bare relay: %.0f messages/s, ratio %.2f\n", result.Relay, result.Ratio)
	}
	return nil
}

// measurement is what the players of a run found.
type measurement struct {
	mu       sync.Mutex
	acks     []time.Duration
	delivers []time.Duration
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

// arrive notes that a move has come to the other side.
func (m *measurement) arrive(took time.Duration) {
	if m.on.Load() {
		m.mu.Lock()
		m.delivers = append(m.delivers, took)
		m.mu.Unlock()
	}
}

func (m *measurement) acknowledge(took time.Duration) {
	if m.on.Load() {
		m.mu.Lock()
		m.acks = append(m.acks, took)
		m.mu.Unlock()
	}
}

// start starts the processes to try: one on a file of its own, or several on a database.
func (p loadPlace) start(ctx context.Context) (servers []*ownServer, err error) {
	args := []string{"serve", "--requests", "1000000", "--new-games", "1000000", "--commands", "1000000", "--sockets", "1000000"}
	if p.Database == "" {
		server, err := startServer(ctx, args...)
		return []*ownServer{server}, err
	}
	env := []string{"LOA_DATABASE=" + p.Database, "LOA_BUS=" + p.Bus, "LOA_ENGINES=0"}
	for range p.Processes {
		server, err := startServerOn(ctx, env, args...)
		if err != nil {
			return servers, err
		}
		servers = append(servers, server)
	}
	return servers, nil
}

// measure starts servers of its own and plays on them.
func (c *loadCommand) measure(place loadPlace) (loadResult, error) {
	result := loadResult{Games: c.Games, Sockets: c.Sockets}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	servers, err := place.start(ctx)
	defer func() {
		for _, server := range servers {
			if server != nil {
				server.remove()
			}
		}
	}()
	if err != nil {
		return result, err
	}
	transport := &http.Transport{MaxIdleConnsPerHost: 100}
	m := new(measurement)
	var players sync.WaitGroup
	first := make(chan string, c.Games)
	for i := range c.Games {
		people, err := twoVisitors(servers, i, transport)
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
	if result.IdleBytes, err = c.watch(ctx, servers, transport, watched, m); err != nil {
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

// twoVisitors returns the players of one game, who come to one server each.
func twoVisitors(servers []*ownServer, game int, transport http.RoundTripper) (people [2]*visitor, err error) {
	for i := range people {
		if people[i], err = newVisitor(servers[(game+i)%len(servers)].base, transport); err != nil {
			return people, err
		}
	}
	return people, nil
}

// watch opens the idle sockets and returns what each costs the server in memory.
func (c *loadCommand) watch(ctx context.Context, servers []*ownServer, transport http.RoundTripper, paths []string, m *measurement) (int64, error) {
	if c.Sockets == 0 {
		return 0, nil
	}
	memory := func() (total int64) {
		for _, server := range servers {
			total += server.memory()
		}
		return total
	}
	before := memory()
	errs := make(chan error, c.Sockets)
	places := make(chan struct{}, 50) // connect at once
	for i := range c.Sockets {
		go func() {
			places <- struct{}{}
			v, err := newVisitor(servers[i%len(servers)].base, transport)
			if err == nil {
				var connection *websocket.Conn
				path := paths[i%len(paths)]
				if connection, err = v.dial(ctx, path+"/socket"); err == nil {
					go onlook(ctx, connection, path, m)
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
	return (memory() - before) / int64(c.Sockets), nil
}

// pingEvery is how often a page asks for the stored number.
const pingEvery = 15 * time.Second

// onlook does what the page of an onlooker does: it follows the match, asks for a new snapshot where one of its
// updates is missing, and for the stored number now and then.
func onlook(ctx context.Context, connection *websocket.Conn, path string, m *measurement) {
	s := open(ctx, connection)
	defer s.CloseNow()
	command := func(kind string) []byte {
		return fmt.Appendf(nil, `{"v":%d,"type":%q,"match":%q,"ply":0}`, wire.Version, kind, strings.TrimPrefix(path, "/game/"))
	}
	beat := time.NewTicker(pingEvery)
	defer beat.Stop()
	go func() {
		for {
			select {
			case <-ctx.Done():
				return
			case <-beat.C:
				if s.say(command(wire.KindPing)) != nil {
					return
				}
			}
		}
	}()
	var state glance
	for {
		body, err := s.next()
		if err == nil && isState(body) {
			if _, err = state.look(body); errors.Is(err, errGap) {
				m.fail(ctx, err)
				err = s.say(command(wire.KindResume))
			}
		}
		if err != nil {
			m.fail(ctx, err)
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
		var sent [2]instant
		for side, v := range people {
			sides.Go(func() {
				if err := c.seat(ctx, v, path, side, &sent, m); err != nil {
					m.fail(ctx, err)
				}
			})
		}
		sides.Wait()
	}
}

// isState reports whether a message is a snapshot or an update.
func isState(body []byte) bool {
	head := body[:min(len(body), 24)]
	return bytes.Contains(head, []byte(wire.KindUpdate)) || bytes.Contains(head, []byte(wire.KindSnapshot))
}

// instant is when something happened, for goroutines that share it.
type instant struct{ nanoseconds atomic.Int64 }

func (i *instant) set() { i.nanoseconds.Store(time.Now().UnixNano()) }
func (i *instant) since() time.Duration {
	return time.Duration(time.Now().UnixNano() - i.nanoseconds.Load())
}

// seat plays one side of a game: any move, at the pace asked for. sent is when each side last sent a move.
func (c *loadCommand) seat(ctx context.Context, v *visitor, path string, side int, sent *[2]instant, m *measurement) error {
	connection, err := v.dial(ctx, path+"/socket")
	if err != nil {
		return err
	}
	s := open(ctx, connection)
	defer s.CloseNow()
	id := strings.TrimPrefix(path, "/game/")
	var state glance
	var command []byte
	waiting, moves := false, 0
	for {
		body, err := s.next()
		if err != nil {
			return err
		}
		switch {
		case isState(body):
			added, err := state.look(body)
			if err != nil {
				return err
			}
			if added > 0 && state.mine {
				m.arrive(sent[1-side].since())
			}
		default:
			answer, err := readAnswer(body)
			if err != nil {
				return err
			}
			if answer.Type != wire.KindAck {
				continue
			}
			waiting = false
			if answer.Seq > state.seq {
				state.mine = false // what the move changed has not arrived yet
			}
			m.acknowledge(sent[side].since())
		}
		if state.over {
			return nil
		}
		if !state.mine || waiting {
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
		command = fmt.Appendf(command[:0], `{"v":%d,"type":%q,"match":%q,"client":"%d-%d","ply":%d,"move":%q}`,
			wire.Version, wire.KindMove, id, side, moves, state.plies, state.move(moves*7+len(id)))
		waiting = true
		sent[side].set()
		if err := s.say(command); err != nil {
			return err
		}
	}
}

// ackHead begins every acknowledgement.
var ackHead = fmt.Appendf(nil, `{"v":%d,"type":%q`, wire.Version, wire.KindAck)

// readAnswer reads an acknowledgement, or another message that is no state. A refusal is an error. Of an
// acknowledgement, as of an update, only the field of interest is searched for.
func readAnswer(body []byte) (wire.Ack, error) {
	if bytes.HasPrefix(body, ackHead) {
		_, rest, _ := bytes.Cut(body, []byte(`"seq":`))
		seq, err := strconv.Atoi(string(bytes.TrimSuffix(rest, []byte("}"))))
		return wire.Ack{Type: wire.KindAck, Seq: seq}, err
	}
	var answer struct {
		wire.Ack
		Text string `json:"text"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return answer.Ack, err
	}
	if answer.Type == wire.KindRefused {
		return answer.Ack, fmt.Errorf("refused: %s", answer.Text)
	}
	return answer.Ack, nil
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
