package wire

// The kinds of what a trainer answers.
const (
	KindTried   = "tried"
	KindHint    = "hint"
	KindThreats = "threats"
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
