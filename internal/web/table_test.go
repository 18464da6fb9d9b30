package web_test

import (
	"bytes"
	"image/gif"
	"image/png"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/match"
	"github.com/linesofaction/loa/internal/web"
	"github.com/linesofaction/loa/sgf"
)

func TestGamesAreSharedInEveryForm(t *testing.T) {
	s := newSite(t, nil)
	b := s.browser()
	path := s.begin(b, url.Values{"move": {"c8-c6"}})
	s.reply(path)
	query := "?rules=classic&position=" + url.QueryEscape("8/8/8/8/2o5/2o1o3/8/x6x w") + "&moves=c3-c5,a1-c1"
	for _, at := range []string{path + "/", "/board/"} {
		tail := ""
		if at == "/board/" {
			tail = query
		}
		_, body := s.do(s.browser(), "GET", at+"game.sgf"+tail, nil)
		records, _, err := sgf.Parse([]byte(body), sgf.Options{Strict: true})
		if err != nil || len(records) != 1 || len(records[0].Main()) != 2 {
			t.Errorf("%s: %d records, %v\n%s", at, len(records), err, body)
		}
		_, body = s.do(s.browser(), "GET", at+"board.png"+join(tail, "size=200&side=white&ply=1"), nil)
		if drawn, err := png.Decode(strings.NewReader(body)); err != nil || drawn.Bounds().Dx() != 200 {
			t.Errorf("%s: the picture: %v", at, err)
		}
		_, body = s.do(s.browser(), "GET", at+"game.gif"+tail, nil)
		if moving, err := gif.DecodeAll(bytes.NewReader([]byte(body))); err != nil || len(moving.Image) != 3 {
			t.Errorf("%s: the moving picture: %v", at, err)
		}
		answer, body := s.do(s.browser(), "GET", at+"board.svg"+tail, nil)
		if answer.Header.Get("Content-Type") != "image/svg+xml" || !strings.HasPrefix(body, "<svg ") {
			t.Errorf("%s: %s", at, answer.Header.Get("Content-Type"))
		}
	}
	if _, body := s.do(b, "GET", path, nil); !strings.Contains(body, `property="og:image" content="http://`) || !strings.Contains(body, path+"/board.png") {
		t.Error("the page has no picture for previews")
	}
}

// join adds to a query.
func join(query, more string) string {
	if query == "" {
		return "?" + more
	}
	return query + "&" + more
}

func TestAGameStandsInAFrameOfAnotherSite(t *testing.T) {
	s := newSite(t, nil)
	path := s.begin(s.browser(), url.Values{"move": {"c8-c6"}})
	answer, body := s.do(s.browser(), "GET", path+"/frame", nil)
	policy := answer.Header.Get("Content-Security-Policy")
	if answer.StatusCode != http.StatusOK || !strings.Contains(policy, "frame-ancestors *") || strings.Contains(policy, "'none' *") {
		t.Errorf("%s, %s", answer.Status, policy)
	}
	if !strings.Contains(body, `href="`+path+`"`) || strings.Contains(body, "<form") {
		t.Error("the frame does not lead to the game, or has a form in it")
	}
	answer, _ = s.do(s.browser(), "GET", path, nil)
	if policy := answer.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "frame-ancestors 'none'") {
		t.Errorf("the game itself can be framed: %s", policy)
	}
}

func TestWrongPositionsAreNamed(t *testing.T) {
	s := newSite(t, nil)
	for _, test := range []struct{ path, want string }{
		{"/board?position=hello", "hello"},
		{"/board?position=" + url.QueryEscape("8/8/8/8/8/8/8/7x b"), "8/8/8/8/8/8/8/7x b"}, // White has no pieces
		{"/board?rules=chess", "chess"},
		{"/board?rules=mini&position=" + url.QueryEscape("1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 b"), "1xxxxxx1/o6o"},
		{"/board?moves=c8-c6,c8-c6", "c8-c6"},
		{"/board?moves=pass", "pass"},
		{"/board/board.png?size=5000", "5000"},
		{"/board/board.png?ply=1", "ply"},
		{"/board/board.svg?side=green", "green"},
	} {
		answer, body := s.do(s.browser(), "GET", test.path, nil)
		if answer.StatusCode != http.StatusBadRequest || !strings.Contains(body, test.want) {
			t.Errorf("%s: %s, want 400 and %q", test.path, answer.Status, test.want)
		}
	}
	for _, position := range []string{"8/8/8/8/8/8/8/x6o b", "8/8/8/8/8/8/8/oo5x w"} {
		if answer, body := s.do(s.browser(), "POST", "/play", url.Values{"position": {position}}); answer.StatusCode != http.StatusBadRequest || !strings.Contains(body, position) {
			t.Errorf("%s is over, and played: %s", position, answer.Status)
		}
	}
}

func TestAGameFromAPositionBeginsThere(t *testing.T) {
	s := newSite(t, nil)
	b := s.browser()
	const position = "8/8/8/8/1x4o1/8/1o4x1/8 w"
	path := s.begin(b, url.Values{"position": {position}, "level": {"2"}})
	_, body := s.do(b, "GET", path, nil)
	for _, want := range []string{`"you":"white"`, `"board":"8/8/8/8/1x4o1/8/1o4x1/8"`, `name="position" value="` + position + `"`} {
		if !strings.Contains(body, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}

func TestAGameOfOnesOwnBoardGoesOnOnTheServer(t *testing.T) {
	s := newSite(t, nil)
	b := s.browser()
	keep := func(form url.Values) *match.Match {
		t.Helper()
		answer, body := s.do(b, "POST", "/board/keep", form)
		if answer.StatusCode != http.StatusSeeOther {
			t.Fatalf("%v: %s\n%s", form, answer.Status, body)
		}
		m, err := s.live.Match(t.Context(), match.ID(strings.TrimPrefix(answer.Header.Get("Location"), "/game/")))
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	m := keep(url.Values{"rules": {"classic"}, "moves": {"c8-c6,h4-f2,b8-b6"}, "level": {"4"}, "color": {"black"}})
	if m.Game().Plies() < 3 || m.Game().Format(2) != "b8-b6" || m.Seat(loa.White).Level != 4 || m.Rules().String() != "classic" {
		t.Errorf("kept %v %+v", m.Rules(), m.Seat(loa.White))
	}
	// the second of two people gets a link of their own
	m = keep(url.Values{"moves": {"c8-c6"}, "level": {"0"}, "color": {"black"}})
	if !m.BetweenPeople() {
		t.Fatal("the other seat is not a person's")
	}
	path := "/game/" + string(m.ID())
	_, body := s.do(b, "GET", path, nil)
	_, link, _ := strings.Cut(body, "Link for the other player")
	_, link, _ = strings.Cut(link, `value="`)
	link, _, _ = strings.Cut(link, `"`)
	at, err := url.Parse(link)
	if err != nil || !strings.HasPrefix(at.Path, path+"/seat/") {
		t.Fatalf("the link is %q", link)
	}
	other := s.browser()
	if answer, _ := s.do(other, "POST", at.Path, url.Values{}); answer.StatusCode != http.StatusSeeOther {
		t.Fatal(answer.Status)
	}
	if _, body := s.do(other, "GET", path, nil); !strings.Contains(body, `"you":"white"`) || strings.Contains(body, "Link for the other player") {
		t.Error("the link does not open the other seat alone")
	}
	// a finished game is kept as one
	m = keep(url.Values{"position": {"8/8/3x4/2x1x3/8/3x4/8/o6o b"}, "moves": {"d3-d5"}, "color": {"black"}, "level": {"1"}})
	if outcome := m.Outcome(); outcome.Winner != loa.Black {
		t.Errorf("the finished game ended with %v", outcome)
	}
	if answer, _ := s.do(b, "POST", "/board/keep", url.Values{"moves": {"c8-c5"}}); answer.StatusCode != http.StatusBadRequest {
		t.Errorf("an illegal move: %s", answer.Status)
	}
	if answer, _ := s.do(b, "POST", "/board/keep", url.Values{"level": {"11"}}); answer.StatusCode != http.StatusBadRequest {
		t.Errorf("level 11: %s", answer.Status)
	}
}

func TestTheGalleryIsThereInDevelopmentOnly(t *testing.T) {
	s := newSite(t, func(o *web.Options) { o.Develop = true })
	answer, body := s.do(s.browser(), "GET", "/gallery", nil)
	if answer.StatusCode != http.StatusOK || strings.Count(body, "data-state=") < 10 || !strings.Contains(body, "#i-flag") {
		t.Errorf("%s: the gallery lacks boards or icons", answer.Status)
	}
	if answer, _ := newSite(t, nil).do(http.DefaultClient, "GET", "/gallery", nil); answer.StatusCode != http.StatusNotFound {
		t.Errorf("without development: %s", answer.Status)
	}
}
