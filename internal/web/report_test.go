package web_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/linesofaction/loa/internal/store"
	"github.com/linesofaction/loa/internal/talk"
	"github.com/linesofaction/loa/internal/web"
)

// reports returns what somebody has reported, the first report first.
func reports(t *testing.T, db *store.Store, name string) []talk.Report {
	t.Helper()
	person, ok, err := db.PersonByName(t.Context(), name)
	if err != nil || !ok {
		t.Fatalf("%s: %v %v", name, ok, err)
	}
	all, err := db.ReportsBy(t.Context(), person.ID)
	if err != nil {
		t.Fatal(err)
	}
	slices.Reverse(all)
	return all
}

func TestReportsKeepWhatWasSaid(t *testing.T) {
	var db *store.Store
	c := new(club)
	now := time.Now()
	c.site = newSite(t, func(o *web.Options) {
		db = o.People.(*store.Store)
		o.Now = func() time.Time { return now.Add(time.Duration(c.ahead.Load())) }
		o.Lobby = lobbyOf(o.Live, db)
	})
	marit, okonjo, onlooker := c.browser(), c.browser(), c.browser()
	c.join(marit, "Marit")
	c.join(okonjo, "Okonjo")
	c.join(onlooker, "Ilse")
	g := c.sit(marit, okonjo)
	for _, said := range []struct {
		who        *http.Client
		room, text string
	}{{okonjo, "players", "You <fool>"}, {marit, "players", "Please stop"}, {onlooker, "onlookers", "Look at that"}} {
		if answer, _ := c.do(said.who, "POST", g.path+"/talk", url.Values{"room": {said.room}, "text": {said.text}}); answer.StatusCode != http.StatusSeeOther {
			t.Fatal(answer.Status)
		}
	}
	for _, want := range []string{"Okonjo", `value="abuse"`, `maxlength="1000"`} {
		if _, page := c.do(marit, "GET", "/report?game="+g.id, nil); !strings.Contains(page, want) || strings.Contains(page, `value="black"`) {
			t.Errorf("the form has no %s, or lets one report oneself", want)
		}
	}
	file := func(who *http.Client, form url.Values) (int, string) {
		t.Helper()
		answer, body := c.do(who, "POST", "/report", form)
		return answer.StatusCode, body
	}
	about := url.Values{"game": {g.id}, "about": {"white"}, "reason": {"abuse"}, "text": {"He insults me.\r\nTwice."}}
	if status, body := file(marit, about); status != http.StatusOK || !strings.Contains(body, "Report sent") {
		t.Fatalf("%d\n%s", status, body)
	}
	if status, body := file(marit, about); status != http.StatusConflict || !strings.Contains(body, "still open") || !strings.Contains(body, "He insults me.") {
		t.Errorf("the same again: %d, or the text is lost", status)
	}
	if status, _ := file(marit, url.Values{"player": {"okonjo"}, "reason": {"name"}}); status != http.StatusOK {
		t.Errorf("without a game: %d", status)
	}
	if status, _ := file(onlooker, url.Values{"game": {g.id}, "about": {"black"}, "reason": {"cheating"}}); status != http.StatusOK {
		t.Errorf("by an onlooker: %d", status)
	}
	got := reports(t, db, "Marit")
	if len(got) != 2 || got[0].Reason != "abuse" || got[0].Text != "He insults me.\nTwice." || got[0].Match != g.id || got[0].Context.Name != "Okonjo" || got[0].Context.Room != talk.Players {
		t.Fatalf("reports %+v", got)
	}
	var said []string
	for _, quote := range got[0].Context.Remarks {
		said = append(said, quote.Name+": "+quote.Text)
	}
	if !slices.Equal(said, []string{"Okonjo: You <fool>", "Marit: Please stop"}) {
		t.Errorf("the report keeps %q", said)
	}
	if got[1].Match != "" || len(got[1].Context.Remarks) != 0 || got[1].About != got[0].About {
		t.Errorf("the report from the profile is %+v", got[1])
	}
	if seen := reports(t, db, "Ilse")[0]; seen.Context.Room != talk.Onlookers || len(seen.Context.Remarks) != 1 {
		t.Errorf("an onlooker's report keeps %+v", seen.Context)
	}
	// whoever said something among the onlookers is named by the number of the remark
	if status, _ := file(c.browser(), url.Values{"game": {g.id}, "about": {"1"}, "reason": {"abuse"}}); status != http.StatusOK {
		t.Errorf("about an onlooker: %d", status)
	}
	for _, test := range []struct {
		name string
		who  *http.Client
		form url.Values
		want int
		say  string
	}{
		{"no reason", marit, url.Values{"player": {"Ilse"}, "text": {"kept text"}}, http.StatusBadRequest, "Choose a reason."},
		{"an unknown reason", marit, url.Values{"player": {"Ilse"}, "reason": {"boredom"}}, http.StatusBadRequest, "Choose a reason."},
		{"another reason without words", marit, url.Values{"player": {"Ilse"}, "reason": {"other"}}, http.StatusBadRequest, "in a few words"},
		{"too many words", marit, url.Values{"player": {"Ilse"}, "reason": {"abuse"}, "text": {strings.Repeat("x", 1001)}}, http.StatusBadRequest, "At most 1000"},
		{"oneself", marit, url.Values{"player": {"Marit"}, "reason": {"abuse"}}, http.StatusBadRequest, "That is yourself."},
		{"nobody", marit, url.Values{"player": {"Nobody"}, "reason": {"abuse"}}, http.StatusNotFound, ""},
		{"no game", marit, url.Values{"game": {"none"}, "about": {"white"}, "reason": {"abuse"}}, http.StatusNotFound, ""},
		{"no side", marit, url.Values{"game": {g.id}, "about": {"green"}, "reason": {"abuse"}}, http.StatusBadRequest, "green"},
		{"an onlooker, by a player while the game is on", marit, url.Values{"game": {g.id}, "about": {"1"}, "reason": {"abuse"}}, http.StatusBadRequest, ""},
	} {
		if status, body := file(test.who, test.form); status != test.want || !strings.Contains(body, test.say) || !strings.Contains(body, test.form.Get("text")) {
			t.Errorf("%s: %d, want %d and %q", test.name, status, test.want, test.say)
		}
	}
	slowed := 0
	for i := range 8 {
		id := c.sit(marit, c.browser()).id
		if status, _ := file(marit, url.Values{"game": {id}, "about": {"white"}, "reason": {"abuse"}}); status == http.StatusTooManyRequests {
			slowed++
		} else if i > 5 {
			t.Errorf("report %d in a row: %d", i, status)
		}
	}
	if slowed == 0 {
		t.Error("reporting is not slowed down")
	}
	path := c.begin(marit, url.Values{})
	if answer, _ := c.do(marit, "GET", "/report?game="+strings.TrimPrefix(path, "/game/"), nil); answer.StatusCode != http.StatusForbidden {
		t.Errorf("a game against the computer: %s", answer.Status)
	}
}
