package loa

import (
	"math/bits"
	"math/rand/v2"
)

// Playout plays random moves, every legal one as likely as any other, until the board decides the game or limit
// plies are made, and returns the outcome and the plies. Repetition and ply cap are ignored. It does not
// allocate.
func (p Position) Playout(rng *rand.Rand, limit int) (Outcome, int) {
	for ply := range limit {
		if o := p.Connection(); o.Over() {
			return o, ply
		}
		m := p.randomMove(rng)
		if m == NoMoveMade {
			if o := p.Outcome(); o.Over() {
				return o, ply
			}
			m = Pass
		}
		p = p.PlayUnchecked(m)
	}
	return p.Outcome(), limit
}

// randomMove returns a random move by a piece, or NoMoveMade when there is none. It guesses a piece and a
// direction until these are a legal move: about every third guess is one, and a guess costs a fraction of the
// list of all moves. The list is made only when guessing fails, so stuck positions are found.
func (p Position) randomMove(rng *rand.Rand) Move {
	own, enemy := p.pieces[p.turn], p.pieces[p.turn^1]
	occupied := own | enemy
	land := p.squares() &^ own
	if p.captures == CapturesNo {
		land &^= enemy
	}
	pieces := uint64(own.Count())
	for range 16 {
		// Two guesses for each random number; the bias is less than one in 2²⁵.
		for random, guess := rng.Uint64(), 0; guess < 2; random, guess = random<<32, guess+1 {
			high, d := bits.Mul64(random, pieces)
			rest := own
			for ; high > 0; high-- {
				rest &= rest - 1
			}
			from := rest.First()
			direction := Direction(d >> 61)
			axis := direction.Axis()
			n := uint8(bits.OnesCount64(uint64(occupied & board8.line[axis][from])))
			if n > board8.reach[direction][from] {
				continue
			}
			step := steps[axis]
			if direction >= 4 {
				step = -step
			}
			to := from + Square(n*step)
			if land.Has(to) && board8.between[from][to]&enemy == 0 {
				return NewMove(from, to)
			}
		}
	}
	var buf [256]Move
	moves := p.MovesUnchecked(buf[:0])
	if len(moves) == 0 {
		return NoMoveMade
	}
	return moves[rng.IntN(len(moves))]
}
