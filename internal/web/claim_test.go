package web_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/match"
	"github.com/linesofaction/loa/internal/store"
	"github.com/linesofaction/loa/internal/web"
	"github.com/linesofaction/loa/internal/wire"
)

// Who leaves on his own turn can lose the game by it, with clocks and without, once he has been away long enough.
func TestClaimAgainstSomebodyWhoLeft(t *testing.T) {
	for _, test := range []struct {
		name string
		form url.Values
		soon time.Duration // too early
		late time.Duration // more, after which it is time
		draw bool
	}{
		{"half an hour each", url.Values{"kind": {"fischer"}, "minutes": {"30"}, "seconds": {"0"}}, 2 * time.Minute, 2 * time.Minute, false},
		{"without clocks, for a draw", url.Values{"kind": {"unlimited"}}, 4 * time.Minute, 2 * time.Minute, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newClub(t)
			maker, taker := s.browser(), s.browser()
			test.form.Set("rules", "standard")
			test.form.Set("color", "black")
			answer, _ := s.do(taker, "POST", s.invite(maker, test.form)+"/accept", url.Values{})
			path := answer.Header.Get("Location")
			id := strings.TrimPrefix(path, "/game/")
			black, white := s.dial(maker, path), s.dial(taker, path)
			for ply, move := range []string{"c8-c6", "a2-c2", "c6-c3"} {
				tell(t, [2]*websocket.Conn{black, white}[ply%2], fmt.Sprintf(`{"v":2,"type":"move","match":%q,"client":"c%d","ply":%d,"move":%q}`, id, ply, ply, move))
				next(t, [2]*websocket.Conn{black, white}[ply%2], wire.KindAck)
			}
			claim := fmt.Sprintf(`{"v":2,"type":"claim","match":%q,"draw":%t}`, id, test.draw)
			s.wait(time.Hour / 10)
			tell(t, black, claim)
			if m := next(t, black, wire.KindRefused); m.Code != "not-allowed" {
				t.Errorf("while the opponent is here: %+v", m)
			}
			white.CloseNow()
			for next(t, black, wire.KindPresence).White == true { // until the server has noticed
			}
			s.wait(test.soon)
			tell(t, black, claim)
			if m := next(t, black, wire.KindRefused); m.Code != "not-allowed" {
				t.Errorf("after %s: %+v", test.soon, m)
			}
			s.wait(test.late)
			tell(t, black, claim)
			next(t, black, wire.KindAck)
			m, err := s.live.Match(t.Context(), match.ID(id))
			want := loa.Outcome{Winner: loa.Black, Reason: loa.Abandoned}
			if test.draw {
				want.Winner = loa.NoColor
			}
			if err != nil || m.Outcome() != want {
				t.Errorf("%v, %v, want %v", m.Outcome(), err, want)
			}
			if answer, _ := s.do(taker, "GET", path, nil); answer.StatusCode != http.StatusOK {
				t.Error(answer.Status)
			}
		})
	}
}

// A flag that falls while its side has no page open counts as a game that was left; one that falls before its eyes does not.
func TestLosingOnTimeWhileAwayIsLeaving(t *testing.T) {
	for _, leaves := range []bool{true, false} {
		var db *store.Store
		s := newClubWith(t, func(o *web.Options) { db = o.People.(*store.Store) })
		maker, taker := s.browser(), s.browser()
		answer, _ := s.do(taker, "POST", s.invite(maker, url.Values{"kind": {"fischer"}, "minutes": {"3"}, "seconds": {"0"}, "rules": {"standard"}, "color": {"black"}})+"/accept", url.Values{})
		path := answer.Header.Get("Location")
		id := strings.TrimPrefix(path, "/game/")
		black, white := s.dial(maker, path), s.dial(taker, path)
		for ply, move := range []string{"c8-c6", "a2-c2", "c6-c3"} {
			tell(t, [2]*websocket.Conn{black, white}[ply%2], fmt.Sprintf(`{"v":2,"type":"move","match":%q,"client":"c%d","ply":%d,"move":%q}`, id, ply, ply, move))
			next(t, [2]*websocket.Conn{black, white}[ply%2], wire.KindAck)
		}
		if leaves {
			white.CloseNow()
			for next(t, black, wire.KindPresence).White == true { // until the server has noticed
			}
		}
		s.wait(4 * time.Minute)
		if err := s.live.Expire(t.Context()); err != nil {
			t.Fatal(err)
		}
		m, err := s.live.Match(t.Context(), match.ID(id))
		if err != nil || m.Outcome() != (loa.Outcome{Winner: loa.Black, Reason: loa.Flag}) {
			t.Fatalf("%v, %v", m.Outcome(), err)
		}
		for color, kept := range map[loa.Color]bool{loa.White: !leaves, loa.Black: true} {
			if standing, err := db.Standing(t.Context(), m.Seat(color).Person); err != nil || standing.Kept == 1 != kept {
				t.Errorf("White leaves: %t; %s has kept %.2f of the games, %v", leaves, color, standing.Kept, err)
			}
		}
	}
}
