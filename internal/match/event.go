package match

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/linesofaction/loa"
)

// Event is something that happened in a match: Created, Moved, TakenBack, Ended.
type Event interface {
	// Kind is the name the event is stored by.
	Kind() string
}

// Entry is an event in its place in the log.
type Entry struct {
	Seq    int
	At     time.Time // never before the entry ahead of it
	Client string    // id of the command that caused it, on the last entry of that command; empty for the server's own
	Event  Event
}

// Created begins a match.
type Created struct {
	Rules loa.Rules
	Start loa.Setup
	Seats [2]Seat
}

// Moved is one ply, a forced pass too.
type Moved struct {
	Ply  int // plies before it
	Move loa.Move
}

// TakenBack removes the plies after the first Keep.
type TakenBack struct {
	Keep int
	By   loa.Color
}

// Ended closes the match.
type Ended struct {
	Outcome loa.Outcome
}

// The names the events are stored by.
func (Created) Kind() string   { return "created" }
func (Moved) Kind() string     { return "moved" }
func (TakenBack) Kind() string { return "taken-back" }
func (Ended) Kind() string     { return "ended" }

// game returns the game before its first move.
func (c Created) game() (*loa.Game, error) { return loa.NewGameFrom(c.Rules, c.Start) }

// Version is the version of the stored form. Encode writes it; Decode reads it and every older one, and
// refuses a newer one.
const Version = 1

// The stored forms, version 1.
type (
	storedSeat struct {
		Holder string `json:"holder"`
		Person string `json:"person,omitempty"`
		Name   string `json:"name,omitempty"`
		Level  int    `json:"level,omitempty"`
	}
	storedCreated struct {
		Rules string        `json:"rules"`
		Start string        `json:"start"`
		Seats [2]storedSeat `json:"seats"` // Black, White
	}
	storedMoved struct {
		Ply  int    `json:"ply"`
		Move string `json:"move"`
	}
	storedTakenBack struct {
		Keep int    `json:"keep"`
		By   string `json:"by"`
	}
	storedEnded struct {
		Winner string `json:"winner"`
		Reason string `json:"reason"`
	}
)

// Encode returns the stored form of an event.
func Encode(event Event) ([]byte, error) {
	switch e := event.(type) {
	case Created:
		stored := storedCreated{Rules: e.Rules.String(), Start: e.Start.String()}
		for c, seat := range e.Seats {
			stored.Seats[c] = storedSeat{seat.Holder.String(), seat.Person, seat.Name, seat.Level}
		}
		return json.Marshal(stored)
	case Moved:
		return json.Marshal(storedMoved{e.Ply, e.Move.String()})
	case TakenBack:
		return json.Marshal(storedTakenBack{e.Keep, e.By.String()})
	case Ended:
		return json.Marshal(storedEnded{e.Outcome.Winner.String(), e.Outcome.Reason.String()})
	}
	return nil, fmt.Errorf("no stored form for event %T", event)
}

// Decode reads the stored form of an event of a kind.
func Decode(version int, kind string, body []byte) (Event, error) {
	if version < 1 || version > Version {
		return nil, fmt.Errorf("event of version %d, expected 1 to %d: it was written by a newer program", version, Version)
	}
	event, err := decode(kind, body)
	if err != nil {
		return nil, fmt.Errorf("event %q %s: %w", kind, body, err)
	}
	return event, nil
}

func decode(kind string, body []byte) (Event, error) {
	switch kind {
	case Created{}.Kind():
		var stored storedCreated
		if err := json.Unmarshal(body, &stored); err != nil {
			return nil, err
		}
		rules, err := loa.ParseRules(stored.Rules)
		if err != nil {
			return nil, err
		}
		start, err := loa.ParseSetup(stored.Start)
		if err != nil {
			return nil, err
		}
		created := Created{Rules: rules, Start: start}
		for c, seat := range stored.Seats {
			created.Seats[c] = Seat{Person: seat.Person, Name: seat.Name, Level: seat.Level}
			switch seat.Holder {
			case Person.String():
			case Engine.String():
				created.Seats[c].Holder = Engine
			default:
				return nil, fmt.Errorf("holder %q, expected person or engine", seat.Holder)
			}
		}
		return created, nil
	case Moved{}.Kind():
		var stored storedMoved
		if err := json.Unmarshal(body, &stored); err != nil {
			return nil, err
		}
		move, _, err := loa.ParseMove(stored.Move)
		return Moved{stored.Ply, move}, err
	case TakenBack{}.Kind():
		var stored storedTakenBack
		if err := json.Unmarshal(body, &stored); err != nil {
			return nil, err
		}
		by, err := loa.ParseColor(stored.By)
		return TakenBack{stored.Keep, by}, err
	case Ended{}.Kind():
		var stored storedEnded
		if err := json.Unmarshal(body, &stored); err != nil {
			return nil, err
		}
		winner := loa.NoColor
		if stored.Winner != loa.NoColor.String() {
			var err error
			if winner, err = loa.ParseColor(stored.Winner); err != nil {
				return nil, err
			}
		}
		reason, err := loa.ParseReason(stored.Reason)
		return Ended{loa.Outcome{Winner: winner, Reason: reason}}, err
	}
	return nil, fmt.Errorf("unknown kind, expected created, moved, taken-back or ended")
}
