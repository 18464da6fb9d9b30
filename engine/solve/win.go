package solve

import (
	"math/bits"

	"github.com/linesofaction/loa"
)

// mostGroups is the number of groups beyond which no single move connects a side. A square touches at most
// four groups, at its corners, for any two squares around it that are further apart than that touch each other;
// so after the move at most four groups besides the moved piece have become one with it.
const mostGroups = 5

// WinInOne returns a move by which a side to move wins at once by a connection (clauses 8 to 10), or
// NoMoveMade when it has none. It is exact, generates no moves and assumes that nobody is connected.
func WinInOne(p *loa.Position, rules *loa.Rules, board loa.Bitboard) loa.Move {
	return connect(p.Pieces(p.Turn()), p.Pieces(p.Turn().Opponent()), rules, board)
}

// Threat reports whether the opponent of the side to move would win in one if it were its turn.
func Threat(p *loa.Position, rules *loa.Rules, board loa.Bitboard) bool {
	return connect(p.Pieces(p.Turn().Opponent()), p.Pieces(p.Turn()), rules, board) != loa.NoMoveMade
}

// connect returns a move of own by which it wins at once, against enemy.
func connect(own, enemy loa.Bitboard, rules *loa.Rules, board loa.Bitboard) loa.Move {
	if rules.Goal == loa.GoalMisere {
		return connectOther(own, enemy, rules)
	}
	return connectOwn(own, enemy, rules, board)
}

// connectOwn returns a move after which own is one group, and enemy is not unless that too is a win.
//
// Only a square next to every group can join them, or where a lone piece moves to every other one. So the groups are filled
// until no such square is left, and the few squares in the intersection of their surroundings are asked which pieces can land there.
func connectOwn(own, enemy loa.Bitboard, rules *loa.Rules, board loa.Bitboard) loa.Move {
	land := board &^ own
	if rules.Captures == loa.CapturesNo {
		land &^= enemy
	}
	var groups, near [mostGroups]loa.Bitboard
	k := 0
	all, allButOne := land, loa.Bitboard(0) // next to every group, next to all but a lone piece
	lone := own &^ own.Neighbors()
	for rest := own; rest != 0; k++ {
		if k == mostGroups {
			return loa.NoMoveMade
		}
		// Lone pieces come first, for there is nothing to fill, and from both ends in turn, for those far apart say soonest that no square will do.
		group := rest & lone
		if group == 0 {
			group = rest
		}
		if k%2 == 0 {
			group &= -group
		} else {
			group = 1 << (bits.Len64(uint64(group)) - 1)
		}
		if group&lone == 0 {
			group = flood(own, group)
		}
		groups[k], near[k] = group, group.Neighbors()
		rest &^= group
		allButOne &= near[k]
		if group&lone != 0 {
			allButOne |= all
		}
		all &= near[k]
		if all|allButOne == 0 {
			return loa.NoMoveMade
		}
	}
	occupied := own | enemy
	for i := range k {
		if lone&groups[i] == 0 || allButOne == 0 {
			continue
		}
		others := land
		for j := range k {
			if j != i {
				others &= near[j]
			}
		}
		from := groups[i].First()
		w := &board8.ways[from]
		for axis := range w.line {
			n := count(occupied & w.line[axis])
			for d := axis; d < 8; d += 4 {
				if n > int(w.reach[d]) {
					continue
				}
				to := from + loa.Square(n*strides[d])
				if others.Has(to) && board8.between[from][to]&enemy == 0 && onlyMine(enemy, to, rules) {
					return loa.NewMove(from, to)
				}
			}
		}
	}
	movers := own &^ lone
	for all != 0 {
		to := all.Pop()
		w := &board8.ways[to]
		for axis := range w.line {
			n := count(occupied & w.line[axis])
			if n == 0 {
				continue
			}
			for d := axis; d < 8; d += 4 {
				if n > int(w.reach[d]) {
					continue
				}
				from := to + loa.Square(n*strides[d])
				// a piece that comes to an empty square is itself on the line; on a captured piece's square too
				if movers.Has(from) && board8.between[from][to]&enemy == 0 &&
					(own ^ from.Bitboard() | to.Bitboard()).Connected() && onlyMine(enemy, to, rules) {
					return loa.NewMove(from, to)
				}
			}
		}
	}
	return loa.NoMoveMade
}

// onlyMine reports whether a move that connects its own side and lands on a square wins: not when it connects
// the enemy as well and the rules call that a draw.
func onlyMine(enemy loa.Bitboard, to loa.Square, rules *loa.Rules) bool {
	return rules.Both == loa.BothMover || !enemy.Has(to) || !(enemy &^ to.Bitboard()).Connected()
}

// connectOther returns a capture after which enemy is one group and own is not. The captured piece must be one
// of just two groups by itself, for any other capture leaves both.
func connectOther(own, enemy loa.Bitboard, rules *loa.Rules) loa.Move {
	if rules.Captures == loa.CapturesNo {
		return loa.NoMoveMade
	}
	first := flood(enemy, enemy&-enemy)
	second := enemy &^ first
	if flood(enemy, second&-second) != second {
		return loa.NoMoveMade // three groups or more
	}
	occupied := own | enemy
	for _, group := range [...]loa.Bitboard{first, second} {
		if group == 0 || group&(group-1) != 0 {
			continue
		}
		to := group.First()
		w := &board8.ways[to]
		for axis := range w.line {
			n := count(occupied & w.line[axis])
			for d := axis; d < 8; d += 4 {
				if n > int(w.reach[d]) {
					continue
				}
				from := to + loa.Square(n*strides[d])
				if own.Has(from) && board8.between[from][to]&enemy == 0 && !(own ^ from.Bitboard() | to.Bitboard()).Connected() {
					return loa.NewMove(from, to)
				}
			}
		}
	}
	return loa.NoMoveMade
}
