package clock_test

import (
	"strings"
	"testing"
	"time"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/clock"
)

var noon = time.UnixMilli(1_700_000_000_000)

func control(t testing.TB, text string) clock.Control {
	t.Helper()
	c, err := clock.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestControlsAreWrittenAsTheyAreRead(t *testing.T) {
	for _, text := range []string{"unlimited", "5+3", "0.5+2", "1+0", "5b3", "5d3", "10+3x30", "30/move", "3d/move", "180+180"} {
		if got := control(t, text).String(); got != text {
			t.Errorf("%s is written %s", text, got)
		}
	}
}

func TestUnusableControlsAreNamed(t *testing.T) {
	for _, text := range []string{"", "5", "5+", "+3", "x", "5+3x", "5+x3", "0+0", "0+1", "999+0", "5+999", "-1+3", "5+-3", "NaN+3", "1e9+3", "10+0x30", "10+3x1", "1/move", "9999/move", "0d/move", "15d/move", "1.5d/move"} {
		if _, err := clock.Parse(text); err == nil || !strings.Contains(err.Error(), `"`+text+`"`) {
			t.Errorf("%q: got %v, want an error that names it", text, err)
		}
	}
}

// step is a turn that takes so long, and what the mover's clock shows after it.
type step struct {
	took time.Duration
	left time.Duration
}

func TestWhatAMoveCosts(t *testing.T) {
	const s, m = time.Second, time.Minute
	tests := []struct {
		control string
		turns   []step // of Black; White answers at once
	}{
		{"5+3", []step{{10 * s, 4*m + 53*s}, {0, 4*m + 56*s}, {100 * s, 3*m + 19*s}}},
		{"5b3", []step{{10 * s, 4*m + 53*s}, {2 * s, 4*m + 53*s}, {3 * s, 4*m + 53*s}}},
		{"5d3", []step{{10 * s, 4*m + 56*s}, {2 * s, 4*m + 56*s}, {4 * s, 4*m + 55*s}}}, // the next delay included
		{"1+3x30", []step{{50 * s, 100 * s}, {20 * s, 90 * s}, {29 * s, 90 * s}, {31 * s, 60 * s}, {35 * s, 30 * s}}},
		{"30/move", []step{{10 * s, 30 * s}, {29 * s, 30 * s}}},
		{"2d/move", []step{{40 * time.Hour, 48 * time.Hour}}},
	}
	for _, test := range tests {
		t.Run(test.control, func(t *testing.T) {
			now := noon
			k := clock.New(control(t, test.control)).Start(loa.Black, now)
			for i, turn := range test.turns {
				now = now.Add(turn.took)
				if flagged := k.Flagged(now, 0); flagged != loa.NoColor {
					t.Fatalf("turn %d: %s is flagged", i+1, flagged)
				}
				k = k.Press(loa.Black, now, 0)
				if got := k.Left(loa.Black, now); got != turn.left {
					t.Errorf("turn %d: %s left, want %s", i+1, got, turn.left)
				}
				k = k.Press(loa.White, now, 0)
			}
		})
	}
}

func TestFlagFallsJustAfterTheDeadline(t *testing.T) {
	for _, text := range []string{"1+3", "1b3", "1d3", "1+3x30", "30/move", "1d/move"} {
		k := clock.New(control(t, text)).Start(loa.White, noon)
		deadline, ok := k.Deadline()
		if !ok || deadline.Sub(noon) != k.Left(loa.White, noon) {
			t.Fatalf("%s: deadline %s, %s left", text, deadline.Sub(noon), k.Left(loa.White, noon))
		}
		if got := k.Flagged(deadline, 0); got != loa.NoColor {
			t.Errorf("%s: flagged at the deadline", text)
		}
		if got := k.Flagged(deadline.Add(1), 0); got != loa.White {
			t.Errorf("%s: %s flagged after the deadline, want white", text, got)
		}
		if got := k.Flagged(deadline.Add(300*time.Millisecond), 300*time.Millisecond); got != loa.NoColor {
			t.Errorf("%s: flagged within the lag", text)
		}
		if got := k.Flagged(deadline.Add(2*clock.MaxLag), time.Hour); got != loa.White {
			t.Errorf("%s: not flagged beyond any lag", text)
		}
	}
}

func TestLagIsCreditedUpToItsAllowances(t *testing.T) {
	k, now := clock.New(control(t, "5+0")).Start(loa.Black, noon), noon
	for range 40 {
		now = now.Add(time.Second)
		k = k.Press(loa.Black, now, time.Hour).Press(loa.White, now, 0)
	}
	if got := k.Lag(loa.Black); got != clock.MaxLagGame {
		t.Errorf("credited %s, want %s", got, clock.MaxLagGame)
	}
	if got, want := k.Left(loa.Black, now), 5*time.Minute-40*time.Second+clock.MaxLagGame; got != want {
		t.Errorf("%s left, want %s", got, want)
	}
	if got := k.Lag(loa.White); got != 0 {
		t.Errorf("White was credited %s", got)
	}
}

func TestForcedPassCostsNothingAndEarnsNothing(t *testing.T) {
	k := clock.New(control(t, "5+3")).Start(loa.Black, noon)
	now := noon.Add(10 * time.Second)
	k = k.Press(loa.Black, now, 0) // White is to move and must pass
	k = k.Hand(loa.White, now)
	if got := k.Left(loa.White, now); got != 5*time.Minute {
		t.Errorf("White has %s", got)
	}
	if k.Running() != loa.Black {
		t.Errorf("%s runs", k.Running())
	}
}

func TestDowntimeIsGivenBack(t *testing.T) {
	k := clock.New(control(t, "5+3")).Start(loa.Black, noon)
	now := noon.Add(time.Hour)
	if got := k.Give(time.Hour-time.Minute).Left(loa.Black, now); got != 4*time.Minute {
		t.Errorf("%s left, want 4m", got)
	}
}

func TestUnlimitedNeverRuns(t *testing.T) {
	k := clock.New(clock.Control{}).Start(loa.Black, noon)
	if _, ok := k.Deadline(); ok || k.Running() != loa.NoColor || k.Flagged(noon.AddDate(9, 0, 0), 0) != loa.NoColor {
		t.Errorf("an unlimited clock runs: %+v", k)
	}
}

func TestFaceOfByoyomiShowsThePeriod(t *testing.T) {
	k := clock.New(control(t, "1+3x30")).Start(loa.Black, noon)
	for _, c := range []struct {
		after   time.Duration
		left    time.Duration
		periods int
		period  bool
	}{
		{30 * time.Second, 30 * time.Second, 3, false},
		{70 * time.Second, 20 * time.Second, 3, true},
		{100 * time.Second, 20 * time.Second, 2, true},
		{140 * time.Second, 10 * time.Second, 1, true},
	} {
		if got := k.Face(loa.Black, noon.Add(c.after)); got.Left != c.left || got.Periods != c.periods || got.Period != c.period {
			t.Errorf("after %s: %+v, want %s and %d periods, in a period: %t", c.after, got, c.left, c.periods, c.period)
		}
	}
}

func TestFaceOfDelayCountsTheDelayFirst(t *testing.T) {
	k := clock.New(control(t, "5d3")).Start(loa.Black, noon)
	if got := k.Face(loa.Black, noon.Add(time.Second)); got.Left != 5*time.Minute || got.Delay != 2*time.Second {
		t.Errorf("got %+v", got)
	}
	if got := k.Face(loa.Black, noon.Add(10*time.Second)); got.Left != 5*time.Minute-7*time.Second || got.Delay != 0 {
		t.Errorf("got %+v", got)
	}
}

func TestWithoutABaseEachSideBeginsWithAStep(t *testing.T) {
	for _, text := range []string{"0+5", "0b5", "0d5", "5/move"} {
		k := clock.New(control(t, text)).Start(loa.Black, noon)
		if got := k.Left(loa.Black, noon); got != 5*time.Second {
			t.Errorf("%s begins with %s, want 5s", text, got)
		}
	}
}

func TestStoppedClockStands(t *testing.T) {
	k := clock.New(control(t, "5+3")).Start(loa.White, noon).Stop(noon.Add(time.Minute))
	if got := k.Left(loa.White, noon.Add(time.Hour)); got != 4*time.Minute || k.Running() != loa.NoColor {
		t.Errorf("%s left, %s runs", got, k.Running())
	}
}

func TestSpeeds(t *testing.T) {
	for text, want := range map[string]clock.Speed{
		"1+2": clock.Bullet, "3+2": clock.Blitz, "5+3": clock.Blitz, "10+5": clock.Rapid, "20+10": clock.Rapid,
		"30+20": clock.Classical, "3d/move": clock.Days, "unlimited": clock.Days,
	} {
		if got := control(t, text).Speed(); got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
}
