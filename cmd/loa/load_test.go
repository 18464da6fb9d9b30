package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/linesofaction/loa/internal/pgtest"
)

var (
	loadTime    = flag.Duration("load", 0, "measure several processes for so long, instead of trying only that they can be measured")
	loadGames   = flag.Int("games", 4, "how many games at once, with -load")
	loadSockets = flag.Int("sockets", 0, "how many onlookers, with -load")
	loadPace    = flag.Duration("pace", 0, "time between a turn and its move, with -load")
	loadRuns    = flag.Int("runs", 1, "how often on the same database, with -load")
)

func TestLoadTriesTwoProcessesBesideOne(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out the load on several processes")
	}
	database, err := pgtest.Start(*loadTime == 0)
	if errors.Is(err, pgtest.ErrMissing) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { database.Remove() })
	address, err := database.Database()
	if err != nil {
		t.Fatal(err)
	}
	bus, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true})
	if err != nil {
		t.Fatal(err)
	}
	go bus.Start()
	if !bus.ReadyForConnections(30 * time.Second) {
		t.Fatal("the NATS server does not start")
	}
	t.Cleanup(bus.Shutdown)
	t.Setenv(asProgram, "1")
	took := time.Second / 2
	if *loadTime > 0 {
		took = *loadTime
	}
	for range *loadRuns {
		c := loadCommand{
			Games: *loadGames, Sockets: *loadSockets, Pace: *loadPace, Time: took, Compare: true,
			loadPlace: loadPlace{Database: address, Bus: bus.ClientURL(), Processes: 2},
		}
		several, err := c.measure(c.loadPlace)
		if err != nil {
			t.Fatal(err)
		}
		alone, err := c.measure(loadPlace{})
		if err != nil {
			t.Fatal(err)
		}
		for name, r := range map[string]loadResult{"two processes on PostgreSQL and NATS": several, "one process on SQLite": alone} {
			if r.MovesPerSecond == 0 || r.Errors > 0 {
				t.Errorf("%s: %g moves a second, %d errors, the first %s", name, r.MovesPerSecond, r.Errors, r.FirstError)
			}
		}
		if *loadTime > 0 {
			print := func(name string, r loadResult) {
				fmt.Fprintf(os.Stdout, "%-9s %6.0f moves/s, acknowledged in %.1f ms (p50), %.1f (p99), delivered in %.1f, %.1f; %d bytes an idle socket\n",
					name, r.MovesPerSecond, r.Ack.P50, r.Ack.P99, r.Delivery.P50, r.Delivery.P99, r.IdleBytes)
			}
			print("two", several)
			print("one", alone)
			fmt.Fprintf(os.Stdout, "ratio     %.2f\n", several.MovesPerSecond/alone.MovesPerSecond)
		}
	}
}

func TestALargerInstallationToTryIsNamedWhole(t *testing.T) {
	for _, args := range [][]string{{"--database", "postgres://x"}, {"--bus", "nats://x"}, {"--database", "x", "--bus", "nats://x"}, {"--database", "postgres://x", "--bus", "nats://x", "--processes", "0"}} {
		if code, out, errs := call(t, "", append([]string{"load"}, args...)...); code != 2 || out != "" || errs == "" {
			t.Errorf("%v: exit %d, %q, %q", args, code, out, errs)
		}
	}
}
