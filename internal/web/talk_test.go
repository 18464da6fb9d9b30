package web_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/match"
	"github.com/linesofaction/loa/internal/wire"
)

// table is a game between two people, Black and White, and its path.
type table struct {
	*club
	black, white *http.Client
	path, id     string
}

// sit begins a game between two browsers.
func (c *club) sit(black, white *http.Client) *table {
	c.t.Helper()
	path := c.invite(black, url.Values{"control": {"5+3"}, "color": {"black"}})
	answer, body := c.do(white, "POST", path+"/accept", nil)
	game := answer.Header.Get("Location")
	if !strings.HasPrefix(game, "/game/") {
		c.t.Fatalf("%s\n%s", answer.Status, body)
	}
	return &table{c, black, white, game, strings.TrimPrefix(game, "/game/")}
}

func newTable(t *testing.T) *table {
	t.Helper()
	c := newClub(t)
	return c.sit(c.browser(), c.browser())
}

// end lets Black resign.
func (g *table) end() {
	g.t.Helper()
	g.reply(g.path)
	g.reply(g.path)
	if _, _, err := g.live.Submit(g.t.Context(), match.ID(g.id), match.Command{By: loa.Black, Ask: match.Resign{}}); err != nil {
		g.t.Fatal(err)
	}
}

// command returns a command about the talk of the game.
func (g *table) command(kind, client string, what wire.TalkCommand) string {
	g.t.Helper()
	body, err := json.Marshal(wire.Command{V: wire.Version, Type: kind, Match: g.id, Client: client, TalkCommand: what})
	if err != nil {
		g.t.Fatal(err)
	}
	return string(body)
}

// ask sends a command about talk and returns the code of its refusal, "ok" when it is carried out.
func (g *table) ask(c *websocket.Conn, kind, client string, what wire.TalkCommand) string {
	g.t.Helper()
	tell(g.t, c, g.command(kind, client, what))
	for {
		_, body, err := c.Read(g.t.Context())
		if err != nil {
			g.t.Fatal(err)
		}
		var m message
		if err := json.Unmarshal(body, &m); err != nil {
			g.t.Fatal(err)
		}
		switch {
		case m.Client != client:
		case m.Type == wire.KindAck:
			return "ok"
		case m.Type == wire.KindRefused:
			return m.Code
		}
	}
}

// hears waits until a room as a whole, or what comes of it, ends with a text.
func hears(t *testing.T, c *websocket.Conn, room, text string) wire.Talk {
	t.Helper()
	return heard(t, c, wire.KindTalk, func(m wire.Talk) bool {
		return m.Room == room && len(m.Remarks) > 0 && m.Remarks[len(m.Remarks)-1].Text == text
	})
}

// rooms returns what a browser gets of so many rooms when it opens the game: the texts of each.
func (g *table) rooms(b *http.Client, want ...string) map[string][]string {
	g.t.Helper()
	c := g.dial(b, g.path)
	got := map[string][]string{}
	for range want {
		m := heard[wire.Talk](g.t, c, wire.KindTalk, nil)
		if !m.Whole {
			g.t.Errorf("%+v is not the whole room", m)
		}
		for _, r := range m.Remarks {
			got[m.Room] = append(got[m.Room], r.Text+r.Preset)
		}
	}
	return got
}

func TestWhoTalksInWhichRoom(t *testing.T) {
	g := newTable(t)
	guest, stranger := g.browser(), g.browser()
	g.begin(guest, url.Values{}) // somebody the server knows
	people := map[string]*http.Client{"black": g.black, "white": g.white, "a guest": guest, "a stranger": stranger}
	want := map[string]map[string]string{ // by room: who is let in
		"players":   {"black": "ok", "white": "ok", "a guest": "not-your-room", "a stranger": "not-your-room"},
		"onlookers": {"black": "not-your-room", "white": "not-your-room", "a guest": "ok", "a stranger": "unknown"},
		"kitchen":   {"black": "malformed", "a stranger": "malformed"},
	}
	say := func(state string) {
		t.Helper()
		for room, who := range want {
			for _, name := range slices.Sorted(maps.Keys(who)) { // White last
				code := who[name]
				if got := g.ask(g.dial(people[name], g.path), wire.KindTalk, state+room+name, wire.TalkCommand{Room: room, Text: name + " " + state}); got != code {
					t.Errorf("%s, %s in the room %s: %q, want %q", state, name, room, got, code)
				}
			}
		}
	}
	say("while it is played")
	for name, want := range map[string][]string{"black": {"players"}, "a guest": {"onlookers"}, "a stranger": {"onlookers"}} {
		got := g.rooms(people[name], want...)
		for room, texts := range got {
			if !slices.Contains(want, room) || room == "players" && len(texts) != 2 || room == "onlookers" && len(texts) != 1 {
				t.Errorf("%s reads %v", name, got)
			}
		}
	}
	_, page := g.do(g.black, "GET", g.path, nil)
	if strings.Contains(page, "a guest while") || !strings.Contains(page, "white while") {
		t.Error("a player's page has the wrong room")
	}
	if _, page := g.do(stranger, "GET", g.path, nil); !strings.Contains(page, "a guest while") || strings.Contains(page, "white while") {
		t.Error("an onlooker's page has the wrong room")
	}
	player := g.dial(g.black, g.path)
	hears(t, player, "players", "white while it is played")
	g.end()
	if m := hears(t, player, "onlookers", "a guest while it is played"); !m.Whole || m.Remarks[0].Mine || m.Remarks[0].Seat != "" {
		t.Errorf("at the end a player gets %+v", m)
	}
	say("after the end")
	if got := g.rooms(g.black, "players", "onlookers"); len(got["players"]) != 4 || len(got["onlookers"]) != 2 {
		t.Errorf("a player reads %v", got)
	}
	if got := g.rooms(stranger, "onlookers"); len(got["players"]) != 0 {
		t.Errorf("a stranger reads %v", got)
	}
}

func TestNobodyTalksToTheComputer(t *testing.T) {
	s := newClub(t)
	b := s.browser()
	path := s.begin(b, url.Values{})
	g := &table{club: s, path: path, id: strings.TrimPrefix(path, "/game/")}
	for _, kind := range []string{wire.KindTalk, wire.KindMute} {
		if got := g.ask(s.dial(b, path), kind, kind, wire.TalkCommand{Room: "players", Text: "hello"}); got != "not-allowed" {
			t.Errorf("%s: %q", kind, got)
		}
	}
	if _, page := s.do(b, "GET", path, nil); strings.Contains(page, `id="talk"`) {
		t.Error("the page has a place to talk")
	}
	for _, b := range []*http.Client{b, s.browser()} {
		answer, _ := s.do(b, "POST", path+"/talk", url.Values{"room": {"onlookers"}, "text": {"hello"}})
		if answer.StatusCode != http.StatusForbidden || len(answer.Cookies()) != 0 {
			t.Errorf("by form: %s", answer.Status)
		}
	}
}

func TestARemarkIsSaidOnceUnderItsClientID(t *testing.T) {
	g := newTable(t)
	black, white := g.dial(g.black, g.path), g.dial(g.white, g.path)
	for range 8 { // more than one may say at once
		if got := g.ask(black, wire.KindTalk, "one", wire.TalkCommand{Room: "players", Text: " <b>hello "}); got != "ok" {
			t.Fatal(got)
		}
	}
	m := hears(t, white, "players", "<b>hello")
	if len(m.Remarks) != 1 || m.Remarks[0].N != 1 || m.Remarks[0].Seat != "black" || m.Remarks[0].Mine || m.Remarks[0].Name == "" {
		t.Errorf("White hears %+v", m)
	}
	if m := hears(t, g.dial(g.black, g.path), "players", "<b>hello"); !m.Remarks[0].Mine {
		t.Errorf("Black hears %+v", m)
	}
	if got := g.rooms(g.white, "players"); len(got["players"]) != 1 {
		t.Errorf("said %v", got)
	}
	if _, page := g.do(g.white, "GET", g.path, nil); !strings.Contains(page, "&lt;b&gt;hello") {
		t.Error("the page does not escape what was said")
	}
}

func TestJunkIsNotSaid(t *testing.T) {
	g := newTable(t)
	c := g.dial(g.black, g.path)
	for i, test := range []struct {
		what wire.TalkCommand
		code string
	}{
		{wire.TalkCommand{}, "malformed"},
		{wire.TalkCommand{Room: "players"}, "empty"},
		{wire.TalkCommand{Room: "players", Text: strings.Repeat("x", 141)}, "too-long"},
		{wire.TalkCommand{Room: "players", Text: "a\x00b"}, "control"},
		{wire.TalkCommand{Room: "players", Text: "one\ntwo"}, "control"},
		{wire.TalkCommand{Room: "players", Preset: "insult"}, "preset"},
		{wire.TalkCommand{Room: "players", Preset: "hello", Text: "hello"}, "preset"},
	} {
		if got := g.ask(c, wire.KindTalk, fmt.Sprint(i), test.what); got != test.code {
			t.Errorf("%+v: %q, want %q", test.what, got, test.code)
		}
	}
	tell(t, c, `{"v":2,"type":"talk","match":"`+g.id+`","client":"n","room":7}`)
	if m := next(t, c, wire.KindRefused); m.Code != "malformed" {
		t.Errorf("a room that is a number: %+v", m)
	}
	if got := g.rooms(g.white, "players"); len(got["players"]) != 0 {
		t.Errorf("said %v", got)
	}
	for text, want := range map[string]string{"": "There is nothing to send.", strings.Repeat("y", 141): "At most 140 characters."} {
		answer, body := g.do(g.black, "POST", g.path+"/talk", url.Values{"room": {"players"}, "text": {text}})
		if answer.StatusCode != http.StatusBadRequest || !strings.Contains(body, want) || !strings.Contains(body, `value="`+text+`"`) {
			t.Errorf("by form, %q: %s, and the page does not say %q with the text kept", text, answer.Status, want)
		}
	}
}

func TestTalkersAreSlowedDownAndToldForHowLong(t *testing.T) {
	g := newTable(t)
	c := g.dial(g.black, g.path)
	for i := range 12 { // more than anybody may say at once
		tell(t, c, g.command(wire.KindTalk, fmt.Sprint("c", i), wire.TalkCommand{Room: "players", Preset: "hello"}))
	}
	slow := next(t, c, wire.KindRefused)
	if slow.Code != "too-fast" || slow.Wait < 1 || slow.Wait > 3000 {
		t.Errorf("refused as %+v", slow)
	}
	answer, body := g.do(g.black, "POST", g.path+"/talk", url.Values{"room": {"players"}, "text": {"and by form"}})
	if answer.StatusCode != http.StatusTooManyRequests || answer.Header.Get("Retry-After") == "" || !strings.Contains(body, "Try again in") || !strings.Contains(body, `value="and by form"`) {
		t.Errorf("by form: %s", answer.Status)
	}
	g.wait(time.Duration(slow.Wait) * time.Millisecond)
	if got := g.ask(c, wire.KindTalk, "later", wire.TalkCommand{Room: "players", Preset: "hello"}); got != "ok" {
		t.Errorf("after the wait: %q", got)
	}
}

func TestMutingHidesThePersonInEveryGame(t *testing.T) {
	g := newTable(t)
	black, white, tab := g.dial(g.black, g.path), g.dial(g.white, g.path), g.dial(g.white, g.path)
	talk := func(c *websocket.Conn, client, text string) {
		t.Helper()
		if got := g.ask(c, wire.KindTalk, client, wire.TalkCommand{Room: "players", Text: text}); got != "ok" {
			t.Fatal(got)
		}
	}
	talk(black, "1", "before")
	hears(t, white, "players", "before")
	if got := g.ask(white, wire.KindMute, "m", wire.TalkCommand{Room: "players", On: true}); got != "ok" {
		t.Fatal(got)
	}
	if m := heard(t, tab, wire.KindTalk, func(m wire.Talk) bool { return m.Whole && m.Muted }); len(m.Remarks) != 0 {
		t.Errorf("after muting White keeps %+v", m)
	}
	talk(black, "2", "unheard") // and is not told
	talk(white, "3", "my own")
	if got := g.rooms(g.white, "players"); len(got["players"]) != 1 {
		t.Errorf("White hears %v", got)
	}
	if _, page := g.do(g.white, "GET", g.path, nil); strings.Contains(page, "unheard") || !strings.Contains(page, "Unmute") {
		t.Error("White's page shows what is muted, or no way back")
	}
	again := g.sit(g.black, g.white)
	there := again.dial(g.black, again.path)
	if got := again.ask(there, wire.KindTalk, "4", wire.TalkCommand{Room: "players", Text: "elsewhere"}); got != "ok" {
		t.Fatal(got)
	}
	if got := again.rooms(g.white, "players"); len(got["players"]) != 0 {
		t.Errorf("in another game White hears %v", got)
	}
	_, people := g.do(g.white, "GET", "/people", nil)
	_, id, ok := strings.Cut(people, `name="unmute" value="`)
	if !ok {
		t.Fatalf("the muted are not listed:\n%s", people)
	}
	id, _, _ = strings.Cut(id, `"`)
	if answer, _ := g.do(g.white, "POST", "/people", url.Values{"unmute": {id}}); answer.StatusCode != http.StatusSeeOther {
		t.Fatal(answer.Status)
	}
	if m := heard(t, tab, wire.KindTalk, func(m wire.Talk) bool { return m.Whole }); m.Muted || len(m.Remarks) != 3 {
		t.Errorf("after unmuting: %+v", m)
	}
}

func TestOnlookersAreMutedOneByOneOrAllTogether(t *testing.T) {
	g := newTable(t)
	ann, bob := g.browser(), g.browser()
	for _, b := range []*http.Client{ann, bob} {
		g.begin(b, url.Values{})
	}
	a, b := g.dial(ann, g.path), g.dial(bob, g.path)
	if got := g.ask(b, wire.KindTalk, "1", wire.TalkCommand{Room: "onlookers", Text: "one"}); got != "ok" {
		t.Fatal(got)
	}
	hears(t, a, "onlookers", "one")
	for i, test := range []struct {
		c    *websocket.Conn
		what wire.TalkCommand
		code string
	}{
		{a, wire.TalkCommand{Room: "onlookers", Remark: 9, On: true}, "malformed"},
		{b, wire.TalkCommand{Room: "onlookers", Remark: 1, On: true}, "malformed"}, // one's own
		{a, wire.TalkCommand{Room: "players", On: true}, "not-your-room"},
		{g.dial(g.browser(), g.path), wire.TalkCommand{Room: "onlookers", On: true}, "unknown"},
		{g.dial(g.black, g.path), wire.TalkCommand{Room: "onlookers", On: true}, "not-your-room"},
		{a, wire.TalkCommand{Room: "onlookers", Remark: 1, On: true}, "ok"},
	} {
		if got := g.ask(test.c, wire.KindMute, fmt.Sprint("m", i), test.what); got != test.code {
			t.Errorf("%+v: %q, want %q", test.what, got, test.code)
		}
	}
	if got := g.rooms(ann, "onlookers"); len(got["onlookers"]) != 0 {
		t.Errorf("Ann hears %v", got)
	}
	if got := g.ask(a, wire.KindMute, "u", wire.TalkCommand{Room: "onlookers", Remark: 1}); got != "ok" {
		t.Fatal(got)
	}
	if got := g.rooms(ann, "onlookers"); len(got["onlookers"]) != 1 {
		t.Errorf("after unmuting Ann hears %v", got)
	}
	if answer, _ := g.do(ann, "POST", g.path+"/mute", url.Values{"room": {"onlookers"}, "on": {"true"}}); answer.StatusCode != http.StatusSeeOther {
		t.Fatal(answer.Status)
	}
	if got := g.rooms(ann, "onlookers"); len(got["onlookers"]) != 0 {
		t.Errorf("with all onlookers muted Ann hears %v", got)
	}
	if answer, _ := g.do(ann, "POST", "/people", url.Values{"onlookers": {"off"}}); answer.StatusCode != http.StatusSeeOther {
		t.Fatal(answer.Status)
	}
	if got := g.rooms(ann, "onlookers"); len(got["onlookers"]) != 1 {
		t.Errorf("after that Ann hears %v", got)
	}
}

func TestBlockedPeopleDoNotTalkToEachOther(t *testing.T) {
	s := newClub(t)
	marit, okonjo := s.browser(), s.browser()
	s.join(marit, "Marit")
	s.join(okonjo, "Okonjo")
	g := s.sit(marit, okonjo)
	black, white := g.dial(marit, g.path), g.dial(okonjo, g.path)
	if got := g.ask(black, wire.KindTalk, "1", wire.TalkCommand{Room: "players", Text: "hello"}); got != "ok" {
		t.Fatal(got)
	}
	hears(t, white, "players", "hello")
	if answer, _ := g.do(okonjo, "POST", "/players/Marit/block", url.Values{"block": {"on"}}); answer.StatusCode != http.StatusSeeOther {
		t.Fatal(answer.Status)
	}
	if m := heard(t, white, wire.KindTalk, func(m wire.Talk) bool { return m.Whole }); len(m.Remarks) != 0 || !m.Blocked || m.Muted {
		t.Errorf("after the block: %+v", m)
	}
	for name, c := range map[string]*websocket.Conn{"the blocked": black, "who blocks": white} {
		if got := g.ask(c, wire.KindTalk, "2"+name, wire.TalkCommand{Room: "players", Text: "hello?"}); got != "blocked" {
			t.Errorf("%s: %q", name, got)
		}
	}
	answer, body := g.do(marit, "POST", g.path+"/talk", url.Values{"room": {"players"}, "text": {"by form"}})
	if answer.StatusCode != http.StatusForbidden || !strings.Contains(body, "One of you two has blocked the other.") || !strings.Contains(body, `value="by form"`) {
		t.Errorf("by form: %s", answer.Status)
	}
	// among onlookers they do not hear each other
	other := s.sit(s.browser(), s.browser())
	if got := other.ask(other.dial(marit, other.path), wire.KindTalk, "3", wire.TalkCommand{Room: "onlookers", Text: "here I am"}); got != "ok" {
		t.Fatal(got)
	}
	if got := other.rooms(okonjo, "onlookers"); len(got["onlookers"]) != 0 {
		t.Errorf("the one who blocks hears %v", got)
	}
	if got := other.rooms(s.browser(), "onlookers"); len(got["onlookers"]) != 1 {
		t.Errorf("a stranger hears %v", got)
	}
	_, people := g.do(okonjo, "GET", "/people", nil)
	_, id, _ := strings.Cut(people, `name="unblock" value="`)
	id, _, _ = strings.Cut(id, `"`)
	if answer, _ := g.do(okonjo, "POST", "/people", url.Values{"unblock": {id}}); answer.StatusCode != http.StatusSeeOther {
		t.Fatal(answer.Status)
	}
	if got := g.ask(black, wire.KindTalk, "4", wire.TalkCommand{Room: "players", Text: "again"}); got != "ok" {
		t.Errorf("after the block has ended: %q", got)
	}
}

func TestASeatByLinkTalksAsThePlayer(t *testing.T) {
	g := newTable(t)
	_, page := g.do(g.black, "GET", g.path, nil)
	_, link, ok := strings.Cut(page, `id="link" readonly value="`+g.URL)
	if !ok {
		t.Fatal("no link")
	}
	link, _, _ = strings.Cut(link, `"`)
	phone := g.browser()
	g.do(phone, "POST", link, url.Values{})
	c, white := g.dial(phone, g.path), g.dial(g.white, g.path)
	if got := g.ask(c, wire.KindTalk, "1", wire.TalkCommand{Room: "players", Text: "from the phone"}); got != "ok" {
		t.Fatal(got)
	}
	if m := hears(t, white, "players", "from the phone"); m.Remarks[0].Seat != "black" {
		t.Errorf("White hears %+v", m)
	}
	if m := hears(t, g.dial(g.black, g.path), "players", "from the phone"); !m.Remarks[0].Mine {
		t.Errorf("the other browser of Black hears %+v", m)
	}
}

func TestAStrangerSpeaksByFormAndBecomesAGuest(t *testing.T) {
	g := newTable(t)
	stranger := g.browser()
	answer, _ := g.do(stranger, "POST", g.path+"/talk", url.Values{"room": {"onlookers"}, "preset": {"nice"}})
	if answer.StatusCode != http.StatusSeeOther || answer.Header.Get("Location") != g.path {
		t.Fatalf("%s to %q", answer.Status, answer.Header.Get("Location"))
	}
	_, page := g.do(stranger, "GET", g.path, nil, "Accept-Language", "nl")
	if !strings.Contains(page, "Mooie zet!") || !strings.Contains(page, "data-known") {
		t.Error("the phrase is not on the page in the reader's language, or the page does not know its reader")
	}
	for _, form := range []url.Values{{"room": {"players"}, "text": {"x"}}, {"room": {"cellar"}, "text": {"x"}}} {
		b := g.browser()
		if answer, _ := g.do(b, "POST", g.path+"/talk", form); answer.StatusCode < 400 || len(answer.Cookies()) != 0 {
			t.Errorf("%v: %s, cookies %v", form, answer.Status, answer.Cookies())
		}
	}
	if answer, _ := g.do(g.browser(), "POST", g.path+"/mute", url.Values{"room": {"onlookers"}, "remark": {"x"}}); answer.StatusCode != http.StatusBadRequest {
		t.Errorf("a remark that is no number: %s", answer.Status)
	}
	for _, path := range []string{g.path + "/talk", g.path + "/mute", "/people", "/report", "/players/x/follow"} {
		answer, _ := g.do(g.black, "POST", path, url.Values{"room": {"players"}, "text": {"x"}}, "Origin", "https://elsewhere.example", "Sec-Fetch-Site", "cross-site")
		if answer.StatusCode != http.StatusForbidden {
			t.Errorf("POST %s from another site: %s", path, answer.Status)
		}
	}
}

func TestNewGuestsByTalkingAreCountedByAddress(t *testing.T) {
	g := newTable(t)
	for i := range 31 {
		want := http.StatusSeeOther
		if i == 30 {
			want = http.StatusTooManyRequests
		}
		answer, _ := g.do(g.browser(), "POST", g.path+"/talk", url.Values{"room": {"onlookers"}, "preset": {"hello"}})
		if answer.StatusCode != want {
			t.Errorf("guest %d: %s, want %d", i+1, answer.Status, want)
		}
	}
}

func TestChatCanBeHidden(t *testing.T) {
	g := newTable(t)
	g.do(g.black, "POST", "/settings", url.Values{"lang": {"en"}, "theme": {"auto"}, "board": {"slate"}, "talk": {"off"}, "back": {"/"}})
	if _, page := g.do(g.black, "GET", g.path, nil); strings.Contains(page, `id="talk"`) {
		t.Error("the page shows the chat")
	}
	black, white := g.dial(g.black, g.path), g.dial(g.white, g.path)
	if got := g.ask(white, wire.KindTalk, "1", wire.TalkCommand{Room: "players", Text: "hello"}); got != "ok" {
		t.Fatal(got)
	}
	tell(t, black, `{"v":2,"type":"ping","match":"`+g.id+`"}`)
	for {
		_, body, err := black.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(body), "hello") {
			t.Fatal("what is hidden is sent")
		}
		if strings.Contains(string(body), `"pong"`) {
			break
		}
	}
	if answer, _ := g.do(g.black, "POST", "/settings", url.Values{"lang": {"en"}, "theme": {"auto"}, "board": {"slate"}, "talk": {"loud"}}); answer.StatusCode != http.StatusBadRequest {
		t.Error(answer.Status)
	}
}
