package loa

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"strings"
)

// FaultKind is what is wrong with a set-up.
type FaultKind uint8

// The faults a set-up can have.
const (
	FaultText     FaultKind = iota // the text cannot be read
	FaultSize                      // not 4 to 8 squares on an edge
	FaultRules                     // the size, or another option, does not fit the rules
	FaultTurn                      // the side to move is neither Black nor White
	FaultOutside                   // a piece stands off the board
	FaultTwice                     // two pieces stand on one square
	FaultNoPieces                  // a side has no piece (clause 11)
)

// Fault is one thing wrong with a set-up.
type Fault struct {
	Kind   FaultKind
	Square Square // where, or NoSquare
	Text   string
}

// Setup is any arrangement with a side to move, possible or not. Position turns it into a Position.
type Setup struct {
	Board
	Turn Color
}

// String returns the ranks from the top and the side to move, "1xxxxxx1/…/1xxxxxx1 b".
func (s Setup) String() string {
	turn := "?"
	if s.Turn <= White {
		turn = "bw"[s.Turn : s.Turn+1]
	}
	return s.Text() + " " + turn
}

// Dialect is a way of writing positions that other programs use and that cannot be told from ours by looking.
type Dialect uint8

// The dialects.
const (
	DialectOwn          Dialect = iota // x Black, o White, "b" or "w" to move
	DialectPlayStrategy                // L the first player, l the second, "w" is the first player's turn
	DialectCutechess                   // l the first player, L the second, "b" is the first player's turn
)

// ParseSetup reads "<ranks> <b|w>". The error is a *SetupError that lists everything that is wrong.
func ParseSetup(text string) (Setup, error) { return ParseSetupDialect(text, DialectOwn) }

// ParseSetupDialect reads a set-up in a dialect. The two foreign ones may have more fields behind the side to
// move, which are ignored.
func ParseSetupDialect(text string, dialect Dialect) (Setup, error) {
	var faults []Fault
	fault := func(format string, args ...any) {
		faults = append(faults, Fault{Kind: FaultText, Square: NoSquare, Text: fmt.Sprintf(format, args...)})
	}
	fields := strings.Fields(text)
	ranks, turn := "", ""
	if len(fields) > 0 {
		ranks = fields[0]
	}
	if len(fields) > 1 {
		turn = fields[1]
	}
	if len(fields) > 2 && dialect == DialectOwn {
		fault("%q after the side to move, expected nothing", strings.Join(fields[2:], " "))
	}
	switch dialect {
	case DialectPlayStrategy:
		ranks = strings.NewReplacer("L", "x", "l", "o").Replace(ranks)
		turn = strings.NewReplacer("w", "b", "b", "w").Replace(turn)
	case DialectCutechess:
		ranks = strings.NewReplacer("l", "x", "L", "o").Replace(ranks)
	}
	board, boardFaults := parseRanks(ranks)
	setup := Setup{Board: board, Turn: NoColor}
	switch turn {
	case "b":
		setup.Turn = Black
	case "w":
		setup.Turn = White
	case "":
		fault("no side to move, expected b or w after the ranks")
	default:
		fault("side to move %q, expected b or w", fields[1])
	}
	faults = append(boardFaults, faults...)
	if len(faults) > 0 {
		return setup, &SetupError{Text: text, Faults: faults}
	}
	return setup, nil
}

// Position validates the set-up under rules. The error is a *SetupError that lists every fault. A side without
// pieces is a fault; any other arrangement, a full board too, is a position, and one in which a side is
// connected is a finished one (clause 11).
func (s Setup) Position(rules Rules) (Position, error) {
	var faults []Fault
	fault := func(kind FaultKind, at Square, format string, args ...any) {
		faults = append(faults, Fault{kind, at, fmt.Sprintf(format, args...)})
	}
	if err := rules.Validate(); err != nil {
		fault(FaultRules, NoSquare, "%v", err)
	}
	if s.Turn > White {
		fault(FaultTurn, NoSquare, "no side to move, expected Black or White")
	}
	if s.Size < MinSize || s.Size > MaxSize {
		fault(FaultSize, NoSquare, "%d squares on an edge, expected 4 to 8", s.Size)
	} else {
		if rules.Size != 0 && s.Size != rules.Size {
			fault(FaultRules, NoSquare, "a board of %d×%d squares, expected %d×%d for the rules %s", s.Size, s.Size, rules.Size, rules.Size, rules)
		}
		for _, at := range ((s.Black | s.White) &^ boardMask(s.Size)).Squares() {
			fault(FaultOutside, at, "a piece on %s, which is not on a board of %d×%d", at, s.Size, s.Size)
		}
	}
	for _, at := range (s.Black & s.White).Squares() {
		fault(FaultTwice, at, "two pieces on %s", at)
	}
	if s.Black == 0 {
		fault(FaultNoPieces, NoSquare, "Black has no pieces")
	}
	if s.White == 0 {
		fault(FaultNoPieces, NoSquare, "White has no pieces")
	}
	if len(faults) > 0 {
		return Position{}, &SetupError{Text: s.String(), Faults: faults}
	}
	p := Position{
		pieces:   [2]Bitboard{s.Black, s.White},
		turn:     s.Turn,
		size:     uint8(s.Size),
		both:     rules.Both,
		noMove:   rules.NoMove,
		captures: rules.Captures,
		goal:     rules.Goal,
	}
	p.hash = hashOf(p.pieces, p.turn)
	return p, nil
}

// ParsePosition reads a set-up and validates it under rules.
func ParsePosition(text string, rules Rules) (Position, error) {
	setup, err := ParseSetup(text)
	if err != nil {
		return Position{}, err
	}
	p, err := setup.Position(rules)
	if e, ok := err.(*SetupError); ok {
		e.Text = text
	}
	return p, err
}

// randomBoard scatters the pieces of the standard start by a PCG generator with the given seed. It tries again
// until neither side is connected and Black has a move, one without a capture, so that the game is never over
// before it begins under any rules. The outcome for a seed is part of the rules and never changes: stored games
// name only the seed.
func randomBoard(size int, seed uint64) Board {
	source := rand.NewPCG(seed, 0x4c4f41)
	squares := boardMask(size).Squares()
	each := 2 * (size - 2)
	for {
		board := Board{Size: size}
		for i := range 2 * each {
			high, _ := bits.Mul64(source.Uint64(), uint64(len(squares)-i))
			j := i + int(high)
			squares[i], squares[j] = squares[j], squares[i]
			board.put(Color(i/each), squares[i])
		}
		p, err := Setup{Board: board, Turn: Black}.Position(Rules{Captures: CapturesNo, NoMove: NoMoveLoss})
		if err == nil && !p.Outcome().Over() {
			return board
		}
	}
}
