package loa_test

import (
	"math/bits"
	"slices"

	"github.com/linesofaction/loa"
)

// plain is the rules once more, written plainly and apart from the package: piece by piece, a population count of
// the line and a walk along it (clauses 3 to 8, 12 and 13). It is the oracle of the tests, and, counting the last
// ply without playing it, the rival in the benchmarks. It shares the numbering of squares and nothing else.
type plain struct {
	pieces [2]uint64 // by loa.Color
	turn   loa.Color
	size   int
	rules  loa.Rules
}

// plainWays are the steps in file and rank along the four lines, and plainMasks those lines through each square.
var (
	plainWays  = [4][2]int{{0, 1}, {1, 1}, {1, 0}, {1, -1}}
	plainMasks = func() (masks [4][64]uint64) {
		for axis, way := range plainWays {
			for s := range 64 {
				for n := -7; n <= 7; n++ {
					if file, rank := s%8+n*way[0], s/8+n*way[1]; file >= 0 && file < 8 && rank >= 0 && rank < 8 {
						masks[axis][s] |= 1 << (8*rank + file)
					}
				}
			}
		}
		return masks
	}()
)

func plainOf(p loa.Position, rules loa.Rules) plain {
	return plain{
		pieces: [2]uint64{uint64(p.Pieces(loa.Black)), uint64(p.Pieces(loa.White))},
		turn:   p.Turn(), size: p.Size(), rules: rules,
	}
}

// pieceMoves appends the moves of the pieces of a side, whoever's turn it is.
func (p *plain) pieceMoves(moves []loa.Move, side loa.Color) []loa.Move {
	own, enemy := p.pieces[side], p.pieces[1-side]
	for rest := own; rest != 0; rest &= rest - 1 {
		from := bits.TrailingZeros64(rest)
		for axis, way := range plainWays {
			count := bits.OnesCount64((own | enemy) & plainMasks[axis][from])
			for sense := -1; sense <= 1; sense += 2 {
				if to, ok := p.walk(from, sense*way[0], sense*way[1], count, own, enemy); ok {
					moves = append(moves, loa.NewMove(loa.Square(from), loa.Square(to)))
				}
			}
		}
	}
	return moves
}

// walk goes count squares along a line and reports whether the piece may land there.
func (p *plain) walk(from, df, dr, count int, own, enemy uint64) (int, bool) {
	file, rank := from&7+count*df, from>>3+count*dr
	if file < 0 || file >= p.size || rank < 0 || rank >= p.size {
		return 0, false
	}
	to := 8*rank + file
	if own>>to&1 != 0 || p.rules.Captures == loa.CapturesNo && enemy>>to&1 != 0 {
		return 0, false
	}
	step := 8*dr + df
	for at := from + step; at != to; at += step {
		if enemy>>at&1 != 0 {
			return 0, false
		}
	}
	return to, true
}

// moves returns the legal moves in ascending order.
func (p *plain) moves() []loa.Move {
	if p.connected(loa.Black) || p.connected(loa.White) {
		return nil
	}
	moves := p.pieceMoves(nil, p.turn)
	if len(moves) == 0 && p.mayPass() {
		moves = []loa.Move{loa.Pass}
	}
	slices.Sort(moves)
	return moves
}

// mayPass reports whether a side without a move passes.
func (p *plain) mayPass() bool {
	return p.rules.NoMove == loa.NoMovePass && len(p.pieceMoves(nil, 1-p.turn)) > 0
}

// play returns the position after a move.
func (p plain) play(m loa.Move) plain {
	if m != loa.Pass {
		p.pieces[p.turn] ^= 1<<m.From() | 1<<m.To()
		p.pieces[1-p.turn] &^= 1 << m.To()
	}
	p.turn = 1 - p.turn
	return p
}

// connected visits every piece that the first one reaches over neighbors.
func (p *plain) connected(side loa.Color) bool {
	all := p.pieces[side]
	reached := all & -all
	for {
		const notA, notH = 0xfefefefefefefefe, 0x7f7f7f7f7f7f7f7f
		row := reached | reached<<1&notA | reached>>1&notH
		grown := (row | row<<8 | row>>8) & all
		if grown == reached {
			return reached == all
		}
		reached = grown
	}
}

// perft counts paths like loa.Position.Perft.
func (p plain) perft(depth int) uint64 {
	if depth == 0 {
		return 1
	}
	if p.connected(loa.Black) || p.connected(loa.White) {
		return 0
	}
	var buf [128]loa.Move
	moves := p.pieceMoves(buf[:0], p.turn)
	if len(moves) == 0 && p.mayPass() {
		moves = append(moves, loa.Pass)
	}
	if depth == 1 {
		return uint64(len(moves))
	}
	var nodes uint64
	for _, m := range moves {
		nodes += p.play(m).perft(depth - 1)
	}
	return nodes
}
