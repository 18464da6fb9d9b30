package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/clock"
	"github.com/linesofaction/loa/internal/match"
	"github.com/linesofaction/loa/internal/store"
	"github.com/linesofaction/loa/internal/wire"
)

// chaosCommand plays against a server that is killed again and again, and then counts what was lost.
type chaosCommand struct {
	Time  time.Duration `default:"30s" help:"How long to play and kill."`
	Pairs int           `default:"6" help:"Pairs of people who play at once."`
	Seed  uint64        `default:"1" help:"Chooses moves and instants."`
}

// unlike are letters that no two of are mistaken for each other in a name.
const unlike = "acdeghkmpqstuwxyz"

// chaos is one run: a server, its people, and what they were told.
type chaos struct {
	server *ownServer
	people []*visitor
	think  time.Duration            // that a player takes for a move
	cost   time.Duration            // of a kill, at most, to a clock
	worst  map[string]time.Duration // that a game cost a clock beside what its player thought, by what disturbed it, if one thing did

	mu      sync.Mutex
	kills   int
	hands   int                      // sockets that went over to another server before their own left
	breaks  int                      // times that a player was without one
	moves   map[string]told          // what the server said of every command, by client id
	thought map[string]time.Duration // from a turn's arrival to its move, by client id
	games   map[match.ID]*record
}

// newChaos returns a run in which a disturbance may cost a clock so much.
func newChaos(cost time.Duration) *chaos {
	return &chaos{cost: cost, worst: map[string]time.Duration{}, moves: map[string]told{}, thought: map[string]time.Duration{}, games: map[match.ID]*record{}}
}

// told is the server's word on a command.
type told struct {
	match match.ID
	seq   int // acknowledged as; 0 for refused
}

// record is what the players of a game know of it.
type record struct {
	thought [2]time.Duration // from a turn's arrival to its move, by color
	moved   [2]int
	kills   int    // of the server while it was played
	why     string // what the last of them was
	over    bool
}

// Run carries the subcommand out. It ends with a line of counts, and fails when anything was lost.
func (c *chaosCommand) Run(streams *Streams) error {
	if c.Pairs < 1 || c.Pairs > 100 || c.Time <= 0 {
		return usagef("--pairs %d, --time %s: expected 1 to 100 pairs and more than no time", c.Pairs, c.Time)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	server, err := startServer(ctx, "serve", "--requests", "100000", "--new-games", "100000", "--commands", "100000", "--sockets", "100000")
	if err != nil {
		return err
	}
	defer server.remove()
	run := newChaos(restart)
	run.server = server
	err = run.play(ctx, c)
	if stop := server.stop(); err == nil {
		err = stop
	}
	if err != nil {
		return err
	}
	faults, err := run.check(ctx, server.dir)
	if err != nil {
		return err
	}
	acknowledged := run.acknowledged()
	for _, fault := range faults {
		fmt.Fprintln(streams.Err, fault)
	}
	fmt.Fprintf(streams.Out, "kills %d, games %d, acknowledged moves %d, lost %d\n", run.kills, len(run.games), acknowledged, len(faults))
	if len(faults) > 0 {
		return fmt.Errorf("%d faults after %d kills", len(faults), run.kills)
	}
	return nil
}

// kill kills the server without warning and starts it again at the same address.
func (r *chaos) kill(ctx context.Context) error {
	if err := r.server.kill(); err != nil {
		return err
	}
	r.disturb("kill")
	return r.server.start(ctx)
}

// disturb counts a disturbance that may cost time in the games being played.
func (r *chaos) disturb(what string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.kills++
	for _, game := range r.games {
		if !game.over {
			game.kills++
			game.why = what
		}
	}
}

// handed counts a socket that went over to another server.
func (r *chaos) handed() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.hands++
}

// broken counts a player who was without a socket.
func (r *chaos) broken() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.breaks++
}

// acknowledged counts the commands that the server has acknowledged.
func (r *chaos) acknowledged() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := 0
	for _, t := range r.moves {
		if t.seq > 0 {
			n++
		}
	}
	return n
}

// play lets pairs of members play rated games while the server is killed, until the time is over, and lets them
// finish what they began.
func (r *chaos) play(ctx context.Context, c *chaosCommand) error {
	for i := range 2 * c.Pairs {
		v, err := newVisitor(r.server.base, http.DefaultTransport)
		if err != nil {
			return err
		}
		name := fmt.Sprintf("player-%c%c", unlike[i/len(unlike)], unlike[i%len(unlike)])
		if _, err := v.post(ctx, "/join", url.Values{"name": {name}, "password": {"a password for " + name}}); err != nil {
			return fmt.Errorf("joining as %s: %w", name, err)
		}
		r.people = append(r.people, v)
	}
	enough := time.Now().Add(c.Time)
	errs := make(chan error, c.Pairs)
	for pair := range c.Pairs {
		chance := rand.New(rand.NewPCG(c.Seed, uint64(pair)))
		go func() {
			var err error
			for err == nil && time.Now().Before(enough) {
				err = r.game(ctx, [2]*visitor{r.people[2*pair], r.people[2*pair+1]}, chance)
			}
			errs <- err
		}()
	}
	chance := rand.New(rand.NewPCG(c.Seed, 1<<32))
	left := c.Pairs
	var first error
	for left > 0 {
		pause := time.Duration(300+chance.IntN(1200)) * time.Millisecond
		if time.Now().After(enough) {
			pause = time.Hour
		}
		select {
		case err := <-errs:
			left--
			if first == nil {
				first = err
			}
		case <-time.After(pause):
			if err := r.kill(ctx); err != nil {
				return err
			}
		}
	}
	return first
}

// game lets two people meet by a challenge and play to the end.
func (r *chaos) game(ctx context.Context, people [2]*visitor, chance *rand.Rand) error {
	var path string
	err := retry(ctx, func() error {
		invitation, err := people[0].post(ctx, "/challenge", url.Values{"rules": {"mini"}, "control": {"3+2"}, "color": {"black"}, "rated": {"1"}})
		if err != nil {
			people[0].elsewhere()
			return err
		}
		return retry(ctx, func() error {
			path, err = people[1].post(ctx, invitation+"/accept", url.Values{})
			var refused *errAnswer
			if errors.As(err, &refused) && refused.code == http.StatusConflict {
				return nil // taken before the answer was lost; its game is aborted for want of a first move
			}
			if err != nil {
				people[1].elsewhere()
			}
			return err
		})
	})
	if err != nil || path == "" {
		return err
	}
	id := match.ID(strings.TrimPrefix(path, "/game/"))
	r.mu.Lock()
	r.games[id] = new(record)
	r.mu.Unlock()
	errs := make(chan error, 2)
	for i, v := range people {
		seat := &chaosSeat{run: r, visitor: v, id: id, chance: rand.New(rand.NewPCG(chance.Uint64(), uint64(i)))}
		go func() { errs <- seat.play(ctx) }()
	}
	return errors.Join(<-errs, <-errs)
}

// chaosSeat is one player of one game.
type chaosSeat struct {
	run     *chaos
	visitor *visitor
	id      match.ID
	chance  *rand.Rand
	state   *wire.Snapshot
	pending *wire.Command // sent, and not answered
	sent    int
	turn    int       // the ply that is thought about
	seen    time.Time // since when
}

// play plays until the game is over, connecting again whenever the server is gone.
func (s *chaosSeat) play(ctx context.Context) error {
	for {
		over := false
		err := retry(ctx, func() error {
			connection, err := s.dial(ctx)
			for err == nil {
				var next *websocket.Conn
				next, over, err = s.converse(ctx, connection)
				connection.CloseNow()
				if next == nil {
					break
				}
				connection = next
			}
			if err != nil {
				s.run.broken()
				s.visitor.elsewhere()
			}
			return err
		})
		if over || err != nil {
			return err
		}
	}
}

// dial opens a socket on the game.
func (s *chaosSeat) dial(ctx context.Context) (*websocket.Conn, error) {
	return s.visitor.dial(ctx, "/game/"+string(s.id)+"/socket")
}

// heard is what a socket brought.
type heard struct {
	message any
	err     error
}

// converse plays on one socket and reports whether the game is over. An error means that the socket is gone; a next one,
// that it was opened because the server leaves.
func (s *chaosSeat) converse(ctx context.Context, connection *websocket.Conn) (next *websocket.Conn, over bool, err error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	messages := make(chan heard)
	go func() {
		for err := error(nil); err == nil; {
			var message any
			message, err = read(ctx, connection)
			select {
			case messages <- heard{message, err}:
			case <-ctx.Done():
				return
			}
		}
	}()
	for {
		var due <-chan time.Time
		if s.state != nil && s.state.Can.Move && s.pending == nil {
			if ply := len(s.state.Plies); s.turn != ply || s.seen.IsZero() {
				s.turn, s.seen = ply, time.Now()
			}
			due = time.After(time.Until(s.seen.Add(s.run.think)))
		}
		var h heard
		select {
		case <-due:
			if err := s.move(ctx, connection); err != nil {
				return nil, false, err
			}
			continue
		case <-time.After(s.visitor.patience):
			return nil, false, fmt.Errorf("nothing was heard for %s", s.visitor.patience)
		case h = <-messages:
		}
		if h.err != nil {
			return nil, false, h.err
		}
		switch m := h.message.(type) {
		case *wire.Snapshot:
			s.state = m
			if s.pending != nil { // the answer was lost: the same command has the same answer
				if err := write(ctx, connection, *s.pending); err != nil {
					return nil, false, err
				}
			}
		case *wire.Update:
			if !follow(s.state, m) {
				if err := write(ctx, connection, wire.Command{V: wire.Version, Type: wire.KindResume, Match: string(s.id)}); err != nil {
					return nil, false, err
				}
				continue
			}
		case *wire.Ack:
			s.answered(m.Client, m.Seq)
			if s.state != nil && m.Seq > s.state.Seq {
				s.state.Can.Move = false // what the move changed has not arrived yet
			}
		case *wire.Refused:
			if m.Code == "internal" || m.Code == "too-fast" {
				return nil, false, fmt.Errorf("refused: %s", m.Text)
			}
			s.answered(m.Client, 0)
		case *wire.Leave:
			s.visitor.elsewhere()
			if next, err := s.dial(ctx); err == nil {
				s.run.handed()
				return next, false, nil
			}
			s.visitor.elsewhere() // the one that leaves, for as long as it does
		}
		if s.state != nil && s.state.Outcome != nil && s.pending == nil {
			s.run.mu.Lock()
			s.run.games[s.id].over = true
			s.run.mu.Unlock()
			return nil, true, nil
		}
	}
}

// answered notes the server's word on a command, which must not change.
func (s *chaosSeat) answered(client string, seq int) {
	s.run.mu.Lock()
	defer s.run.mu.Unlock()
	s.run.moves[client] = told{s.id, seq}
	if s.pending != nil && s.pending.Client == client {
		s.pending = nil
	}
}

// move sends a move: one that leaves few groups, so that games end.
func (s *chaosSeat) move(ctx context.Context, connection *websocket.Conn) error {
	position, err := loa.ParsePosition(s.state.Position.Board+" "+s.state.Position.Turn[:1], loa.Rules{})
	if err != nil {
		return err
	}
	best, fewest := "", 1<<30
	for _, text := range s.state.Position.Moves {
		move, _, err := loa.ParseMove(text)
		if err != nil {
			return err
		}
		groups := position.PlayUnchecked(move).Pieces(position.Turn()).CountGroups()*4 + s.chance.IntN(6)
		if groups < fewest {
			best, fewest = text, groups
		}
	}
	s.sent++
	command := &wire.Command{
		V: wire.Version, Type: wire.KindMove, Match: string(s.id), Client: fmt.Sprintf("%s-%s-%d", s.id, s.state.You, s.sent),
		Ply: len(s.state.Plies), Move: best,
	}
	s.pending = command
	s.run.mu.Lock()
	game, thought := s.run.games[s.id], time.Since(s.seen)
	s.run.thought[command.Client] = thought
	game.thought[position.Turn()] += thought
	game.moved[position.Turn()]++
	s.run.mu.Unlock()
	return write(ctx, connection, *command)
}

// restart is the time that one kill may cost a clock: the last sign of life is up to a second old, and the players
// have to connect again.
const restart = 2 * time.Second

// check opens what the server left behind and lists everything that does not agree with what players were told.
func (r *chaos) check(ctx context.Context, place string) (faults []string, err error) {
	db, err := store.Open(ctx, place)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	stored := map[string]told{}
	for id, game := range r.games {
		log, err := db.Entries(ctx, id, 0)
		if err != nil {
			return nil, err
		}
		m, err := match.Replay(id, log)
		if err != nil {
			return nil, err
		}
		for _, entry := range log {
			if entry.Client == "" {
				continue
			}
			if _, twice := stored[entry.Client]; twice {
				fault("command %s is stored twice", entry.Client)
			}
			stored[entry.Client] = told{id, entry.Seq}
		}
		if !m.Outcome().Over() {
			fault("match %s is stuck after %d plies", id, m.Game().Plies())
		}
		if m.BetweenPeople() {
			if lost := checkClocks(m, game, r.cost, fault); game.kills < 2 {
				r.worst[game.why] = max(r.worst[game.why], lost)
			}
		}
	}
	for client, t := range r.moves {
		switch at, ok := stored[client]; {
		case t.seq > 0 && (!ok || at != t):
			fault("command %s was acknowledged as %d of match %s and is stored as %d of %q", client, t.seq, t.match, at.seq, at.match)
		case t.seq == 0 && ok:
			fault("command %s was refused and is stored", client)
		}
	}
	if err := db.CheckRatings(ctx); err != nil {
		fault("%v", err)
	}
	return faults, nil
}

// checkClocks holds the clocks of a finished match against the time its players took, and returns the most that one of
// them lost beside it.
func checkClocks(m *match.Match, game *record, cost time.Duration, fault func(string, ...any)) (worst time.Duration) {
	if reason := m.Outcome().Reason; reason == loa.Flag || reason == loa.Aborted && game.moved != [2]int{} {
		fault("match %s ended by %s, and its players moved at once", m.ID(), reason)
	}
	control := m.Terms().Control
	for c := range loa.Color(2) {
		left := m.Clock().Left(c, m.Updated())
		clocked := max(0, game.moved[c]-1) // the first move is off the clock
		most := control.Base + time.Duration(clocked)*control.Step + clock.MaxLagGame
		least := control.Base - game.thought[c] - time.Duration(game.kills+1)*cost
		if left > most || left < least {
			fault("match %s: %s has %s left, expected %s to %s", m.ID(), c, left, least, most)
		}
		if game.moved[c] > 0 {
			worst = max(worst, control.Base+time.Duration(clocked)*control.Step-game.thought[c]-left)
		}
	}
	return worst
}
