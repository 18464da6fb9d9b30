package wire

import "strconv"

// Append writes an update as encoding/json would. Updates are most of what sockets carry, and none of their texts
// needs escaping, so writing them by hand takes a small part of the time.
func (u *Update) Append(b []byte) []byte {
	b = appendNumber(b, `{"v":`, int64(u.V))
	b = appendText(b, `,"type":`, u.Type)
	b = appendText(b, `,"match":`, u.Match)
	b = appendNumber(b, `,"seq":`, int64(u.Seq))
	b = appendNumber(b, `,"from":`, int64(u.From))
	b = appendNumber(b, `,"keep":`, int64(u.Keep))
	b = appendPlies(append(b, `,"plies":`...), u.Plies)
	b = u.Position.Append(append(b, `,"position":`...))
	return append(u.State.append(b), '}')
}

func appendPlies(b []byte, plies []Ply) []byte {
	b = append(b, '[')
	for i, ply := range plies {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendText(b, `{"move":`, ply.Move)
		b = appendText(b, `,"board":`, ply.Board)
		b = appendNumber(b, `,"groups":[`, int64(ply.Groups[0]))
		b = appendNumber(b, `,`, int64(ply.Groups[1]))
		b = append(b, `]}`...)
	}
	return append(b, ']')
}

// Append writes a position as encoding/json would.
func (p *Position) Append(b []byte) []byte {
	b = appendText(b, `{"board":`, p.Board)
	b = appendText(b, `,"turn":`, p.Turn)
	b = appendText(b, `,"rays":`, p.Rays)
	b = append(b, `,"moves":`...)
	b = appendNames(b, p.Moves)
	b = append(b, `,"groups":{`...)
	first := true
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
	return append(b, `}}`...)
}

// append writes the fields of a state behind others.
func (s *State) append(b []byte) []byte {
	b = s.Outcome.append(b)
	if s.Clock != nil {
		b = s.Clock.append(b)
	}
	if len(s.Offers) > 0 {
		b = append(b, `,"offers":{`...)
		first := true
		for _, offer := range [...]string{"draw", "rematch", "takeback"} {
			if by, ok := s.Offers[offer]; ok {
				if !first {
					b = append(b, ',')
				}
				first = false
				b = append(b, '"')
				b = append(b, offer...)
				b = appendText(b, `":`, by)
			}
		}
		b = append(b, '}')
	}
	if s.Next != "" {
		b = appendText(b, `,"next":`, s.Next)
	}
	b = appendTruth(b, `,"can":{"move":`, s.Can.Move)
	b = appendTruth(b, `,"takeback":`, s.Can.Takeback)
	b = appendTruth(b, `,"resign":`, s.Can.Resign)
	if s.Can.Abort {
		b = append(b, `,"abort":true`...)
	}
	if s.Can.Draw {
		b = append(b, `,"draw":true`...)
	}
	if s.Can.Rematch {
		b = append(b, `,"rematch":true`...)
	}
	if s.Can.ClaimAfter != 0 {
		b = appendNumber(b, `,"claimAfter":`, s.Can.ClaimAfter)
	}
	return appendTruth(b, `},"thinking":`, s.Thinking)
}

func (o *Outcome) append(b []byte) []byte {
	if o == nil {
		return b
	}
	b = appendText(b, `,"outcome":{"winner":`, o.Winner)
	b = appendText(b, `,"reason":`, o.Reason)
	return append(b, '}')
}

func (c *Clock) append(b []byte) []byte {
	b = appendText(b, `,"clock":{"control":`, c.Control)
	if c.Running != "" {
		b = appendText(b, `,"running":`, c.Running)
	}
	b = c.Black.append(append(b, `,"black":`...))
	b = c.White.append(append(b, `,"white":`...))
	if c.First != 0 {
		b = appendNumber(b, `,"first":`, c.First)
	}
	return append(b, '}')
}

func (f *Face) append(b []byte) []byte {
	b = appendNumber(b, `{"left":`, f.Left)
	if f.Periods != 0 {
		b = appendNumber(b, `,"periods":`, int64(f.Periods))
	}
	if f.Period {
		b = append(b, `,"period":true`...)
	}
	if f.Delay != 0 {
		b = appendNumber(b, `,"delay":`, f.Delay)
	}
	if f.Lag != 0 {
		b = appendNumber(b, `,"lag":`, f.Lag)
	}
	return append(b, '}')
}

// appendText writes a text that needs no escaping behind its name.
func appendText(b []byte, name, text string) []byte {
	b = append(append(b, name...), '"')
	return append(append(b, text...), '"')
}

func appendNumber(b []byte, name string, n int64) []byte {
	return strconv.AppendInt(append(b, name...), n, 10)
}

func appendTruth(b []byte, name string, is bool) []byte {
	return strconv.AppendBool(append(b, name...), is)
}

// appendNames writes a list of squares or moves.
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
