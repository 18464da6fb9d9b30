package loa

import "strings"

// Move is a piece going from one square to another, or Pass. Moves compare with ==.
type Move uint16

// NoMoveMade is the zero Move, which is no move; Pass is the move of a side that has none (clause 12).
const (
	NoMoveMade Move = 0
	Pass       Move = 63 | 63<<6
)

// NewMove returns the move from one square to another.
func NewMove(from, to Square) Move { return Move(from) | Move(to)<<6 }

// From returns the square the piece leaves. It means nothing for Pass.
func (m Move) From() Square { return Square(m & 63) }

// To returns the square the piece lands on. It means nothing for Pass.
func (m Move) To() Square { return Square(m >> 6 & 63) }

// String returns the compact form, "c8c6" or "pass". Position.Format writes the form for people.
func (m Move) String() string {
	switch m {
	case Pass:
		return "pass"
	case NoMoveMade:
		return "none"
	}
	return m.From().String() + m.To().String()
}

// Claim is what a written move says of itself: that it captures, that it does not, or neither.
type Claim uint8

// The claims: "c8c6" and "c8 c6" claim nothing, "c8-c6" a quiet move, "c8xc6" and "c8:c6" a capture.
const (
	ClaimNothing Claim = iota
	ClaimQuiet
	ClaimCapture
)

// ParseMove reads one move: "c8-c6", "c8xc6", "c8:c6", "c8×c6", "c8 c6", "c8c6" or "pass", in any letter case,
// with trailing marks (+ # ! ? and repeats, also behind blanks) ignored. Whether it can be played is for a Position to say.
func ParseMove(text string) (Move, Claim, error) {
	bare := strings.TrimRight(strings.TrimSpace(text), "+#!? ")
	if lower(bare) == "pass" {
		return Pass, ClaimNothing, nil
	}
	bad := func() (Move, Claim, error) {
		return NoMoveMade, ClaimNothing, &SyntaxError{What: "move", Text: text, Want: "two squares such as c8-c6 or c8xc6, or pass"}
	}
	if len(bare) < 4 {
		return bad()
	}
	from, errFrom := ParseSquare(bare[:2])
	to, errTo := ParseSquare(bare[len(bare)-2:])
	if errFrom != nil || errTo != nil || from == to {
		return bad()
	}
	switch strings.TrimSpace(bare[2 : len(bare)-2]) {
	case "":
		return NewMove(from, to), ClaimNothing, nil
	case "-", "–":
		return NewMove(from, to), ClaimQuiet, nil
	case "x", "X", ":", "×":
		return NewMove(from, to), ClaimCapture, nil
	}
	return bad()
}

// Holds reports whether a claim agrees with what a move does on a position where it can be played.
func (c Claim) Holds(p Position, m Move) bool {
	return c == ClaimNothing || m == Pass || (c == ClaimCapture) == p.IsCapture(m)
}
