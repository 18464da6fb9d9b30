package loa

import (
	"errors"
	"fmt"
	"strings"
)

// The three ways in which input can be wrong, for errors.Is: text that cannot be read, a move that cannot be
// played, an arrangement that cannot be a position.
var (
	ErrSyntax  = errors.New("cannot be read")
	ErrIllegal = errors.New("cannot be played")
	ErrSetup   = errors.New("cannot be a position")
)

// SyntaxError is text that cannot be read. It is ErrSyntax.
type SyntaxError struct {
	What string // what was being read: "move", "square", "rules", …
	Text string // the offending text as it stood
	Want string // what was expected in its place
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s %q: expected %s", e.What, e.Text, e.Want)
}

// Is reports whether target is ErrSyntax.
func (e *SyntaxError) Is(target error) bool { return target == ErrSyntax }

// IllegalError is a move that can be read and cannot be played. It is ErrIllegal.
type IllegalError struct {
	Move   string // the move as text
	Reason string // why not, as a clause: "no piece stands on c8"
}

func (e *IllegalError) Error() string {
	return fmt.Sprintf("move %q is not legal: %s", e.Move, e.Reason)
}

// Is reports whether target is ErrIllegal.
func (e *IllegalError) Is(target error) bool { return target == ErrIllegal }

// SetupError is an arrangement that cannot be a position, with every fault it has. It is ErrSetup.
type SetupError struct {
	Text   string // the arrangement as text, as far as it can be written
	Faults []Fault
}

func (e *SetupError) Error() string {
	faults := make([]string, len(e.Faults))
	for i, f := range e.Faults {
		faults[i] = f.Text
	}
	return fmt.Sprintf("position %q: %s", e.Text, strings.Join(faults, "; "))
}

// Is reports whether target is ErrSetup, or ErrSyntax when the text itself was unreadable.
func (e *SetupError) Is(target error) bool {
	if target == ErrSetup {
		return true
	}
	if target == ErrSyntax {
		for _, f := range e.Faults {
			if f.Kind == FaultText {
				return true
			}
		}
	}
	return false
}

func lower(s string) string { return strings.ToLower(s) }
