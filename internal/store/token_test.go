package store_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/account"
	"github.com/linesofaction/loa/internal/bus"
	"github.com/linesofaction/loa/internal/clock"
	"github.com/linesofaction/loa/internal/live"
	"github.com/linesofaction/loa/internal/match"
)

func TestTokensAreKnownByTheirSecretsUntilTheyEnd(t *testing.T) {
	ctx, s := context.Background(), open(t, place(t))
	at := time.UnixMilli(1_700_000_000_000)
	for _, id := range []string{"p", "q"} {
		if err := s.AddPerson(ctx, account.Person{ID: id, Name: "1234", Created: at}, account.HashSecret(id)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Join(ctx, "p", "Marit", "x"); err != nil {
		t.Fatal(err)
	}
	want := account.AccessToken{ID: "t", Name: "a bot", Scopes: []account.Scope{account.ReadScope, account.BotScope}, Created: at}
	if err := s.AddToken(ctx, "p", account.HashSecret("secret"), want); err != nil {
		t.Fatal(err)
	}
	person, got, known, err := s.PersonByToken(ctx, account.HashSecret("secret"))
	if err != nil || !known || person.ID != "p" || got.Name != want.Name || !slices.Equal(got.Scopes, want.Scopes) || !got.Created.Equal(at) {
		t.Errorf("%+v %+v %t %v", person, got, known, err)
	}
	tokens, err := s.Tokens(ctx, "p")
	if err != nil || len(tokens) != 1 || tokens[0].Used.IsZero() {
		t.Errorf("tokens %+v, %v; want one that was used", tokens, err)
	}
	if err := s.EndToken(ctx, "q", "t"); err != nil { // somebody else's
		t.Fatal(err)
	}
	if _, _, known, err := s.PersonByToken(ctx, account.HashSecret("secret")); !known || err != nil {
		t.Errorf("ended by somebody else: %t %v", known, err)
	}
	if err := s.CloseAccount(ctx, "p", "9999"); err != nil {
		t.Fatal(err)
	}
	if _, _, known, err := s.PersonByToken(ctx, account.HashSecret("secret")); known || err != nil {
		t.Errorf("after the account was closed: %t %v", known, err)
	}
}

// Games come in the order in which they ended, from the one after another on; who has played rated ones is no bot.
func TestEndedGamesGoOnAfterOne(t *testing.T) {
	ctx, s := context.Background(), open(t, place(t))
	now := time.UnixMilli(1_700_000_000_000)
	service := live.New(s, new(bus.Memory), func() time.Time { return now }, 10)
	for i, name := range []string{"Marit", "Okonjo", "Ratchet"} {
		id := string(rune('a' + i))
		if err := s.AddPerson(ctx, account.Person{ID: id, Name: "1234", Created: now}, account.HashSecret(id)); err != nil {
			t.Fatal(err)
		}
		if err := s.Join(ctx, id, name, "x"); err != nil {
			t.Fatal(err)
		}
	}
	start, err := loa.Rules{}.StartPosition()
	if err != nil {
		t.Fatal(err)
	}
	control, err := clock.Parse("5+3")
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []match.ID{"3", "1", "2", "4"} { // the last one goes on
		terms := match.Terms{Start: start.Setup(), Control: control, Rated: true, Seats: [2]match.Seat{{Person: "a", Name: "Marit", Member: true}, {Person: "b", Name: "Okonjo", Member: true}}}
		if _, err := service.Create(ctx, id, terms); err != nil {
			t.Fatal(err)
		}
		if id != "4" {
			if _, _, err := service.Submit(ctx, id, match.Command{By: loa.Black, Ask: match.Resign{}}); err != nil {
				t.Fatal(err)
			}
		}
		if id == "3" {
			now = now.Add(time.Second) // the two others end at the same moment
		}
	}
	later := now.Add(time.Hour)
	for _, test := range []struct {
		person string
		after  match.ID
		before time.Time
		limit  int
		want   []match.ID
	}{
		{"", "", later, 10, []match.ID{"3", "1", "2"}},
		{"", "3", later, 10, []match.ID{"1", "2"}},
		{"", "1", later, 10, []match.ID{"2"}},
		{"", "2", later, 10, nil},
		{"b", "", later, 2, []match.ID{"3", "1"}},
		{"a", "1", later, 10, []match.ID{"2"}},
		{"c", "", later, 10, nil},
		{"a", "", now, 10, []match.ID{"3"}},
	} {
		got, err := s.EndedAfter(ctx, test.person, test.after, test.before, test.limit)
		if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%q after %q: %v, %v, want %v", test.person, test.after, got, err, test.want)
		}
	}
	if _, err := s.EndedAfter(ctx, "", "none", later, 10); !errors.Is(err, live.ErrNotFound) {
		t.Errorf("after a game that is none: %v", err)
	}
	if err := s.BecomeBot(ctx, "a"); !errors.Is(err, account.ErrRated) {
		t.Errorf("a bot that has played rated games: %v", err)
	}
	if err := s.BecomeBot(ctx, "c"); err != nil {
		t.Error(err)
	}
	if bot, _, err := s.PersonByName(ctx, "Ratchet"); err != nil || !bot.Bot {
		t.Errorf("%+v, %v", bot, err)
	}
}
