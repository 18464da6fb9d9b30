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
	"time"

	"github.com/coder/websocket"
	"golang.org/x/time/rate"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/match"
	"github.com/linesofaction/loa/internal/wire"
)

const (
	maxMessage   = 4 << 10          // bytes; the longest command is a few hundred
	writeWithin  = 10 * time.Second // a browser that takes nothing for so long is gone
	commandsRate = 10               // commands a second on one socket
	commandsRush = 30
)

// socket connects a browser to one match: first a snapshot, then what changes, and answers to what it asks.
// Connecting only reads.
func (s *Server) socket(w http.ResponseWriter, r *http.Request) {
	m, you, ok := s.match(w, r)
	if !ok {
		return
	}
	if !upgrades(r) {
		w.Header().Set("Connection", "Upgrade")
		w.Header().Set("Upgrade", "websocket")
		s.fail(w, r, http.StatusUpgradeRequired, "error.426.text")
		return
	}
	options := &websocket.AcceptOptions{}
	if at, err := url.Parse(s.Public); err == nil && at.Host != "" {
		options.OriginPatterns = []string{at.Host}
	}
	connection, err := websocket.Accept(w, r, options)
	if err != nil {
		return // Accept has answered
	}
	connection.SetReadLimit(maxMessage + 1) // one more, so that receive sees what is too long
	c := &client{server: s, request: r, connection: connection, id: m.ID(), you: you, news: make(chan struct{}, 1), replies: make(chan any, commandsRush)}
	c.serve()
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
	news       chan struct{} // the match has changed
	replies    chan any      // messages to send; snapshotWanted asks for a snapshot
}

// snapshotWanted stands among the replies for a snapshot of the moment it is sent.
type snapshotWanted struct{}

func (c *client) serve() {
	ctx, stop := context.WithCancel(c.request.Context())
	defer c.connection.CloseNow()
	cancel := c.server.Live.Listen(c.id, func(match.ID, int) {
		select {
		case c.news <- struct{}{}:
		default: // the writer has not looked since the last news
		}
	})
	defer cancel()
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

// write sends a snapshot and then whatever happens, until the socket closes.
func (c *client) write(ctx context.Context) error {
	seq, err := c.snapshot(ctx)
	for err == nil {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-c.news:
			seq, err = c.update(ctx, seq)
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
	return m.Seq(), c.send(ctx, wire.SnapshotOf(m, c.you))
}

// update sends what happened after a sequence number, and returns the number the browser has then.
func (c *client) update(ctx context.Context, seq int) (int, error) {
	m, err := c.server.Live.Refresh(ctx, c.id)
	if err != nil {
		return seq, c.fault(err)
	}
	if m.Seq() == seq {
		return seq, nil
	}
	return m.Seq(), c.send(ctx, wire.UpdateOf(m, c.you, seq))
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
	speed := rate.NewLimiter(commandsRate, commandsRush)
	for {
		kind, body, err := c.receive(ctx)
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
func (c *client) receive(ctx context.Context) (websocket.MessageType, []byte, error) {
	kind, reader, err := c.connection.Reader(ctx)
	if err != nil {
		return kind, nil, err
	}
	body, err := io.ReadAll(io.LimitReader(reader, maxMessage+1))
	if err == nil && len(body) > maxMessage {
		reason := fmt.Sprintf("message of more than %d bytes; expected one command", maxMessage)
		err = errors.Join(errors.New(reason), c.connection.Close(websocket.StatusMessageTooBig, reason))
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
	var ask match.Ask
	switch command.Type {
	case wire.KindResume:
		return []any{snapshotWanted{}}
	case wire.KindPing:
		m, err := c.server.Live.Refresh(ctx, c.id)
		if err != nil {
			return []any{c.internal(command, err)}
		}
		return []any{wire.Pong{V: wire.Version, Type: wire.KindPong, Seq: m.Seq()}}
	case wire.KindMove:
		move, _, err := loa.ParseMove(command.Move)
		if err != nil {
			return []any{refused(command.Client, "malformed", err.Error())}
		}
		ask = match.Move{Ply: command.Ply, Move: move}
	case wire.KindTakeback:
		ask = match.Takeback{Ply: command.Ply}
	case wire.KindResign:
		ask = match.Resign{}
	default:
		return []any{refused(command.Client, "malformed", fmt.Sprintf("type %q; expected move, takeback, resign, resume or ping", command.Type))}
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

func (c *client) internal(command wire.Command, err error) wire.Refused {
	return refused(command.Client, "internal", "internal error "+c.server.report(c.request, err))
}

func refused(client, code, text string) wire.Refused {
	return wire.Refused{V: wire.Version, Type: wire.KindRefused, Client: client, Code: code, Text: text}
}
