package main

import (
	"context"
	crand "crypto/rand"
	"errors"
	"fmt"
	stdlog "log"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"sync"
	"syscall"
	"time"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/engine"
	"github.com/linesofaction/loa/internal/account"
	"github.com/linesofaction/loa/internal/coach"
	"github.com/linesofaction/loa/internal/live"
	"github.com/linesofaction/loa/internal/mail"
	"github.com/linesofaction/loa/internal/puzzle"
	"github.com/linesofaction/loa/internal/store"
	"github.com/linesofaction/loa/internal/web"
)

// serveCommand opens the club.
type serveCommand struct {
	Listen string `env:"LOA_LISTEN" default:"127.0.0.1:8080" placeholder:"ADDR" help:"Address and port to listen on. Default: ${default}."`
	place
	joining
	thinking
	reporting
	Public   string  `env:"LOA_PUBLIC" placeholder:"URL" help:"Address people use, such as https://example.org or https://example.org/loa, where a proxy changes it."`
	Requests float64 `env:"LOA_REQUESTS" default:"50" placeholder:"N" help:"Pages and sockets a second that one address may ask for. Default: ${default}."`
	NewGames float64 `env:"LOA_NEW_GAMES" default:"1" placeholder:"N" help:"New games, challenges and accounts a second that one address may begin. Default: ${default}."`
	Commands float64 `env:"LOA_COMMANDS" default:"10" placeholder:"N" help:"Commands a second that one socket may send. Default: ${default}."`
	Sockets  int     `env:"LOA_SOCKETS" default:"500" placeholder:"N" help:"Pages with a game, a small board or the lobby that one address may have open at once at this process. Default: ${default}."`
	Mail     string  `env:"LOA_MAIL" placeholder:"URL" help:"Server to send mail by, such as smtp://name:password@mail.example.org. Needs --mail-from and --public. Without it lost passwords are recovered by links from admin recover."`
	MailFrom string  `env:"LOA_MAIL_FROM" placeholder:"ADDR" help:"Sender of mail, such as \"Lines of Action <loa@example.org>\"."`
	Puzzles  string  `env:"LOA_PUZZLES" placeholder:"FILE" help:"Puzzles to offer instead of those that are part of the program, as puzzles mine writes them."`
	Exports  string  `env:"LOA_EXPORTS" placeholder:"DIR" help:"Directory that admin export writes, to offer its files to programs."`
	Develop  bool    `hidden:"" help:"Also show /gallery, every component of the pages in every state."`
	Proxy    bool    `env:"LOA_BEHIND_PROXY" name:"behind-proxy" help:"Take the sender's address from X-Forwarded-For. Only behind a proxy that sets it."`
	configured
}

const (
	matchesInMemory = 10_000
	turnPatience    = 20 * time.Second // ten times what the strongest level takes on a slow machine
	turnSweep       = 10 * time.Second
	turnLease       = 6 * time.Second // three times what a turn mostly takes
	drainTime       = 5 * time.Second // for requests under way when the program is told to stop
)

// Run carries the subcommand out until the program is told to stop.
func (c *serveCommand) Run(streams *Streams) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return c.serve(ctx, streams)
}

func (c *serveCommand) serve(ctx context.Context, streams *Streams) error {
	collectLess()
	limits, err := c.limits()
	if err != nil {
		return err
	}
	if _, err := web.ParsePublic(c.Public); err != nil {
		return usagef("--public: %w", err)
	}
	postman, err := c.postman()
	if err != nil {
		return err
	}
	workers, err := c.engines()
	if err != nil {
		return err
	}
	puzzles, err := c.puzzles()
	if err == nil {
		err = c.offered()
	}
	if err != nil {
		return err
	}
	where, err := c.open(streams)
	if err != nil {
		return err
	}
	if workers == 0 && c.Bus == "" {
		streams.warn("--engines 0 without --bus: a worker finds the computer's turns within %s, and nobody answers questions to the coach", turnSweep)
	}
	log := c.log(streams)
	listener, err := net.Listen("tcp", c.Listen)
	if err != nil {
		return fmt.Errorf("--listen %q: %w", c.Listen, err)
	}
	defer listener.Close()
	db, err := store.Open(ctx, where)
	if err != nil {
		return err
	}
	defer db.Close()
	key, err := db.Key(ctx)
	if err != nil {
		return err
	}
	news, company, leave, err := c.join(key, log)
	if err != nil {
		return err
	}
	defer leave()
	counts := newMeter(db)
	kept := metered{db, counts}
	service := live.New(kept, news, db.Now, matchesInMemory)
	if err := service.Recover(ctx); err != nil {
		return err
	}
	meeting := live.NewLobby(service, kept, func() (string, error) { return account.NewID(crand.Reader) }, rand.Uint64)
	options := web.Options{
		Live: service, Lobby: meeting, Talk: live.NewTalk(service, db),
		People: db, Members: db, Profiles: db, Ratings: db, Follows: db, Tokens: db, Reports: db, Moderation: db, Links: db,
		Puzzlers: db, Puzzles: puzzles, Coach: coach.NewClient(news),
		Exports: c.Exports,
		Checks:  checks(db, company), Figures: counts.figures, Meter: counts,
		Company: company, Key: key, Away: store.Unavailable, Full: store.Full, Log: log, Now: db.Now, Public: c.Public, Proxied: c.Proxy, Limits: limits, Develop: c.Develop,
	}
	if postman != nil {
		options.Letters = db
	}
	site, err := web.New(options)
	if err != nil {
		return err
	}
	defer site.Close()
	counts.site(site, db)
	player := newBot(service, workers, c.Pace, log)
	if workers > 0 {
		silent, err := teach(news, workers, counts)
		if err != nil {
			return err
		}
		defer silent()
		counts.engines(player)
	}
	unwatched, err := metricsServer(c.Metrics, counts, options.Checks, ctx)
	if err != nil {
		return err
	}
	defer unwatched()
	server := &http.Server{
		Handler:           site,
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		ErrorLog:          stdlog.New(anonymous{log}, "", 0),
	}
	var stopped time.Time // when nobody could begin anything here any more
	fmt.Fprintf(streams.Out, "listening on http://%s\n", listener.Addr())
	goodbye := func() {
		stopped = db.Now()
		site.Leave()
		site.Close()
	}
	err = serveUntilDone(ctx, server, listener, goodbye, func(ctx context.Context) error {
		fault := seldom(func(err error) { log.Error("looking after matches", "error", err) })
		var chores sync.WaitGroup
		chores.Go(func() { service.Run(ctx, fault) })
		chores.Go(func() { meeting.Run(ctx, fault) })
		if postman != nil {
			sender := mail.Sender{Outbox: db, Send: postman.Send, Now: db.Now}
			chores.Go(func() { sender.Run(ctx, seldom(func(err error) { log.Error("sending mail", "error", err) })) })
		}
		var err error
		if workers > 0 {
			err = player.Run(ctx)
		}
		chores.Wait()
		return err
	})
	if site.Alone() && !stopped.IsZero() {
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		if err := service.Stop(last, stopped); err != nil {
			log.Error("noting that the club stops; the next start gives back the time since it last ran", "error", err)
		}
	}
	return err
}

// collectLess lets the heap grow to three times what it holds, instead of two: for a process with thousands of sockets
// that costs a few kilobytes for each, and makes a tenth less work of a move.
func collectLess() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(200)
	}
}

// postman returns the server that mail is sent by, nil for none.
func (c *serveCommand) postman() (*mail.Server, error) {
	if c.Mail == "" {
		return nil, nil
	}
	if c.Public == "" {
		return nil, usagef("--mail needs --public: letters carry links to this club")
	}
	server, err := mail.Parse(c.Mail, c.MailFrom)
	if err != nil {
		return nil, usagef("--mail and --mail-from: %w", err)
	}
	return &server, nil
}

// puzzles returns what the club offers.
func (c *serveCommand) puzzles() ([]*puzzle.Puzzle, error) {
	if c.Puzzles == "" {
		return puzzle.Standard()
	}
	puzzles, err := readPuzzles(c.Puzzles)
	if err == nil && len(puzzles) == 0 {
		err = fmt.Errorf("%s: no puzzles, expected one a line", c.Puzzles)
	}
	if err != nil {
		err = fmt.Errorf("--puzzles: %w", err)
	}
	return puzzles, err
}

// offered refuses a directory of exports that is none.
func (c *serveCommand) offered() error {
	if c.Exports == "" {
		return nil
	}
	info, err := os.Stat(c.Exports)
	if err == nil && !info.IsDir() {
		err = errors.New("not a directory")
	}
	if err != nil {
		return fmt.Errorf("--exports %q: %w; expected the directory that loa admin export writes", c.Exports, err)
	}
	return nil
}

// mostASecond is more than any limit can need to be, and what lets tests ask as fast as they can.
const mostASecond = 1e9

// limits returns what one address may ask.
func (c *serveCommand) limits() (web.Limits, error) {
	limits := web.DefaultLimits()
	for _, limit := range []struct {
		flag  string
		value float64
	}{{"requests", c.Requests}, {"new-games", c.NewGames}, {"commands", c.Commands}} {
		if !(limit.value > 0 && limit.value <= mostASecond) {
			return limits, usagef("--%s %g: expected more than 0 and at most %g", limit.flag, limit.value, float64(mostASecond))
		}
	}
	if c.Sockets < 1 || c.Sockets > mostASecond {
		return limits, usagef("--sockets %d: expected 1 to %d", c.Sockets, int(mostASecond))
	}
	limits.Sockets = c.Sockets
	limits.Burst = int(float64(limits.Burst) * max(1, c.Requests/limits.Requests))
	limits.GameRush = int(float64(limits.GameRush) * max(1, c.NewGames/limits.Games))
	limits.Requests, limits.Games, limits.Commands = c.Requests, c.NewGames, c.Commands
	return limits, nil
}

// serveUntilDone runs the server and the chores beside it until ctx is done, then lets both finish, and calls leave when
// nobody can connect any more.
func serveUntilDone(ctx context.Context, server *http.Server, listener net.Listener, leave func(), chores func(context.Context) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var running sync.WaitGroup
	errs := make(chan error, 3)
	running.Go(func() {
		defer cancel()
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			errs <- err
		}
	})
	running.Go(func() {
		defer cancel()
		errs <- chores(ctx)
	})
	<-ctx.Done()
	drain, done := context.WithTimeout(context.Background(), drainTime)
	defer done()
	left := make(chan struct{})
	server.RegisterOnShutdown(func() { // after the listener is closed
		defer close(left)
		leave()
	})
	if err := server.Shutdown(drain); err != nil {
		server.Close()
	}
	<-left
	running.Wait()
	close(errs)
	var all []error
	for err := range errs {
		all = append(all, err)
	}
	return errors.Join(all...)
}

// chooseMove plays a turn at a level. Chance differs from turn to turn, so no two games need be the same.
func chooseMove(ctx context.Context, game *loa.Game, level int) (loa.Move, error) {
	searcher := engine.New(engine.Options{Level: level, Seed: rand.Uint64()})
	result, err := searcher.Search(ctx, game, engine.Limits{}, nil)
	return result.BestMove, err
}

// userDataDir returns where this user's programs keep their data, and a folder of our own there.
func userDataDir() (string, error) {
	home, err := os.UserHomeDir()
	base := os.Getenv("XDG_DATA_HOME")
	switch {
	case base != "":
	case runtime.GOOS == "windows":
		base = os.Getenv("LocalAppData")
	case err == nil && runtime.GOOS == "darwin":
		base = filepath.Join(home, "Library", "Application Support")
	case err == nil:
		base = filepath.Join(home, ".local", "share")
	}
	if base == "" {
		return "", fmt.Errorf("no data directory of the user was found, expected --data DIR: %w", err)
	}
	return filepath.Join(base, "loa"), nil
}
