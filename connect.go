package loa

// Connected reports whether the pieces in the set form one group (clause 7). One piece is connected; an empty
// set is not a side and reports false.
func (b Bitboard) Connected() bool {
	if b&(b-1) == 0 {
		return b != 0
	}
	if b&^b.Neighbors() != 0 {
		return false // a piece stands alone, and it is not the only one
	}
	return b.flood(b&-b) == b
}

// flood returns the group of b that holds the seed.
func (b Bitboard) flood(seed Bitboard) Bitboard {
	for {
		grown := (seed | seed.Neighbors()) & b
		if grown == seed {
			return seed
		}
		seed = grown
	}
}

// Groups returns the groups of the set, the largest first, equal ones by their lowest square.
func (b Bitboard) Groups() []Bitboard {
	var groups []Bitboard
	for b != 0 {
		group := b.flood(b & -b)
		b &^= group
		at := len(groups)
		for at > 0 && groups[at-1].Count() < group.Count() {
			at--
		}
		groups = append(groups, 0)
		copy(groups[at+1:], groups[at:])
		groups[at] = group
	}
	return groups
}

// CountGroups returns the number of groups of the set. It does not allocate.
func (b Bitboard) CountGroups() int {
	n := 0
	for ; b != 0; n++ {
		b &^= b.flood(b & -b)
	}
	return n
}
