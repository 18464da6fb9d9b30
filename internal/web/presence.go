package web

import (
	"sync"
	"time"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/match"
	"github.com/linesofaction/loa/internal/wire"
)

// presence counts who has a page open: for each match its players and onlookers, and people over all, here and at the
// other processes of the club. Its zero value is ready.
type presence struct {
	mu       sync.Mutex
	matches  map[match.ID]*attendance
	people   map[string]int // open sockets by person, here
	everyone map[string]int // processes by person who is connected to them
	swept    time.Time
	began    time.Time // when this process did; zero for one that is not asked how long somebody is away

	others         map[string]*other // by process
	asked          bool              // to tell all
	peopleChanged  map[string]bool   // since that was told
	matchesChanged map[match.ID]bool
	alone          bool // nobody is told
}

// make makes the maps. The caller holds p.mu.
func (p *presence) make() {
	if p.matches == nil {
		p.matches, p.people, p.everyone = map[match.ID]*attendance{}, map[string]int{}, map[string]int{}
		p.others, p.peopleChanged, p.matchesChanged = map[string]*other{}, map[string]bool{}, map[match.ID]bool{}
	}
}

// changed notes that the attendance of a match is to be told. The caller holds p.mu.
func (p *presence) changed(id match.ID) {
	if !p.alone {
		p.matchesChanged[id] = true
	}
}

// attendance is who is connected to one match.
type attendance struct {
	present [3]int       // by color; NoColor are onlookers
	gone    [2]time.Time // when a side's last socket closed; zero when it is here or never came
	tell    map[int]func()
	next    int
	small   int // sockets of small boards
	cast    broadcast
}

// join counts a socket in and calls tell, which must not block, whenever the attendance changes, until leave. It
// returns what all sockets of the match share.
func (p *presence) join(id match.ID, you loa.Color, person string, tell func(), now func() time.Time) (shared *broadcast, leave func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	a := p.attendance(id, now())
	a.next++
	n := a.next
	a.tell[n] = tell
	a.present[you]++
	if you <= loa.White {
		a.gone[you] = time.Time{}
	}
	p.come(person)
	p.changed(id)
	a.announce()
	return &a.cast, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.changed(id)
		delete(a.tell, n)
		if a.present[you]--; a.present[you] == 0 && you <= loa.White {
			a.gone[you] = now()
		}
		p.release(id, a)
		p.goAway(person)
		a.announce()
	}
}

// look counts a socket of a small board in, of which nobody is told, until leave. It returns what all sockets of the
// match share.
func (p *presence) look(id match.ID, person string, now func() time.Time) (shared *broadcast, leave func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	a := p.attendance(id, now())
	a.small++
	p.come(person)
	return &a.cast, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		a.small--
		p.release(id, a)
		p.goAway(person)
	}
}

// attendance returns that of a match, which it makes when nobody is there yet. The caller holds p.mu.
func (p *presence) attendance(id match.ID, now time.Time) *attendance {
	p.make()
	p.sweep(now)
	a := p.matches[id]
	if a == nil {
		a = &attendance{tell: map[int]func(){}}
		p.matches[id] = a
	}
	return a
}

// release forgets a match that nobody is connected to and no player has left. The caller holds p.mu.
func (p *presence) release(id match.ID, a *attendance) {
	if a.empty() && a.gone[loa.Black].IsZero() && a.gone[loa.White].IsZero() {
		delete(p.matches, id)
	}
}

// empty reports whether no socket is open on the match.
func (a *attendance) empty() bool { return len(a.tell) == 0 && a.small == 0 }

func (a *attendance) announce() {
	for _, tell := range a.tell {
		tell()
	}
}

// visit counts a socket of a person that belongs to no match, until leave.
func (p *presence) visit(person string) (leave func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.make()
	p.come(person)
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.goAway(person)
	}
}

func (p *presence) come(person string) {
	if person == "" {
		return
	}
	if p.people[person]++; p.people[person] == 1 {
		p.everyone[person]++
		if !p.alone {
			p.peopleChanged[person] = true
		}
	}
}

func (p *presence) goAway(person string) {
	if person == "" {
		return
	}
	if p.people[person]--; p.people[person] <= 0 {
		delete(p.people, person)
		p.vanish(person)
		if !p.alone {
			p.peopleChanged[person] = true
		}
	}
}

// lonely reports whether no other process is known.
func (p *presence) lonely() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.others) == 0
}

// online returns the number of people with a page open.
func (p *presence) online() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.everyone)
}

// here reports whether a person has a page open.
func (p *presence) here(person string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.everyone[person] > 0
}

// forgetAttendance is longer than any claim looks back.
const forgetAttendance = time.Hour

// goneAfter is how long a side must have been away for losing on time to count as leaving: longer than a page takes to
// load again.
const goneAfter = 5 * time.Second

// sweep forgets matches that nobody has been connected to for long.
func (p *presence) sweep(now time.Time) {
	if now.Sub(p.swept) < forgetAttendance {
		return
	}
	p.swept = now
	for id, a := range p.matches {
		if a.empty() && now.Sub(a.gone[loa.Black]) > forgetAttendance && now.Sub(a.gone[loa.White]) > forgetAttendance {
			delete(p.matches, id)
		}
	}
}

// away returns for how long a side has had no page open on a match on its turn, which began at since; 0 when it
// is here. Who was not seen here yet has been away since the process began.
func (p *presence) away(id match.ID, side loa.Color, since, now time.Time) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if side > loa.White || p.present(id)[side] > 0 {
		return 0
	}
	from := p.goneSince(id, int(side))
	if from.IsZero() {
		from = p.began
	}
	if from.IsZero() {
		return 0
	}
	if from.Before(since) {
		from = since
	}
	return max(0, now.Sub(from))
}

// of describes the attendance of a match at now.
func (p *presence) of(m *match.Match, now time.Time) wire.Presence {
	turn := m.Game().Position().Turn()
	away := time.Duration(0)
	if m.Seat(turn).Holder == match.Person && !m.Outcome().Over() {
		away = p.away(m.ID(), turn, m.Turned(), now)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	out := wire.Presence{V: wire.Version, Type: wire.KindPresence, Away: away.Milliseconds()}
	present := p.present(m.ID())
	out.Black, out.White, out.Watching = present[loa.Black] > 0, present[loa.White] > 0, present[loa.NoColor]
	return out
}
