package web_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/linesofaction/loa/internal/account"
	"github.com/linesofaction/loa/internal/match"
	"github.com/linesofaction/loa/internal/store"
	"github.com/linesofaction/loa/internal/talk"
	"github.com/linesofaction/loa/internal/web"
)

// guarded is a club with a moderator, a member and a guest, and its storage.
type guarded struct {
	*club
	db                       *store.Store
	moderator, member, guest *http.Client
	id                       string // the member's
}

func newGuarded(t *testing.T) *guarded {
	t.Helper()
	return newGuardedWith(t, func(*web.Options, *store.Store) {})
}

// newGuardedWithMail is newGuarded where the host sends mail, and one address may ask for everything at once.
func newGuardedWithMail(t *testing.T) *guarded {
	t.Helper()
	return newGuardedWith(t, func(o *web.Options, db *store.Store) {
		o.Letters, o.Limits = db, web.DefaultLimits()
		o.Limits.Burst = 10_000
	})
}

func newGuardedWith(t *testing.T, change func(*web.Options, *store.Store)) *guarded {
	t.Helper()
	g := new(guarded)
	g.club = newClubWith(t, func(o *web.Options) {
		g.db = o.People.(*store.Store)
		change(o, g.db)
	})
	g.moderator, g.member, g.guest = g.browser(), g.browser(), g.browser()
	g.join(g.moderator, "Judith")
	g.join(g.member, "Marit")
	g.do(g.guest, "POST", "/play", url.Values{})
	judith, _, err := g.db.PersonByName(context.Background(), "Judith")
	if err != nil {
		t.Fatal(err)
	}
	if err := g.db.Act(context.Background(), account.Act{At: judith.Created, Kind: account.Appoint, Person: judith.ID, Name: judith.Name, Reason: "first"}, ""); err != nil {
		t.Fatal(err)
	}
	marit, _, err := g.db.PersonByName(context.Background(), "Marit")
	if err != nil {
		t.Fatal(err)
	}
	g.id = marit.ID
	return g
}

// act lets the moderator do something about the member.
func (g *guarded) act(form url.Values) (*http.Response, string) {
	return g.do(g.moderator, "POST", "/moderation/people/"+g.id, form)
}

func TestModerationIsForModerators(t *testing.T) {
	g := newGuarded(t)
	game := strings.TrimPrefix(g.begin(g.member, url.Values{}), "/game/")
	for _, path := range []string{"/moderation", "/moderation/people/" + g.id, "/moderation/games/" + game} {
		for name, b := range map[string]*http.Client{"member": g.member, "guest": g.guest, "stranger": g.browser()} {
			if answer, _ := g.do(b, "GET", path, nil); answer.StatusCode != http.StatusForbidden {
				t.Errorf("GET %s by a %s: %s", path, name, answer.Status)
			}
			if path == "/moderation" {
				continue
			}
			if answer, _ := g.do(b, "POST", path, url.Values{"act": {"warn"}, "result": {"void"}, "reason": {"because"}}); answer.StatusCode != http.StatusForbidden {
				t.Errorf("POST %s by a %s: %s", path, name, answer.Status)
			}
		}
		if answer, _ := g.do(g.moderator, "GET", path, nil); answer.StatusCode != http.StatusOK {
			t.Errorf("GET %s by the moderator: %s", path, answer.Status)
		}
	}
	if n, err := g.db.LastAct(context.Background()); n != 1 || err != nil {
		t.Errorf("log at %d, %v", n, err)
	}
}

func TestModeratorFindsAndActs(t *testing.T) {
	g := newGuarded(t)
	if _, body := g.do(g.moderator, "GET", "/moderation?find=mar", nil); !strings.Contains(body, "/moderation/people/"+g.id) {
		t.Error("the member is not found")
	}
	if answer, body := g.act(url.Values{"act": {"warn"}, "reason": {"Please <b>move</b>."}}); answer.StatusCode != http.StatusSeeOther {
		t.Fatalf("%s\n%s", answer.Status, body)
	}
	if _, body := g.do(g.member, "GET", "/", nil); !strings.Contains(body, `href="/notices"`) {
		t.Error("the member is not told of the warning")
	}
	if _, body := g.do(g.member, "GET", "/notices", nil); !strings.Contains(body, "Please &lt;b&gt;move&lt;/b&gt;.") {
		t.Error("the warning cannot be read")
	}
	g.do(g.member, "POST", "/notices", url.Values{})
	if _, body := g.do(g.member, "GET", "/", nil); strings.Contains(body, `href="/notices"`) {
		t.Error("the member is told of what was read")
	}
	if _, body := g.do(g.guest, "GET", "/notices", nil); strings.Contains(body, "Please") {
		t.Error("somebody else reads the warning")
	}
	g.act(url.Values{"act": {"close"}, "reason": {"asked for by mail"}})
	if answer, _ := g.do(g.browser(), "GET", "/players/Marit", nil); answer.StatusCode != http.StatusNotFound {
		t.Error("the account is open")
	}
	if answer, _ := g.do(g.member, "GET", "/account", nil); answer.StatusCode != http.StatusSeeOther {
		t.Error("the session goes on")
	}
	if _, body := g.do(g.moderator, "GET", "/moderation", nil); !strings.Contains(body, "asked for by mail") || !strings.Contains(body, "Judith") {
		t.Error("the log does not say who did it and why")
	}
}

func TestWhoIsBarredBeginsNoGames(t *testing.T) {
	g := newGuarded(t)
	invitation := g.invite(g.guest, url.Values{"rules": {"standard"}})
	played := g.begin(g.member, url.Values{})
	g.act(url.Values{"act": {"bar"}, "days": {"2"}, "reason": {"left five games"}})
	for _, path := range []string{"/play", "/challenge", invitation + "/accept"} {
		if answer, _ := g.do(g.member, "POST", path, url.Values{}); answer.StatusCode != http.StatusForbidden {
			t.Errorf("POST %s: %s", path, answer.Status)
		}
	}
	lobby := g.dial(g.member, "/lobby")
	tell(t, lobby, `{"v":2,"type":"seek","rules":"standard","control":"5+3"}`)
	if m := next(t, lobby, "refused"); m.Code != "barred" {
		t.Errorf("a seek: %v", m)
	}
	if answer, _ := g.do(g.member, "GET", played, nil); answer.StatusCode != http.StatusOK {
		t.Errorf("the game under way: %s", answer.Status)
	}
	g.wait(49 * time.Hour)
	if answer, _ := g.do(g.member, "POST", "/play", url.Values{}); answer.StatusCode != http.StatusSeeOther {
		t.Errorf("after the time: %s", answer.Status)
	}
}

func TestActsThatCannotBeAreExplained(t *testing.T) {
	g := newGuarded(t)
	reason := strings.Repeat("a", 1001)
	for _, test := range []struct {
		form url.Values
		want string
	}{
		{url.Values{"act": {"hang"}, "reason": {"because"}}, "“hang”"},
		{url.Values{"act": {"appoint"}, "reason": {"because"}}, "“appoint”"},
		{url.Values{"act": {"warn"}, "reason": {" "}}, "Give a reason"},
		{url.Values{"act": {"warn"}, "reason": {reason}}, reason},
		{url.Values{"act": {"mute"}, "reason": {"because"}, "days": {"-1"}}, "“-1”"},
		{url.Values{"act": {"bar"}, "reason": {"because"}, "days": {"ten"}}, "“ten”"},
	} {
		if answer, body := g.act(test.form); answer.StatusCode != http.StatusBadRequest || !strings.Contains(body, test.want) {
			t.Errorf("%.60v: %s, want %.60q", test.form, answer.Status, test.want)
		}
	}
	if answer, _ := g.do(g.moderator, "POST", "/moderation/people/nobody", url.Values{"act": {"warn"}, "reason": {"because"}}); answer.StatusCode != http.StatusNotFound {
		t.Errorf("about nobody: %s", answer.Status)
	}
	judith, _, _ := g.db.PersonByName(context.Background(), "Judith")
	if answer, body := g.do(g.moderator, "POST", "/moderation/people/"+judith.ID, url.Values{"act": {"bar"}, "reason": {"because"}}); answer.StatusCode != http.StatusBadRequest || !strings.Contains(body, "dismiss") {
		t.Errorf("about a moderator: %s", answer.Status)
	}
	if n, err := g.db.LastAct(context.Background()); n != 1 || err != nil {
		t.Errorf("log at %d, %v", n, err)
	}
}

func TestModeratorsDoNotJudgeWhatConcernsThem(t *testing.T) {
	g := newGuarded(t)
	answer, _ := g.do(g.moderator, "POST", g.invite(g.member, url.Values{"rules": {"standard"}})+"/accept", url.Values{})
	id := strings.TrimPrefix(answer.Header.Get("Location"), "/game/")
	if answer, body := g.do(g.moderator, "POST", "/moderation/games/"+id, url.Values{"result": {"white"}, "reason": {"I was better"}}); answer.StatusCode != http.StatusForbidden || !strings.Contains(body, "concerns you") {
		t.Errorf("the result of a game of one's own: %s", answer.Status)
	}
	if m, err := g.live.Match(t.Context(), match.ID(id)); err != nil || m.Outcome().Over() {
		t.Errorf("%v, %v", m.Outcome(), err)
	}
	if answer, body := g.do(g.member, "POST", "/report", url.Values{"player": {"Judith"}, "reason": {"abuse"}}); answer.StatusCode >= 400 {
		t.Fatalf("%s\n%s", answer.Status, body)
	}
	reports, err := g.db.Reports(t.Context(), talk.Filter{Open: true}, 10)
	if err != nil || len(reports) != 1 {
		t.Fatal(reports, err)
	}
	if answer, body := g.do(g.moderator, "POST", fmt.Sprint("/moderation/reports/", reports[0].ID), url.Values{"reason": {"nothing to see"}}); answer.StatusCode != http.StatusForbidden || !strings.Contains(body, "concerns you") {
		t.Errorf("a report about oneself: %s", answer.Status)
	}
	if n, err := g.db.LastAct(t.Context()); n != 1 || err != nil {
		t.Errorf("log at %d, %v", n, err)
	}
}

func TestModeratorRevertsAResult(t *testing.T) {
	g := newGuarded(t)
	other := g.browser()
	g.join(other, "Pieter")
	invitation := g.invite(g.member, url.Values{"rules": {"standard"}, "kind": {"fischer"}, "minutes": {"5"}, "seconds": {"5"}, "rated": {"1"}, "color": {"black"}})
	answer, _ := g.do(other, "POST", invitation+"/accept", url.Values{})
	path := answer.Header.Get("Location")
	socket := g.dial(g.member, path)
	tell(t, socket, `{"v":2,"type":"resign","match":"`+strings.TrimPrefix(path, "/game/")+`","client":"a"}`)
	next(t, socket, "ratings")
	rating := regexp.MustCompile(`<span class="fig num">(\d+)`)
	_, body := g.do(other, "GET", "/players/Pieter", nil)
	if won := rating.FindStringSubmatch(body); won == nil || won[1] <= "1500" {
		t.Fatalf("the winner has %v", won)
	}
	for _, bad := range []url.Values{{"result": {"pink"}, "reason": {"because"}}, {"result": {"void"}}} {
		if answer, _ := g.do(g.moderator, "POST", "/moderation"+strings.Replace(path, "game", "games", 1), bad); answer.StatusCode != http.StatusBadRequest {
			t.Errorf("%v: %s", bad, answer.Status)
		}
	}
	if answer, body := g.do(g.moderator, "POST", "/moderation"+strings.Replace(path, "game", "games", 1), url.Values{"result": {"void"}, "reason": {"an arranged game"}}); answer.StatusCode != http.StatusSeeOther {
		t.Fatalf("%s\n%s", answer.Status, body)
	}
	if _, body := g.do(other, "GET", "/players/Pieter", nil); rating.MatchString(body) {
		t.Error("the rating still counts the game")
	}
	if m, err := g.live.Match(t.Context(), match.ID(strings.TrimPrefix(path, "/game/"))); err != nil || m.Outcome().Reason.String() != "aborted" {
		t.Errorf("%v, %v", m, err)
	}
	if err := g.db.CheckRatings(t.Context()); err != nil {
		t.Error(err)
	}
	if answer, _ := g.do(g.moderator, "POST", "/moderation/games/nothing", url.Values{"result": {"void"}, "reason": {"because"}}); answer.StatusCode != http.StatusNotFound {
		t.Errorf("of no game: %s", answer.Status)
	}
}

func TestReportReachesModeratorsWithItsContext(t *testing.T) {
	g := newGuarded(t)
	answer, _ := g.do(g.guest, "POST", g.invite(g.member, url.Values{"rules": {"standard"}, "color": {"black"}})+"/accept", url.Values{})
	path := answer.Header.Get("Location")
	g.do(g.member, "POST", path+"/talk", url.Values{"room": {"players"}, "text": {"You <i>fool</i>"}})
	form := url.Values{"game": {strings.TrimPrefix(path, "/game/")}, "about": {"black"}, "reason": {"abuse"}, "text": {"He insults me."}}
	if answer, body := g.do(g.guest, "POST", "/report", form); answer.StatusCode != http.StatusOK {
		t.Fatalf("%s\n%s", answer.Status, body)
	}
	_, body := g.do(g.moderator, "GET", "/moderation", nil)
	for _, want := range []string{"Insults or threats", "He insults me.", "You &lt;i&gt;fool&lt;/i&gt;", "/moderation/people/" + g.id, path} {
		if !strings.Contains(body, want) {
			t.Errorf("the report does not show %q", want)
		}
	}
	if _, body := g.do(g.guest, "GET", "/notices", nil); !strings.Contains(body, "A moderator will look at it.") {
		t.Error("who reported does not see the report")
	}
	number := regexp.MustCompile(`/moderation/reports/(\d+)`).FindString(body)
	if answer, _ := g.do(g.moderator, "POST", number, url.Values{"reason": {" "}}); answer.StatusCode != http.StatusBadRequest {
		t.Errorf("without a reason: %s", answer.Status)
	}
	if answer, _ := g.do(g.moderator, "POST", number, url.Values{"reason": {"muted for three days"}}); answer.StatusCode != http.StatusSeeOther {
		t.Errorf("closing: %s", answer.Status)
	}
	if answer, _ := g.do(g.moderator, "POST", number, url.Values{"reason": {"again"}}); answer.StatusCode != http.StatusConflict {
		t.Errorf("closing again: %s", answer.Status)
	}
	if _, body := g.do(g.moderator, "GET", "/moderation", nil); !strings.Contains(body, "Nothing is reported.") || !strings.Contains(body, "muted for three days") {
		t.Error("the report is open, or its closing not in the log")
	}
	if _, body := g.do(g.moderator, "GET", "/moderation/people/"+g.id, nil); !strings.Contains(body, "He insults me.") {
		t.Error("the page of the person does not show the report")
	}
	if _, body := g.do(g.guest, "GET", "/notices", nil); !strings.Contains(body, "A moderator has answered: muted for three days") {
		t.Error("who reported does not see the answer")
	}
	if _, body := g.do(g.member, "GET", "/notices", nil); strings.Contains(body, "three days") {
		t.Error("the person learns of a report about them")
	}
}

func TestWhoIsMutedByModeratorsDoesNotTalk(t *testing.T) {
	g := newGuarded(t)
	answer, _ := g.do(g.guest, "POST", g.invite(g.member, url.Values{"rules": {"standard"}})+"/accept", url.Values{})
	talk := answer.Header.Get("Location") + "/talk"
	form := url.Values{"room": {"players"}, "text": {"hello"}}
	for _, step := range []struct {
		act  string
		want int
	}{{"", http.StatusSeeOther}, {"mute", http.StatusForbidden}, {"unmute", http.StatusSeeOther}, {"bar", http.StatusForbidden}} {
		if step.act != "" {
			g.act(url.Values{"act": {step.act}, "reason": {"because"}})
		}
		if answer, _ := g.do(g.member, "POST", talk, form); answer.StatusCode != step.want {
			t.Errorf("after %q: %s, want %d", step.act, answer.Status, step.want)
		}
	}
}
