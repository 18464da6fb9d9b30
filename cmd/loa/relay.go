package main

import (
	"context"
	"database/sql"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/coder/websocket"
)

// relay is the least a server of games can do: what one of two sends is stored and then passed on. The club is
// measured against it, so that a figure holds on any machine.
type relay struct {
	db    *sql.DB
	queue chan *relayed
	mu    sync.Mutex
	rooms map[string][]*websocket.Conn
}

// relayed is a message on its way into the file.
type relayed struct {
	room string
	body []byte
	done chan error
}

// serveRelay is the relay as a process, with a file in a directory.
func serveRelay(streams *Streams, dir string) error {
	collectLess() // as the club does
	path := filepath.Join(dir, "relay.db")
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath()+"?_pragma=journal_mode(wal)&_pragma=synchronous(full)&_txlock=immediate")
	if err != nil {
		return err
	}
	defer db.Close()
	if _, err := db.Exec(`CREATE TABLE message (number INTEGER PRIMARY KEY, room TEXT NOT NULL, body BLOB NOT NULL)`); err != nil {
		return err
	}
	r := &relay{db: db, queue: make(chan *relayed, 256), rooms: map[string][]*websocket.Conn{}}
	go r.store()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Fprintf(streams.Out, "listening on http://%s\n", listener.Addr())
	server := &http.Server{Handler: r, ReadHeaderTimeout: time.Second}
	return server.Serve(listener)
}

// store commits what has arrived, in groups.
func (r *relay) store() {
	for first := range r.queue {
		group := []*relayed{first}
		for len(r.queue) > 0 {
			group = append(group, <-r.queue)
		}
		err := r.commit(group)
		for _, m := range group {
			m.done <- err
		}
	}
}

func (r *relay) commit(group []*relayed) error {
	tx, err := r.db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback() // does nothing after Commit
	for _, m := range group {
		if _, err := tx.Exec(`INSERT INTO message (room, body) VALUES ($1, $2)`, m.room, m.body); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// ServeHTTP is one socket: every message is stored, then sent to all in the room named by the path.
func (r *relay) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	connection, err := websocket.Accept(w, request, nil)
	if err != nil {
		return
	}
	defer connection.CloseNow()
	room := request.URL.Path
	r.mu.Lock()
	r.rooms[room] = append(r.rooms[room], connection)
	r.mu.Unlock()
	for {
		_, body, err := connection.Read(request.Context())
		if err != nil {
			return
		}
		m := &relayed{room, body, make(chan error, 1)}
		r.queue <- m
		if <-m.done != nil {
			return
		}
		r.mu.Lock()
		there := r.rooms[room]
		r.mu.Unlock()
		for _, other := range there {
			if other.Write(request.Context(), websocket.MessageText, body) != nil {
				return
			}
		}
	}
}

// measureRelay lets as many pairs send messages to and fro through the relay, and returns how many pass a second.
func (c *loadCommand) measureRelay() (float64, error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	server, err := startServer(ctx, "load", "--relay")
	if err != nil {
		return 0, err
	}
	defer server.remove()
	v, err := newVisitor(server.base, http.DefaultTransport)
	if err != nil {
		return 0, err
	}
	m := new(measurement)
	var sides sync.WaitGroup
	for game := range c.Games {
		var pair [2]*websocket.Conn
		for i := range pair {
			if pair[i], err = v.dial(ctx, "/"+strconv.Itoa(game)); err != nil {
				return 0, err
			}
		}
		for i, connection := range pair {
			sides.Go(func() { c.bounce(ctx, connection, i, m) })
		}
	}
	m.on.Store(true)
	begin := time.Now()
	time.Sleep(c.Time)
	m.on.Store(false)
	took := time.Since(begin)
	cancel()
	sides.Wait()
	if m.first != nil {
		return 0, fmt.Errorf("the relay: %w", m.first)
	}
	return float64(len(m.acks)) / took.Seconds(), nil
}

// bounce answers every message of the other side; side 0 begins. A message is of the length of a move's.
func (c *loadCommand) bounce(ctx context.Context, connection *websocket.Conn, side int, m *measurement) {
	s := open(ctx, connection)
	defer s.CloseNow()
	const length = 110
	own := make([]byte, length)
	for i := range own {
		own[i] = 'a' + byte(side)
	}
	var sent time.Time
	send := func() error {
		sent = time.Now()
		return s.say(own)
	}
	if side == 0 && send() != nil {
		return
	}
	for {
		body, err := s.next()
		if err != nil {
			m.fail(ctx, err)
			return
		}
		if body[0] == own[0] {
			m.acknowledge(time.Since(sent))
			continue
		}
		if c.Pace > 0 {
			time.Sleep(c.Pace)
		}
		if send() != nil {
			return
		}
	}
}
