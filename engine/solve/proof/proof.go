// Package proof holds proofs of what a position is worth: how they are written down, and a verifier that knows the
// rules and nothing of how they are found.
//
// A file begins with lines of text, each a word and what it says, up to an empty line:
//
//	loa proof 1
//	rules standard
//	position 1xx1/o2o/o2o/1xx1 b
//	moves b1b3 a3c3
//	images 8
//	win black 1234
//
// The position proved is the one after the moves. Then come the records of the claims and 32 bytes, the SHA-256 of
// everything before them. "win black 1234" claims that Black forces a win and announces 1234 records; a draw is
// two claims, "hold black N" and "hold white M": neither side can be made to lose.
//
// A record is 20 bytes, numbers with the most significant byte first: where the pieces of the claiming side stand,
// which is to move (8 bytes, bit n for square n, 8*rank + file), where the others stand (8), its move (2, from +
// 64*to, 4095 for a pass), and within how many plies it wins (2; in a claim to hold, for how many plies it does, 0
// where it always does). The records of a claim
// ascend by the first 16 bytes. With "images 8" a record stands for the eight images of its position under the
// symmetries of the board and is written as the least of them; with "images 1", which games need whose earlier
// positions would be drawn when repeated, it stands for itself.
//
// What makes the records a proof is said at Verify.
package proof

import (
	"encoding/binary"

	"github.com/linesofaction/loa"
)

// Record is a position with the claiming side to move, and what that side does.
type Record struct {
	Own, Other loa.Bitboard
	Move       loa.Move
	Plies      uint16 // within which it wins; for which it holds, 0 where it always does
}

// Claim is what a side can force: a win, or else not to lose.
type Claim struct {
	Side    loa.Color
	Wins    bool
	Records []Record // ascending by Own and Other
}

// Proof is a proof in memory.
type Proof struct {
	Rules    loa.Rules
	Position loa.Setup
	Moves    []loa.Move
	Images   bool // whether a record stands for all images of its position
	Claims   []Claim
}

const (
	recordSize = 20
	magic      = "loa proof 1"
)

// Less reports whether a record stands before another one.
func (r Record) Less(other Record) bool {
	return r.Own < other.Own || r.Own == other.Own && r.Other < other.Other
}

func (r Record) encode(b []byte) {
	binary.BigEndian.PutUint64(b, uint64(r.Own))
	binary.BigEndian.PutUint64(b[8:], uint64(r.Other))
	binary.BigEndian.PutUint16(b[16:], uint16(r.Move))
	binary.BigEndian.PutUint16(b[18:], r.Plies)
}

func decode(b []byte) Record {
	return Record{
		Own:   loa.Bitboard(binary.BigEndian.Uint64(b)),
		Other: loa.Bitboard(binary.BigEndian.Uint64(b[8:])),
		Move:  loa.Move(binary.BigEndian.Uint16(b[16:])),
		Plies: binary.BigEndian.Uint16(b[18:]),
	}
}

func (c Claim) word() string {
	if c.Wins {
		return "win"
	}
	return "hold"
}

// images returns the images of a board under the eight symmetries, square by square.
func images(b loa.Bitboard, size int) (all [8]loa.Bitboard) {
	for rest := b; rest != 0; {
		s := rest.Pop()
		f, r := s.File(), s.Rank()
		g, t := size-1-f, size-1-r
		for i, to := range [8][2]int{{f, r}, {f, t}, {g, r}, {g, t}, {r, f}, {r, g}, {t, f}, {t, g}} {
			all[i] |= loa.SquareAt(to[0], to[1]).Bitboard()
		}
	}
	return all
}
