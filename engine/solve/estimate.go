package solve

import "github.com/linesofaction/loa"

// What the numbers of a position begin with. The values were found by trying some 400 sets on the positions of
// testdata/forced_wins.txt; those next to them need as few nodes. How far the pieces of a side stand apart was tried as
// well, and made no difference beside the threats.
const (
	easy     = 4  // for what the side to move wants
	hard     = 94 // more for what the other side wants, unless it threatens to win with its next move
	pressing = 3  // for that where it threatens; and then the side to move has to find a parry
)

// estimate guesses the proof and the disproof number of a position in which the side to move does not win at once,
// from the groups a side has yet to join and from whether the other side threatens.
func (s *search) estimate(c *child, attacking bool) {
	own, other := c.pos.Pieces(c.pos.Turn()), c.pos.Pieces(c.pos.Turn().Opponent())
	if s.rules.Goal == loa.GoalMisere {
		own, other = other, own
	}
	mine, theirs := uint32(own.CountGroups()), uint32(other.CountGroups())
	if Threat(&c.pos, &s.rules, s.board) {
		mine, theirs = easy+hard+mine, pressing+theirs/2
	} else {
		mine, theirs = easy+mine, easy+hard+theirs
	}
	if attacking {
		c.proof, c.disproof = mine, theirs
	} else {
		c.proof, c.disproof = theirs, mine
	}
}
