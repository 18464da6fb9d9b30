package match

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/clock"
)

// Event is something that happened in a match.
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

// Offer is something that one side proposes and the other may accept.
type Offer uint8

// The offers. That of a rematch stands after the end; the others die with the next move.
const (
	OfferDraw Offer = iota
	OfferTakeback
	OfferRematch

	offers = iota
)

var offerNames = [offers]string{"draw", "takeback", "rematch"}

// String returns "draw", "takeback" or "rematch".
func (o Offer) String() string { return offerNames[o] }

// ParseOffer reads a name as String writes it.
func ParseOffer(text string) (Offer, error) {
	for o, name := range offerNames {
		if name == text {
			return Offer(o), nil
		}
	}
	return 0, fmt.Errorf("offer %q, expected draw, takeback or rematch", text)
}

// The events.
type (
	// Created begins a match.
	Created Terms
	// Moved is one ply, a forced pass too.
	Moved struct {
		Ply  int // plies before it
		Move loa.Move
		Lag  time.Duration // of the network, as measured by the server
	}
	// TakenBack removes the plies after the first Keep.
	TakenBack struct {
		Keep int
		By   loa.Color
	}
	// Offered is a side's offer.
	Offered struct {
		What Offer
		By   loa.Color
	}
	// Withdrawn ends an offer: its maker takes it back, or the other side declines.
	Withdrawn struct {
		What Offer
		By   loa.Color
	}
	// Credited gives the time since an instant back to the side whose clock runs: the service was down.
	Credited struct {
		Since time.Time
	}
	// Followed names the match that goes on from this one with colors swapped.
	Followed struct {
		Match ID
	}
	// Ended closes the match.
	Ended struct {
		Outcome loa.Outcome
		By      loa.Color // who left it so, where the reason is one of those of Leavable; NoColor for nobody, or where that is not known
	}
	// Adjudicated is a moderator's verdict: it ends a running match, and takes the place of how a finished one
	// ended. Its reason is loa.Adjudicated, or loa.Aborted for a match that counts for nothing.
	Adjudicated struct {
		Outcome loa.Outcome
	}
)

// Leavable reports whether matches that end for a reason may have been left by somebody: who called it off or made no
// first move, was away when the flag fell, or for so long that the other one claimed the end.
func Leavable(reason loa.Reason) bool {
	return reason == loa.Aborted || reason == loa.Flag || reason == loa.Abandoned
}

// The names the events are stored by.
func (Created) Kind() string     { return "created" }
func (Moved) Kind() string       { return "moved" }
func (TakenBack) Kind() string   { return "taken-back" }
func (Offered) Kind() string     { return "offered" }
func (Withdrawn) Kind() string   { return "withdrawn" }
func (Credited) Kind() string    { return "credited" }
func (Followed) Kind() string    { return "followed" }
func (Ended) Kind() string       { return "ended" }
func (Adjudicated) Kind() string { return "adjudicated" }

// game returns the game before its first move.
func (c Created) game() (*loa.Game, error) { return loa.NewGameFrom(c.Rules, c.Start) }

// Version is the version of the stored form. Encode writes it; Decode reads it and every older one, and
// refuses a newer one. Fields may be added without a new version as long as their absence means what it meant
// before.
const Version = 1

// The stored forms, version 1.
type (
	storedSeat struct {
		Holder string `json:"holder"`
		Person string `json:"person,omitempty"`
		Name   string `json:"name,omitempty"`
		Member bool   `json:"member,omitempty"`
		Bot    bool   `json:"bot,omitempty"`
		Level  int    `json:"level,omitempty"`
	}
	storedCreated struct {
		Rules   string        `json:"rules"`
		Start   string        `json:"start"`
		Seats   [2]storedSeat `json:"seats"` // Black, White
		Control string        `json:"control,omitempty"`
		Rated   bool          `json:"rated,omitempty"`
	}
	storedMoved struct {
		Ply  int    `json:"ply"`
		Move string `json:"move"`
		Lag  int64  `json:"lag,omitempty"` // milliseconds
	}
	storedTakenBack struct {
		Keep int    `json:"keep"`
		By   string `json:"by"`
	}
	storedOffer struct {
		What string `json:"what"`
		By   string `json:"by"`
	}
	storedCredited struct {
		Since int64 `json:"since"` // milliseconds since 1970
	}
	storedFollowed struct {
		Match ID `json:"match"`
	}
	storedEnded struct {
		Winner string `json:"winner"`
		Reason string `json:"reason"`
		By     string `json:"by,omitempty"` // who left it so
	}
)

// Encode returns the stored form of an event.
func Encode(event Event) ([]byte, error) {
	switch e := event.(type) {
	case Created:
		stored := storedCreated{Rules: e.Rules.String(), Start: e.Start.String(), Rated: e.Rated}
		if e.Control != (clock.Control{}) {
			stored.Control = e.Control.String()
		}
		for c, seat := range e.Seats {
			stored.Seats[c] = storedSeat{seat.Holder.String(), seat.Person, seat.Name, seat.Member, seat.Bot, seat.Level}
		}
		return json.Marshal(stored)
	case Moved:
		return json.Marshal(storedMoved{e.Ply, e.Move.String(), e.Lag.Milliseconds()})
	case TakenBack:
		return json.Marshal(storedTakenBack{e.Keep, e.By.String()})
	case Offered:
		return json.Marshal(storedOffer{e.What.String(), e.By.String()})
	case Withdrawn:
		return json.Marshal(storedOffer{e.What.String(), e.By.String()})
	case Credited:
		return json.Marshal(storedCredited{e.Since.UnixMilli()})
	case Followed:
		return json.Marshal(storedFollowed(e))
	case Ended:
		stored := storedEnded{Winner: e.Outcome.Winner.String(), Reason: e.Outcome.Reason.String()}
		if Leavable(e.Outcome.Reason) && e.By != loa.NoColor {
			stored.By = e.By.String()
		}
		return json.Marshal(stored)
	case Adjudicated:
		return json.Marshal(storedEnded{Winner: e.Outcome.Winner.String(), Reason: e.Outcome.Reason.String()})
	}
	return nil, fmt.Errorf("no stored form for event %T", event)
}

// Decode reads the stored form of an event of a kind.
func Decode(version int, kind string, body []byte) (Event, error) {
	if version < 1 || version > Version {
		return nil, fmt.Errorf("event of version %d, expected 1 to %d: it was written by a newer program", version, Version)
	}
	read, ok := decoders[kind]
	if !ok {
		return nil, fmt.Errorf("event %q %s: unknown kind", kind, body)
	}
	event, err := read(body)
	if err != nil {
		return nil, fmt.Errorf("event %q %s: %w", kind, body, err)
	}
	return event, nil
}

// decoders reads each kind. It is never written to.
var decoders = map[string]func(body []byte) (Event, error){
	Created{}.Kind(): decodeCreated,
	Moved{}.Kind(): decoder(func(s storedMoved) (Event, error) {
		move, _, err := loa.ParseMove(s.Move)
		return Moved{s.Ply, move, time.Duration(s.Lag) * time.Millisecond}, err
	}),
	TakenBack{}.Kind(): decoder(func(s storedTakenBack) (Event, error) {
		by, err := loa.ParseColor(s.By)
		return TakenBack{s.Keep, by}, err
	}),
	Offered{}.Kind(): decoder(func(s storedOffer) (Event, error) {
		what, by, err := decodeOffer(s)
		return Offered{what, by}, err
	}),
	Withdrawn{}.Kind(): decoder(func(s storedOffer) (Event, error) {
		what, by, err := decodeOffer(s)
		return Withdrawn{what, by}, err
	}),
	Credited{}.Kind(): decoder(func(s storedCredited) (Event, error) {
		return Credited{time.UnixMilli(s.Since)}, nil
	}),
	Followed{}.Kind(): decoder(func(s storedFollowed) (Event, error) { return Followed(s), nil }),
	Ended{}.Kind(): decoder(func(s storedEnded) (Event, error) {
		ended := Ended{}
		var err error
		if ended.Outcome, err = s.outcome(); err != nil || !Leavable(ended.Outcome.Reason) {
			return ended, err
		}
		ended.By = loa.NoColor
		if s.By != "" {
			ended.By, err = loa.ParseColor(s.By)
		}
		return ended, err
	}),
	Adjudicated{}.Kind(): decoder(func(s storedEnded) (Event, error) {
		outcome, err := s.outcome()
		return Adjudicated{outcome}, err
	}),
}

// decoder reads JSON into a stored form and makes an event of it.
func decoder[S any](event func(S) (Event, error)) func([]byte) (Event, error) {
	return func(body []byte) (Event, error) {
		var stored S
		if err := json.Unmarshal(body, &stored); err != nil {
			return nil, err
		}
		return event(stored)
	}
}

func decodeOffer(s storedOffer) (Offer, loa.Color, error) {
	what, err := ParseOffer(s.What)
	if err != nil {
		return 0, loa.NoColor, err
	}
	by, err := loa.ParseColor(s.By)
	return what, by, err
}

func (s storedEnded) outcome() (loa.Outcome, error) {
	outcome := loa.Outcome{Winner: loa.NoColor}
	var err error
	if s.Winner != loa.NoColor.String() {
		if outcome.Winner, err = loa.ParseColor(s.Winner); err != nil {
			return outcome, err
		}
	}
	outcome.Reason, err = loa.ParseReason(s.Reason)
	return outcome, err
}

func decodeCreated(body []byte) (Event, error) {
	return decoder(func(s storedCreated) (Event, error) {
		var err error
		created := Created{Rated: s.Rated}
		if created.Rules, err = loa.ParseRules(s.Rules); err != nil {
			return nil, err
		}
		if created.Start, err = loa.ParseSetup(s.Start); err != nil {
			return nil, err
		}
		if s.Control != "" {
			if created.Control, err = clock.Parse(s.Control); err != nil {
				return nil, err
			}
		}
		for c, seat := range s.Seats {
			created.Seats[c] = Seat{Person: seat.Person, Name: seat.Name, Member: seat.Member, Bot: seat.Bot, Level: seat.Level}
			switch seat.Holder {
			case Person.String():
			case Engine.String():
				created.Seats[c].Holder = Engine
			default:
				return nil, fmt.Errorf("holder %q, expected person or engine", seat.Holder)
			}
		}
		return created, nil
	})(body)
}
