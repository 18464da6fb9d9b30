package loa

import "fmt"

// Game is a sequence of moves from a start, by the rules. It knows neither clocks nor people. The zero Game is
// not usable; begin with NewGame or NewGameFrom.
type Game struct {
	rules     Rules
	positions []Position // positions[0] is the start, positions[i] stands after ply i
	moves     []Move
	outcome   Outcome
}

// NewGame begins a game from the start position of the rules.
func NewGame(rules Rules) (*Game, error) {
	start, err := rules.StartPosition()
	if err != nil {
		return nil, err
	}
	return newGame(rules, start), nil
}

// NewGameFrom begins a game from a set-up position, which may be finished already.
func NewGameFrom(rules Rules, setup Setup) (*Game, error) {
	start, err := setup.Position(rules)
	if err != nil {
		return nil, err
	}
	return newGame(rules, start), nil
}

func newGame(rules Rules, start Position) *Game {
	g := &Game{rules: rules, positions: []Position{start}}
	g.outcome = g.judge()
	return g
}

// Rules returns what the game is played by.
func (g *Game) Rules() Rules { return g.rules }

// Start returns the position before the first move.
func (g *Game) Start() Position { return g.positions[0] }

// Position returns the position now.
func (g *Game) Position() Position { return g.positions[len(g.positions)-1] }

// PositionAt returns the position after a number of plies, from 0 to Plies().
func (g *Game) PositionAt(ply int) Position { return g.positions[ply] }

// Plies returns the number of moves made, passes included.
func (g *Game) Plies() int { return len(g.moves) }

// Move returns the move that was made as the given ply, counted from 0.
func (g *Game) Move(ply int) Move { return g.moves[ply] }

// Format returns a ply as Position.Format writes it.
func (g *Game) Format(ply int) string { return g.positions[ply].Format(g.moves[ply]) }

// Outcome returns how the game stands.
func (g *Game) Outcome() Outcome { return g.outcome }

// Moves appends the legal moves to buf, none when the game is over, also by repetition or the ply cap.
func (g *Game) Moves(buf []Move) []Move {
	if g.outcome.Over() {
		return buf
	}
	return g.Position().Moves(buf)
}

// Play makes a move. The error is an *IllegalError, and then nothing has changed.
func (g *Game) Play(m Move) error {
	if g.outcome.Over() {
		return &IllegalError{Move: m.String(), Reason: fmt.Sprintf("the game is over: %s", g.outcome)}
	}
	next, err := g.Position().Play(m)
	if err != nil {
		return err
	}
	g.positions = append(g.positions, next)
	g.moves = append(g.moves, m)
	g.outcome = g.judge()
	return nil
}

// PlayForced plays a forced Pass and reports whether there was one.
func (g *Game) PlayForced() bool {
	return !g.outcome.Over() && g.Position().MustPass() && g.Play(Pass) == nil
}

// Truncate takes back every move after the given number of plies, from 0 to Plies().
func (g *Game) Truncate(plies int) {
	g.positions = g.positions[:plies+1]
	g.moves = g.moves[:plies]
	g.outcome = g.judge()
}

// LastMoveOf returns the last ply, counted from 0, that a side moved a piece by, and whether there is one. It is
// where a takeback by that side leads.
func (g *Game) LastMoveOf(c Color) (ply int, ok bool) {
	for ply := g.Plies() - 1; ply >= 0; ply-- {
		if g.positions[ply].Turn() == c && g.moves[ply] != Pass {
			return ply, true
		}
	}
	return 0, false
}

// Clone returns a copy that shares nothing with the game.
func (g *Game) Clone() *Game {
	c := *g
	c.positions = append([]Position(nil), g.positions...)
	c.moves = append([]Move(nil), g.moves...)
	return &c
}

// Repetitions returns how often the position now has stood on the board with the same side to move, this time
// included (clause 14).
func (g *Game) Repetitions() int {
	now := g.Position()
	pieces := now.Occupied().Count()
	n := 0
	for i := len(g.positions) - 1; i >= 0 && g.positions[i].Occupied().Count() == pieces; i-- {
		if g.positions[i].Same(now) {
			n++
		}
	}
	return n
}

// judge returns the outcome at the last position. What the board decides comes first: a move that wins is a
// win whatever else happens on that ply (clause 15).
func (g *Game) judge() Outcome {
	if o := g.Position().Outcome(); o.Over() {
		return o
	}
	switch g.rules.Repetition {
	case RepetitionDraw3:
		if g.Repetitions() >= 3 {
			return Outcome{NoColor, Repetition}
		}
	case RepetitionDraw2:
		if g.Repetitions() >= 2 {
			return Outcome{NoColor, Repetition}
		}
	}
	if g.rules.Cap > 0 && g.Plies() >= g.rules.Cap {
		return Outcome{NoColor, PlyCap}
	}
	return open
}
