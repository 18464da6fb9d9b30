package web_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/account"
	"github.com/linesofaction/loa/internal/clock"
	"github.com/linesofaction/loa/internal/live"
	"github.com/linesofaction/loa/internal/lobby"
	"github.com/linesofaction/loa/internal/match"
	"github.com/linesofaction/loa/internal/store"
	"github.com/linesofaction/loa/internal/web"
	"github.com/linesofaction/loa/internal/wire"
)

// crowd lets guests look for a game under a control; all of them want Black, so that they do not fit each other.
func crowd(t testing.TB, o *web.Options, n int, control string) {
	t.Helper()
	c, err := clock.Parse(control)
	if err != nil {
		t.Fatal(err)
	}
	db := o.People.(*store.Store)
	for i := range n {
		id := fmt.Sprintf("%s %d", control, i)
		if err := db.AddPerson(t.Context(), account.Person{ID: id, Name: fmt.Sprint(1000 + i)}, account.HashSecret(id)); err != nil {
			t.Fatal(err)
		}
		seeker := lobby.Seeker{Person: id, Guest: true, Since: o.Now(), Wish: lobby.Wish{Control: c, Color: loa.Black}}
		if _, err := db.PutSeek(t.Context(), seeker); err != nil {
			t.Fatal(err)
		}
	}
}

// However many look for a game, a page is told of a bounded part, of what concerns it first, and of the number of all.
func TestTheLobbyOfManyIsBounded(t *testing.T) {
	var options *web.Options
	s := newClubWith(t, func(o *web.Options) { options = o })
	crowd(t, options, 300, "10+5")
	crowd(t, options, 100, "17+4") // no quick game
	b := s.browser()
	page := s.visit(b)
	tell(t, page, seek+`17+4","color":"black"}`)
	l := heard(t, page, wire.KindLobby, func(l wire.Lobby) bool { return l.Seeking == 401 })
	if len(l.Seeks) != 50 || l.More != 351 {
		t.Errorf("%d seeks are listed, and %d more", len(l.Seeks), l.More)
	}
	mine := 0
	for _, one := range l.Seeks {
		if one.Mine {
			mine++
		}
	}
	if mine != 1 {
		t.Errorf("%d seeks of the page's own are listed", mine)
	}
	if want := []wire.Pool{{Rules: "standard", Control: "10+5", Now: 300}, {Rules: "standard", Control: "17+4", Now: 100}}; fmt.Sprint(l.Pools) != fmt.Sprint(want) {
		t.Errorf("pools %v, want %v", l.Pools, want)
	}
	if body, err := json.Marshal(l); err != nil || len(body) > 10_000 {
		t.Errorf("a message of %d bytes, %v", len(body), err)
	}
	answer, text := s.do(b, "GET", "/lobby", nil)
	if rows := strings.Count(text[strings.Index(text, `id="seeks"`):], "<tr>"); answer.StatusCode != http.StatusOK || rows != 50 || !strings.Contains(text, "and 351 more") {
		t.Errorf("%s with %d seeks", answer.Status, rows)
	}
}

// A seek that only goes on is no news: pages are not sent the same lobby again and again.
func TestASeekThatGoesOnIsNoNews(t *testing.T) {
	var options *web.Options
	s := newClubWith(t, func(o *web.Options) { options = o })
	crowd(t, options, 1, "10+5")
	news := 0
	defer s.live.Listen(live.LobbyTopic, func(_ match.ID, _ int) { news++ })()
	seeker := lobby.Seeker{Person: "10+5 0", Guest: true}
	for _, control := range []string{"10+5", "10+5", "3+2", "3+2"} {
		c, err := clock.Parse(control)
		if err != nil {
			t.Fatal(err)
		}
		seeker.Wish = lobby.Wish{Control: c, Color: loa.Black}
		if err := options.Lobby.Seek(t.Context(), seeker); err != nil {
			t.Fatal(err)
		}
	}
	if news != 1 {
		t.Errorf("%d pieces of news of one seek that began", news)
	}
}

// BenchmarkLobby opens the lobby while others look for a game, all of whom a page counts.
func BenchmarkLobby(b *testing.B) {
	for _, n := range []int{0, 100, 1000} {
		var options *web.Options
		site := grownWith(b, histories[0], func(o *web.Options) { options = o })
		crowd(b, options, n, "10+5")
		b.Run(fmt.Sprint(n, " look for a game"), func(b *testing.B) {
			for b.Loop() {
				opened(b, site, "/lobby")
			}
		})
	}
}

// Whoever is gone without a word is no fault of the server's, which would wake its host.
func TestALostPageOfTheLobbyIsNoFault(t *testing.T) {
	s := newClub(t)
	for range 30 {
		var line net.Conn
		b := &http.Client{Jar: s.browser().Jar, Transport: &http.Transport{DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			var err error
			line, err = new(net.Dialer).DialContext(ctx, network, address)
			return line, err
		}}}
		page := s.visit(b)
		heard[wire.Lobby](t, page, wire.KindLobby, nil)
		for range 5 {
			tell(t, page, seek+`5+3"}`)
		}
		line.(*net.TCPConn).SetLinger(0) // so that writing to it fails
		line.Close()
	}
	s.Config.Handler.(*web.Server).Close()
	if log := s.log.String(); log != "" {
		t.Errorf("the log says %.500s", log)
	}
}

// A search is not over because the server stops: its page goes on with it at the next one, having waited so long.
func TestASearchOutlivesTheEndOfAServer(t *testing.T) {
	var options *web.Options
	s := newClubWith(t, func(o *web.Options) { options = o })
	page := s.visit(s.browser())
	tell(t, page, seek+`5+3"}`)
	seeking(t, page, "5+3")
	go func() { // answers that it has heard
		for gone := error(nil); gone == nil; {
			_, _, gone = page.Read(t.Context())
		}
	}()
	s.Config.Handler.(*web.Server).Close()
	if waiting, err := options.Lobby.Seeks(t.Context()); err != nil || len(waiting) != 1 {
		t.Errorf("%v look for a game, %v", waiting, err)
	}
}

func TestWhoBlocksTooManyIsToldSo(t *testing.T) {
	var options *web.Options
	s := newClubWith(t, func(o *web.Options) { options = o })
	db, b := options.People.(*store.Store), s.browser()
	s.join(b, "Marit")
	s.join(s.browser(), "Okonjo")
	marit, _, err := db.PersonByName(t.Context(), "Marit")
	if err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	for i := range account.MaxBlocks {
		wait.Go(func() {
			id := fmt.Sprint("p", i)
			err := db.AddPerson(t.Context(), account.Person{ID: id, Name: "1234"}, account.HashSecret(id))
			if err == nil {
				err = db.SetBlock(t.Context(), marit.ID, id, true)
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	answer, body := s.do(b, "POST", "/players/Okonjo/block", url.Values{"block": {"on"}})
	if answer.StatusCode != http.StatusForbidden || !strings.Contains(body, "You block 500 people already") {
		t.Errorf("%s", answer.Status)
	}
}
