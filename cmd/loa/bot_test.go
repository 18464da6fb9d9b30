package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/linesofaction/loa/internal/wire"
	"github.com/linesofaction/loa/sgf"
)

// tokenOf makes a member of a club and a token of theirs, on the pages where people do that.
func tokenOf(t *testing.T, address, name string, scopes ...string) string {
	t.Helper()
	v, err := newVisitor(address, http.DefaultTransport)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := v.post(t.Context(), "/join", url.Values{"name": {name}, "password": {"correct horse battery"}}); err != nil {
		t.Fatal(err)
	}
	answer, err := v.client.PostForm(address+"/account/tokens", url.Values{"name": {"a test"}, "scope": scopes})
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`loa_[\w-]{43}`).Find(body)
	if found == nil {
		t.Fatalf("no token: %s\n%s", answer.Status, body)
	}
	return string(found)
}

// apiOf returns what asks a club with a token.
func apiOf(t *testing.T, address, token string) *apiClient {
	t.Helper()
	api, err := newAPIClient(address, token, func(err error) { t.Log(err) })
	if err != nil {
		t.Fatal(err)
	}
	return api
}

// must asks, and reads the answer.
func (a *apiClient) must(t *testing.T, method, path string, in, out any) {
	t.Helper()
	if err := a.once(t.Context(), method, path, in, out); err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
}

// playBy plays moves by chance in a game until it is over, by one line of its stream after the other.
func playBy(t *testing.T, api *apiClient, id string) (state wire.Snapshot) {
	t.Helper()
	chance := rand.New(rand.NewPCG(1, 2))
	err := api.lines(t.Context(), "/api/v1/games/"+id+"/stream?until=end", func(line []byte) error {
		var head struct{ Type string }
		if err := json.Unmarshal(line, &head); err != nil {
			return err
		}
		switch head.Type {
		case wire.KindSnapshot:
			if err := json.Unmarshal(line, &state); err != nil {
				return err
			}
		case wire.KindUpdate:
			var update wire.Update
			if err := json.Unmarshal(line, &update); err != nil {
				return err
			}
			state.Seq, state.Position, state.State = update.Seq, update.Position, update.State
			state.Plies = append(state.Plies[:update.Keep:update.Keep], update.Plies...)
		default:
			return nil
		}
		if !state.Can.Move || state.Outcome != nil {
			return nil
		}
		moves := state.Position.Moves
		return api.once(t.Context(), "POST", "/api/v1/games/"+id+"/commands", wire.Command{
			Type: wire.KindMove, Client: fmt.Sprint("m", state.Seq), Ply: len(state.Plies), Move: moves[chance.IntN(len(moves))],
		}, nil)
	})
	if err != nil {
		t.Fatal(err)
	}
	return state
}

// A bot made with loa bot plays whole games against a person's program over a real server; what was played is
// downloaded, gone on with, exported, and offered with its checksums.
func TestBotPlaysAWholeGameAgainstAPerson(t *testing.T) {
	t.Setenv(asProgram, "1") // the engine is this test, as the program
	dir, exports := t.TempDir(), t.TempDir()
	address, _ := servedWith(t, dir, exports)
	person := apiOf(t, address, tokenOf(t, address, "Marit", "read", "play", "challenge"))
	token := tokenOf(t, address, "Ratchet", "read", "play", "challenge", "bot")
	engine, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	const games = 2
	out, in := io.Pipe()
	ended := make(chan int, 1)
	go func() {
		var errs bytes.Buffer
		code := run([]string{"bot", "--server", address, "--token", token, "--engine", engine + " ugi", "--become-bot", "--movetime", "5ms", "--rules", "standard", "--stop-after", fmt.Sprint(games)},
			&Streams{In: strings.NewReader(""), Out: in, Err: &errs})
		in.CloseWithError(fmt.Errorf("exit %d, %s", code, errs.String()))
		ended <- code
	}()
	said := bufio.NewReader(out)
	if line, err := said.ReadString('\n'); err != nil || !strings.Contains(line, "plays as Ratchet") {
		t.Fatalf("the bot says %q, %v", line, err)
	}
	log := make(chan string, 1)
	go func() {
		rest, _ := io.ReadAll(said)
		log <- string(rest)
	}()
	var refused wire.Invitation
	person.must(t, "POST", "/api/v1/challenges", wire.NewChallenge{To: "Ratchet", Rules: "misere", Control: "5+3"}, &refused)
	for range games {
		var made wire.Invitation
		person.must(t, "POST", "/api/v1/challenges", wire.NewChallenge{To: "Ratchet", Rules: "standard", Control: "5+3", Rated: true}, &made)
		for made.Match == "" { // the bot is told, and accepts
			person.must(t, "GET", "/api/v1/challenges/"+made.ID, nil, &made)
			if made.State == "refused" {
				t.Fatal("the bot declines")
			}
		}
		state := playBy(t, person, made.Match)
		if state.Outcome == nil || len(state.Plies) < 4 || !state.Seats[other(state.You)].Bot {
			t.Fatalf("the game stands at %+v", state)
		}
	}
	if code := <-ended; code != 0 {
		t.Errorf("the bot ends with %d", code)
	}
	if text := <-log; strings.Count(text, ": playing Marit as ") != games || !strings.Contains(text, "declining "+refused.ID) {
		t.Errorf("the bot says:\n%s", text)
	}
	person.must(t, "GET", "/api/v1/challenges/"+refused.ID, nil, &refused)
	if refused.State != "refused" {
		t.Errorf("a challenge to rules that are not played is %s", refused.State)
	}
	var player wire.Player
	person.must(t, "GET", "/api/v1/players/Ratchet", nil, &player)
	if !player.Bot || len(player.Ratings) != 1 || player.Ratings[0].Pool != "standard blitz bots" || player.Ratings[0].Games != games {
		t.Errorf("the bot is %+v", player)
	}
	downloaded(t, address, dir, exports)
}

// downloaded fetches and exports what TestBotPlaysAWholeGameAgainstAPerson has left.
func downloaded(t *testing.T, address, data, exports string) {
	t.Helper()
	dir := t.TempDir()
	for _, form := range []string{"jsonl", "sgf"} {
		file := filepath.Join(dir, "games."+form)
		fetch := []string{"fetch", "--server", address, "--form", form, "-o", file, "Ratchet"}
		for until := time.Now().Add(time.Minute); ; { // a game is listed a second after its end
			if said := good(t, fetch...); strings.Contains(said, " 2 in ") || strings.Contains(said, ", 2 in") {
				break
			}
			if time.Now().After(until) {
				t.Fatal("the games are not listed")
			}
		}
		if said := good(t, fetch...); !strings.HasPrefix(said, "0 new games, 2 in ") {
			t.Errorf("once more: %q", said)
		}
		body, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		records, _, err := sgf.Parse(body, sgf.Options{})
		if err != nil || len(records) != 2 || records[0].Players[0] == "" || len(records[1].Main()) < 4 {
			t.Errorf("%s: %d records, %v", form, len(records), err)
		}
		if form == "jsonl" { // broken off within a line
			if err := os.WriteFile(file, body[:len(body)-10], 0o666); err != nil {
				t.Fatal(err)
			}
			good(t, fetch...)
			if again, err := os.ReadFile(file); err != nil || !bytes.Equal(again, body) {
				t.Errorf("gone on with: %v\n%s\n%s", err, again, body)
			}
		}
	}
	if said := good(t, "admin", "--data", data, "export", "--server", address, exports); !strings.HasPrefix(said, "2 games in 2 files") {
		t.Errorf("export says %q", said)
	}
	var files []wire.Export
	api := apiOf(t, address, "")
	api.must(t, "GET", "/api/v1/exports", nil, &files)
	if len(files) != 2 {
		t.Fatalf("files %+v", files)
	}
	for _, one := range files {
		answer, err := http.Get(one.URL)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if sum := fmt.Sprintf("%x", sha256.Sum256(body)); err != nil || sum != one.SHA256 || int64(len(body)) != one.Bytes {
			t.Errorf("%s: %s, %v", one.Name, sum, err)
		}
		if records, _, err := sgf.Parse(body, sgf.Options{}); err != nil || len(records) != 2 {
			t.Errorf("%s: %d records, %v", one.Name, len(records), err)
		}
	}
}

func other(color string) string {
	if color == "black" {
		return "white"
	}
	return "black"
}

// A bot goes on with its game after the server was stopped and started again.
func TestBotSurvivesARestartOfTheServer(t *testing.T) {
	t.Setenv(asProgram, "1")
	dir := t.TempDir()
	address, stop := served(t, dir)
	person := apiOf(t, address, tokenOf(t, address, "Marit", "read", "play", "challenge"))
	token := tokenOf(t, address, "Ratchet", "read", "play", "challenge", "bot")
	c := &botCommand{Server: address, Token: token, Become: true, Games: 1, MoveTime: 5 * time.Millisecond, StopAfter: 1, From: "all", Stakes: "any"}
	ended := make(chan error, 1)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() { ended <- c.play(ctx, &Streams{Out: io.Discard, Err: io.Discard}) }()
	var made wire.Invitation
	for made.ID == "" { // until it is a bot, which can be challenged
		var player wire.Player
		if person.must(t, "GET", "/api/v1/players/Ratchet", nil, &player); player.Bot {
			person.must(t, "POST", "/api/v1/challenges", wire.NewChallenge{To: "Ratchet", Rules: "standard", Control: "10+5", Color: "black"}, &made)
		}
	}
	for made.Match == "" {
		person.must(t, "GET", "/api/v1/challenges/"+made.ID, nil, &made)
	}
	person.must(t, "POST", "/api/v1/games/"+made.Match+"/commands", wire.Command{Type: "move", Ply: 0, Move: "c8-c6", Client: "first"}, nil)
	stop()
	servedAt(t, dir, strings.TrimPrefix(address, "http://"))
	state := playBy(t, person, made.Match)
	if state.Outcome == nil {
		t.Error("the game does not end")
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestBotSaysWhatIsWrong(t *testing.T) {
	t.Setenv(asProgram, "1")
	address, _ := served(t, t.TempDir())
	reader := tokenOf(t, address, "Marit", "read")
	player := tokenOf(t, address, "Okonjo", "read", "play", "challenge")
	for _, test := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"--server", "nowhere", "--token", "x"}, 2, `--server "nowhere"`},
		{[]string{"--server", "http://127.0.0.1:1", "--token", "x"}, 1, "127.0.0.1:1"},
		{[]string{"--server", address, "--token", "x"}, 1, "Authorization header holds no token"},
		{[]string{"--server", address, "--token", reader}, 1, "expected also play"},
		{[]string{"--server", address, "--token", player}, 1, "--become-bot"},
		{[]string{"--server", address, "--token", player, "--become-bot"}, 1, `may not do this`},
		{[]string{"--server", address, "--token", player, "--engine", "/none"}, 1, "--engine"},
		{[]string{"--server", address, "--token", player, "--rules", "chess"}, 2, "chess"},
		{[]string{"--server", address, "--token", player, "--speeds", "fast"}, 2, "fast"},
		{[]string{"--server", address, "--token", player, "--games", "0"}, 2, "--games 0"},
	} {
		code, _, errs := call(t, "", append([]string{"bot"}, test.args...)...)
		if code != test.code || !strings.Contains(errs, test.want) {
			t.Errorf("%v: exit %d, %q, want %d and %s", test.args, code, errs, test.code, test.want)
		}
	}
	none := filepath.Join(t.TempDir(), "x")
	if code, _, errs := call(t, "", "fetch", "--server", address, "-o", none, "Nobody"); code != 1 || !strings.Contains(errs, `"Nobody"`) {
		t.Errorf("fetching the games of nobody: exit %d, %q", code, errs)
	}
	other := httptest.NewServer(http.NotFoundHandler())
	defer other.Close()
	for _, command := range [][]string{{"fetch", "-o", none, "Marit"}, {"bot", "--token", "loa_x"}} {
		if code, _, errs := call(t, "", append(command, "--server", other.URL)...); code != 1 || !strings.Contains(errs, "expected JSON of a club of Lines of Action") {
			t.Errorf("%v at something else: exit %d, %q", command, code, errs)
		}
	}
	if _, err := os.Stat(none); err == nil {
		t.Error("a file without games is left")
	}
}

// A club that offers two games at once and never says so again: the second one is played when the first is over.
func TestBotAnswersAChallengeWhenThereIsRoom(t *testing.T) {
	accepted := make(chan string, 2)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/v1/account/stream", func(w http.ResponseWriter, r *http.Request) {
		var own wire.Own
		for _, id := range []string{"second", "first"} { // the latest first
			own.Challenges = append(own.Challenges, wire.Invitation{ID: id, From: "Marit", To: "Ratchet", Rules: "standard", Control: "5+3"})
		}
		_ = json.NewEncoder(w).Encode(own)
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	mux.HandleFunc("POST /api/v1/challenges/{id}/accept", func(w http.ResponseWriter, r *http.Request) {
		accepted <- r.PathValue("id")
		_ = json.NewEncoder(w).Encode(wire.Begun{Match: "game-" + r.PathValue("id")})
	})
	mux.HandleFunc("GET /api/v1/games/{id}/stream", http.NotFound) // a game that is over at once
	club := httptest.NewServer(mux)
	defer club.Close()
	b, err := (&botCommand{Server: club.URL, Token: "x", Games: 1, StopAfter: 2, Stakes: "any", From: "all"}).bot(&Streams{Out: io.Discard})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := b.run(ctx); err != nil || ctx.Err() != nil {
		t.Fatalf("the bot ends with %v, %v", err, ctx.Err())
	}
	close(accepted)
	var got []string
	for id := range accepted {
		got = append(got, id)
	}
	if !slices.Equal(got, []string{"first", "second"}) {
		t.Errorf("the bot accepts %v, want each once, the older first", got)
	}
}
