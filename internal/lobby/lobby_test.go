package lobby_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/clock"
	"github.com/linesofaction/loa/internal/lobby"
	"github.com/linesofaction/loa/internal/rating"
)

var now = time.UnixMilli(1_700_000_000_000)

func blitz() lobby.Wish {
	return lobby.Wish{Control: clock.Control{Kind: clock.Fischer, Base: 5 * time.Minute, Step: 3 * time.Second}, Color: loa.NoColor}
}

// seeker waits since so many seconds.
func seeker(person string, mean float64, waited int, change ...func(*lobby.Seeker)) lobby.Seeker {
	r := rating.New()
	r.Mean = mean
	s := lobby.Seeker{ID: "seek-" + person, Person: person, Wish: blitz(), Since: now.Add(-time.Duration(waited) * time.Second), Rating: r, Kept: 1}
	for _, c := range change {
		c(&s)
	}
	return s
}

// pairs writes the pairings as "black-white", sorted as made.
func pairs(seekers ...lobby.Seeker) string {
	var out []string
	for _, p := range lobby.Pair(seekers, now, func() bool { return false }) {
		out = append(out, p.Black.Person+"-"+p.White.Person)
	}
	return strings.Join(out, " ")
}

func TestProspectOfJoiningASeek(t *testing.T) {
	narrow := func(s *lobby.Seeker) { s.Wish.Below, s.Wish.Above = 100, 100 }
	daily := func(s *lobby.Seeker) {
		s.Wish.Control = clock.Control{Kind: clock.Correspondence, Step: 48 * time.Hour}
	}
	met := func(ago time.Duration) func(*lobby.Seeker) {
		return func(s *lobby.Seeker) { s.Last, s.LastEnd = "a", now.Add(-ago) }
	}
	for _, test := range []struct {
		name         string
		seek, joiner lobby.Seeker
		want         lobby.Prospect
	}{
		{"alike", seeker("a", 1500, 5), seeker("b", 1520, 0), lobby.AtOnce},
		{"a wished color", seeker("a", 1500, 5, func(s *lobby.Seeker) { s.Wish.Color = loa.Black }), seeker("b", 1520, 0), lobby.AtOnce},
		{"far apart", seeker("a", 1500, 90), seeker("b", 1900, 0), lobby.Later},
		{"somebody who leaves", seeker("a", 1500, 90), seeker("b", 1500, 0, func(s *lobby.Seeker) { s.Kept = .2 }), lobby.Later},
		{"out of range", seeker("a", 1500, 90, narrow), seeker("b", 1620, 0), lobby.OutOfRange},
		{"the joiner's last range", seeker("a", 1500, 90), seeker("b", 1620, 0, narrow), lobby.AtOnce},
		{"just played", seeker("a", 1500, 90), seeker("b", 1500, 0, met(time.Minute)), lobby.Again},
		{"played before", seeker("a", 1500, 90), seeker("b", 1500, 0, met(time.Hour)), lobby.AtOnce},
		{"far apart, at days a move", seeker("a", 1500, 0, daily), seeker("b", 1900, 0), lobby.AtOnce},
		{"out of range, at days a move", seeker("a", 1500, 0, daily, narrow), seeker("b", 1620, 0), lobby.OutOfRange},
		{"just played, at days a move", seeker("a", 1500, 0, daily), seeker("b", 1500, 0, met(time.Minute)), lobby.AtOnce},
		{"the joiner is blocked", seeker("a", 1500, 90, func(s *lobby.Seeker) { s.Blocked = []string{"b"} }), seeker("b", 1500, 0), lobby.Blocked},
		{"the seeker is blocked", seeker("a", 1500, 90), seeker("b", 1500, 0, func(s *lobby.Seeker) { s.Blocked = []string{"a"} }), lobby.Blocked},
	} {
		if got := test.seek.Prospect(test.joiner, now); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func TestPairing(t *testing.T) {
	color := func(c loa.Color) func(*lobby.Seeker) { return func(s *lobby.Seeker) { s.Wish.Color = c } }
	rated := func(s *lobby.Seeker) { s.Wish.Rated = true }
	tests := []struct {
		name    string
		seekers []lobby.Seeker
		want    string
	}{
		{"nobody else", []lobby.Seeker{seeker("a", 1500, 5)}, ""},
		{"two alike", []lobby.Seeker{seeker("a", 1500, 5), seeker("b", 1520, 1)}, "a-b"},
		{"the nearest of those who wait", []lobby.Seeker{seeker("a", 1500, 9), seeker("b", 1640, 2), seeker("c", 1510, 1)}, "a-c"},
		{"far apart at once", []lobby.Seeker{seeker("a", 1500, 1), seeker("b", 1900, 1)}, ""},
		{"far apart after waiting", []lobby.Seeker{seeker("a", 1500, 15), seeker("b", 1900, 15)}, "a-b"},
		{"any difference after a minute", []lobby.Seeker{seeker("a", 800, 61), seeker("b", 2600, 61)}, "a-b"},
		{"both must have waited", []lobby.Seeker{seeker("a", 1500, 61), seeker("b", 1900, 0)}, ""},
		{"rated and casual", []lobby.Seeker{seeker("a", 1500, 9), seeker("b", 1500, 9, rated)}, ""},
		{"the same person twice", []lobby.Seeker{seeker("a", 1500, 9), seeker("a", 1500, 9)}, ""},
		{"wished colors", []lobby.Seeker{seeker("a", 1500, 9, color(loa.White)), seeker("b", 1500, 9)}, "b-a"},
		{"the same color", []lobby.Seeker{seeker("a", 1500, 9, color(loa.Black)), seeker("b", 1500, 9, color(loa.Black))}, ""},
		{"colors balance", []lobby.Seeker{seeker("a", 1500, 9, func(s *lobby.Seeker) { s.Blacks = 2 }), seeker("b", 1500, 9)}, "b-a"},
		{"a blocked person", []lobby.Seeker{seeker("a", 1500, 90), seeker("b", 1500, 90, func(s *lobby.Seeker) { s.Blocked = []string{"a"} })}, ""},
		{"the same two at once again", []lobby.Seeker{
			seeker("a", 1500, 90, func(s *lobby.Seeker) { s.Last, s.LastEnd = "b", now.Add(-100*time.Second) }), seeker("b", 1500, 90),
		}, ""},
		{"the same two later", []lobby.Seeker{
			seeker("a", 1500, 90, func(s *lobby.Seeker) { s.Last, s.LastEnd = "b", now.Add(-time.Hour) }), seeker("b", 1500, 90),
		}, "a-b"},
		{"out of the wished range", []lobby.Seeker{
			seeker("a", 1500, 90, func(s *lobby.Seeker) { s.Wish.Above = 50 }), seeker("b", 1600, 90),
		}, ""},
		{"who leaves games waits", []lobby.Seeker{
			seeker("a", 1500, 4), seeker("b", 1500, 3, func(s *lobby.Seeker) { s.Kept = 0.2 }), seeker("c", 1600, 2),
		}, "a-c"},
		{"two pairs, nobody twice", []lobby.Seeker{seeker("a", 1500, 9), seeker("b", 1500, 8), seeker("c", 1500, 7), seeker("d", 1500, 6)}, "a-b c-d"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := pairs(test.seekers...); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestManySeekersAreAllPaired(t *testing.T) {
	var seekers []lobby.Seeker
	for i := range 400 {
		seekers = append(seekers, seeker(fmt.Sprint("p", i), 1000+float64(i*5), 61))
	}
	if got := len(lobby.Pair(seekers, now, func() bool { return true })); got != 200 {
		t.Errorf("%d pairs of 400 people", got)
	}
}

func TestWishesThatNobodyMayHave(t *testing.T) {
	changed := blitz()
	changed.Rated, changed.Rules.Both = true, loa.BothMover
	changed.Rules.Captures = loa.CapturesNo
	unlimited := lobby.Wish{Rated: true}
	negative := blitz()
	negative.Below = -1
	for name, wish := range map[string]lobby.Wish{"rated with changed rules": changed, "rated without a clock": unlimited, "a negative range": negative} {
		if wish.Validate() == nil {
			t.Errorf("%s is allowed", name)
		}
	}
	if err := blitz().Validate(); err != nil {
		t.Error(err)
	}
}

func TestPoolIsRuleSetAndSpeed(t *testing.T) {
	wish := blitz()
	wish.Rules.Start, wish.Rules.Size, wish.Rules.Seed = loa.StartRandom, 8, 99
	if got := lobby.Pool(wish.Rules, wish.Control, false); got != "random blitz" {
		t.Errorf("got %q", got)
	}
	if why := wish.Unrated(); why != "" {
		t.Errorf("a random start is not rated: %s", why)
	}
}

func TestChallengeState(t *testing.T) {
	made := lobby.Challenge{Made: now}
	for _, test := range []struct {
		c    lobby.Challenge
		at   time.Time
		want string
	}{
		{made, now, ""},
		{made, now.Add(lobby.ChallengeLife + 1), "expired"},
		{lobby.Challenge{Made: now, Match: "m"}, now, "taken"},
		{lobby.Challenge{Made: now, Refused: true}, now, "refused"},
	} {
		if got := test.c.State(test.at); got != test.want {
			t.Errorf("%+v: %q, want %q", test.c, got, test.want)
		}
	}
}

func TestWhoTakesASeekGetsTheOtherColor(t *testing.T) {
	for _, color := range []loa.Color{loa.Black, loa.White} {
		seek := seeker("a", 1500, 5, func(s *lobby.Seeker) { s.Wish.Color = color })
		// what the other one looks for does not count
		other := seeker("b", 1500, 0, func(s *lobby.Seeker) { s.Wish = lobby.Wish{Color: color} })
		pairing, why := seek.Join(other, now, func() bool { return false })
		maker := pairing.Black
		if color == loa.White {
			maker = pairing.White
		}
		if why != lobby.AtOnce || maker.Person != "a" || pairing.Black.Wish.Game() != seek.Wish.Game() || pairing.White.Wish.Game() != seek.Wish.Game() {
			t.Errorf("%s: %+v, %q", color, pairing, why)
		}
	}
	blocked := seeker("a", 1500, 5, func(s *lobby.Seeker) { s.Blocked = []string{"b"} })
	if pairing, why := blocked.Join(seeker("b", 1500, 0), now, func() bool { return false }); why != lobby.Blocked || pairing.Black.Person != "" {
		t.Errorf("%+v, %q", pairing, why)
	}
}
