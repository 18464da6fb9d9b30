package web_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/linesofaction/loa/internal/match"
	"github.com/linesofaction/loa/internal/web"
	"github.com/linesofaction/loa/internal/wire"
)

// junk is a message that no honest page sends: bytes, broken JSON, or a command that belongs to another ply, match or
// version, or carries what it cannot.
func junk(chance *rand.Rand, id string) (websocket.MessageType, []byte) {
	pick := func(of ...any) any { return of[chance.IntN(len(of))] }
	switch chance.IntN(4) {
	case 0:
		raw := make([]byte, chance.IntN(300))
		for i := range raw {
			raw[i] = byte(chance.IntN(256))
		}
		return websocket.MessageBinary, raw
	case 1:
		whole, _ := json.Marshal(map[string]any{"v": wire.Version, "type": "move", "match": id, "ply": 1, "move": "c8-c6"})
		at := chance.IntN(len(whole))
		return websocket.MessageText, whole[:at]
	case 2:
		body, _ := json.Marshal(map[string]any{
			"v": pick(0, 1, -1, "1", nil), "type": pick("move", "resign", "abort", "", 7, nil), "match": pick(id, "", "other", 3),
			"client": pick("a", strings.Repeat("x", 500)), "ply": pick(0, -1, 1e9),
		})
		return websocket.MessageText, body
	default:
		body, _ := json.Marshal(map[string]any{
			"v": wire.Version, "type": pick("move", "takeback", "draw"), "match": id, "client": fmt.Sprint("junk", chance.IntN(5)),
			"ply": pick(77, -1, 1000), "move": pick("c8-c6", "a1-a1", "h8xh1", "0000", ""),
		})
		return websocket.MessageText, body
	}
}

// Whatever arrives on a socket, in whatever state of the game and from whomever, is answered or closes that socket, and
// changes nothing.
func TestJunkInEveryState(t *testing.T) {
	type game struct {
		id           string
		black, white *websocket.Conn
		say          func(c *websocket.Conn, text string)
	}
	for _, state := range []struct {
		name  string
		reach func(g *game)
	}{
		{"before the first move", func(*game) {}},
		{"after a move", func(g *game) { g.say(g.black, `"type":"move","ply":0,"move":"c8-c6"`) }},
		{"with an offer", func(g *game) {
			g.say(g.black, `"type":"move","ply":0,"move":"c8-c6"`)
			g.say(g.white, `"type":"move","ply":1,"move":"a2-c2"`)
			g.say(g.white, `"type":"draw","ply":2`)
		}},
		{"after the end", func(g *game) { g.say(g.white, `"type":"resign"`) }},
		{"with a rematch offered", func(g *game) {
			g.say(g.white, `"type":"resign"`)
			g.say(g.black, `"type":"rematch"`)
		}},
	} {
		t.Run(state.name, func(t *testing.T) {
			s := newClubWith(t, func(o *web.Options) { // the limits are tested elsewhere; here everything shall be read
				o.Limits = web.DefaultLimits()
				o.Limits.Commands, o.Limits.Requests, o.Limits.Burst = 1e6, 1e6, 1e6
			})
			maker, taker := s.browser(), s.browser()
			answer, _ := s.do(taker, "POST", s.invite(maker, url.Values{"rules": {"standard"}, "color": {"black"}})+"/accept", url.Values{})
			path := answer.Header.Get("Location")
			g := &game{id: strings.TrimPrefix(path, "/game/"), black: s.dial(maker, path), white: s.dial(taker, path)}
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			defer cancel()
			var said []string
			g.say = func(c *websocket.Conn, text string) {
				said = append(said, fmt.Sprintf(`{"v":2,"match":%q,"client":"s%d",%s}`, g.id, len(said), text))
				tell(t, c, said[len(said)-1])
				next(t, c, wire.KindAck)
			}
			state.reach(g)
			memory := settledMemory()
			before, err := s.live.Match(t.Context(), match.ID(g.id))
			if err != nil {
				t.Fatal(err)
			}
			for i, c := range []*websocket.Conn{g.black, g.white, s.dial(s.browser(), path)} {
				chance := rand.New(rand.NewPCG(uint64(i), 1))
				answered := make(chan error, 1)
				go func() { // take what comes, so that the server never waits for this side, up to the answer of the last
					for {
						_, body, err := c.Read(ctx)
						if err != nil || strings.Contains(string(body), `"type":"pong"`) {
							answered <- err
							return
						}
					}
				}()
				for n := range 300 {
					kind, body := junk(chance, g.id)
					if len(said) > 0 && n%10 == 0 { // what was said before, again and in any order
						kind, body = websocket.MessageText, []byte(said[chance.IntN(len(said))])
					}
					if err := c.Write(t.Context(), kind, body); err != nil {
						t.Fatalf("the socket is gone: %v", err)
					}
				}
				tell(t, c, fmt.Sprintf(`{"v":2,"type":"ping","match":%q}`, g.id))
				if err := <-answered; err != nil {
					t.Fatalf("the socket is gone: %v", err)
				}
			}
			long := s.dial(taker, path)
			long.Write(ctx, websocket.MessageText, make([]byte, 1<<20)) // which fails where the socket is closed meanwhile
			for closed := error(nil); closed == nil; _, _, closed = long.Read(ctx) {
			}
			if ctx.Err() != nil {
				t.Error("a message of a megabyte did not close its socket")
			}
			if grown := settledMemory() - memory; grown > 2<<20 {
				t.Errorf("%d bytes of memory are kept of the junk", grown)
			}
			next(t, s.dial(maker, path), wire.KindSnapshot) // the club goes on
			if after, err := s.live.Refresh(t.Context(), match.ID(g.id)); err != nil || after.Seq() != before.Seq() {
				t.Errorf("the log went from %d to %d, %v", before.Seq(), after.Seq(), err)
			}
		})
	}
}

// settledMemory returns what is in use once all that is not has been collected.
func settledMemory() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// Whatever arrives on a socket of the lobby is answered or closes that socket, and nobody looks for a game because of it.
func TestJunkInTheLobby(t *testing.T) {
	s := newClubWith(t, func(o *web.Options) {
		o.Limits = web.DefaultLimits()
		o.Limits.Commands = 1e6
	})
	page, chance := s.visit(s.browser()), rand.New(rand.NewPCG(1, 1))
	pick := func(of ...any) any { return of[chance.IntN(len(of))] }
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	answered := make(chan error, 1)
	go func() {
		for {
			_, body, err := page.Read(ctx)
			if err != nil || strings.Contains(string(body), `"type":"pong"`) {
				answered <- err
				return
			}
		}
	}()
	for range 1000 {
		kind, body := junk(chance, "match")
		if chance.IntN(2) == 0 {
			kind = websocket.MessageText
			body, _ = json.Marshal(map[string]any{
				"v": pick(wire.Version, 7), "type": pick("seek", "unseek", "take", "go", 3), "rules": pick("standard", "chess", strings.Repeat("x", 3000), nil),
				"control": pick("5+3", "", "99999999d/move"), "color": pick("black", "red"), "below": pick(0, -1, 1e18, "x"), "rated": true, // which a guest may not
			})
		}
		if err := page.Write(ctx, kind, body); err != nil {
			t.Fatalf("the socket is gone: %v", err)
		}
	}
	tell(t, page, `{"v":2,"type":"ping"}`)
	if err := <-answered; err != nil {
		t.Fatalf("the socket is gone: %v", err)
	}
	if l := seeking(t, s.visit(s.browser())); l.Seeking != 0 {
		t.Errorf("after nothing but junk %d people seek", l.Seeking)
	}
	page.Write(ctx, websocket.MessageText, make([]byte, 1<<20)) // which fails where the socket is closed meanwhile
	for closed := error(nil); closed == nil; _, _, closed = page.Read(ctx) {
	}
	if ctx.Err() != nil {
		t.Error("a message of a megabyte did not close its socket")
	}
	seeking(t, s.visit(s.browser())) // the lobby goes on
}
