package web_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/linesofaction/loa/internal/bus"
	"github.com/linesofaction/loa/internal/coach"
	"github.com/linesofaction/loa/internal/web"
	"github.com/linesofaction/loa/internal/wire"
)

// program is somebody who asks over the interface for programs.
type program struct {
	s     *club
	token string
}

var secretShown = regexp.MustCompile(`<code class="wrap">(loa_[\w-]+)</code>`)

// program makes a token of whoever a browser is, on the page where people make them.
func (s *club) program(b *http.Client, scopes ...string) *program {
	s.t.Helper()
	answer, body := s.do(b, "POST", "/account/tokens", url.Values{"name": {"a test"}, "scope": scopes})
	found := secretShown.FindStringSubmatch(body)
	if answer.StatusCode != http.StatusOK || found == nil {
		s.t.Fatalf("no token: %s\n%s", answer.Status, body)
	}
	return &program{s, found[1]}
}

// member joins under a name and returns a program with all scopes but that of bots.
func (s *club) member(name string) *program {
	s.t.Helper()
	b := s.browser()
	s.join(b, name)
	return s.program(b, "read", "play", "challenge")
}

// send asks and returns the answer, with its body unread.
func (p *program) send(ctx context.Context, method, path, body string, header ...string) *http.Response {
	p.s.t.Helper()
	r, err := http.NewRequestWithContext(ctx, method, p.s.URL+path, strings.NewReader(body))
	if err != nil {
		p.s.t.Fatal(err)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if p.token != "" {
		r.Header.Set("Authorization", "Bearer "+p.token)
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		p.s.t.Fatal(err)
	}
	return answer
}

// ask asks, wants a status, and reads the answer.
func (p *program) ask(status int, method, path, body string, into any) http.Header {
	p.s.t.Helper()
	answer := p.send(context.Background(), method, path, body)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		p.s.t.Fatal(err)
	}
	if answer.StatusCode != status {
		p.s.t.Fatalf("%s %s %s: %s, want %d\n%s", method, path, body, answer.Status, status, text)
	}
	if into != nil {
		if err := json.Unmarshal(text, into); err != nil {
			p.s.t.Fatalf("%s %s: %v\n%s", method, path, err, text)
		}
	}
	return answer.Header
}

// follow opens a stream and returns what reads its next line that has something in it.
func (p *program) follow(method, path, body string) (next func() string) {
	p.s.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	p.s.t.Cleanup(cancel)
	answer := p.send(ctx, method, path, body)
	if answer.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(answer.Body)
		p.s.t.Fatalf("%s %s: %s %s", method, path, answer.Status, text)
	}
	p.s.t.Cleanup(func() { answer.Body.Close() })
	scanner := bufio.NewScanner(answer.Body)
	scanner.Buffer(nil, 1<<20)
	return func() string {
		for scanner.Scan() {
			if scanner.Text() != "" {
				return scanner.Text()
			}
		}
		return ""
	}
}

// of returns the next line of a type.
func of(t *testing.T, next func() string, kind string, into any) {
	t.Helper()
	for {
		line := next()
		if line == "" {
			t.Fatalf("the stream ended before a line of type %q", kind)
		}
		var head struct{ Type string }
		if err := json.Unmarshal([]byte(line), &head); err != nil {
			t.Fatal(err)
		}
		if head.Type == kind {
			if err := json.Unmarshal([]byte(line), into); err != nil {
				t.Fatal(err)
			}
			return
		}
	}
}

// move makes a move and returns the number of its answer.
func (p *program) move(id string, ply int, move, client string) int {
	p.s.t.Helper()
	var ack wire.Ack
	p.ask(200, "POST", "/api/v1/games/"+id+"/commands", fmt.Sprintf(`{"type":"move","client":%q,"ply":%d,"move":%q}`, client, ply, move), &ack)
	return ack.Seq
}

// begin lets one program challenge another, who accepts, and returns the game with the challenger as Black.
func (p *program) begin(other *program, name string) string {
	p.s.t.Helper()
	var made wire.Invitation
	p.ask(200, "POST", "/api/v1/challenges", fmt.Sprintf(`{"to":%q,"control":"5+3","color":"black","rules":"standard"}`, name), &made)
	var begun wire.Begun
	other.ask(200, "POST", "/api/v1/challenges/"+made.ID+"/accept", "", &begun)
	return begun.Match
}

func TestProgramsPlayAWholeGame(t *testing.T) {
	s := newClub(t)
	black, white := s.member("Okonjo"), s.member("Marit")
	own := white.follow("GET", "/api/v1/account/stream", "")
	var state wire.Own
	of(t, own, wire.KindOwn, &state)
	if len(state.Challenges)+len(state.Games) != 0 {
		t.Fatalf("at first: %+v", state)
	}
	id := black.begin(white, "Marit")
	for len(state.Games) == 0 {
		of(t, own, wire.KindOwn, &state)
	}
	if got := state.Games[0]; got.Match != id || got.You != "white" || got.Opponent.Name != "Okonjo" || got.Control != "5+3" {
		t.Fatalf("the game in one's own stream: %+v", got)
	}
	players := [2]*program{black, white}
	chance := rand.New(rand.NewPCG(1, 2))
	var streams [2]func() string
	for i, p := range players {
		streams[i] = p.follow("GET", "/api/v1/games/"+id+"/stream?until=end", "")
	}
	var snapshot wire.Snapshot
	of(t, streams[0], wire.KindSnapshot, &snapshot)
	if snapshot.You != "black" || !snapshot.Can.Move || snapshot.Seats["white"].Name != "Marit" {
		t.Fatalf("snapshot %+v", snapshot)
	}
	position, seq := snapshot.Position, snapshot.Seq
	for ply := 0; ; ply++ {
		mover := players[0]
		if position.Turn == "white" {
			mover = players[1]
		}
		if ply == 60 { // moves by chance may go on for long
			mover.ask(200, "POST", "/api/v1/games/"+id+"/commands", `{"type":"resign","client":"enough"}`, nil)
		} else {
			mover.move(id, ply, position.Moves[chance.IntN(len(position.Moves))], fmt.Sprint("m", ply))
		}
		var update wire.Update
		of(t, streams[0], wire.KindUpdate, &update)
		if update.From != seq {
			t.Fatalf("an update from %d after %d", update.From, seq)
		}
		seq, position = update.Seq, update.Position
		ply += len(update.Plies) - 1
		if update.Outcome != nil {
			break
		}
		if ply >= 60 {
			t.Fatal("the game does not end")
		}
	}
	for streams[0]() != "" { // the stream ends with the game
	}
	var record wire.Record
	s.wait(2 * time.Second)
	if err := json.Unmarshal([]byte(black.follow("GET", "/api/v1/players/Marit/games", "")()), &record); err != nil {
		t.Fatal(err)
	}
	if record.ID != id || record.Players.White != "Marit" || len(record.Moves) == 0 || record.Result.Reason == "" {
		t.Errorf("record %+v", record)
	}
	if next := black.follow("GET", "/api/v1/players/Marit/games?after="+id, ""); next() != "" {
		t.Error("games after the last one")
	}
}

// Once more with the same client id: the same answer, and no second move. From the number it has, a stream goes on.
func TestCommandsAreCarriedOutOnceAndStreamsGoOn(t *testing.T) {
	s := newClub(t)
	black, white := s.member("Okonjo"), s.member("Marit")
	id := black.begin(white, "Marit")
	first := black.move(id, 0, "c8-c6", "once")
	if again := black.move(id, 0, "c8-c6", "once"); again != first {
		t.Errorf("the answer is %d, and again %d", first, again)
	}
	last := white.move(id, 1, "a2-c2", "m1")
	var update wire.Update
	of(t, black.follow("GET", fmt.Sprintf("/api/v1/games/%s/stream?from=%d", id, first), ""), wire.KindUpdate, &update)
	if update.From != first || update.Seq != last || update.Keep != 1 || len(update.Plies) != 1 {
		t.Errorf("from %d: %+v", first, update)
	}
	next := black.follow("GET", fmt.Sprintf("/api/v1/games/%s/stream?from=%d", id, last), "")
	black.move(id, 2, "c6-c3", "m2")
	of(t, next, wire.KindUpdate, &update)
	if update.From != last {
		t.Errorf("after %d: %+v", last, update)
	}
	var snapshot wire.Snapshot
	of(t, black.follow("GET", "/api/v1/games/"+id+"/stream?from=99", ""), wire.KindSnapshot, &snapshot) // a number that never was
	for _, command := range []string{
		`{"type":"draw","ply":3}`, `{"type":"decline","offer":"draw"}`, `{"type":"takeback","ply":3}`,
		`{"type":"talk","room":"players","text":"hello"}`, `{"type":"mute","room":"players","on":true}`,
	} {
		white.ask(200, "POST", "/api/v1/games/"+id+"/commands", command, nil)
	}
	black.ask(200, "POST", "/api/v1/games/"+id+"/commands", `{"type":"takeback","ply":3}`, nil) // which White asked for
	var talk wire.Talk
	of(t, black.follow("GET", "/api/v1/games/"+id+"/stream", ""), wire.KindTalk, &talk)
	if len(talk.Remarks) != 1 || talk.Remarks[0].Text != "hello" {
		t.Errorf("talk %+v", talk)
	}
	white.ask(200, "POST", "/api/v1/games/"+id+"/commands", `{"type":"resign"}`, nil)
	white.ask(200, "POST", "/api/v1/games/"+id+"/commands", `{"type":"rematch"}`, nil)
	black.ask(200, "POST", "/api/v1/games/"+id+"/commands", `{"type":"rematch"}`, nil)
	black.ask(200, "GET", "/api/v1/games/"+id, "", &snapshot)
	if snapshot.Next == "" {
		t.Error("no rematch")
	}
	white.ask(200, "POST", "/api/v1/games/"+snapshot.Next+"/commands", `{"type":"abort"}`, nil)
}

func TestSeeksOfProgramsArePaired(t *testing.T) {
	s := newClub(t)
	one, two := s.member("Okonjo"), s.member("Marit")
	first := one.follow("POST", "/api/v1/lobby/seek", `{"rules":"mini","control":"10+5"}`)
	var lobby wire.Lobby
	two.ask(200, "GET", "/api/v1/lobby", "", &lobby)
	if len(lobby.Seeks) != 1 || lobby.Seeks[0].Name != "Okonjo" {
		t.Fatalf("seeks %+v", lobby.Seeks)
	}
	second := two.follow("POST", "/api/v1/lobby/seek", `{"rules":"mini","control":"10+5"}`)
	var a, b wire.Go
	of(t, first, wire.KindGo, &a)
	of(t, second, wire.KindGo, &b)
	if a.Match != b.Match || a.Match == "" {
		t.Errorf("paired in %q and %q", a.Match, b.Match)
	}
	if first() != "" {
		t.Error("the stream goes on")
	}
}

func TestABotIsMarkedWhereverItsNameStands(t *testing.T) {
	s := newClub(t)
	b, reader, foe := s.browser(), s.browser(), s.browser()
	s.join(b, "Ratchet")
	s.join(reader, "Marit")
	s.join(foe, "Torvald")
	bot, person := s.program(b, "read", "play", "challenge", "bot"), s.program(reader, "read", "play", "challenge")
	bot.ask(200, "POST", "/api/v1/account/bot", "", nil)
	var made wire.Invitation
	bot.ask(200, "POST", "/api/v1/challenges", `{"to":"Marit","control":"5+3","color":"black"}`, &made)
	marked := func(who *http.Client, path string, marks ...string) {
		t.Helper()
		answer, body := s.do(who, "GET", path, nil)
		for _, mark := range marks {
			if answer.StatusCode != http.StatusOK || !strings.Contains(body, mark) {
				t.Errorf("%s: %s, without %s", path, answer.Status, mark)
			}
		}
	}
	const inText, beside = "Ratchet (bot)", `<span class="bot">bot</span>`
	marked(reader, "/lobby", inText) // who challenges
	marked(reader, "/challenge/"+made.ID, inText)
	var begun wire.Begun
	person.ask(200, "POST", "/api/v1/challenges/"+made.ID+"/accept", "", &begun)
	game := "/game/" + begun.Match
	bot.ask(200, "POST", "/api/v1/games/"+begun.Match+"/commands", `{"type":"talk","client":"t0","room":"players","preset":"hello"}`, nil)
	bot.move(begun.Match, 0, "c8-c6", "m0")
	s.do(reader, "POST", "/players/Ratchet/follow", url.Values{"follow": {"on"}})
	s.do(foe, "POST", "/players/Ratchet/block", url.Values{"block": {"on"}})
	bot.follow("GET", "/api/v1/account/stream", "") // it is here
	marked(reader, game, beside, "<title>"+inText, `<b dir="auto">`+inText)
	marked(reader, "/lobby", inText, beside) // the game, who is here, the small board
	marked(reader, "/watch", beside)
	marked(reader, game+"/frame", beside, inText)
	marked(reader, "/players", beside) // whom the reader follows
	marked(foe, "/players?find=Ratchet", beside)
	marked(foe, "/people", inText) // whom the reader blocks
	marked(reader, "/report?player=Ratchet", beside)
	marked(reader, "/report?game="+begun.Match, inText)
	var lobby wire.Lobby
	person.ask(200, "GET", "/api/v1/lobby", "", &lobby)
	if fmt.Sprint(lobby.Here, lobby.Bots) != "[Ratchet] [Ratchet]" {
		t.Errorf("here are %v, of them bots %v", lobby.Here, lobby.Bots)
	}
	person.ask(200, "POST", "/api/v1/games/"+begun.Match+"/commands", `{"type":"resign","client":"r"}`, nil)
	marked(reader, "/watch", inText) // what ended last
	marked(reader, "/players/Marit", beside)
}

func TestAProgramPlaysTheComputerFromAnyPositionWithHelp(t *testing.T) {
	s := newClub(t)
	p, other := s.member("Marit"), s.member("Torvald")
	for body, field := range map[string]string{
		`{"level":0}`:                                "level",
		`{"level":1,"rules":"chess"}`:                "rules",
		`{"level":1,"start":"9"}`:                    "start",
		`{"level":1,"moves":["c8-c6","z9"]}`:         "moves",
		`{"level":1,"moves":["c8-c5"]}`:              "moves",
		`{"level":1,"start":"8/8/8/8/8/8/8/1xo5 b"}`: "start",
	} {
		var refused wire.Problem
		p.ask(http.StatusBadRequest, "POST", "/api/v1/games", body, &refused)
		if refused.Error.Field != field {
			t.Errorf("%s: %+v", body, refused.Error)
		}
	}
	var begun wire.Begun
	p.ask(200, "POST", "/api/v1/games", `{"level":1,"moves":["c8-c6"]}`, &begun)
	var snapshot wire.Snapshot
	p.ask(200, "GET", "/api/v1/games/"+begun.Match, "", &snapshot)
	if len(snapshot.Plies) != 1 || snapshot.You != "white" || !snapshot.Can.Move {
		t.Fatalf("%+v", snapshot)
	}
	p.ask(200, "POST", "/api/v1/games", `{"level":1,"start":"8/7o/6o1/4x3/1x3xo1/2x1xoxo/2x1oo2/8 w"}`, &begun) // h7-h5 wins
	var hint wire.Hint
	p.ask(200, "POST", "/api/v1/games/"+begun.Match+"/hint", "", &hint)
	if hint.Win != 1 || hint.Ply != 0 {
		t.Errorf("%+v", hint)
	}
	var threats wire.Threats
	p.ask(200, "POST", "/api/v1/games/"+begun.Match+"/threats", "", &threats)
	if threats.Own.Side != "white" || threats.Own.Plies != 1 {
		t.Errorf("%+v", threats)
	}
	other.ask(http.StatusForbidden, "POST", "/api/v1/games/"+begun.Match+"/hint", "", nil)
	p.ask(http.StatusConflict, "POST", "/api/v1/games/"+begun.Match+"/review", "", nil)
	p.move(begun.Match, 0, hint.Move, "m0")
	p.ask(http.StatusConflict, "POST", "/api/v1/games/"+begun.Match+"/hint", "", nil)
	p.ask(200, "POST", "/api/v1/games", `{"level":1,"moves":["c8-c6","a6-c4"],"color":"white"}`, &begun)
	var review wire.Review
	p.ask(200, "POST", "/api/v1/games/"+begun.Match+"/review", "", &review)
	if review.Move != "a6-c4" || review.Best == "" || review.Ply < 2 {
		t.Errorf("%+v", review)
	}
	var made wire.Invitation
	p.ask(200, "POST", "/api/v1/challenges", `{"to":"Torvald","control":"5+3","color":"black"}`, &made)
	other.ask(200, "POST", "/api/v1/challenges/"+made.ID+"/accept", "", &begun)
	p.ask(http.StatusForbidden, "POST", "/api/v1/games/"+begun.Match+"/threats", "", nil)
	var running []wire.Running
	(&program{s: s}).ask(200, "GET", "/api/v1/games/running", "", &running)
	if len(running) != 1 || running[0].Match != begun.Match || running[0].Black.Name != "Marit" || running[0].Turn != "black" {
		t.Errorf("%+v", running)
	}
	(&program{s: s}).ask(http.StatusBadRequest, "GET", "/api/v1/games/running?limit=101", "", nil)
}

func TestProgramsAreToldThatNobodyAnswers(t *testing.T) {
	s := newClubWith(t, func(o *web.Options) { o.Coach = coach.NewClient(new(bus.Memory)) })
	p := s.member("Marit")
	var begun wire.Begun
	p.ask(200, "POST", "/api/v1/games", `{"level":1}`, &begun)
	var refused wire.Problem
	header := p.ask(http.StatusServiceUnavailable, "POST", "/api/v1/games/"+begun.Match+"/hint", "", &refused)
	if refused.Error.Code != "busy" || refused.Error.Reference == "" || header.Get("Retry-After") == "" {
		t.Errorf("%+v", refused.Error)
	}
}

// A bot is marked, is not paired with people, and is rated apart.
func TestBotsAreMarkedAndRatedApart(t *testing.T) {
	s := newClub(t)
	b := s.browser()
	s.join(b, "Ratchet")
	bot, person := s.program(b, "read", "play", "challenge", "bot"), s.member("Marit")
	var account wire.Account
	bot.ask(200, "POST", "/api/v1/account/bot", "", &account)
	if !account.Bot {
		t.Fatalf("account %+v", account)
	}
	bot.follow("POST", "/api/v1/lobby/seek", `{"control":"5+3"}`)
	person.follow("POST", "/api/v1/lobby/seek", `{"control":"5+3"}`)
	var lobby wire.Lobby
	person.ask(200, "GET", "/api/v1/lobby", "", &lobby)
	if len(lobby.Seeks) != 1 || !lobby.Seeks[0].Mine || len(lobby.Games) != 0 {
		t.Errorf("a person sees the seek of a bot, or is paired with it: %+v", lobby)
	}
	var made wire.Invitation
	bot.ask(200, "POST", "/api/v1/challenges", `{"to":"Marit","control":"5+3","rated":true,"color":"black"}`, &made)
	var begun wire.Begun
	person.ask(200, "POST", "/api/v1/challenges/"+made.ID+"/accept", "", &begun)
	bot.move(begun.Match, 0, "c8-c6", "m0")
	person.move(begun.Match, 1, "a2-c2", "m1")
	person.ask(200, "POST", "/api/v1/games/"+begun.Match+"/commands", `{"type":"resign"}`, nil)
	for _, name := range []string{"Ratchet", "Marit"} {
		var player wire.Player
		person.ask(200, "GET", "/api/v1/players/"+name, "", &player)
		if player.Bot != (name == "Ratchet") || len(player.Ratings) != 1 || player.Ratings[0].Pool != "standard blitz bots" {
			t.Errorf("%s: %+v", name, player)
		}
	}
	var snapshot wire.Snapshot
	person.ask(200, "GET", "/api/v1/games/"+begun.Match, "", &snapshot)
	if !snapshot.Seats["black"].Bot || snapshot.Seats["white"].Bot {
		t.Errorf("seats %+v", snapshot.Seats)
	}
	for _, path := range []string{"/players/Ratchet", "/game/" + begun.Match, "/players/Marit"} {
		if answer, body := s.do(s.browser(), "GET", path, nil); answer.StatusCode != 200 || !strings.Contains(body, `class="bot"`) {
			t.Errorf("%s does not mark the bot: %s", path, answer.Status)
		}
	}
	b2 := s.browser()
	s.join(b2, "Torvald")
	rated := s.program(b2, "bot", "challenge", "play")
	person.ask(200, "POST", "/api/v1/challenges", `{"to":"Torvald","control":"5+3","rated":true}`, &made)
	rated.ask(200, "POST", "/api/v1/challenges/"+made.ID+"/accept", "", nil)
	rated.ask(http.StatusConflict, "POST", "/api/v1/account/bot", "", nil)
}

// apiAuthority is what scope each call needs; none for what everybody may ask.
var apiAuthority = map[string]string{
	"GET /api/v1/account":                  "read",
	"POST /api/v1/account/bot":             "bot",
	"GET /api/v1/account/own":              "read",
	"GET /api/v1/account/stream":           "read",
	"GET /api/v1/players/{name}":           "",
	"GET /api/v1/players/{name}/games":     "",
	"GET /api/v1/games":                    "",
	"POST /api/v1/games":                   "play",
	"GET /api/v1/games/{id}":               "",
	"GET /api/v1/games/{id}/stream":        "",
	"POST /api/v1/games/{id}/commands":     "play",
	"GET /api/v1/games/running":            "",
	"POST /api/v1/games/{id}/hint":         "play",
	"POST /api/v1/games/{id}/review":       "play",
	"POST /api/v1/games/{id}/threats":      "play",
	"GET /api/v1/lobby":                    "read",
	"POST /api/v1/lobby/seek":              "challenge",
	"GET /api/v1/challenges":               "read",
	"POST /api/v1/challenges":              "challenge",
	"GET /api/v1/challenges/{id}":          "read",
	"POST /api/v1/challenges/{id}/accept":  "challenge",
	"POST /api/v1/challenges/{id}/decline": "challenge",
	"GET /api/v1/exports":                  "",
	"GET /api/v1/exports/{file}":           "",
}

// openAPI reads the document of a club.
func (s *club) openAPI() map[string]any {
	s.t.Helper()
	var document map[string]any
	(&program{s: s}).ask(200, "GET", "/api/openapi.json", "", &document)
	return document
}

func TestWhoMayAskWhatByProgram(t *testing.T) {
	s := newClub(t)
	b := s.browser()
	s.join(b, "Marit")
	scopes := []string{"read", "play", "challenge", "bot"}
	tokens := map[string]*program{}
	for _, scope := range scopes {
		tokens[scope] = s.program(b, scope)
	}
	served := map[string]bool{}
	for path, operations := range s.openAPI()["paths"].(map[string]any) {
		for method := range operations.(map[string]any) {
			served[strings.ToUpper(method)+" "+path] = true
		}
	}
	for call := range served {
		if _, known := apiAuthority[call]; !known {
			t.Errorf("%s: nothing says who may ask it", call)
		}
	}
	for call, scope := range apiAuthority {
		if !served[call] {
			t.Errorf("%s is not in the document", call)
		}
		method, path, _ := strings.Cut(call, " ")
		path = strings.NewReplacer("{name}", "Marit", "{id}", "none", "{file}", "none").Replace(path)
		status := func(p *program, header ...string) int {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			answer := p.send(ctx, method, path, "", header...)
			answer.Body.Close()
			return answer.StatusCode
		}
		nobody := &program{s: s}
		if got := status(nobody); (got == http.StatusUnauthorized) != (scope != "") {
			t.Errorf("%s without a token: %d", call, got)
		}
		// a cookie is not looked at
		if answer, _ := s.do(b, method, path, nil); (answer.StatusCode == http.StatusUnauthorized) != (scope != "") && path != "/api/v1/account/stream" {
			t.Errorf("%s with a cookie: %s", call, answer.Status)
		}
		if got := status(&program{s: s, token: "loa_guessed"}); got != http.StatusUnauthorized {
			t.Errorf("%s with a token that is none: %d", call, got)
		}
		for _, held := range scopes {
			got := status(tokens[held])
			if want := scope != "" && scope != held; (got == http.StatusForbidden) != want || got == http.StatusUnauthorized {
				t.Errorf("%s with the scope %s: %d", call, held, got)
			}
		}
	}
}

func TestEndedTokenIsUnknown(t *testing.T) {
	s := newClub(t)
	b := s.browser()
	s.join(b, "Marit")
	p := s.program(b, "read")
	p.ask(200, "GET", "/api/v1/account", "", nil)
	_, body := s.do(b, "GET", "/account/tokens", nil)
	if strings.Contains(body, p.token) {
		t.Error("the secret is shown a second time")
	}
	id := regexp.MustCompile(`name="token" value="([^"]+)"`).FindStringSubmatch(body)
	if id == nil {
		t.Fatal("the token is not listed")
	}
	s.do(b, "POST", "/account/tokens/end", url.Values{"token": {id[1]}})
	p.ask(http.StatusUnauthorized, "GET", "/api/v1/account", "", nil)
	for range 20 {
		s.program(b, "read")
	}
	if answer, _ := s.do(b, "POST", "/account/tokens", url.Values{"name": {"one more"}, "scope": {"read"}}); answer.StatusCode != http.StatusConflict {
		t.Errorf("one token more than there may be: %s", answer.Status)
	}
}

func TestFaultsNameWhatIsWrong(t *testing.T) {
	s := newClub(t)
	black, white := s.member("Okonjo"), s.member("Marit")
	onlooker := s.member("Torvald")
	id := black.begin(white, "Marit")
	commands := "/api/v1/games/" + id + "/commands"
	for _, test := range []struct {
		who                *program
		method, path, body string
		status             int
		code, value        string
	}{
		{black, "GET", "/api/v1/nothing", "", 404, "no-such-address", ""},
		{black, "DELETE", "/api/v1/games", "", 405, "method", "DELETE"},
		{black, "GET", "/api/v1/games/none", "", 404, "not-found", "none"},
		{black, "GET", "/api/v1/players/Nobody", "", 404, "not-found", "Nobody"},
		{black, "GET", "/api/v1/games?limit=0", "", 400, "bad-value", "0"},
		{black, "GET", "/api/v1/games?after=none", "", 400, "bad-value", "none"},
		{black, "GET", "/api/v1/games/" + id + "/stream?from=x", "", 400, "bad-value", "x"},
		{black, "GET", "/api/v1/exports/none", "", 404, "not-found", "none"},
		{black, "POST", "/api/v1/challenges", `{"rules":"chess"}`, 400, "bad-value", "chess"},
		{black, "POST", "/api/v1/challenges", `{"control":"soon"}`, 400, "bad-value", "soon"},
		{black, "POST", "/api/v1/challenges", `{"to":"Nobody"}`, 400, "bad-value", "Nobody"},
		{black, "POST", "/api/v1/challenges", `{"control":"unlimited","rated":true}`, 400, "no-clock", "true"},
		{black, "POST", "/api/v1/challenges", `{"speed":3}`, 400, "malformed", ""},
		{black, "POST", "/api/v1/challenges", `{"rules":3}`, 400, "malformed", "number"},
		{black, "POST", "/api/v1/challenges", `{`, 400, "malformed", ""},
		{black, "POST", "/api/v1/challenges", `{} {}`, 400, "malformed", ""},
		{black, "POST", "/api/v1/challenges", `{"to":"` + strings.Repeat("x", 20_000) + `"}`, 413, "too-long", ""},
		{black, "POST", "/api/v1/challenges/none/accept", "", 404, "not-found", ""},
		{black, "POST", "/api/v1/lobby/seek", `{"below":-1}`, 400, "bad-value", ""},
		{black, "POST", "/api/v1/games", `{"level":11}`, 400, "bad-value", "11"},
		{black, "POST", "/api/v1/games", `{"level":1,"color":"red"}`, 400, "bad-value", "red"},
		{black, "POST", commands, `{"type":"fly"}`, 400, "malformed", ""},
		{black, "POST", commands, `{"type":"move","ply":0,"move":"c8-c5"}`, 422, "illegal-move", "c8-c5"},
		{black, "POST", commands, `{"type":"move","ply":7,"move":"c8-c6"}`, 409, "wrong-ply", ""},
		{white, "POST", commands, `{"type":"move","ply":0,"move":"a2-c2"}`, 409, "not-your-turn", ""},
		{onlooker, "POST", commands, `{"type":"resign"}`, 403, "not-your-seat", ""},
		{onlooker, "POST", commands, `{"type":"talk","room":"players","text":"hello"}`, 403, "not-your-room", ""},
		{black, "POST", commands, `{"type":"resign","v":1}`, 400, "bad-value", "1"},
		{black, "POST", commands, `{"type":"resign","match":"other"}`, 400, "bad-value", "other"},
		{black, "POST", commands, `{"type":"resign","client":"` + strings.Repeat("x", 65) + `"}`, 400, "bad-value", strings.Repeat("x", 65)},
	} {
		var got wire.Problem
		header := test.who.ask(test.status, test.method, test.path, test.body, &got)
		if got.Error.Code != test.code || got.Error.Value != test.value || got.Error.Text == "" || header.Get("Content-Type") != "application/json" {
			t.Errorf("%s %s %.60s: %+v, want %s %q", test.method, test.path, test.body, got.Error, test.code, test.value)
		}
	}
	answer := black.send(context.Background(), "POST", "/api/v1/challenges", `{}`, "Content-Type", "text/plain")
	answer.Body.Close()
	if answer.StatusCode != http.StatusUnsupportedMediaType {
		t.Errorf("a body of text: %s", answer.Status)
	}
}

// Bytes that mean nothing are answered with what is wrong, and nothing changes.
func TestJunkFromPrograms(t *testing.T) {
	s := newClub(t)
	black, white := s.member("Okonjo"), s.member("Marit")
	id := black.begin(white, "Marit")
	chance := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		_, body := junk(chance, id)
		answer := black.send(context.Background(), "POST", "/api/v1/games/"+id+"/commands", string(body)+" ")
		var got wire.Problem
		err := json.NewDecoder(answer.Body).Decode(&got)
		answer.Body.Close()
		if strings.Contains(string(body), `"c8-c6"`) && answer.StatusCode == 409 {
			continue
		}
		if strings.Contains(string(body), `"type":"resign"`) || strings.Contains(string(body), `"type":"abort"`) {
			continue // may be right by chance
		}
		if answer.StatusCode < 400 || answer.StatusCode >= 500 || err != nil || got.Error.Code == "" {
			t.Fatalf("%q: %s %+v %v", body, answer.Status, got, err)
		}
	}
}

func TestProgramsAreToldTheirLimits(t *testing.T) {
	s := newClubWith(t, func(o *web.Options) {
		o.Limits = web.DefaultLimits()
		o.Limits.Requests, o.Limits.Burst = 0.001, 12
	})
	p := s.member("Marit")
	header := p.ask(200, "GET", "/api/v1/account", "", nil)
	if header.Get("RateLimit-Limit") != "12" || header.Get("RateLimit-Remaining") != "11" || header.Get("RateLimit-Reset") == "" {
		t.Errorf("headers %v", header)
	}
	for range 11 {
		p.ask(200, "GET", "/api/v1/account", "", nil)
	}
	var got wire.Problem
	header = p.ask(http.StatusTooManyRequests, "GET", "/api/v1/account", "", &got)
	if header.Get("Retry-After") == "" || header.Get("RateLimit-Remaining") != "0" || got.Error.Code != "too-fast" || got.Error.Wait <= 0 {
		t.Errorf("%v %+v", header, got)
	}
}

func TestPagesOfOtherSitesMayOnlyRead(t *testing.T) {
	s := newClub(t)
	p := s.member("Marit")
	elsewhere := []string{"Origin", "https://elsewhere.example", "Sec-Fetch-Site", "cross-site"}
	for _, test := range []struct {
		method, path, allowed string
	}{
		{"GET", "/api/v1/games", "*"},
		{"OPTIONS", "/api/v1/games", "*"},
		{"GET", "/api/openapi.json", "*"},
		{"POST", "/api/v1/challenges/none/accept", ""},
		{"OPTIONS", "/api/v1/challenges/none/accept", ""},
	} {
		answer := p.send(context.Background(), test.method, test.path, "", elsewhere...)
		answer.Body.Close()
		h := answer.Header
		if h.Get("Access-Control-Allow-Origin") != test.allowed || strings.Contains(h.Get("Access-Control-Allow-Methods"), "POST") || h.Get("Access-Control-Allow-Credentials") != "" {
			t.Errorf("%s %s: %s %v", test.method, test.path, answer.Status, h)
		}
	}
}

// fits says how a value differs from a schema of a document.
func fits(document map[string]any, schema map[string]any, value any, at string) error {
	if ref, ok := schema["$ref"].(string); ok {
		found := document["components"].(map[string]any)["schemas"].(map[string]any)[strings.TrimPrefix(ref, "#/components/schemas/")]
		if found == nil {
			return fmt.Errorf("%s: %s is not in the document", at, ref)
		}
		return fits(document, found.(map[string]any), value, at)
	}
	if kinds, ok := schema["oneOf"].([]any); ok {
		var last error
		for _, kind := range kinds {
			if last = fits(document, kind.(map[string]any), value, at); last == nil {
				return nil
			}
		}
		return last
	}
	switch v := value.(type) {
	case map[string]any:
		properties, _ := schema["properties"].(map[string]any)
		more, _ := schema["additionalProperties"].(map[string]any)
		required, _ := schema["required"].([]any)
		for _, name := range required {
			if _, ok := v[name.(string)]; !ok {
				return fmt.Errorf("%s has no %s", at, name)
			}
		}
		for name, one := range v {
			next, ok := properties[name].(map[string]any)
			if !ok {
				next = more
			}
			if next == nil {
				return fmt.Errorf("%s has %s, which the document does not", at, name)
			}
			if err := fits(document, next, one, at+"."+name); err != nil {
				return err
			}
		}
		return nil
	case []any:
		items, ok := schema["items"].(map[string]any)
		if !ok {
			return fmt.Errorf("%s is a list, want %v", at, schema)
		}
		for i, one := range v {
			if err := fits(document, items, one, fmt.Sprint(at, "[", i, "]")); err != nil {
				return err
			}
		}
		return nil
	case string, bool:
		if want := map[bool]string{true: "string", false: "boolean"}[fmt.Sprintf("%T", v) == "string"]; schema["type"] != want {
			return fmt.Errorf("%s is %T, want %v", at, v, schema["type"])
		}
	case float64:
		if schema["type"] != "integer" && schema["type"] != "number" {
			return fmt.Errorf("%s is a number, want %v", at, schema["type"])
		}
	default:
		return fmt.Errorf("%s is %v", at, v)
	}
	return nil
}

// answerSchema returns the schema of what a call is answered with a status.
func answerSchema(document map[string]any, call string, status int) (map[string]any, error) {
	method, path, _ := strings.Cut(call, " ")
	for pattern, operations := range document["paths"].(map[string]any) {
		if regexp.MustCompile("^" + regexp.MustCompile(`\\\{\w+\\\}`).ReplaceAllString(regexp.QuoteMeta(pattern), "[^/]+") + "$").MatchString(path) {
			operation, ok := operations.(map[string]any)[strings.ToLower(method)].(map[string]any)
			if !ok {
				continue
			}
			responses := operation["responses"].(map[string]any)
			response, ok := responses[fmt.Sprint(status)].(map[string]any)
			if !ok {
				response = responses["default"].(map[string]any)
			}
			for _, content := range response["content"].(map[string]any) {
				return content.(map[string]any)["schema"].(map[string]any), nil
			}
		}
	}
	return nil, fmt.Errorf("%s is not in the document", call)
}

// Answers are what the document says.
func TestTheDocumentSaysWhatIsAnswered(t *testing.T) {
	s := newClub(t)
	document := s.openAPI()
	black, white := s.member("Okonjo"), s.member("Marit")
	id := black.begin(white, "Marit")
	black.move(id, 0, "c8-c6", "m0")
	var made wire.Invitation
	white.ask(200, "POST", "/api/v1/challenges", `{"to":"Okonjo"}`, &made)
	check := func(call string, status int, body []byte) {
		t.Helper()
		schema, err := answerSchema(document, call, status)
		var value any
		if err == nil {
			err = json.Unmarshal(body, &value)
		}
		if err == nil {
			err = fits(document, schema, value, "answer")
		}
		if err != nil {
			t.Errorf("%s: %v\n%s", call, err, body)
		}
	}
	for _, test := range [][2]string{
		{"GET /api/v1/account", ""},
		{"GET /api/v1/account/own", ""},
		{"GET /api/v1/players/Marit", ""},
		{"GET /api/v1/games/" + id, ""},
		{"GET /api/v1/lobby", ""},
		{"GET /api/v1/challenges", ""},
		{"GET /api/v1/challenges/" + made.ID, ""},
		{"GET /api/v1/exports", ""},
		{"GET /api/v1/games/none", ""},
		{"POST /api/v1/games", `{"level":1}`},
		{"POST /api/v1/games", `{"level":99}`},
		{"POST /api/v1/challenges", `{"rules":"misere","color":"white"}`},
		{"POST /api/v1/challenges/" + made.ID + "/decline", ""},
		{"POST /api/v1/games/" + id + "/commands", `{"type":"draw","ply":1}`},
	} {
		method, path, _ := strings.Cut(test[0], " ")
		answer := black.send(context.Background(), method, path, test[1])
		body, _ := io.ReadAll(answer.Body)
		answer.Body.Close()
		check(test[0], answer.StatusCode, body)
	}
	for _, path := range []string{"/api/v1/account/stream", "/api/v1/games/" + id + "/stream", "/api/v1/games/" + id + "/stream?from=1"} {
		line := black.follow("GET", path, "")()
		bare, _, _ := strings.Cut(path, "?")
		check("GET "+bare, 200, []byte(line))
	}
}

func TestTheInterfaceIsDescribedForPeopleToo(t *testing.T) {
	s := newClub(t)
	answer, body := s.do(s.browser(), "GET", "/api", nil)
	if answer.StatusCode != 200 {
		t.Fatal(answer.Status)
	}
	for call := range apiAuthority {
		method, path, _ := strings.Cut(call, " ")
		if !strings.Contains(body, "<code class=\"wrap\">"+method+" "+path+"</code>") {
			t.Errorf("%s is not on the page", call)
		}
	}
	if !slices.Contains(strings.Split(answer.Header.Get("Content-Type"), ";"), "text/html") || bytes.Contains([]byte(body), []byte("ZgotmplZ")) {
		t.Errorf("a page of type %s", answer.Header.Get("Content-Type"))
	}
}

// timed takes down until when the server reads from a connection.
type timed struct {
	*httptest.ResponseRecorder
	until []time.Time
	begun func() // of a stream
}

func (w *timed) SetReadDeadline(at time.Time) error {
	if w.until = append(w.until, at); at.IsZero() {
		w.begun()
	}
	return nil
}

// What is sent to the server must arrive in time; what follows a game or waits for one may take any.
func TestOnlyBodiesMustArriveInTime(t *testing.T) {
	s := newClub(t)
	token := s.member("Okonjo").token
	ask := func(method, path, kind, body string) []time.Time {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		w := &timed{ResponseRecorder: httptest.NewRecorder(), begun: cancel}
		r := httptest.NewRequestWithContext(ctx, method, path, strings.NewReader(body))
		r.Header.Set("Authorization", "Bearer "+token)
		r.Header.Set("Content-Type", kind)
		s.Config.Handler.ServeHTTP(w, r)
		return w.until
	}
	if until := ask("POST", "/sign-in", "application/x-www-form-urlencoded", "name=Marit&password=x"); len(until) != 1 || time.Until(until[0]) > time.Minute || time.Until(until[0]) < 0 {
		t.Errorf("a form is read until %v", until)
	}
	if until := ask("GET", "/", "", ""); len(until) != 0 {
		t.Errorf("a page is read until %v", until)
	}
	if until := ask("POST", "/api/v1/lobby/seek", "application/json", `{"control":"5+3"}`); len(until) != 2 || until[0].IsZero() || !until[1].IsZero() {
		t.Errorf("a stream is read until %v", until)
	}
}
