package loa

// zobrist holds the keys of the position hash. It is filled once and never written again.
type zobrist struct {
	piece [2][64]uint64
	white uint64 // when White is to move
}

var keys = newZobrist()

// newZobrist fills the keys from a fixed seed by SplitMix64 (Steele, Lea and Flood, 2014), so that hashes
// are the same in every build.
func newZobrist() *zobrist {
	state := uint64(0x4c696e65734f6641)
	next := func() uint64 {
		state += 0x9e3779b97f4a7c15
		z := state
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		return z ^ z>>31
	}
	z := new(zobrist)
	for c := range z.piece {
		for s := range z.piece[c] {
			z.piece[c][s] = next()
		}
	}
	z.white = next()
	return z
}

// hashOf returns the hash of an arrangement from scratch.
func hashOf(pieces [2]Bitboard, turn Color) uint64 {
	var h uint64
	for c, b := range pieces {
		for b != 0 {
			h ^= keys.piece[c][b.Pop()]
		}
	}
	if turn == White {
		h ^= keys.white
	}
	return h
}
