package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/engine"
	"github.com/linesofaction/loa/internal/clock"
	"github.com/linesofaction/loa/internal/wire"
	"github.com/linesofaction/loa/ugi"
)

// botCommand seats an engine in a club.
type botCommand struct {
	Server    string        `required:"" placeholder:"URL" help:"Address of the club, such as https://example.org."`
	Token     string        `required:"" env:"LOA_TOKEN" placeholder:"TEXT" help:"Token of the bot's account, with the scopes read, play and challenge, made at /account/tokens."`
	Engine    string        `placeholder:"CMD" help:"Command of an engine that speaks the Universal Game Interface, with its arguments. Default: this program's own."`
	Become    bool          `name:"become-bot" help:"Make the account that of a bot, for good. Needs the scope bot."`
	Rules     []string      `placeholder:"R,…" help:"Rule sets to accept. Default: all without changed options."`
	Speeds    []string      `placeholder:"S,…" help:"Speeds to accept: bullet, blitz, rapid, classical, days, unlimited. Default: all but unlimited."`
	Stakes    string        `default:"any" enum:"any,rated,casual" help:"Challenges to accept: ${enum}."`
	From      string        `default:"all" enum:"all,people,bots" help:"Whose challenges to accept: ${enum}."`
	Games     int           `default:"1" placeholder:"N" help:"Games at once. Default: ${default}."`
	MoveTime  time.Duration `name:"movetime" default:"0" placeholder:"T" help:"Time for every move, as far as the clock allows it. Default: what the engine makes of the clock, and 2s without one."`
	Rematch   bool          `help:"Accept rematches."`
	Takebacks bool          `help:"Accept takebacks in casual games."`
	StopAfter int           `default:"0" placeholder:"N" help:"End after so many games; 0 goes on. Default: ${default}."`
}

// Run carries the subcommand out until the program is told to stop. Games under way are taken up when it is started again.
func (c *botCommand) Run(streams *Streams) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return c.play(ctx, streams)
}

func (c *botCommand) play(ctx context.Context, streams *Streams) error {
	b, err := c.bot(streams)
	if err != nil {
		return err
	}
	if err := b.begin(ctx); err != nil {
		return err
	}
	return b.run(ctx)
}

// bot checks the flags.
func (c *botCommand) bot(streams *Streams) (*botRunner, error) {
	b := &botRunner{botCommand: c, streams: streams, command: strings.Fields(c.Engine), games: map[string]bool{}, over: map[string]bool{}, answered: map[string]bool{}, news: make(chan struct{}, 1)}
	if len(b.command) == 0 {
		own, err := os.Executable()
		if err != nil {
			return nil, err
		}
		b.command = []string{own, "ugi"}
	}
	for _, text := range c.Rules {
		if _, err := parseRules(text); err != nil {
			return nil, usageError{err}
		}
	}
	speeds := []string{unlimited}
	for speed := range clock.Days + 1 {
		speeds = append(speeds, speed.String())
	}
	for _, text := range c.Speeds {
		if !slices.Contains(speeds, text) {
			return nil, usagef("--speeds %q: expected some of %s", text, strings.Join(speeds, ", "))
		}
	}
	if c.Games < 1 || c.Games > mostBotGames {
		return nil, usagef("--games %d: expected 1 to %d", c.Games, mostBotGames)
	}
	if c.MoveTime < 0 || c.StopAfter < 0 {
		return nil, usagef("--movetime %s, --stop-after %d: expected 0 or more", c.MoveTime, c.StopAfter)
	}
	var err error
	b.api, err = newAPIClient(c.Server, c.Token, seldom(func(err error) { b.say("trying again: %s", oneLine(err)) }))
	return b, err
}

const (
	mostBotGames = 50
	unlimited    = "unlimited"
	usualTime    = 2 * time.Second        // for a move without a clock
	overhead     = 300 * time.Millisecond // of a move's way to the club, taken from the clock
	rematchWait  = time.Minute
	mostFailures = 3 // of the engine in one game, before it is given up
)

// botRunner is an engine in the seats of an account.
type botRunner struct {
	*botCommand
	streams *Streams
	api     *apiClient
	command []string
	name    string

	mu       sync.Mutex
	own      wire.Own        // as the club has told it last
	games    map[string]bool // being played, or about to be
	over     map[string]bool // games that have ended
	answered map[string]bool // challenges that were declined or accepted
	done     int
	saying   sync.Mutex
	news     chan struct{} // of what the club tells, or of room for another game
	stop     context.CancelFunc
	running  sync.WaitGroup
}

// say tells on the output what the bot does.
func (b *botRunner) say(format string, args ...any) {
	b.saying.Lock()
	defer b.saying.Unlock()
	fmt.Fprintf(b.streams.Out, format+"\n", args...)
}

// begin finds out whose token it is, and tries the engine, so that what is wrong shows at once.
func (b *botRunner) begin(ctx context.Context) error {
	var account wire.Account
	if err := b.api.once(ctx, http.MethodGet, "/api/v1/account", nil, &account); err != nil {
		return fmt.Errorf("%s: %w", b.Server, err)
	}
	for _, scope := range []string{"read", "play", "challenge"} {
		if !slices.Contains(account.Scopes, scope) {
			return fmt.Errorf("the token may %s; expected also %s", strings.Join(account.Scopes, ", "), scope)
		}
	}
	program, err := ugi.Start(ctx, b.command[0], b.command[1:]...)
	if err != nil {
		return fmt.Errorf("--engine: %w", err)
	}
	name := program.Name
	if err := program.Close(); err != nil {
		return fmt.Errorf("--engine %q: %w", strings.Join(b.command, " "), err)
	}
	if !account.Bot && !b.Become {
		return fmt.Errorf("%s is the account of a person; --become-bot makes it that of a bot, for good", account.Name)
	}
	if !account.Bot {
		if err := b.api.once(ctx, http.MethodPost, "/api/v1/account/bot", nil, &account); err != nil {
			return fmt.Errorf("making %s a bot: %w", account.Name, err)
		}
	}
	b.name = account.Name
	b.say("%s plays as %s at %s", name, account.Name, b.Server)
	return nil
}

// run follows the account and plays what comes.
func (b *botRunner) run(ctx context.Context) error {
	ctx, b.stop = context.WithCancel(ctx)
	defer b.running.Wait()
	defer b.stop()
	b.running.Go(func() { b.attend(ctx) })
	var p pauses
	for ctx.Err() == nil {
		err := b.api.lines(ctx, "/api/v1/account/stream", func(line []byte) error {
			p = pauses{}
			var own wire.Own
			if err := json.Unmarshal(line, &own); err != nil {
				return err
			}
			b.tell(own)
			return nil
		})
		if ctx.Err() != nil {
			return nil
		}
		if err != nil && !passing(err) {
			return err
		}
		if err == nil {
			err = errors.New("the club has ended the stream")
		}
		b.api.trying(err)
		p.after(ctx, err)
	}
	return nil
}

// tell notes what the club tells of the account, which is attended to.
func (b *botRunner) tell(own wire.Own) {
	b.mu.Lock()
	b.own = own
	b.mu.Unlock()
	b.wake()
}

func (b *botRunner) wake() {
	select {
	case b.news <- struct{}{}:
	default:
	}
}

// attend takes up the games it is in, and answers challenges, whenever there is news: a challenge that comes while there is no
// room for another game is answered when there is.
func (b *botRunner) attend(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-b.news:
		}
		b.mu.Lock()
		own := b.own
		b.mu.Unlock()
		for _, game := range own.Games {
			b.take(ctx, game.Match)
		}
		for _, one := range slices.Backward(own.Challenges) { // the oldest first
			if !one.Mine && one.To != "" {
				b.answer(ctx, one)
			}
		}
	}
}

// answer accepts a challenge that is wanted if there is room for its game, and declines one that is not.
func (b *botRunner) answer(ctx context.Context, one wire.Invitation) {
	b.mu.Lock()
	full, answered := len(b.games) >= b.Games || b.StopAfter > 0 && b.done+len(b.games) >= b.StopAfter, b.answered[one.ID]
	b.mu.Unlock()
	why := b.unwanted(one)
	if answered || why == "" && full {
		return
	}
	path := "/api/v1/challenges/" + one.ID
	if why != "" {
		b.say("declining %s by %s: %s", one.ID, one.From, why)
		b.settled(one)
		if err := b.api.once(ctx, http.MethodPost, path+"/decline", nil, nil); err != nil {
			b.say("declining %s: %s", one.ID, oneLine(err))
		}
		return
	}
	var begun wire.Begun
	if err := b.api.once(ctx, http.MethodPost, path+"/accept", nil, &begun); err != nil {
		b.say("accepting %s by %s: %s", one.ID, one.From, oneLine(err))
		return
	}
	b.settled(one)
	b.take(ctx, begun.Match)
}

// settled notes that a challenge needs no answer any more.
func (b *botRunner) settled(one wire.Invitation) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.answered[one.ID] = true
}

// unwanted says why a challenge is not accepted, or nothing.
func (b *botRunner) unwanted(one wire.Invitation) string {
	rules, err := loa.ParseRules(one.Rules)
	if err != nil {
		return err.Error()
	}
	control, err := clock.Parse(one.Control)
	if err != nil {
		return err.Error()
	}
	rules.Seed = 0
	name, speed := rules.String(), control.Speed().String()
	if control.Kind == clock.Unlimited {
		speed = unlimited
	}
	switch {
	case len(b.Rules) > 0 && !slices.Contains(b.Rules, name), len(b.Rules) == 0 && strings.Contains(name, ":"):
		return "the rules " + name + " are not played"
	case len(b.Speeds) > 0 && !slices.Contains(b.Speeds, speed), len(b.Speeds) == 0 && speed == unlimited:
		return "the speed " + speed + " is not played"
	case b.Stakes == "rated" && !one.Rated:
		return "only rated games are played"
	case b.Stakes == "casual" && one.Rated:
		return "only casual games are played"
	case b.From == "people" && one.Bot:
		return "bots are not played"
	case b.From == "bots" && !one.Bot:
		return "only bots are played"
	}
	return ""
}

// take plays a game unless it is being played.
func (b *botRunner) take(ctx context.Context, id string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.games[id] || b.over[id] {
		return
	}
	b.games[id] = true
	b.running.Go(func() {
		p := &botGame{botRunner: b, id: id}
		err := p.play(ctx)
		if err != nil && ctx.Err() == nil {
			b.say("%s: %s", id, oneLine(err))
		}
		b.finished(id)
	})
}

// finished makes room for another game.
func (b *botRunner) finished(id string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.games[id] {
		return
	}
	delete(b.games, id)
	b.over[id] = true
	if b.done++; b.StopAfter > 0 && b.done >= b.StopAfter {
		b.stop()
	}
	b.wake()
}

// botGame is one game of a bot.
type botGame struct {
	*botRunner
	id       string
	program  *ugi.Client
	failures int
	hurry    context.CancelFunc // ends a search under way
	state    wire.Snapshot      // as it stands
	at       time.Time          // when that was known
	made     int                // the number at which the last move was made, whose news are on their way
	told     bool               // how it ended
}

// thought is what the engine came to.
type thought struct {
	seq  int
	move loa.Move
	err  error
}

// play plays a game to its end, whatever happens to the connection.
func (g *botGame) play(ctx context.Context) error {
	defer func() {
		if g.program != nil {
			_ = g.program.Close() // it may be told to end while it thinks
		}
	}()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	news := make(chan []byte)
	ended := make(chan error, 1)
	var following sync.WaitGroup
	defer following.Wait()
	defer cancel()
	following.Go(func() { ended <- g.follow(ctx, news) })
	thoughts := make(chan thought, 1)
	thinking := false
	g.hurry = func() {}
	defer func() {
		if g.hurry(); thinking {
			<-thoughts
		}
	}()
	claim := time.NewTimer(time.Hour)
	defer claim.Stop()
	over := time.NewTimer(time.Hour)
	defer over.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case err := <-ended:
			return err
		case <-over.C:
			return nil
		case <-claim.C:
			g.tell(ctx, wire.Command{Type: wire.KindClaim})
		case line := <-news:
			changed, err := g.take(ctx, line, claim)
			if err != nil {
				return err
			}
			if !changed {
				continue
			}
			g.hurry() // what is thought of is no longer the position
			if g.state.Outcome != nil {
				if !g.told {
					g.told = true
					g.say("%s: %s", g.id, outcomeText(g.state))
					g.finished(g.id)
					over.Reset(rematchWait)
				}
				if !g.Rematch || g.state.Next != "" {
					return nil
				}
			}
		case t := <-thoughts:
			thinking = false
			if t.seq == g.state.Seq && g.state.Can.Move && g.state.Outcome == nil {
				if err := g.answer(ctx, t); err != nil {
					return err
				}
			}
		}
		if !thinking && g.state.Seq > 0 && g.state.Can.Move && g.state.Outcome == nil && g.made != g.state.Seq {
			thinking = true
			searching, hurry := context.WithCancel(ctx)
			g.hurry = hurry
			seq, state, since := g.state.Seq, g.state, time.Since(g.at)
			go func() {
				move, err := g.think(searching, state, since)
				thoughts <- thought{seq, move, err}
			}()
		}
	}
}

// follow reads the stream of the game, again and again where it breaks off.
func (g *botGame) follow(ctx context.Context, news chan<- []byte) error {
	var p pauses
	for {
		err := g.api.lines(ctx, "/api/v1/games/"+g.id+"/stream", func(line []byte) error {
			p = pauses{}
			select {
			case news <- bytes.Clone(line):
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		})
		if ctx.Err() != nil {
			return nil
		}
		if err != nil && !passing(err) {
			return err
		}
		if err == nil {
			err = errors.New("the club has ended the stream")
		}
		g.api.trying(err)
		p.after(ctx, err)
	}
}

// take takes a line in and reports whether the game has changed.
func (g *botGame) take(ctx context.Context, line []byte, claim *time.Timer) (bool, error) {
	var head struct{ Type string }
	if err := json.Unmarshal(line, &head); err != nil {
		return false, err
	}
	switch head.Type {
	case wire.KindSnapshot:
		first, before := g.state.Seq == 0, g.state.Seq
		var next wire.Snapshot
		if err := json.Unmarshal(line, &next); err != nil {
			return false, err
		}
		g.state, g.at = next, time.Now()
		if first {
			you, other := next.You, "white"
			if you == "white" {
				other = "black"
			}
			control := unlimited
			if next.Clock != nil {
				control = next.Clock.Control
			}
			g.say("%s: playing %s as %s, %s %s", g.id, seatText(next.Seats[other]), you, next.Rules.Name, control)
		}
		g.reply(ctx)
		return before != next.Seq, nil
	case wire.KindUpdate:
		var update wire.Update
		if err := json.Unmarshal(line, &update); err != nil {
			return false, err
		}
		if update.From != g.state.Seq || update.Keep > len(g.state.Plies) {
			return false, fmt.Errorf("an update from %d after %d", update.From, g.state.Seq)
		}
		g.state.Plies = append(slices.Clone(g.state.Plies[:update.Keep]), update.Plies...)
		g.state.Seq, g.state.Position, g.state.State, g.at = update.Seq, update.Position, update.State, time.Now()
		claim.Reset(time.Hour)
		g.reply(ctx)
		return true, nil
	case wire.KindPresence:
		var here wire.Presence
		if err := json.Unmarshal(line, &here); err != nil {
			return false, err
		}
		claim.Reset(time.Hour)
		after := time.Duration(g.state.Can.ClaimAfter) * time.Millisecond
		if gone := g.state.You == "black" && !here.White || g.state.You == "white" && !here.Black; gone && after > 0 && !g.state.Can.Move && g.state.Outcome == nil {
			claim.Reset(max(0, after-time.Duration(here.Away)*time.Millisecond) + time.Second)
		}
	}
	return false, nil
}

// reply answers what the other side offers.
func (g *botGame) reply(ctx context.Context) {
	offers, ply := g.state.Offers, len(g.state.Plies)
	theirs := func(offer string) bool { return offers[offer] != "" && offers[offer] != g.state.You }
	if theirs("draw") {
		g.tell(ctx, wire.Command{Type: wire.KindDecline, Offer: "draw"})
	}
	if theirs("takeback") {
		command := wire.Command{Type: wire.KindDecline, Offer: "takeback"}
		if g.Takebacks {
			command = wire.Command{Type: wire.KindTakeback, Ply: ply}
		}
		g.tell(ctx, command)
	}
	if theirs("rematch") && g.Rematch {
		g.tell(ctx, wire.Command{Type: wire.KindRematch, Ply: ply})
	}
}

// tell sends a command of which nothing depends.
func (g *botGame) tell(ctx context.Context, command wire.Command) {
	command.Client = fmt.Sprintf("bot-%s-%d", command.Type, g.state.Seq)
	if err := g.api.once(ctx, http.MethodPost, "/api/v1/games/"+g.id+"/commands", command, nil); err != nil && ctx.Err() == nil {
		g.say("%s: %s: %s", g.id, command.Type, oneLine(err))
	}
}

// answer makes the move that the engine has found. What is refused because the game has moved on is forgotten, and the
// news say how it stands.
func (g *botGame) answer(ctx context.Context, t thought) error {
	command := wire.Command{Type: wire.KindMove, Client: fmt.Sprint("bot-", t.seq), Ply: len(g.state.Plies), Move: t.move.String()}
	if t.err != nil {
		if ctx.Err() != nil {
			return nil
		}
		g.say("%s: the engine: %s", g.id, oneLine(t.err))
		if g.program != nil {
			_ = g.program.Close() // it has failed
			g.program = nil
		}
		if g.failures++; g.failures < mostFailures {
			return nil
		}
		g.say("%s: the engine has failed %d times, resigning", g.id, g.failures)
		command = wire.Command{Type: wire.KindResign, Client: fmt.Sprint("bot-resign-", t.seq)}
	}
	err := g.api.ask(ctx, http.MethodPost, "/api/v1/games/"+g.id+"/commands", command, nil)
	var refused *apiError
	if ctx.Err() != nil || err == nil || errors.As(err, &refused) && refused.status == http.StatusConflict {
		g.made = t.seq
		return nil
	}
	return err
}

// think lets the engine look for a move.
func (g *botGame) think(ctx context.Context, state wire.Snapshot, since time.Duration) (loa.Move, error) {
	var none loa.Move
	game, err := gameOf(state)
	if err != nil {
		return none, err
	}
	if g.program == nil {
		if g.program, err = ugi.Start(context.WithoutCancel(ctx), g.command[0], g.command[1:]...); err != nil {
			return none, err
		}
		if err := g.program.NewGame(ctx); err != nil {
			return none, err
		}
	}
	limits, err := g.limits(state, since)
	if err != nil {
		return none, err
	}
	move, _, err := g.program.Search(ctx, game, limits, nil)
	return move, err
}

// limits returns how long the engine may think.
func (b *botRunner) limits(state wire.Snapshot, since time.Duration) (engine.Limits, error) {
	if state.Clock == nil {
		if b.MoveTime > 0 {
			return engine.Limits{MoveTime: b.MoveTime}, nil
		}
		return engine.Limits{MoveTime: usualTime}, nil
	}
	control, err := clock.Parse(state.Clock.Control)
	if err != nil {
		return engine.Limits{}, err
	}
	mine, theirs := state.Clock.Black, state.Clock.White
	if state.You == "white" {
		mine, theirs = theirs, mine
	}
	const ms = time.Millisecond
	left := time.Duration(mine.Left)*ms - overhead
	if state.Clock.Running != "" {
		left -= since
	}
	left = max(left, 20*ms)
	var limits engine.Limits
	switch control.Kind {
	case clock.Correspondence:
		limits.MoveTime = 5 * time.Second
	case clock.PerMove:
		limits.MoveTime = left * 3 / 4
	case clock.Byoyomi:
		if mine.Period {
			limits.MoveTime = left * 3 / 4
			break
		}
		fallthrough
	default:
		limits.Clock = &engine.Clock{Left: left, Increment: control.Step, OpponentLeft: time.Duration(theirs.Left) * ms, OpponentIncrement: control.Step}
	}
	if b.MoveTime > 0 {
		limits = engine.Limits{MoveTime: min(b.MoveTime, left/4)}
	}
	return limits, nil
}

// gameOf plays a game again as far as it has come.
func gameOf(state wire.Snapshot) (*loa.Game, error) {
	rules, err := loa.ParseRules(state.Rules.Name)
	if err != nil {
		return nil, err
	}
	if rules.Start == loa.StartRandom {
		rules.Seed = state.Rules.Seed
	}
	for _, turn := range []string{" b", " w"} { // the board does not say who moves first, but the first move does
		setup, err := loa.ParseSetup(state.Start.Board + turn)
		if err != nil {
			return nil, err
		}
		game, err := loa.NewGameFrom(rules, setup)
		for i := 0; err == nil && i < len(state.Plies); i++ {
			var move loa.Move
			if move, _, err = loa.ParseMove(state.Plies[i].Move); err == nil {
				err = game.Play(move)
			}
		}
		if err == nil && game.Position().Turn().String() == state.Position.Turn {
			return game, nil
		}
	}
	return nil, fmt.Errorf("the moves of the game cannot be played under the rules %s", state.Rules.Name)
}

// seatText names who holds a seat.
func seatText(seat wire.Seat) string {
	switch {
	case seat.Kind == "engine":
		return fmt.Sprintf("the computer at level %d", seat.Level)
	case seat.Kind == "guest":
		return "guest " + seat.Name
	case seat.Bot:
		return seat.Name + " (bot)"
	}
	return seat.Name
}

// outcomeText says how a game has ended.
func outcomeText(state wire.Snapshot) string {
	switch state.Outcome.Winner {
	case state.You:
		return "won, " + state.Outcome.Reason
	case loa.NoColor.String():
		return "no winner, " + state.Outcome.Reason
	}
	return "lost, " + state.Outcome.Reason
}
