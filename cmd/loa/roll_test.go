package main

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/match"
	"github.com/linesofaction/loa/internal/store"
)

// second is what no clock may lose to a restart. Where other tests run beside this one, that, and how soon a page goes over, is
// the machine's doing.
const second = time.Second

// absence is from when a process was told to stop until another stood in its place.
type absence struct{ from, to time.Time }

// waits returns for how long clocks ran for moves beside what their players thought: the longest time of those that were
// made while a process was restarted, and of all others.
func (r *chaos) waits(ctx context.Context, place string, restarts []absence) (during, otherwise time.Duration, err error) {
	db, err := store.Open(ctx, place)
	if err != nil {
		return 0, 0, err
	}
	defer db.Close()
	for id := range r.games {
		log, err := db.Entries(ctx, id, 0)
		if err != nil {
			return 0, 0, err
		}
		m, err := match.Replay(id, log[:1])
		if err != nil {
			return 0, 0, err
		}
		for _, entry := range log[1:] {
			began, runs := m.Clock().Since(), m.Clock().Running() != loa.NoColor
			if thought, moved := r.thought[entry.Client]; moved && runs {
				wait := entry.At.Sub(began) - thought
				if slices.ContainsFunc(restarts, func(s absence) bool { return began.Before(s.to) && entry.At.After(s.from) }) {
					during = max(during, wait)
				} else {
					otherwise = max(otherwise, wait)
				}
			}
			m.Apply(entry)
		}
	}
	return during, otherwise, nil
}

// TestRollingRestart restarts two processes one after the other under play. Every page goes over to the other process
// before its own is gone, so no time passes in which a player's game has none.
func TestRollingRestart(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it takes half a minute")
	}
	ctx, begun := t.Context(), time.Now()
	i := install(t)
	i.run.think, i.patience = 100*time.Millisecond, time.Minute // nobody is killed or frozen
	enough := make(chan struct{})
	wait := i.play(ctx, enough, 5, 1)
	i.proceed("at the beginning")
	var restarts []absence
	for round := 0; round == 0 || time.Since(begun) < *cutTime/2; round++ {
		for n, s := range i.servers {
			at := absence{from: time.Now()}
			if err := i.restart(s); err != nil {
				t.Fatal(err)
			}
			at.to = time.Now()
			restarts = append(restarts, at)
			i.proceed(fmt.Sprintf("after process %d was restarted", n+1))
		}
	}
	close(enough)
	if err := wait(); err != nil {
		t.Fatal(err)
	}
	lost, err := i.run.check(ctx, i.address)
	if err != nil {
		t.Fatal(err)
	}
	i.faults = append(i.faults, lost...)
	during, otherwise, err := i.run.waits(ctx, i.address, restarts)
	if err != nil {
		t.Fatal(err)
	}
	if i.run.hands == 0 || *cutTime > 0 && i.run.breaks > 0 {
		i.fault("%d sockets went over to the other process, and %d times a player was without one", i.run.hands, i.run.breaks)
	}
	if *cutTime > 0 && during > second {
		i.fault("a clock ran for %s beside what its player thought, while a process was restarted", during)
	}
	for _, fault := range i.faults {
		t.Error(fault)
	}
	longest := slices.MaxFunc(restarts, func(a, b absence) int { return int(a.to.Sub(a.from) - b.to.Sub(b.from)) })
	fmt.Printf("restarts %d of at most %s, games %d, acknowledged moves %d, sockets gone over %d, players without a socket %d, most time lost to a move %s meanwhile and %s otherwise, lost %d\n",
		len(restarts), longest.to.Sub(longest.from).Round(10*time.Millisecond), len(i.run.games), i.run.acknowledged(), i.run.hands, i.run.breaks,
		during.Round(time.Millisecond), otherwise.Round(time.Millisecond), len(i.faults))
}
