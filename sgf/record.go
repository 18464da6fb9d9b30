package sgf

import (
	"fmt"

	"github.com/linesofaction/loa"
)

// Record is one game as it was written down, with everything said about it.
type Record struct {
	Rules   loa.Rules
	Start   loa.Setup // where the first move is made from, also when the rules name it
	Players [2]string // names by loa.Color, empty when unknown
	Result  Result
	Root    Node // no move: what is said of the whole game, and in Next the first moves
}

// Node is a move with what is said of it and the moves that follow.
type Node struct {
	Move    loa.Move
	Comment string

	// Props holds everything else that SGF can say, by its property names: at the root EV is the event, DT the
	// date, PC the place; at a move BL is the time Black has left, TR a marked square. It is nil when empty.
	Props map[string][]string

	Next []*Node // what was played first, then the variations
}

// Main returns the moves that were played, passes included.
func (r *Record) Main() []loa.Move {
	var moves []loa.Move
	for at := &r.Root; len(at.Next) > 0; {
		at = at.Next[0]
		moves = append(moves, at.Move)
	}
	return moves
}

// Game replays the moves that were played by the rules. The error is an *Error that names the ply; a record
// that Parse returned has none.
func (r *Record) Game() (*loa.Game, error) {
	g, err := loa.NewGameFrom(r.Rules, r.Start)
	if err != nil {
		return nil, err
	}
	for ply, m := range r.Main() {
		if err := g.Play(m); err != nil {
			return nil, &Error{Ply: ply + 1, Err: err}
		}
	}
	return g, nil
}

// Outcome returns how the game ended: by the board when it decided, else as the record says. Over is false
// for a game that was not finished, and for one whose record names the winner without a reason.
func (r *Record) Outcome() (loa.Outcome, error) {
	g, err := r.Game()
	if err != nil {
		return loa.Outcome{}, err
	}
	if o := g.Outcome(); o.Over() || r.Result.Standing != Decided {
		return o, nil
	}
	return loa.Outcome{Winner: r.Result.Winner, Reason: r.Result.Reason}, nil
}

// startOf returns the arrangement that rules begin with.
func startOf(rules loa.Rules) (loa.Setup, error) {
	p, err := rules.StartPosition()
	if err != nil {
		return loa.Setup{}, err
	}
	return p.Setup(), nil
}

// nameStart finds the named start that a stated arrangement is, and makes the rules say so; any other
// arrangement makes them say custom.
func nameStart(rules loa.Rules, setup loa.Setup) loa.Rules {
	candidates := []loa.Start{rules.Start, loa.StartStandard, loa.StartScrambled, loa.StartScrambledB, loa.StartSix}
	for _, start := range candidates {
		named := rules
		named.Start = start
		if named.Size == 0 && setup.Size != loa.MaxSize {
			named.Size = setup.Size
		}
		if is, err := startOf(named); err == nil && is == setup {
			return named
		}
	}
	rules.Start = loa.StartCustom
	return rules
}

// clip shortens text for an error message.
func clip(text string) string {
	const most = 80
	if len(text) <= most {
		return text
	}
	return fmt.Sprintf("%.*s…", most, text)
}
