// Package match is one game between two seats: who holds them, what they ask, what happened. It is pure: time
// is an argument and nothing is read or written.
//
// The events are the truth. Decide turns a command into events and changes nothing; Apply takes an event into
// the match and cannot fail; Replay is the only way to load a match.
package match

import (
	"fmt"
	"sync/atomic"
	"time"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/clock"
)

// ID names a match. It stands in the address of its page.
type ID string

// Holder is what sits in a seat.
type Holder uint8

// The holders.
const (
	Person Holder = iota
	Engine
)

// String returns "person" or "engine".
func (h Holder) String() string { return [...]string{"person", "engine"}[h&1] }

// Seat is a color in a match and who holds it.
type Seat struct {
	Holder Holder
	Person string // the person's id, empty for an engine
	Name   string // the person's name when the match began
	Member bool   // the person has an account; the name of a guest is a number
	Bot    bool   // the member is a program
	Level  int    // the engine's level, 1 to 10
}

// Terms are what both sides know before a match begins.
type Terms struct {
	Rules   loa.Rules
	Start   loa.Setup
	Seats   [2]Seat
	Control clock.Control
	Rated   bool
}

// Bots reports whether a bot's account holds a seat. Such matches are rated in pools of their own.
func (t Terms) Bots() bool { return t.Seats[0].Bot || t.Seats[1].Bot }

// Match is the state of one match at one sequence number. Handed out, it is read only: Apply is for a Clone.
type Match struct {
	id      ID
	log     []Entry
	claimed *atomic.Int64 // entries of log that somebody has written, for clones share it as those of a loa.Game do
	terms   Terms
	names   [2]string // of rules and control, which writing out anew would cost more than a move
	game    *loa.Game
	clock   clock.Clock
	offers  [offers]loa.Color // who offers what, NoColor for nobody
	offered [offers][2]int    // how often a side has offered something at this ply
	turned  time.Time         // when the turn began, the time the service was down not counted
	outcome loa.Outcome
	rematch ID // the match that follows this one, empty for none
}

// ID returns the name of the match.
func (m *Match) ID() ID { return m.id }

// Seq returns the number of the last event.
func (m *Match) Seq() int { return len(m.log) }

// Log returns the entries so far, entry i numbered i+1. It is read only.
func (m *Match) Log() []Entry { return m.log[:len(m.log):len(m.log)] }

// Game returns the moves and positions. It is read only.
func (m *Match) Game() *loa.Game { return m.game }

// Terms returns what was agreed.
func (m *Match) Terms() Terms { return m.terms }

// Rules returns the rules that were agreed.
func (m *Match) Rules() loa.Rules { return m.terms.Rules }

// RulesText and ControlText return the terms as text.
func (m *Match) RulesText() string   { return m.names[0] }
func (m *Match) ControlText() string { return m.names[1] }

// Seat returns who holds a color.
func (m *Match) Seat(c loa.Color) Seat { return m.terms.Seats[c] }

// SeatOf returns the color a person holds, NoColor for an onlooker.
func (m *Match) SeatOf(person string) loa.Color {
	for c, seat := range m.terms.Seats {
		if seat.Holder == Person && seat.Person == person && person != "" {
			return loa.Color(c)
		}
	}
	return loa.NoColor
}

// Clock returns where the clocks stand.
func (m *Match) Clock() clock.Clock { return m.clock }

// Offer returns who offers something, NoColor for nobody.
func (m *Match) Offer(o Offer) loa.Color { return m.offers[o] }

// Rematch returns the match that follows this one, empty for none.
func (m *Match) Rematch() ID { return m.rematch }

// Outcome returns how the match stands, by the rules or by what the players did.
func (m *Match) Outcome() loa.Outcome { return m.outcome }

// EngineToMove reports whether the match waits for an engine.
func (m *Match) EngineToMove() bool {
	return !m.outcome.Over() && m.terms.Seats[m.game.Position().Turn()].Holder == Engine
}

// againstEngine reports whether a side's opponent is an engine.
func (m *Match) againstEngine(by loa.Color) bool {
	return m.terms.Seats[by.Opponent()].Holder == Engine
}

// BetweenPeople reports whether no engine plays.
func (m *Match) BetweenPeople() bool {
	return m.terms.Seats[loa.Black].Holder == Person && m.terms.Seats[loa.White].Holder == Person
}

// Began returns when the match was created.
func (m *Match) Began() time.Time { return m.log[0].At }

// Turned returns when the turn of the side to move began. The time that the service was down is not counted.
func (m *Match) Turned() time.Time { return m.turned }

// Updated returns when the last event happened.
func (m *Match) Updated() time.Time { return m.log[len(m.log)-1].At }

// Answer returns the sequence number that a command with this client id led to, if it was accepted before.
func (m *Match) Answer(client string) (int, bool) {
	if client == "" {
		return 0, false
	}
	for i := len(m.log) - 1; i >= 0; i-- { // most retries are of late commands, and a map would be copied with every move
		if m.log[i].Client == client {
			return m.log[i].Seq, true
		}
	}
	return 0, false
}

// Clone returns a copy to which events can be applied.
func (m *Match) Clone() *Match {
	c := *m
	c.game = m.game.Clone()
	return &c
}

// firstMoves is the number of plies, one of each side, that a clocked match begins with off the clock. A side
// that does not make its first move in time loses nothing: the match is aborted.
const firstMoves = 2

// firstMoveTime returns how long a side has for its first move.
func firstMoveTime(c clock.Control) time.Duration {
	return max(20*time.Second, min(c.Expected()/5, 2*time.Minute))
}

// unclocked reports whether the match is at a first move that the clock does not count. Where moves take days
// it counts them all.
func (m *Match) unclocked() bool {
	switch m.terms.Control.Kind {
	case clock.Unlimited, clock.Correspondence:
		return false
	}
	return m.BetweenPeople() && m.game.Plies() < firstMoves
}

// Deadline returns when the match ends by itself unless something happens before, and whether it does: a flag
// falls, or a first move was not made.
func (m *Match) Deadline() (time.Time, bool) {
	if m.outcome.Over() {
		return time.Time{}, false
	}
	if m.unclocked() {
		return m.turned.Add(firstMoveTime(m.terms.Control)), true
	}
	return m.clock.Deadline()
}

// CanTakeback reports whether a side may take back now, or ask for it: while the match is on, unrated, and it
// has moved.
func (m *Match) CanTakeback(by loa.Color) bool {
	if m.outcome.Over() || by > loa.White || m.terms.Rated {
		return false
	}
	_, ok := m.game.LastMoveOf(by)
	return ok
}

// mostOffers is how often a side can offer something at one ply, so that nobody is pestered and no log grows without a move. A rematch,
// whose ply is the last one for ever, can be thought over.
var mostOffers = [offers]int{OfferDraw: 1, OfferTakeback: 1, OfferRematch: 3}

// CanOffer reports whether a side may offer something that is on offer at all: it does not stand already, and has not been
// declined or withdrawn too often at this ply.
func (m *Match) CanOffer(by loa.Color, what Offer) bool {
	return m.offers[what] != by && m.offered[what][by] < mostOffers[what]
}

// CanAbort reports whether the match may still be called off: between people, before both have moved.
func (m *Match) CanAbort() bool {
	return !m.outcome.Over() && m.BetweenPeople() && m.game.Plies() < firstMoves
}

// ClaimAfter returns how long an opponent must be away on his own turn before a win or a draw can be claimed.
// It grows with the control; there is no claim where moves take days.
func (m *Match) ClaimAfter() (time.Duration, bool) {
	switch c := m.terms.Control; {
	case c.Kind == clock.Correspondence || !m.BetweenPeople():
		return 0, false
	case c.Kind == clock.Unlimited:
		return 5 * time.Minute, true
	default:
		return max(30*time.Second, min(c.Expected()/4, 3*time.Minute)), true
	}
}

// Credited reports whether the time since an instant, at which the service went down, was given back already.
func (m *Match) Credited(since time.Time) bool {
	for _, entry := range m.log {
		if e, ok := entry.Event.(Credited); ok && e.Since.Equal(since) {
			return true
		}
	}
	return false
}

// PliesAt returns the number of plies of the game when the event with a sequence number had happened.
func (m *Match) PliesAt(seq int) int {
	plies := 0
	for _, entry := range m.log[:seq] {
		switch e := entry.Event.(type) {
		case Moved:
			plies++
		case TakenBack:
			plies = e.Keep
		}
	}
	return plies
}

// Replay loads a match from its entries. Entries that no match can have produced are refused with a reason.
func Replay(id ID, log []Entry) (*Match, error) {
	m := &Match{id: id}
	for i, entry := range log {
		if err := m.check(i, entry); err != nil {
			return nil, fmt.Errorf("match %s, event %d: %w", id, i+1, err)
		}
		m.Apply(entry)
	}
	if len(log) == 0 {
		return nil, fmt.Errorf("match %s has no events", id)
	}
	return m, nil
}

// check says why an entry cannot come next.
func (m *Match) check(at int, entry Entry) error {
	if entry.Seq != at+1 {
		return fmt.Errorf("numbered %d", entry.Seq)
	}
	created, first := entry.Event.(Created)
	if first != (at == 0) {
		return fmt.Errorf("a match begins with exactly one %q, this is %q", Created{}.Kind(), entry.Event.Kind())
	}
	if first {
		_, err := created.game()
		return err
	}
	switch e := entry.Event.(type) {
	case Offered:
		if e.By > loa.White || m.outcome.Over() != (e.What == OfferRematch) {
			return fmt.Errorf("%s offered by %s at a time when that cannot be", e.What, e.By)
		}
		return nil
	case Withdrawn:
		if m.offers[e.What] == loa.NoColor {
			return fmt.Errorf("%s withdrawn that nobody offered", e.What)
		}
		return nil
	case Followed:
		if !m.outcome.Over() || m.rematch != "" {
			return fmt.Errorf("followed by %s at a time when that cannot be", e.Match)
		}
		return nil
	case Adjudicated:
		return checkVerdict(e.Outcome)
	}
	if m.outcome.Over() {
		return fmt.Errorf("%q after the end", entry.Event.Kind())
	}
	switch e := entry.Event.(type) {
	case Moved:
		if e.Ply != m.game.Plies() {
			return fmt.Errorf("a move as ply %d after %d plies", e.Ply, m.game.Plies())
		}
		return m.game.Position().Check(e.Move)
	case TakenBack:
		if e.Keep < 0 || e.Keep >= m.game.Plies() {
			return fmt.Errorf("taken back to ply %d of %d", e.Keep, m.game.Plies())
		}
	case Credited:
		if e.Since.After(entry.At) {
			return fmt.Errorf("credited from %s, which is later", e.Since)
		}
	case Ended:
		if !e.Outcome.Over() {
			return fmt.Errorf("an end without a reason")
		}
	default:
		return fmt.Errorf("unknown event %T", e)
	}
	return nil
}

// Apply takes the next entry into the match. The entry must come from Decide on this very state, or have
// passed through Replay; it then cannot fail.
func (m *Match) Apply(entry Entry) {
	switch e := entry.Event.(type) {
	case Created:
		m.terms = Terms(e)
		m.names = [2]string{e.Rules.String(), e.Control.String()}
		m.game, _ = e.game()
		m.outcome = loa.Outcome{Winner: loa.NoColor}
		m.clock = clock.New(e.Control)
		m.turned = entry.At
		m.clearOffers()
		if !m.unclocked() {
			m.clock = m.clock.Start(m.game.Position().Turn(), entry.At)
		}
	case Moved:
		m.applyMove(e, entry.At)
	case TakenBack:
		m.turned = entry.At
		m.game.Truncate(e.Keep)
		m.clearOffers()
		m.clock = m.clock.Stop(entry.At)
		if !m.unclocked() {
			m.clock = m.clock.Start(m.game.Position().Turn(), entry.At)
		}
	case Offered:
		m.offers[e.What] = e.By
		m.offered[e.What][e.By]++
	case Withdrawn:
		m.offers[e.What] = loa.NoColor
	case Credited:
		down := e.Since
		if last := m.Updated(); down.Before(last) {
			down = last // what happened after the last sign of life shows that it was not the end
		}
		m.clock = m.clock.Give(entry.At.Sub(down))
		m.turned = m.turned.Add(entry.At.Sub(down))
	case Followed:
		m.rematch = e.Match
		m.clearOffers()
	case Ended:
		m.end(e.Outcome, entry.At)
	case Adjudicated:
		m.end(e.Outcome, entry.At)
	}
	m.append(entry)
}

// append writes an entry behind the log: in place when nobody else has, else behind a copy.
func (m *Match) append(entry Entry) {
	n := int64(len(m.log))
	if len(m.log) == cap(m.log) || !m.claimed.CompareAndSwap(n, n+1) {
		m.log = append(make([]Entry, 0, 2*n+16), m.log...)
		m.claimed = new(atomic.Int64)
		m.claimed.Store(n + 1)
	}
	m.log = append(m.log, entry)
}

// applyMove plays a ply and presses the clock. Offers are bound to a ply and die with it.
func (m *Match) applyMove(e Moved, at time.Time) {
	off := m.unclocked()
	mover := m.game.Position().Turn()
	if err := m.game.Play(e.Move); err != nil {
		panic(fmt.Sprintf("match %s: applying an event that was not decided here: %v", m.id, err))
	}
	m.turned = at
	m.clearOffers()
	switch {
	case e.Move == loa.Pass:
		m.clock = m.clock.Hand(mover, at)
	case !off:
		m.clock = m.clock.Press(mover, at, e.Lag)
	case !m.unclocked():
		m.clock = m.clock.Start(mover.Opponent(), at)
	}
}

func (m *Match) end(outcome loa.Outcome, at time.Time) {
	m.outcome = outcome
	m.clock = m.clock.Stop(at)
	m.clearOffers()
}

func (m *Match) clearOffers() {
	for i := range m.offers {
		m.offers[i] = loa.NoColor
	}
	m.offered = [offers][2]int{}
}
