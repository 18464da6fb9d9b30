package solve

import (
	"math/bits"

	"github.com/linesofaction/loa"
)

// key is a position as the table and the proofs know it: the pieces of the side to move and those of the other
// one. The rules know neither colors nor directions, so a position, its seven other images under the symmetries
// of the board and the same eight with the colors changed have one value for the side to move, and one key.
type key struct {
	own, other loa.Bitboard
}

// keyOf returns the key of a position: the least of its images, or the position itself where those that stood
// earlier in the game tell its images apart.
func keyOf(p *loa.Position, images bool) key {
	k := key{p.Pieces(p.Turn()), p.Pieces(p.Turn().Opponent())}
	if !images {
		return k
	}
	size := p.Size()
	least := k
	for i := 1; i < 8; i++ {
		if i == 4 {
			k = key{transpose(k.own), transpose(k.other)}
		} else if i&1 == 1 {
			k = key{flipRanks(k.own, size), flipRanks(k.other, size)}
		} else {
			k = key{flipFiles(k.own, size), flipFiles(k.other, size)}
		}
		if k.own < least.own || k.own == least.own && k.other < least.other {
			least = k
		}
	}
	return least
}

// position returns a position of the key, with the given side to move.
func (k key) position(rules loa.Rules, size int, turn loa.Color) loa.Position {
	board := loa.Board{Size: size, Black: k.own, White: k.other}
	if turn == loa.White {
		board.Black, board.White = board.White, board.Black
	}
	rules.Start, rules.Size = loa.StartCustom, size
	p, err := loa.Setup{Board: board, Turn: turn}.Position(rules)
	if err != nil {
		panic(err) // keys are made of positions
	}
	return p
}

// hash mixes a key into a word.
func (k key) hash() uint64 {
	high, low := bits.Mul64(uint64(k.own)^0x9e3779b97f4a7c15, uint64(k.other)^0xbf58476d1ce4e5b9)
	h := high ^ low ^ uint64(k.own) ^ bits.RotateLeft64(uint64(k.other), 32)
	h = (h ^ h>>32) * 0x94d049bb133111eb
	return h ^ h>>29
}

// flipRanks turns a board upside down.
func flipRanks(b loa.Bitboard, size int) loa.Bitboard {
	return loa.Bitboard(bits.ReverseBytes64(uint64(b)) >> (8 * (8 - size)))
}

// flipFiles changes left and right.
func flipFiles(b loa.Bitboard, size int) loa.Bitboard {
	return loa.Bitboard(bits.ReverseBytes64(bits.Reverse64(uint64(b))) >> (8 - size))
}

// transpose changes files and ranks.
func transpose(b loa.Bitboard) loa.Bitboard {
	t := (b ^ b>>7) & 0x00aa00aa00aa00aa
	b ^= t ^ t<<7
	t = (b ^ b>>14) & 0x0000cccc0000cccc
	b ^= t ^ t<<14
	t = (b ^ b>>28) & 0x00000000f0f0f0f0
	return b ^ t ^ t<<28
}
