package web_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/linesofaction/loa/internal/account"
	"github.com/linesofaction/loa/internal/store"
	"github.com/linesofaction/loa/internal/web"
)

// postal is a club that sends mail, whose letters a test reads.
type postal struct {
	*club
	db *store.Store
}

func newPostal(t *testing.T) *postal {
	t.Helper()
	p := new(postal)
	p.club = newClubWith(t, func(o *web.Options) {
		p.db = o.People.(*store.Store)
		o.Letters = p.db
	})
	return p
}

// letter returns the next letter that waits, nil for none.
func (p *postal) letter() *account.Letter {
	p.t.Helper()
	never := func(int) time.Time { return account.Forever }
	letter, ok, err := p.db.TakeLetter(p.t.Context(), time.Now().AddDate(1, 0, 0), never)
	if err != nil {
		p.t.Fatal(err)
	}
	if !ok {
		return nil
	}
	return &letter
}

var linkPattern = regexp.MustCompile(`http://[^/]+(/(?:confirm|recover)/\S+)`)

// link returns the path of the link in the next letter.
func (p *postal) link(to string) string {
	p.t.Helper()
	letter := p.letter()
	if letter == nil || letter.To != to {
		p.t.Fatalf("letter %+v, want one to %s", letter, to)
	}
	link := linkPattern.FindStringSubmatch(letter.Text)
	if link == nil {
		p.t.Fatalf("no link in %q", letter.Text)
	}
	return link[1]
}

// confirmed gives a member an address.
func (p *postal) confirmed(b *http.Client, email string) {
	p.t.Helper()
	if answer, body := p.do(b, "POST", "/account/email", url.Values{"email": {email}, "password": {goodPassword}}); answer.StatusCode != http.StatusOK {
		p.t.Fatalf("%s\n%s", answer.Status, body)
	}
	if answer, _ := p.do(b, "POST", p.link(email), url.Values{}); answer.StatusCode != http.StatusSeeOther {
		p.t.Fatal(answer.Status)
	}
}

func TestAddressCountsWhenItsLinkIsConfirmed(t *testing.T) {
	s := newPostal(t)
	b := s.browser()
	s.join(b, "Marit")
	for _, test := range []struct {
		email, password string
		status          int
		want            string
	}{
		{"marit@example.org", "wrong password", http.StatusForbidden, "not your password"},
		{"marit", goodPassword, http.StatusBadRequest, "“marit”"},
		{"marit@example.org", goodPassword, http.StatusOK, "on its way to marit@example.org"},
	} {
		answer, body := s.do(b, "POST", "/account/email", url.Values{"email": {test.email}, "password": {test.password}})
		if answer.StatusCode != test.status || !strings.Contains(body, test.want) {
			t.Errorf("%s: %s, want %q", test.email, answer.Status, test.want)
		}
	}
	path := s.link("marit@example.org")
	if _, body := s.do(s.browser(), "GET", path, nil); !strings.Contains(body, "Marit") {
		t.Error("the link does not say whose address it confirms")
	}
	if _, body := s.do(b, "GET", "/account", nil); strings.Contains(body, "marit@example.org") {
		t.Error("looking at the link confirmed it")
	}
	s.do(s.browser(), "POST", path, url.Values{})
	if _, body := s.do(b, "GET", "/account", nil); !strings.Contains(body, "marit@example.org") {
		t.Error("the address is not the member's")
	}
	if answer, _ := s.do(b, "POST", path, url.Values{}); answer.StatusCode != http.StatusGone {
		t.Errorf("the link again: %s", answer.Status)
	}
	if _, body := s.do(b, "GET", "/account/export", nil); !strings.Contains(body, "marit@example.org") {
		t.Error("the export lacks the address")
	}
	s.do(b, "POST", "/account/email", url.Values{"password": {goodPassword}})
	if letter := s.letter(); letter == nil || letter.To != "marit@example.org" {
		t.Errorf("no word of the change to the address there was: %+v", letter)
	}
	if _, body := s.do(b, "GET", "/account", nil); strings.Contains(body, "marit@example.org") {
		t.Error("the address is still there")
	}
}

func TestLostPasswordIsRecoveredByMail(t *testing.T) {
	s := newPostal(t)
	b := s.browser()
	s.join(b, "Marit")
	s.confirmed(b, "marit@example.org")
	if answer, _ := s.do(s.browser(), "POST", "/recover", url.Values{"who": {"marit"}}); answer.StatusCode != http.StatusOK {
		t.Fatal(answer.Status)
	}
	old := s.link("marit@example.org")
	s.do(s.browser(), "POST", "/recover", url.Values{"who": {"marit@EXAMPLE.org"}})
	path := s.link("marit@example.org")
	if answer, _ := s.do(s.browser(), "GET", old, nil); answer.StatusCode != http.StatusGone {
		t.Errorf("the earlier link: %s", answer.Status)
	}
	fresh := s.browser()
	if answer, body := s.do(fresh, "POST", path, url.Values{"new": {"short"}}); answer.StatusCode != http.StatusBadRequest || !strings.Contains(body, "wrong") {
		t.Errorf("a bad password: %s", answer.Status)
	}
	if answer, _ := s.do(fresh, "POST", path, url.Values{"new": {"another good horse"}}); answer.StatusCode != http.StatusSeeOther {
		t.Fatal(answer.Status)
	}
	if answer, _ := s.do(fresh, "GET", "/account", nil); answer.StatusCode != http.StatusOK {
		t.Errorf("not signed in afterwards: %s", answer.Status)
	}
	if answer, _ := s.do(b, "GET", "/account", nil); answer.StatusCode != http.StatusSeeOther {
		t.Errorf("the earlier session goes on: %s", answer.Status)
	}
	if letter := s.letter(); letter == nil || letter.Subject != "Your password was changed" {
		t.Errorf("no word of the change: %+v", letter)
	}
	if answer, _ := s.do(s.browser(), "POST", path, url.Values{"new": {"another good horse"}}); answer.StatusCode != http.StatusGone {
		t.Errorf("the link again: %s", answer.Status)
	}
	if answer, _ := s.do(s.browser(), "POST", "/sign-in", url.Values{"name": {"Marit"}, "password": {"another good horse"}}); answer.StatusCode != http.StatusSeeOther {
		t.Errorf("the new password: %s", answer.Status)
	}
}

func TestRecoveryDoesNotTellWhoIsThere(t *testing.T) {
	s := newPostal(t)
	s.join(s.browser(), "Marit") // without an address
	var first string
	for _, who := range []string{"Marit", "nobody", "nobody@example.org"} {
		answer, body := s.do(s.browser(), "POST", "/recover", url.Values{"who": {who}})
		if answer.StatusCode != http.StatusOK {
			t.Errorf("%s: %s", who, answer.Status)
		}
		if first == "" {
			first = body
		}
		if body != first {
			t.Errorf("the answer for %s differs", who)
		}
	}
	if letter := s.letter(); letter != nil {
		t.Errorf("a letter %+v", letter)
	}
}

func TestLinksExpireAndLettersAreFew(t *testing.T) {
	s := newPostal(t)
	b := s.browser()
	s.join(b, "Marit")
	s.confirmed(b, "marit@example.org")
	s.do(b, "POST", "/recover", url.Values{"who": {"Marit"}})
	path := s.link("marit@example.org")
	s.wait(61 * time.Minute)
	if answer, _ := s.do(b, "GET", path, nil); answer.StatusCode != http.StatusGone {
		t.Errorf("after an hour: %s", answer.Status)
	}
	slow := 0
	for range 6 {
		if answer, _ := s.do(b, "POST", "/recover", url.Values{"who": {"Marit"}}); answer.StatusCode == http.StatusTooManyRequests {
			slow++
		}
	}
	if slow != 2 {
		t.Errorf("%d of 6 were too many, want 2", slow)
	}
}

func TestClubWithoutMailSaysSo(t *testing.T) {
	s := newClub(t)
	if _, body := s.do(s.browser(), "GET", "/sign-in", nil); strings.Contains(body, "/recover") {
		t.Error("recovery is offered")
	} else if !strings.Contains(body, "ask the host") {
		t.Error("nothing says who can help")
	}
	for path, want := range map[string]int{"/recover": http.StatusNotFound, "/recover/abc": http.StatusGone, "/confirm/abc": http.StatusNotFound} {
		if answer, _ := s.do(s.browser(), "GET", path, nil); answer.StatusCode != want {
			t.Errorf("%s: %s", path, answer.Status)
		}
	}
}

func TestALinkOfTheHostBringsSomebodyIn(t *testing.T) {
	var db *store.Store
	s := newClubWith(t, func(o *web.Options) { db = o.People.(*store.Store) })
	s.join(s.browser(), "Marit")
	person, _, err := db.PersonByName(t.Context(), "Marit")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	token := account.Token{Hash: account.HashSecret("handed"), Person: person.ID, Purpose: account.Recover, Expires: now.Add(account.HandedLife)}
	if err := db.Readmit(t.Context(), account.Act{At: now, Kind: account.Readmit, Person: person.ID, Name: "Marit", Reason: "Lost it."}, token); err != nil {
		t.Fatal(err)
	}
	b, next := s.browser(), url.Values{"new": {"another password"}}
	if answer, body := s.do(b, "GET", "/recover/handed", nil); answer.StatusCode != http.StatusOK || !strings.Contains(body, "Marit") {
		t.Fatal(answer.Status)
	}
	if answer, _ := s.do(b, "POST", "/recover/handed", next); answer.StatusCode != http.StatusSeeOther {
		t.Fatal(answer.Status)
	}
	if answer, body := s.do(b, "GET", "/notices", nil); answer.StatusCode != http.StatusOK || !strings.Contains(body, "Lost it.") || !strings.Contains(body, "new password") {
		t.Errorf("who came in reads %s:\n%s", answer.Status, body)
	}
	if answer, _ := s.do(s.browser(), "POST", "/recover/handed", next); answer.StatusCode != http.StatusGone {
		t.Errorf("a second time: %s", answer.Status)
	}
}

func TestOneAddressCannotTryManyNames(t *testing.T) {
	stopped := time.Now()
	s := newClubWith(t, func(o *web.Options) { o.Now = func() time.Time { return stopped } })
	slow := 0
	for i := range 45 {
		name := "name-" + string(rune('a'+i%25)) + string(rune('a'+i/25))
		if answer, _ := s.do(s.browser(), "POST", "/sign-in", url.Values{"name": {name}, "password": {"x"}}); answer.StatusCode == http.StatusTooManyRequests {
			slow++
		}
	}
	if slow != 5 {
		t.Errorf("%d of 45 were too many, want 5", slow)
	}
}
