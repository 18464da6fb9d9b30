package store_test

import (
	"context"
	"testing"
	"time"

	"github.com/linesofaction/loa/internal/account"
)

func TestActsTakeEffectAndAreLogged(t *testing.T) {
	ctx, s := context.Background(), open(t, place(t))
	if err := s.AddPerson(ctx, account.Person{ID: "p", Name: "1234", Created: began}, account.HashSecret("p")); err != nil {
		t.Fatal(err)
	}
	if err := s.Join(ctx, "p", "Marit", "stored"); err != nil {
		t.Fatal(err)
	}
	until := began.Add(time.Hour)
	for i, step := range []struct {
		kind  account.ActKind
		until time.Time
		holds func(account.Person) bool
	}{
		{account.Warn, time.Time{}, func(p account.Person) bool { return p.Notices == 1 && p.MayTalk(began) }},
		{account.Mute, until, func(p account.Person) bool {
			return !p.MayTalk(began) && p.MayTalk(until) && p.MayPlay(began) && p.Notices == 2
		}},
		{account.Unmute, time.Time{}, func(p account.Person) bool { return p.MayTalk(began) }},
		{account.Bar, account.Forever, func(p account.Person) bool {
			return !p.MayPlay(began.AddDate(1000, 0, 0)) && !p.MayTalk(began)
		}},
		{account.Unbar, time.Time{}, func(p account.Person) bool { return p.MayPlay(began) }},
		{account.Appoint, time.Time{}, func(p account.Person) bool { return p.Moderator }},
		{account.Dismiss, time.Time{}, func(p account.Person) bool { return !p.Moderator }},
		{account.Close, time.Time{}, func(p account.Person) bool { return p.Guest() && p.Name == "4321" }},
	} {
		act := account.Act{At: began, Kind: step.kind, Person: "p", Name: "Marit", Until: step.until, Reason: "because"}
		if err := s.Act(ctx, act, "4321"); err != nil {
			t.Fatalf("%s: %v", step.kind, err)
		}
		person, known, err := s.PersonByID(ctx, "p")
		if err != nil || !known || !step.holds(person) {
			t.Errorf("after %s: %+v, %v", step.kind, person, err)
		}
		acts, err := s.Acts(ctx, account.ActFilter{Person: "p"}, 100)
		act.Number = int64(i + 1)
		if err != nil || len(acts) != i+1 || !acts[0].At.Equal(act.At) || !acts[0].Until.Equal(act.Until) || acts[0].Kind != act.Kind || acts[0].Reason != act.Reason || acts[0].Number != act.Number {
			t.Errorf("log after %s: %+v, %v", step.kind, acts, err)
		}
	}
}

func TestActAboutNobodyLeavesNoTrace(t *testing.T) {
	ctx, s := context.Background(), open(t, place(t))
	for _, kind := range []account.ActKind{account.Warn, account.Mute, account.Bar, account.Close, account.Appoint, account.Verdict} {
		if err := s.Act(ctx, account.Act{At: began, Kind: kind, Person: "nobody", Reason: "because"}, "4321"); err == nil {
			t.Errorf("%s: taken", kind)
		}
	}
	if n, err := s.LastAct(ctx); n != 0 || err != nil {
		t.Errorf("log at %d, %v", n, err)
	}
}

func TestNoticesAreReadOnce(t *testing.T) {
	ctx, s := context.Background(), open(t, place(t))
	if err := s.AddPerson(ctx, account.Person{ID: "p", Name: "1234", Created: began}, account.HashSecret("p")); err != nil {
		t.Fatal(err)
	}
	if err := s.Act(ctx, account.Act{At: began, Kind: account.Warn, Person: "p", Name: "1234", Reason: "because"}, ""); err != nil {
		t.Fatal(err)
	}
	if err := s.ReadNotices(ctx, "p"); err != nil {
		t.Fatal(err)
	}
	if p, _, err := s.PersonByID(ctx, "p"); p.Notices != 0 || err != nil {
		t.Errorf("%+v, %v", p, err)
	}
}

func TestPeopleAreFoundByNameNumberAndID(t *testing.T) {
	ctx, s := context.Background(), open(t, place(t))
	for i, id := range []string{"a", "b", "c"} {
		if err := s.AddPerson(ctx, account.Person{ID: id, Name: "1234", Created: began.Add(time.Duration(i) * time.Hour)}, account.HashSecret(id)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Join(ctx, "b", "Marit", "stored"); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{"mar": "b", "MARIT": "b", "1234": "ca", "a": "a", "nobody": "", "": ""} {
		people, err := s.FindPeople(ctx, text, 10)
		got := ""
		for _, p := range people {
			got += p.ID
		}
		if err != nil || got != want {
			t.Errorf("%q finds %q, want %q, %v", text, got, want, err)
		}
	}
}
