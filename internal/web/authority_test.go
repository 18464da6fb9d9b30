package web_test

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"github.com/linesofaction/loa/internal/wire"
)

// asked is what one pattern answers to whom: a stranger without a cookie, a guest, a member, and a moderator.
type asked struct {
	path string     // the pattern's own when empty
	form url.Values // for POST
	want [4]int
}

// everybody is answered alike.
func everybody(status int) [4]int { return [4]int{status, status, status, status} }

// members are answered with a status, and others led to sign in.
func members(status int) [4]int {
	return [4]int{http.StatusSeeOther, http.StatusSeeOther, status, status}
}

// moderators are answered with a status, and others refused.
func moderators(status int) [4]int {
	return [4]int{http.StatusForbidden, http.StatusForbidden, http.StatusForbidden, status}
}

const (
	fine     = http.StatusOK
	led      = http.StatusSeeOther
	bad      = http.StatusBadRequest // let in, and told that the form is wrong
	refused  = http.StatusForbidden
	gone     = http.StatusGone
	upgrade  = http.StatusUpgradeRequired
	notThere = http.StatusNotFound
)

// authority is who may ask what. Every pattern that the server answers is in it. Forms are wrong on purpose where a
// right one would change what the next asker finds, so that being let in shows as 400.
var authority = map[string][]asked{
	"GET /{$}":                      {{path: "/", want: everybody(fine)}},
	"GET /start":                    {{want: everybody(fine)}},
	"GET /guide":                    {{want: everybody(fine)}},
	"GET /openings":                 {{want: everybody(fine)}, {path: "/openings?moves=a1-a2", want: everybody(bad)}},
	"GET /about":                    {{want: everybody(fine)}},
	"GET /learn":                    {{want: everybody(fine)}},
	"GET /puzzles":                  {{want: everybody(led)}},
	"GET /puzzles/daily":            {{want: everybody(fine)}},
	"GET /puzzles/all":              {{want: everybody(fine)}},
	"GET /puzzles/away":             {{want: everybody(fine)}},
	"GET /puzzles/{id}":             {{path: "/puzzles/rq2chmt", want: everybody(fine)}},
	"POST /puzzles/{id}/try":        {{path: "/puzzles/rq2chmt/try", form: url.Values{"moves": {"x"}}, want: everybody(bad)}},
	"POST /puzzles/{id}/solution":   {{path: "/puzzles/rq2chmt/solution", want: everybody(fine)}},
	"POST /play":                    {{form: url.Values{"level": {"x"}}, want: everybody(bad)}},
	"POST /settings":                {{form: url.Values{"theme": {"x"}}, want: everybody(bad)}},
	"GET /lobby":                    {{want: everybody(fine)}},
	"GET /lobby/socket":             {{want: everybody(upgrade)}},
	"GET /game/{id}":                {{path: "/game/GAME", want: everybody(fine)}},
	"GET /game/{id}/next":           {{path: "/game/GAME/next", want: everybody(led)}},
	"GET /game/{id}/socket":         {{path: "/game/GAME/socket", want: everybody(upgrade)}},
	"GET /game/{id}/seat/{secret}":  {{path: "/game/GAME/seat/guessed", want: everybody(refused)}},
	"POST /game/{id}/seat/{secret}": {{path: "/game/GAME/seat/guessed", want: everybody(refused)}},
	"GET /game/{id}/board.svg":      {{path: "/game/GAME/board.svg", want: everybody(fine)}},
	"GET /game/{id}/board.png":      {{path: "/game/GAME/board.png", want: everybody(fine)}},
	"GET /game/{id}/game.gif":       {{path: "/game/GAME/game.gif", want: everybody(fine)}},
	"GET /game/{id}/game.sgf":       {{path: "/game/GAME/game.sgf", want: everybody(fine)}},
	"GET /game/{id}/frame":          {{path: "/game/GAME/frame", want: everybody(fine)}},
	"GET /manifest.webmanifest":     {{want: everybody(fine)}},
	"GET /gallery":                  {{want: everybody(notThere)}}, // but in development
	"GET /board":                    {{want: everybody(fine)}},
	"GET /board/board.svg":          {{want: everybody(fine)}},
	"GET /board/board.png":          {{want: everybody(fine)}},
	"GET /board/game.gif":           {{want: everybody(fine)}},
	"GET /board/game.sgf":           {{want: everybody(fine)}},
	"POST /board/keep":              {{form: url.Values{"level": {"x"}}, want: everybody(bad)}},
	"GET /join":                     {{want: everybody(fine)}},
	"POST /join":                    {{form: url.Values{"name": {"!"}}, want: everybody(bad)}},
	"GET /sign-in":                  {{want: everybody(fine)}},
	"POST /sign-in":                 {{form: url.Values{"name": {"Nobody-here"}, "password": {"x"}}, want: everybody(refused)}},
	"GET /account":                  {{want: members(fine)}},
	"GET /account/export":           {{want: members(fine)}},
	"POST /account/password":        {{form: url.Values{"password": {"guessed"}}, want: members(refused)}},
	"POST /account/sessions":        {{form: url.Values{"session": {"x"}}, want: members(bad)}},
	"POST /account/close":           {{form: url.Values{"password": {"guessed"}}, want: members(refused)}},
	"POST /account/email":           {{form: url.Values{"password": {"guessed"}}, want: members(refused)}},
	"GET /account/tokens":           {{want: members(fine)}},
	"POST /account/tokens":          {{form: url.Values{"name": {""}}, want: members(bad)}},
	"POST /account/tokens/end":      {{form: url.Values{"token": {"x"}}, want: members(led)}},
	"POST /account/bot":             {{form: url.Values{"sure": {"x"}}, want: members(bad)}},
	"GET /api":                      {{want: everybody(fine)}},
	"GET /api/openapi.json":         {{want: everybody(fine)}},
	"GET /confirm/{secret}":         {{path: "/confirm/guessed", want: everybody(gone)}},
	"POST /confirm/{secret}":        {{path: "/confirm/guessed", want: everybody(gone)}},
	"GET /recover":                  {{want: everybody(fine)}},
	"POST /recover":                 {{want: everybody(bad)}},
	"GET /recover/{secret}":         {{path: "/recover/guessed", want: everybody(gone)}},
	"POST /recover/{secret}":        {{path: "/recover/guessed", want: everybody(gone)}},
	"GET /players":                  {{want: everybody(fine)}},
	"GET /players/{name}":           {{path: "/players/Marit", want: everybody(fine)}},
	"POST /players/{name}/block":    {{path: "/players/Marit/block", form: url.Values{"block": {"x"}}, want: everybody(bad)}},
	"POST /players/{name}/follow":   {{path: "/players/Marit/follow", form: url.Values{"follow": {"x"}}, want: everybody(bad)}},
	"GET /people":                   {{want: everybody(fine)}},
	"POST /people":                  {{form: url.Values{"mute": {"x"}}, want: [4]int{led, bad, bad, bad}}}, // a stranger has muted nobody
	"GET /report":                   {{path: "/report?player=Marit", want: everybody(fine)}},
	"POST /report":                  {{form: url.Values{"player": {"Marit"}, "reason": {"x"}}, want: everybody(bad)}},
	"POST /game/{id}/hint": {
		{path: "/game/GAME/hint", want: [4]int{refused, refused, fine, refused}}, // the member plays it
		{path: "/game/BETWEEN/hint", want: everybody(refused)},
	},
	"POST /game/{id}/review": {
		{path: "/game/GAME/review", want: [4]int{refused, refused, http.StatusConflict, refused}}, // no move has been made
		{path: "/game/BETWEEN/review", want: everybody(refused)},
	},
	"POST /game/{id}/threats": {
		{path: "/game/GAME/threats", want: [4]int{refused, refused, fine, refused}},
		{path: "/game/BETWEEN/threats", want: everybody(refused)},
	},
	"POST /game/{id}/on": {
		{path: "/game/GAME/on", form: url.Values{"ply": {"x"}}, want: everybody(bad)},
		{path: "/game/BETWEEN/on", form: url.Values{"ply": {"0"}}, want: everybody(refused)},
	},
	"POST /game/{id}/talk": {
		{path: "/game/BETWEEN/talk", form: url.Values{"room": {"players"}, "text": {"hello"}}, want: [4]int{refused, refused, led, led}}, // the players
		{path: "/game/BETWEEN/talk", form: url.Values{"room": {"onlookers"}, "text": {"hello"}}, want: [4]int{led, led, refused, refused}},
		{path: "/game/GAME/talk", form: url.Values{"room": {"players"}, "text": {"hello"}}, want: everybody(refused)}, // against the computer
	},
	"POST /game/{id}/mute": {
		{path: "/game/BETWEEN/mute", form: url.Values{"room": {"players"}, "on": {"true"}}, want: [4]int{refused, refused, led, led}},
	},
	"POST /moderation/reports/{number}": {{path: "/moderation/reports/77", form: url.Values{"reason": {"x"}}, want: moderators(notThere)}},
	"GET /notices":                      {{want: everybody(fine)}},
	"POST /notices":                     {{want: everybody(led)}},
	"GET /moderation":                   {{want: moderators(fine)}},
	"GET /moderation/health":            {{want: moderators(fine)}},
	"GET /moderation/people/{id}":       {{path: "/moderation/people/MEMBER", want: moderators(fine)}},
	"POST /moderation/people/{id}":      {{path: "/moderation/people/MEMBER", form: url.Values{"act": {"x"}}, want: moderators(bad)}},
	"GET /moderation/games/{id}":        {{path: "/moderation/games/GAME", want: moderators(fine)}},
	"POST /moderation/games/{id}":       {{path: "/moderation/games/GAME", form: url.Values{"result": {"x"}}, want: moderators(bad)}},
	"GET /watch":                        {{want: everybody(fine)}},
	"GET /watch/games":                  {{want: everybody(fine)}},
	"GET /challenge":                    {{want: everybody(fine)}},
	"POST /challenge":                   {{form: url.Values{"rules": {"x"}}, want: everybody(bad)}},
	"GET /challenge/{id}": {
		{path: "OPEN", want: everybody(fine)},
		{path: "NAMED", want: [4]int{refused, refused, fine, fine}}, // from the moderator to the member
	},
	"POST /challenge/{id}/refuse": {
		{path: "OPEN/refuse", want: [4]int{refused, refused, refused, led}},              // its maker withdraws it
		{path: "OTHER/refuse", want: [4]int{refused, refused, led, http.StatusConflict}}, // the invited declines, and then it is closed
	},
	"POST /challenge/{id}/accept": {
		{path: "NAMED/accept", want: [4]int{refused, refused, led, refused}}, // nobody accepts their own
	},
	"GET /static/{hash}/{name}": {{path: "/static/x/x.js", want: everybody(notThere)}},
	"GET /healthz":              {{want: everybody(fine)}},
	"GET /readyz":               {{want: everybody(fine)}},
	"/":                         {{path: "/nowhere", want: everybody(notThere)}},
	"POST /sign-out":            {{want: everybody(led)}},
}

// patterns reads from the sources what the server answers, so that none can be forgotten here.
func patterns(t *testing.T) []string {
	t.Helper()
	source, err := os.ReadFile("server.go")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, m := range regexp.MustCompile(`mux\.Handle(?:Func)?\("([^"]+)"`).FindAllStringSubmatch(string(source), -1) {
		found = append(found, m[1])
	}
	if len(found) < 20 {
		t.Fatalf("%d patterns found in server.go", len(found))
	}
	return found
}

// commands is what a message on the socket of a game is answered: by the player to move, by the other player and by an
// onlooker, after one move of each side: refused with a code, acknowledged where that is empty, or answered with a
// message of the kind in brackets.
var commands = map[string][3]string{
	"move":     {"", "not-your-turn", "not-your-seat"},
	"takeback": {"", "", "not-your-seat"},
	"draw":     {"", "", "not-your-seat"},
	"decline":  {"not-allowed", "not-allowed", "not-your-seat"}, // nothing is offered
	"rematch":  {"not-allowed", "not-allowed", "not-your-seat"}, // the game is still on
	"resign":   {"", "", "not-your-seat"},
	"abort":    {"not-allowed", "not-allowed", "not-your-seat"}, // both have moved
	"claim":    {"not-allowed", "not-allowed", "not-your-seat"}, // the other is here
	"talk":     {"", "", "not-your-room"},                       // among the players
	"mute":     {"", "", "not-your-room"},
	"resume":   {"[snapshot]", "[snapshot]", "[snapshot]"},
	"ping":     {"[pong]", "[pong]", "[pong]"},
}

func TestWhoMaySayWhatInAGame(t *testing.T) {
	source, err := os.ReadFile("socket.go")
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile(`expected ([a-z, ]+) or ([a-z]+)"`).FindStringSubmatch(string(source))
	if named == nil {
		t.Fatal("socket.go does not list the types of commands")
	}
	kinds := append(strings.Split(named[1], ", "), named[2])
	for _, kind := range kinds {
		if _, ok := commands[kind]; !ok {
			t.Errorf("%s: nothing says who may say it", kind)
		}
	}
	if len(commands) != len(kinds) {
		t.Errorf("the table has %d commands, the socket takes %v", len(commands), kinds)
	}
	for kind, answers := range commands {
		for i, want := range answers {
			s := newClub(t)
			maker, taker := s.browser(), s.browser()
			answer, _ := s.do(taker, "POST", s.invite(maker, url.Values{"rules": {"standard"}, "color": {"black"}})+"/accept", url.Values{})
			path := answer.Header.Get("Location")
			id := strings.TrimPrefix(path, "/game/")
			sockets := [3]*websocket.Conn{s.dial(maker, path), s.dial(taker, path), s.dial(s.browser(), path)}
			for ply, move := range []string{"c8-c6", "a2-c2"} {
				tell(t, sockets[ply], fmt.Sprintf(`{"v":2,"type":"move","match":%q,"client":"m%d","ply":%d,"move":%q}`, id, ply, ply, move))
				next(t, sockets[ply], wire.KindAck)
			}
			tell(t, sockets[i], fmt.Sprintf(`{"v":2,"type":%q,"match":%q,"client":"asked","ply":2,"move":"c6-c3","offer":"draw","room":"players","text":"hello"}`, kind, id))
			expect := "ack"
			if want != "" {
				expect = "refused"
			}
			if strings.HasPrefix(want, "[") {
				expect = strings.Trim(want, "[]")
			}
			got := next(t, sockets[i], expect)
			if expect != "snapshot" && expect != "pong" && (got.Client != "asked" || got.Code != want) {
				t.Errorf("%s by asker %d: %q about %q, want %q", kind, i, got.Code, got.Client, want)
			}
		}
	}
}

// lobbyCommands is what a message on the socket of the lobby is answered: by a stranger, who becomes a guest, by a member,
// and by one whom a moderator has barred: refused with a code, or answered with a message of the kind in brackets.
var lobbyCommands = map[string][3]string{
	"seek":       {"[lobby]", "[lobby]", "barred"},
	"seek rated": {"not-allowed", "[lobby]", "barred"},
	"unseek":     {"[lobby]", "[lobby]", "[lobby]"},
	"take":       {"gone", "gone", "barred"}, // nothing has that id
	"ping":       {"[pong]", "[pong]", "[pong]"},
}

func TestWhoMaySayWhatInTheLobby(t *testing.T) {
	source, err := os.ReadFile("lobbysocket.go")
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile(`expected ([a-z, ]+) or ([a-z]+)"`).FindStringSubmatch(string(source))
	if named == nil {
		t.Fatal("lobbysocket.go does not list the types of commands")
	}
	for _, kind := range append(strings.Split(named[1], ", "), named[2]) {
		if _, ok := lobbyCommands[kind]; !ok {
			t.Errorf("%s: nothing says who may say it", kind)
		}
	}
	g := newGuarded(t)
	barred := g.browser()
	g.join(barred, "Rudolf")
	rudolf, _, err := g.db.PersonByName(t.Context(), "Rudolf")
	if err != nil {
		t.Fatal(err)
	}
	if answer, _ := g.do(g.moderator, "POST", "/moderation/people/"+rudolf.ID, url.Values{"act": {"bar"}, "days": {"1"}, "reason": {"because"}}); answer.StatusCode != http.StatusSeeOther {
		t.Fatal(answer.Status)
	}
	for kind, answers := range lobbyCommands {
		for i, b := range []*http.Client{g.browser(), g.member, barred} {
			page := g.visit(b)
			heard[wire.Lobby](t, page, wire.KindLobby, nil)
			name, rated, _ := strings.Cut(kind, " ")
			tell(t, page, fmt.Sprintf(`{"v":2,"type":%q,"rules":"mini","control":"3+2","rated":%t,"id":"nothing"}`, name, rated != ""))
			want := answers[i]
			if expect, answered := strings.CutPrefix(want, "["); answered {
				heard[message](t, page, strings.TrimSuffix(expect, "]"), nil)
			} else if got := heard[wire.Refused](t, page, wire.KindRefused, nil); got.Code != want {
				t.Errorf("%s by asker %d: %q, want %q", kind, i, got.Code, want)
			}
			page.Close(websocket.StatusNormalClosure, "")
		}
	}
}

func TestWhoMayAskWhat(t *testing.T) {
	g := newGuardedWithMail(t)
	invitation := url.Values{"rules": {"standard"}, "to": {"Marit"}}
	between, _ := g.do(g.moderator, "POST", g.invite(g.member, url.Values{"rules": {"standard"}})+"/accept", url.Values{})
	places := strings.NewReplacer(
		"BETWEEN", strings.TrimPrefix(between.Header.Get("Location"), "/game/"),
		"GAME", strings.TrimPrefix(g.begin(g.member, url.Values{}), "/game/"),
		"MEMBER", g.id,
		"OPEN", g.invite(g.moderator, url.Values{"rules": {"standard"}}),
		"NAMED", g.invite(g.moderator, invitation),
		"OTHER", g.invite(g.moderator, invitation),
	)
	askers := []struct {
		name string
		b    *http.Client
	}{{"stranger", nil}, {"guest", g.guest}, {"member", g.member}, {"moderator", g.moderator}}
	known := map[string]bool{}
	ask := func(pattern string) {
		known[pattern] = true
		method, path, ok := strings.Cut(pattern, " ")
		if !ok {
			method, path = "GET", pattern
		}
		if len(authority[pattern]) == 0 {
			t.Errorf("%s: nothing says who may ask it", pattern)
		}
		for _, row := range authority[pattern] {
			if row.path != "" {
				path = places.Replace(row.path)
			}
			form := row.form
			if form == nil && method == "POST" {
				form = url.Values{}
			}
			if method == "POST" {
				if answer, _ := g.do(g.moderator, method, path, form, "Origin", "https://elsewhere.example", "Sec-Fetch-Site", "cross-site"); answer.StatusCode != http.StatusForbidden {
					t.Errorf("%s sent by another site: %s", pattern, answer.Status)
				}
			}
			for i, asker := range askers {
				b := asker.b
				if b == nil {
					b = g.browser()
				}
				if answer, _ := g.do(b, method, path, form); answer.StatusCode != row.want[i] {
					t.Errorf("%s %s by a %s: %d, want %d", method, path, asker.name, answer.StatusCode, row.want[i])
				}
			}
		}
	}
	for _, pattern := range patterns(t) {
		if pattern != "POST /sign-out" {
			ask(pattern)
		}
	}
	ask("POST /sign-out") // last: it ends what the others ask with
	for pattern := range authority {
		if !known[pattern] {
			t.Errorf("%s: the server does not answer it", pattern)
		}
	}
}
