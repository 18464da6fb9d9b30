// Package match is one game between two seats: who holds them, what they ask, what happened. It is pure: time
// is an argument and nothing is read or written.
//
// The events are the truth. Decide turns a command into events and changes nothing; Apply takes an event into
// the match and cannot fail; Replay is the only way to load a match.
package match

import (
	"fmt"
	"time"

	"github.com/linesofaction/loa"
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
	Level  int    // the engine's level, 1 to 10
}

// Match is the state of one match at one sequence number. Handed out, it is read only: Apply is for a Clone.
type Match struct {
	id      ID
	log     []Entry
	game    *loa.Game
	seats   [2]Seat
	outcome loa.Outcome
	answers map[string]int // sequence number by client id
}

// ID returns the name of the match.
func (m *Match) ID() ID { return m.id }

// Seq returns the number of the last event.
func (m *Match) Seq() int { return len(m.log) }

// Log returns the entries so far, entry i numbered i+1. It is read only.
func (m *Match) Log() []Entry { return m.log }

// Game returns the moves and positions. It is read only.
func (m *Match) Game() *loa.Game { return m.game }

// Rules returns the terms.
func (m *Match) Rules() loa.Rules { return m.game.Rules() }

// Seat returns who holds a color.
func (m *Match) Seat(c loa.Color) Seat { return m.seats[c] }

// SeatOf returns the color a person holds, NoColor for an onlooker.
func (m *Match) SeatOf(person string) loa.Color {
	for c, seat := range m.seats {
		if seat.Holder == Person && seat.Person == person && person != "" {
			return loa.Color(c)
		}
	}
	return loa.NoColor
}

// Outcome returns how the match stands, by the rules or by what the players did.
func (m *Match) Outcome() loa.Outcome { return m.outcome }

// EngineToMove reports whether the match waits for an engine.
func (m *Match) EngineToMove() bool {
	return !m.outcome.Over() && m.seats[m.game.Position().Turn()].Holder == Engine
}

// Began returns when the match was created.
func (m *Match) Began() time.Time { return m.log[0].At }

// Updated returns when the last event happened.
func (m *Match) Updated() time.Time { return m.log[len(m.log)-1].At }

// Answer returns the sequence number that a command with this client id led to, if it was accepted before.
func (m *Match) Answer(client string) (int, bool) {
	seq, ok := m.answers[client]
	return seq, ok
}

// Clone returns a copy to which events can be applied.
func (m *Match) Clone() *Match {
	c := *m
	c.game = m.game.Clone()
	c.log = append(make([]Entry, 0, len(m.log)+4), m.log...)
	c.answers = make(map[string]int, len(m.answers)+1)
	for client, seq := range m.answers {
		c.answers[client] = seq
	}
	return &c
}

// CanTakeback reports whether a side may take back now: against an engine, while the match is on.
func (m *Match) CanTakeback(by loa.Color) bool {
	if m.outcome.Over() || by > loa.White || m.seats[by.Opponent()].Holder != Engine {
		return false
	}
	_, ok := m.game.LastMoveOf(by)
	return ok
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
	m := &Match{id: id, answers: map[string]int{}}
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
		m.game, _ = e.game()
		m.seats = e.Seats
		m.outcome = loa.Outcome{Winner: loa.NoColor}
	case Moved:
		if err := m.game.Play(e.Move); err != nil {
			panic(fmt.Sprintf("match %s: applying an event that was not decided here: %v", m.id, err))
		}
	case TakenBack:
		m.game.Truncate(e.Keep)
	case Ended:
		m.outcome = e.Outcome
	}
	m.log = append(m.log, entry)
	if entry.Client != "" {
		m.answers[entry.Client] = entry.Seq
	}
}
