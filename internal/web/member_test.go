package web_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/linesofaction/loa/internal/match"
	"github.com/linesofaction/loa/internal/web"
	"github.com/linesofaction/loa/internal/wire"
)

const goodPassword = "correct horse battery"

// join makes an account with a browser, keeping the guest's games.
func (s *site) join(b *http.Client, name string) {
	s.t.Helper()
	answer, body := s.do(b, "POST", "/join", url.Values{"name": {name}, "password": {goodPassword}, "keep": {"1"}})
	if answer.StatusCode != http.StatusSeeOther {
		s.t.Fatalf("joining as %s: %s\n%s", name, answer.Status, body)
	}
}

func TestGuestWhoJoinsKeepsHisGames(t *testing.T) {
	s := newSite(t, nil)
	b := s.browser()
	path := s.begin(b, url.Values{})
	if _, body := s.do(b, "GET", "/join", nil); !strings.Contains(body, "Keep the game I played as a guest") {
		t.Error("the guest is not asked about his game")
	}
	s.join(b, "Marit")
	if _, body := s.do(b, "GET", path, nil); !strings.Contains(body, `"you":"black"`) {
		t.Error("the seat is lost")
	}
	if _, body := s.do(b, "GET", "/players/marit", nil); !strings.Contains(body, path) {
		t.Error("the game is not on the member's page")
	}
	if _, body := s.do(s.browser(), "GET", path, nil); !strings.Contains(body, `"black":{"kind":"member","name":"Marit"}`) {
		t.Error("the game still names a guest")
	}
}

func TestGuestWhoJoinsAnewLeavesHisGames(t *testing.T) {
	s := newSite(t, nil)
	b := s.browser()
	path := s.begin(b, url.Values{})
	answer, _ := s.do(b, "POST", "/join", url.Values{"name": {"Marit"}, "password": {goodPassword}})
	if answer.StatusCode != http.StatusSeeOther {
		t.Fatal(answer.Status)
	}
	if _, body := s.do(b, "GET", "/players/Marit", nil); strings.Contains(body, path) {
		t.Error("the guest's game came along without being asked")
	}
}

func TestGuestWhoJoinsAnewKeepsHisSeats(t *testing.T) {
	s := newSite(t, nil)
	b := s.browser()
	path := s.begin(b, url.Values{})
	if answer, _ := s.do(b, "POST", "/join", url.Values{"name": {"Marit"}, "password": {goodPassword}}); answer.StatusCode != http.StatusSeeOther {
		t.Fatal(answer.Status)
	}
	if _, body := s.do(b, "GET", path, nil); !strings.Contains(body, `"you":"black"`) {
		t.Error("the seat is lost")
	}
}

func TestGuestWhoseNameIsTakenStaysTheSame(t *testing.T) {
	s := newSite(t, nil)
	s.join(s.browser(), "Marit")
	b := s.browser()
	s.begin(b, url.Values{})
	answer, body := s.do(b, "POST", "/join", url.Values{"name": {"Marit"}, "password": {goodPassword}})
	if answer.StatusCode != http.StatusConflict || len(answer.Cookies()) != 0 {
		t.Errorf("%s with cookies %v", answer.Status, answer.Cookies())
	}
	if !strings.Contains(body, "Keep the game I played as a guest") {
		t.Error("the guest is not asked about his game any more")
	}
}

func TestNamesAndPasswordsThatAreRefused(t *testing.T) {
	s := newSite(t, nil)
	s.join(s.browser(), "Marit")
	for _, test := range []struct {
		name, password string
		status         int
		want           string
	}{
		{"ab", goodPassword, http.StatusBadRequest, "too short"},
		{"admin", goodPassword, http.StatusBadRequest, "reserved"},
		{"a<script>", goodPassword, http.StatusBadRequest, "letters a to z"},
		{"M-arit", goodPassword, http.StatusConflict, "taken"},
		{"mar1t", goodPassword, http.StatusConflict, "taken"},
		{"Anneke", "short", http.StatusBadRequest, "password is too short"},
		{"AnnekeAnneke", "annekeanneke", http.StatusBadRequest, "must not be the name"},
	} {
		answer, body := s.do(s.browser(), "POST", "/join", url.Values{"name": {test.name}, "password": {test.password}})
		if answer.StatusCode != test.status || !strings.Contains(body, test.want) {
			t.Errorf("%s: %s, want %d and %q", test.name, answer.Status, test.status, test.want)
		}
		if strings.Contains(body, "<script>") {
			t.Error("user text is not escaped")
		}
	}
}

func TestSigningInDuringAGameKeepsTheSeat(t *testing.T) {
	s := newSite(t, nil)
	s.join(s.browser(), "Marit")
	b := s.browser()
	path := s.begin(b, url.Values{}) // as a guest
	answer, body := s.do(b, "POST", "/sign-in", url.Values{"name": {"MARIT"}, "password": {goodPassword}, "back": {path}})
	if answer.StatusCode != http.StatusSeeOther || answer.Header.Get("Location") != path {
		t.Fatalf("%s to %s\n%s", answer.Status, answer.Header.Get("Location"), body)
	}
	if _, body := s.do(b, "GET", path, nil); !strings.Contains(body, `"you":"black"`) {
		t.Error("the seat is lost")
	}
	if answer, _ := s.do(b, "GET", "/account", nil); answer.StatusCode != http.StatusOK {
		t.Error("not signed in:", answer.Status)
	}
}

// Whoever holds a seat by its secret holds one in the rematch, too, which knows only the person that has it.
func TestASeatKeptByItsSecretIsKeptInTheRematch(t *testing.T) {
	s := newClub(t)
	maker, taker := s.browser(), s.browser()
	s.join(s.browser(), "Marit")
	answer, _ := s.do(taker, "POST", s.invite(maker, url.Values{"rules": {"standard"}, "color": {"black"}})+"/accept", url.Values{})
	path := answer.Header.Get("Location")
	if answer, _ := s.do(taker, "POST", "/sign-in", url.Values{"name": {"Marit"}, "password": {goodPassword}}); answer.StatusCode != http.StatusSeeOther {
		t.Fatal(answer.Status)
	}
	if answer, _ := s.do(taker, "GET", path+"/next", nil); answer.Header.Get("Location") != path {
		t.Errorf("before a rematch it leads to %q", answer.Header.Get("Location"))
	}
	black, white := s.dial(maker, path), s.dial(taker, path)
	id := strings.TrimPrefix(path, "/game/")
	tell(t, white, fmt.Sprintf(`{"v":2,"type":"resign","match":%q}`, id))
	next(t, white, wire.KindAck)
	for _, one := range []*websocket.Conn{white, black} {
		tell(t, one, fmt.Sprintf(`{"v":2,"type":"rematch","match":%q}`, id))
		next(t, one, wire.KindAck)
	}
	m, err := s.live.Match(t.Context(), match.ID(id))
	if err != nil || m.Rematch() == "" {
		t.Fatalf("no rematch, %v", err)
	}
	for name, one := range map[string]struct {
		b    *http.Client
		want string
	}{"the maker": {maker, `"you":"white"`}, "who has signed in": {taker, `"you":"black"`}, "an onlooker": {s.browser(), ""}} {
		answer, _ := s.do(one.b, "GET", path+"/next", nil)
		if answer.Header.Get("Location") != "/game/"+string(m.Rematch()) {
			t.Errorf("%s is led to %q", name, answer.Header.Get("Location"))
		}
		_, body := s.do(one.b, "GET", answer.Header.Get("Location"), nil)
		if one.want != "" && !strings.Contains(body, one.want) || one.want == "" && strings.Contains(body, `"you"`) {
			t.Errorf("%s does not find %q", name, one.want)
		}
	}
}

func TestTheBlockedHaveNoRematch(t *testing.T) {
	s := newClub(t)
	maker, taker := s.browser(), s.browser()
	s.join(maker, "Marit")
	answer, _ := s.do(taker, "POST", s.invite(maker, url.Values{"rules": {"standard"}, "color": {"black"}})+"/accept", url.Values{})
	path := answer.Header.Get("Location")
	black, white := s.dial(maker, path), s.dial(taker, path)
	id := strings.TrimPrefix(path, "/game/")
	tell(t, white, fmt.Sprintf(`{"v":2,"type":"resign","match":%q}`, id))
	next(t, white, wire.KindAck)
	s.do(taker, "POST", "/players/Marit/block", url.Values{"block": {"on"}})
	for _, one := range []*websocket.Conn{black, white} {
		tell(t, one, fmt.Sprintf(`{"v":2,"type":"rematch","match":%q}`, id))
		if m := next(t, one, wire.KindRefused); m.Code != "blocked" {
			t.Errorf("refused with %q", m.Code)
		}
	}
}

func TestWrongPasswordsAreRefusedAndSlowedDown(t *testing.T) {
	now := time.UnixMilli(1_700_000_000_000)
	s := newSite(t, func(o *web.Options) { o.Now = func() time.Time { return now } })
	s.join(s.browser(), "Marit")
	try := func(name, password string) int {
		answer, _ := s.do(s.browser(), "POST", "/sign-in", url.Values{"name": {name}, "password": {password}})
		if answer.StatusCode == http.StatusTooManyRequests && answer.Header.Get("Retry-After") != "10" {
			t.Errorf("to be tried again after %q seconds", answer.Header.Get("Retry-After"))
		}
		return answer.StatusCode
	}
	if got := try("Nobody", goodPassword); got != http.StatusForbidden {
		t.Errorf("an unknown name: %d", got)
	}
	slowed := false
	for range 10 {
		switch got := try("Marit", "wrong password"); got {
		case http.StatusForbidden:
		case http.StatusTooManyRequests:
			slowed = true
		default:
			t.Fatalf("a wrong password: %d", got)
		}
	}
	if !slowed {
		t.Error("guessing is not slowed down")
	}
	if got := try("m-a-r-i-t", goodPassword); got != http.StatusTooManyRequests {
		t.Errorf("another spelling of the name gets %d", got)
	}
	now = now.Add(time.Minute)
	if got := try("Marit", goodPassword); got != http.StatusSeeOther {
		t.Errorf("the right password a minute later: %d", got)
	}
}

func TestChangedPasswordEndsOtherSessions(t *testing.T) {
	s := newSite(t, nil)
	one, two := s.browser(), s.browser()
	s.join(one, "Marit")
	if answer, _ := s.do(two, "POST", "/sign-in", url.Values{"name": {"Marit"}, "password": {goodPassword}}); answer.StatusCode != http.StatusSeeOther {
		t.Fatal(answer.Status)
	}
	if answer, _ := s.do(one, "POST", "/account/password", url.Values{"password": {"not it at all"}, "new": {"another password"}}); answer.StatusCode != http.StatusForbidden {
		t.Errorf("with a wrong password: %s", answer.Status)
	}
	if answer, _ := s.do(one, "POST", "/account/password", url.Values{"password": {goodPassword}, "new": {"another password"}}); answer.StatusCode != http.StatusOK {
		t.Fatal(answer.Status)
	}
	if answer, _ := s.do(one, "GET", "/account", nil); answer.StatusCode != http.StatusOK {
		t.Errorf("the browser that changed it: %s", answer.Status)
	}
	if answer, _ := s.do(two, "GET", "/account", nil); answer.StatusCode != http.StatusSeeOther {
		t.Errorf("the other browser: %s", answer.Status)
	}
}

func TestAllOtherSessionsAreEndedAtOnce(t *testing.T) {
	s := newClub(t)
	one := s.browser()
	s.join(one, "Marit")
	const button = `name="session" value="others"`
	if _, body := s.do(one, "GET", "/account", nil); strings.Contains(body, button) {
		t.Error("with one session there are others to end")
	}
	others := []*http.Client{s.browser(), s.browser()}
	s.wait(25 * time.Minute)
	for _, other := range others {
		s.do(other, "POST", "/sign-in", url.Values{"name": {"Marit"}, "password": {goodPassword}})
	}
	_, before := s.do(one, "GET", "/account", nil)
	if begun := regexp.MustCompile(`<b>([^<]+)</b><br><span class="sm">last seen ([^<]+)</span>`).FindStringSubmatch(before); begun == nil || begun[1] != begun[2] {
		t.Errorf("a session that has just begun: %q; expected that it was seen then", begun)
	}
	s.wait(24 * time.Hour)
	s.do(others[0], "GET", "/", nil)
	_, after := s.do(one, "GET", "/account", nil)
	seen := regexp.MustCompile(`last seen ([^<]+)`)
	if was, is := seen.FindAllStringSubmatch(before, -1), seen.FindAllStringSubmatch(after, -1); len(was) != 2 || len(is) != 2 || was[0][1] != was[1][1] || is[0][1] == is[1][1] {
		t.Errorf("the sessions were last seen %q, and a day later, when one of them came again, %q", was, is)
	}
	if !strings.Contains(after, button) {
		t.Fatalf("no button ends the other sessions:\n%s", after)
	}
	s.do(one, "POST", "/account/sessions", url.Values{"session": {"others"}})
	for _, other := range others {
		if answer, _ := s.do(other, "GET", "/account", nil); answer.StatusCode != http.StatusSeeOther {
			t.Errorf("another session: %s", answer.Status)
		}
	}
	if answer, _ := s.do(one, "GET", "/account", nil); answer.StatusCode != http.StatusOK {
		t.Errorf("the session that ended the others: %s", answer.Status)
	}
}

func TestSessionsAreListedAndRevoked(t *testing.T) {
	s := newSite(t, nil)
	one, two := s.browser(), s.browser()
	s.join(one, "Marit")
	s.do(two, "POST", "/sign-in", url.Values{"name": {"Marit"}, "password": {goodPassword}}, "User-Agent", "A phone <b>")
	_, body := s.do(one, "GET", "/account", nil)
	if n := strings.Count(body, "<td><b>"); n != 2 {
		t.Errorf("%d sessions are listed, want the one begun by joining and the other", n)
	}
	found := regexp.MustCompile(`name="session" value="([0-9a-f]+)"`).FindStringSubmatch(body)
	if found == nil || !strings.Contains(body, "A phone &lt;b&gt;") {
		t.Fatalf("the other session is not listed:\n%s", body)
	}
	s.do(one, "POST", "/account/sessions", url.Values{"session": {found[1]}})
	if answer, _ := s.do(two, "GET", "/account", nil); answer.StatusCode != http.StatusSeeOther {
		t.Errorf("the revoked session: %s", answer.Status)
	}
	if answer, _ := s.do(one, "POST", "/account/sessions", url.Values{"session": {"junk"}}); answer.StatusCode != http.StatusBadRequest {
		t.Errorf("junk: %s", answer.Status)
	}
	if answer, _ := s.do(one, "POST", "/sign-out", url.Values{}); answer.StatusCode != http.StatusSeeOther {
		t.Error(answer.Status)
	}
	if answer, _ := s.do(one, "GET", "/account", nil); answer.StatusCode != http.StatusSeeOther {
		t.Errorf("after signing out: %s", answer.Status)
	}
}

func TestExportAndClosedAccount(t *testing.T) {
	s := newSite(t, nil)
	b := s.browser()
	s.join(b, "Marit")
	path := s.begin(b, url.Values{"move": {"c8-c6"}})
	answer, body := s.do(b, "GET", "/account/export", nil)
	var data struct {
		Name  string
		Games []struct {
			ID, Start string
			Moves     []string
		}
	}
	if err := json.Unmarshal([]byte(body), &data); err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%s %v\n%s", answer.Status, err, body)
	}
	if !strings.Contains(body, `"black": "Marit"`) || strings.Contains(body, "null") || strings.Contains(body, "Barred") {
		t.Errorf("the export does not keep to one form:\n%s", body)
	}
	if data.Name != "Marit" || len(data.Games) != 1 || "/game/"+data.Games[0].ID != path ||
		data.Games[0].Start != "1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 b" || fmt.Sprint(data.Games[0].Moves) != "[c8-c6]" {
		t.Errorf("exported %+v", data)
	}
	if _, body := s.do(s.browser(), "GET", path, nil); !strings.Contains(body, "Marit") {
		t.Error("the game does not name the member")
	}
	if answer, _ := s.do(b, "POST", "/account/close", url.Values{"password": {"wrong password"}}); answer.StatusCode != http.StatusForbidden {
		t.Errorf("with a wrong password: %s", answer.Status)
	}
	if answer, _ := s.do(b, "POST", "/account/close", url.Values{"password": {goodPassword}}); answer.StatusCode != http.StatusSeeOther {
		t.Fatal(answer.Status)
	}
	if answer, _ := s.do(s.browser(), "GET", "/players/Marit", nil); answer.StatusCode != http.StatusNotFound {
		t.Errorf("the page of a closed account: %s", answer.Status)
	}
	answer, body = s.do(s.browser(), "GET", path, nil)
	if answer.StatusCode != http.StatusOK || strings.Contains(body, "Marit") {
		t.Errorf("the game: %s, the name in it: %v", answer.Status, strings.Contains(body, "Marit"))
	}
	for _, name := range []string{"Marit", "mar1t"} { // by which somebody else would pass for her
		answer, body := s.do(s.browser(), "POST", "/join", url.Values{"name": {name}, "password": {goodPassword}})
		if answer.StatusCode != http.StatusConflict || !strings.Contains(body, "closed account") {
			t.Errorf("joining as %s: %s", name, answer.Status)
		}
	}
}

// TestWhoMayDoWhat: pages of members lead others to the page to sign in, and no form works from another site.
func TestWhoMayDoWhat(t *testing.T) {
	s := newSite(t, nil)
	guest, member := s.browser(), s.browser()
	s.begin(guest, url.Values{})
	s.join(member, "Marit")
	for _, route := range []string{"GET /account", "GET /account/export", "POST /account/password", "POST /account/sessions", "POST /account/close"} {
		method, path, _ := strings.Cut(route, " ")
		for name, b := range map[string]*http.Client{"a stranger": s.browser(), "a guest": guest} {
			answer, _ := s.do(b, method, path, url.Values{})
			if answer.StatusCode != http.StatusSeeOther || !strings.HasPrefix(answer.Header.Get("Location"), "/sign-in") {
				t.Errorf("%s by %s: %s to %q", route, name, answer.Status, answer.Header.Get("Location"))
			}
		}
	}
	for _, path := range []string{"/join", "/sign-in", "/sign-out", "/account/password", "/account/sessions", "/account/close"} {
		answer, _ := s.do(member, "POST", path, url.Values{"password": {goodPassword}}, "Origin", "https://elsewhere.example", "Sec-Fetch-Site", "cross-site")
		if answer.StatusCode != http.StatusForbidden {
			t.Errorf("POST %s from another site: %s", path, answer.Status)
		}
	}
	if answer, _ := s.do(member, "GET", "/account", nil); answer.StatusCode != http.StatusOK {
		t.Errorf("the member: %s", answer.Status)
	}
}

func TestPlayersPageWithoutRatedGames(t *testing.T) {
	s := newSite(t, nil)
	if answer, _ := s.do(s.browser(), "GET", "/players", nil); answer.StatusCode != http.StatusOK {
		t.Error(answer.Status)
	}
	for path, want := range map[string]int{"/players?pool=chess": http.StatusBadRequest, "/players/nobody": http.StatusNotFound} {
		if answer, _ := s.do(s.browser(), "GET", path, nil); answer.StatusCode != want {
			t.Errorf("%s: %s, want %d", path, answer.Status, want)
		}
	}
}

func TestBlockingIsShownAndEnds(t *testing.T) {
	s := newSite(t, nil)
	s.join(s.browser(), "Marit")
	b := s.browser()
	s.begin(b, url.Values{})
	for _, step := range []struct{ block, want string }{{"on", "Unblock"}, {"off", ">Block<"}} {
		answer, _ := s.do(b, "POST", "/players/marit/block", url.Values{"block": {step.block}})
		if answer.StatusCode != http.StatusSeeOther || answer.Header.Get("Location") != "/players/Marit" {
			t.Fatalf("%s: %s to %q", step.block, answer.Status, answer.Header.Get("Location"))
		}
		if _, body := s.do(b, "GET", "/players/Marit", nil); !strings.Contains(body, step.want) {
			t.Errorf("after %s the page has no %q", step.block, step.want)
		}
	}
	if answer, _ := s.do(b, "POST", "/players/marit/block", url.Values{"block": {"maybe"}}); answer.StatusCode != http.StatusBadRequest {
		t.Error(answer.Status)
	}
	if answer, _ := s.do(b, "POST", "/players/nobody/block", url.Values{"block": {"on"}}); answer.StatusCode != http.StatusNotFound {
		t.Error(answer.Status)
	}
}

// Who signs in during a game plays on, and finds the game where the others of the account are.
func TestGamesOfTheGuestWhoSignsInAreFound(t *testing.T) {
	s := newClub(t)
	s.join(s.browser(), "Marit")
	b := s.browser()
	path := s.begin(b, url.Values{})
	if answer, _ := s.do(b, "POST", "/sign-in", url.Values{"name": {"Marit"}, "password": {goodPassword}}); answer.StatusCode != http.StatusSeeOther {
		t.Fatal(answer.Status)
	}
	for _, page := range []string{"/", "/lobby"} {
		if _, body := s.do(b, "GET", page, nil); !strings.Contains(body, `href="`+path+`"`) {
			t.Errorf("%s does not lead to the game", page)
		}
	}
	if _, body := s.do(b, "GET", path, nil); !strings.Contains(body, `"you":"black"`) {
		t.Error("the seat is lost")
	}
	stranger := s.browser()
	if _, body := s.do(stranger, "GET", "/lobby", nil, "Cookie", "loa_seats="+strings.TrimPrefix(path, "/game/")+":guessed"); strings.Contains(body, path) {
		t.Error("a guessed secret lists the game")
	}
}

func TestInvitationsAreToldOnEveryPage(t *testing.T) {
	s := newClub(t)
	invited, maker := s.browser(), s.browser()
	s.join(invited, "Marit")
	path := s.invite(maker, url.Values{"rules": {"standard"}, "to": {"Marit"}})
	for _, page := range []string{"/", "/watch", "/players", "/account"} {
		if _, body := s.do(invited, "GET", page, nil); !strings.Contains(body, "An invitation to a game waits for you") {
			t.Errorf("%s does not tell of the invitation", page)
		}
	}
	if _, body := s.do(maker, "GET", "/", nil); strings.Contains(body, "An invitation to a game waits") {
		t.Error("the maker is told of the own invitation")
	}
	answer, body := s.do(s.browser(), "GET", path, nil) // the invited, in a browser that does not know them
	if answer.StatusCode != http.StatusForbidden || !strings.Contains(body, `href="/sign-in?back=`) {
		t.Errorf("%s, and no way to sign in", answer.Status)
	}
	s.do(invited, "POST", path+"/refuse", url.Values{})
	if _, body := s.do(invited, "GET", "/", nil); strings.Contains(body, "An invitation to a game waits") {
		t.Error("a declined invitation is told of")
	}
}

func TestMembersAreFoundByTheBeginningOfTheirName(t *testing.T) {
	s := newClub(t)
	s.join(s.browser(), "Marit")
	s.join(s.browser(), "Pieter")
	for find, want := range map[string]bool{"mar": true, "MARIT": true, "arit": false, "": false} {
		if _, body := s.do(s.browser(), "GET", "/players?find="+find, nil); strings.Contains(body, `href="/players/Marit"`) != want || strings.Contains(body, "/players/Pieter") {
			t.Errorf("%q finds Marit: %v", find, !want)
		}
	}
	if _, body := s.do(s.browser(), "GET", "/players?find=%3Cb%3E", nil); !strings.Contains(body, "Nobody is called &lt;b&gt;") {
		t.Error("nobody is found without a word, or the text is not escaped")
	}
}
