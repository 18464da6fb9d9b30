package sgf

import (
	"errors"
	"fmt"

	"github.com/linesofaction/loa"
)

// ErrDisagrees is, for errors.Is, a record that says of itself what its moves do not bear out: another result,
// another final position, another number of plies.
var ErrDisagrees = errors.New("disagrees with its moves")

// Error is a record that cannot be used. It wraps the reason, which is loa.ErrSyntax, loa.ErrIllegal,
// loa.ErrSetup or ErrDisagrees.
type Error struct {
	Game int // number of the game in its file from 1; 0 when the file as a whole is meant
	Ply  int // number of the ply from 1; 0 when no move is meant
	Err  error
}

func (e *Error) Error() string { return place(e.Game, e.Ply) + e.Err.Error() }

// Unwrap returns the reason.
func (e *Error) Unwrap() error { return e.Err }

// Warning is something in a record that was not quite right and was taken in its one sensible meaning.
type Warning struct {
	Game, Ply int    // as in Error
	Text      string // the text it is about; empty when nothing in particular is
	What      string // what was wrong with it, and what was made of it
}

// String returns the place, the text and what was made of it, on one line.
func (w Warning) String() string {
	if w.Text == "" {
		return place(w.Game, w.Ply) + w.What
	}
	return fmt.Sprintf("%s%q: %s", place(w.Game, w.Ply), w.Text, w.What)
}

func place(game, ply int) string {
	switch {
	case game == 0 && ply == 0:
		return ""
	case game == 0:
		return fmt.Sprintf("ply %d: ", ply)
	case ply == 0:
		return fmt.Sprintf("game %d: ", game)
	}
	return fmt.Sprintf("game %d, ply %d: ", game, ply)
}

// refusal is a warning that strict reading made an error. It is loa.ErrSyntax.
type refusal struct{ Warning }

func (e refusal) Error() string        { return e.String() }
func (e refusal) Is(target error) bool { return target == loa.ErrSyntax }

// notes collects the warnings of one file.
type notes struct {
	strict   bool
	warnings []Warning
}

// warn notes a warning, or returns it as the error it is in strict reading.
func (n *notes) warn(game, ply int, text, format string, args ...any) error {
	w := Warning{game, ply, clip(text), fmt.Sprintf(format, args...)}
	if n.strict {
		w.Game, w.Ply = 0, 0
		return &Error{game, ply, refusal{w}}
	}
	n.warnings = append(n.warnings, w)
	return nil
}

// unreadable returns a game that cannot be read.
func unreadable(game int, what, text, want string) error {
	return &Error{Game: game, Err: &loa.SyntaxError{What: what, Text: clip(text), Want: want}}
}

// disagrees returns a game that says of itself what is not so.
func disagrees(game int, format string, args ...any) error {
	return &Error{Game: game, Err: disagreement(fmt.Sprintf(format, args...))}
}

type disagreement string

func (e disagreement) Error() string        { return string(e) }
func (e disagreement) Is(target error) bool { return target == ErrDisagrees }
