// Package wire holds every message between browser and server. docs/protocol.md describes them with an
// example each, and a test decodes every example there with the types here.
//
// A socket belongs to one match. The server speaks first, with a Snapshot; after that every change of the
// match arrives as one Update that carries the next sequence number. A client that sees a gap, or reconnects,
// asks with Resume and gets a Snapshot. The browser knows no rules: what may be played, how far, and why not,
// arrives with each position.
package wire

import "github.com/linesofaction/loa"

// Version is the version of every message in this package. A reader refuses a larger one.
const Version = 2

// Kinds of message, in the field "type".
const (
	KindSnapshot = "snapshot"
	KindUpdate   = "update"
	KindAck      = "ack"
	KindRefused  = "refused"
	KindPong     = "pong"
	KindLeave    = "leave"

	KindPresence = "presence"
	KindRatings  = "ratings"

	KindMove     = "move"
	KindTakeback = "takeback"
	KindDraw     = "draw"
	KindRematch  = "rematch"
	KindDecline  = "decline"
	KindResign   = "resign"
	KindAbort    = "abort"
	KindClaim    = "claim"
	KindResume   = "resume"
	KindPing     = "ping"
)

// Rules are the terms of a match, each option spelled out.
type Rules struct {
	Name       string `json:"name"`       // canonical text, for example "standard" or "standard:both=mover"
	Both       string `json:"both"`       // draw, mover
	NoMove     string `json:"nomove"`     // pass, loss, draw
	Repetition string `json:"repetition"` // draw3, draw2, none
	Captures   string `json:"captures"`   // yes, no
	Goal       string `json:"goal"`       // connect, misere
	Start      string `json:"start"`      // standard, scrambled, scrambled-b, random, six, custom
	Size       int    `json:"size"`       // squares on an edge, 4 to 8
	Seed       uint64 `json:"seed,string,omitempty"`
	Cap        int    `json:"cap,omitempty"`
}

// Position is one position with everything a board needs to teach and to play it.
type Position struct {
	Board  string                `json:"board"`  // ranks from the top, x Black, o White, digits empty, no side to move
	Turn   string                `json:"turn"`   // black, white
	Rays   string                `json:"rays"`   // what every piece may do in every direction, see RaysOf
	Moves  []string              `json:"moves"`  // legal moves, c8-c6 or c8xc6, or pass; empty when the game is over
	Groups map[string][][]string `json:"groups"` // black, white: the squares of each group, largest group first
}

// Ply is one move of the game with the board it made.
type Ply struct {
	Move   string `json:"move"`   // c8-c6, c8xc6, pass
	Board  string `json:"board"`  // after the move
	Groups [2]int `json:"groups"` // number of groups after the move: Black, White
}

// Seat is one side of a match and who holds it.
type Seat struct {
	Kind  string `json:"kind"`            // guest, member, engine
	Name  string `json:"name,omitempty"`  // for people
	Bot   bool   `json:"bot,omitempty"`   // a member that is a program
	Level int    `json:"level,omitempty"` // for engines, 1 to 10
}

// Outcome is how a match ended.
type Outcome struct {
	Winner string `json:"winner"` // black, white, none
	Reason string `json:"reason"` // connected, both-connected, no-move, repetition, ply-cap, resigned, …
}

// Can says what the receiver may do now.
type Can struct {
	Move     bool `json:"move"`
	Takeback bool `json:"takeback"` // at once against an engine, as an offer between people
	Resign   bool `json:"resign"`
	Abort    bool `json:"abort,omitempty"`
	Draw     bool `json:"draw,omitempty"` // offer one, or accept the one offered
	Rematch  bool `json:"rematch,omitempty"`
	// ClaimAfter is for how many milliseconds the opponent must be away on his turn before a claim; 0 for no claim.
	ClaimAfter int64 `json:"claimAfter,omitempty"`
}

// Clock is where both clocks stood when the message was written. Times are milliseconds. Nothing is over before
// the server says so: a browser counts Left down from the moment it gets the message and stops above zero.
type Clock struct {
	Control string `json:"control"`           // 5+3, 10+3x30, 3d/move, …
	Running string `json:"running,omitempty"` // black, white, or empty when both stand
	Black   Face   `json:"black"`
	White   Face   `json:"white"`
	First   int64  `json:"first,omitempty"` // time left to make a first move, before the match is aborted
}

// Of returns the face of a side.
func (c *Clock) Of(color loa.Color) Face {
	if color == loa.White {
		return c.White
	}
	return c.Black
}

// Face is what one clock shows.
type Face struct {
	Left    int64 `json:"left"`              // of the base, or of the period that runs
	Periods int   `json:"periods,omitempty"` // byo-yomi periods left, the running one included
	Period  bool  `json:"period,omitempty"`  // Left is of a byo-yomi period: the base is used up
	Delay   int64 `json:"delay,omitempty"`   // until Left begins to run
	Lag     int64 `json:"lag,omitempty"`     // delay of the network credited so far
}

// Presence says who is connected to a match.
type Presence struct {
	V        int    `json:"v"`
	Type     string `json:"type"`
	Black    bool   `json:"black"`
	White    bool   `json:"white"`
	Watching int    `json:"watching"`
	Away     int64  `json:"away,omitempty"` // milliseconds for which the side to move has been away
}

// Ratings says what a rated match made of the ratings of its players, after its end.
type Ratings struct {
	V     int          `json:"v"`
	Type  string       `json:"type"`
	Match string       `json:"match"`
	Black RatingChange `json:"black"`
	White RatingChange `json:"white"`
}

// RatingChange is a rating before and after a match.
type RatingChange struct {
	Before int `json:"before"`
	After  int `json:"after"`
}

// State is the part of a match that snapshots and updates share.
type State struct {
	Outcome  *Outcome          `json:"outcome,omitempty"`
	Clock    *Clock            `json:"clock,omitempty"`  // absent without one
	Offers   map[string]string `json:"offers,omitempty"` // draw, takeback, rematch: who offers it
	Next     string            `json:"next,omitempty"`   // the match of the rematch
	Can      Can               `json:"can"`
	Thinking bool              `json:"thinking"` // an engine is to move
}

// Snapshot is the whole state of a match as one receiver may see it.
type Snapshot struct {
	V        int             `json:"v"`
	Type     string          `json:"type"`
	Match    string          `json:"match"`
	Seq      int             `json:"seq"`
	Rules    Rules           `json:"rules"`
	Seats    map[string]Seat `json:"seats"`         // black, white
	You      string          `json:"you,omitempty"` // black, white, or empty for an onlooker
	Start    Ply             `json:"start"`         // the board before the first move, Move empty
	Plies    []Ply           `json:"plies"`
	Position Position        `json:"position"`
	Rated    bool            `json:"rated,omitempty"`
	State
}

// Update is one numbered change: Keep plies of the client's list stay, Plies are added after them.
// A move has Keep equal to the plies before it, a takeback has fewer and adds none, an ending adds none.
type Update struct {
	V        int      `json:"v"`
	Type     string   `json:"type"`
	Match    string   `json:"match"`
	Seq      int      `json:"seq"`  // the number after this change
	From     int      `json:"from"` // the number before it; another than the client's own is a gap
	Keep     int      `json:"keep"`
	Plies    []Ply    `json:"plies"`
	Position Position `json:"position"`
	State
}

// Command is what a client asks. Client is its own random id for the command: the same id gets the same
// answer. Ply is the number of plies the client has seen; another than the server's is refused.
type Command struct {
	V      int    `json:"v"`
	Type   string `json:"type"` // move, takeback, draw, rematch, decline, resign, abort, claim, talk, mute, resume, ping
	Match  string `json:"match"`
	Client string `json:"client,omitempty"`
	Ply    int    `json:"ply"`
	Move   string `json:"move,omitempty"`
	Offer  string `json:"offer,omitempty"` // with decline: draw, takeback, rematch
	Draw   bool   `json:"draw,omitempty"`  // with claim: a draw instead of a win
	Seq    int    `json:"seq,omitempty"`   // with resume and ping: the last number seen
	TalkCommand
}

// Ack says that a command is stored; what it changed arrives as Update.
type Ack struct {
	V      int    `json:"v"`
	Type   string `json:"type"`
	Client string `json:"client"`
	Seq    int    `json:"seq"`
}

// Refused says why a command was not carried out. A Snapshot follows when the client's state is stale.
type Refused struct {
	V      int    `json:"v"`
	Type   string `json:"type"`
	Client string `json:"client,omitempty"`
	Code   string `json:"code"`           // not-your-turn, illegal-move, wrong-ply, game-over, not-your-seat, not-allowed, malformed, too-fast, internal, and those of talk
	Text   string `json:"text"`           // in English, for logs and programs; pages translate the code
	Wait   int64  `json:"wait,omitempty"` // milliseconds after which it may be tried again
}

// Leave says that the process at the other end stops and others go on: open another socket, and close this one, which is
// good for a few seconds more, when the other has spoken.
type Leave struct {
	V    int    `json:"v"`
	Type string `json:"type"`
}

// Pong answers Ping and carries the stored sequence number, so that a lost update is noticed.
type Pong struct {
	V    int    `json:"v"`
	Type string `json:"type"`
	Seq  int    `json:"seq"`
}
