//go:build !js

package wire

import (
	"time"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/match"
)

// KindOwn is the kind of a line that says what a program's account is in.
const KindOwn = "own"

// Problem is every answer of the interface for programs that is not what was asked for.
type Problem struct {
	Error Fault `json:"error"`
}

// Fault says what is wrong.
type Fault struct {
	Code      string `json:"code" doc:"What is wrong, for programs."`
	Text      string `json:"text" doc:"The same in words."`
	Field     string `json:"field,omitempty" doc:"The field or parameter at fault."`
	Value     string `json:"value,omitempty" doc:"What it held."`
	Expected  string `json:"expected,omitempty" doc:"What would have been right."`
	Wait      int64  `json:"wait,omitempty" doc:"Milliseconds after which it may be tried again."`
	Reference string `json:"reference,omitempty" doc:"Finds a fault of the server in its log."`
}

// Account is whose token it is.
type Account struct {
	Name    string       `json:"name"`
	Bot     bool         `json:"bot" doc:"The account is that of a bot."`
	Scopes  []string     `json:"scopes" doc:"What the token lets a program do: read, play, challenge, bot."`
	Ratings []PoolRating `json:"ratings"`
}

// Player is a member as everybody may see them.
type Player struct {
	Name    string       `json:"name"`
	Bot     bool         `json:"bot"`
	Joined  time.Time    `json:"joined"`
	Ratings []PoolRating `json:"ratings"`
}

// PoolRating is a rating in one pool.
type PoolRating struct {
	Pool        string `json:"pool" doc:"Rule set and speed; those of games with bots end in \" bots\"."`
	Rating      int    `json:"rating"`
	Deviation   int    `json:"deviation"`
	Games       int    `json:"games"`
	Provisional bool   `json:"provisional,omitempty"`
}

// Own is what an account is in: its open challenges and its running games, whole each time.
type Own struct {
	V          int           `json:"v"`
	Type       string        `json:"type" doc:"own"`
	Challenges []Invitation  `json:"challenges" doc:"Open ones, made by or to the account."`
	Games      []RunningGame `json:"games" doc:"Running games, the latest moved first."`
}

// RunningGame is a running game of an account.
type RunningGame struct {
	Match    string `json:"match"`
	Seq      int    `json:"seq"`
	You      string `json:"you" doc:"black, white"`
	Turn     string `json:"turn" doc:"black, white"`
	Plies    int    `json:"plies"`
	Opponent Seat   `json:"opponent"`
	Rules    string `json:"rules"`
	Control  string `json:"control"`
	Rated    bool   `json:"rated,omitempty"`
}

// Invitation is a challenge with all that is known of it.
type Invitation struct {
	ID      string    `json:"id"`
	From    string    `json:"from"`
	Bot     bool      `json:"bot,omitempty" doc:"Whoever made it is a bot."`
	To      string    `json:"to,omitempty" doc:"A member's name; absent when it is for whoever has its address."`
	Mine    bool      `json:"mine" doc:"The account made it."`
	Rules   string    `json:"rules"`
	Control string    `json:"control"`
	Rated   bool      `json:"rated,omitempty"`
	Color   string    `json:"color" doc:"The color of whoever made it: black, white, none for either."`
	Made    time.Time `json:"made"`
	State   string    `json:"state" doc:"open, taken, refused, expired"`
	Match   string    `json:"match,omitempty" doc:"The game it became."`
	URL     string    `json:"url" doc:"Its page."`
}

// NewChallenge asks for a challenge.
type NewChallenge struct {
	To      string `json:"to,omitempty" doc:"A member's name; without one it is for whoever has its address."`
	Rules   string `json:"rules,omitempty" doc:"Rule set, such as standard or misere, with options behind a colon. standard without."`
	Control string `json:"control,omitempty" doc:"5+3, 5b3, 5d3, 10+3x30, 30/move, 2d/move, unlimited. 5+5 without."`
	Rated   bool   `json:"rated,omitempty"`
	Color   string `json:"color,omitempty" doc:"black, white, any"`
}

// NewSeek asks for a game with whoever fits.
type NewSeek struct {
	Rules   string `json:"rules,omitempty" doc:"As in a challenge."`
	Control string `json:"control,omitempty" doc:"As in a challenge."`
	Rated   bool   `json:"rated,omitempty"`
	Color   string `json:"color,omitempty" doc:"black, white, any"`
	Below   int    `json:"below,omitempty" doc:"Points the opponent may be below one's own rating; 0 for any."`
	Above   int    `json:"above,omitempty" doc:"Points the opponent may be above it; 0 for any."`
}

// NewGame asks for a game against the computer.
type NewGame struct {
	Level int      `json:"level" doc:"1 to 10"`
	Rules string   `json:"rules,omitempty" doc:"As in a challenge."`
	Color string   `json:"color,omitempty" doc:"black, white, any; the side to move without."`
	Start string   `json:"start,omitempty" doc:"A position to begin with, side to move last; that of the rules without."`
	Moves []string `json:"moves,omitempty" doc:"Moves that were made already."`
}

// Running is a game under way, as anybody may see it.
type Running struct {
	Match   string `json:"match"`
	Seq     int    `json:"seq"`
	Black   Seat   `json:"black"`
	White   Seat   `json:"white"`
	Turn    string `json:"turn" doc:"black, white"`
	Plies   int    `json:"plies"`
	Rules   string `json:"rules"`
	Control string `json:"control"`
	Rated   bool   `json:"rated,omitempty"`
}

// Begun names a game that has begun.
type Begun struct {
	Match string `json:"match"`
}

// Record is a finished game as programs study it, one JSON object; sgf reads it too.
type Record struct {
	ID      string       `json:"id"`
	Rules   string       `json:"rules"`
	Start   string       `json:"start" doc:"The position before the first move, side to move last."`
	Players Names        `json:"players"`
	Bots    bool         `json:"bots,omitempty" doc:"A bot played."`
	Levels  Levels       `json:"levels,omitzero"`
	Control string       `json:"control"`
	Rated   bool         `json:"rated,omitempty"`
	Began   time.Time    `json:"began"`
	Ended   time.Time    `json:"ended"`
	Result  RecordResult `json:"result"`
	Moves   []string     `json:"moves"`
}

// Names are the players of a record; a guest's is a number, and the computer's empty.
type Names struct {
	Black string `json:"black"`
	White string `json:"white"`
}

// Levels are those of the computer, 0 for a person.
type Levels struct {
	Black int `json:"black,omitempty"`
	White int `json:"white,omitempty"`
}

// RecordResult is how a recorded game ended.
type RecordResult struct {
	Winner string `json:"winner" doc:"black, white, none"`
	Reason string `json:"reason"`
}

// RecordOf describes a finished match.
func RecordOf(m *match.Match) Record {
	terms, g := m.Terms(), m.Game()
	r := Record{
		ID: string(m.ID()), Rules: m.RulesText(), Start: g.Start().String(), Bots: terms.Bots(), Control: m.ControlText(), Rated: terms.Rated,
		Players: Names{terms.Seats[loa.Black].Name, terms.Seats[loa.White].Name},
		Levels:  Levels{terms.Seats[loa.Black].Level, terms.Seats[loa.White].Level},
		Began:   m.Began().UTC(), Ended: m.Updated().UTC(), Moves: []string{},
		Result: RecordResult{m.Outcome().Winner.String(), m.Outcome().Reason.String()},
	}
	for ply := range g.Plies() {
		r.Moves = append(r.Moves, g.Format(ply))
	}
	return r
}

// RunningNow describes a running match to anybody.
func RunningNow(m *match.Match) Running {
	return Running{
		Match: string(m.ID()), Seq: m.Seq(), Black: seatOf(m.Seat(loa.Black)), White: seatOf(m.Seat(loa.White)),
		Turn: m.Game().Position().Turn().String(), Plies: m.Game().Plies(), Rules: m.RulesText(), Control: m.ControlText(), Rated: m.Terms().Rated,
	}
}

// RunningOf describes a running match to the holder of a seat.
func RunningOf(m *match.Match, you loa.Color) RunningGame {
	return RunningGame{
		Match: string(m.ID()), Seq: m.Seq(), You: you.String(), Turn: m.Game().Position().Turn().String(), Plies: m.Game().Plies(),
		Opponent: seatOf(m.Seat(you.Opponent())), Rules: m.RulesText(), Control: m.ControlText(), Rated: m.Terms().Rated,
	}
}

// Export is a file of finished games that the host offers.
type Export struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256" doc:"In hex, as in the file SHA256SUMS."`
	URL    string `json:"url"`
}
