package main

import (
	"context"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/linesofaction/loa/internal/wire"
)

// proxied is a club behind a proxy with TLS, under a path or, for an empty one, on a host of its own.
func proxied(t *testing.T, path string, strip bool) (public string, client *http.Client) {
	t.Helper()
	var target *url.URL
	proxy := httptest.NewUnstartedServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(target)
		r.SetXForwarded() // the host that people use is not passed on: the setting says it
		if strip {
			r.Out.URL.Path = strings.TrimPrefix(r.Out.URL.Path, path)
		}
	}})
	proxy.StartTLS()
	t.Cleanup(proxy.Close)
	public = proxy.URL + path
	address, _ := servedBy(t, &serveCommand{place: place{Data: t.TempDir()}, Public: public, Proxy: true}, io.Discard)
	target, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	client = proxy.Client()
	client.Jar = jar
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return public, client
}

var leads = regexp.MustCompile(` (?:href|src)="([^"#]+)"`)

func TestBehindAProxyWithTLSUnderAPathOrAHostOfItsOwn(t *testing.T) {
	for name, test := range map[string]struct {
		path  string
		strip bool
	}{"host": {"", false}, "path": {"/loa", false}, "deep path that the proxy takes off": {"/clubs/loa", true}} {
		t.Run(name, func(t *testing.T) {
			public, client := proxied(t, test.path, test.strip)
			post := func(path string, form url.Values, origin string) *http.Response {
				t.Helper()
				request, err := http.NewRequest(http.MethodPost, public+path, strings.NewReader(form.Encode()))
				if err != nil {
					t.Fatal(err)
				}
				request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
				request.Header.Set("Origin", origin)
				request.Header.Set("Sec-Fetch-Site", "same-origin")
				if origin == "https://elsewhere.example" {
					request.Header.Set("Sec-Fetch-Site", "cross-site")
				}
				answer, err := client.Do(request)
				if err != nil {
					t.Fatal(err)
				}
				answer.Body.Close()
				return answer
			}
			origin := strings.TrimSuffix(public, test.path)
			if answer := post("/play", url.Values{}, "https://elsewhere.example"); answer.StatusCode != http.StatusForbidden {
				t.Errorf("a form of another site: %s", answer.Status)
			}
			joined := post("/join", url.Values{"name": {"Judith"}, "password": {"a password for tests"}}, origin)
			for _, cookie := range joined.Cookies() {
				if cookie.Path != test.path+"/" || !cookie.Secure {
					t.Errorf("cookie %s", cookie)
				}
			}
			began := post("/play", url.Values{"color": {"black"}, "level": {"1"}}, origin)
			game := began.Header.Get("Location")
			if began.StatusCode != http.StatusSeeOther || !strings.HasPrefix(game, test.path+"/game/") {
				t.Fatalf("%s to %q", began.Status, game)
			}

			// every page and file that the pages lead to is there, and none outside
			todo, seen := []string{test.path + "/", test.path + "/manifest.webmanifest", game}, map[string]bool{}
			if test.path != "" {
				todo = append(todo, test.path)
			}
			for len(todo) > 0 && len(seen) < 150 {
				path := todo[0]
				todo = todo[1:]
				if seen[path] || strings.Contains(path, "export") || strings.Contains(path, "?after=") {
					continue
				}
				seen[path] = true
				answer, err := client.Get(origin + path)
				if err != nil {
					t.Fatal(err)
				}
				text, err := io.ReadAll(answer.Body)
				answer.Body.Close()
				if err != nil || answer.StatusCode >= 400 {
					t.Errorf("%s: %s, %v", path, answer.Status, err)
				}
				if to := answer.Header.Get("Location"); to != "" {
					todo = append(todo, to)
					continue // the text is for browsers that do not go there by themselves
				}
				for _, found := range leads.FindAllStringSubmatch(string(text), -1) {
					to := strings.ReplaceAll(strings.TrimPrefix(found[1], origin), "&amp;", "&")
					switch {
					case strings.HasPrefix(to, test.path+"/"):
						todo = append(todo, to)
					case strings.HasPrefix(to, "/"):
						t.Errorf("%s leads out, to %s", path, to)
					}
				}
				if strings.Contains(string(text), `action="/`) && test.path != "" {
					for _, form := range regexp.MustCompile(` action="(/[^"]*)"`).FindAllStringSubmatch(string(text), -1) {
						if !strings.HasPrefix(form[1], test.path+"/") {
							t.Errorf("%s has a form that leads out, to %s", path, form[1])
						}
					}
				}
				if strings.HasSuffix(path, "/sw.js") && answer.Header.Get("Service-Worker-Allowed") != test.path+"/" {
					t.Errorf("pages without network may be answered under %q", answer.Header.Get("Service-Worker-Allowed"))
				}
				if strings.HasSuffix(path, "webmanifest") && !strings.Contains(string(text), `"scope":"`+test.path+`/"`) {
					t.Errorf("manifest %s", text)
				}
			}
			if len(seen) < 30 {
				t.Errorf("only %d pages were found", len(seen))
			}

			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			defer cancel()
			socket, _, err := websocket.Dial(ctx, origin+game+"/socket", &websocket.DialOptions{HTTPClient: client, HTTPHeader: http.Header{"Origin": {origin}}})
			if err != nil {
				t.Fatal(err)
			}
			defer socket.CloseNow()
			move := wire.Command{V: wire.Version, Type: wire.KindMove, Match: game[strings.LastIndex(game, "/")+1:], Move: "b8-d6", Client: "one"}
			if err := write(ctx, socket, move); err != nil {
				t.Fatal(err)
			}
			for {
				message, err := read(ctx, socket)
				if err != nil {
					t.Fatal(err)
				}
				if refused, ok := message.(*wire.Refused); ok {
					t.Fatalf("refused: %+v", refused)
				}
				if _, ok := message.(*wire.Ack); ok {
					break
				}
			}
		})
	}
}
