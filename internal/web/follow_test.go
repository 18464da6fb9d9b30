package web_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/linesofaction/loa/internal/wire"
)

func TestFollowingShowsWhoIsHereAndWhoPlays(t *testing.T) {
	s := newClub(t)
	marit, okonjo, reader := s.browser(), s.browser(), s.browser()
	s.join(marit, "Marit")
	s.join(okonjo, "Okonjo")
	s.begin(reader, url.Values{})
	if _, page := s.do(reader, "GET", "/players", nil); !strings.Contains(page, "You follow nobody yet.") {
		t.Error("the page of players does not say that nobody is followed")
	}
	for _, name := range []string{"marit", "Okonjo"} {
		answer, body := s.do(reader, "POST", "/players/"+name+"/follow", url.Values{"follow": {"on"}})
		if answer.StatusCode != http.StatusSeeOther {
			t.Fatalf("%s\n%s", answer.Status, body)
		}
	}
	if _, page := s.do(reader, "GET", "/players/Marit", nil); !strings.Contains(page, "Unfollow") {
		t.Error("the profile does not offer to unfollow")
	}
	if _, page := s.do(reader, "GET", "/lobby", nil); !strings.Contains(page, "Nobody you follow is here now.") {
		t.Error("the lobby does not say that nobody is here")
	}
	lobby := s.visit(reader)
	if m := heard[wire.Lobby](t, lobby, wire.KindLobby, nil); m.Here == nil || len(m.Here) != 0 {
		t.Errorf("here %v", m.Here)
	}
	g := s.sit(marit, okonjo)
	s.dial(marit, g.path)
	heard(t, lobby, wire.KindLobby, func(m wire.Lobby) bool { return len(m.Here) == 1 && m.Here[0] == "Marit" })
	_, page := s.do(reader, "GET", "/players", nil)
	if first, second := strings.Index(page, ">Marit<"), strings.Index(page, ">Okonjo<"); first < 0 || second < first || strings.Count(page, `href="`+g.path+`"`) != 2 || strings.Count(page, "dot here") != 1 {
		t.Errorf("the page of players does not list who is here first, and both as playing")
	}
	if _, page := s.do(reader, "GET", "/players/Marit", nil); !strings.Contains(page, `href="/players/Okonjo"`) {
		t.Error("the list of games does not lead to the opponent")
	}
	if _, page := s.do(reader, "GET", "/lobby", nil); !strings.Contains(page, "Here now: Marit") {
		t.Error("the lobby does not say who is here")
	}
	if m := heard[wire.Lobby](t, s.visit(s.browser()), wire.KindLobby, nil); m.Here != nil {
		t.Errorf("a stranger is told of %v", m.Here)
	}
	for _, step := range []struct {
		who  *http.Client
		path string
		form url.Values
		want int
	}{
		{reader, "/players/Marit/follow", url.Values{"follow": {"off"}}, http.StatusSeeOther},
		{reader, "/players/Marit/follow", url.Values{"follow": {"perhaps"}}, http.StatusBadRequest},
		{reader, "/players/Nobody/follow", url.Values{"follow": {"on"}}, http.StatusNotFound},
		{okonjo, "/players/Marit/follow", url.Values{"follow": {"on"}}, http.StatusSeeOther},
		{marit, "/players/Okonjo/follow", url.Values{"follow": {"on"}}, http.StatusSeeOther},
		{marit, "/players/Okonjo/block", url.Values{"block": {"on"}}, http.StatusSeeOther}, // ends both
		{okonjo, "/players/Marit/follow", url.Values{"follow": {"on"}}, http.StatusForbidden},
	} {
		if answer, _ := s.do(step.who, "POST", step.path, step.form); answer.StatusCode != step.want {
			t.Errorf("POST %s %v: %s, want %d", step.path, step.form, answer.Status, step.want)
		}
	}
	for _, b := range []*http.Client{marit, okonjo} {
		if _, page := s.do(b, "GET", "/players", nil); !strings.Contains(page, "You follow nobody yet.") {
			t.Error("following outlives a block")
		}
	}
	if _, page := s.do(reader, "GET", "/players/Marit", nil); !strings.Contains(page, ">Follow<") {
		t.Error("the profile does not offer to follow again")
	}
}

func TestExportHasWhatAMemberSaidAndWhomHeFollows(t *testing.T) {
	s := newClub(t)
	marit, okonjo := s.browser(), s.browser()
	s.join(marit, "Marit")
	s.join(okonjo, "Okonjo")
	g := s.sit(marit, okonjo)
	for _, step := range []struct {
		path string
		form url.Values
	}{
		{g.path + "/talk", url.Values{"room": {"players"}, "text": {"Hello, Okonjo"}}},
		{g.path + "/talk", url.Values{"room": {"players"}, "preset": {"luck"}}},
		{g.path + "/mute", url.Values{"room": {"players"}, "on": {"true"}}},
		{"/players/Okonjo/follow", url.Values{"follow": {"on"}}},
	} {
		if answer, body := s.do(marit, "POST", step.path, step.form); answer.StatusCode != http.StatusSeeOther {
			t.Fatalf("%s: %s\n%s", step.path, answer.Status, body)
		}
	}
	if answer, _ := s.do(marit, "POST", "/report", url.Values{"game": {g.id}, "about": {"white"}, "reason": {"stalling"}, "text": {"He waits."}}); answer.StatusCode != http.StatusOK {
		t.Fatal(answer.Status)
	}
	var data struct {
		Follows, Muted []struct{ Name string }
		Remarks        []struct{ Game, Room, Text, Preset string }
		Reports        []struct{ About, Game, Reason, Text string }
	}
	_, body := s.do(marit, "GET", "/account/export", nil)
	if err := json.Unmarshal([]byte(body), &data); err != nil {
		t.Fatal(err)
	}
	if len(data.Follows) != 1 || data.Follows[0].Name != "Okonjo" || len(data.Muted) != 1 || data.Muted[0].Name != "Okonjo" {
		t.Errorf("people %+v", data)
	}
	if len(data.Remarks) != 2 || data.Remarks[0].Game != g.id || data.Remarks[0].Room != "players" || data.Remarks[0].Text+data.Remarks[1].Text != "Hello, Okonjo" {
		t.Errorf("remarks %+v", data.Remarks)
	}
	if len(data.Reports) != 1 || data.Reports[0].About != "Okonjo" || data.Reports[0].Reason != "stalling" || data.Reports[0].Text != "He waits." || data.Reports[0].Game != g.id {
		t.Errorf("reports %+v", data.Reports)
	}
	if answer, _ := s.do(marit, "POST", "/account/close", url.Values{"password": {goodPassword}}); answer.StatusCode != http.StatusSeeOther {
		t.Fatal(answer.Status)
	}
	if _, page := s.do(okonjo, "GET", g.path, nil); !strings.Contains(page, "Hello, Okonjo") || strings.Contains(page, "Marit") {
		t.Error("what was said is gone, or names the closed account")
	}
}
