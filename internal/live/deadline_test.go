package live_test

import (
	"context"
	"fmt"
	"math"
	"sync/atomic"
	"testing"
	"time"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/account"
	"github.com/linesofaction/loa/internal/bus"
	"github.com/linesofaction/loa/internal/clock"
	"github.com/linesofaction/loa/internal/live"
	"github.com/linesofaction/loa/internal/match"
	"github.com/linesofaction/loa/internal/rating"
	"github.com/linesofaction/loa/internal/store"
)

// hand is a clock that a test moves.
type hand struct{ passed atomic.Int64 }

func (h *hand) now() time.Time        { return began.Add(time.Duration(h.passed.Load())) }
func (h *hand) turn(by time.Duration) { h.passed.Add(int64(by)) }

func timed(t testing.TB, s *live.Service, id match.ID, control string, rated bool) {
	t.Helper()
	c, err := clock.Parse(control)
	if err != nil {
		t.Fatal(err)
	}
	start, err := loa.Rules{}.StartPosition()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Create(context.Background(), id, match.Terms{Start: start.Setup(), Seats: people, Control: c, Rated: rated}); err != nil {
		t.Fatal(err)
	}
}

func move(t testing.TB, s *live.Service, id match.ID) *match.Match {
	t.Helper()
	m, err := s.Match(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	m, _, err = s.Submit(context.Background(), id, next(m, 0, ""))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// addPeople stores the two people of the seats.
func addPeople(t testing.TB, db *store.Store) {
	t.Helper()
	for _, seat := range people {
		if err := db.AddPerson(context.Background(), account.Person{ID: seat.Person, Name: seat.Name, Created: began}, account.HashSecret(seat.Person)); err != nil {
			t.Fatal(err)
		}
	}
}

func TestFlagFallsWithoutAnybodyLooking(t *testing.T) {
	ctx, db, h := context.Background(), open(t), new(hand)
	one, two := live.New(db, new(bus.Memory), h.now, 10), live.New(db, new(bus.Memory), h.now, 10)
	timed(t, one, "m", "1+0", false)
	move(t, one, "m")
	move(t, one, "m")
	h.turn(time.Minute)
	if err := two.Expire(ctx); err != nil {
		t.Fatal(err)
	}
	if m, err := two.Match(ctx, "m"); err != nil || m.Outcome().Over() {
		t.Fatalf("at the deadline: %v %v", m.Outcome(), err)
	}
	h.turn(2 * clock.MaxLag)
	if err := two.Expire(ctx); err != nil { // another process, which never saw the match
		t.Fatal(err)
	}
	m, err := one.Refresh(ctx, "m")
	if err != nil || m.Outcome() != (loa.Outcome{Winner: loa.White, Reason: loa.Flag}) {
		t.Errorf("outcome %v, %v", m.Outcome(), err)
	}
}

func TestDowntimeIsGivenBackOnce(t *testing.T) {
	ctx, db, h := context.Background(), open(t), new(hand)
	before := live.New(db, new(bus.Memory), h.now, 10)
	if err := before.Recover(ctx); err != nil {
		t.Fatal(err)
	}
	timed(t, before, "m", "1+0", false)
	move(t, before, "m")
	move(t, before, "m")
	if err := db.Alive(ctx, h.now()); err != nil {
		t.Fatal(err)
	}
	h.turn(time.Hour) // the process is gone, and then two start at once
	var after []*live.Service
	for range 2 {
		after = append(after, live.New(db, new(bus.Memory), h.now, 10))
	}
	for _, s := range after {
		if err := s.Recover(ctx); err != nil {
			t.Fatal(err)
		}
	}
	if err := after[1].Expire(ctx); err != nil {
		t.Fatal(err)
	}
	m, err := after[1].Refresh(ctx, "m")
	if err != nil {
		t.Fatal(err)
	}
	if got := m.Clock().Left(loa.Black, h.now()); m.Outcome().Over() || got != time.Minute {
		t.Errorf("outcome %v, %s left, want the minute", m.Outcome(), got)
	}
}

func TestTimeSinceAnAnnouncedStopIsGivenBackHoweverShort(t *testing.T) {
	ctx, db, h := context.Background(), open(t), new(hand)
	before := live.New(db, new(bus.Memory), h.now, 10)
	if err := before.Recover(ctx); err != nil {
		t.Fatal(err)
	}
	timed(t, before, "m", "1+0", false)
	move(t, before, "m")
	move(t, before, "m")
	h.turn(300 * time.Millisecond) // thought about
	if err := before.Stop(ctx, h.now()); err != nil {
		t.Fatal(err)
	}
	h.turn(700 * time.Millisecond) // less than a crash may cost
	after := live.New(db, new(bus.Memory), h.now, 10)
	for range 2 { // and once
		if err := after.Recover(ctx); err != nil {
			t.Fatal(err)
		}
		m, err := after.Refresh(ctx, "m")
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Clock().Left(loa.Black, h.now()); got != time.Minute-300*time.Millisecond {
			t.Errorf("%s left, want what was not thought about", got)
		}
	}
	h.turn(400 * time.Millisecond) // it runs, and another starts beside it
	if err := live.New(db, new(bus.Memory), h.now, 10).Recover(ctx); err != nil {
		t.Fatal(err)
	}
	if m, err := after.Refresh(ctx, "m"); err != nil || m.Clock().Left(loa.Black, h.now()) != time.Minute-700*time.Millisecond {
		t.Errorf("%s left beside a process that runs, %v", m.Clock().Left(loa.Black, h.now()), err)
	}
}

func TestRatedEndMovesBothRatingsAtOnce(t *testing.T) {
	ctx, db, h := context.Background(), open(t), new(hand)
	addPeople(t, db)
	s := live.New(db, new(bus.Memory), h.now, 10)
	pool := "standard blitz"
	want := [2]rating.Rating{rating.New(), rating.New()}
	for i := range 6 {
		id := match.ID(fmt.Sprint("m", i))
		timed(t, s, id, "5+3", true)
		if i == 5 { // called off: nothing changes
			if _, _, err := s.Submit(ctx, id, match.Command{By: loa.Black, Ask: match.Abort{}}); err != nil {
				t.Fatal(err)
			}
			if _, _, rated, err := db.Changes(ctx, id); rated || err != nil {
				t.Errorf("an aborted match is rated: %v", err)
			}
			break
		}
		h.turn(time.Minute)
		if _, _, err := s.Submit(ctx, id, match.Command{By: loa.Color(i % 2), Ask: match.Resign{}}); err != nil {
			t.Fatal(err)
		}
		before := want
		want[0], want[1] = rating.Play(want[0], want[1], float64(i%2), h.now())
		black, white, rated, err := db.Changes(ctx, id)
		if err != nil || !rated || black != (rating.Change{Before: before[0].Mean, After: want[0].Mean}) || white != (rating.Change{Before: before[1].Mean, After: want[1].Mean}) {
			t.Errorf("match %d: %+v %+v %v %v, want %+v", i, black, white, rated, err, want)
		}
	}
	for i, seat := range people {
		got, err := db.Rating(ctx, seat.Person, pool)
		if err != nil || math.Abs(got.Mean-want[i].Mean) > 1e-9 || got.Games != 5 || !got.Played.Equal(want[i].Played) {
			t.Errorf("%s: %+v %v, want %+v", seat.Person, got, err, want[i])
		}
	}
}

func TestRematchIsMadeOnce(t *testing.T) {
	ctx, db, h := context.Background(), open(t), new(hand)
	s := live.New(db, new(bus.Memory), h.now, 10)
	timed(t, s, "m", "5+3", false)
	submit := func(by loa.Color, ask match.Ask) *match.Match {
		t.Helper()
		m, _, err := s.Submit(ctx, "m", match.Command{By: by, Ask: ask})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	submit(loa.Black, match.Resign{})
	submit(loa.Black, match.OfferOf{What: match.OfferRematch})
	m := submit(loa.White, match.OfferOf{What: match.OfferRematch})
	following, err := s.Match(ctx, m.Rematch())
	if err != nil || following.Seat(loa.Black) != m.Seat(loa.White) {
		t.Fatalf("following %v, %v", m.Rematch(), err)
	}
}

func TestServiceThatRunsIsAlive(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	db, h := open(t), new(hand)
	s := live.New(db, new(bus.Memory), h.now, 10)
	timed(t, s, "m", "1+0", false)
	ended := make(chan struct{})
	defer s.Listen("m", func(match.ID, int) { close(ended) })()
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.Run(ctx, func(err error) { t.Error(err) })
	}()
	h.turn(time.Hour) // nobody made the first move
	<-ended
	cancel()
	<-done
	if m, err := s.Match(context.Background(), "m"); err != nil || m.Outcome().Reason != loa.Aborted {
		t.Errorf("outcome %v, %v", m.Outcome(), err)
	}
}
