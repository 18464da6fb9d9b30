package match

import (
	"errors"
	"fmt"
	"time"

	"github.com/linesofaction/loa"
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

// Command is what a side asks: a Move, a Takeback or a Resign.
type Command struct {
	By     loa.Color // the seat that asks; NoColor for an onlooker, who is refused
	Client string    // the asker's own id for the command, may be empty
	Ask    Ask
}

// Ask is what a Command asks for.
type Ask interface{ ask() }

// Move asks to make a move as a given ply.
type Move struct {
	Ply  int // plies the asker has seen
	Move loa.Move
	Seq  int // sequence number the move was found at; 0 where only the ply counts
}

// Takeback asks to take back one's own last move and what followed.
type Takeback struct {
	Ply int // plies the asker has seen
}

// Resign gives the match up.
type Resign struct{}

func (Move) ask()     {}
func (Takeback) ask() {}
func (Resign) ask()   {}

// Create returns the first entry of a match, and the end of it where the start is a finished position.
func Create(rules loa.Rules, start loa.Setup, seats [2]Seat, now time.Time) ([]Entry, error) {
	created := Created{Rules: rules, Start: start, Seats: seats}
	game, err := created.game()
	if err != nil {
		return nil, err
	}
	entries := []Entry{{Seq: 1, At: now, Event: created}}
	for game.PlayForced() {
		entries = append(entries, Entry{Seq: len(entries) + 1, At: now, Event: Moved{game.Plies() - 1, loa.Pass}})
	}
	if game.Outcome().Over() {
		entries = append(entries, Entry{Seq: len(entries) + 1, At: now, Event: Ended{game.Outcome()}})
	}
	return entries, nil
}

// Decide returns the entries that a command leads to and changes nothing. The error is a *Refusal, or
// ErrAnswered.
func Decide(m *Match, c Command, now time.Time) ([]Entry, error) {
	if c.Client != "" {
		if _, ok := m.answers[c.Client]; ok {
			return nil, ErrAnswered
		}
	}
	events, err := decideEvents(m, c)
	if err != nil {
		return nil, err
	}
	if last := m.Updated(); now.Before(last) {
		now = last
	}
	entries := make([]Entry, len(events))
	for i, event := range events {
		entries[i] = Entry{Seq: m.Seq() + i + 1, At: now, Event: event}
	}
	entries[len(entries)-1].Client = c.Client
	return entries, nil
}

func refuse(code Code, format string, args ...any) ([]Event, error) {
	return nil, &Refusal{Code: code, Text: fmt.Sprintf(format, args...)}
}

// decideEvents is Decide without the log's business.
func decideEvents(m *Match, c Command) ([]Event, error) {
	if c.By > loa.White {
		return refuse(NotYourSeat, "you hold no seat in match %s", m.id)
	}
	if m.outcome.Over() {
		return refuse(GameOver, "the game is over: %s", m.outcome)
	}
	switch ask := c.Ask.(type) {
	case Move:
		return decideMove(m, c.By, ask)
	case Takeback:
		if ask.Ply != m.game.Plies() {
			return refuse(WrongPly, "a takeback at ply %d, the game is at ply %d", ask.Ply, m.game.Plies())
		}
		if !m.CanTakeback(c.By) {
			return refuse(NotAllowed, "there is no move of %s to take back against an engine", c.By)
		}
		keep, _ := m.game.LastMoveOf(c.By)
		return []Event{TakenBack{keep, c.By}}, nil
	case Resign:
		return []Event{Ended{loa.Outcome{Winner: c.By.Opponent(), Reason: loa.Resigned}}}, nil
	}
	return refuse(NotAllowed, "unknown command %T", c.Ask)
}

func decideMove(m *Match, by loa.Color, ask Move) ([]Event, error) {
	if ask.Ply != m.game.Plies() || ask.Seq != 0 && ask.Seq != m.Seq() {
		return refuse(WrongPly, "a move as ply %d, the game is at ply %d", ask.Ply, m.game.Plies())
	}
	if m.game.Position().Turn() != by {
		return refuse(NotYourTurn, "it is %s to move", m.game.Position().Turn())
	}
	game := m.game.Clone()
	if err := game.Play(ask.Move); err != nil {
		return nil, &Refusal{Code: IllegalMove, Text: err.Error(), Err: err}
	}
	events := []Event{Moved{ask.Ply, ask.Move}}
	for game.PlayForced() {
		events = append(events, Moved{game.Plies() - 1, loa.Pass})
	}
	if game.Outcome().Over() {
		events = append(events, Ended{game.Outcome()})
	}
	return events, nil
}
