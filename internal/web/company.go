package web

import (
	"context"
	"encoding/json"
	"maps"
	"time"

	"github.com/linesofaction/loa/internal/match"
)

// Company is how the processes of one club tell each other who is connected to them.
type Company interface {
	// Tell tells every other process something; it may get lost.
	Tell(body []byte)
	// Told calls hear, which must not block, with what other processes tell.
	Told(hear func(body []byte))
	// Up reports whether others can be heard now.
	Up() bool
}

const (
	tellEvery   = 300 * time.Millisecond // what has changed
	beatEvery   = 2 * time.Second        // a sign of life, also where nothing has
	tellAll     = 15 * time.Second       // everything, since messages may get lost
	silentAfter = 3 * beatEvery          // and then a process counts as gone
)

// crowd is who is connected to a match at one process.
type crowd struct {
	Present [3]int   `json:"p"` // by color
	Gone    [2]int64 `json:"g"` // when a side's last socket closed, in milliseconds since 1970; 0 when it is here or never came
}

// roster is what a process tells the others: who is connected to it, and how often what is limited was done.
type roster struct {
	Process string             `json:"from"`
	All     bool               `json:"all,omitempty"` // what is not told is no more
	Bye     bool               `json:"bye,omitempty"` // it ends
	Ask     bool               `json:"ask,omitempty"` // the others should tell all
	People  map[string]bool    `json:"people,omitempty"`
	Matches map[match.ID]crowd `json:"matches,omitempty"`
	Usage   map[string]usage   `json:"usage,omitempty"` // of quotas, by their names
}

// other is another process, as it told.
type other struct {
	heard   time.Time
	people  map[string]bool
	matches map[match.ID]crowd
}

// accompany tells other processes who is connected here, and listens to them, until ctx is done.
func (s *Server) accompany(ctx context.Context, me string) {
	p := &s.presence
	tell := func(c roster) {
		c.Process = me
		if body, err := json.Marshal(c); err == nil {
			s.Company.Tell(body)
		}
	}
	s.Company.Told(func(body []byte) {
		var c roster
		if json.Unmarshal(body, &c) != nil || c.Process == me {
			return // of a program that speaks otherwise
		}
		s.quotas.hear(c.Usage, s.Now())
		if p.hear(c, s.Now()) {
			tell(roster{Ask: true})
		}
	})
	tell(roster{Ask: true})
	ticker := time.NewTicker(tellEvery)
	defer ticker.Stop()
	var told, toldAll time.Time
	silent := s.Now() // since when others could be heard
	for {
		select {
		case <-ctx.Done():
			tell(roster{Bye: true, Usage: s.quotas.changes(false, s.Now())})
			return
		case <-ticker.C:
		}
		now := s.Now()
		if !s.Company.Up() {
			silent = now
		}
		p.miss(now, silent)
		c := p.changes(now.Sub(toldAll) >= tellAll)
		c.Usage = s.quotas.changes(c.All, now)
		if c.All {
			toldAll = now
		}
		if c.All || len(c.People)+len(c.Matches)+len(c.Usage) > 0 || now.Sub(told) >= beatEvery {
			told = now
			tell(c)
		}
	}
}

// changes returns what is to be told: what has changed, or all if that was asked for or is time.
func (p *presence) changes(all bool) roster {
	p.mu.Lock()
	defer p.mu.Unlock()
	c := roster{All: all || p.asked, People: map[string]bool{}, Matches: map[match.ID]crowd{}}
	if c.All {
		for person := range p.people {
			c.People[person] = true
		}
		for id, a := range p.matches {
			c.Matches[id] = a.crowd()
		}
	} else {
		for person := range p.peopleChanged {
			c.People[person] = p.people[person] > 0
		}
		for id := range p.matchesChanged {
			c.Matches[id] = crowd{}
			if a := p.matches[id]; a != nil {
				c.Matches[id] = a.crowd()
			}
		}
	}
	p.asked = false
	clear(p.peopleChanged)
	clear(p.matchesChanged)
	return c
}

func (a *attendance) crowd() crowd {
	c := crowd{Present: a.present}
	for side, at := range a.gone {
		if !at.IsZero() {
			c.Gone[side] = at.UnixMilli()
		}
	}
	return c
}

// hear takes in what another process told. It reports true when that one should tell all, since it is not known.
func (p *presence) hear(c roster, now time.Time) (unknown bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.make()
	o := p.others[c.Process]
	switch {
	case c.Bye:
		p.drop(c.Process, now)
		return false
	case c.Ask:
		p.asked = true
		return false
	case o == nil && !c.All:
		return true
	case o == nil:
		o = &other{people: map[string]bool{}, matches: map[match.ID]crowd{}}
		p.others[c.Process] = o
	}
	o.heard = now
	people, matches := c.People, c.Matches
	if c.All {
		people, matches = map[string]bool{}, map[match.ID]crowd{}
		for person := range o.people {
			people[person] = false
		}
		for id := range o.matches {
			matches[id] = crowd{}
		}
		maps.Copy(people, c.People)
		maps.Copy(matches, c.Matches)
	}
	for person, here := range people {
		switch {
		case here && !o.people[person]:
			o.people[person] = true
			p.everyone[person]++
		case !here && o.people[person]:
			delete(o.people, person)
			p.vanish(person)
		}
	}
	for id, after := range matches {
		before := o.matches[id]
		if after == (crowd{}) {
			delete(o.matches, id)
		} else {
			o.matches[id] = after
		}
		if a := p.matches[id]; a != nil && after != before {
			a.announce()
		}
	}
	return false
}

// miss drops the processes that were not heard for long, though they could have been since an instant.
func (p *presence) miss(now, since time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for process, o := range p.others {
		heard := o.heard
		if heard.Before(since) {
			heard = since
		}
		if now.Sub(heard) > silentAfter {
			p.drop(process, o.heard)
		}
	}
}

// drop forgets a process. Whoever was connected to it alone has been gone since. The caller holds p.mu.
func (p *presence) drop(process string, since time.Time) {
	o := p.others[process]
	if o == nil {
		return
	}
	delete(p.others, process)
	for person := range o.people {
		p.vanish(person)
	}
	for id, c := range o.matches {
		a := p.matches[id]
		if a == nil {
			continue
		}
		for side := range a.gone {
			last := time.UnixMilli(c.Gone[side])
			if c.Present[side] > 0 {
				last = since
			}
			if a.present[side] == 0 && c != (crowd{}) && last.After(a.gone[side]) && last.UnixMilli() != 0 {
				a.gone[side] = last
			}
		}
		a.announce()
	}
}

// vanish counts a person out of one process. The caller holds p.mu.
func (p *presence) vanish(person string) {
	if p.everyone[person]--; p.everyone[person] <= 0 {
		delete(p.everyone, person)
	}
}

// present counts the sockets on a match by color, over all processes. The caller holds p.mu.
func (p *presence) present(id match.ID) [3]int {
	var sum [3]int
	if a := p.matches[id]; a != nil {
		sum = a.present
	}
	for _, o := range p.others {
		for color, n := range o.matches[id].Present {
			sum[color] += n
		}
	}
	return sum
}

// goneSince returns when a side's last socket closed at any process, zero for one that never came. The caller holds
// p.mu.
func (p *presence) goneSince(id match.ID, side int) time.Time {
	var last time.Time
	if a := p.matches[id]; a != nil {
		last = a.gone[side]
	}
	for _, o := range p.others {
		if at := o.matches[id].Gone[side]; at != 0 && time.UnixMilli(at).After(last) {
			last = time.UnixMilli(at)
		}
	}
	return last
}
