package loa

import (
	"fmt"
	"sync/atomic"
)

// Game is a sequence of moves from a start, by the rules. It knows neither clocks nor people. The zero Game is
// not usable; begin with NewGame or NewGameFrom.
type Game struct {
	rules     Rules
	positions []Position // positions[0] is the start, positions[i] stands after ply i
	moves     []Move
	outcome   Outcome

	// Clones share positions and moves until one of them goes on: whoever raises claimed from the number of plies may
	// write the next ply in place, all others copy first. So following a long game costs no more than a short one.
	claimed *atomic.Int64
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
	g := &Game{rules: rules, positions: []Position{start}, claimed: new(atomic.Int64)}
	g.outcome = g.judge(g.positions[:len(g.positions)-1], g.Position())
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

// After returns what a move leads to, the position and how the game stands there, without making it. The error is an
// *IllegalError.
func (g *Game) After(m Move) (Position, Outcome, error) {
	if g.outcome.Over() {
		return Position{}, Outcome{}, &IllegalError{Move: m.String(), Reason: fmt.Sprintf("the game is over: %s", g.outcome)}
	}
	next, err := g.Position().Play(m)
	if err != nil {
		return next, Outcome{}, err
	}
	return next, g.judge(g.positions, next), nil
}

// Play makes a move. The error is an *IllegalError, and then nothing has changed.
func (g *Game) Play(m Move) error {
	next, outcome, err := g.After(m)
	if err != nil {
		return err
	}
	g.claim()
	g.positions = append(g.positions, next)
	g.moves = append(g.moves, m)
	g.outcome = outcome
	return nil
}

// claim makes sure that the place of the next ply belongs to this game alone.
func (g *Game) claim() {
	plies := int64(len(g.moves))
	if len(g.moves) < cap(g.moves) && len(g.positions) < cap(g.positions) && g.claimed.CompareAndSwap(plies, plies+1) {
		return
	}
	room := 2*len(g.positions) + 16
	g.positions = append(make([]Position, 0, room), g.positions...)
	g.moves = append(make([]Move, 0, room), g.moves...)
	g.claimed = new(atomic.Int64)
	g.claimed.Store(plies + 1)
}

// PlayForced plays a forced Pass and reports whether there was one.
func (g *Game) PlayForced() bool {
	return !g.outcome.Over() && g.Position().MustPass() && g.Play(Pass) == nil
}

// Truncate takes back every move after the given number of plies, from 0 to Plies().
func (g *Game) Truncate(plies int) {
	g.positions = g.positions[:plies+1]
	g.moves = g.moves[:plies]
	g.outcome = g.judge(g.positions[:len(g.positions)-1], g.Position())
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

// Clone returns a copy: what becomes of one does not show in the other. It does not copy the plies.
func (g *Game) Clone() *Game {
	c := *g
	return &c
}

// Repetitions returns how often the position now has stood on the board with the same side to move, this time
// included (clause 14).
func (g *Game) Repetitions() int { return repetitions(g.positions[:len(g.positions)-1], g.Position()) }

// repetitions returns how often a position has stood on the board when it follows others.
func repetitions(before []Position, now Position) int {
	pieces := now.Occupied().Count()
	n := 1
	for i := len(before) - 1; i >= 0 && before[i].Occupied().Count() == pieces; i-- {
		if before[i].Same(now) {
			n++
		}
	}
	return n
}

// judge returns the outcome at a position that follows others. What the board decides comes first: a move that wins
// is a win whatever else happens on that ply (clause 15).
func (g *Game) judge(before []Position, now Position) Outcome {
	if o := now.Outcome(); o.Over() {
		return o
	}
	switch g.rules.Repetition {
	case RepetitionDraw3:
		if repetitions(before, now) >= 3 {
			return Outcome{NoColor, Repetition}
		}
	case RepetitionDraw2:
		if repetitions(before, now) >= 2 {
			return Outcome{NoColor, Repetition}
		}
	}
	if g.rules.Cap > 0 && len(before) >= g.rules.Cap {
		return Outcome{NoColor, PlyCap}
	}
	return open
}
