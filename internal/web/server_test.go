package web_test

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/google/go-cmp/cmp"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/bus"
	"github.com/linesofaction/loa/internal/coach"
	"github.com/linesofaction/loa/internal/live"
	"github.com/linesofaction/loa/internal/match"
	"github.com/linesofaction/loa/internal/store"
	"github.com/linesofaction/loa/internal/web"
	"github.com/linesofaction/loa/internal/wire"
)

// site is a whole server on a database of its own. Nobody plays for the computer unless a test does.
type site struct {
	*httptest.Server
	t    *testing.T
	live *live.Service
	log  *strings.Builder
}

func newSite(t *testing.T, change func(*web.Options)) *site {
	t.Helper()
	db, err := store.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	log := new(strings.Builder)
	options := optionsOf(t, db)
	options.Log = slog.New(slog.NewTextHandler(log, nil))
	if change != nil {
		change(&options)
	}
	options.Talk = live.NewTalk(options.Live, db)
	handler, err := web.New(options)
	if err != nil {
		t.Fatal(err)
	}
	s := &site{Server: httptest.NewUnstartedServer(handler), t: t, live: options.Live, log: log}
	s.Config.ConnContext = func(ctx context.Context, c net.Conn) context.Context {
		c.(*net.TCPConn).SetWriteBuffer(4 << 10) // so that who does not read is soon noticed
		return ctx
	}
	s.Start()
	t.Cleanup(s.Close)
	t.Cleanup(handler.Close)
	return s
}

// optionsOf returns those of a whole site on a database, but for the talk, which follows its matches.
func optionsOf(t testing.TB, db *store.Store) web.Options {
	t.Helper()
	service := live.New(db, new(bus.Memory), time.Now, 100)
	return web.Options{
		Live: service, Lobby: lobbyOf(service, db), People: db, Members: db, Profiles: db, Ratings: db, Follows: db, Tokens: db,
		Reports: db, Moderation: db, Links: db, Puzzlers: db, Puzzles: somePuzzles(t), Coach: coach.NewClient(coached(t)), Key: []byte("a key for tests"),
	}
}

// coached returns a bus with a coach.
func coached(t testing.TB) *bus.Memory {
	t.Helper()
	line := new(bus.Memory)
	if _, err := line.Answer(coach.New(1).Answer); err != nil {
		t.Fatal(err)
	}
	return line
}

// browser is a client with cookies of its own that does not follow redirects.
func (s *site) browser() *http.Client {
	jar, err := cookiejar.New(nil)
	if err != nil {
		s.t.Fatal(err)
	}
	return &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

func (s *site) do(b *http.Client, method, path string, form url.Values, header ...string) (*http.Response, string) {
	s.t.Helper()
	r, err := http.NewRequest(method, s.URL+path, strings.NewReader(form.Encode()))
	if err != nil {
		s.t.Fatal(err)
	}
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	answer, err := b.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return answer, string(body)
}

// begin starts a game and returns the path of its page.
func (s *site) begin(b *http.Client, form url.Values) string {
	s.t.Helper()
	answer, body := s.do(b, "POST", "/play", form)
	if answer.StatusCode != http.StatusSeeOther {
		s.t.Fatalf("POST /play %v: %s\n%s", form, answer.Status, body)
	}
	return answer.Header.Get("Location")
}

// reply plays any move for the computer.
func (s *site) reply(path string) {
	s.t.Helper()
	id := match.ID(strings.TrimPrefix(path, "/game/"))
	m, err := s.live.Match(s.t.Context(), id)
	if err != nil {
		s.t.Fatal(err)
	}
	g := m.Game()
	_, _, err = s.live.Submit(s.t.Context(), id, match.Command{By: g.Position().Turn(), Ask: match.Move{Ply: g.Plies(), Move: g.Moves(nil)[0]}})
	if err != nil {
		s.t.Fatal(err)
	}
}

func TestHomePage(t *testing.T) {
	s := newSite(t, nil)
	answer, body := s.do(s.browser(), "GET", "/", nil)
	if answer.StatusCode != http.StatusOK {
		t.Fatal(answer.Status)
	}
	for _, want := range []string{`<html lang="en"`, `data-board="slate"`, `aria-label="b8, black piece"`, `action="/play"`, `rel="modulepreload"`} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s in the page", want)
		}
	}
	for name, want := range map[string]string{
		"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
		"Referrer-Policy":         "no-referrer",
		"X-Content-Type-Options":  "nosniff",
	} {
		if got := answer.Header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if found := regexp.MustCompile(`(?i) style=| on[a-z]+="|<script>|<style|https?://(?:[a-z])`).FindString(body); found != "" {
		t.Errorf("the page has %q", found)
	}
	if len(answer.Cookies()) != 0 {
		t.Errorf("looking at the home page set %v", answer.Cookies())
	}
}

func TestEveryAnswerDeniesWhatPagesDoNotUse(t *testing.T) {
	s := newSite(t, nil)
	for _, path := range []string{"/", "/lobby", "/nowhere", "/assets/nothing"} {
		answer, _ := s.do(s.browser(), "GET", path, nil)
		for _, denied := range []string{"camera=()", "geolocation=()", "microphone=()", "payment=()"} {
			if got := answer.Header.Get("Permissions-Policy"); !strings.Contains(got, denied) {
				t.Errorf("%s: %q does not deny %s", path, got, denied)
			}
		}
	}
}

func TestOnlyWhoCameByHTTPSIsHeldToIt(t *testing.T) {
	s := newSite(t, nil)
	for scheme, want := range map[string]string{"http": "", "https": "max-age=31536000"} {
		answer, _ := s.do(s.browser(), "GET", "/", nil, "X-Forwarded-Proto", scheme)
		if got := answer.Header.Get("Strict-Transport-Security"); got != want {
			t.Errorf("by %s: %q, want %q", scheme, got, want)
		}
	}
}

func TestLanguageFollowsBrowserAndChoice(t *testing.T) {
	s := newSite(t, nil)
	for accept, want := range map[string]string{
		"nl-BE,nl;q=0.9": `<html lang="nl" data-board="redwhite">`, "es-419": `<html lang="es" data-board="slate">`,
		"de-AT, nl;q=0.5": `<html lang="de" data-board="slate">`, "fr-CA, en;q=0.9": `<html lang="fr" data-board="slate">`, "zh-CN": `<html lang="zh-Hans" data-board="slate">`, "ja": `<html lang="ja" data-board="slate">`, "el, fi;q=0.5": `<html lang="en" data-board="slate">`, "%%%": `<html lang="en" data-board="slate">`,
	} {
		if _, body := s.do(s.browser(), "GET", "/", nil, "Accept-Language", accept); !strings.Contains(body, want) {
			t.Errorf("%s: no %s", accept, want)
		}
	}
	b := s.browser()
	answer, _ := s.do(b, "POST", "/settings", url.Values{"lang": {"nl"}, "theme": {"dark"}, "board": {"slate"}, "back": {"/game/x"}})
	if got := answer.Header.Get("Location"); answer.StatusCode != http.StatusSeeOther || got != "/game/x" {
		t.Errorf("settings lead to %q, %s", got, answer.Status)
	}
	if _, body := s.do(b, "GET", "/", nil); !strings.Contains(body, `<html lang="nl" data-theme="dark" data-board="redwhite">`) {
		t.Error("the choice of Dutch was not remembered, or did not bring its board")
	}
	s.do(b, "POST", "/settings", url.Values{"lang": {"nl"}, "theme": {"auto"}, "board": {"wood"}, "back": {"/"}})
	if _, body := s.do(b, "GET", "/", nil); !strings.Contains(body, `<html lang="nl" data-board="wood">`) {
		t.Error("the choice of a board was not remembered")
	}
}

func TestSettingsRefuseWhatIsNotOffered(t *testing.T) {
	s := newSite(t, nil)
	good := url.Values{"lang": {"en"}, "theme": {"dark"}, "board": {"wood"}}
	for field, want := range map[string]string{"lang": "en, nl, es", "theme": "auto, light, dark, contrast", "board": "slate, wood, paper"} {
		form := url.Values{}
		for name, value := range good {
			form[name] = value
		}
		form.Set(field, "blå<")
		answer, body := s.do(s.browser(), "POST", "/settings", form)
		if answer.StatusCode != http.StatusBadRequest || !strings.Contains(body, "blå&lt;") || !strings.Contains(body, want) {
			t.Errorf("%s: %s, and the page does not name the value and %q", field, answer.Status, want)
		}
	}
	for _, back := range []string{"https://example.org/", "//example.org", "/\\example.org", "game", "", "/a\r\nb"} {
		form := url.Values{"back": {back}}
		for name, value := range good {
			form[name] = value
		}
		if answer, _ := s.do(s.browser(), "POST", "/settings", form); answer.Header.Get("Location") != "/" {
			t.Errorf("settings lead to %q for %q", answer.Header.Get("Location"), back)
		}
	}
}

func TestPlayBeginsAGame(t *testing.T) {
	s := newSite(t, nil)
	for _, test := range []struct {
		form url.Values
		want string
	}{
		{url.Values{}, `"rules":{"name":"standard"`},
		{url.Values{"color": {"white"}}, `"you":"white"`},
		{url.Values{"color": {"any"}, "level": {"10"}}, `"level":10`},
		{url.Values{"rules": {"mini-six"}}, `"size":6`},
		{url.Values{"rules": {"standard:both=mover,size=5"}}, `"both":"mover"`},
		{url.Values{"rules": {"random"}}, `"seed":"`},
		{url.Values{"move": {"c8-c6"}, "color": {"white"}}, `"you":"black"`},
	} {
		b := s.browser()
		path := s.begin(b, test.form)
		answer, body := s.do(b, "GET", path, nil)
		if answer.StatusCode != http.StatusOK || !strings.Contains(body, test.want) {
			t.Errorf("%v: %s without %s", test.form, answer.Status, test.want)
		}
		if !strings.Contains(body, "/seat/") {
			t.Errorf("%v: the holder does not see the private link", test.form)
		}
		if _, body := s.do(s.browser(), "GET", path, nil); strings.Contains(body, "/seat/") {
			t.Errorf("%v: an onlooker sees the private link", test.form)
		}
		if _, body := s.do(b, "GET", "/", nil); !strings.Contains(body, `href="`+path+`"`) {
			t.Errorf("%v: the home page does not lead back to the game", test.form)
		}
	}
}

func TestPlayRefusesBadForms(t *testing.T) {
	s := newSite(t, nil)
	for _, test := range []struct {
		form   url.Values
		status int
		names  []string
	}{
		{url.Values{"rules": {"chess"}}, 400, []string{"rule set", "chess", "standard"}},
		{url.Values{"rules": {"standard:size=99"}}, 400, []string{"rules", "size=99", "both=mover"}},
		{url.Values{"rules": {strings.Repeat("å", 2_000)}}, 400, []string{"&#34;" + strings.Repeat("å", 80) + "…&#34;", "standard"}},
		{url.Values{"level": {"11"}}, 400, []string{"level", "11", "1–10"}},
		{url.Values{"level": {"high"}}, 400, []string{"level", "high"}},
		{url.Values{"color": {"green"}}, 400, []string{"color", "green", "black, white, any"}},
		{url.Values{"move": {"b1-b2"}}, 400, []string{"move", "b1-b2"}},
		{url.Values{"move": {"hello"}}, 400, []string{"move", "hello"}},
		{url.Values{"move": {strings.Repeat("x", 20_000)}}, 413, nil},
	} {
		answer, body := s.do(s.browser(), "POST", "/play", test.form)
		if answer.StatusCode != test.status {
			t.Errorf("%.60v: %s, want %d", test.form, answer.Status, test.status)
		}
		for _, name := range test.names {
			if !strings.Contains(body, name) {
				t.Errorf("%.60v: the page does not name %q", test.form, name)
			}
		}
		if len(answer.Cookies()) != 0 {
			t.Errorf("%.60v: a refused form made a guest", test.form)
		}
	}
	for _, test := range []struct {
		kind, body string
		status     int
	}{
		{"application/json", `{"level":3}`, 415},
		{"text/plain", "level=3", 415},
		{"", "", 415},
		{"multipart/form-data", "", 400},
		{"multipart/form-data; boundary=x", "--x\r\nContent-Disposition: form-data; name=\"level\"\r\n\r\n11\r\n--x--\r\n", 400},
		{"multipart/form-data; boundary=x", "--x\r\nContent-Disposition: form-data; name=\"level\"\r\n\r\n3\r\n--x--\r\n", 303},
		{"multipart/form-data; boundary=x", "--x\r\nContent-Disposition: form-data; name=\"level\"\r\n\r\n" + strings.Repeat("3", 20_000) + "\r\n--x--\r\n", 413},
	} {
		r, _ := http.NewRequest("POST", s.URL+"/play", strings.NewReader(test.body))
		r.Header.Set("Content-Type", test.kind)
		answer, err := s.browser().Do(r)
		if err != nil || answer.StatusCode != test.status {
			t.Errorf("%s %.60q: %v %v, want %d", test.kind, test.body, answer.Status, err, test.status)
		}
	}
	r, _ := http.NewRequest("POST", s.URL+"/play", strings.NewReader("level=%zz"))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if answer, err := http.DefaultClient.Do(r); err != nil || answer.StatusCode != http.StatusBadRequest {
		t.Errorf("a malformed form: %v %v", answer, err)
	}
}

func TestRefusalsSpeakTheReadersLanguage(t *testing.T) {
	s := newSite(t, nil)
	for _, test := range []struct {
		path string
		form url.Values
		want string
	}{
		{"/play", url.Values{"rules": {"nope"}}, "&#34;nope&#34; is niet de naam van een stel regels; verwacht: standard, classic,"},
		{"/play", url.Values{"rules": {"standard:both=x"}}, "&#34;both=x&#34; past niet bij de opties"},
		{"/play", url.Values{"move": {"hello"}}, "&#34;hello&#34; is geen zet; verwacht: twee velden"},
		{"/play", url.Values{"move": {"b1-b2"}}, "mag niet aan het begin van deze partij"},
		{"/play", url.Values{"level": {"11"}}, "&#34;11&#34; is geen niveau van de computer"},
		{"/play", url.Values{"color": {"green"}}, "&#34;green&#34; is geen kleur om mee te spelen"},
		{"/settings", url.Values{"lang": {"xx"}}, "&#34;xx&#34; is geen taal van deze pagina"},
		{"/settings", url.Values{"lang": {"nl"}, "theme": {"xx"}}, "&#34;xx&#34; is geen uiterlijk van de pagina"},
		{"/settings", url.Values{"lang": {"nl"}, "theme": {"dark"}, "board": {"xx"}}, "&#34;xx&#34; is geen uiterlijk van het bord"},
	} {
		_, body := s.do(s.browser(), "POST", test.path, test.form, "Accept-Language", "nl")
		if !strings.Contains(body, test.want) || strings.Contains(body, "expected") {
			t.Errorf("%v: no %q, or English, in\n%s", test.form, test.want, regexp.MustCompile(`<p class="lead q">.*`).FindString(body))
		}
	}
}

func TestUnknownCookieMakesANewGuest(t *testing.T) {
	s := newSite(t, nil)
	answer, _ := s.do(s.browser(), "POST", "/play", url.Values{}, "Cookie", "loa_guest=forged; loa_look=%zz; loa_seats=x:y.z")
	if answer.StatusCode != http.StatusSeeOther || len(answer.Cookies()) != 1 {
		t.Errorf("%s, cookies %v", answer.Status, answer.Cookies())
	}
	for _, c := range answer.Cookies() {
		if !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || len(c.Value) < 40 {
			t.Errorf("cookie %v is not kept from scripts and other sites", c)
		}
	}
}

func TestForeignFormsAreRefused(t *testing.T) {
	s := newSite(t, nil)
	for _, header := range [][]string{{"Origin", "https://example.org"}, {"Sec-Fetch-Site", "cross-site"}} {
		answer, body := s.do(s.browser(), "POST", "/play", url.Values{}, header...)
		if answer.StatusCode != http.StatusForbidden || !strings.Contains(body, "another site") {
			t.Errorf("%v: %s", header, answer.Status)
		}
	}
	if answer, _ := s.do(s.browser(), "POST", "/play", url.Values{}, "Origin", s.URL, "Sec-Fetch-Site", "same-origin"); answer.StatusCode != http.StatusSeeOther {
		t.Errorf("our own form: %s", answer.Status)
	}
	behind := newSite(t, func(o *web.Options) { o.Public = "https://club.example" })
	if answer, _ := behind.do(behind.browser(), "POST", "/play", url.Values{}, "Origin", "https://club.example"); answer.StatusCode != http.StatusSeeOther {
		t.Errorf("our own form behind a proxy: %s", answer.Status)
	}
}

func TestErrorPages(t *testing.T) {
	s := newSite(t, nil)
	path := s.begin(s.browser(), url.Values{})
	for _, test := range []struct {
		method, path string
		status       int
		names        string
	}{
		{"GET", "/nowhere", 404, "/nowhere"},
		{"GET", "/game/none", 404, "none"},
		{"GET", "/game/none/socket", 404, "none"},
		{"GET", "/game/none/seat/x", 404, "none"},
		{"GET", path + "/socket", 426, "WebSocket"},
		{"GET", path + "/seat/wrong", 403, "seat"},
		{"POST", path + "/seat/wrong", 403, "seat"},
		{"GET", "/play", 405, ""},
		{"POST", "/", 405, ""},
		{"GET", "/start?rules=chess", 400, "chess"},
		{"GET", "/static/0/loa.css", 404, ""},
		{"GET", "/game/%2e%2e%2fx", 404, ""},
	} {
		answer, body := s.do(s.browser(), test.method, test.path, nil)
		if answer.StatusCode != test.status || !strings.Contains(body, test.names) {
			t.Errorf("%s %s: %s, want %d and %q", test.method, test.path, answer.Status, test.status, test.names)
		}
	}
	if s.log.Len() != 0 {
		t.Errorf("mistakes of visitors were logged as faults: %s", s.log)
	}
}

func TestFaultsShowANumberAndLogTheCause(t *testing.T) {
	var down func() error
	s := newSite(t, func(o *web.Options) { down = o.People.(*store.Store).Close })
	b := s.browser()
	s.begin(b, url.Values{})
	if err := down(); err != nil {
		t.Fatal(err)
	}
	answer, body := s.do(b, "GET", "/", nil)
	number := regexp.MustCompile(`number ([0-9a-f]{8})`).FindStringSubmatch(body)
	if answer.StatusCode != http.StatusInternalServerError || number == nil {
		t.Fatalf("%s without a number", answer.Status)
	}
	if log := s.log.String(); !strings.Contains(log, number[1]) || !strings.Contains(log, "error=") {
		t.Errorf("the log does not have number %s: %s", number[1], log)
	}
	if strings.Contains(body, "sql") {
		t.Error("the page shows the cause")
	}
}

func TestLimitsByAddress(t *testing.T) {
	s := newSite(t, func(o *web.Options) {
		o.Limits = web.Limits{Requests: 0.001, Burst: 5, Games: 0.001, GameRush: 2, Commands: 10, Sockets: 10}
		o.Proxied = true
	})
	ask := func(method, path, address string) int {
		answer, _ := s.do(s.browser(), method, path, url.Values{}, "X-Forwarded-For", "198.51.100.9, "+address)
		return answer.StatusCode
	}
	for i, want := range []int{303, 303, 429} {
		if got := ask("POST", "/play", "192.0.2.1"); got != want {
			t.Errorf("game %d: %d, want %d", i+1, got, want)
		}
	}
	for i, want := range []int{200, 200, 429} {
		if got := ask("GET", "/", "192.0.2.1"); got != want {
			t.Errorf("request %d: %d, want %d", i+4, got, want)
		}
	}
	if got := ask("GET", "/", "192.0.2.2"); got != 200 {
		t.Errorf("another address: %d", got)
	}
	for i, want := range []int{400, 400, 429} { // for want of a name, and counted, since a password costs 50 ms of a core
		if got := ask("POST", "/join", "192.0.2.3"); got != want {
			t.Errorf("account %d: %d, want %d", i+1, got, want)
		}
	}
	if got := ask("GET", "/healthz", "192.0.2.1"); got != 200 {
		t.Errorf("health: %d", got)
	}
}

func TestOneAddressHoldsSoManySockets(t *testing.T) {
	s := newClubWith(t, func(o *web.Options) {
		o.Limits = web.DefaultLimits()
		o.Limits.Sockets, o.Limits.Requests, o.Limits.Burst = 2, 1e6, 1e6 // for the last of them is asked for until the server has noticed
		o.Proxied = true
	})
	dial := func(address string) (*websocket.Conn, int) {
		c, answer, err := websocket.Dial(t.Context(), s.URL+"/lobby/socket", &websocket.DialOptions{HTTPClient: s.browser(), HTTPHeader: http.Header{"X-Forwarded-For": {address}}})
		if err == nil {
			t.Cleanup(func() { c.CloseNow() })
		} else if answer == nil {
			t.Fatal(err)
		}
		return c, answer.StatusCode
	}
	first, _ := dial("192.0.2.1")
	for i, want := range []int{http.StatusSwitchingProtocols, http.StatusTooManyRequests} {
		if _, got := dial("192.0.2.1"); got != want {
			t.Errorf("socket %d: %d, want %d", i+2, got, want)
		}
	}
	answer, body := s.do(s.browser(), "GET", "/lobby/socket", nil, "X-Forwarded-For", "192.0.2.1", "Upgrade", "websocket", "Connection", "Upgrade")
	if answer.StatusCode != http.StatusTooManyRequests || !strings.Contains(body, "Too many pages are open") || answer.Header.Get("Retry-After") == "" {
		t.Errorf("%s without a reason:\n%s", answer.Status, body)
	}
	if _, got := dial("192.0.2.2"); got != http.StatusSwitchingProtocols {
		t.Errorf("another address: %d", got)
	}
	first.CloseNow()
	for {
		if _, got := dial("192.0.2.1"); got == http.StatusSwitchingProtocols {
			break
		}
	}
}

func TestStaticFiles(t *testing.T) {
	s := newSite(t, nil)
	_, body := s.do(s.browser(), "GET", "/", nil)
	for _, path := range regexp.MustCompile(`/static/[0-9a-f]+/[\w.-]+`).FindAllString(body, -1) {
		sizes := map[string]int{}
		for accept, want := range map[string]string{"gzip, br": "br", "gzip": "gzip", "identity": ""} {
			answer, body := s.do(s.browser(), "GET", path, nil, "Accept-Encoding", accept)
			if strings.HasSuffix(path, ".png") {
				want = ""
			}
			if answer.StatusCode != 200 || answer.Header.Get("Content-Encoding") != want || !strings.Contains(answer.Header.Get("Cache-Control"), "immutable") {
				t.Errorf("%s: %s %v", path, answer.Status, answer.Header)
			}
			sizes[accept] = len(body)
		}
		if sizes["gzip, br"] > sizes["gzip"] || sizes["gzip"] > sizes["identity"] {
			t.Errorf("%s: packing makes it larger: %v", path, sizes)
		}
		if answer, _ := s.do(s.browser(), "GET", path, nil, "Accept-Encoding", "gzip;q=0"); answer.Header.Get("Content-Encoding") != "" {
			t.Errorf("%s: gzip though it was not wanted", path)
		}
	}
	r, _ := http.NewRequest("GET", s.URL+"/", nil)
	r.Header.Set("Accept-Encoding", "gzip")
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	zip, err := gzip.NewReader(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	if plain, err := io.ReadAll(zip); err != nil || !strings.Contains(string(plain), "</html>") {
		t.Errorf("the compressed page is not whole: %v", err)
	}
}

func TestScriptsGetEveryTextTheySay(t *testing.T) {
	s := newSite(t, nil)
	b := s.browser()
	key := regexp.MustCompile(`\bsay\("([a-z0-9.-]+)"`)
	dynamic := regexp.MustCompile("\\bsay\\(`([a-z0-9.-]+\\.)\\$")
	for _, path := range []string{"/", s.begin(b, url.Values{})} {
		_, body := s.do(b, "GET", path, nil)
		var texts map[string]any
		block := regexp.MustCompile(`<script type="application/json" id="texts">(.*?)</script>`).FindStringSubmatch(body)
		if block == nil || json.Unmarshal([]byte(block[1]), &texts) != nil {
			t.Fatalf("%s has no texts for its scripts", path)
		}
		for _, file := range regexp.MustCompile(`/static/[0-9a-f]+/[\w]+\.js`).FindAllString(body, -1) {
			_, script := s.do(b, "GET", file, nil)
			for _, m := range key.FindAllStringSubmatch(script, -1) {
				if texts[m[1]] == nil {
					t.Errorf("%s: %s says %q, which the page does not bring", path, file, m[1])
				}
			}
			for _, m := range dynamic.FindAllStringSubmatch(script, -1) {
				found := false
				for name := range texts {
					found = found || strings.HasPrefix(name, m[1])
				}
				if !found {
					t.Errorf("%s: %s says %s…, which the page does not bring", path, file, m[1])
				}
			}
		}
	}
}

func TestSeatLinkOpensTheSeatElsewhere(t *testing.T) {
	s := newSite(t, nil)
	owner, friend := s.browser(), s.browser()
	path := s.begin(owner, url.Values{"color": {"black"}})
	_, body := s.do(owner, "GET", path, nil)
	link := regexp.MustCompile(`value="http://[^/]+(/game/[^"]+/seat/[^"]+)"`).FindStringSubmatch(body)
	if link == nil {
		t.Fatal("the owner's page has no private link")
	}
	answer, body := s.do(friend, "GET", link[1], nil)
	if answer.StatusCode != 200 || len(answer.Cookies()) != 0 || !strings.Contains(body, `method="post"`) {
		t.Fatalf("looking at the link: %s, cookies %v", answer.Status, answer.Cookies())
	}
	if _, body := s.do(friend, "GET", path, nil); strings.Contains(body, `"you":"black"`) {
		t.Fatal("looking at the link took the seat")
	}
	answer, _ = s.do(friend, "POST", link[1], url.Values{})
	if answer.StatusCode != 303 || answer.Header.Get("Location") != path {
		t.Fatalf("taking the seat: %s to %q", answer.Status, answer.Header.Get("Location"))
	}
	c := answer.Cookies()[0]
	if c.Name != "loa_seats" || c.Path != "/" || !c.HttpOnly || c.SameSite != http.SameSiteLaxMode {
		t.Errorf("cookie %v", c)
	}
	if _, body := s.do(friend, "GET", path, nil); !strings.Contains(body, `"you":"black"`) {
		t.Error("the seat was not taken")
	}
}

// dial opens the socket of a game.
func (s *site) dial(b *http.Client, path string) *websocket.Conn {
	s.t.Helper()
	c, _, err := websocket.Dial(s.t.Context(), s.URL+path+"/socket", &websocket.DialOptions{HTTPClient: b})
	if err != nil {
		s.t.Fatal(err)
	}
	c.SetReadLimit(1 << 20)
	s.t.Cleanup(func() { c.CloseNow() })
	return c
}

type message struct {
	Type, Code, Text, Client string
	Seq, From, Keep          int
	Wait                     int64
	Plies                    []wire.Ply
	Position                 wire.Position
	Thinking                 bool
	You                      string
	White                    any // whether the player is connected, or what became of the rating
}

// next reads messages until one of a type.
func next(t *testing.T, c *websocket.Conn, kind string) message {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	for {
		_, body, err := c.Read(ctx)
		if err != nil {
			t.Fatalf("waiting for %s: %v", kind, err)
		}
		var m message
		if err := json.Unmarshal(body, &m); err != nil {
			t.Fatalf("%s: %v", body, err)
		}
		if m.Type == kind {
			return m
		}
	}
}

func tell(t *testing.T, c *websocket.Conn, text string) {
	t.Helper()
	if err := c.Write(t.Context(), websocket.MessageText, []byte(text)); err != nil {
		t.Fatal(err)
	}
}

func TestSocketPlays(t *testing.T) {
	s := newSite(t, nil)
	b := s.browser()
	path := s.begin(b, url.Values{})
	id := strings.TrimPrefix(path, "/game/")
	c, other := s.dial(b, path), s.dial(s.browser(), path)
	first := next(t, c, wire.KindSnapshot)
	if first.You != "black" || first.Seq != 1 {
		t.Fatalf("snapshot %+v", first)
	}
	if onlooker := next(t, other, wire.KindSnapshot); onlooker.You != "" {
		t.Fatalf("a stranger has the seat %q", onlooker.You)
	}
	move := `{"v":2,"type":"move","match":"` + id + `","client":"one","ply":0,"move":"c8-c6"}`
	tell(t, other, move)
	if m := next(t, other, wire.KindRefused); m.Code != "not-your-seat" {
		t.Errorf("a stranger's move: %+v", m)
	}
	tell(t, c, move)
	update := next(t, c, wire.KindUpdate)
	if update.From != 1 || update.Seq != 2 || len(update.Plies) != 1 || update.Plies[0].Move != "c8-c6" || !update.Thinking {
		t.Errorf("update %+v", update)
	}
	if m := next(t, other, wire.KindUpdate); m.Seq != 2 {
		t.Errorf("the onlooker heard %+v", m)
	}
	tell(t, c, move) // the same id gets the same answer and is not played twice
	if m := next(t, c, wire.KindAck); m.Client != "one" || m.Seq != 2 {
		t.Errorf("answer %+v", m)
	}
	for _, test := range []struct{ body, code string }{
		{`{"v":2,"type":"move","match":"` + id + `","client":"two","ply":0,"move":"b8-b6"}`, "wrong-ply"},
		{`{"v":2,"type":"move","match":"` + id + `","client":"three","ply":1,"move":"b8-b6"}`, "not-your-turn"},
	} {
		tell(t, c, test.body)
		if m := next(t, c, wire.KindRefused); m.Code != test.code {
			t.Errorf("%s: refused as %q, want %q", test.body, m.Code, test.code)
		}
	}
}

func TestSocketAnswersJunkAndChangesNothing(t *testing.T) {
	s := newSite(t, nil)
	b := s.browser()
	path := s.begin(b, url.Values{})
	id := strings.TrimPrefix(path, "/game/")
	c := s.dial(b, path)
	before := next(t, c, wire.KindSnapshot)
	for _, junk := range []string{
		"", "hello", "null", "[]", "{", `{"v":2}`, `{"v":2,"type":"move"}`, `{"v":2,"type":"move","match":"other"}`,
		`{"v":2,"type":"dance","match":"` + id + `"}`, `{"v":2,"type":"move","match":"` + id + `","move":"z9"}`,
		`{"v":2,"type":"move","match":"` + id + `","ply":"one"}`, strings.Repeat("[", 2000), `{"v":2,"type":"move","match":"` + id + `","client":"` + strings.Repeat("a", 100) + `"}`,
	} {
		tell(t, c, junk)
		if m := next(t, c, wire.KindRefused); m.Code != "malformed" || m.Text == "" || strings.Contains(m.Text, "wire.") || strings.Contains(m.Text, "Go ") {
			t.Errorf("%.60q: refused as %q, %q", junk, m.Code, m.Text)
		}
	}
	if err := c.Write(t.Context(), websocket.MessageBinary, []byte{0, 1, 2}); err != nil {
		t.Fatal(err)
	}
	if m := next(t, c, wire.KindRefused); m.Code != "malformed" {
		t.Errorf("a binary message: %+v", m)
	}
	tell(t, c, `{"v":2,"type":"resume","match":"`+id+`"}`)
	if after := next(t, c, wire.KindSnapshot); cmp.Diff(before, after) != "" {
		t.Error(cmp.Diff(before, after))
	}
	for range 2 { // the second comes when it is the computer's turn
		tell(t, c, `{"v":2,"type":"move","match":"`+id+`","move":"c8-c6"}`)
	}
	tell(t, c, `{"v":2,"type":"move","match":"`+id+`","ply":1,"move":"a2-c2"}`)
	for _, code := range []string{"wrong-ply", "not-your-turn"} {
		if m := next(t, c, wire.KindRefused); m.Code != code {
			t.Errorf("refused as %q, want %q", m.Code, code)
		}
		next(t, c, wire.KindSnapshot)
	}
	tell(t, c, strings.Repeat(" ", 5000))
	for {
		_, _, err := c.Read(t.Context())
		var closed websocket.CloseError
		if errors.As(err, &closed) {
			if closed.Code != websocket.StatusMessageTooBig || closed.Reason != "message of more than 4096 bytes; expected one command" {
				t.Errorf("closed for %v", closed)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestReconnectingChangesNothing(t *testing.T) {
	s := newSite(t, nil)
	b := s.browser()
	path := s.begin(b, url.Values{"move": {"c8-c6"}})
	s.reply(path)
	var first message
	for i := range 5 {
		c := s.dial(b, path)
		m := next(t, c, wire.KindSnapshot)
		if i == 0 {
			first = m
		}
		if diff := cmp.Diff(first, m); diff != "" {
			t.Error(diff)
		}
		c.CloseNow()
	}
}

func TestSocketRefusesOtherSitesAndHaste(t *testing.T) {
	s := newSite(t, nil)
	b := s.browser()
	path := s.begin(b, url.Values{})
	_, answer, err := websocket.Dial(t.Context(), s.URL+path+"/socket", &websocket.DialOptions{HTTPClient: b, HTTPHeader: http.Header{"Origin": {"https://example.org"}}})
	if err == nil || answer.StatusCode != http.StatusForbidden {
		t.Errorf("a socket from another site: %v %v", answer, err)
	}
	c := s.dial(b, path)
	next(t, c, wire.KindSnapshot)
	for range 40 {
		tell(t, c, "x")
	}
	for {
		if m := next(t, c, wire.KindRefused); m.Code == "too-fast" {
			break
		}
	}
}

func TestWholeGameOverTheSocket(t *testing.T) {
	s := newSite(t, nil)
	b := s.browser()
	path := s.begin(b, url.Values{"rules": {"mini-six:cap=12"}})
	id := strings.TrimPrefix(path, "/game/")
	c := s.dial(b, path)
	m := next(t, c, wire.KindSnapshot)
	for plies := 0; ; {
		if m.Position.Turn == "black" {
			body, err := json.Marshal(wire.Command{
				V: wire.Version, Type: wire.KindMove, Match: id, Client: fmt.Sprint("ply", plies), Ply: plies, Move: m.Position.Moves[0],
			})
			if err != nil {
				t.Fatal(err)
			}
			tell(t, c, string(body))
		} else {
			s.reply(path)
		}
		m = next(t, c, wire.KindUpdate)
		plies = m.Keep + len(m.Plies)
		if len(m.Position.Moves) == 0 {
			break
		}
	}
	over, err := s.live.Match(t.Context(), match.ID(id))
	if err != nil || !over.Outcome().Over() {
		t.Fatalf("%v %v", over.Outcome(), err)
	}
	if _, body := s.do(b, "GET", path, nil); !strings.Contains(body, `"outcome":{`) {
		t.Error("the page does not know that the game is over")
	}
}

// TestASlowOnlookerHoldsNobodyUpAndCatchesUp: while an onlooker reads nothing the match goes on, and when he reads
// again a few updates without a gap bring him to where it stands.
func TestASlowOnlookerHoldsNobodyUpAndCatchesUp(t *testing.T) {
	s := newSite(t, nil)
	b := s.browser()
	path := s.begin(b, url.Values{})
	id := match.ID(strings.TrimPrefix(path, "/game/"))
	slow := s.dial(&http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := new(net.Dialer).DialContext(ctx, network, address)
		if err == nil {
			err = c.(*net.TCPConn).SetReadBuffer(4 << 10)
		}
		return c, err
	}}}, path)
	seq := next(t, slow, wire.KindSnapshot).Seq
	changes, last := 0, 0
	for range 100 {
		for _, ask := range []func(*loa.Game) match.Ask{
			func(g *loa.Game) match.Ask { return match.Move{Ply: g.Plies(), Move: g.Moves(nil)[0]} },
			func(g *loa.Game) match.Ask { return match.Move{Ply: g.Plies(), Move: g.Moves(nil)[0]} },
			func(g *loa.Game) match.Ask { return match.Takeback{Ply: g.Plies()} },
		} {
			m, err := s.live.Match(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			by := m.Game().Position().Turn()
			if _, last, err = s.live.Submit(t.Context(), id, match.Command{By: by, Ask: ask(m.Game())}); err != nil {
				t.Fatal(err)
			}
			changes++
		}
	}
	updates := 0
	for ; seq < last; updates++ {
		update := next(t, slow, wire.KindUpdate)
		if update.From != seq {
			t.Fatalf("an update from %d for who stands at %d", update.From, seq)
		}
		seq = update.Seq
	}
	if updates >= changes {
		t.Errorf("%d updates for %d changes: nothing was joined", updates, changes)
	}
}
