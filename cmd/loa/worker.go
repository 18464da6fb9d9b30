package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"github.com/linesofaction/loa/internal/bot"
	"github.com/linesofaction/loa/internal/coach"
	"github.com/linesofaction/loa/internal/live"
	"github.com/linesofaction/loa/internal/store"
)

// workerCommand takes the engine's turns and the coach's answers off the processes that serve pages.
type workerCommand struct {
	place
	joining
	thinking
	reporting
	configured
}

// thinking is how the computer takes its turns.
type thinking struct {
	Engines int           `env:"LOA_ENGINES" default:"-1" placeholder:"N" help:"Turns of the computer thought about at once, and as many questions to the coach; 0 leaves both to loa worker. Default: one for each processor."`
	Pace    time.Duration `env:"LOA_PACE" default:"1500ms" placeholder:"D" help:"What a move of the computer takes on average, and less where time is short; 0 answers at once. Default: ${default}."`
}

// Run carries the subcommand out until the program is told to stop.
func (c *workerCommand) Run(streams *Streams) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return c.work(ctx, streams)
}

func (c *workerCommand) work(ctx context.Context, streams *Streams) error {
	workers, err := c.engines()
	if err != nil {
		return err
	}
	if workers == 0 {
		return usagef("--engines 0: expected at least 1; a worker does nothing else")
	}
	where, err := c.open(streams)
	if err != nil {
		return err
	}
	if !store.Exists(where) {
		return fmt.Errorf("no database %s in %q; expected the place that loa serve uses", store.FileName, where)
	}
	if c.Bus == "" {
		streams.warn("without --bus a worker finds the computer's turns within %s and hears no question to the coach", turnSweep)
	}
	log := c.log(streams)
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
	player := newBot(live.New(metered{db, counts}, news, db.Now, matchesInMemory), workers, c.Pace, log)
	silent, err := teach(news, workers, counts)
	if err != nil {
		return err
	}
	defer silent()
	counts.engines(player)
	unwatched, err := metricsServer(c.Metrics, counts, checks(db, company), ctx)
	if err != nil {
		return err
	}
	defer unwatched()
	fmt.Fprintf(streams.Out, "working on %d turns and questions at once\n", workers)
	return errors.Join(player.Run(ctx), db.Close())
}

// newBot returns the engine in the seats of a service's matches.
func newBot(service *live.Service, workers int, pace time.Duration, log *slog.Logger) *bot.Bot {
	return &bot.Bot{
		Service: service, Choose: chooseMove, Workers: workers,
		Patience: turnPatience, Sweep: turnSweep, Lease: turnLease, Pace: pace, Log: log,
	}
}

// teach answers the questions of the club to its coach, so many at a time, until stop is called.
func teach(news clubBus, workers int, counts *meter) (stop func(), err error) {
	master := coach.New(workers)
	counts.coach(master)
	return news.Answer(func(ctx context.Context, question []byte) []byte {
		defer counts.taught(time.Now())
		return master.Answer(ctx, question)
	})
}

// engines returns how many turns are thought about at once.
func (t *thinking) engines() (int, error) {
	switch {
	case t.Engines < -1:
		return 0, usagef("--engines %d: expected 0 or more", t.Engines)
	case t.Pace < 0:
		return 0, usagef("--pace %s: expected 0s or more", t.Pace)
	case t.Engines == -1:
		return runtime.GOMAXPROCS(0), nil
	}
	return t.Engines, nil
}
