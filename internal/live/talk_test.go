package live_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/bus"
	"github.com/linesofaction/loa/internal/live"
	"github.com/linesofaction/loa/internal/store"
	"github.com/linesofaction/loa/internal/talk"
)

// looks counts how often the remarks of a store are read.
type looks struct {
	*store.Store
	n atomic.Int64
}

func (l *looks) Remarks(ctx context.Context, match string, room talk.Room, after, limit int) ([]talk.Remark, error) {
	l.n.Add(1)
	return l.Store.Remarks(ctx, match, room, after, limit)
}

// hall begins a match between two people and returns the talk of two processes that share it.
func hall(t *testing.T) (one, two *live.Talk, seen *looks) {
	t.Helper()
	db, h, news := open(t), new(hand), new(bus.Memory)
	addPeople(t, db)
	first := live.New(db, news, h.now, 10)
	timed(t, first, "m", "5+3", false)
	seen = &looks{Store: db}
	return live.NewTalk(first, db), live.NewTalk(live.New(db, news, h.now, 10), seen), seen
}

func said(t *testing.T, in *live.Talk, room talk.Room, n int) {
	t.Helper()
	r := talk.Remark{Match: "m", Room: room, Person: people[0].Person, Seat: loa.NoColor, At: began, Text: fmt.Sprint("remark ", n)}
	if got, err := in.Say(context.Background(), r); err != nil || got.N != n {
		t.Fatalf("number %d, %v, want %d", got.N, err, n)
	}
}

func recent(t *testing.T, in *live.Talk, room talk.Room, after int) []talk.Remark {
	t.Helper()
	remarks, err := in.Recent(context.Background(), "m", room, after)
	if err != nil {
		t.Fatal(err)
	}
	return remarks
}

func TestARemarkIsHeardInEveryProcessAndReadOnceInEach(t *testing.T) {
	one, two, seen := hall(t)
	said(t, one, talk.Players, 1)
	var heard atomic.Int64
	var cancels []func()
	for range 50 {
		cancels = append(cancels, two.Listen("m", func() { heard.Add(1) }))
	}
	all := func(want int) {
		t.Helper()
		var wait sync.WaitGroup
		for range 50 {
			wait.Go(func() {
				if got := recent(t, two, talk.Players, 0); len(got) != want || got[want-1].N != want {
					t.Errorf("%d remarks, want %d", len(got), want)
				}
			})
		}
		wait.Wait()
	}
	all(1)
	said(t, one, talk.Players, 2)
	all(2)
	if heard.Load() != 50 || seen.n.Load() != 2 {
		t.Errorf("told %d times, read %d times", heard.Load(), seen.n.Load())
	}
	if got := recent(t, two, talk.Players, 2); len(got) != 0 {
		t.Errorf("after the last: %v", got)
	}
	said(t, one, talk.Onlookers, 1)
	if got := recent(t, two, talk.Onlookers, 0); len(got) != 1 {
		t.Errorf("the other room: %v", got)
	}
	for _, cancel := range cancels {
		cancel()
	}
	before := heard.Load()
	said(t, one, talk.Players, 3)
	if got := recent(t, two, talk.Players, 0); len(got) != 3 || heard.Load() != before {
		t.Errorf("with nobody listening: %d remarks, told %d times more", len(got), heard.Load()-before)
	}
}

func TestTheLastRemarksOfARoomAreKept(t *testing.T) {
	one, two, _ := hall(t)
	defer two.Listen("m", func() {})()
	for n := range live.RemarksKept + 20 {
		said(t, one, talk.Players, n+1)
		if n%30 == 0 {
			recent(t, two, talk.Players, 0)
		}
	}
	if got := recent(t, two, talk.Players, 0); len(got) != live.RemarksKept || got[0].N != 21 {
		t.Errorf("%d remarks from %d", len(got), got[0].N)
	}
}

func TestRemarksAreReadAgainUnderAnotherName(t *testing.T) {
	one, two, seen := hall(t)
	defer two.Listen("m", func() {})()
	said(t, one, talk.Players, 1)
	recent(t, two, talk.Players, 0)
	if err := seen.Join(context.Background(), people[0].Person, "Marit", "hash"); err != nil {
		t.Fatal(err)
	}
	two.Renamed(people[0].Person)
	if got := recent(t, two, talk.Players, 0); len(got) != 1 || got[0].Name != "Marit" {
		t.Errorf("said by %+v", got)
	}
}
