package live_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/account"
	"github.com/linesofaction/loa/internal/bus"
	"github.com/linesofaction/loa/internal/live"
	"github.com/linesofaction/loa/internal/match"
	"github.com/linesofaction/loa/internal/rating"
	"github.com/linesofaction/loa/internal/store"
)

// resigned plays so many rated matches, each lost by Black at once, a minute apart.
func resigned(t *testing.T, s *live.Service, h *hand, n int) []match.ID {
	t.Helper()
	var ids []match.ID
	for i := range n {
		id := match.ID(fmt.Sprint("m", i))
		ids = append(ids, id)
		timed(t, s, id, "5+3", true)
		h.turn(time.Minute)
		if _, _, err := s.Submit(context.Background(), id, match.Command{By: loa.Black, Ask: match.Resign{}}); err != nil {
			t.Fatal(err)
		}
	}
	return ids
}

// ratingsAfter returns what the two people's ratings are after results a minute apart; a negative one counts for
// nothing.
func ratingsAfter(points ...float64) (want [2]rating.Rating) {
	want = [2]rating.Rating{rating.New(), rating.New()}
	at := began
	for _, p := range points {
		if at = at.Add(time.Minute); p >= 0 {
			want[0], want[1] = rating.Play(want[0], want[1], p, at)
		}
	}
	return want
}

// checkScores holds the statistics of the first person, Black in all games, against the expected ones.
func checkScores(t *testing.T, db *store.Store, want ...account.Score) {
	t.Helper()
	got, err := db.Scores(context.Background(), people[loa.Black].Person)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("scores %+v, %v, want %+v", got, err, want)
	}
}

func checkRatings(t *testing.T, db *store.Store, want [2]rating.Rating) {
	t.Helper()
	for i, seat := range people {
		got, err := db.Rating(context.Background(), seat.Person, "standard blitz")
		if err != nil || got.Mean != want[i].Mean || got.Deviation != want[i].Deviation || got.Games != want[i].Games {
			t.Errorf("%s: %+v, %v, want %+v", seat.Person, got, err, want[i])
		}
	}
	if err := db.CheckRatings(context.Background()); err != nil {
		t.Error(err)
	}
}

func TestVerdictReworksEveryRatingThatFollows(t *testing.T) {
	ctx, db, h := context.Background(), open(t), new(hand)
	addPeople(t, db)
	s := live.New(db, new(bus.Memory), h.now, 10)
	ids := resigned(t, s, h, 4)
	checkRatings(t, db, ratingsAfter(0, 0, 0, 0))
	checkScores(t, db, account.Score{Rules: "standard", Lost: 4})
	act := account.Act{At: h.now(), Reason: "the loser was cut off by us"}
	for _, step := range []struct {
		id      match.ID
		outcome loa.Outcome
		want    [2]rating.Rating
	}{
		{ids[1], loa.Outcome{Winner: loa.Black, Reason: loa.Adjudicated}, ratingsAfter(0, 1, 0, 0)},
		{ids[0], loa.Outcome{Winner: loa.NoColor, Reason: loa.Adjudicated}, ratingsAfter(0.5, 1, 0, 0)},
		{ids[1], loa.Outcome{Winner: loa.NoColor, Reason: loa.Aborted}, ratingsAfter(0.5, -1, 0, 0)},
	} {
		m, err := s.Adjudicate(ctx, step.id, step.outcome, act)
		if err != nil || m.Outcome() != step.outcome {
			t.Fatalf("%v, %v", m, err)
		}
		checkRatings(t, db, step.want)
	}
	checkScores(t, db, account.Score{Rules: "standard", Lost: 2, Drawn: 1})
	if _, _, rated, err := db.Changes(ctx, ids[1]); rated || err != nil {
		t.Errorf("a match that counts for nothing has rating changes, %v", err)
	}
	acts, err := db.Acts(ctx, account.ActFilter{Match: string(ids[1])}, 10)
	if err != nil || len(acts) != 2 || acts[0].Kind != account.Verdict || acts[0].Reason != act.Reason || acts[1].Result != "black adjudicated" {
		t.Errorf("log of the match: %+v, %v", acts, err)
	}
}

func TestVerdictEndsARunningMatchAndCounts(t *testing.T) {
	ctx, db, h := context.Background(), open(t), new(hand)
	addPeople(t, db)
	s := live.New(db, new(bus.Memory), h.now, 10)
	timed(t, s, "m", "5+3", true)
	h.turn(time.Minute)
	if _, err := s.Adjudicate(ctx, "m", loa.Outcome{Winner: loa.White, Reason: loa.Adjudicated}, account.Act{At: h.now(), Reason: "why"}); err != nil {
		t.Fatal(err)
	}
	checkRatings(t, db, ratingsAfter(0))
}

// A verdict that is refused is not in the log.
func TestVerdictThatCannotBeLeavesNoTrace(t *testing.T) {
	ctx, db, h := context.Background(), open(t), new(hand)
	addPeople(t, db)
	s := live.New(db, new(bus.Memory), h.now, 10)
	timed(t, s, "m", "5+3", true)
	if _, err := s.Adjudicate(ctx, "m", loa.Outcome{Winner: loa.White, Reason: loa.Connected}, account.Act{At: h.now(), Reason: "why"}); err == nil {
		t.Error("a verdict by connection is taken")
	}
	if n, err := db.LastAct(ctx); n != 0 || err != nil {
		t.Errorf("log at %d, %v", n, err)
	}
}

// What is done at the command line reaches the server that runs: it looks at the log once a second.
func TestActsOfAnotherProcessAreHeeded(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	db, h := open(t), new(hand)
	addPeople(t, db)
	here, there := live.New(db, new(bus.Memory), h.now, 10), live.New(db, new(bus.Memory), h.now, 10)
	timed(t, here, "m", "5+3", true)
	heard := make(chan int, 10)
	defer here.Listen("m", func(_ match.ID, seq int) { heard <- seq })()
	done := make(chan struct{})
	go func() {
		defer close(done)
		here.Run(ctx, func(err error) { t.Error(err) })
	}()
	m, err := there.Adjudicate(ctx, "m", loa.Outcome{Winner: loa.White, Reason: loa.Adjudicated}, account.Act{At: h.now(), Reason: "why"})
	if err != nil {
		t.Fatal(err)
	}
	if seq := <-heard; seq != m.Seq() {
		t.Errorf("heard of %d, want %d", seq, m.Seq())
	}
	if m, err := here.Match(ctx, "m"); err != nil || !m.Outcome().Over() {
		t.Errorf("in memory: %v, %v", m.Outcome(), err)
	}
	cancel()
	<-done
}
