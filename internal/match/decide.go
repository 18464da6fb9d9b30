package match

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"time"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/clock"
)

// Code names why a command was refused. Pages translate it.
type Code string

// The reasons to refuse a command.
const (
	NotYourSeat Code = "not-your-seat"
	NotYourTurn Code = "not-your-turn"
	WrongPly    Code = "wrong-ply"
	IllegalMove Code = "illegal-move"
	GameOver    Code = "game-over"
	NotAllowed  Code = "not-allowed"
)

// Refusal is a command that is not carried out, and why.
type Refusal struct {
	Code Code
	Text string
	Err  error // what the rules said, for an illegal move
}

func (r *Refusal) Error() string { return r.Text }
func (r *Refusal) Unwrap() error { return r.Err }

// ErrAnswered is returned by Decide for a command that was accepted before; Match.Answer has its answer.
var ErrAnswered = errors.New("this command was carried out before")

// Command is what a side asks.
type Command struct {
	By     loa.Color // the seat that asks; NoColor for an onlooker, who is refused
	Client string    // the asker's own id for the command, may be empty
	Gone   bool      // the side to move has left, as seen by the server; for a flag that has fallen before
	Ask    Ask
}

// Ask is what a Command asks for.
type Ask interface{ ask() }

// What can be asked.
type (
	// Move asks to make a move as a given ply.
	Move struct {
		Ply  int // plies the asker has seen
		Move loa.Move
		Lag  time.Duration // of the network, as measured by the server
		Seq  int           // sequence number the move was found at; 0 where only the ply counts
	}
	// Takeback asks to take back one's own last move and what followed: at once against an engine, otherwise
	// as an offer.
	Takeback struct {
		Ply int // plies the asker has seen
	}
	// OfferOf asks to offer a draw or a rematch, or to accept the same offer of the other side.
	OfferOf struct {
		What Offer
		Ply  int // plies the asker has seen
	}
	// Decline asks to decline the other side's offer, or to withdraw one's own.
	Decline struct {
		What Offer
		Ply  int // plies the asker has seen; 0 for whatever stands now
	}
	// Resign gives the match up.
	Resign struct{}
	// Abort calls the match off before both sides have moved.
	Abort struct{}
	// Claim asks for a win, or a draw, because the opponent left on his own turn.
	Claim struct {
		Draw bool
		Away time.Duration // how long the opponent has been away, as seen by the server
	}
)

func (Move) ask()     {}
func (Takeback) ask() {}
func (OfferOf) ask()  {}
func (Decline) ask()  {}
func (Resign) ask()   {}
func (Abort) ask()    {}
func (Claim) ask()    {}

// Create returns the first entry of a match, the forced passes that follow it, and the end of it where the start
// is a finished position.
func Create(terms Terms, now time.Time) ([]Entry, error) {
	if err := terms.Control.Validate(); err != nil {
		return nil, err
	}
	created := Created(terms)
	game, err := created.game()
	if err != nil {
		return nil, err
	}
	return number(0, now, "", append([]Event{created}, consequences(game)...)), nil
}

// number puts events in their place behind a sequence number.
func number(after int, now time.Time, client string, events []Event) []Entry {
	entries := make([]Entry, len(events))
	for i, event := range events {
		entries[i] = Entry{Seq: after + i + 1, At: now, Event: event}
	}
	entries[len(entries)-1].Client = client
	return entries
}

// consequences plays the forced passes of a game and returns them, and its end.
func consequences(game *loa.Game) []Event {
	var events []Event
	for game.PlayForced() {
		events = append(events, Moved{Ply: game.Plies() - 1, Move: loa.Pass})
	}
	if game.Outcome().Over() {
		events = append(events, Ended{Outcome: game.Outcome()})
	}
	return events
}

// Decide returns the entries that a command leads to and changes nothing. A command that comes after a flag has
// fallen leads to the end by that flag instead. Before an entry with Followed is stored, the match that Next
// describes must exist. The error is a *Refusal, or ErrAnswered.
func Decide(m *Match, c Command, now time.Time) ([]Entry, error) {
	if _, ok := m.Answer(c.Client); ok {
		return nil, ErrAnswered
	}
	now = m.notBefore(now)
	events, err := m.decide(c, now)
	if err != nil {
		return nil, err
	}
	return number(m.Seq(), now, c.Client, events), nil
}

// notBefore returns now, or the time of the last event if that is later: time in a match never runs backward.
func (m *Match) notBefore(now time.Time) time.Time {
	if last := m.Updated(); now.Before(last) {
		return last
	}
	return now
}

// Expire returns the entries that the passing of time leads to: a flag that has fallen, a first move that was
// not made. There are none, and no error, when now is too early. A move that is still on its way is given the
// most the network's delay may count for, so it is decided before. gone says that the side to move has left, as seen
// by the server.
func Expire(m *Match, now time.Time, gone bool) []Entry {
	now = m.notBefore(now)
	if end, over := m.expired(now, clock.MaxLag, gone); over {
		return number(m.Seq(), now, "", []Event{end})
	}
	return nil
}

// expired returns the end that time has brought by now.
func (m *Match) expired(now time.Time, lag time.Duration, gone bool) (Ended, bool) {
	if m.outcome.Over() {
		return Ended{}, false
	}
	if m.unclocked() {
		deadline, _ := m.Deadline()
		return Ended{Outcome: loa.Outcome{Winner: loa.NoColor, Reason: loa.Aborted}, By: m.game.Position().Turn()}, now.After(deadline.Add(lag))
	}
	flagged := m.clock.Flagged(now, lag)
	if flagged == loa.NoColor {
		return Ended{}, false
	}
	end := Ended{Outcome: loa.Outcome{Winner: flagged.Opponent(), Reason: loa.Flag}, By: loa.NoColor}
	if gone && m.BetweenPeople() && m.terms.Control.Kind != clock.Correspondence { // where moves take days nobody is there
		end.By = flagged
	}
	return end, true
}

// Credit returns the entry that gives the time since the service went down back, none when no clock runs or it
// was given back before.
func Credit(m *Match, since, now time.Time) []Entry {
	now = m.notBefore(now)
	if _, runs := m.Deadline(); !runs || m.Credited(since) || !since.Before(now) {
		return nil
	}
	return number(m.Seq(), now, "", []Event{Credited{since}})
}

// Adjudicate returns the entry that gives a match the outcome a moderator decides on: a win or a draw with the
// reason loa.Adjudicated, or loa.Aborted without a winner for a match that counts for nothing. There is none when the
// match stands so already. The error is a *Refusal.
func Adjudicate(m *Match, outcome loa.Outcome, now time.Time) ([]Entry, error) {
	if err := checkVerdict(outcome); err != nil {
		return nil, &Refusal{Code: NotAllowed, Text: err.Error()}
	}
	if m.outcome == outcome {
		return nil, nil
	}
	return number(m.Seq(), m.notBefore(now), "", []Event{Adjudicated{outcome}}), nil
}

// checkVerdict says what a moderator cannot decide.
func checkVerdict(o loa.Outcome) error {
	if o.Reason == loa.Adjudicated || o.Reason == loa.Aborted && o.Winner == loa.NoColor {
		return nil
	}
	return fmt.Errorf("a verdict %q, expected %q, or %q without a winner", o, loa.Adjudicated, loa.Aborted)
}

// Next returns the id and the terms of the match that follows a finished one: the same with colors swapped. The
// id follows from this match's, so making it twice makes it once.
func Next(m *Match) (ID, Terms) {
	sum := sha256.Sum256([]byte("follows " + string(m.id)))
	terms := m.terms
	terms.Seats[loa.Black], terms.Seats[loa.White] = terms.Seats[loa.White], terms.Seats[loa.Black]
	return ID(base64.RawURLEncoding.EncodeToString(sum[:10])), terms
}

func refuse(code Code, format string, args ...any) ([]Event, error) {
	return nil, &Refusal{Code: code, Text: fmt.Sprintf(format, args...)}
}

// decide is Decide without the log's business.
func (m *Match) decide(c Command, now time.Time) ([]Event, error) {
	if c.By > loa.White {
		return refuse(NotYourSeat, "you hold no seat in match %s", m.id)
	}
	if offer, ok := c.Ask.(OfferOf); ok && offer.What == OfferRematch {
		return m.decideRematch(c.By)
	}
	if decline, ok := c.Ask.(Decline); ok {
		return m.decideDecline(c.By, decline)
	}
	if m.outcome.Over() {
		return refuse(GameOver, "the game is over: %s", m.outcome)
	}
	lag := time.Duration(0)
	if move, ok := c.Ask.(Move); ok {
		lag = move.Lag
	}
	if end, over := m.expired(now, lag, c.Gone); over {
		return []Event{end}, nil
	}
	switch ask := c.Ask.(type) {
	case Move:
		return m.decideMove(c.By, ask)
	case Takeback:
		return m.decideTakeback(c.By, ask.Ply)
	case OfferOf:
		if ask.What == OfferTakeback {
			return m.decideTakeback(c.By, ask.Ply)
		}
		return m.decideDraw(c.By, ask.Ply)
	case Resign:
		return []Event{Ended{Outcome: loa.Outcome{Winner: c.By.Opponent(), Reason: loa.Resigned}}}, nil
	case Abort:
		if !m.CanAbort() {
			return refuse(NotAllowed, "a match can be called off only between people and before both have moved")
		}
		return []Event{Ended{Outcome: loa.Outcome{Winner: loa.NoColor, Reason: loa.Aborted}, By: c.By}}, nil
	case Claim:
		return m.decideClaim(c.By, ask)
	}
	return refuse(NotAllowed, "unknown command %T", c.Ask)
}

func (m *Match) decideMove(by loa.Color, ask Move) ([]Event, error) {
	if ask.Ply != m.game.Plies() || ask.Seq != 0 && ask.Seq != m.Seq() {
		return refuse(WrongPly, "a move as ply %d, the game is at ply %d", ask.Ply, m.game.Plies())
	}
	if m.game.Position().Turn() != by {
		return refuse(NotYourTurn, "it is %s to move", m.game.Position().Turn())
	}
	next, outcome, err := m.game.After(ask.Move)
	if err != nil {
		return nil, &Refusal{Code: IllegalMove, Text: err.Error(), Err: err}
	}
	events := []Event{Moved{Ply: ask.Ply, Move: ask.Move, Lag: ask.Lag.Truncate(time.Millisecond)}}
	if outcome.Over() {
		return append(events, Ended{Outcome: outcome}), nil
	}
	if next.MustPass() {
		game := m.game.Clone()
		if err := game.Play(ask.Move); err != nil {
			return nil, err
		}
		events = append(events, consequences(game)...)
	}
	return events, nil
}

// wrongPly refuses an ask that was meant for another ply, and returns nil for one that was not.
func (m *Match) wrongPly(what string, ply int) error {
	if ply == m.game.Plies() {
		return nil
	}
	_, err := refuse(WrongPly, "%s at ply %d, the game is at ply %d", what, ply, m.game.Plies())
	return err
}

func (m *Match) decideTakeback(by loa.Color, ply int) ([]Event, error) {
	if err := m.wrongPly("a takeback", ply); err != nil {
		return nil, err
	}
	asker := by
	accepting := m.offers[OfferTakeback] == by.Opponent()
	if accepting {
		asker = by.Opponent()
	}
	if m.terms.Rated {
		return refuse(NotAllowed, "in a rated game a released move stands")
	}
	if !m.CanTakeback(asker) {
		return refuse(NotAllowed, "there is no move of %s to take back", asker)
	}
	if !accepting && !m.againstEngine(by) {
		if !m.CanOffer(by, OfferTakeback) {
			return refuse(NotAllowed, "the takeback was asked for already at this ply")
		}
		return []Event{Offered{OfferTakeback, by}}, nil
	}
	keep, _ := m.game.LastMoveOf(asker)
	return []Event{TakenBack{keep, asker}}, nil
}

func (m *Match) decideDraw(by loa.Color, ply int) ([]Event, error) {
	if err := m.wrongPly("a draw offer", ply); err != nil {
		return nil, err
	}
	switch {
	case m.againstEngine(by):
		return refuse(NotAllowed, "an engine does not agree to draws")
	case m.offers[OfferDraw] == by.Opponent():
		return []Event{Ended{Outcome: loa.Outcome{Winner: loa.NoColor, Reason: loa.Agreed}}}, nil
	case !m.CanOffer(by, OfferDraw):
		return refuse(NotAllowed, "the draw was offered already at this ply")
	}
	return []Event{Offered{OfferDraw, by}}, nil
}

func (m *Match) decideRematch(by loa.Color) ([]Event, error) {
	switch {
	case !m.outcome.Over():
		return refuse(NotAllowed, "the game is still on")
	case !m.BetweenPeople():
		return refuse(NotAllowed, "a rematch is offered between people")
	case m.rematch != "":
		return refuse(NotAllowed, "the rematch is being played already, as %s", m.rematch)
	case m.offers[OfferRematch] == by.Opponent():
		next, _ := Next(m)
		return []Event{Followed{next}}, nil
	case !m.CanOffer(by, OfferRematch):
		return refuse(NotAllowed, "the rematch was offered already")
	}
	return []Event{Offered{OfferRematch, by}}, nil
}

func (m *Match) decideDecline(by loa.Color, ask Decline) ([]Event, error) {
	if err := m.wrongPly("an offer declined", ask.Ply); err != nil && ask.Ply != 0 {
		return nil, err
	}
	if m.offers[ask.What] == loa.NoColor {
		return refuse(NotAllowed, "nobody offers a %s", ask.What)
	}
	return []Event{Withdrawn{ask.What, by}}, nil
}

func (m *Match) decideClaim(by loa.Color, claim Claim) ([]Event, error) {
	after, ok := m.ClaimAfter()
	switch {
	case !ok:
		return refuse(NotAllowed, "nothing can be claimed in this match")
	case m.game.Position().Turn() == by:
		return refuse(NotAllowed, "it is your own turn")
	case m.game.Plies() < firstMoves:
		return refuse(NotAllowed, "before both have moved a match is called off, not claimed")
	case claim.Away < after:
		return refuse(NotAllowed, "the opponent has been away for %s, a claim needs %s", claim.Away.Truncate(time.Second), after)
	}
	winner := by
	if claim.Draw {
		winner = loa.NoColor
	}
	return []Event{Ended{Outcome: loa.Outcome{Winner: winner, Reason: loa.Abandoned}, By: by.Opponent()}}, nil
}
