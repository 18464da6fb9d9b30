package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/linesofaction/loa/internal/bus"
	"github.com/linesofaction/loa/internal/coach"
	"github.com/linesofaction/loa/internal/live"
	"github.com/linesofaction/loa/internal/web"
)

// place is where the club is kept.
type place struct {
	Data     string `env:"LOA_DATA" placeholder:"DIR" help:"Directory of the database loa.db. Default: a folder of its own in the user's data directory."`
	Database string `env:"LOA_DATABASE" placeholder:"URL" help:"Database on a PostgreSQL server, such as postgres://loa:password@db.example.org/club, in the place of a file."`
}

// open returns what store.Open opens, and says where a file is that nobody named.
func (p *place) open(streams *Streams) (string, error) {
	switch {
	case p.Database != "" && p.Data != "":
		return "", usagef("--data %q and --database: expected one of the two", p.Data)
	case p.Database != "":
		if !isPostgres(p.Database) {
			return "", usagef("--database: expected an address that begins with postgres://; a SQLite file is named by its directory, with --data")
		}
		return p.Database, nil
	case p.Data != "":
		return p.Data, nil
	}
	dir, err := userDataDir()
	if err == nil {
		fmt.Fprintf(streams.Err, "data in %s\n", dir)
	}
	return dir, err
}

func isPostgres(address string) bool {
	return strings.HasPrefix(address, "postgres://") || strings.HasPrefix(address, "postgresql://")
}

// joining is how a process hears the others of its club.
type joining struct {
	Bus string `env:"LOA_BUS" placeholder:"URL" help:"NATS server by which several processes hear each other, such as nats://bus.example.org:4222. Without it there is one process."`
}

// clubBus is the bus of a club: news for matches, and questions for the coach.
type clubBus interface {
	live.Bus
	coach.Line
	Answer(answer func(ctx context.Context, question []byte) []byte) (stop func(), err error)
}

// join returns the bus of the club that a key belongs to, what web needs of it, and a function that leaves it.
func (j *joining) join(key []byte, log *slog.Logger) (clubBus, web.Company, func(), error) {
	if j.Bus == "" {
		return new(bus.Memory), nil, func() {}, nil
	}
	if !strings.HasPrefix(j.Bus, "nats://") && !strings.HasPrefix(j.Bus, "tls://") {
		return nil, nil, nil, usagef("--bus: expected an address that begins with nats:// or tls://")
	}
	name := sha256.Sum256(append([]byte("bus "), key...))
	b, err := bus.Connect(j.Bus, hex.EncodeToString(name[:6]), live.Missed, func(up bool, cause error) {
		if up {
			log.Info("the bus is there")
			return
		}
		log.Warn("the bus is away; other processes are followed through the database", "error", cause)
	})
	if err != nil {
		return nil, nil, nil, fmt.Errorf("--bus: %w", err)
	}
	return b, b, b.Close, nil
}

// seldom tells the same fault only now and then, for what is tried again several times a second.
func seldom(tell func(error)) func(error) {
	const pause = 10 * time.Second
	var mu sync.Mutex
	var last string
	var at time.Time
	return func(err error) {
		mu.Lock()
		defer mu.Unlock()
		if text := err.Error(); text != last || time.Since(at) > pause {
			last, at = text, time.Now()
			tell(err)
		}
	}
}
