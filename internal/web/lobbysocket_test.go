package web_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
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

// standing returns the only seek that stands in the lobby of a page, once there is one.
func standing(t *testing.T, c *websocket.Conn) wire.Seek {
	t.Helper()
	return heard(t, c, wire.KindLobby, func(l wire.Lobby) bool { return len(l.Seeks) == 1 && l.Seeks[0].Days > 0 }).Seeks[0]
}

func TestASeekAtDaysAMoveOutlivesItsPage(t *testing.T) {
	s := newClub(t)
	maker, taker := s.browser(), s.browser()
	watcher, page := s.visit(taker), s.visit(maker)
	tell(t, page, `{"v":2,"type":"seek","rules":"mini:cap=60","control":"2d/move","color":"white"}`)
	if own := standing(t, page); !own.Mine || own.Days != 14 || own.ID == "" {
		t.Errorf("the seeker's own: %+v", own)
	}
	page.Close(websocket.StatusNormalClosure, "")
	heard(t, watcher, wire.KindLobby, func(l wire.Lobby) bool { return l.Online == 1 })
	second := s.visit(maker)
	tell(t, second, `{"v":2,"type":"unseek"}`) // ends what a page looks for, not what stands
	second.Close(websocket.StatusNormalClosure, "")
	seek := standing(t, s.visit(taker))
	tell(t, watcher, `{"v":2,"type":"take","id":"`+seek.ID+`"}`)
	begun := heard[wire.Go](t, watcher, wire.KindGo, nil)
	if l := heard[wire.Lobby](t, s.visit(maker), wire.KindLobby, nil); !slices.Equal(l.Games, []string{begun.Match}) || len(l.Seeks) != 0 {
		t.Errorf("what the maker finds: %+v", l)
	}
	answer, body := s.do(maker, "GET", "/lobby", nil)
	if answer.StatusCode != http.StatusOK || !strings.Contains(body, `data-game="`+begun.Match+`"`) {
		t.Errorf("%s without the game", answer.Status)
	}
	if answer, body := s.do(taker, "GET", "/", nil); answer.StatusCode != http.StatusOK || !strings.Contains(body, "Your move in 1 game") { // Black's
		t.Errorf("%s without the notice", answer.Status)
	}
	tell(t, watcher, `{"v":2,"type":"take","id":"`+seek.ID+`"}`)
	if got := heard[wire.Refused](t, watcher, wire.KindRefused, nil); got.Code != "gone" {
		t.Errorf("refused with %q", got.Code)
	}
}

func TestAMemberWithdrawsASeekFromAnotherBrowser(t *testing.T) {
	s := newClub(t)
	here, there := s.browser(), s.browser()
	s.join(here, "Marit")
	s.do(there, "POST", "/sign-in", url.Values{"name": {"Marit"}, "password": {goodPassword}})
	page := s.visit(here)
	tell(t, page, seek+`3d/move","rated":true}`)
	standing(t, page)
	other := s.visit(there)
	own := standing(t, other)
	if !own.Mine || !own.Rated {
		t.Errorf("the same person's: %+v", own)
	}
	answer, body := s.do(there, "GET", "/lobby", nil)
	if answer.StatusCode != http.StatusOK || !strings.Contains(body, "14 days left") || !strings.Contains(body, "Withdraw") {
		t.Errorf("%s, without how long the seek stands", answer.Status)
	}
	tell(t, other, `{"v":2,"type":"unseek","id":"`+own.ID+`"}`)
	seeking(t, page)
}

func TestAGuestWhoBecomesSomebodyElseSeeksNoMore(t *testing.T) {
	s := newClub(t)
	s.join(s.browser(), "Marit")
	watcher := s.visit(s.browser())
	for path, form := range map[string]url.Values{
		"/sign-in":  {"name": {"Marit"}, "password": {goodPassword}},
		"/join":     {"name": {"Okonjo"}, "password": {goodPassword}},
		"/sign-out": {},
	} {
		b := s.browser()
		page := s.visit(b)
		tell(t, page, seek+`2d/move"}`)
		standing(t, page)
		page.Close(websocket.StatusNormalClosure, "")
		seeking(t, watcher, "2d/move")
		if answer, _ := s.do(b, "POST", path, form); answer.StatusCode != http.StatusSeeOther {
			t.Fatalf("%s: %s", path, answer.Status)
		}
		seeking(t, watcher)
	}
	b := s.browser()
	page := s.visit(b)
	tell(t, page, seek+`2d/move"}`)
	standing(t, page)
	s.join(b, "Rudolf") // and keeps what was the guest's
	s.wait(2 * time.Second)
	s.visit(b)
	heard(t, watcher, wire.KindLobby, func(l wire.Lobby) bool { // though nobody has told it
		return len(l.Seeks) == 1 && l.Seeks[0].Name == "Rudolf" && !l.Seeks[0].Guest
	})
}

// A game at days a move has time; the page goes on looking for the one that is played at once.
func TestAPageThatLooksForAGameStaysWhenAnotherOneBegins(t *testing.T) {
	s := newClub(t)
	maker, taker := s.browser(), s.browser()
	page, other := s.visit(maker), s.visit(taker)
	tell(t, page, seek+`2d/move"}`)
	id := standing(t, page).ID
	tell(t, page, seek+`5+3","color":"black"}`)
	seeking(t, page, "5+3", "2d/move")
	tell(t, other, `{"v":2,"type":"take","id":"`+id+`"}`)
	first := heard[wire.Go](t, other, wire.KindGo, nil)
	if l := seeking(t, page, "5+3"); !slices.Equal(l.Games, []string{first.Match}) {
		t.Errorf("the running games are %v", l.Games)
	}
	tell(t, s.visit(s.browser()), seek+`5+3"}`)
	if second := heard[wire.Go](t, page, wire.KindGo, nil); second == first {
		t.Errorf("led to %q", second.Match)
	}
}

func TestTooManySeeksAreRefused(t *testing.T) {
	s := newClub(t)
	page := s.visit(s.browser())
	for _, days := range []string{"1", "2", "3", "4"} {
		tell(t, page, seek+days+`d/move"}`)
	}
	if got := heard[wire.Refused](t, page, wire.KindRefused, nil); got.Code != "many-seeks" || !strings.Contains(got.Text, "3 of a guest") {
		t.Errorf("refused with %q, %q", got.Code, got.Text)
	}
	seeking(t, page, "1d/move", "2d/move", "3d/move")
	for range 25 {
		tell(t, page, seek+`1d/move"}`)
	}
	tell(t, page, `{"v":2,"type":"ping"}`)
	heard[wire.Pong](t, page, wire.KindPong, nil) // after all of them
	other := s.visit(s.browser())                 // with the same address
	tell(t, other, seek+`1d/move","color":"black"}`)
	tell(t, other, seek+`2d/move","color":"black"}`)
	if got := heard[wire.Refused](t, other, wire.KindRefused, nil); got.Code != "too-fast" || !strings.Contains(got.Text, "address") {
		t.Errorf("refused with %q, %q", got.Code, got.Text)
	}
}
