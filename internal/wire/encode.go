package wire

import "strconv"

// MarshalJSON writes a position by hand. Positions are most of what sockets carry, and reflection over their rays
// cost more than all the rest of a move.
func (p Position) MarshalJSON() ([]byte, error) {
	if p.JSON != nil {
		return p.JSON, nil
	}
	b := make([]byte, 0, 8192)
	b = append(b, `{"board":"`...)
	b = append(b, p.Board...)
	b = append(b, `","turn":"`...)
	b = append(b, p.Turn...)
	b = append(b, `","rays":{`...)
	first := true
	for square, rays := range p.Rays {
		if !first {
			b = append(b, ',')
		}
		first = false
		b = append(b, '"')
		b = append(b, square...)
		b = append(b, `":[`...)
		for i, ray := range rays {
			if i > 0 {
				b = append(b, ',')
			}
			b = ray.append(b)
		}
		b = append(b, ']')
	}
	b = append(b, `},"moves":`...)
	b = appendNames(b, p.Moves)
	b = append(b, `,"groups":{`...)
	first = true
	for _, side := range [...]string{"black", "white"} {
		groups, ok := p.Groups[side]
		if !ok {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		b = append(b, '"')
		b = append(b, side...)
		b = append(b, `":[`...)
		for i, group := range groups {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendNames(b, group)
		}
		b = append(b, ']')
	}
	return append(b, `}}`...), nil
}

// Written returns the position with its JSON written once, for all who get it.
func (p Position) Written() Position {
	p.JSON, _ = p.MarshalJSON() // it has no way to fail
	return p
}

func (r Ray) append(b []byte) []byte {
	b = append(b, `{"n":`...)
	b = strconv.AppendInt(b, int64(r.Count), 10)
	if r.Land != "" {
		b = append(b, `,"to":"`...)
		b = append(b, r.Land...)
		b = append(b, '"')
	}
	b = append(b, `,"v":"`...)
	b = append(b, r.Verdict...)
	b = append(b, '"')
	if r.Blocker != "" {
		b = append(b, `,"by":"`...)
		b = append(b, r.Blocker...)
		b = append(b, '"')
	}
	return append(b, '}')
}

// appendNames writes a list of squares or moves, which need no escaping.
func appendNames(b []byte, names []string) []byte {
	b = append(b, '[')
	for i, name := range names {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, '"')
		b = append(b, name...)
		b = append(b, '"')
	}
	return append(b, ']')
}
