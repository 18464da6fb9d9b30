package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/coder/websocket"

	"github.com/linesofaction/loa/internal/wire"
)

// stream reads the messages of a socket into one buffer, so that the load of thousands of sockets is that of the
// server rather than of those who measure it.
type stream struct {
	*websocket.Conn
	buffer bytes.Buffer
}

// open takes a socket over until ctx is done.
func open(ctx context.Context, connection *websocket.Conn) *stream {
	context.AfterFunc(ctx, func() { connection.CloseNow() })
	return &stream{Conn: connection}
}

// next returns the next message. It is valid until the one after.
func (s *stream) next() ([]byte, error) {
	_, reader, err := s.Reader(context.Background())
	if err != nil {
		return nil, err
	}
	s.buffer.Reset()
	_, err = s.buffer.ReadFrom(reader)
	return s.buffer.Bytes(), err
}

// say sends one message.
func (s *stream) say(body []byte) error {
	return s.Write(context.Background(), websocket.MessageText, body)
}

// glance is as much of a match as it takes to play any move and to notice that something is missing.
type glance struct {
	seq   int
	plies int
	moves []byte // as the list stands in the message
	mine  bool   // to move
	over  bool
}

// errGap is an update that does not follow the one before.
var errGap = errors.New("a gap in the updates")

// look takes in a snapshot or an update and returns how many plies it brought. Updates, which are nearly all there
// is, are searched for the few fields of interest instead of decoded.
func (g *glance) look(body []byte) (added int, err error) {
	if !bytes.HasPrefix(body, updateHead) {
		var snapshot wire.Snapshot
		if err := json.Unmarshal(body, &snapshot); err != nil {
			return 0, err
		}
		g.seq, g.plies, g.mine, g.over = snapshot.Seq, len(snapshot.Plies), snapshot.Can.Move, snapshot.Outcome != nil
		g.moves, err = json.Marshal(snapshot.Position.Moves)
		return 0, err
	}
	rest := body
	field := func(name string) int {
		_, after, ok := bytes.Cut(rest, []byte(name))
		n := 0
		for ok && len(after) > 0 && '0' <= after[0] && after[0] <= '9' {
			n, after = 10*n+int(after[0]-'0'), after[1:]
		}
		rest = after
		return n
	}
	seq, from, keep := field(`"seq":`), field(`"from":`), field(`"keep":`)
	plies, rest, ok := bytes.Cut(rest, []byte(`],"position":`))
	added = bytes.Count(plies, []byte(`{"move":`))
	_, rest, found := bytes.Cut(rest, []byte(`"moves":`))
	moves, rest, closed := bytes.Cut(rest, []byte(`]`))
	if !ok || !found || !closed || body[len(body)-1] != '}' {
		return 0, fmt.Errorf("an update that cannot be read: %s", body)
	}
	if from != g.seq || seq <= from || keep > g.plies || len(plies) == 0 {
		return 0, errGap
	}
	g.seq, g.plies, g.moves = seq, keep+added, append(append(g.moves[:0], moves...), ']')
	g.mine = bytes.Contains(rest, []byte(`"can":{"move":true`))
	g.over = bytes.Contains(rest, []byte(`"outcome":{`))
	return added, nil
}

// updateHead begins every update.
var updateHead = fmt.Appendf(nil, `{"v":%d,"type":%q`, wire.Version, wire.KindUpdate)

// move returns the move with a number, counted round.
func (g *glance) move(n int) []byte {
	names := bytes.Split(bytes.Trim(g.moves, "[]"), []byte(","))
	return bytes.Trim(names[n%len(names)], `"`)
}
