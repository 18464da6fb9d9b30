package web_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/account"
	"github.com/linesofaction/loa/internal/clock"
	"github.com/linesofaction/loa/internal/match"
	"github.com/linesofaction/loa/internal/store"
	"github.com/linesofaction/loa/internal/web"
)

// Two newcomers have more points than two people who have drawn many games, and are no better known for it.
func TestTheTopGameIsOneOfPeopleWhoseStrengthIsKnown(t *testing.T) {
	ctx := context.Background()
	var db *store.Store
	s := newClubWith(t, func(o *web.Options) { db = o.People.(*store.Store) })
	for _, name := range []string{"ann", "bea", "cas", "dan", "eve"} {
		if err := db.AddPerson(ctx, account.Person{ID: name, Name: name}, account.HashSecret(name)); err != nil {
			t.Fatal(err)
		}
	}
	submit := func(id match.ID, by loa.Color, ask match.Ask) {
		t.Helper()
		if _, _, err := s.live.Submit(ctx, id, match.Command{By: by, Ask: ask}); err != nil {
			t.Fatal(err)
		}
	}
	blitz, err := clock.Parse("5+3")
	if err != nil {
		t.Fatal(err)
	}
	games := 0
	begin := func(black, white string) match.ID {
		t.Helper()
		games++
		id := match.ID(fmt.Sprint("game", games))
		position, err := loa.Rules{}.StartPosition()
		if err == nil {
			_, err = s.live.Create(ctx, id, match.Terms{Start: position.Setup(), Control: blitz, Rated: true, Seats: [2]match.Seat{{Person: black, Name: black, Member: true}, {Person: white, Name: white, Member: true}}})
		}
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	for _, one := range []string{"ann", "bea"} {
		submit(begin(one, "cas"), loa.Black, match.Resign{})
	}
	for range 12 {
		id := begin("ann", "bea")
		for _, by := range []loa.Color{loa.Black, loa.White} {
			submit(id, by, match.OfferOf{What: match.OfferDraw})
		}
	}
	settled := begin("ann", "bea")
	s.wait(1e9)
	newcomers := begin("dan", "eve")
	_, body := s.do(s.browser(), "GET", "/watch/games?count=1", nil)
	if !strings.Contains(body, "/game/"+string(settled)) || strings.Contains(body, "/game/"+string(newcomers)) {
		t.Errorf("the top game is not that of those who are known: %.600s", body)
	}
}
