package rating_test

import (
	"math"
	"testing"
	"time"

	"github.com/linesofaction/loa/internal/rating"
)

// TestWorkedExampleOfThePaper is the example at the end of Glickman's paper.
func TestWorkedExampleOfThePaper(t *testing.T) {
	opponent := func(mean, deviation float64) rating.Rating {
		return rating.Rating{Mean: mean, Deviation: deviation, Volatility: 0.06}
	}
	r := rating.Rating{Mean: 1500, Deviation: 200, Volatility: 0.06}.Period([]rating.Result{
		{Opponent: opponent(1400, 30), Points: 1},
		{Opponent: opponent(1550, 100), Points: 0},
		{Opponent: opponent(1700, 300), Points: 0},
	})
	for _, c := range []struct {
		name            string
		got, want, near float64
	}{
		{"mean", r.Mean, 1464.06, 0.01},
		{"deviation", r.Deviation, 151.52, 0.01},
		{"volatility", r.Volatility, 0.05999, 0.00001},
	} {
		if math.Abs(c.got-c.want) > c.near {
			t.Errorf("%s %v, want %v", c.name, c.got, c.want)
		}
	}
	if r.Games != 3 {
		t.Errorf("%d games", r.Games)
	}
}

func TestPeriodWithoutGamesOnlyGrowsLessCertain(t *testing.T) {
	before := rating.Rating{Mean: 1700, Deviation: 50, Volatility: 0.06}
	after := before.Period(nil)
	if after.Mean != before.Mean || after.Volatility != before.Volatility || after.Deviation <= before.Deviation {
		t.Errorf("from %+v to %+v", before, after)
	}
}

func TestGameMovesBothRatingsOppositely(t *testing.T) {
	now := time.UnixMilli(1_700_000_000_000)
	a, b := rating.New(), rating.New()
	for _, points := range []float64{1, 0.5, 0} {
		nextA, nextB := rating.Play(a, b, points, now)
		if math.Abs((nextA.Mean-1500)+(nextB.Mean-1500)) > 1e-9 {
			t.Errorf("%v points: %v and %v", points, nextA.Mean, nextB.Mean)
		}
		if (nextA.Mean > 1500) != (points > 0.5) || nextA.Deviation >= a.Deviation || !nextA.Played.Equal(now) {
			t.Errorf("%v points: %+v", points, nextA)
		}
	}
}

func TestRatingGrowsProvisionalWhenIdle(t *testing.T) {
	now := time.UnixMilli(1_700_000_000_000)
	r := rating.Rating{Mean: 1600, Deviation: 50, Volatility: 0.06, Played: now}
	if r.At(now.AddDate(0, 1, 0)).Provisional() {
		t.Error("provisional after a month")
	}
	if !r.At(now.AddDate(3, 0, 0)).Provisional() {
		t.Error("not provisional after three years")
	}
	if got := r.At(now.AddDate(500, 0, 0)).Deviation; got > rating.StartDeviation {
		t.Errorf("deviation %v, more than a newcomer's", got)
	}
}

func TestManyGamesStayFinite(t *testing.T) {
	now := time.UnixMilli(1_700_000_000_000)
	strong, weak := rating.New(), rating.New()
	for range 2000 {
		strong, weak = rating.Play(strong, weak, 1, now)
	}
	if math.IsNaN(strong.Mean) || strong.Mean < 2000 || strong.Mean > 4000 || strong.Deviation < 45 {
		t.Errorf("%+v against %+v", strong, weak)
	}
	if e := rating.Expected(strong, weak); e < 0.95 || e > 1 {
		t.Errorf("expected points %v", e)
	}
}
