package web_test

import (
	"crypto/rand"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/linesofaction/loa/internal/account"
	"github.com/linesofaction/loa/internal/bus"
	"github.com/linesofaction/loa/internal/clock"
	"github.com/linesofaction/loa/internal/live"
	"github.com/linesofaction/loa/internal/lobby"
	"github.com/linesofaction/loa/internal/store"
	"github.com/linesofaction/loa/internal/web"
	"github.com/linesofaction/loa/internal/wire"
)

// club is a site where people meet, on a clock that tests can put forward.
type club struct {
	*site
	ahead atomic.Int64
}

func newClub(t *testing.T) *club {
	t.Helper()
	return newClubWith(t, func(*web.Options) {})
}

// newClubWith is newClub with options changed.
func newClubWith(t *testing.T, change func(*web.Options)) *club {
	t.Helper()
	c := new(club)
	now := func() time.Time { return time.Now().Add(time.Duration(c.ahead.Load())) }
	c.site = newSite(t, func(o *web.Options) {
		db := o.People.(*store.Store)
		o.Now = now
		o.Live = live.New(db, new(bus.Memory), now, 100)
		o.Lobby = lobbyOf(o.Live, db)
		change(o)
	})
	return c
}

func lobbyOf(service *live.Service, db *store.Store) *live.Lobby {
	return live.NewLobby(service, db, func() (string, error) { return account.NewID(rand.Reader) }, func() uint64 { return 7 })
}

func (c *club) wait(d time.Duration) { c.ahead.Add(int64(d)) }

// invite makes a challenge and returns its path.
func (s *club) invite(b *http.Client, form url.Values) string {
	s.t.Helper()
	answer, body := s.do(b, "POST", "/challenge", form)
	if answer.StatusCode != http.StatusSeeOther {
		s.t.Fatalf("POST /challenge %v: %s\n%s", form, answer.Status, body)
	}
	return answer.Header.Get("Location")
}

func TestChallengeShowsEveryTermAndBindsOnce(t *testing.T) {
	s := newClub(t)
	maker, taker, third := s.browser(), s.browser(), s.browser()
	path := s.invite(maker, url.Values{
		"rules": {"scrambled"}, "nomove": {"loss"}, "cap": {"60"}, "kind": {"byoyomi"}, "minutes": {"10"}, "periods": {"3"}, "seconds": {"30"}, "color": {"white"},
	})
	if _, body := s.do(maker, "GET", path, nil); !strings.Contains(body, `class="qr"`) || !strings.Contains(body, s.URL+path) {
		t.Error("the maker sees no code or no link")
	}
	answer, body := s.do(taker, "GET", path, nil)
	if answer.StatusCode != http.StatusOK || answer.Header.Get("X-Robots-Tag") != "noindex" {
		t.Fatalf("%s, %v", answer.Status, answer.Header)
	}
	for _, want := range []string{"10 minutes, then 3 periods of 30 seconds", "colors alternate", "That side loses", "Draw after 60 moves", "since the rules are changed", "<dd class=\"q\">Black</dd>"} {
		if !strings.Contains(body, want) {
			t.Errorf("the terms do not say %q", want)
		}
	}
	for _, test := range []struct {
		name   string
		who    *http.Client
		method string
		path   string
		want   int
	}{
		{"one's own", maker, "POST", path + "/accept", http.StatusForbidden},
		{"declined by a stranger", third, "POST", path + "/refuse", http.StatusForbidden},
		{"accepted", taker, "POST", path + "/accept", http.StatusSeeOther},
		{"accepted again by the same person", taker, "POST", path + "/accept", http.StatusSeeOther},
		{"taken", third, "POST", path + "/accept", http.StatusConflict},
		{"looked at when taken", third, "GET", path, http.StatusConflict},
		{"withdrawn when taken", maker, "POST", path + "/refuse", http.StatusConflict},
		{"looked at by a player", maker, "GET", path, http.StatusSeeOther},
		{"unknown", third, "GET", "/challenge/nothing", http.StatusNotFound},
		{"accepted when unknown", third, "POST", "/challenge/nothing/accept", http.StatusNotFound},
		{"by another method", third, "GET", path + "/accept", http.StatusMethodNotAllowed},
	} {
		if answer, _ := s.do(test.who, test.method, test.path, nil); answer.StatusCode != test.want {
			t.Errorf("%s: %s, want %d", test.name, answer.Status, test.want)
		}
	}
	withdrawn := s.invite(maker, url.Values{})
	if answer, _ := s.do(maker, "POST", withdrawn+"/refuse", nil); answer.Header.Get("Location") != "/lobby" {
		t.Errorf("withdrawing leads to %q", answer.Header.Get("Location"))
	}
	for _, ask := range [][2]string{{"GET", withdrawn}, {"POST", withdrawn + "/accept"}} {
		if answer, _ := s.do(taker, ask[0], ask[1], nil); answer.StatusCode != http.StatusGone {
			t.Errorf("%s of a withdrawn challenge: %s", ask[0], answer.Status)
		}
	}
}

func TestChallengeExpires(t *testing.T) {
	s := newClub(t)
	path := s.invite(s.browser(), url.Values{})
	s.wait(lobby.ChallengeLife + 1)
	for _, ask := range [][2]string{{"GET", path}, {"POST", path + "/accept"}} {
		if answer, body := s.do(s.browser(), ask[0], ask[1], nil); answer.StatusCode != http.StatusGone || !strings.Contains(body, "has expired") {
			t.Errorf("%s: %s", ask[0], answer.Status)
		}
	}
}

func TestTermsThatCannotBe(t *testing.T) {
	s := newClub(t)
	for _, test := range []struct {
		name string
		form url.Values
		want int
		say  string
	}{
		{"unknown rules", url.Values{"rules": {"chess"}}, http.StatusBadRequest, "&#34;chess&#34; is not the name of a rule set"},
		{"an unknown option", url.Values{"both": {"win"}}, http.StatusBadRequest, "&#34;both=win&#34; does not fit"},
		{"a size out of range", url.Values{"size": {"9"}}, http.StatusBadRequest, "&#34;size=9&#34; does not fit"},
		{"an unknown kind of control", url.Values{"kind": {"sundial"}}, http.StatusBadRequest, "&#34;sundial&#34; is not a kind of time control"},
		{"a control out of range", url.Values{"kind": {"days"}, "days": {"30"}}, http.StatusBadRequest, "the clock &#34;30d/move&#34;"},
		{"no number", url.Values{"kind": {"fischer"}, "minutes": {"five"}}, http.StatusBadRequest, "the clock &#34;five&#43;0&#34;"},
		{"an unknown color", url.Values{"color": {"green"}}, http.StatusBadRequest, "&#34;green&#34; is not a color to play"},
		{"a range that is no number", url.Values{"range": {"near"}}, http.StatusBadRequest, "&#34;near&#34; is not a difference of ratings"},
		{"a range out of range", url.Values{"range": {"2001"}}, http.StatusBadRequest, "&#34;2001&#34; is not a difference of ratings"},
		{"rated by a guest", url.Values{"rated": {"1"}}, http.StatusForbidden, "need an account"},
	} {
		answer, body := s.do(s.browser(), "POST", "/challenge", test.form)
		if answer.StatusCode != test.want || !strings.Contains(body, test.say) {
			t.Errorf("%s: %s, want %d and %q", test.name, answer.Status, test.want, test.say)
		}
	}
	// what was filled in is still there
	_, kept := s.do(s.browser(), "POST", "/challenge", url.Values{"rules": {"misere"}, "kind": {"byoyomi"}, "minutes": {"7"}, "color": {"white"}, "cap": {"99"}, "to": {"Nobody-here"}})
	for _, want := range []string{`role="alert"`, `<option value="misere" selected`, `<option value="byoyomi" selected`, `value="7"`, `value="white" checked`, `value="99"`, `value="Nobody-here"`, "<details open>"} {
		if !strings.Contains(kept, want) {
			t.Errorf("a refused form lost %s", want)
		}
	}
	b := s.browser()
	s.join(b, "Marit")
	path := s.invite(b, url.Values{"rated": {"1"}, "nomove": {"loss"}})
	if _, body := s.do(b, "GET", path, nil); !strings.Contains(body, "Casual, since the rules are changed") {
		t.Error("a rated game under changed rules does not say why it is casual")
	}
	if answer, _ := s.do(s.browser(), "GET", "/lobby?control=never", nil); answer.StatusCode != http.StatusBadRequest {
		t.Errorf("a lobby for a control that does not exist: %s", answer.Status)
	}
}

func TestTermsWithoutBaseTimeSpeakOfThePeriodsAlone(t *testing.T) {
	s := newClub(t)
	_, body := s.do(s.browser(), "GET", s.invite(s.browser(), url.Values{"control": {"0+3x30"}}), nil)
	if !strings.Contains(body, ">3 periods of 30 seconds<") {
		t.Error("the periods are not alone")
	}
}

func TestAGameAndThePlayersPageTellOfEachOther(t *testing.T) {
	s := newClub(t)
	maker, taker := s.browser(), s.browser()
	s.join(maker, "Marit")
	answer, _ := s.do(taker, "POST", s.invite(maker, url.Values{"control": {"30/move"}, "color": {"black"}})+"/accept", url.Values{})
	path := answer.Header.Get("Location")
	page := func() string { _, body := s.do(taker, "GET", "/players/Marit", nil); return body }
	if _, body := s.do(taker, "GET", path, nil); !strings.Contains(body, `href="/players/Marit"`) {
		t.Error("the game does not lead to the opponent's page")
	}
	if _, body := s.do(maker, "GET", path, nil); strings.Contains(body, `href="/players/`) {
		t.Error("the game leads to a page that is not there, or to one's own")
	}
	if body := page(); !strings.Contains(body, ">Being played<") || !strings.Contains(body, "Standard · 30 seconds a move<") {
		t.Error("the page does not tell of the game and its time control in words")
	}
	black := s.dial(maker, path)
	tell(t, black, fmt.Sprintf(`{"v":2,"type":"abort","match":%q}`, strings.TrimPrefix(path, "/game/")))
	next(t, black, wire.KindAck)
	if _, body := s.do(taker, "GET", path, nil); !strings.Contains(body, "<p>Called off</p>") {
		t.Error("the game does not say without scripts that it was called off")
	}
	if body := page(); !strings.Contains(body, ">Called off<") || strings.Contains(body, ">Drawn<") {
		t.Error("the page does not say that the game was called off")
	}
}

func TestGuestsFindTheWayToARatedInvitation(t *testing.T) {
	s := newClub(t)
	maker, guest := s.browser(), s.browser()
	s.join(maker, "Marit")
	path := s.invite(maker, url.Values{"rated": {"1"}})
	if _, body := s.do(guest, "GET", path, nil); !strings.Contains(body, `href="/join?back=`+path+`"`) || !strings.Contains(body, `href="/sign-in?back=`+path+`"`) {
		t.Error("a guest is not shown how to accept")
	}
	if _, body := s.do(guest, "GET", "/join?back="+path, nil); !strings.Contains(body, "/sign-in?back="+strings.ReplaceAll(path, "/", "%2f")) {
		t.Error("the way back is lost between joining and signing in")
	}
	answer, _ := s.do(guest, "POST", "/join", url.Values{"name": {"Anneke"}, "password": {goodPassword}, "back": {path}})
	if got := answer.Header.Get("Location"); got != path {
		t.Errorf("joining leads to %s", got)
	}
}

func TestLobbyListsOnesOwnGames(t *testing.T) {
	s := newClub(t)
	maker, taker := s.browser(), s.browser()
	path := s.invite(maker, url.Values{"control": {"2d/move"}, "color": {"black"}})
	answer, _ := s.do(taker, "POST", path+"/accept", nil)
	game := answer.Header.Get("Location")
	for _, test := range []struct {
		name string
		who  *http.Client
		want []string
		not  []string
	}{
		{"on turn", maker, []string{`href="` + game + `"`, "Your move in 1 game", "Standard, 2 days a move", "1 day 23 hours left"}, nil},
		{"not on turn", taker, []string{`href="` + game + `"`}, []string{"Your move in 1 game"}},
		{"a stranger", s.browser(), []string{"You have no game running."}, []string{`data-game="`}},
	} {
		_, body := s.do(test.who, "GET", "/lobby", nil)
		for _, want := range test.want {
			if !strings.Contains(body, want) {
				t.Errorf("%s: the lobby does not say %q", test.name, want)
			}
		}
		for _, not := range test.not {
			if strings.Contains(body, not) {
				t.Errorf("%s: the lobby says %q", test.name, not)
			}
		}
	}
	for who, want := range map[*http.Client]bool{maker: true, taker: false} {
		if _, body := s.do(who, "GET", "/players", nil); strings.Contains(body, "Your move in 1 game") != want {
			t.Errorf("another page says that a move is awaited: %t, want %t", !want, want)
		}
	}
	_, body := s.do(s.browser(), "GET", "/watch", nil)
	if !strings.Contains(body, `data-match="`+strings.TrimPrefix(game, "/game/")+`"`) {
		t.Error("the game cannot be watched")
	}
	if found := regexp.MustCompile(`(?i) style=| on[a-z]+="|<script>|<style`).FindString(body); found != "" {
		t.Errorf("the page has %q, which its own policy forbids", found)
	}
}

// Nobody joins a game without knowing its rules.
func TestALookForAGameSaysWhatItChangesOfTheRules(t *testing.T) {
	s := newClub(t)
	page := s.visit(s.browser())
	tell(t, page, `{"v":2,"type":"seek","rules":"misere:nomove=loss,both=mover,cap=60","control":"5+3"}`)
	seeking(t, page, "5+3")
	_, body := s.do(s.browser(), "GET", "/lobby", nil)
	for _, want := range []string{"No legal move: That side loses", "Both connected at once: The side that moved loses", "Draw after 60 moves, both sides counted"} {
		if !strings.Contains(body, want) {
			t.Errorf("the lobby does not say %q", want)
		}
	}
}

// However many games somebody has, the one that is due first stands first, and games with the computer hide none with people.
func TestGamesThatWaitAreListedByTheirDeadline(t *testing.T) {
	s := newClub(t)
	b := s.browser()
	var games []string
	for _, control := range []string{"3d/move", "1d/move", "2d/move"} {
		answer, _ := s.do(s.browser(), "POST", s.invite(b, url.Values{"control": {control}, "color": {"black"}})+"/accept", nil)
		games = append(games, answer.Header.Get("Location"))
	}
	for range 3 {
		s.begin(b, url.Values{})
	}
	_, body := s.do(b, "GET", "/lobby", nil)
	at := func(game string) int { return strings.Index(body, `class="line" href="`+game+`"`) }
	if !(0 < at(games[1]) && at(games[1]) < at(games[2]) && at(games[2]) < at(games[0])) {
		t.Errorf("a day a move at %d, two days at %d, three at %d", at(games[1]), at(games[2]), at(games[0]))
	}
}

func TestGamePageBetweenPeopleSaysItsTerms(t *testing.T) {
	s := newClub(t)
	path := s.invite(s.browser(), url.Values{"control": {"10+3x30"}})
	taker := s.browser()
	answer, _ := s.do(taker, "POST", path+"/accept", nil)
	_, body := s.do(taker, "GET", answer.Header.Get("Location"), nil)
	for _, want := range []string{"Casual · Standard · 10&#43;3x30", "10 minutes, then 3 periods of 30 seconds", `role="timer" data-part="clock">10:00`, `data-act="draw"`} {
		if !strings.Contains(body, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}

func TestQuickGamesCanBePlayed(t *testing.T) {
	s := newClub(t)
	answer, body := s.do(s.browser(), "GET", "/lobby", nil)
	if answer.StatusCode != http.StatusOK {
		t.Fatal(answer.Status)
	}
	controls := regexp.MustCompile(`name="control" value="([^"]+)"`).FindAllStringSubmatch(body, -1)
	rules := regexp.MustCompile(`name="rules" value="([^"]+)"`).FindAllStringSubmatch(body, -1)
	if len(controls) != 6 || len(rules) != 6 {
		t.Fatalf("%d controls and %d rule sets", len(controls), len(rules))
	}
	for _, c := range controls {
		if _, err := clock.Parse(strings.ReplaceAll(c[1], "&#43;", "+")); err != nil {
			t.Error(err)
		}
	}
	for _, r := range rules {
		s.invite(s.browser(), url.Values{"rules": {r[1]}, "rated": nil})
	}
	if answer, err := http.Get(s.URL + "/lobby?seek=1&rules=mini&control=1%2B2"); err != nil || answer.StatusCode != http.StatusOK {
		t.Errorf("a lobby that seeks at once: %v", err)
	} else if body, _ := io.ReadAll(answer.Body); !strings.Contains(string(body), `{"seek":true,"rules":"mini","control":"1+2"}`) {
		t.Error("the page does not seek what the address says")
	}
}

func TestASmallBoardIsNotCountedAndHoldsNoSeat(t *testing.T) {
	s := newClub(t)
	maker := s.browser()
	path := s.invite(maker, url.Values{"control": {"5+3"}, "color": {"black"}})
	taker := s.browser()
	answer, _ := s.do(taker, "POST", path+"/accept", nil)
	game := answer.Header.Get("Location")
	player := s.dial(maker, game)
	heard[wire.Presence](t, player, wire.KindPresence, nil)
	small, _, err := websocket.Dial(t.Context(), s.URL+game+"/socket?small", &websocket.DialOptions{HTTPClient: taker})
	if err != nil {
		t.Fatal(err)
	}
	defer small.CloseNow()
	if snapshot := heard[wire.Snapshot](t, small, wire.KindSnapshot, nil); snapshot.You != "" {
		t.Errorf("a small board holds the seat of %s", snapshot.You)
	}
	s.dial(s.browser(), game) // an onlooker is told of, so the next word about company comes after the small board's
	if p := heard[wire.Presence](t, player, wire.KindPresence, nil); p.White || p.Watching != 1 {
		t.Errorf("with a small board and one onlooker: %+v", p)
	}
}

func TestARatedGameSaysWhatItMadeOfTheRatings(t *testing.T) {
	s := newClub(t)
	maker, taker := s.browser(), s.browser()
	s.join(maker, "Marit")
	s.join(taker, "Okonjo")
	path := s.invite(maker, url.Values{"control": {"5+3"}, "color": {"black"}, "rated": {"1"}})
	if answer, _ := s.do(s.browser(), "POST", path+"/accept", nil); answer.StatusCode != http.StatusForbidden {
		t.Errorf("a guest accepts a rated game: %s", answer.Status)
	}
	answer, _ := s.do(taker, "POST", path+"/accept", nil)
	game := answer.Header.Get("Location")
	_, body := s.do(maker, "GET", game, nil)
	for _, want := range []string{"Rated · Standard · 5&#43;3", "<b>Okonjo</b>", `data-part="rating">1500?</span>`} {
		if !strings.Contains(body, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	player := s.dial(maker, game)
	heard[wire.Snapshot](t, player, wire.KindSnapshot, nil)
	s.reply(game)
	s.reply(game)
	tell(t, player, `{"v":2,"type":"resign","match":"`+strings.TrimPrefix(game, "/game/")+`","client":"r","ply":2}`)
	got := heard[wire.Ratings](t, player, wire.KindRatings, nil)
	if got.Black.Before != 1500 || got.Black.After >= 1500 || got.White.After <= 1500 {
		t.Errorf("after Black resigned: %+v", got)
	}
	if again := heard[wire.Ratings](t, s.dial(s.browser(), game), wire.KindRatings, nil); again != got {
		t.Errorf("later: %+v, want %+v", again, got)
	}
}

func TestAChallengeByNameIsForOnePerson(t *testing.T) {
	s := newClub(t)
	maker, taker, third := s.browser(), s.browser(), s.browser()
	s.join(maker, "Marit")
	s.join(taker, "Okonjo")
	path := s.invite(maker, url.Values{"to": {"okonjo"}})
	if _, body := s.do(taker, "GET", "/lobby", nil); !strings.Contains(body, strings.TrimPrefix(path, "/challenge/")) {
		t.Error("the lobby of the invited does not have the challenge")
	}
	for _, test := range []struct {
		name   string
		who    *http.Client
		method string
		path   string
		want   int
	}{
		{"looked at by another", third, "GET", path, http.StatusForbidden},
		{"accepted by another", third, "POST", path + "/accept", http.StatusForbidden},
		{"looked at by the invited", taker, "GET", path, http.StatusOK},
		{"declined by the invited", taker, "POST", path + "/refuse", http.StatusSeeOther},
		{"looked at when declined", maker, "GET", path, http.StatusGone},
	} {
		if answer, _ := s.do(test.who, test.method, test.path, nil); answer.StatusCode != test.want {
			t.Errorf("%s: %s, want %d", test.name, answer.Status, test.want)
		}
	}
	for name, want := range map[string]int{"nobody": http.StatusBadRequest, "marit": http.StatusBadRequest} {
		if answer, _ := s.do(maker, "POST", "/challenge", url.Values{"to": {name}}); answer.StatusCode != want {
			t.Errorf("a challenge to %s: %s, want %d", name, answer.Status, want)
		}
	}
	if answer, body := s.do(taker, "POST", "/players/Marit/block", url.Values{"block": {"on"}}); answer.StatusCode != http.StatusSeeOther {
		t.Fatalf("blocking: %s\n%s", answer.Status, body)
	}
	if answer, _ := s.do(maker, "POST", "/challenge", url.Values{"to": {"Okonjo"}}); answer.StatusCode != http.StatusForbidden {
		t.Errorf("a challenge to one who has blocked: %s", answer.Status)
	}
	open := s.invite(maker, url.Values{})
	if answer, _ := s.do(taker, "POST", open+"/accept", nil); answer.StatusCode != http.StatusForbidden {
		t.Errorf("accepting from one who was blocked: %s", answer.Status)
	}
}
