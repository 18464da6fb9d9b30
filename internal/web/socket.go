package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/live"
	"github.com/linesofaction/loa/internal/match"
	"github.com/linesofaction/loa/internal/wire"
)

const (
	maxMessage   = 4 << 10          // bytes; the longest command is a few hundred
	writeWithin  = 10 * time.Second // a browser that takes nothing for so long is gone
	answerWithin = 10 * time.Second // and one that does not answer
	measureEvery = 5 * time.Second

	longestClient = 64 // characters of the id of a command
)

// socket connects a browser to one match: first a snapshot, then what changes, and answers to what it asks.
// Connecting only reads.
func (s *Server) socket(w http.ResponseWriter, r *http.Request) {
	m, you, ok := s.match(w, r)
	if !ok {
		return
	}
	connection, cork, leave, ok := s.upgrade(w, r)
	if !ok {
		return
	}
	person, _, err := s.guest(r)
	if err != nil {
		s.report(r, err)
	}
	c := &client{
		server: s, connection: connection, cork: cork, id: m.ID(), to: audience(you), you: you, person: person.ID,
		request: &http.Request{Method: r.Method, URL: r.URL}, quiet: s.settings(r).Quiet, leave: leave,
	}
	if person.ID != "" {
		c.session = secretHash(r)
	}
	if r.URL.Query().Has("small") {
		c.you, c.to, c.quiet = loa.NoColor, smallBoards, true
	}
	go c.serve() // on a stack of its own, so that what the request took is free
}

// upgrade opens the socket that a request asks for, which counts for its address until leave. When it cannot, it has
// answered why.
func (s *Server) upgrade(w http.ResponseWriter, r *http.Request) (connection *websocket.Conn, corked *cork, leave func(), ok bool) {
	if !upgrades(r) {
		w.Header().Set("Connection", "Upgrade")
		w.Header().Set("Upgrade", "websocket")
		s.fail(w, r, http.StatusUpgradeRequired, "error.426.text")
		return nil, nil, nil, false
	}
	if leave, ok = s.holders.take(s.address(r), s.Limits.Sockets); !ok {
		w.Header().Set("Retry-After", "60")
		s.fail(w, r, http.StatusTooManyRequests, "error.429.sockets")
		return nil, nil, nil, false
	}
	options := &websocket.AcceptOptions{}
	if at, err := url.Parse(s.Public); err == nil && at.Host != "" {
		options.OriginPatterns = []string{at.Host}
	}
	on := &corker{ResponseWriter: w}
	connection, err := websocket.Accept(on, r, options)
	if err != nil {
		leave()
		return nil, nil, nil, false
	}
	connection.SetReadLimit(maxMessage + 1) // one more, so that receive sees what is too long
	return connection, on.cork, leave, true
}

// upgrades reports whether a request asks for a WebSocket.
func upgrades(r *http.Request) bool {
	return strings.EqualFold(r.Header.Get("Upgrade"), "websocket") && strings.Contains(strings.ToLower(r.Header.Get("Connection")), "upgrade")
}

// client is one open socket. One goroutine reads and answers; what others do is sent by whoever of the reader and a
// goroutine made for it gets hold of writing, so that a socket without traffic has one goroutine and few buffers.
type client struct {
	server     *Server
	request    *http.Request // what the log is told of it
	connection *websocket.Conn
	cork       *cork
	id         match.ID
	you        loa.Color
	to         audience
	person     string // empty for somebody unknown
	session    []byte // the hash of its secret; nil without
	shared     *broadcast
	reached    atomic.Int64 // the latest sequence number heard of
	lag        lagMeter
	talk       hearing
	quiet      bool // nothing is heard of the talk
	leave      func()

	pending atomic.Uint32 // what is to be sent: news, company, talk
	writing sync.Mutex    // held by who sends
	seq     int           // what the browser has; guarded by writing
}

// connectAgain is why a socket is closed that the end of a process closes.
const connectAgain = "connect again"

// What a client can have pending.
const (
	news    = 1 << iota // the match has changed
	company             // who is connected has changed
	remarks             // something was said
	hearers             // who is heard has changed
	leaving             // this process stops, and others go on
)

// notNow stands among replies for a command that cannot be carried out now. Its socket is closed without an answer: the
// page says so, connects again when it can, and sends the same command again.
type notNow struct{}

var errAway = errors.New("the database cannot be reached")

// snapshotWanted stands among replies for a snapshot of the moment it is sent.
type snapshotWanted struct{}

func (c *client) serve() {
	ctx, stop := context.WithCancel(c.server.open)
	defer stop()
	defer c.leave()
	defer c.rescue()
	defer c.connection.CloseNow()
	c.server.sockets.Add(1)
	defer c.server.sockets.Add(-1)
	defer context.AfterFunc(c.server.open, func() { c.connection.Close(websocket.StatusServiceRestart, connectAgain) })()
	defer context.AfterFunc(c.server.stays, func() {
		if !c.server.Alone() {
			c.wake(leaving)
		}
	})()
	c.writing.Lock() // the snapshot goes first, whatever is heard from here on
	var leave func()
	if c.to == smallBoards {
		c.shared, leave = c.server.presence.look(c.id, c.person, c.server.Now)
	} else {
		c.shared, leave = c.server.presence.join(c.id, c.you, c.person, func() { c.wake(company) }, c.server.Now)
	}
	defer leave()
	defer c.server.Live.Listen(c.id, func(_ match.ID, seq int) {
		c.reached.Store(max(c.reached.Load(), int64(seq)))
		c.wake(news)
	})()
	defer c.listen()()
	if c.you != loa.NoColor {
		go c.measure(ctx)
	}
	go func() { // whose stack grows with the work, and the reader's, which stays, does not
		defer c.rescue()
		c.deliver(ctx, snapshotWanted{})
	}()
	c.read(ctx)
}

// rescue keeps a fault in one socket from ending the others.
func (c *client) rescue() {
	if fault := recover(); fault != nil {
		c.server.report(c.request, faultError(fault))
		c.connection.CloseNow()
	}
}

// wake has something sent, now or by whoever sends already. It does not block.
func (c *client) wake(what uint32) {
	c.pending.Or(what)
	if c.writing.TryLock() {
		go func() {
			defer c.rescue()
			if c.you == loa.NoColor {
				runtime.Gosched() // players first
			}
			c.deliver(c.server.open)
		}()
	}
}

// measure finds the network's delay by asking the browser for a pong now and then; a browser cannot influence it
// but by answering late, and the clock credits no more than its allowances.
func (c *client) measure(ctx context.Context) {
	attend(ctx, c.connection, func() bool { return c.server.stands(ctx, c.session) }, c.lag.add)
	if ctx.Err() == nil { // else it is closed with a reason
		c.connection.CloseNow()
	}
}

// stands reports whether a session, of which the hash of its secret is given, has not been ended; it does for no session.
func (s *Server) stands(ctx context.Context, session []byte) bool {
	if session == nil {
		return true
	}
	_, known, err := s.People.PersonBySecret(ctx, session, s.Now())
	return known || err != nil
}

// pinger is the far end of a socket.
type pinger interface {
	Ping(ctx context.Context) error
}

// attend asks a browser for a pong now and then and tells how long that took, until it keeps silent, as a telephone without a network
// does, or may not hold its socket any more.
func attend(ctx context.Context, browser pinger, may func() bool, heard func(trip time.Duration)) {
	ticker := time.NewTicker(measureEvery)
	defer ticker.Stop()
	for may() {
		begin := time.Now()
		asked, cancel := context.WithTimeout(ctx, answerWithin)
		err := browser.Ping(asked)
		cancel()
		if err != nil {
			return
		}
		heard(time.Since(begin))
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// deliver sends replies, and then what is pending until nothing is. The caller holds c.writing and loses it. An error
// has closed the socket.
func (c *client) deliver(ctx context.Context, replies ...any) error {
	for {
		c.cork.push(c.server.room())
		err := c.speak(ctx, replies)
		room, fault := c.cork.pull()
		c.server.rooms.Put(&room)
		if err == nil {
			err = fault
		}
		c.writing.Unlock()
		if err != nil {
			switch {
			case ctx.Err() != nil:
			case errors.Is(err, errAway):
				c.connection.Close(websocket.StatusTryAgainLater, "the database cannot be reached")
			default:
				c.connection.Close(websocket.StatusInternalError, "")
			}
			return err
		}
		// what came while the lock was held found it taken
		if c.pending.Load() == 0 || !c.writing.TryLock() {
			return nil
		}
		replies = nil
	}
}

// speak writes replies and what is pending now.
func (c *client) speak(ctx context.Context, replies []any) error {
	for _, reply := range replies {
		err := error(nil)
		switch reply.(type) {
		case snapshotWanted:
			err = c.snapshot(ctx)
		case notNow:
			err = errAway
		default:
			err = c.send(reply)
		}
		if err != nil {
			return err
		}
	}
	what := c.pending.Swap(0)
	if what&leaving != 0 {
		if err := c.send(wire.Leave{V: wire.Version, Type: wire.KindLeave}); err != nil {
			return err
		}
	}
	if what&news != 0 {
		if err := c.update(ctx); err != nil {
			return err
		}
	}
	if what&company != 0 {
		if err := c.attendance(ctx); err != nil {
			return err
		}
	}
	switch {
	case what&hearers != 0:
		return c.hearAnew(ctx)
	case what&remarks != 0:
		return c.hearMore(ctx)
	}
	return nil
}

func (c *client) snapshot(ctx context.Context) error {
	m, err := c.server.Live.Refresh(ctx, c.id)
	if err != nil {
		return c.fault(ctx, err)
	}
	if err := c.send(c.shared.snapshot(m, c.to, c.server.Now())); err != nil {
		return err
	}
	c.seq = m.Seq()
	return c.ratings(ctx, m)
}

// ratings sends what the end of a rated match made of the ratings.
func (c *client) ratings(ctx context.Context, m *match.Match) error {
	changes, err := c.server.changes(ctx, m)
	switch {
	case err != nil:
		return c.fault(ctx, err)
	case changes == nil:
		return nil
	}
	return c.send(changes)
}

// attendance sends who is connected.
func (c *client) attendance(ctx context.Context) error {
	m, err := c.server.Live.Match(ctx, c.id)
	if err != nil {
		return c.fault(ctx, err)
	}
	return c.send(c.server.presence.of(m, c.server.Now()))
}

// update sends what happened since the browser's number.
func (c *client) update(ctx context.Context) error {
	m, err := c.server.Live.Reach(ctx, c.id, int(c.reached.Load()))
	if err != nil {
		return c.fault(ctx, err)
	}
	if m.Seq() == c.seq {
		return nil
	}
	if err := c.write(c.shared.update(m, c.to, c.seq, c.server.Now())); err != nil {
		return err
	}
	if m.Outcome().Over() {
		c.pending.Or(remarks) // the players may read the onlookers now
	}
	c.seq = m.Seq()
	return c.ratings(ctx, m)
}

func (c *client) send(message any) error {
	body, err := json.Marshal(message)
	if err != nil {
		return c.fault(context.Background(), err)
	}
	return c.write(body)
}

// write hands a message to the cork, which bounds the time it takes.
func (c *client) write(body []byte) error {
	return c.connection.Write(context.Background(), websocket.MessageText, body)
}

// fault writes down a fault of ours and returns it.
func (c *client) fault(ctx context.Context, err error) error {
	if ctx.Err() == nil && !errors.Is(err, context.Canceled) {
		c.server.report(c.request, err)
	}
	if c.server.Away(err) {
		return errors.Join(errAway, err)
	}
	return err
}

// read carries out what the browser asks, until the socket closes.
func (c *client) read(ctx context.Context) {
	speed := c.server.Limits.commands()
	for {
		kind, body, err := receive(context.Background(), c.connection) // closed with ctx
		if err != nil {
			return
		}
		// Whoever moves sends the acknowledgement and the update together: hearing of his own move he is writing
		// already.
		c.writing.Lock()
		var replies []any
		command, err := readCommand(kind, body, c.id)
		switch {
		case !speed.AllowN(c.server.Now(), 1):
			replies = []any{refused(command.Client, "too-fast", "too many commands; wait a moment")}
		case err != nil:
			replies = []any{refused(command.Client, "malformed", err.Error())}
		default:
			replies = c.answer(ctx, command)
		}
		if c.deliver(ctx, replies...) != nil {
			return
		}
	}
}

// receive reads one message. One that is too long closes the socket, and the browser is told why.
func receive(ctx context.Context, connection *websocket.Conn) (websocket.MessageType, []byte, error) {
	kind, reader, err := connection.Reader(ctx)
	if err != nil {
		return kind, nil, err
	}
	body, err := io.ReadAll(io.LimitReader(reader, maxMessage+1))
	if err == nil && len(body) > maxMessage {
		reason := fmt.Sprintf("message of more than %d bytes; expected one command", maxMessage)
		err = errors.Join(errors.New(reason), connection.Close(websocket.StatusMessageTooBig, reason))
	}
	return kind, body, err
}

// readCommand reads one message; the error says what is wrong with it.
func readCommand(kind websocket.MessageType, body []byte, id match.ID) (wire.Command, error) {
	var command wire.Command
	if kind != websocket.MessageText {
		return command, errors.New("binary message; expected JSON text")
	}
	if err := json.Unmarshal(body, &command); err != nil {
		return wire.Command{}, unreadable(err)
	}
	switch {
	case command.V != wire.Version:
		return command, fmt.Errorf("version %d; expected %d", command.V, wire.Version)
	case command.Match != string(id):
		return command, fmt.Errorf("match %q; this socket is for %q", command.Match, id)
	case len(command.Client) > longestClient:
		return wire.Command{}, fmt.Errorf("client id of more than %d characters", longestClient)
	}
	return command, nil
}

// unreadable says in plain words why a message is not a command.
func unreadable(err error) error {
	var mismatch *json.UnmarshalTypeError
	if !errors.As(err, &mismatch) {
		return errors.New("this is not JSON; expected one JSON object")
	}
	if mismatch.Field == "" {
		return fmt.Errorf("this is a JSON %s; expected one JSON object", mismatch.Value)
	}
	want := "a whole number"
	switch mismatch.Type.Kind() {
	case reflect.String:
		want = "a text"
	case reflect.Bool:
		want = "true or false"
	}
	return fmt.Errorf("the field %q holds a JSON %s; expected %s", mismatch.Field, mismatch.Value, want)
}

// answer carries out a command and returns what to say to it.
func (c *client) answer(ctx context.Context, command wire.Command) []any {
	switch command.Type {
	case wire.KindResume:
		return []any{snapshotWanted{}}
	case wire.KindPing:
		m, err := c.server.Live.Refresh(ctx, c.id)
		if err != nil {
			return []any{c.internal(command, err)}
		}
		return []any{wire.Pong{V: wire.Version, Type: wire.KindPong, Seq: m.Seq()}}
	case wire.KindTalk:
		return []any{c.say(ctx, command)}
	case wire.KindMute:
		return []any{c.mute(ctx, command)}
	}
	seq, not, err := c.server.command(ctx, c.id, c.you, c.person, c.lag.least(), command)
	switch {
	case err != nil:
		return []any{c.internal(command, err)}
	case not == nil:
		return []any{wire.Ack{V: wire.Version, Type: wire.KindAck, Client: command.Client, Seq: seq}}
	}
	replies := []any{*not}
	switch match.Code(not.Code) {
	case match.WrongPly, match.NotYourTurn, match.GameOver: // what the browser shows is likely old
		replies = append(replies, snapshotWanted{})
	}
	return replies
}

// command carries out what a side of a match asks, talk aside, and returns the number that answers it, or why it is not
// carried out.
func (s *Server) command(ctx context.Context, id match.ID, you loa.Color, by string, lag time.Duration, command wire.Command) (int, *wire.Refused, error) {
	not := func(code, text string) (int, *wire.Refused, error) {
		answer := refused(command.Client, code, text)
		return 0, &answer, nil
	}
	ask, err := s.ask(ctx, id, lag, command)
	if err != nil {
		return not("malformed", err.Error())
	}
	if command.Type == wire.KindRematch {
		switch err := s.mayMeetAgain(ctx, id, by); {
		case errors.Is(err, live.ErrBarred):
			return not(codeBarred, err.Error())
		case errors.Is(err, live.ErrBlocked):
			return not("blocked", err.Error())
		case err != nil:
			return 0, nil, err
		}
	}
	began := time.Now()
	_, seq, err := s.Live.Submit(ctx, id, match.Command{By: you, Client: command.Client, Ask: ask})
	s.Meter.Command(time.Since(began))
	var refusal *match.Refusal
	if errors.As(err, &refusal) {
		return not(string(refusal.Code), refusal.Text)
	}
	return seq, nil, err
}

// mayMeetAgain returns why somebody cannot have a rematch: live.ErrBarred, live.ErrBlocked.
func (s *Server) mayMeetAgain(ctx context.Context, id match.ID, by string) error {
	person, known, err := s.Moderation.PersonByID(ctx, by)
	if err != nil {
		return err
	}
	if known && !person.MayPlay(s.Now()) {
		return live.ErrBarred
	}
	m, err := s.Live.Match(ctx, id)
	if err != nil {
		return err
	}
	return s.Lobby.Apart(ctx, m.Seat(loa.Black).Person, m.Seat(loa.White).Person)
}

// ask reads what a command asks for; the error says what is wrong with it.
func (s *Server) ask(ctx context.Context, id match.ID, lag time.Duration, command wire.Command) (match.Ask, error) {
	switch command.Type {
	case wire.KindMove:
		move, _, err := loa.ParseMove(command.Move)
		return match.Move{Ply: command.Ply, Move: move, Lag: lag}, err
	case wire.KindTakeback:
		return match.Takeback{Ply: command.Ply}, nil
	case wire.KindDraw:
		return match.OfferOf{What: match.OfferDraw, Ply: command.Ply}, nil
	case wire.KindRematch:
		return match.OfferOf{What: match.OfferRematch, Ply: command.Ply}, nil
	case wire.KindDecline:
		what, err := match.ParseOffer(command.Offer)
		return match.Decline{What: what, Ply: command.Ply}, err
	case wire.KindResign:
		return match.Resign{}, nil
	case wire.KindAbort:
		return match.Abort{}, nil
	case wire.KindClaim:
		m, err := s.Live.Match(ctx, id)
		if err != nil {
			return nil, err
		}
		turn := m.Game().Position().Turn()
		return match.Claim{Draw: command.Draw, Away: s.presence.away(id, turn, m.Turned(), s.Now())}, nil
	}
	return nil, fmt.Errorf("type %q; expected move, takeback, draw, rematch, decline, resign, abort, claim, talk, mute, resume or ping", command.Type)
}

func (c *client) internal(command wire.Command, err error) any {
	if c.server.Away(err) {
		c.server.report(c.request, err)
		return notNow{}
	}
	if c.server.Full(err) {
		return refused(command.Client, codeFull, "there is no room to store it; nothing was changed, reference "+c.server.report(c.request, err))
	}
	return refused(command.Client, "internal", "internal error "+c.server.report(c.request, err))
}

func refused(client, code, text string) wire.Refused {
	return wire.Refused{V: wire.Version, Type: wire.KindRefused, Client: client, Code: code, Text: text}
}
