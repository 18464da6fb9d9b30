package web_test

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/linesofaction/loa/internal/wire"
)

// visit opens the lobby's socket.
func (c *club) visit(b *http.Client) *websocket.Conn { return c.dial(b, "/lobby") }

// heard reads messages until one of a kind that fits, and returns it.
func heard[M any](t *testing.T, c *websocket.Conn, kind string, fits func(M) bool) M {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	for {
		_, body, err := c.Read(ctx)
		if err != nil {
			t.Fatalf("waiting for %q: %v", kind, err)
		}
		var head struct{ Type string }
		var message M
		if err := json.Unmarshal(body, &head); err != nil {
			t.Fatal(err)
		}
		if head.Type != kind {
			continue
		}
		if err := json.Unmarshal(body, &message); err != nil {
			t.Fatal(err)
		}
		if fits == nil || fits(message) {
			return message
		}
	}
}

// seeking waits until a page of the lobby lists seeks for exactly these controls.
func seeking(t *testing.T, c *websocket.Conn, controls ...string) wire.Lobby {
	t.Helper()
	return heard(t, c, wire.KindLobby, func(l wire.Lobby) bool {
		var listed []string
		for _, s := range l.Seeks {
			listed = append(listed, s.Control)
		}
		return slices.Equal(listed, controls)
	})
}

const seek = `{"v":2,"type":"seek","rules":"standard","control":"`

func TestASeekIsReplacedStoppedAndEndsWithItsPage(t *testing.T) {
	s := newClub(t)
	watcher, b := s.visit(s.browser()), s.browser()
	seeking(t, watcher)
	page := s.visit(b)
	tell(t, page, seek+`5+3"}`)
	if l := seeking(t, page, "5+3"); !l.Seeks[0].Mine || l.Seeking != 1 || l.Online != 2 {
		t.Errorf("the seeker's lobby: %+v", l)
	}
	if l := seeking(t, watcher, "5+3"); l.Seeks[0].Mine || !l.Seeks[0].Guest {
		t.Errorf("the lobby of somebody else: %+v", l)
	}
	tell(t, page, seek+`5+3"}`)
	seeking(t, page, "5+3") // the same seek, not a second one
	tell(t, page, seek+`10+5"}`)
	seeking(t, watcher, "10+5")
	tell(t, page, `{"v":2,"type":"unseek"}`)
	seeking(t, watcher)
	tell(t, page, seek+`10+5"}`)
	seeking(t, watcher, "10+5")
	page.Close(websocket.StatusNormalClosure, "")
	seeking(t, watcher)
}

// A page that is loaded again begins anew before the server has noticed that it was closed, and the search goes on.
func TestASearchOutlivesOneOfItsPages(t *testing.T) {
	s := newClub(t)
	b := s.browser()
	watcher, first := s.visit(s.browser()), s.visit(b)
	tell(t, first, seek+`5+3"}`)
	seeking(t, watcher, "5+3")
	second := s.visit(b)
	tell(t, second, seek+`5+3"}`)
	heard[wire.Lobby](t, second, wire.KindLobby, func(l wire.Lobby) bool { return len(l.Seeks) == 1 })
	tell(t, second, `{"v":2,"type":"ping"}`) // answered when the wish was taken up
	heard[wire.Pong](t, second, wire.KindPong, nil)
	first.Close(websocket.StatusNormalClosure, "")
	other := s.visit(s.browser())
	tell(t, other, seek+`10+5"}`)
	if l := seeking(t, watcher, "5+3", "10+5"); l.Seeking != 2 {
		t.Errorf("%d look for a game", l.Seeking)
	}
	second.Close(websocket.StatusNormalClosure, "")
	seeking(t, watcher, "10+5")
}

func TestASearchStoppedOnOnePageEndsOnTheOthers(t *testing.T) {
	s := newClub(t)
	b := s.browser()
	first, second := s.visit(b), s.visit(b)
	tell(t, first, seek+`5+3"}`)
	if l := seeking(t, second, "5+3"); !l.Seeks[0].Mine {
		t.Errorf("the other page's lobby: %+v", l)
	}
	tell(t, second, `{"v":2,"type":"unseek"}`)
	heard[wire.Unseek](t, first, wire.KindUnseek, nil)
	seeking(t, first)
	tell(t, second, `{"v":2,"type":"unseek"}`)
	tell(t, second, seek+`10+5"}`) // its own word to stop does not end what it looks for next
	seeking(t, first, "10+5")
}

func TestThoseWhoFitAreLedToTheSameGame(t *testing.T) {
	s := newClub(t)
	a, b := s.visit(s.browser()), s.visit(s.browser())
	tell(t, a, seek+`3+2","color":"white"}`)
	tell(t, b, seek+`3+2"}`)
	first, second := heard[wire.Go](t, a, wire.KindGo, nil), heard[wire.Go](t, b, wire.KindGo, nil)
	if first.Match == "" || first != second {
		t.Errorf("led to %q and %q", first.Match, second.Match)
	}
	if l := seeking(t, a); !slices.Contains(l.Games, first.Match) {
		t.Errorf("the running games are %v", l.Games)
	}
}

func TestTheLobbyRefusesWhatItCannotDo(t *testing.T) {
	s := newClub(t)
	page := s.visit(s.browser())
	for text, want := range map[string]string{
		`{`:                         "malformed",
		`{"v":9,"type":"seek"}`:     "malformed",
		`{"v":2,"type":"fly"}`:      "malformed",
		seek + `never"}`:            "malformed",
		seek + `5+3","below":-1}`:   "malformed",
		seek + `5+3","rated":true}`: "not-allowed",
	} {
		tell(t, page, text)
		if got := heard[wire.Refused](t, page, wire.KindRefused, nil); got.Code != want || got.Text == "" {
			t.Errorf("%s: refused with %q, %q; want %q", text, got.Code, got.Text, want)
		}
	}
	if l := seeking(t, s.visit(s.browser())); l.Seeking != 0 {
		t.Errorf("after nothing but refusals %d people seek", l.Seeking)
	}
}

func TestTheLobbyHearsWhoComesAndGoes(t *testing.T) {
	s := newClub(t)
	page := s.visit(s.browser())
	online := func(n int) {
		t.Helper()
		heard(t, page, wire.KindLobby, func(l wire.Lobby) bool { return l.Online == n })
	}
	online(1)
	other := s.visit(s.browser())
	online(2)
	other.Close(websocket.StatusNormalClosure, "")
	online(1)
}
