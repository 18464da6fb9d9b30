package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"time"

	"github.com/coder/websocket"

	"github.com/linesofaction/loa/internal/wire"
)

// visitor is a browser without a screen: it keeps cookies, fills in forms and opens sockets, so that a server can
// be tried by as many people as needed.
type visitor struct {
	base     string // http://host:port
	others   []string
	patience time.Duration // for an answer, and for the next message of a socket; then the server counts as gone
	client   *http.Client
}

// elsewhere turns to the next server that the visitor knows of, if there is another.
func (v *visitor) elsewhere() {
	if len(v.others) > 0 {
		v.base, v.others = v.others[0], append(v.others[1:], v.base)
	}
}

func newVisitor(base string, transport http.RoundTripper) (*visitor, error) {
	jar, err := cookiejar.New(nil)
	if err != nil {
		return nil, err
	}
	return &visitor{base: base, patience: time.Minute, client: &http.Client{
		Jar: jar, Transport: transport, Timeout: 10 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

// errAnswer is an answer of the server that is not what a visitor expected.
type errAnswer struct {
	path, status string
	code         int
}

func (e *errAnswer) Error() string { return fmt.Sprintf("%s: %s", e.path, e.status) }

// post fills in a form and returns where the answer leads.
func (v *visitor) post(ctx context.Context, path string, form url.Values) (location string, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, v.base+path, strings.NewReader(form.Encode()))
	if err != nil {
		return "", err
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	answer, err := v.client.Do(request)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		return "", err
	}
	if answer.StatusCode != http.StatusSeeOther {
		return "", &errAnswer{path, answer.Status, answer.StatusCode}
	}
	return answer.Header.Get("Location"), nil
}

// dial opens a socket with the visitor's cookies.
func (v *visitor) dial(ctx context.Context, path string) (*websocket.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, min(5*time.Second, v.patience))
	defer cancel()
	connection, _, err := websocket.Dial(ctx, v.base+path, &websocket.DialOptions{HTTPClient: v.client})
	if err != nil {
		return nil, err
	}
	connection.SetReadLimit(1 << 20)
	return connection, nil
}

// read returns the next message of a socket, decoded by its type. Kinds that only pages need are nil.
func read(ctx context.Context, connection *websocket.Conn) (any, error) {
	_, body, err := connection.Read(ctx)
	if err != nil {
		return nil, err
	}
	var head struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(body, &head); err != nil {
		return nil, err
	}
	var message any
	switch head.Type {
	case wire.KindSnapshot:
		message = new(wire.Snapshot)
	case wire.KindUpdate:
		message = new(wire.Update)
	case wire.KindAck:
		message = new(wire.Ack)
	case wire.KindRefused:
		message = new(wire.Refused)
	case wire.KindPong:
		message = new(wire.Pong)
	case wire.KindLeave:
		message = new(wire.Leave)
	default:
		return nil, nil
	}
	return message, json.Unmarshal(body, message)
}

// write sends one command.
func write(ctx context.Context, connection *websocket.Conn, command wire.Command) error {
	body, err := json.Marshal(command)
	if err != nil {
		return err
	}
	return connection.Write(ctx, websocket.MessageText, body)
}

// follow takes an update into a snapshot and reports false for a gap.
func follow(s *wire.Snapshot, u *wire.Update) bool {
	if u.From != s.Seq {
		return u.Seq <= s.Seq
	}
	s.Seq, s.Position, s.State = u.Seq, u.Position, u.State
	s.Plies = append(s.Plies[:u.Keep:u.Keep], u.Plies...)
	return true
}

// retry calls try until it succeeds, ctx is done, or the server itself refuses.
func retry(ctx context.Context, try func() error) error {
	for pause := 10 * time.Millisecond; ; pause = min(2*pause, 200*time.Millisecond) {
		err := try()
		var refused *errAnswer
		if err == nil || errors.As(err, &refused) && refused.code < http.StatusInternalServerError && refused.code != http.StatusTooManyRequests {
			return err
		}
		select {
		case <-ctx.Done():
			return errors.Join(ctx.Err(), err)
		case <-time.After(pause):
		}
	}
}
