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
	"strings"
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
	measureEvery = 5 * time.Second
	repliesAhead = 4 // after which reading waits for writing
)

// socket connects a browser to one match: first a snapshot, then what changes, and answers to what it asks.
// Connecting only reads.
func (s *Server) socket(w http.ResponseWriter, r *http.Request) {
	m, you, ok := s.match(w, r)
	if !ok {
		return
	}
	connection, ok := s.upgrade(w, r)
	if !ok {
		return
	}
	person, _, err := s.guest(r)
	if err != nil {
		s.report(r, err)
	}
	c := &client{
		server: s, request: r, connection: connection, id: m.ID(), you: you, person: person.ID,
		news: make(chan struct{}, 1), company: make(chan struct{}, 1), replies: make(chan any, repliesAhead),
	}
	if r.URL.Query().Has("small") {
		c.you, c.small = loa.NoColor, true
	}
	c.serve()
}

// upgrade opens the socket that a request asks for. When it cannot, it has answered why.
func (s *Server) upgrade(w http.ResponseWriter, r *http.Request) (*websocket.Conn, bool) {
	if !upgrades(r) {
		w.Header().Set("Connection", "Upgrade")
		w.Header().Set("Upgrade", "websocket")
		s.fail(w, r, http.StatusUpgradeRequired, "error.426.text")
		return nil, false
	}
	options := &websocket.AcceptOptions{}
	if at, err := url.Parse(s.Public); err == nil && at.Host != "" {
		options.OriginPatterns = []string{at.Host}
	}
	connection, err := websocket.Accept(w, r, options)
	if err != nil {
		return nil, false
	}
	connection.SetReadLimit(maxMessage + 1) // one more, so that receive sees what is too long
	return connection, true
}

// upgrades reports whether a request asks for a WebSocket.
func upgrades(r *http.Request) bool {
	return strings.EqualFold(r.Header.Get("Upgrade"), "websocket") && strings.Contains(strings.ToLower(r.Header.Get("Connection")), "upgrade")
}

// client is one open socket. One goroutine reads, one writes.
type client struct {
	server     *Server
	request    *http.Request
	connection *websocket.Conn
	id         match.ID
	you        loa.Color
	small      bool          // a small board in a list of games: it only looks, and nobody is told
	person     string        // empty for somebody unknown
	news       chan struct{} // the match has changed
	company    chan struct{} // who is connected has changed
	reached    atomic.Int64  // the latest sequence number heard of
	lag        lagMeter
	replies    chan any // messages to send; snapshotWanted asks for a snapshot
	talk       hearing
}

// snapshotWanted stands among the replies for a snapshot of the moment it is sent.
type snapshotWanted struct{}

func (c *client) serve() {
	ctx, stop := context.WithCancel(c.request.Context())
	defer c.connection.CloseNow()
	cancel := c.server.Live.Listen(c.id, func(_ match.ID, seq int) {
		c.reached.Store(max(c.reached.Load(), int64(seq)))
		wake(c.news)
	})
	defer cancel()
	if c.small {
		defer c.server.presence.visit(c.person)()
	} else {
		defer c.server.presence.join(c.id, c.you, c.person, func() { wake(c.company) }, c.server.Now)()
	}
	defer c.listen()()
	if c.you != loa.NoColor {
		go c.measure(ctx)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer stop()
		if err := c.write(ctx); err != nil && ctx.Err() == nil {
			c.connection.Close(websocket.StatusInternalError, "")
		}
	}()
	c.read(ctx)
	stop()
	<-done
}

// wake tells a writer that has not been told since it last looked.
func wake(news chan struct{}) {
	select {
	case news <- struct{}{}:
	default:
	}
}

// measure finds the network's delay by asking the browser for a pong now and then; a browser cannot influence it
// but by answering late, and the clock credits no more than its allowances.
func (c *client) measure(ctx context.Context) {
	ticker := time.NewTicker(measureEvery)
	defer ticker.Stop()
	for {
		begin := time.Now()
		asked, cancel := context.WithTimeout(ctx, measureEvery)
		err := c.connection.Ping(asked)
		cancel()
		if err == nil {
			c.lag.add(time.Since(begin))
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// write sends a snapshot and then whatever happens, until the socket closes.
func (c *client) write(ctx context.Context) error {
	seq, err := c.snapshot(ctx)
	for err == nil {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-c.news:
			seq, err = c.update(ctx, seq)
		case <-c.company:
			err = c.attendance(ctx)
		case <-c.talk.changed:
			err = c.hearAnew(ctx)
		case <-c.talk.news:
			err = c.hearMore(ctx)
		case reply := <-c.replies:
			if _, ok := reply.(snapshotWanted); ok {
				seq, err = c.snapshot(ctx)
			} else {
				err = c.send(ctx, reply)
			}
		}
	}
	return err
}

func (c *client) snapshot(ctx context.Context) (int, error) {
	m, err := c.server.Live.Refresh(ctx, c.id)
	if err != nil {
		return 0, c.fault(err)
	}
	if err := c.send(ctx, wire.SnapshotOf(m, c.server.presence.position(m), c.you, c.server.Now())); err != nil {
		return m.Seq(), err
	}
	return m.Seq(), c.ratings(ctx, m)
}

// ratings sends what the end of a rated match made of the ratings.
func (c *client) ratings(ctx context.Context, m *match.Match) error {
	changes, err := c.server.changes(ctx, m)
	switch {
	case err != nil:
		return c.fault(err)
	case changes == nil:
		return nil
	}
	return c.send(ctx, changes)
}

// attendance sends who is connected.
func (c *client) attendance(ctx context.Context) error {
	m, err := c.server.Live.Match(ctx, c.id)
	if err != nil {
		return c.fault(err)
	}
	return c.send(ctx, c.server.presence.of(m, c.server.Now()))
}

// update sends what happened after a sequence number, and returns the number the browser has then.
func (c *client) update(ctx context.Context, seq int) (int, error) {
	m, err := c.server.Live.Reach(ctx, c.id, int(c.reached.Load()))
	if err != nil {
		return seq, c.fault(err)
	}
	if m.Seq() == seq {
		return seq, nil
	}
	if err := c.send(ctx, wire.UpdateOf(m, c.server.presence.position(m), c.you, seq, c.server.Now())); err != nil {
		return m.Seq(), err
	}
	if m.Outcome().Over() {
		wake(c.talk.news) // the players may read the onlookers now
	}
	return m.Seq(), c.ratings(ctx, m)
}

func (c *client) send(ctx context.Context, message any) error {
	body, err := json.Marshal(message)
	if err != nil {
		return c.fault(err)
	}
	ctx, cancel := context.WithTimeout(ctx, writeWithin)
	defer cancel()
	return c.connection.Write(ctx, websocket.MessageText, body)
}

// fault writes down a fault of ours and returns it.
func (c *client) fault(err error) error {
	if c.request.Context().Err() == nil && !errors.Is(err, context.Canceled) {
		c.server.report(c.request, err)
	}
	return err
}

// read carries out what the browser asks, until the socket closes.
func (c *client) read(ctx context.Context) {
	speed := c.server.Limits.commands()
	for {
		kind, body, err := receive(ctx, c.connection)
		if err != nil {
			return
		}
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
		for _, reply := range replies {
			select {
			case c.replies <- reply:
			case <-ctx.Done():
				return
			}
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
	case len(command.Client) > 64:
		return wire.Command{}, errors.New("client id of more than 64 characters")
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
	ask, err := c.ask(ctx, command)
	if err != nil {
		return []any{refused(command.Client, "malformed", err.Error())}
	}
	if command.Type == wire.KindRematch {
		person, known, err := c.server.Moderation.PersonByID(ctx, c.person)
		if err != nil {
			return []any{c.internal(command, err)}
		}
		if known && !person.MayPlay(c.server.Now()) {
			return []any{refused(command.Client, codeBarred, live.ErrBarred.Error())}
		}
	}
	_, seq, err := c.server.Live.Submit(ctx, c.id, match.Command{By: c.you, Client: command.Client, Ask: ask})
	var refusal *match.Refusal
	switch {
	case err == nil:
		return []any{wire.Ack{V: wire.Version, Type: wire.KindAck, Client: command.Client, Seq: seq}}
	case errors.As(err, &refusal):
		replies := []any{refused(command.Client, string(refusal.Code), refusal.Text)}
		switch refusal.Code {
		case match.WrongPly, match.NotYourTurn, match.GameOver: // what the browser shows is likely old
			replies = append(replies, snapshotWanted{})
		}
		return replies
	default:
		return []any{c.internal(command, err)}
	}
}

// ask reads what a command asks for; the error says what is wrong with it.
func (c *client) ask(ctx context.Context, command wire.Command) (match.Ask, error) {
	switch command.Type {
	case wire.KindMove:
		move, _, err := loa.ParseMove(command.Move)
		return match.Move{Ply: command.Ply, Move: move, Lag: c.lag.least()}, err
	case wire.KindTakeback:
		return match.Takeback{Ply: command.Ply}, nil
	case wire.KindDraw:
		return match.OfferOf{What: match.OfferDraw, Ply: command.Ply}, nil
	case wire.KindRematch:
		return match.OfferOf{What: match.OfferRematch, Ply: command.Ply}, nil
	case wire.KindDecline:
		what, err := match.ParseOffer(command.Offer)
		return match.Decline{What: what}, err
	case wire.KindResign:
		return match.Resign{}, nil
	case wire.KindAbort:
		return match.Abort{}, nil
	case wire.KindClaim:
		m, err := c.server.Live.Match(ctx, c.id)
		if err != nil {
			return nil, err
		}
		turn := m.Game().Position().Turn()
		return match.Claim{Draw: command.Draw, Away: c.server.presence.away(c.id, turn, m.Updated(), c.server.Now())}, nil
	}
	return nil, fmt.Errorf("type %q; expected move, takeback, draw, rematch, decline, resign, abort, claim, talk, mute, resume or ping", command.Type)
}

func (c *client) internal(command wire.Command, err error) wire.Refused {
	return refused(command.Client, "internal", "internal error "+c.server.report(c.request, err))
}

func refused(client, code, text string) wire.Refused {
	return wire.Refused{V: wire.Version, Type: wire.KindRefused, Client: client, Code: code, Text: text}
}
