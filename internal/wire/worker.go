package wire

// Kinds of message between a page and the engine that runs in a worker of the browser.
const (
	KindSet     = "set"
	KindPlay    = "play"
	KindSearch  = "search"
	KindExplain = "explain"
	KindTry     = "try"
	KindStop    = "stop"

	KindReady     = "ready"
	KindStanding  = "standing"
	KindInfo      = "info"
	KindBest      = "best"
	KindExplained = "explained"
	KindWrong     = "wrong"
)

// Ask is what a page asks the engine in its worker. Whatever it asks ends the search before.
type Ask struct {
	V    int    `json:"v"`
	Type string `json:"type"` // set, play, search, explain, try, stop

	// With set: the game.
	Rules string   `json:"rules,omitempty"`
	Start string   `json:"start,omitempty"` // a board and the side to move; without one the start of the rules
	Moves []string `json:"moves,omitempty"`
	Level int      `json:"level,omitempty"` // 1 to 10, 0 for full strength
	Seed  uint64   `json:"seed,omitempty"`  // which of the near-best moves a level chooses
	Fresh bool     `json:"fresh,omitempty"` // forget what earlier searches found

	// With play: a move.
	Move string `json:"move,omitempty"`

	// With try: a puzzle, which begins at the start, its solution, and whether that is to be shown. Moves are the solver's.
	Puzzle   string   `json:"puzzle,omitempty"`
	Solution []string `json:"solution,omitempty"`
	Show     bool     `json:"show,omitempty"`

	// With search, explain and try: a number of the page's own, which the answers carry, and the limits.
	ID       int    `json:"id,omitempty"`
	Nodes    uint64 `json:"nodes,omitempty"`
	Depth    int    `json:"depth,omitempty"`
	Time     int64  `json:"time,omitempty"`     // milliseconds
	Infinite bool   `json:"infinite,omitempty"` // until the next message; not with explain
	Lines    int    `json:"lines,omitempty"`    // best lines to work out; 0 is 1
}

// Ready is the first message of a worker.
type Ready struct {
	V    int    `json:"v"`
	Type string `json:"type"`
}

// Append writes a message as encoding/json would.
func (r *Ready) Append(b []byte) []byte { return append(appendHead(b, r.V, r.Type), '}') }

// Standing answers set and play: how the game stands, described as the server describes it.
type Standing struct {
	V        int      `json:"v"`
	Type     string   `json:"type"`
	Plies    int      `json:"plies"`
	Position Position `json:"position"`
	Outcome  *Outcome `json:"outcome,omitempty"`
}

// Append writes a message as encoding/json would.
func (s *Standing) Append(b []byte) []byte {
	b = appendNumber(appendHead(b, s.V, s.Type), `,"plies":`, int64(s.Plies))
	b = s.Position.Append(append(b, `,"position":`...))
	return append(s.Outcome.append(b), '}')
}

// Value is what a position is worth to its side to move.
type Value struct {
	Cp  int `json:"cp"`            // centipawns, 0 where the end is forced
	Win int `json:"win,omitempty"` // plies to a forced win, negative to a forced loss
}

// append writes the fields of a value, behind those there are in its object.
func (v *Value) append(b []byte) []byte {
	if b[len(b)-1] != '{' {
		b = append(b, ',')
	}
	b = appendNumber(b, `"cp":`, int64(v.Cp))
	if v.Win != 0 {
		b = appendNumber(b, `,"win":`, int64(v.Win))
	}
	return b
}

// Info is what a search has found so far, one message for each line after each depth.
type Info struct {
	V    int    `json:"v"`
	Type string `json:"type"`
	ID   int    `json:"id"`   // of the search
	Line int    `json:"line"` // place of the line, from 1
	Value
	PV       []string `json:"pv"`
	Depth    int      `json:"depth"`    // plies searched in full
	SelDepth int      `json:"seldepth"` // plies of the longest path
	Nodes    uint64   `json:"nodes"`
	NPS      uint64   `json:"nps"`
	Time     int64    `json:"time"` // milliseconds
}

// Append writes a message as encoding/json would.
func (i *Info) Append(b []byte) []byte {
	b = appendNumber(appendHead(b, i.V, i.Type), `,"id":`, int64(i.ID))
	b = appendNumber(b, `,"line":`, int64(i.Line))
	b = i.Value.append(b)
	b = appendNames(append(b, `,"pv":`...), i.PV)
	b = appendNumber(b, `,"depth":`, int64(i.Depth))
	b = appendNumber(b, `,"seldepth":`, int64(i.SelDepth))
	b = appendNumber(b, `,"nodes":`, int64(i.Nodes))
	b = appendNumber(b, `,"nps":`, int64(i.NPS))
	return append(appendNumber(b, `,"time":`, i.Time), '}')
}

// Best ends every search, and comes before Explained.
type Best struct {
	V    int    `json:"v"`
	Type string `json:"type"`
	ID   int    `json:"id"`   // of the search
	Move string `json:"move"` // at a level not always the first of the best line
	Value
	PV    []string `json:"pv"` // the best line
	Depth int      `json:"depth"`
	Nodes uint64   `json:"nodes"`
	NPS   uint64   `json:"nps"`
	Time  int64    `json:"time"` // milliseconds
}

// Append writes a message as encoding/json would.
func (r *Best) Append(b []byte) []byte {
	b = appendNumber(appendHead(b, r.V, r.Type), `,"id":`, int64(r.ID))
	b = appendText(b, `,"move":`, r.Move)
	b = r.Value.append(b)
	b = appendNames(append(b, `,"pv":`...), r.PV)
	b = appendNumber(b, `,"depth":`, int64(r.Depth))
	b = appendNumber(b, `,"nodes":`, int64(r.Nodes))
	b = appendNumber(b, `,"nps":`, int64(r.NPS))
	return append(appendNumber(b, `,"time":`, r.Time), '}')
}

// Explained says what a search found in the terms of the game. Forced ends are counted in plies.
type Explained struct {
	V      int         `json:"v"`
	Type   string      `json:"type"`
	ID     int         `json:"id"`               // of the search
	Ways   Ways        `json:"ways"`             // moves of each side that win at once, were it its turn
	Threat int         `json:"threat,omitempty"` // within which the best move wins if the other side does nothing
	Played *PlayedMove `json:"played,omitempty"` // what became of the last move of the game
}

// Ways is a number for each side.
type Ways struct {
	Black int `json:"black"`
	White int `json:"white"`
}

// PlayedMove compares a move with the best there was. Values are those of the side that moved.
type PlayedMove struct {
	Move   string `json:"move"`
	Best   string `json:"best"`
	Before Value  `json:"before"`           // of the best move
	After  Value  `json:"after"`            // of the move that was played
	Lost   int    `json:"lost"`             // centipawns, 0 where a forced end is on either side
	Allows int    `json:"allows,omitempty"` // plies of the forced win it gave to the other side
}

// Append writes a message as encoding/json would.
func (e *Explained) Append(b []byte) []byte {
	b = appendNumber(appendHead(b, e.V, e.Type), `,"id":`, int64(e.ID))
	b = appendNumber(b, `,"ways":{"black":`, int64(e.Ways.Black))
	b = append(appendNumber(b, `,"white":`, int64(e.Ways.White)), '}')
	if e.Threat != 0 {
		b = appendNumber(b, `,"threat":`, int64(e.Threat))
	}
	if p := e.Played; p != nil {
		b = appendText(b, `,"played":{"move":`, p.Move)
		b = appendText(b, `,"best":`, p.Best)
		b = append(p.Before.append(append(b, `,"before":{`...)), '}')
		b = append(p.After.append(append(b, `,"after":{`...)), '}')
		b = appendNumber(b, `,"lost":`, int64(p.Lost))
		if p.Allows != 0 {
			b = appendNumber(b, `,"allows":`, int64(p.Allows))
		}
		b = append(b, '}')
	}
	return append(b, '}')
}

// Wrong says why something cannot be done. Nothing has changed then.
type Wrong struct {
	V    int    `json:"v"`
	Type string `json:"type"`
	ID   int    `json:"id,omitempty"` // of the search, if it was one
	Text string `json:"text"`         // in English, for programs
}

// Append writes a message as JSON.
func (w *Wrong) Append(b []byte) []byte {
	b = appendHead(b, w.V, w.Type)
	if w.ID != 0 {
		b = appendNumber(b, `,"id":`, int64(w.ID))
	}
	b = append(b, `,"text":"`...)
	for _, r := range w.Text {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r < ' ':
			b = append(b, `\u00`...)
			b = append(b, "0123456789abcdef"[r>>4], "0123456789abcdef"[r&15])
		default:
			b = append(b, string(r)...)
		}
	}
	return append(b, `"}`...)
}

func appendHead(b []byte, v int, kind string) []byte {
	return appendText(appendNumber(b, `{"v":`, int64(v)), `,"type":`, kind)
}
