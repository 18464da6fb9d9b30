package loa

// geometry holds the tables of the 8×8 board, which serve smaller boards too: their pieces stand in its
// corner at a1, so a count along the longer line is the same. It is filled once and never written again.
type geometry struct {
	line    [4][64]Bitboard  // by Axis and Square: the whole line through the square
	reach   [8][64]uint8     // by Direction and Square: squares to the edge
	between [64][64]Bitboard // squares strictly between two squares of one line, else empty
	toward  [64][64]uint8    // the direction from one square to another of one line plus one, else 0
}

var board8 = newGeometry()

// strides are the steps in Square of one square in each direction.
var strides = [Directions]int{8, 9, 1, -7, -8, -9, -1, 7}

func newGeometry() *geometry {
	g := new(geometry)
	for from := Square(0); from < NoSquare; from++ {
		for d := Up; d < Directions; d++ {
			df, dr := d.delta()
			var path Bitboard
			file, rank := from.File()+df, from.Rank()+dr
			for ; file >= 0 && file < 8 && rank >= 0 && rank < 8; file, rank = file+df, rank+dr {
				to := SquareAt(file, rank)
				g.reach[d][from]++
				g.between[from][to] = path
				g.toward[from][to] = uint8(d) + 1
				path |= to.Bitboard()
			}
			g.line[d.Axis()][from] |= path | from.Bitboard()
		}
	}
	return g
}

// Line returns the squares of the whole line through a square of the 8×8 board, the square included.
func Line(s Square, axis Axis) Bitboard { return board8.line[axis][s] }

// Between returns the squares strictly between two squares of one line of the 8×8 board; none otherwise.
func Between(a, b Square) Bitboard { return board8.between[a][b] }

// Toward returns the direction from one square to another one on the same line, and whether there is one.
func Toward(from, to Square) (Direction, bool) {
	d := board8.toward[from][to]
	return Direction(d - 1), d != 0
}

// Verdict says what becomes of a piece that moves in a direction.
type Verdict uint8

// The verdicts. Where several hold, the first of OffBoard, Blocked, OwnPiece, NoCapture is given.
const (
	CanMove    Verdict = iota // lands on an empty square
	CanCapture                // lands on an enemy piece
	OffBoard                  // the count leads over the edge
	Blocked                   // an enemy piece stands on the way
	OwnPiece                  // an own piece stands where it would land
	NoCapture                 // an enemy piece stands where it would land, and the rules have no captures
)

// String returns "move", "capture", "off-board", "blocked", "own-piece" or "no-capture".
func (v Verdict) String() string {
	return nameOf([]string{"move", "capture", "off-board", "blocked", "own-piece", "no-capture"}, v)
}

// Legal reports whether the verdict lets the piece go.
func (v Verdict) Legal() bool { return v <= CanCapture }

// Ray says how far a piece goes in one direction, where that leads, and if it may not go there, why.
type Ray struct {
	Direction Direction
	Count     int    // pieces of both sides on the whole line, itself included: the squares it moves (clause 4)
	Land      Square // where that leads; NoSquare when OffBoard
	Verdict   Verdict
	Blocker   Square // the piece that forbids it, the nearest one where several do; else NoSquare
}

// Ray returns what happens when the piece on a square moves in a direction, whoever's turn it is. A square
// without a piece gives a Ray that is OffBoard with Count 0.
func (p Position) Ray(from Square, d Direction) Ray {
	ray := Ray{Direction: d, Land: NoSquare, Verdict: OffBoard, Blocker: NoSquare}
	color, ok := p.At(from)
	if !ok {
		return ray
	}
	own, enemy := p.pieces[color], p.pieces[color^1]
	ray.Count = ((own | enemy) & board8.line[d.Axis()][from]).Count()
	if ray.Count > int(board8.reach[d][from]) {
		return ray
	}
	to := Square(int(from) + ray.Count*strides[d])
	if p.size < 8 && !p.squares().Has(to) {
		return ray
	}
	ray.Land = to
	switch way := board8.between[from][to] & enemy; {
	case way != 0:
		ray.Verdict, ray.Blocker = Blocked, nearest(way, d)
	case own.Has(to):
		ray.Verdict, ray.Blocker = OwnPiece, to
	case enemy.Has(to) && p.captures == CapturesNo:
		ray.Verdict, ray.Blocker = NoCapture, to
	case enemy.Has(to):
		ray.Verdict = CanCapture
	default:
		ray.Verdict = CanMove
	}
	return ray
}

// nearest returns the square of a way that a piece travelling in direction d meets first.
func nearest(way Bitboard, d Direction) Square {
	if d == Up || d == UpRight || d == Right || d == UpLeft {
		return way.First()
	}
	last := way
	for way != 0 {
		last = way
		way &= way - 1
	}
	return last.First()
}
