package loa

// Square is a square of the board, rank by rank from a1: 8*rank + file, whatever the size of the board, so
// that a name keeps its number on every board. Smaller boards use the corner at a1.
type Square uint8

// NoSquare is no square at all.
const NoSquare Square = 64

// SquareAt returns the square on a file and a rank, both counted from 0.
func SquareAt(file, rank int) Square { return Square(rank<<3 | file) }

// File returns the file counted from 0, which is a.
func (s Square) File() int { return int(s & 7) }

// Rank returns the rank counted from 0, which is 1.
func (s Square) Rank() int { return int(s >> 3) }

// Bitboard returns the set of this one square.
func (s Square) Bitboard() Bitboard { return 1 << s }

// String returns the name, file letter and rank number, or "-" for NoSquare.
func (s Square) String() string {
	if s >= NoSquare {
		return "-"
	}
	return string([]byte{'a' + byte(s&7), '1' + byte(s>>3)})
}

// ParseSquare reads a name such as "c8" in either letter case.
func ParseSquare(text string) (Square, error) {
	if len(text) == 2 {
		file, rank := text[0]|0x20, text[1]
		if file >= 'a' && file <= 'h' && rank >= '1' && rank <= '8' {
			return SquareAt(int(file-'a'), int(rank-'1')), nil
		}
	}
	return NoSquare, &SyntaxError{What: "square", Text: text, Want: "a file a to h and a rank 1 to 8, such as c6"}
}

// Direction is one of the eight ways along the four lines of a square, clockwise from up the board.
type Direction uint8

// The directions. Direction%4 is the axis: file, rising diagonal, rank, falling diagonal.
const (
	Up Direction = iota
	UpRight
	Right
	DownRight
	Down
	DownLeft
	Left
	UpLeft
)

// Directions is the number of directions.
const Directions = 8

// Axis is the direction of a line without a sense of travel.
type Axis uint8

// The axes, in the order of Direction%4.
const (
	FileAxis    Axis = iota // up and down
	RisingAxis              // up-right and down-left, as a1-h8
	RankAxis                // left and right
	FallingAxis             // down-right and up-left, as a8-h1
)

// Axis returns the axis a direction runs along.
func (d Direction) Axis() Axis { return Axis(d & 3) }

// String returns "up", "up-right" and so on.
func (d Direction) String() string {
	return [...]string{"up", "up-right", "right", "down-right", "down", "down-left", "left", "up-left"}[d&7]
}

// delta returns the steps in file and rank of one square in a direction.
func (d Direction) delta() (file, rank int) {
	return [...]int{0, 1, 1, 1, 0, -1, -1, -1}[d], [...]int{1, 1, 0, -1, -1, -1, 0, 1}[d]
}
