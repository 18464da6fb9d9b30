package loa

import (
	"fmt"
	"math/bits"
)

// Position is a legal set-up under the rules that bear on a single position: captures, both connected, no
// move, goal. It is a small value: copy it freely; playing a move makes a new one and undoes nothing.
// Repetition and ply cap need the whole Game. The zero Position has no board and is good for nothing.
type Position struct {
	pieces   [2]Bitboard
	hash     uint64
	turn     Color
	size     uint8
	both     Both
	noMove   NoMoveRule
	captures Captures
	goal     Goal
}

// Turn returns the side to move.
func (p Position) Turn() Color { return p.turn }

// Size returns the number of squares on an edge.
func (p Position) Size() int { return int(p.size) }

// Pieces returns where the pieces of a side stand.
func (p Position) Pieces(c Color) Bitboard { return p.pieces[c] }

// Occupied returns where any pieces stand.
func (p Position) Occupied() Bitboard { return p.pieces[Black] | p.pieces[White] }

// Hash returns a 64-bit hash of board and side to move, the same in every build.
func (p Position) Hash() uint64 { return p.hash }

// Board returns who stands where.
func (p Position) Board() Board { return Board{p.Size(), p.pieces[Black], p.pieces[White]} }

// Setup returns the position as a set-up.
func (p Position) Setup() Setup { return Setup{p.Board(), p.turn} }

// String returns the board text, "1xxxxxx1/…/1xxxxxx1 b".
func (p Position) String() string { return p.Setup().String() }

// At returns whose piece stands on a square, and whether there is one.
func (p Position) At(s Square) (Color, bool) { return p.Board().At(s) }

// Same reports whether two positions have the same board and the same side to move.
func (p Position) Same(q Position) bool {
	return p.hash == q.hash && p.pieces == q.pieces && p.turn == q.turn && p.size == q.size
}

// squares returns the squares of the board.
func (p Position) squares() Bitboard {
	if p.size == MaxSize {
		return ^Bitboard(0)
	}
	return boardMask(int(p.size))
}

// Groups returns the groups of a side, the largest first (clause 7).
func (p Position) Groups(c Color) []Bitboard { return p.pieces[c].Groups() }

// Outcome judges the position (clauses 8 to 13): connections first, then a side to move without a move. The
// mover is the side that is not to move.
func (p Position) Outcome() Outcome {
	if o := p.Connection(); o.Over() {
		return o
	}
	if p.hasPieceMove(p.turn) {
		return open
	}
	switch {
	case p.noMove == NoMoveLoss:
		return Outcome{p.turn.Opponent(), NoMove}
	case p.noMove == NoMoveDraw || !p.hasPieceMove(p.turn.Opponent()):
		return Outcome{NoColor, NoMove}
	}
	return open
}

// Connection judges the position by its connections alone (clauses 8 to 10).
func (p Position) Connection() Outcome {
	mover := p.turn.Opponent()
	mine, theirs := p.pieces[mover].Connected(), p.pieces[p.turn].Connected()
	winner, reason := NoColor, Connected
	switch {
	case mine && theirs:
		reason = BothConnected
		if p.both == BothMover {
			winner = mover
		}
	case mine:
		winner = mover
	case theirs:
		winner = p.turn
	default:
		return open
	}
	if p.goal == GoalMisere && winner != NoColor {
		winner = winner.Opponent()
	}
	return Outcome{winner, reason}
}

// Moves appends the legal moves to buf: none when the position is over, Pass alone when it is forced.
func (p Position) Moves(buf []Move) []Move {
	if p.Connection().Over() {
		return buf
	}
	start := len(buf)
	buf = p.MovesUnchecked(buf)
	if len(buf) == start && p.mustPass() {
		buf = append(buf, Pass)
	}
	return buf
}

// MustPass reports whether the only move is Pass (clause 12).
func (p Position) MustPass() bool {
	return !p.Connection().Over() && !p.hasPieceMove(p.turn) && p.mustPass()
}

// mustPass completes MustPass for a position without connections and without a move by a piece.
func (p Position) mustPass() bool {
	return p.noMove == NoMovePass && p.hasPieceMove(p.turn.Opponent())
}

// MovesUnchecked appends the moves of the pieces of the side to move without asking whether the game is over
// and without Pass. It is the form for search.
func (p Position) MovesUnchecked(buf []Move) []Move {
	own, enemy := p.pieces[p.turn], p.pieces[p.turn^1]
	occupied := own | enemy
	land := p.squares() &^ own
	if p.captures == CapturesNo {
		land &^= enemy
	}
	for rest := own; rest != 0; {
		from := rest.Pop()
		for axis := range Up + 4 {
			n := uint8(bits.OnesCount64(uint64(occupied & board8.line[axis][from])))
			if n <= board8.reach[axis][from] {
				to := from + Square(n)*Square(steps[axis])
				if land.Has(to) && board8.between[from][to]&enemy == 0 {
					buf = append(buf, NewMove(from, to))
				}
			}
			if n <= board8.reach[axis+4][from] {
				to := from - Square(n)*Square(steps[axis])
				if land.Has(to) && board8.between[from][to]&enemy == 0 {
					buf = append(buf, NewMove(from, to))
				}
			}
		}
	}
	return buf
}

// steps holds the difference of squares of one step up, up-right, right and down-right, modulo 256.
var steps = [4]uint8{8, 9, 1, 256 - 7}

// hasPieceMove reports whether a side has a move by a piece, whoever's turn it is.
func (p Position) hasPieceMove(c Color) bool {
	for rest := p.pieces[c]; rest != 0; {
		from := rest.Pop()
		for d := Up; d < Directions; d++ {
			if p.Ray(from, d).Verdict.Legal() {
				return true
			}
		}
	}
	return false
}

// Reaches reports whether a piece of the side to move stands on the move's first square and may go to its
// second (clauses 3 to 6), without asking whether the game is over.
func (p Position) Reaches(m Move) bool {
	from, to := m.From(), m.To()
	own, enemy := p.pieces[p.turn], p.pieces[p.turn^1]
	if !own.Has(from) || own.Has(to) || !p.squares().Has(to) || p.captures == CapturesNo && enemy.Has(to) {
		return false
	}
	d, ok := Toward(from, to)
	return ok && board8.between[from][to]&enemy == 0 &&
		(board8.between[from][to].Count()+1) == ((own|enemy)&board8.line[d.Axis()][from]).Count()
}

// IsLegal reports whether a move may be played.
func (p Position) IsLegal(m Move) bool {
	if m == Pass {
		return p.MustPass()
	}
	return p.Reaches(m) && !p.Connection().Over()
}

// IsCapture reports whether a move lands on an enemy piece.
func (p Position) IsCapture(m Move) bool { return m != Pass && p.pieces[p.turn^1].Has(m.To()) }

// Check returns nil for a legal move and otherwise an *IllegalError that says why it is not.
func (p Position) Check(m Move) error {
	if p.IsLegal(m) {
		return nil
	}
	return &IllegalError{Move: m.String(), Reason: p.whyNot(m)}
}

func (p Position) whyNot(m Move) string {
	if o := p.Outcome(); o.Over() {
		return fmt.Sprintf("the game is over: %s", o)
	}
	if m == Pass {
		return fmt.Sprintf("%s has a move by a piece", p.turn)
	}
	if p.MustPass() {
		return fmt.Sprintf("no piece of %s can move, only pass", p.turn)
	}
	from, to := m.From(), m.To()
	for _, s := range []Square{from, to} {
		if !p.squares().Has(s) {
			return fmt.Sprintf("%s is not on a board of %d×%d", s, p.size, p.size)
		}
	}
	switch color, ok := p.At(from); {
	case !ok:
		return fmt.Sprintf("no piece stands on %s", from)
	case color != p.turn:
		return fmt.Sprintf("the piece on %s is %s, and it is %s to move", from, color, p.turn)
	}
	d, ok := Toward(from, to)
	if !ok {
		return fmt.Sprintf("%s and %s are not on one rank, file or diagonal", from, to)
	}
	ray := p.Ray(from, d)
	if distance := Between(from, to).Count() + 1; ray.Count != distance {
		return fmt.Sprintf("the line from %s to %s holds %d, so the piece moves exactly %d along it, not %d", from, to, ray.Count, ray.Count, distance)
	}
	switch ray.Verdict {
	case Blocked:
		return fmt.Sprintf("the %s piece on %s stands in the way", p.turn.Opponent(), ray.Blocker)
	case OwnPiece:
		return fmt.Sprintf("a piece of its own side stands on %s", to)
	case NoCapture:
		return fmt.Sprintf("an enemy piece stands on %s, and the rules have no captures", to)
	}
	return "it does not follow the rules"
}

// Play returns the position after a legal move, or the error of Check.
func (p Position) Play(m Move) (Position, error) {
	if err := p.Check(m); err != nil {
		return p, err
	}
	return p.PlayUnchecked(m), nil
}

// PlayUnchecked returns the position after a move that is known to be legal. It is the form for search.
func (p Position) PlayUnchecked(m Move) Position {
	me := p.turn
	p.turn ^= 1
	p.hash ^= keys.white
	if m == Pass {
		return p
	}
	from, to := m.From(), m.To()
	p.pieces[me] ^= from.Bitboard() | to.Bitboard()
	p.hash ^= keys.piece[me][from] ^ keys.piece[me][to]
	if p.pieces[me^1].Has(to) {
		p.pieces[me^1] ^= to.Bitboard()
		p.hash ^= keys.piece[me^1][to]
	}
	return p
}

// Format writes a move for people: "c8-c6", "c8xc6" for a capture, "pass".
func (p Position) Format(m Move) string {
	if m == Pass || m == NoMoveMade {
		return m.String()
	}
	if p.IsCapture(m) {
		return m.From().String() + "x" + m.To().String()
	}
	return m.From().String() + "-" + m.To().String()
}
