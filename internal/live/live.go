// Package live is the matches being played now. It is the one way in which a match changes: a command is
// decided against the current state, its entries are stored, and only then are they applied, acknowledged and
// published. Any process may handle any match; two that race meet the store's guard, and the loser reads what
// it missed and decides again.
package live

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/account"
	"github.com/linesofaction/loa/internal/clock"
	"github.com/linesofaction/loa/internal/match"
)

// ErrNotFound is returned for a match that does not exist.
var ErrNotFound = errors.New("no such match")

// Service is the matches being played now. It is safe for use by many goroutines.
type Service struct {
	store Store
	bus   Bus
	now   func() time.Time

	mu      sync.Mutex
	matches map[match.ID]*held
	clock   uint64 // counts uses, to find the match unused for longest
	keep    int

	beating sync.Mutex   // held while the service notes that it runs
	beaten  atomic.Int64 // when it last did, in milliseconds since 1970; 0 where it does not

	renamed func(person string)                                      // lets remarks be read again
	gone    func(id match.ID, side loa.Color, turned time.Time) bool // whether a side has left on its turn

	heeded int64 // the last entry of the moderators' log that Run has looked at
}

// held is one match in memory. Its mutex orders the commands of this process; the store orders processes.
type held struct {
	mu     sync.Mutex
	m      *match.Match // immutable; replaced as a whole
	people atomic.Bool  // it is known that no engine plays
	heard  atomic.Int64 // how far other processes have brought it, as they say
	used   uint64
}

// set puts a match, or what has become of it, in its place. The caller holds h.mu.
func (h *held) set(m *match.Match) {
	h.m = m
	h.people.Store(m.BetweenPeople())
}

// New returns a service that keeps at most so many matches in memory and reads the time from now.
func New(store Store, bus Bus, now func() time.Time, keep int) *Service {
	s := &Service{store: store, bus: bus, now: now, matches: map[match.ID]*held{}, keep: keep, renamed: func(string) {}}
	s.Attend(func(match.ID, loa.Color, time.Time) bool { return false })
	bus.Afar(s.afar)
	return s
}

// Attend lets gone tell whether a side has left a match on its turn, which began at an instant: losing on time then
// counts as leaving. It is called before matches are played; without it nobody leaves.
func (s *Service) Attend(gone func(id match.ID, side loa.Color, turned time.Time) bool) {
	s.gone = gone
}

// left reports whether the side to move has left a match.
func (s *Service) left(m *match.Match) bool {
	turn := m.Game().Position().Turn()
	return m.Seat(turn).Holder == match.Person && s.gone(m.ID(), turn, m.Turned())
}

// afar takes note of what other processes did.
func (s *Service) afar(topic string, seq int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if person, ok := strings.CutPrefix(topic, renamedTopic); ok {
		renamed := s.renamed
		go func() {
			s.forgetHere(person)
			renamed(person)
		}()
		return
	}
	if seq == Missed {
		for _, h := range s.matches {
			h.heard.Store(math.MaxInt64)
		}
	} else if h := s.matches[match.ID(topic)]; h != nil {
		h.heard.Store(max(h.heard.Load(), int64(seq)))
	}
}

// Create begins a match under an id that nobody has used, with the moves that were made elsewhere, forced passes
// included. Errors: *loa.SetupError for a start that cannot be, *match.Refusal for a move, ErrConflict for an id that
// is taken.
func (s *Service) Create(ctx context.Context, id match.ID, terms match.Terms, moves ...loa.Move) (*match.Match, error) {
	at := s.now()
	log, err := match.Create(terms, at)
	if err != nil {
		return nil, err
	}
	m, err := match.Replay(id, log)
	if err != nil {
		return nil, err
	}
	for ply, move := range moves {
		if ply < m.Game().Plies() {
			continue // a forced pass, which was played with the move before
		}
		more, err := match.Decide(m, match.Command{By: m.Game().Position().Turn(), Ask: match.Move{Ply: ply, Move: move}}, at)
		if err != nil {
			return nil, err
		}
		for _, entry := range more {
			m.Apply(entry)
		}
		log = append(log, more...)
	}
	summary := Summarize(m)
	summary.Closing = closing(m, log)
	if err := s.store.Append(ctx, log, summary); err != nil {
		return nil, fmt.Errorf("creating match %s: %w", id, err)
	}
	h := s.hold(id)
	h.mu.Lock()
	h.set(m)
	h.mu.Unlock()
	s.bus.Publish(string(id), m.Seq())
	return m, nil
}

// Match returns a match as it stands, or ErrNotFound. It is read only.
func (s *Service) Match(ctx context.Context, id match.ID) (*match.Match, error) {
	h := s.hold(id)
	h.mu.Lock()
	defer h.mu.Unlock()
	if err := s.load(ctx, id, h); err != nil {
		return nil, err
	}
	return h.m, nil
}

// Read returns a match as it is stored, or ErrNotFound, without keeping it in memory: for whoever reads many.
func (s *Service) Read(ctx context.Context, id match.ID) (*match.Match, error) {
	log, err := s.store.Entries(ctx, id, 0)
	if err != nil {
		return nil, err
	}
	m, err := match.Replay(id, log)
	if err != nil {
		return nil, fmt.Errorf("the stored match is damaged: %w", err)
	}
	return m, nil
}

// Submit carries out a command. It returns the match after it and the sequence number that answers it; a
// command that was carried out before gets its first answer again. The error is a *match.Refusal, ErrNotFound,
// or a failure of the store, and then nothing has changed.
func (s *Service) Submit(ctx context.Context, id match.ID, c match.Command) (*match.Match, int, error) {
	at := s.now() // once: a move that arrived in time stays in time through retries
	if err := s.catchUp(ctx, at); err != nil {
		return nil, 0, err
	}
	m, err := s.change(ctx, id, func(m *match.Match) ([]match.Entry, error) {
		c.Gone = s.left(m)
		return match.Decide(m, c, at)
	})
	switch {
	case errors.Is(err, match.ErrAnswered):
		seq, _ := m.Answer(c.Client)
		return m, seq, nil
	case err != nil:
		return m, 0, err
	}
	return m, m.Seq(), nil
}

// Adjudicate gives a match the outcome a moderator decides on and logs the act in the same transaction; see
// match.Adjudicate. The ratings that follow from the result are worked out anew.
func (s *Service) Adjudicate(ctx context.Context, id match.ID, outcome loa.Outcome, act account.Act) (*match.Match, error) {
	act.Kind, act.Match, act.Result = account.Verdict, string(id), outcome.String()
	return s.changeBy(ctx, id, &act, func(m *match.Match) ([]match.Entry, error) { return match.Adjudicate(m, outcome, s.now()) })
}

// change stores what decide makes of the current state, deciding again when somebody else was faster, and
// applies and publishes it. No entries and no error change nothing. With an error of decide it still returns
// the match.
func (s *Service) change(ctx context.Context, id match.ID, decide func(*match.Match) ([]match.Entry, error)) (*match.Match, error) {
	return s.changeBy(ctx, id, nil, decide)
}

// changeBy is change, with the moderator's act that is stored together with the entries.
func (s *Service) changeBy(ctx context.Context, id match.ID, act *account.Act, decide func(*match.Match) ([]match.Entry, error)) (*match.Match, error) {
	h := s.hold(id)
	h.mu.Lock()
	defer h.mu.Unlock()
	if err := s.load(ctx, id, h); err != nil {
		return nil, err
	}
	for {
		entries, err := decide(h.m)
		if err != nil || len(entries) == 0 {
			return h.m, err
		}
		if err := s.follow(ctx, h.m, entries); err != nil {
			return nil, err
		}
		next := h.m.Clone()
		for _, entry := range entries {
			next.Apply(entry)
		}
		summary := Summarize(next)
		summary.Closing, summary.Act = closing(next, entries), act
		err = s.store.Append(ctx, entries, summary)
		if errors.Is(err, ErrConflict) {
			if err := s.refresh(ctx, id, h); err != nil {
				return nil, err
			}
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("storing match %s: %w", id, err)
		}
		h.set(next)
		s.bus.Publish(string(id), next.Seq())
		s.tellTurn(next, entries)
		return next, nil
	}
}

// tellTurn tells both people of a game at days a move, whatever page of theirs is open, that the turn has changed.
func (s *Service) tellTurn(m *match.Match, entries []match.Entry) {
	if m.Terms().Control.Kind != clock.Correspondence || !m.BetweenPeople() ||
		!m.Outcome().Over() && !m.Turned().Equal(entries[0].At) {
		return
	}
	for _, color := range []loa.Color{loa.Black, loa.White} {
		s.bus.Publish(string(PersonTopic(m.Seat(color).Person)), 0)
	}
}

// follow makes the match that entries name as the next one, before they are stored: a crash in between leaves
// one that nobody knows of, and the same rematch agreed again finds it.
func (s *Service) follow(ctx context.Context, m *match.Match, entries []match.Entry) error {
	for _, entry := range entries {
		if _, ok := entry.Event.(match.Followed); ok {
			id, terms := match.Next(m)
			if _, err := s.Create(ctx, id, terms); err != nil && !errors.Is(err, ErrConflict) {
				return err
			}
		}
	}
	return nil
}

// Listen calls hear after every change of a match until cancel is called. hear must not block.
func (s *Service) Listen(id match.ID, hear func(id match.ID, seq int)) (cancel func()) {
	return s.bus.Listen(string(id), func(topic string, seq int) { hear(match.ID(topic), seq) })
}

// ListenForEngines calls hear after every change of a match that an engine may play in until cancel is called. hear
// must not block.
func (s *Service) ListenForEngines(hear func(id match.ID, seq int)) (cancel func()) {
	return s.bus.Listen("", func(topic string, seq int) {
		if id := match.ID(topic); !strings.HasPrefix(topic, besideMatches) && !s.betweenPeople(id) {
			hear(id, seq)
		}
	})
}

// betweenPeople reports whether a match is known here as one that no engine plays in.
func (s *Service) betweenPeople(id match.ID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.matches[id]
	return h != nil && h.people.Load()
}

// ClaimTurn claims an engine's turn at a sequence number for a while, so that no other process thinks about it, and
// reports whether that is so.
func (s *Service) ClaimTurn(ctx context.Context, id match.ID, seq int, lease time.Duration) (bool, error) {
	now := s.now()
	return s.store.ClaimTurn(ctx, id, seq, now, now.Add(lease))
}

// LeaveTurn ends the claim of an engine's turn that is not thought about any more, and tells other processes of it.
func (s *Service) LeaveTurn(ctx context.Context, id match.ID, seq int) error {
	if err := s.store.LeaveTurn(ctx, id, seq); err != nil {
		return err
	}
	s.bus.Publish(string(id), seq)
	return nil
}

// EngineTurns returns the matches that wait for an engine, as stored.
func (s *Service) EngineTurns(ctx context.Context) ([]match.ID, error) {
	return s.store.EngineTurns(ctx)
}

// Refresh reads what other processes added to a match and returns it.
func (s *Service) Refresh(ctx context.Context, id match.ID) (*match.Match, error) {
	h := s.hold(id)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.m == nil {
		if err := s.load(ctx, id, h); err != nil {
			return nil, err
		}
		return h.m, nil
	}
	if err := s.refresh(ctx, id, h); err != nil {
		return nil, err
	}
	return h.m, nil
}

// Reach returns a match that has reached a sequence number, reading what other processes added where memory is
// behind.
func (s *Service) Reach(ctx context.Context, id match.ID, seq int) (*match.Match, error) {
	m, err := s.Match(ctx, id)
	if err != nil || m.Seq() >= seq {
		return m, err
	}
	return s.Refresh(ctx, id)
}

// renamedTopic begins the topic of the bus on which processes hear that a person has another name.
const renamedTopic = besideMatches + "renamed "

// Forget drops the matches of a person from the memory of every process, so that what storage changed of them is read
// again.
func (s *Service) Forget(person string) {
	s.forgetHere(person)
	s.bus.Publish(renamedTopic+person, 0)
}

func (s *Service) forgetHere(person string) {
	s.mu.Lock()
	places := maps.Clone(s.matches)
	s.mu.Unlock()
	for id, h := range places {
		h.mu.Lock()
		mine := h.m != nil && h.m.SeatOf(person) != loa.NoColor
		h.mu.Unlock()
		if mine {
			s.forget(id, h)
		}
	}
}

// hold returns the place of a match in memory, making room for it.
func (s *Service) hold(id match.ID) *held {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clock++
	h, ok := s.matches[id]
	if !ok {
		if len(s.matches) >= s.keep {
			s.evict()
		}
		h = new(held)
		s.matches[id] = h
	}
	h.used = s.clock
	return h
}

// evict forgets the half of the matches that was used least recently. Whoever still works on one of them
// finishes on its own copy; the store's guard keeps two copies apart.
func (s *Service) evict() {
	for id, h := range s.matches {
		if h.used+uint64(s.keep)/2 < s.clock {
			delete(s.matches, id)
		}
	}
}

// load replays a match that is not in memory, or that other processes have brought on. The caller holds h.mu.
func (s *Service) load(ctx context.Context, id match.ID, h *held) error {
	heard := h.heard.Load()
	if h.m != nil {
		if heard <= int64(h.m.Seq()) {
			return nil
		}
		if err := s.refresh(ctx, id, h); err != nil {
			return err
		}
		h.heard.CompareAndSwap(heard, 0)
		return nil
	}
	m, err := s.Read(ctx, id)
	if err != nil {
		s.forget(id, h)
		return err
	}
	h.set(m)
	return nil
}

// forget drops a place that holds no match, so that names nobody has cost no memory.
func (s *Service) forget(id match.ID, h *held) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.matches[id] == h {
		delete(s.matches, id)
	}
}

// refresh replays a match anew when the store holds more than memory does. The caller holds h.mu.
func (s *Service) refresh(ctx context.Context, id match.ID, h *held) error {
	more, err := s.store.Entries(ctx, id, h.m.Seq())
	if err != nil || len(more) == 0 {
		return err
	}
	m, err := match.Replay(id, append(h.m.Clone().Log(), more...))
	if err != nil {
		return fmt.Errorf("the stored match is damaged: %w", err)
	}
	h.set(m)
	return nil
}

// Now returns the time as the service reads it.
func (s *Service) Now() time.Time { return s.now() }
