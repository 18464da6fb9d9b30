package live

import (
	"context"
	"errors"
	"time"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/account"
	"github.com/linesofaction/loa/internal/lobby"
	"github.com/linesofaction/loa/internal/match"
)

// ErrConflict is returned by a Store for entries that do not follow the stored ones.
var ErrConflict = errors.New("the match has moved on")

// Summary is what a Store keeps of a match beside its entries, so that it can be found without replaying.
type Summary struct {
	ID         match.ID
	Seq        int
	Black      string // person ids, empty for an engine
	White      string
	Rules      string
	Control    string
	Rated      bool
	Plies      int
	Outcome    loa.Outcome
	EngineTurn bool
	Updated    time.Time
	Deadline   time.Time    // when time alone ends or changes it; zero for never
	Closing    *Closing     // with the entry that ends a rated match
	Act        *account.Act // with the entry of a moderator's verdict
}

// Closing is the result of a rated match, which moves two ratings.
type Closing struct {
	Verdict bool // it may take the place of an earlier result: ratings are worked out anew
	Void    bool // it counts for nothing
	Pool    string
	Black   string
	White   string
	Points  float64 // Black's: 1, ½ or 0
	At      time.Time
}

// Summarize returns the summary of a match.
func Summarize(m *match.Match) Summary {
	deadline, _ := m.Deadline()
	return Summary{
		ID: m.ID(), Seq: m.Seq(),
		Black: m.Seat(loa.Black).Person, White: m.Seat(loa.White).Person,
		Rules: m.RulesText(), Control: m.ControlText(), Rated: m.Terms().Rated,
		Plies: m.Game().Plies(), Outcome: m.Outcome(), EngineTurn: m.EngineToMove(), Updated: m.Updated(), Deadline: deadline,
	}
}

// closing returns what entries mean for ratings: nothing, unless one of them ends a rated match with a result.
func closing(m *match.Match, entries []match.Entry) *Closing {
	terms := m.Terms()
	if !terms.Rated {
		return nil
	}
	for _, entry := range entries {
		var outcome loa.Outcome
		verdict := false
		switch e := entry.Event.(type) {
		case match.Ended:
			outcome = e.Outcome
		case match.Adjudicated:
			outcome, verdict = e.Outcome, true
		default:
			continue
		}
		void := outcome.Reason == loa.Aborted
		if void && !verdict {
			continue
		}
		c := &Closing{Verdict: verdict, Void: void, Pool: lobby.Pool(terms.Rules, terms.Control, terms.Bots()), Black: m.Seat(loa.Black).Person, White: m.Seat(loa.White).Person, Points: 0.5, At: entry.At}
		switch outcome.Winner {
		case loa.Black:
			c.Points = 1
		case loa.White:
			c.Points = 0
		}
		return c
	}
	return nil
}

// Store is what live needs of storage. Append writes all entries and the summary or nothing, returns only when
// they survive a crash, and gives ErrConflict unless the match stands at the first entry's number less one; for
// number 1 the match must not exist. Entries returns those after a number, ErrNotFound for an unknown match.
type Store interface {
	Append(ctx context.Context, entries []match.Entry, summary Summary) error
	Entries(ctx context.Context, id match.ID, after int) ([]match.Entry, error)
	EngineTurns(ctx context.Context) ([]match.ID, error)
	// ClaimTurn claims the turn at a sequence number until an instant, and reports false when the match has moved on or
	// another's claim holds at now.
	ClaimTurn(ctx context.Context, id match.ID, seq int, now, until time.Time) (bool, error)
	// LeaveTurn ends the claim of a turn.
	LeaveTurn(ctx context.Context, id match.ID, seq int) error
	// Due returns the matches whose deadline is not after an instant, the earliest first, at most limit; Timed
	// returns all that have one.
	Due(ctx context.Context, at time.Time, limit int) ([]match.ID, error)
	Timed(ctx context.Context) ([]match.ID, error)
	// Alive notes that the service runs at now; LastAlive returns when it last did, zero for never. Stopped notes that
	// nobody runs it since an instant, until somebody is alive after that, and LastAlive reports whether it is so.
	Alive(ctx context.Context, now time.Time) error
	Stopped(ctx context.Context, since time.Time) error
	LastAlive(ctx context.Context) (at time.Time, stopped bool, err error)
	// LastAct returns the number of the latest entry of the moderators' log; Acts returns entries of it, the latest
	// first.
	LastAct(ctx context.Context) (int64, error)
	Acts(ctx context.Context, f account.ActFilter, limit int) ([]account.Act, error)
}

// Bus carries the news that a match has reached a sequence number to every process that listens to it.
type Bus interface {
	Publish(topic string, seq int)
	// Listen calls hear, never from two goroutines at once, until cancel is called. An empty topic hears all.
	// hear must not block. It hears Missed when news of other processes may have been lost.
	Listen(topic string, hear func(topic string, seq int)) (cancel func())
	// Afar calls hear with the news of other processes before anybody who listens hears it, and with no topic and Missed
	// when some may have been lost.
	Afar(hear func(topic string, seq int))
}

// Missed stands for a number that nobody knows, because news may have been lost: who needs it looks into the store.
const Missed = -1
