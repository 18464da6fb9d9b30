package solve

import "github.com/linesofaction/loa"

// What numbers begin with, found by trying some 300 sets on the positions of testdata/forced_wins.txt and on the
// 5×5 start. How far pieces stand apart was tried as well and made no difference beside the threats.
const (
	pressed = 4   // for a side that threatens to win with its next move
	quiet   = 100 // more for one that does not
)

// estimate guesses the proof and the disproof number of a position in which the side to move does not win at once.
// What counts is a threat of the other side, which leaves few moves; and how many groups a side has yet to join.
func (s *search) estimate(c *child, attacking bool) {
	join, joined := c.pos.Pieces(s.attacker), c.pos.Pieces(s.attacker.Opponent())
	if s.rules.Goal == loa.GoalMisere {
		join, joined = joined, join
	}
	passed := c.pos.PlayUnchecked(loa.Pass)
	threat := winInOne(&passed, &s.rules, s.board) != loa.NoMoveMade
	c.proof = begin(join, threat && !attacking)
	c.disproof = begin(joined, threat && attacking)
}

// begin returns the number for a side that wants some pieces joined.
func begin(b loa.Bitboard, threat bool) uint32 {
	groups := uint32(b.CountGroups())
	if threat {
		return pressed + groups/2
	}
	return pressed + quiet + groups
}
