package store_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/account"
	"github.com/linesofaction/loa/internal/live"
	"github.com/linesofaction/loa/internal/match"
	"github.com/linesofaction/loa/internal/store"
	"github.com/linesofaction/loa/internal/talk"
)

// crowd opens a store in which three people are known, and the first two play the match m.
func crowd(t *testing.T) *store.Store {
	t.Helper()
	ctx, s := context.Background(), open(t, place(t))
	for i, id := range []string{"ann", "bob", "cid"} {
		if err := s.AddPerson(ctx, account.Person{ID: id, Name: fmt.Sprint(1000 + i), Created: began}, account.HashSecret(id)); err != nil {
			t.Fatal(err)
		}
	}
	start, err := loa.Rules{}.StartPosition()
	if err != nil {
		t.Fatal(err)
	}
	seats := [2]match.Seat{{Person: "ann", Name: "1000"}, {Person: "bob", Name: "1001"}}
	log, err := match.Create(match.Terms{Start: start.Setup(), Seats: seats}, began)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Append(ctx, log, summary(t, "m", log)); err != nil {
		t.Fatal(err)
	}
	return s
}

// member makes a member of a person.
func member(t *testing.T, s *store.Store, person, name string) {
	t.Helper()
	if err := s.Join(context.Background(), person, name, "hash"); err != nil {
		t.Fatal(err)
	}
}

func remark(person, client, text string) talk.Remark {
	return talk.Remark{Match: "m", Room: talk.Players, Person: person, Seat: loa.NoColor, Client: client, At: began, Text: text}
}

func TestRemarksAreNumberedInTheirRoomAndStoredOnce(t *testing.T) {
	ctx, s := context.Background(), crowd(t)
	var wait sync.WaitGroup
	for i := range 20 {
		wait.Go(func() {
			for range 2 { // the second says nothing
				if _, err := s.AddRemark(ctx, remark("ann", fmt.Sprint("c", i), fmt.Sprint("text ", i))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	white := remark("bob", "c0", "hello")
	white.Seat, white.Preset, white.Text = loa.White, "hello", ""
	if got, err := s.AddRemark(ctx, white); err != nil || got.N != 21 {
		t.Errorf("another person's client id: number %d, %v", got.N, err)
	}
	other := remark("cid", "", "looking on")
	other.Room = talk.Onlookers
	if got, err := s.AddRemark(ctx, other); err != nil || got.N != 1 {
		t.Errorf("the other room: number %d, %v", got.N, err)
	}
	all, err := s.Remarks(ctx, "m", talk.Players, 0, 100)
	if err != nil || len(all) != 21 {
		t.Fatalf("%d remarks, %v", len(all), err)
	}
	for i, r := range all {
		if r.N != i+1 {
			t.Errorf("remark %d has the number %d", i, r.N)
		}
	}
	white.N, white.Name = 21, "1001"
	if diff := cmp.Diff(white, all[20]); diff != "" {
		t.Error(diff)
	}
	if last, err := s.Remarks(ctx, "m", talk.Players, 10, 5); err != nil || len(last) != 5 || last[0].N != 17 {
		t.Errorf("the last after 10: %+v, %v", last, err)
	}
	if r, ok, err := s.Said(ctx, "m", "bob", "c0"); err != nil || !ok || r.N != 21 {
		t.Errorf("said %+v %v %v", r, ok, err)
	}
	if r, ok, err := s.Remark(ctx, "m", talk.Players, 21); err != nil || !ok || r.Person != "bob" {
		t.Errorf("number 21 is %+v %v %v", r, ok, err)
	}
	if _, ok, err := s.Remark(ctx, "m", talk.Onlookers, 2); ok || err != nil {
		t.Errorf("a number nobody has: %v %v", ok, err)
	}
	for _, unknown := range [][3]string{{"m", "bob", "c1"}, {"n", "bob", "c0"}, {"m", "bob", ""}} {
		if _, ok, err := s.Said(ctx, unknown[0], unknown[1], unknown[2]); ok || err != nil {
			t.Errorf("%v was said: %v", unknown, err)
		}
	}
}

func TestWhoIsNotHeard(t *testing.T) {
	ctx, s := context.Background(), crowd(t)
	unheard := func(person string, muted, blocked []string) {
		t.Helper()
		gotMuted, gotBlocked, err := s.Unheard(ctx, person)
		slices.Sort(gotMuted)
		if err != nil || !slices.Equal(gotMuted, muted) || !slices.Equal(gotBlocked, blocked) {
			t.Errorf("%s does not hear %q and %q, %v, want %q and %q", person, gotMuted, gotBlocked, err, muted, blocked)
		}
	}
	for _, other := range []string{"bob", "bob", ""} {
		if err := s.SetMute(ctx, "ann", other, true); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.SetBlock(ctx, "cid", "ann", true); err != nil {
		t.Fatal(err)
	}
	unheard("ann", []string{"", "bob"}, []string{"cid"})
	unheard("bob", nil, nil)
	unheard("cid", nil, []string{"ann"})
	for pair, want := range map[[2]string]bool{{"ann", "cid"}: true, {"cid", "ann"}: true, {"ann", "bob"}: false} {
		if got, err := s.Apart(ctx, pair[0], pair[1]); err != nil || got != want {
			t.Errorf("%v apart: %v, %v", pair, got, err)
		}
	}
	if people, onlookers, err := s.Muted(ctx, "ann"); err != nil || !onlookers || len(people) != 1 || people[0].Name != "1001" {
		t.Errorf("muted %+v %v %v", people, onlookers, err)
	}
	if people, err := s.Blocked(ctx, "cid"); err != nil || len(people) != 1 || people[0].ID != "ann" {
		t.Errorf("blocked %+v %v", people, err)
	}
	for _, other := range []string{"bob", ""} {
		if err := s.SetMute(ctx, "ann", other, false); err != nil {
			t.Fatal(err)
		}
	}
	unheard("ann", nil, []string{"cid"})
}

func TestFollowingEndsWithABlock(t *testing.T) {
	ctx, s := context.Background(), crowd(t)
	for _, pair := range [][2]string{{"ann", "bob"}, {"bob", "ann"}, {"ann", "cid"}, {"ann", "bob"}} {
		if err := s.SetFollow(ctx, pair[0], pair[1], true, began); err != nil {
			t.Fatal(err)
		}
	}
	got, err := s.Following(ctx, "ann")
	if err != nil || len(got) != 2 || got[0].Person.ID != "bob" || got[0].Match != "m" || !got[0].Since.Equal(began) || got[1].Match != "" {
		t.Errorf("ann follows %+v, %v", got, err)
	}
	if err := s.SetBlock(ctx, "bob", "ann", true); err != nil {
		t.Fatal(err)
	}
	for pair, want := range map[[2]string]bool{{"ann", "bob"}: false, {"bob", "ann"}: false, {"ann", "cid"}: true} {
		if got, err := s.Follows(ctx, pair[0], pair[1]); err != nil || got != want {
			t.Errorf("%v after the block: %v, %v", pair, got, err)
		}
	}
	for _, pair := range [][2]string{{"ann", "bob"}, {"bob", "ann"}} {
		if err := s.SetFollow(ctx, pair[0], pair[1], true, began); !errors.Is(err, live.ErrBlocked) {
			t.Errorf("%v under a block: %v", pair, err)
		}
	}
	if err := s.SetFollow(ctx, "ann", "cid", false, began); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Following(ctx, "ann"); err != nil || len(got) != 0 {
		t.Errorf("ann follows %+v, %v", got, err)
	}
}

func TestNobodyFollowsOrBlocksWithoutEnd(t *testing.T) {
	ctx, s := context.Background(), crowd(t)
	var wait sync.WaitGroup
	for i := range account.MaxFollows {
		wait.Go(func() {
			id := fmt.Sprint("p", i)
			err := s.AddPerson(ctx, account.Person{ID: id, Name: "1", Created: began}, account.HashSecret(id))
			if err == nil {
				err = s.SetFollow(ctx, "ann", id, true, began)
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if err := s.SetFollow(ctx, "ann", "bob", true, began); !errors.Is(err, account.ErrFollowsFull) {
		t.Errorf("one more: %v", err)
	}
	if err := s.SetFollow(ctx, "ann", "p0", true, began); err != nil {
		t.Errorf("somebody followed already: %v", err)
	}
	for i := range account.MaxBlocks {
		wait.Go(func() {
			if err := s.SetBlock(ctx, "ann", fmt.Sprint("p", i), true); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if err := s.SetBlock(ctx, "ann", "bob", true); !errors.Is(err, account.ErrBlocksFull) {
		t.Errorf("one more: %v", err)
	}
	if err := s.SetBlock(ctx, "ann", "p0", true); err != nil {
		t.Errorf("somebody blocked already: %v", err)
	}
	for _, on := range []bool{false, true} { // one goes, another one comes
		if err := s.SetBlock(ctx, "ann", map[bool]string{false: "p0", true: "bob"}[on], on); err != nil {
			t.Errorf("block %t: %v", on, err)
		}
	}
}

func TestOneOpenReportForEachPersonAndMatch(t *testing.T) {
	ctx, s := context.Background(), crowd(t)
	report := talk.Report{
		By: "ann", About: "bob", Match: "m", Reason: "abuse", Text: "He <shouts>.", At: began,
		Context: talk.Context{Name: "1001", Room: talk.Players, Remarks: []talk.Quote{{N: 1, Person: "bob", Name: "1001", At: began.UTC(), Text: "AAA"}}},
	}
	elsewhere, another := report, report
	elsewhere.Match = ""
	another.By = "cid"
	for _, test := range []struct {
		name string
		r    talk.Report
		want error
	}{
		{"the first", report, nil},
		{"the same again", report, talk.ErrReported},
		{"about no match", elsewhere, nil},
		{"about no match again", elsewhere, talk.ErrReported},
		{"by another", another, nil},
	} {
		if err := s.AddReport(ctx, test.r); !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", test.name, err, test.want)
		}
	}
	got, err := s.ReportsBy(ctx, "ann")
	if err != nil || len(got) != 2 {
		t.Fatalf("%d reports, %v", len(got), err)
	}
	report.ID, report.ByName = 1, "1000"
	if diff := cmp.Diff(report, got[1], cmp.Comparer(time.Time.Equal)); diff != "" {
		t.Error(diff)
	}
}

func TestAClosedAccountLeavesItsWordsUnderAnotherName(t *testing.T) {
	ctx, s := context.Background(), crowd(t)
	member(t, s, "ann", "Marit")
	if _, err := s.AddRemark(ctx, remark("ann", "", "mine")); err != nil {
		t.Fatal(err)
	}
	about := talk.Report{By: "bob", About: "ann", Reason: "name", At: began, Context: talk.Context{Name: "Marit", Remarks: []talk.Quote{{Person: "ann", Name: "Marit"}, {Person: "bob", Name: "1001"}}}}
	if err := errors.Join(s.AddReport(ctx, about), s.SetMute(ctx, "bob", "ann", true), s.SetFollow(ctx, "bob", "ann", true, began), s.SetFollow(ctx, "ann", "cid", true, began)); err != nil {
		t.Fatal(err)
	}
	if err := s.CloseAccount(ctx, "ann", "4127"); err != nil {
		t.Fatal(err)
	}
	if said, err := s.RemarksBy(ctx, "ann"); err != nil || len(said) != 1 || said[0].Name != "4127" || said[0].Text != "mine" {
		t.Errorf("said %+v, %v", said, err)
	}
	reports, err := s.ReportsBy(ctx, "bob")
	if err != nil || len(reports) != 1 {
		t.Fatalf("%d reports, %v", len(reports), err)
	}
	if kept := reports[0].Context; kept.Name != "4127" || kept.Remarks[0].Name != "4127" || kept.Remarks[1].Name != "1001" {
		t.Errorf("the report keeps %+v", kept)
	}
	for _, person := range []string{"ann", "bob"} {
		if got, err := s.Following(ctx, person); err != nil || len(got) != 0 {
			t.Errorf("%s follows %+v, %v", person, got, err)
		}
	}
	if people, _, err := s.Muted(ctx, "bob"); err != nil || len(people) != 0 {
		t.Errorf("bob mutes %+v, %v", people, err)
	}
}
