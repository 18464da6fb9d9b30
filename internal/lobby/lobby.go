// Package lobby is how people meet: what somebody looks for, who fits whom, and challenges. It is pure; time and
// chance are arguments.
package lobby

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/clock"
	"github.com/linesofaction/loa/internal/rating"
)

// Wish is the game somebody looks for.
type Wish struct {
	Rules   loa.Rules
	Control clock.Control
	Rated   bool
	Color   loa.Color // NoColor for either
	Below   int       // points the opponent may be below one's own rating; 0 for any
	Above   int       // points the opponent may be above it; 0 for any
}

// Game is what two people must agree upon to be paired; a random start has no seed yet.
type Game struct {
	Rules   loa.Rules
	Control clock.Control
	Rated   bool
}

// Game returns the game that is wished for, whoever plays it.
func (w Wish) Game() Game { return Game{w.Rules, w.Control, w.Rated} }

// Days reports whether the game is one at days a move, which nobody needs to be there for when it begins.
func (w Wish) Days() bool { return w.Control.Kind == clock.Correspondence }

// Setting returns the wish as a text: one person has one seek for each.
func (w Wish) Setting() string {
	return fmt.Sprintf("%s %s rated=%t color=%s -%d +%d", w.Rules, w.Control, w.Rated, w.Color, w.Below, w.Above)
}

// Validate reports a wish that nobody may have.
func (w Wish) Validate() error {
	if err := w.Rules.Validate(); err != nil {
		return err
	}
	if err := w.Control.Validate(); err != nil {
		return err
	}
	if w.Below < 0 || w.Above < 0 || w.Below > 2000 || w.Above > 2000 {
		return fmt.Errorf("rating range of %d below and %d above, expected 0 to 2000 points", w.Below, w.Above)
	}
	if why := w.Unrated(); w.Rated && why != "" {
		return fmt.Errorf("a rated game under these terms: %s", why)
	}
	return nil
}

// Unrated says why games under these terms are never rated, or nothing.
func (w Wish) Unrated() string { return Unrated(w.Rules, w.Control) }

// Unrated says why games under rules and a control are never rated, or nothing: only the named rule sets have
// pools, since a changed option makes another game.
func Unrated(rules loa.Rules, control clock.Control) string {
	rules.Seed = 0
	switch {
	case strings.Contains(rules.String(), ":"):
		return "rules-changed"
	case control.Kind == clock.Unlimited:
		return "no-clock"
	}
	return ""
}

// Pool returns the name of the pool in which a rated game counts: the rule set and the speed, "standard blitz", and
// BotPool behind them for games in which a bot plays.
func Pool(rules loa.Rules, control clock.Control, bots bool) string {
	rules.Seed = 0
	pool := rules.String() + " " + control.Speed().String()
	if bots {
		pool += BotPool
	}
	return pool
}

// BotPool ends the names of the pools of games with bots.
const BotPool = " bots"

// Seeker is somebody who looks for a game, with what bears on whom to pair.
type Seeker struct {
	ID      string // of the seek; see SeekID
	Person  string
	Name    string
	Guest   bool
	Bot     bool
	Wish    Wish
	Since   time.Time
	Until   time.Time     // when a seek that stands by itself ends; zero for one that stands while its maker is there
	Rating  rating.Rating // in the pool of the wish
	Blacks  int           // games as Black less games as White, of late
	Kept    float64       // share of begun games that were played to an end, 0 to 1
	Blocked []string      // people this one blocked
	Last    string        // the last opponent
	LastEnd time.Time     // and when that game ended
}

// SeekID returns the name by which others may know the seek of a person for a setting. It does not tell who that is.
func SeekID(person, setting string) string {
	sum := sha256.Sum256([]byte("seek\x00" + person + "\x00" + setting))
	return base64.RawURLEncoding.EncodeToString(sum[:12])
}

// Standing is what bears on whom to pair a person with, whatever the game.
type Standing struct {
	Bot     bool
	Ratings map[string]rating.Rating // by pool; of a newcomer there is none
	Blacks  int                      // games as Black less games as White, of late
	Kept    float64                  // share of begun games that were played to an end, 0 to 1
	Blocked []string                 // people this one blocked
	Last    string                   // the last opponent
	LastEnd time.Time                // and when that game ended
}

// Of returns a seeker, who stands so, with what bears on pairing for the wish.
func (s Standing) Of(seeker Seeker) Seeker {
	seeker.Blacks, seeker.Kept, seeker.Blocked, seeker.Last, seeker.LastEnd = s.Blacks, s.Kept, s.Blocked, s.Last, s.LastEnd
	known := false
	if seeker.Rating, known = s.Ratings[Pool(seeker.Wish.Rules, seeker.Wish.Control, seeker.Bot)]; !known {
		seeker.Rating = rating.New()
	}
	return seeker
}

// The pace at which a seek widens.
const (
	nearby    = 150.0            // points of difference that are taken at once
	perSecond = 20.0             // points more for every second of waiting
	anyAfter  = 60 * time.Second // after which every difference within the wished range is taken
	apart     = 3 * time.Minute  // for which the same two are not paired again
	unkept    = 400.0            // points that leaving every game counts as
)

// Pairing is two people who will play.
type Pairing struct{ Black, White Seeker }

// Pair pairs the seekers that fit at now, the best fits of those who wait longest first. chance decides colors
// where nothing else does.
func Pair(seekers []Seeker, now time.Time, chance func() bool) []Pairing {
	waiting := slices.Clone(seekers)
	slices.SortStableFunc(waiting, func(a, b Seeker) int { return a.Since.Compare(b.Since) })
	alike := map[Game][]int{} // those who want the same game
	for i, a := range waiting {
		alike[a.Wish.Game()] = append(alike[a.Wish.Game()], i)
	}
	taken := map[string]bool{} // by person: nobody gets two games at once
	var pairings []Pairing
	for _, a := range waiting {
		others := alike[a.Wish.Game()][1:] // those who wait less long
		alike[a.Wish.Game()] = others
		if taken[a.Person] {
			continue
		}
		best, distance := -1, math.Inf(1)
		for _, j := range others {
			b := waiting[j]
			if d, ok := fit(a, b, now); ok && !taken[b.Person] && d < distance {
				best, distance = j, d
			}
		}
		if best < 0 {
			continue
		}
		b := waiting[best]
		taken[a.Person], taken[b.Person] = true, true
		pairings = append(pairings, colors(a, b, chance))
	}
	return pairings
}

// Prospect is what becomes of joining a seek.
type Prospect string

// The prospects.
const (
	AtOnce     Prospect = ""        // the game begins
	Later      Prospect = "later"   // the game begins when both have waited for so unlike an opponent
	OutOfRange Prospect = "range"   // one's rating is not within the wished range
	Again      Prospect = "again"   // the same two have just played
	Blocked    Prospect = "blocked" // one of the two has blocked the other, or is a bot while the other is none
)

// Join pairs a seek with somebody who takes it at now, unless the prospect is another one than AtOnce. The wish of who joins does not count.
func (s Seeker) Join(joiner Seeker, now time.Time, chance func() bool) (Pairing, Prospect) {
	if why := s.Prospect(joiner, now); why != AtOnce {
		return Pairing{}, why
	}
	return colors(s, joiner.content(s.Wish), chance), AtOnce
}

// content returns the seeker with a wish for the same game, whatever the color and whoever the opponent.
func (s Seeker) content(w Wish) Seeker {
	w.Color, w.Below, w.Above = loa.NoColor, 0, 0
	s.Wish = w
	return s
}

// Prospect returns what becomes of a seek that somebody joins at now. The wish of who joins does not count.
func (s Seeker) Prospect(joiner Seeker, now time.Time) Prospect {
	joiner = joiner.content(s.Wish)
	joiner.Since = now
	if why := bar(s, joiner, now); why != AtOnce {
		return why
	}
	if _, ok := fit(s, joiner, now); !ok {
		return Later
	}
	return AtOnce
}

// bar returns why two people who want the same game are not paired at now, however long they wait, AtOnce for no
// reason.
func bar(a, b Seeker, now time.Time) Prospect {
	switch {
	case a.Bot != b.Bot, slices.Contains(a.Blocked, b.Person), slices.Contains(b.Blocked, a.Person):
		return Blocked
	case a.Wish.Days(): // of such games two people may well begin several
	case a.Last == b.Person && now.Sub(a.LastEnd) < apart, b.Last == a.Person && now.Sub(b.LastEnd) < apart:
		return Again
	}
	if !a.accepts(b) || !b.accepts(a) {
		return OutOfRange
	}
	return AtOnce
}

// fit returns how far two seekers are apart, and whether they may be paired at now.
func fit(a, b Seeker, now time.Time) (distance float64, ok bool) {
	if a.Person == b.Person || a.Wish.Game() != b.Wish.Game() || a.Wish.Color != loa.NoColor && a.Wish.Color == b.Wish.Color ||
		bar(a, b, now) != AtOnce {
		return 0, false
	}
	distance = math.Abs(a.Rating.Mean - b.Rating.Mean)
	// who leaves games waits longer for those who do not
	reluctance := unkept * math.Abs(a.Kept-b.Kept)
	if distance+reluctance > min(a.reach(now), b.reach(now)) {
		return 0, false
	}
	return distance + reluctance, true
}

// accepts reports whether another's rating is within the range a seeker wishes.
func (s Seeker) accepts(other Seeker) bool {
	difference := other.Rating.Mean - s.Rating.Mean
	return (s.Wish.Below == 0 || -difference <= float64(s.Wish.Below)) && (s.Wish.Above == 0 || difference <= float64(s.Wish.Above))
}

// reach returns the difference a seeker is content with at now. Who plays at days a move gains nothing by waiting a minute.
func (s Seeker) reach(now time.Time) float64 {
	waited := now.Sub(s.Since)
	if waited >= anyAfter || s.Wish.Days() {
		return math.Inf(1)
	}
	return nearby + perSecond*max(0, waited.Seconds())
}

// colors seats two people: as they wish, else so that their colors balance, else by chance.
func colors(a, b Seeker, chance func() bool) Pairing {
	black := a
	switch {
	case a.Wish.Color == loa.White || b.Wish.Color == loa.Black:
		black = b
	case a.Wish.Color == loa.Black || b.Wish.Color == loa.White:
	case a.Blacks != b.Blacks:
		if a.Blacks > b.Blacks {
			black = b
		}
	case chance():
		black = b
	}
	if black.Person == a.Person {
		return Pairing{a, b}
	}
	return Pairing{b, a}
}

// ChallengeLife is how long a challenge can be accepted.
const ChallengeLife = 7 * 24 * time.Hour

// Challenge is an invitation to one game, to somebody by name or to whoever has its address.
type Challenge struct {
	ID      string
	From    string // person
	Name    string // of that person
	Guest   bool   // that person has no account
	Bot     bool   // that person is a program
	To      string // person, empty for whoever has the address
	Wish    Wish   // Color is the challenger's
	Made    time.Time
	Match   string // the match it became
	Refused bool   // declined, or withdrawn
}

// State says why a challenge cannot be accepted at now: "taken", "refused", "expired", or nothing.
func (c Challenge) State(now time.Time) string {
	switch {
	case c.Match != "":
		return "taken"
	case c.Refused:
		return "refused"
	case now.Sub(c.Made) > ChallengeLife:
		return "expired"
	}
	return ""
}
