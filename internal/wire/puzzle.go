package wire

import (
	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/puzzle"
)

// The kinds of what a trainer answers.
const (
	KindTried   = "tried"
	KindHint    = "hint"
	KindThreats = "threats"
	KindReview  = "review"
)

// The ways in which a try at a puzzle stands.
const (
	TryRight  = "right"
	TrySolved = "solved"
	TryWrong  = "wrong"
	TryShown  = "shown"
)

// Tried is what moves in a puzzle lead to.
type Tried struct {
	V        int           `json:"v"`
	Type     string        `json:"type"`
	ID       int           `json:"id,omitempty"` // of the question, from the worker
	Puzzle   string        `json:"puzzle"`
	Result   string        `json:"result"`          // right, solved, wrong; shown for the solution
	Taken    int           `json:"taken,omitempty"` // how many of the solver's moves count, the wrong one included
	Plies    []Ply         `json:"plies"`           // both sides' moves from the puzzle's position on
	Position Position      `json:"position"`        // after them
	Fault    string        `json:"fault,omitempty"` // why a move is wrong: loses, draws, late
	Count    int           `json:"count,omitempty"` // moves in which the other side wins, 0 when it has won already
	Rating   *RatingChange `json:"rating,omitempty"`
	Streak   int           `json:"streak,omitempty"` // days in a row, when the puzzle of the day is solved
}

// TriedOf describes moves in a puzzle. Until more is said of them, they are right so far.
func TriedOf(z *puzzle.Puzzle, moves []loa.Move) Tried {
	t := Tried{V: Version, Type: KindTried, Puzzle: z.ID, Result: TryRight, Plies: []Ply{}}
	now := z.Position
	for _, m := range moves {
		text := now.Format(m)
		now = now.PlayUnchecked(m)
		t.Plies = append(t.Plies, Ply{
			Move: text, Board: now.Board().Text(),
			Groups: [2]int{now.Pieces(loa.Black).CountGroups(), now.Pieces(loa.White).CountGroups()},
		})
	}
	t.Position = PositionOf(now, now.Outcome().Over())
	return t
}

// Append writes a message as encoding/json would, but for what a worker never says: the standing of who tries.
func (t *Tried) Append(b []byte) []byte {
	b = appendHead(b, t.V, t.Type)
	if t.ID != 0 {
		b = appendNumber(b, `,"id":`, int64(t.ID))
	}
	b = appendText(b, `,"puzzle":`, t.Puzzle)
	b = appendText(b, `,"result":`, t.Result)
	if t.Taken != 0 {
		b = appendNumber(b, `,"taken":`, int64(t.Taken))
	}
	b = appendPlies(append(b, `,"plies":`...), t.Plies)
	b = t.Position.Append(append(b, `,"position":`...))
	if t.Fault != "" {
		b = appendText(b, `,"fault":`, t.Fault)
	}
	if t.Count != 0 {
		b = appendNumber(b, `,"count":`, int64(t.Count))
	}
	return append(b, '}')
}

// Hint is what to play against the computer, and why.
type Hint struct {
	V      int    `json:"v"`
	Type   string `json:"type"`
	Ply    int    `json:"ply"` // plies of the game it is for
	Move   string `json:"move"`
	Win    int    `json:"win,omitempty"`    // plies to a certain win, negative to a loss
	Threat int    `json:"threat,omitempty"` // plies to a win after the move if the other side does nothing
}

// Threats is how each side would win if it were to move now.
type Threats struct {
	V     int    `json:"v"`
	Type  string `json:"type"`
	Ply   int    `json:"ply"`
	Other Threat `json:"other"` // of the side that is not to move
	Own   Threat `json:"own"`
}

// Threat is how one side would win.
type Threat struct {
	Side  string   `json:"side"`
	Plies int      `json:"plies"` // 0 where no win was found
	Moves []string `json:"moves"` // every move that wins at once, or the first one of a longer win
}

// Review is what became of a move that was played, beside the best one there was. Certain ends are counted in plies.
type Review struct {
	V      int    `json:"v"`
	Type   string `json:"type"`
	Ply    int    `json:"ply"` // plies of the game when it was asked for
	Move   string `json:"move"`
	Best   string `json:"best"`
	Missed int    `json:"missed,omitempty"` // to the win that the best move had and the move has not
	Allows int    `json:"allows,omitempty"` // to the win that the move gave to the other side and the best one did not
	Win    int    `json:"win,omitempty"`    // to a win after the move, negative to a loss
	Lost   int    `json:"lost,omitempty"`   // centipawns, where no end is certain
}
