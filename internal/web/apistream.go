package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/account"
	"github.com/linesofaction/loa/internal/live"
	"github.com/linesofaction/loa/internal/lobby"
	"github.com/linesofaction/loa/internal/match"
	"github.com/linesofaction/loa/internal/talk"
	"github.com/linesofaction/loa/internal/wire"
)

// aliveEvery is how often a stream says that it is alive.
const aliveEvery = 5 * time.Second

// lines is a stream of JSON objects, one a line.
type lines struct {
	w  http.ResponseWriter
	on *http.ResponseController
}

// stream begins a stream: ctx ends with the program's connection and with the server.
func (s *Server) stream(c *call) (out *lines, ctx context.Context, done func(), err error) {
	closed, err := s.openStream(c)
	if err != nil {
		return nil, nil, nil, err
	}
	ctx, cancel := context.WithCancel(c.Context())
	stop := context.AfterFunc(s.open, cancel)
	c.Header().Set("Content-Type", asLines)
	c.Header().Set("X-Accel-Buffering", "no") // or a proxy may keep lines until there are many
	on := http.NewResponseController(c.w)
	if err := on.SetReadDeadline(time.Time{}); err != nil && !errors.Is(err, http.ErrNotSupported) { // that of the body, which is read
		stop()
		cancel()
		closed()
		return nil, nil, nil, err
	}
	return &lines{c.w, on}, ctx, func() { stop(); cancel(); closed() }, nil
}

// write writes a line, within a time after which a program is given up.
func (l *lines) write(body []byte) error {
	if err := l.on.SetWriteDeadline(time.Now().Add(writeWithin)); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	if _, err := l.w.Write(append(body, '\n')); err != nil {
		return err
	}
	return l.on.Flush()
}

func (l *lines) send(message any) error {
	body, err := json.Marshal(message)
	if err != nil {
		return err
	}
	return l.write(body)
}

// ended says how a stream that has begun ends: by its reader, by the server, or by a fault, which is in the log. Nothing
// can be answered any more.
func (s *Server) ended(ctx context.Context, c *call, err error) (any, error) {
	if err != nil && ctx.Err() == nil {
		s.report(c.Request, err)
	}
	return nil, nil
}

// apiGameStream sends a match as it changes.
func (s *Server) apiGameStream(c *call) (any, error) {
	from, err := c.number("from", 0, 0, 1<<30)
	if err != nil {
		return nil, err
	}
	until := c.URL.Query().Get("until")
	if until != "" && until != "end" {
		return nil, wrong("until", until, "end")
	}
	m, you, err := s.apiMatch(c)
	if err != nil {
		return nil, err
	}
	person := c.person.ID
	if !c.token.Has(account.ReadScope) {
		you, person = loa.NoColor, ""
	}
	out, ctx, done, err := s.stream(c)
	if err != nil {
		return nil, err
	}
	defer done()
	f := &follower{server: s, out: out, id: m.ID(), you: you, who: speakerOf(m, you, person), seq: from, once: until != ""}
	return s.ended(ctx, c, f.follow(ctx))
}

// follower sends one match to a program.
type follower struct {
	server  *Server
	out     *lines
	id      match.ID
	you     loa.Color
	who     speaker
	seq     int // what the program has
	shared  *broadcast
	reached atomic.Int64
	heard   map[talk.Room]int
	once    bool // the stream ends with the game
}

func (f *follower) follow(ctx context.Context) error {
	s := f.server
	changed, came, said := make(chan struct{}, 1), make(chan struct{}, 1), make(chan struct{}, 1)
	var leave func()
	f.shared, leave = s.presence.join(f.id, f.you, f.who.asker, func() { wake(came) }, s.Now)
	defer leave()
	defer s.Live.Listen(f.id, func(_ match.ID, seq int) {
		f.reached.Store(max(f.reached.Load(), int64(seq)))
		wake(changed)
	})()
	defer s.Talk.Listen(f.id, func() { wake(said) })()
	for _, person := range f.who.people() {
		if person != "" {
			defer s.Live.Listen(live.HearingTopic(person), func(match.ID, int) {
				wake(said)
			})()
		}
	}
	over, err := f.begin(ctx)
	if err == nil {
		err = f.hear(ctx)
	}
	alive := time.NewTicker(aliveEvery)
	defer alive.Stop()
	for err == nil && !(over && f.once) {
		select {
		case <-ctx.Done():
			return nil
		case <-changed:
			over, err = f.update(ctx)
			if err == nil && over {
				err = f.hear(ctx) // the players may read the onlookers now
			}
		case <-came:
			m, fault := s.Live.Match(ctx, f.id)
			if err = fault; err == nil {
				err = f.out.send(s.presence.of(m, s.Now()))
			}
		case <-said:
			err = f.hear(ctx)
		case <-alive.C:
			if over, err = f.update(ctx); err == nil { // news may have been lost
				err = f.out.write(nil)
			}
		}
	}
	return err
}

// begin sends the match as it stands, or what happened since the number that the program has.
func (f *follower) begin(ctx context.Context) (over bool, err error) {
	m, err := f.server.Live.Refresh(ctx, f.id)
	if err != nil {
		return false, err
	}
	if f.seq > 0 && f.seq <= m.Seq() {
		return f.update(ctx)
	}
	f.seq = m.Seq()
	if err := f.out.send(f.shared.snapshot(m, audience(f.you), f.server.Now())); err != nil {
		return false, err
	}
	return m.Outcome().Over(), f.ratings(ctx, m)
}

// update sends what happened since the program's number.
func (f *follower) update(ctx context.Context) (over bool, err error) {
	m, err := f.server.Live.Reach(ctx, f.id, int(f.reached.Load()))
	if err != nil || m.Seq() == f.seq {
		return err == nil && m.Outcome().Over(), err
	}
	if err := f.out.write(bytes.Clone(f.shared.update(m, audience(f.you), f.seq, f.server.Now()))); err != nil {
		return false, err
	}
	f.seq = m.Seq()
	return m.Outcome().Over(), f.ratings(ctx, m)
}

// ratings sends what the end of a rated match made of the ratings.
func (f *follower) ratings(ctx context.Context, m *match.Match) error {
	changes, err := f.server.changes(ctx, m)
	if err != nil || changes == nil {
		return err
	}
	return f.out.send(changes)
}

// hear sends what was said and the program has not got yet.
func (f *follower) hear(ctx context.Context) error {
	m, err := f.server.Live.Match(ctx, f.id)
	if err != nil || !m.BetweenPeople() {
		return err
	}
	if f.heard == nil {
		f.heard = map[talk.Room]int{}
	}
	unheard, err := f.server.unheard(ctx, f.who)
	if err != nil {
		return err
	}
	for _, room := range talk.Rooms() {
		if !room.Reads(f.who.player(), m.Outcome().Over()) {
			continue
		}
		message, reached, err := f.server.talkIn(ctx, m, f.who, room, f.heard[room], unheard)
		if err != nil {
			return err
		}
		f.heard[room] = reached
		if len(message.Remarks) == 0 {
			continue
		}
		if err := f.out.send(message); err != nil {
			return err
		}
	}
	return nil
}

func (s *Server) apiOwn(c *call) (any, error) { return s.own(c) }

// own describes what the account of whoever asks is in.
func (s *Server) own(c *call) (wire.Own, error) {
	out := wire.Own{V: wire.Version, Type: wire.KindOwn, Games: []wire.RunningGame{}}
	var err error
	if out.Challenges, err = s.invitations(c); err != nil {
		return out, err
	}
	ids, err := s.People.RunningMatches(c.Context(), c.person.ID, mostStreams)
	if err != nil {
		return out, err
	}
	for _, id := range ids {
		m, err := s.Live.Match(c.Context(), id)
		if err != nil {
			return out, err
		}
		if you := m.SeatOf(c.person.ID); you != loa.NoColor && !m.Outcome().Over() {
			out.Games = append(out.Games, wire.RunningOf(m, you))
		}
	}
	return out, nil
}

// apiOwnStream sends what the account is in, and again whenever that changes.
func (s *Server) apiOwnStream(c *call) (any, error) {
	out, ctx, done, err := s.stream(c)
	if err != nil {
		return nil, err
	}
	defer done()
	defer s.presence.visit(c.person.ID)()
	news := make(chan struct{}, 1)
	defer s.Live.Listen(live.PersonTopic(c.person.ID), func(match.ID, int) { wake(news) })()
	games := map[string]func(){} // what listens to each
	defer func() {
		for _, silent := range games {
			silent()
		}
	}()
	alive := time.NewTicker(aliveEvery)
	defer alive.Stop()
	var last []byte
	for {
		own, err := s.own(c)
		if err != nil {
			return s.ended(ctx, c, err)
		}
		running := map[string]bool{}
		for _, game := range own.Games {
			if running[game.Match] = true; games[game.Match] == nil {
				games[game.Match] = s.Live.Listen(match.ID(game.Match), func(match.ID, int) { wake(news) })
			}
		}
		for id, silent := range games {
			if !running[id] {
				silent()
				delete(games, id)
			}
		}
		body, err := json.Marshal(own)
		if err == nil && !bytes.Equal(body, last) {
			last = body
			err = out.write(bytes.Clone(body))
		}
		if err != nil {
			return s.ended(ctx, c, err)
		}
		select {
		case <-ctx.Done():
			return nil, nil
		case <-news:
		case <-alive.C:
			if err := out.write(nil); err != nil {
				return s.ended(ctx, c, err)
			}
		}
	}
}

// apiSeek looks for a game for as long as the stream is open.
func (s *Server) apiSeek(c *call) (any, error) {
	var in wire.NewSeek
	if err := c.read(&in); err != nil {
		return nil, err
	}
	wish, err := apiTerms(wire.NewChallenge{Rules: in.Rules, Control: in.Control, Rated: in.Rated, Color: in.Color})
	if err != nil {
		return nil, err
	}
	wish.Below, wish.Above = in.Below, in.Above
	if err := wish.Validate(); err != nil {
		return nil, &problem{http.StatusBadRequest, wire.Fault{Code: "bad-value", Text: err.Error(), Field: "below, above", Expected: "0 to 2000"}}
	}
	news := make(chan struct{}, 1)
	defer s.Live.Listen(live.PersonTopic(c.person.ID), func(match.ID, int) { wake(news) })()
	before, err := s.People.RunningMatches(c.Context(), c.person.ID, mostStreams)
	if err != nil {
		return nil, err
	}
	known := map[match.ID]bool{}
	for _, id := range before {
		known[id] = true
	}
	seeker := lobby.Seeker{Person: c.person.ID, Name: c.person.Name, Guest: c.person.Guest(), Bot: c.person.Bot, Wish: wish}
	if err := s.Lobby.Seek(c.Context(), seeker); err != nil {
		return nil, err
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(c.Context()), writeWithin)
		defer cancel()
		if err := s.Lobby.StopSeeking(ctx, c.person.ID, wish.Setting()); err != nil {
			s.report(c.Request, err)
		}
	}()
	out, ctx, done, err := s.stream(c)
	if err != nil {
		return nil, err
	}
	defer done()
	defer s.presence.visit(c.person.ID)()
	alive := time.NewTicker(min(aliveEvery, seekRenewed))
	defer alive.Stop()
	for err := out.write(nil); ; {
		var running []match.ID
		if err == nil {
			running, err = s.People.RunningMatches(ctx, c.person.ID, mostStreams)
		}
		for _, id := range running {
			if !known[id] {
				return s.ended(ctx, c, out.send(wire.Go{V: wire.Version, Type: wire.KindGo, Match: string(id)}))
			}
		}
		if err != nil {
			return s.ended(ctx, c, err)
		}
		select {
		case <-ctx.Done():
			return nil, nil
		case <-news:
		case <-alive.C:
			if err = out.write(nil); err == nil {
				err = s.Lobby.Seek(ctx, seeker)
			}
		}
	}
}
