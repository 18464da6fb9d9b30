package web

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/account"
	"github.com/linesofaction/loa/internal/clock"
	"github.com/linesofaction/loa/internal/live"
	"github.com/linesofaction/loa/internal/lobby"
	"github.com/linesofaction/loa/internal/match"
	"github.com/linesofaction/loa/internal/wire"
)

const (
	seekRenewed = live.SeekLife / 3 // how often a program that looks for a game says that its seek stands
	lobbyPace   = time.Second       // the lobby is sent at most this often
	runningHere = 100               // games of the receiver that are listed

	seeksListed  = 50
	repliesAhead = 4 // after which reading waits for writing
)

// lobbySocket connects a browser to the lobby: who is here, who looks for a game, and the receiver's own seeks,
// which stand while the socket is open, those at days a move also when it is not.
func (s *Server) lobbySocket(w http.ResponseWriter, r *http.Request) {
	person, known, err := s.guest(r)
	var session []byte
	if known {
		session = secretHash(r)
	} else if err == nil {
		person, err = s.newGuest(w, r)
	}
	if err != nil {
		s.internal(w, r, err)
		return
	}
	connection, _, leave, ok := s.upgrade(w, r)
	if !ok {
		return
	}
	defer leave()
	v := &seeker{
		server: s, request: r, connection: connection, person: person, held: s.heldSecrets(r),
		news: make(chan struct{}, 1), own: make(chan struct{}, 1), stopped: make(chan struct{}, 1), here: make(chan struct{}, 1), replies: make(chan any, repliesAhead),
		session: session,
	}
	v.serve()
}

// seeker is one open socket of the lobby. One goroutine reads, one writes.
type seeker struct {
	server     *Server
	request    *http.Request
	connection *websocket.Conn
	person     account.Person
	held       map[match.ID]string // seats the browser holds as somebody else, by their secrets
	news       chan struct{}       // seeks have changed
	own        chan struct{}       // a game or a challenge of this person has come
	stopped    chan struct{}       // another page of this person has ended their seeks
	here       chan struct{}       // the browser has given a sign of life
	session    []byte              // the hash of its secret; nil for one that this request began
	replies    chan any
	orders     chan order
	wish       *lobby.Wish       // what the visitor looks for while the page is open
	seen       map[match.ID]bool // running games the page knows of
	online     int               // people here, as the page knows
	sent       []byte            // the lobby, as the page knows it
}

func (v *seeker) serve() {
	v.server.seekers.Add(1)
	defer v.server.seekers.Add(-1)
	ctx, stop := context.WithCancel(v.request.Context())
	defer stop()
	defer context.AfterFunc(v.server.open, func() {
		v.connection.Close(websocket.StatusServiceRestart, connectAgain)
		stop()
	})()
	defer v.connection.CloseNow()
	defer v.server.presence.visit(v.person.ID)()
	defer v.server.Live.Listen(live.LobbyTopic, func(match.ID, int) { wake(v.news) })()
	defer v.server.Live.Listen(live.StoppedTopic(v.person.ID), func(_ match.ID, seq int) {
		if seq != live.Missed { // one that looks for a game again stands with it
			wake(v.stopped)
		}
	})()
	defer v.server.Live.Listen(live.PersonTopic(v.person.ID), func(match.ID, int) { wake(v.own) })()
	v.orders = make(chan order)
	done := make(chan struct{})
	go func() {
		attend(ctx, v.connection, func() bool { return v.server.stands(ctx, v.session) }, func(time.Duration) { wake(v.here) })
		if ctx.Err() == nil { // else it is closed with a reason
			stop()
			v.connection.CloseNow()
		}
	}()
	go func() {
		defer close(done)
		defer stop()
		if err := v.write(ctx); err != nil && !errors.Is(err, errGone) && ctx.Err() == nil {
			v.server.report(v.request, err)
			status := websocket.StatusInternalError
			if v.server.Away(err) {
				status = websocket.StatusTryAgainLater
			}
			v.connection.Close(status, "")
		}
	}()
	v.read(ctx)
	stop()
	<-done
	v.forget(v.server.Lobby.RestSeeking)
}

// searches counts the pages that look for the same game as the same person, so that one that closes, as when it is loaded again, does not end
// the search of another. Its zero value is ready.
type searches struct {
	mu    sync.Mutex
	pages map[search]int
}

type search struct{ person, setting string }

// begin counts a page in.
func (s *searches) begin(of search) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pages == nil {
		s.pages = map[search]int{}
	}
	s.pages[of]++
}

// end counts a page out and reports whether it was the last one.
func (s *searches) end(of search) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pages[of]--; s.pages[of] > 0 {
		return false
	}
	delete(s.pages, of)
	return true
}

// pursue makes a wish what the page looks for.
func (v *seeker) pursue(wish lobby.Wish) {
	v.server.searches.begin(search{v.person.ID, wish.Setting()})
	v.wish = &wish
}

// giveUp makes nothing what the page looks for, and reports whether no other page of the visitor at this process looks for the same.
func (v *seeker) giveUp() bool {
	if v.wish == nil {
		return false
	}
	setting := v.wish.Setting()
	v.wish = nil
	return v.server.searches.end(search{v.person.ID, setting})
}

// forget ends the visitor's seek, as end does, with the page that made it, so that nobody is paired with somebody who has
// gone. A page at another process that looks for the same says so again. Where the server stops it is the page that stays, and goes
// on at the next one.
func (v *seeker) forget(end func(ctx context.Context, person, setting string) error) {
	if v.wish == nil || v.server.open.Err() != nil {
		return
	}
	setting := v.wish.Setting()
	if !v.giveUp() {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(v.request.Context()), writeWithin)
	defer cancel()
	if err := end(ctx, v.person.ID, setting); err != nil {
		v.server.report(v.request, err)
	}
}

// write sends the lobby as it changes, and leads the page to games that begin.
func (v *seeker) write(ctx context.Context) error {
	if err := v.lead(ctx, false); err != nil {
		return err
	}
	if err := v.sendLobby(ctx); err != nil {
		return err
	}
	pace := time.NewTicker(lobbyPace)
	defer pace.Stop()
	stale := false
	for {
		var err error
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-v.own:
			if err = v.lead(ctx, true); err == nil {
				err = v.sendLobby(ctx)
			}
		case <-v.news:
			stale = true
		case <-pace.C:
			if stale || v.server.presence.online() != v.online {
				stale = false
				err = v.sendChanged(ctx)
			}
		case <-v.stopped:
			if v.wish != nil {
				v.forget(v.server.Lobby.StopSeeking) // for it may have been renewed in between
				err = sendMessage(ctx, v.connection, wire.Unseek{V: wire.Version, Type: wire.KindUnseek})
			}
		case <-v.here: // and not otherwise: nobody should be paired with a telephone that has lost its network
			if v.wish != nil {
				err = v.lead(ctx, true) // whose search has led to a game does not go on with it
			}
			if err == nil && v.wish != nil {
				err = v.seek(ctx, *v.wish)
			}
		case next := <-v.orders:
			if err = v.carryOut(ctx, next); err == nil {
				err = v.sendLobby(ctx)
			}
		case reply := <-v.replies:
			err = sendMessage(ctx, v.connection, reply)
		}
		if err != nil {
			return err
		}
	}
}

// wake tells a writer that has not been told since it last looked.
func wake(news chan struct{}) {
	select {
	case news <- struct{}{}:
	default:
	}
}

// order is what the page asks for in the lobby.
type order struct {
	kind string     // wire.KindSeek, KindUnseek or KindTake
	wish lobby.Wish // to seek
	id   string     // of the seek that stands by itself, to take or to withdraw
}

// carryOut does what the page asks for.
func (v *seeker) carryOut(ctx context.Context, o order) error {
	switch {
	case o.kind == wire.KindTake:
		return v.take(ctx, o.id)
	case o.kind == wire.KindUnseek && o.id != "":
		return v.server.Lobby.Withdraw(ctx, v.person.ID, o.id)
	case o.kind == wire.KindUnseek:
		v.giveUp()
		err := v.server.Lobby.StopSeeking(ctx, v.person.ID, "")
		select {
		case <-v.stopped: // its own word, which must not end what the page looks for next
		default:
		}
		return err
	case o.wish.Days():
		if v.server.quotas.standing.take(v.server.address(v.request).String(), v.server.Now()) > 0 {
			return sendMessage(ctx, v.connection, refused("", "too-fast", "too many seeks that stand come from this address; wait a while"))
		}
		return v.refuse(ctx, v.server.Lobby.Stand(ctx, v.seeker(o.wish)))
	}
	if v.wish == nil || v.wish.Setting() != o.wish.Setting() {
		v.forget(v.server.Lobby.StopSeeking)
		v.pursue(o.wish)
	}
	return v.seek(ctx, o.wish)
}

// seeker is the visitor with a wish.
func (v *seeker) seeker(wish lobby.Wish) lobby.Seeker {
	return lobby.Seeker{Person: v.person.ID, Name: v.person.Name, Guest: v.person.Guest(), Bot: v.person.Bot, Wish: wish}
}

// seek lets the visitor look for a game while the page is open. What is wrong with the wish was checked when it was read.
func (v *seeker) seek(ctx context.Context, wish lobby.Wish) error {
	err := v.server.Lobby.Seek(ctx, v.seeker(wish))
	if errors.Is(err, live.ErrBarred) || v.server.Full(err) {
		v.giveUp()
	}
	return v.refuse(ctx, err)
}

// take begins the game of a seek that stands by itself, and sends the page there.
func (v *seeker) take(ctx context.Context, id string) error {
	begun, err := v.server.Lobby.Take(ctx, id, v.seeker(lobby.Wish{}))
	if err != nil {
		return v.refuse(ctx, err)
	}
	v.seen[begun] = true
	v.forget(v.server.Lobby.StopSeeking)
	return sendMessage(ctx, v.connection, wire.Go{V: wire.Version, Type: wire.KindGo, Match: string(begun)})
}

// refuse tells the page of an error that is an answer, and returns any other.
func (v *seeker) refuse(ctx context.Context, err error) error {
	if v.server.Full(err) {
		return sendMessage(ctx, v.connection, refused("", codeFull, "there is no room to store it, reference "+v.server.report(v.request, err)))
	}
	for _, one := range []struct {
		err  error
		code string
	}{
		{live.ErrBarred, codeBarred},
		{live.ErrManySeeks, "many-seeks"},
		{live.ErrGone, "gone"},
		{live.ErrOutOfRange, "range"},
		{live.ErrBlocked, "blocked"},
		{live.ErrGuest, string(match.NotAllowed)},
		{live.ErrOwn, string(match.NotAllowed)},
	} {
		if errors.Is(err, one.err) {
			return sendMessage(ctx, v.connection, refused("", one.code, err.Error()))
		}
	}
	return err
}

// codeFull refuses what cannot be stored because the disk is full.
const codeFull = "full"

// codeBarred refuses a new game to whom a moderator has barred.
const codeBarred = "barred"

// lead takes note of the visitor's running games and, if told to, sends the page to those it did not know, which ends its search. A game at
// days a move has time: a page that looks for another one stays.
func (v *seeker) lead(ctx context.Context, follow bool) error {
	running, err := v.server.People.RunningMatches(ctx, v.person.ID, runningHere)
	if err != nil {
		return err
	}
	known := v.seen
	v.seen = map[match.ID]bool{}
	for _, id := range running {
		v.seen[id] = true
		if !follow || known[id] {
			continue
		}
		if v.wish != nil {
			m, err := v.server.Live.Match(ctx, id)
			if err != nil {
				return err
			}
			if m.Terms().Control.Kind == clock.Correspondence {
				continue
			}
		}
		v.forget(v.server.Lobby.StopSeeking)
		if err := sendMessage(ctx, v.connection, wire.Go{V: wire.Version, Type: wire.KindGo, Match: string(id)}); err != nil {
			return err
		}
	}
	return nil
}

// sendLobby sends the lobby as it is now.
func (v *seeker) sendLobby(ctx context.Context) error {
	v.sent = nil
	return v.sendChanged(ctx)
}

// sendChanged sends the lobby if it is not as the page knows it.
func (v *seeker) sendChanged(ctx context.Context) error {
	message, err := v.server.lobbyFor(ctx, v.person, v.held)
	if err != nil {
		return err
	}
	v.online = message.Online
	body, err := json.Marshal(message)
	if err != nil || bytes.Equal(body, v.sent) {
		return err
	}
	v.sent = body
	return sendBody(ctx, v.connection, body)
}

// lobbyFor describes the lobby to a person, whose browser may hold seats as somebody else.
func (s *Server) lobbyFor(ctx context.Context, person account.Person, held map[match.ID]string) (wire.Lobby, error) {
	out := wire.Lobby{V: wire.Version, Type: wire.KindLobby, Online: s.presence.online(), Seeks: []wire.Seek{}, Challenges: []wire.Challenge{}, Games: []string{}}
	seen, err := s.Lobby.SeeksFor(ctx, person.ID)
	if err != nil {
		return out, err
	}
	people, now := map[string]bool{}, s.Now()
	for _, one := range seen {
		people[one.Person] = true
	}
	out.Seeking, out.Pools = len(people), pools(seen, person.ID)
	listed := firstSeeks(seen, person.ID)
	out.More = len(seen) - len(listed)
	for _, one := range listed {
		w := one.Wish
		seek := wire.Seek{
			Name: one.Name, Guest: one.Guest, Bot: one.Bot, Rating: int(one.Rating.Mean + 0.5), Provisional: one.Rating.Provisional(),
			Rules: w.Rules.String(), Control: w.Control.String(), Rated: w.Rated, Color: w.Color.String(),
			Below: w.Below, Above: w.Above, Mine: one.Person == person.ID, Prospect: string(one.Prospect),
		}
		if !one.Until.IsZero() {
			seek.ID, seek.Days = one.ID, int((one.Until.Sub(now)+day-1)/day)
		}
		out.Seeks = append(out.Seeks, seek)
	}
	if out.Playing, err = s.playing.count(s.Now(), func() (int, error) { return s.People.CountRunning(ctx) }); err != nil {
		return out, err
	}
	challenges, err := s.Lobby.Challenges(ctx, person.ID)
	if err != nil {
		return out, err
	}
	for _, c := range challenges {
		out.Challenges = append(out.Challenges, wire.Challenge{
			ID: c.ID, From: c.Name, Bot: c.Bot, Rules: c.Wish.Rules.String(), Control: c.Wish.Control.String(), Rated: c.Wish.Rated, Mine: c.From == person.ID,
		})
	}
	if out.Here, out.Bots, err = s.here(ctx, person.ID); err != nil {
		return out, err
	}
	running, err := s.running(ctx, person.ID, held, runningHere)
	if err != nil {
		return out, err
	}
	for _, id := range running {
		out.Games = append(out.Games, string(id))
	}
	awaited, err := s.People.Awaited(ctx, person.ID)
	for _, id := range awaited {
		out.Awaited = append(out.Awaited, string(id))
	}
	return out, err
}

// firstSeeks returns those of many seeks that are listed for a person, in their order: the person's own first, then those of people who are
// there whose game would begin at once, then those that take waiting, then those of people who need not be there.
func firstSeeks(seen []live.Seen, person string) []live.Seen {
	if len(seen) <= seeksListed {
		return seen
	}
	rank := func(one live.Seen) int {
		switch {
		case one.Person == person:
			return 0
		case one.Until.IsZero() && one.Prospect == lobby.AtOnce:
			return 1
		case one.Prospect == lobby.Later:
			return 2
		case one.Prospect == lobby.AtOnce:
			return 3
		}
		return 4
	}
	first := make([]int, len(seen))
	for i := range first {
		first[i] = i
	}
	slices.SortStableFunc(first, func(a, b int) int { return rank(seen[a]) - rank(seen[b]) })
	first = first[:seeksListed]
	slices.Sort(first)
	var listed []live.Seen
	for _, i := range first {
		listed = append(listed, seen[i])
	}
	return listed
}

// pools counts the seeks of others for each quick game, and for each that a person looks for.
func pools(seen []live.Seen, person string) []wire.Pool {
	counted := map[lobby.Game]*wire.Pool{} // nil for a game that is not
	for _, one := range seen {
		if game := one.Wish.Game(); one.Person == person {
			counted[game] = &wire.Pool{Rules: game.Rules.String(), Control: game.Control.String(), Rated: game.Rated}
		}
	}
	for _, one := range seen {
		game := one.Wish.Game()
		pool, known := counted[game]
		if !known {
			pool = &wire.Pool{Rules: game.Rules.String(), Control: game.Control.String(), Rated: game.Rated}
			if !slices.Contains(quickRules, pool.Rules) || !slices.Contains(quickControls, pool.Control) {
				pool = nil
			}
			counted[game] = pool
		}
		switch {
		case pool == nil || one.Person == person:
		case one.Prospect == lobby.AtOnce:
			pool.Now++
		case one.Prospect == lobby.Later:
			pool.Later++
		default:
			pool.Barred++
		}
	}
	var out []wire.Pool
	for _, pool := range counted {
		if pool != nil && pool.Now+pool.Later+pool.Barred > 0 {
			out = append(out, *pool)
		}
	}
	slices.SortFunc(out, func(a, b wire.Pool) int {
		return cmp.Or(cmp.Compare(a.Rules, b.Rules), cmp.Compare(a.Control, b.Control), strings.Compare(fmt.Sprint(a.Rated), fmt.Sprint(b.Rated)))
	})
	return out
}

// read carries out what the page asks, until the socket closes.
func (v *seeker) read(ctx context.Context) {
	speed := v.server.Limits.commands()
	for {
		kind, body, err := receive(ctx, v.connection)
		if err != nil {
			return
		}
		asked, reply := v.obey(kind, body, speed.AllowN(v.server.Now(), 1))
		switch {
		case reply != nil:
			select {
			case v.replies <- reply:
			case <-ctx.Done():
				return
			}
		case asked != nil:
			select {
			case v.orders <- *asked:
			case <-ctx.Done():
				return
			}
		}
	}
}

// obey reads a message and returns what it asks for, or what to answer.
func (v *seeker) obey(kind websocket.MessageType, body []byte, allowed bool) (*order, any) {
	var command wire.LobbyCommand
	malformed := func(err error) (*order, any) { return nil, refused("", "malformed", err.Error()) }
	switch {
	case !allowed:
		return nil, refused("", "too-fast", "too many commands; wait a moment")
	case kind != websocket.MessageText:
		return malformed(errors.New("binary message; expected JSON text"))
	}
	if err := json.Unmarshal(body, &command); err != nil {
		return malformed(unreadable(err))
	}
	if command.V != wire.Version {
		return malformed(fmt.Errorf("version %d; expected %d", command.V, wire.Version))
	}
	switch command.Type {
	case wire.KindPing:
		return nil, wire.Pong{V: wire.Version, Type: wire.KindPong}
	case wire.KindUnseek:
		return &order{kind: command.Type, id: command.ID}, nil
	case wire.KindTake:
		if command.ID == "" {
			return malformed(errors.New("no id; expected that of a seek in the lobby"))
		}
		return &order{kind: command.Type, id: command.ID}, nil
	case wire.KindSeek:
		wish, err := readWish(command.Rules, command.Control, command.Color, command.Rated)
		if err != nil {
			return malformed(err)
		}
		wish.Below, wish.Above = command.Below, command.Above
		if err := wish.Validate(); err != nil {
			return malformed(err)
		}
		if wish.Rated && v.person.Guest() {
			return nil, refused("", string(match.NotAllowed), live.ErrGuest.Error())
		}
		return &order{kind: command.Type, wish: wish}, nil
	}
	return malformed(fmt.Errorf("type %q; expected seek, unseek, take or ping", command.Type))
}

// readWish reads the terms of a game between people.
func readWish(rules, control, color string, rated bool) (lobby.Wish, error) {
	wish := lobby.Wish{Rated: rated, Color: loa.NoColor}
	var err error
	if wish.Rules, err = loa.ParseRules(rules); err != nil {
		return wish, err
	}
	if wish.Control, err = clock.Parse(control); err != nil {
		return wish, err
	}
	if color != "" {
		wish.Color, err = loa.ParseColor(color)
	}
	return wish, err
}

// sendMessage writes one message, within a time after which a browser is given up.
func sendMessage(ctx context.Context, connection *websocket.Conn, message any) error {
	body, err := json.Marshal(message)
	if err != nil {
		return err
	}
	return sendBody(ctx, connection, body)
}

// errGone is the error of writing to a browser that is gone.
var errGone = errors.New("the browser is gone")

func sendBody(ctx context.Context, connection *websocket.Conn, body []byte) error {
	ctx, cancel := context.WithTimeout(ctx, writeWithin)
	defer cancel()
	if err := connection.Write(ctx, websocket.MessageText, body); err != nil {
		return errors.Join(errGone, err)
	}
	return nil
}
