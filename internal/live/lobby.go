package live

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/account"
	"github.com/linesofaction/loa/internal/lobby"
	"github.com/linesofaction/loa/internal/match"
)

// SeekLife is how long a seek stands without a sign of life of its maker's page, and how long after that, or after the
// page was closed, the same person's same search goes on where it was.
const SeekLife = 15 * time.Second

// StandingLife is how long a seek at days a move stands, whether its maker is there or not.
const StandingLife = 14 * 24 * time.Hour

// StandingSeeks returns how many such seeks somebody may have at once.
func StandingSeeks(guest bool) int {
	if guest {
		return 3
	}
	return 10
}

// NewMatch is a match that a pairing or a challenge begins, ready to be stored.
type NewMatch struct {
	Entries []match.Entry
	Summary Summary
	Seekers []lobby.Seeker // whom a pairing begins it for
}

// LobbyStore is what a Lobby needs of storage.
type LobbyStore interface {
	// PutSeek stores a seek that is made at its Since, or marks the one its maker has for the same setting as alive, keeping since when, unless
	// that has not been alive for two lives. One with an Until is alive until then, and ErrManySeeks where its maker has enough of them. It
	// reports whether there was none alive.
	PutSeek(ctx context.Context, s lobby.Seeker) (begun bool, err error)
	// DropSeeks removes the seek of a person for a setting, or all for an empty one, of those that do not stand by themselves at now.
	DropSeeks(ctx context.Context, person, setting string, now time.Time) error
	// WithdrawSeeks removes the seek of a person for a setting, or all for an empty one, also of those that stand by themselves.
	WithdrawSeeks(ctx context.Context, person, setting string) error
	// RestSeek lets a seek of a person that does not stand by itself not be alive any more at now, and be remembered for a life.
	RestSeek(ctx context.Context, person, setting string, now time.Time) error
	// Seeks returns the seeks that are alive at now, without how their makers stand: none of somebody who is barred from games, and none of a
	// guest without a session.
	Seeks(ctx context.Context, now time.Time) ([]lobby.Seeker, error)
	// Standing returns what bears on whom to pair a person with.
	Standing(ctx context.Context, person string) (lobby.Standing, error)
	// PairSeeks reads the seeks of some people that are alive at now, lets pair choose, and in the same transaction removes the seeks
	// it pairs and begins their matches, so two processes cannot pair one seek twice.
	PairSeeks(ctx context.Context, now time.Time, people []string, pair func([]lobby.Seeker) ([]NewMatch, error)) ([]NewMatch, error)
	// TakeSeek reads a seek and how its maker and who takes it stand, lets join make their match, and in the same transaction removes
	// the seek and begins the match. ErrGone for a seek that is not alive at now.
	TakeSeek(ctx context.Context, now time.Time, seek, by lobby.Seeker, join func(seek, by lobby.Seeker) (NewMatch, error)) (NewMatch, error)

	// Blocks reports whether a person wants nothing to do with another.
	Blocks(ctx context.Context, person, other string) (bool, error)
	// PersonByID returns a person, and whether there is one.
	PersonByID(ctx context.Context, id string) (account.Person, bool, error)

	PutChallenge(ctx context.Context, c lobby.Challenge) error
	// Challenge returns a challenge, ErrNotFound for an unknown one.
	Challenge(ctx context.Context, id string) (lobby.Challenge, error)
	// Challenges returns the open challenges made by or to a person since an instant, the latest first, at most limit.
	Challenges(ctx context.Context, person string, since time.Time, limit int) ([]lobby.Challenge, error)
	// TakeChallenge begins the match of a challenge unless it was taken or refused before: then ErrConflict.
	TakeChallenge(ctx context.Context, id string, m NewMatch) error
	// RefuseChallenge closes an open challenge; ErrConflict when it is closed.
	RefuseChallenge(ctx context.Context, id string) error
}

// Lobby is how people get to play each other. It is safe for use by many goroutines.
type Lobby struct {
	service *Service
	store   LobbyStore
	newID   func() (string, error)
	chance  func() uint64

	news atomic.Int64 // counts what was heard of seeks

	mu        sync.Mutex
	seekers   []lobby.Seeker // as they were read last; never changed
	read      time.Time      // when that was
	heard     int64          // news at that time
	standings map[string]standing
}

// standing is how a person stands, as it was read at an instant.
type standing struct {
	lobby.Standing
	read time.Time
}

// lookAgain is how old what is known of the lobby may be: pages that are sent it at once, and pairing, share one look.
// Whom pairing chooses is looked at anew before a game begins. How somebody stands who may be away for days is not looked at every second.
const (
	lookAgain     = time.Second
	lookAgainAway = 30 * time.Second
)

// NewLobby returns a lobby whose matches are played in a service.
func NewLobby(service *Service, store LobbyStore, newID func() (string, error), chance func() uint64) *Lobby {
	l := &Lobby{service: service, store: store, newID: newID, chance: chance, standings: map[string]standing{}}
	service.Listen(LobbyTopic, func(match.ID, int) { l.news.Add(1) })
	return l
}

// besideMatches begins the topics that are not matches; no id of a match does.
const besideMatches = "~"

// PersonTopic is the topic of the bus on which a person's page hears that a game of theirs has begun or a
// challenge has come.
func PersonTopic(person string) match.ID { return match.ID(besideMatches + "person " + person) }

// StoppedTopic is the topic of the bus on which a person's pages hear that all the seeks of theirs are ended.
func StoppedTopic(person string) match.ID { return match.ID(besideMatches + "stopped " + person) }

// LobbyTopic is the topic of the bus on which the lobby's pages hear that seeks have changed.
const LobbyTopic match.ID = besideMatches + "lobby"

// Seek lets a person look for a game while there, or keeps on doing so. The error says what is wrong with the wish.
func (l *Lobby) Seek(ctx context.Context, s lobby.Seeker) error {
	s.Until = time.Time{}
	return l.put(ctx, s)
}

// Stand lets a person look for a game at days a move, there or not, for StandingLife from now on. The error says what is wrong
// with the wish; ErrManySeeks when the person has as many of them as is allowed.
func (l *Lobby) Stand(ctx context.Context, s lobby.Seeker) error {
	s.Until = l.service.now().Add(StandingLife)
	return l.put(ctx, s)
}

func (l *Lobby) put(ctx context.Context, s lobby.Seeker) error {
	if err := s.Wish.Validate(); err != nil {
		return err
	}
	s.Since = l.service.now()
	if s.Guest && s.Wish.Rated {
		return ErrGuest
	}
	if err := l.admitted(ctx, s.Person); err != nil {
		return err
	}
	begun, err := l.store.PutSeek(ctx, s)
	if err != nil || !begun { // one that only goes on is no news
		return err
	}
	l.changed()
	return l.Pair(ctx)
}

// changed tells everybody that seeks have changed.
func (l *Lobby) changed() {
	l.news.Add(1) // whenever the bus brings it back
	l.service.bus.Publish(string(LobbyTopic), 0)
}

// StopSeeking ends a person's seek for a setting, or all of them for an empty one, but for those that stand by themselves.
func (l *Lobby) StopSeeking(ctx context.Context, person, setting string) error {
	if err := l.store.DropSeeks(ctx, person, setting, l.service.now()); err != nil {
		return err
	}
	if setting == "" {
		l.service.bus.Publish(string(StoppedTopic(person)), 0)
	}
	l.changed()
	return nil
}

// Withdraw ends a seek of a person that stands by itself, if there is one with that id.
func (l *Lobby) Withdraw(ctx context.Context, person, id string) error {
	s, err := l.standingSeek(ctx, id)
	if errors.Is(err, ErrGone) || err == nil && s.Person != person {
		return nil
	}
	if err == nil {
		err = l.store.WithdrawSeeks(ctx, person, s.Wish.Setting())
	}
	if err != nil {
		return err
	}
	l.changed()
	return nil
}

// WithdrawAll ends every seek of a person.
func (l *Lobby) WithdrawAll(ctx context.Context, person string) error {
	if err := l.store.WithdrawSeeks(ctx, person, ""); err != nil {
		return err
	}
	l.changed()
	return nil
}

// standingSeek returns the seek that stands by itself with an id, ErrGone for none.
func (l *Lobby) standingSeek(ctx context.Context, id string) (lobby.Seeker, error) {
	seekers, err := l.Seeks(ctx)
	if err != nil {
		return lobby.Seeker{}, err
	}
	for _, s := range seekers {
		if s.ID == id && !s.Until.IsZero() {
			return s, nil
		}
	}
	return lobby.Seeker{}, ErrGone
}

// Take begins the game of a seek that stands by itself, for its maker and who takes it, and returns the match. The errors are ErrGone, ErrOwn,
// ErrGuest, ErrBarred, ErrBlocked and ErrOutOfRange.
func (l *Lobby) Take(ctx context.Context, id string, by lobby.Seeker) (match.ID, error) {
	if err := l.admitted(ctx, by.Person); err != nil {
		return "", err
	}
	s, err := l.standingSeek(ctx, id)
	switch {
	case err != nil:
		return "", err
	case s.Person == by.Person:
		return "", ErrOwn
	case by.Guest && s.Wish.Rated:
		return "", ErrGuest
	}
	now := l.service.now()
	m, err := l.store.TakeSeek(ctx, now, s, by, func(s, by lobby.Seeker) (NewMatch, error) {
		pairing, why := s.Join(by, now, l.even)
		switch why {
		case lobby.AtOnce:
			return l.pair(pairing, now)
		case lobby.OutOfRange:
			return NewMatch{}, ErrOutOfRange
		}
		return NewMatch{}, ErrBlocked
	})
	if err != nil {
		return "", err
	}
	l.announce(m)
	l.changed()
	return m.Summary.ID, nil
}

// even decides colors where nothing else does.
func (l *Lobby) even() bool { return l.chance()&1 == 0 }

// RestSeeking ends a person's seek for a setting, whose page was closed. Where it was only loaded again, the search goes
// on with the time it has waited.
func (l *Lobby) RestSeeking(ctx context.Context, person, setting string) error {
	if err := l.store.RestSeek(ctx, person, setting, l.service.now()); err != nil {
		return err
	}
	l.changed()
	return nil
}

// Seeks returns who looks for a game now, as all may read it together: those who are there, and then those who need not be, each by how long
// they have looked.
func (l *Lobby) Seeks(ctx context.Context) ([]lobby.Seeker, error) {
	seekers, silent, err := l.look(ctx)
	if silent {
		l.changed() // a seek has expired, or its maker has another name, is barred or gone, and nobody has told the pages
	}
	return seekers, err
}

// look is Seeks, and reports whether the seeks are others than before although nobody has told so.
func (l *Lobby) look(ctx context.Context) (seekers []lobby.Seeker, silent bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now, heard := l.service.now(), l.news.Load()
	if heard == l.heard && now.Sub(l.read).Abs() < lookAgain {
		return l.seekers, false, nil
	}
	seekers, err = l.store.Seeks(ctx, now)
	if err != nil {
		return nil, false, err
	}
	for person, known := range l.standings { // of those who have gone
		if now.Sub(known.read).Abs() >= lookAgainAway {
			delete(l.standings, person)
		}
	}
	for i, one := range seekers {
		within := lookAgain
		if !one.Until.IsZero() {
			within = lookAgainAway
		}
		how, err := l.standing(ctx, one.Person, now, within)
		if err != nil {
			return nil, false, err
		}
		seekers[i] = how.Of(one)
	}
	slices.SortStableFunc(seekers, func(a, b lobby.Seeker) int {
		switch {
		case a.Until.IsZero() == b.Until.IsZero():
			return 0
		case a.Until.IsZero():
			return -1
		}
		return 1
	})
	silent = heard == l.heard && !slices.EqualFunc(seekers, l.seekers, func(a, b lobby.Seeker) bool { return a.ID == b.ID && a.Name == b.Name })
	l.seekers, l.read, l.heard = seekers, now, heard
	return seekers, silent, nil
}

// standing returns how a person stands, or stood within some time. The caller holds l.mu.
func (l *Lobby) standing(ctx context.Context, person string, now time.Time, within time.Duration) (lobby.Standing, error) {
	if known, ok := l.standings[person]; ok && now.Sub(known.read).Abs() < within {
		return known.Standing, nil
	}
	how, err := l.store.Standing(ctx, person)
	if err == nil {
		l.standings[person] = standing{how, now}
	}
	return how, err
}

// Seen is a seek as it is for somebody who looks at the lobby.
type Seen struct {
	lobby.Seeker
	Prospect lobby.Prospect // of joining it; AtOnce for one's own
}

// SeeksFor returns who looks for a game now, one's own seeks with them, and what would become of joining. Whom
// the person has blocked, or who has blocked the person, is left out.
func (l *Lobby) SeeksFor(ctx context.Context, person string) ([]Seen, error) {
	seekers, err := l.Seeks(ctx)
	if err != nil || len(seekers) == 0 {
		return nil, err
	}
	now := l.service.now()
	l.mu.Lock()
	how, err := l.standing(ctx, person, now, lookAgain)
	l.mu.Unlock()
	if err != nil {
		return nil, err
	}
	var seen []Seen
	joiners := map[lobby.Game]lobby.Seeker{} // the person, to each game
	for _, s := range seekers {
		if s.Person == person {
			seen = append(seen, Seen{s, lobby.AtOnce})
			continue
		}
		joiner, known := joiners[s.Wish.Game()]
		if !known {
			joiner = how.Of(lobby.Seeker{Person: person, Wish: s.Wish, Bot: how.Bot})
			joiners[s.Wish.Game()] = joiner
		}
		if p := s.Prospect(joiner, now); p != lobby.Blocked {
			seen = append(seen, Seen{s, p})
		}
	}
	return seen, nil
}

// Pair begins games for everybody who fits somebody, and tells them.
func (l *Lobby) Pair(ctx context.Context) error {
	now := l.service.now()
	// a look without writing first: most of the time nobody fits
	waiting, err := l.Seeks(ctx)
	if err != nil {
		return fmt.Errorf("pairing: %w", err)
	}
	var people []string
	for _, p := range lobby.Pair(waiting, now, func() bool { return false }) {
		people = append(people, p.Black.Person, p.White.Person)
	}
	if len(people) == 0 {
		return nil
	}
	made, err := l.store.PairSeeks(ctx, now, people, func(seekers []lobby.Seeker) ([]NewMatch, error) {
		var matches []NewMatch
		for _, p := range lobby.Pair(seekers, now, l.even) {
			m, err := l.pair(p, now)
			if err != nil {
				return nil, err
			}
			matches = append(matches, m)
		}
		return matches, nil
	})
	if err != nil {
		return fmt.Errorf("pairing: %w", err)
	}
	if len(made) > 0 {
		l.announce(made...)
		l.changed()
	}
	return nil
}

// announce tells both people of each new match.
func (l *Lobby) announce(matches ...NewMatch) {
	for _, m := range matches {
		for _, person := range []string{m.Summary.Black, m.Summary.White} {
			l.service.bus.Publish(string(PersonTopic(person)), 0)
		}
	}
}

// pair makes the match of two seeks, or of one and who takes it.
func (l *Lobby) pair(p lobby.Pairing, now time.Time) (NewMatch, error) {
	m, err := l.begin(p, now)
	m.Seekers = []lobby.Seeker{p.Black, p.White}
	return m, err
}

// begin makes the match of a pairing.
func (l *Lobby) begin(p lobby.Pairing, now time.Time) (NewMatch, error) {
	id, err := l.newID()
	if err != nil {
		return NewMatch{}, err
	}
	rules := p.Black.Wish.Rules
	if rules.Start == loa.StartRandom && rules.Seed == 0 {
		rules.Seed = l.chance()>>32 + 1
	}
	start, err := rules.StartPosition()
	if err != nil {
		return NewMatch{}, err
	}
	terms := match.Terms{
		Rules: rules, Start: start.Setup(), Control: p.Black.Wish.Control, Rated: p.Black.Wish.Rated,
		Seats: [2]match.Seat{
			{Person: p.Black.Person, Name: p.Black.Name, Member: !p.Black.Guest, Bot: p.Black.Bot},
			{Person: p.White.Person, Name: p.White.Name, Member: !p.White.Guest, Bot: p.White.Bot},
		},
	}
	log, err := match.Create(terms, now)
	if err != nil {
		return NewMatch{}, err
	}
	m, err := match.Replay(match.ID(id), log)
	if err != nil {
		return NewMatch{}, err
	}
	return NewMatch{Entries: log, Summary: Summarize(m)}, nil
}

// The reasons why a challenge cannot be accepted, beside ErrConflict for one that was taken or refused.
var (
	ErrExpired  = errors.New("the challenge has expired")
	ErrNotYours = errors.New("the challenge is for somebody else")
	ErrOwn      = errors.New("the challenge is your own")
	ErrGuest    = errors.New("rated games need an account")
	ErrBlocked  = errors.New("one of the two has blocked the other")
	ErrBarred   = errors.New("a moderator has barred you from new games")
)

// The reasons why a seek that stands by itself is not made or taken, beside those.
var (
	ErrManySeeks  = fmt.Errorf("as many seeks of yours stand as may at once, which is %d, and %d of a guest; withdraw one first", StandingSeeks(false), StandingSeeks(true))
	ErrGone       = errors.New("that seek is over: it was taken, withdrawn or has expired")
	ErrOutOfRange = errors.New("your rating is not within the wished range")
)

// Challenge invites somebody to a game and returns the invitation.
func (l *Lobby) Challenge(ctx context.Context, c lobby.Challenge) (lobby.Challenge, error) {
	if err := c.Wish.Validate(); err != nil {
		return c, err
	}
	if err := l.admitted(ctx, c.From); err != nil {
		return c, err
	}
	if c.To != "" {
		if err := l.Apart(ctx, c.From, c.To); err != nil {
			return c, err
		}
	}
	id, err := l.newID()
	if err != nil {
		return c, err
	}
	c.ID, c.Made = id, l.service.now()
	if err := l.store.PutChallenge(ctx, c); err != nil {
		return c, err
	}
	if c.To != "" {
		l.service.bus.Publish(string(PersonTopic(c.To)), 0)
	}
	return c, nil
}

// Apart returns ErrBlocked when one of two people has blocked the other.
func (l *Lobby) Apart(ctx context.Context, a, b string) error {
	for _, pair := range [][2]string{{a, b}, {b, a}} {
		blocked, err := l.store.Blocks(ctx, pair[0], pair[1])
		if err != nil {
			return err
		}
		if blocked {
			return ErrBlocked
		}
	}
	return nil
}

// admitted returns ErrBarred when a moderator keeps a person from new games.
func (l *Lobby) admitted(ctx context.Context, id string) error {
	person, known, err := l.store.PersonByID(ctx, id)
	if err == nil && known && !person.MayPlay(l.service.now()) {
		return ErrBarred
	}
	return err
}

// Get returns a challenge and why it cannot be accepted now, if it cannot; ErrNotFound for an unknown one.
func (l *Lobby) Get(ctx context.Context, id string) (c lobby.Challenge, state string, err error) {
	c, err = l.store.Challenge(ctx, id)
	return c, c.State(l.service.now()), err
}

// Accept binds both seats of a challenge at one moment and returns the match. The errors are ErrNotFound,
// ErrExpired, ErrNotYours, ErrOwn, ErrGuest, ErrBlocked, ErrBarred and ErrConflict.
func (l *Lobby) Accept(ctx context.Context, id string, by lobby.Seeker) (match.ID, error) {
	c, state, err := l.Get(ctx, id)
	switch {
	case err != nil:
		return "", err
	case c.From == by.Person:
		return "", ErrOwn
	case c.To != "" && c.To != by.Person:
		return "", ErrNotYours
	case state == "expired":
		return "", ErrExpired
	case state != "":
		return "", ErrConflict
	case by.Guest && c.Wish.Rated:
		return "", ErrGuest
	}
	if err := l.admitted(ctx, by.Person); err != nil {
		return "", err
	}
	if err := l.Apart(ctx, c.From, by.Person); err != nil {
		return "", err
	}
	from := lobby.Seeker{Person: c.From, Name: c.Name, Guest: c.Guest, Bot: c.Bot, Wish: c.Wish}
	by.Wish = c.Wish
	p := lobby.Pairing{Black: from, White: by}
	if c.Wish.Color == loa.White || c.Wish.Color == loa.NoColor && l.even() {
		p = lobby.Pairing{Black: by, White: from}
	}
	m, err := l.begin(p, l.service.now())
	if err != nil {
		return "", err
	}
	if err := l.store.TakeChallenge(ctx, id, m); err != nil {
		return "", err
	}
	l.announce(m)
	return m.Summary.ID, nil
}

// Refuse closes a challenge: its maker withdraws it, or the invited declines.
func (l *Lobby) Refuse(ctx context.Context, id, person string) error {
	c, err := l.store.Challenge(ctx, id)
	if err != nil {
		return err
	}
	if c.From != person && c.To != person {
		return ErrNotYours
	}
	if err := l.store.RefuseChallenge(ctx, id); err != nil {
		return err
	}
	l.service.bus.Publish(string(PersonTopic(c.From)), 0)
	if c.To != "" {
		l.service.bus.Publish(string(PersonTopic(c.To)), 0)
	}
	return nil
}

// challengesShown is how many open challenges of one person are told of.
const challengesShown = 50

// Challenges returns the open challenges made by or to a person, the latest first, of very many only those.
func (l *Lobby) Challenges(ctx context.Context, person string) ([]lobby.Challenge, error) {
	return l.store.Challenges(ctx, person, l.service.now().Add(-lobby.ChallengeLife), challengesShown)
}

// pairEvery is how often seeks are looked at again, since they widen by waiting.
const pairEvery = time.Second

// Run pairs seeks that have come to fit by waiting, until ctx is done. fault is told what fails.
func (l *Lobby) Run(ctx context.Context, fault func(error)) {
	ticker := time.NewTicker(pairEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		if err := l.Pair(ctx); err != nil && ctx.Err() == nil {
			fault(err)
		}
	}
}
