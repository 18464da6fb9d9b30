package web

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/linesofaction/loa"
)

// tell lets one presence tell the others of its changes, as messages do.
func tell(t *testing.T, process string, from *presence, all bool, now time.Time, to ...*presence) (unknown bool) {
	t.Helper()
	c := from.changes(all)
	c.Process = process
	body, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range to {
		var heard roster
		if err := json.Unmarshal(body, &heard); err != nil {
			t.Fatal(err)
		}
		unknown = p.hear(heard, now) || unknown
	}
	return unknown
}

func TestWhoIsHereIsKnownAtEveryProcess(t *testing.T) {
	var one, two presence
	now := time.UnixMilli(1_700_000_000_000)
	clock := func() time.Time { return now }
	told := 0
	_, leaveBlack := one.join("m", loa.Black, "ann", func() { told++ }, clock)
	if !tell(t, "two", &two, false, now, &one) {
		t.Error("a process that is not known is not asked for all")
	}
	tell(t, "one", &one, true, now, &two)
	tell(t, "two", &two, true, now, &one)
	_, leaveWhite := two.join("m", loa.White, "bob", func() {}, clock)
	leaveAnn := two.visit("ann") // a second page, at the other process
	before := told
	tell(t, "two", &two, false, now, &one)
	if told == before {
		t.Error("Black's page is not told that White has come")
	}
	for name, p := range map[string]*presence{"one": &one, "two": &two} {
		if p.online() != 2 || !p.here("ann") || !p.here("bob") || p.present("m") != [3]int{1, 1, 0} {
			t.Errorf("at %s %d are online, and %v at the match", name, p.online(), p.present("m"))
		}
	}
	leaveWhite()
	leaveAnn()
	tell(t, "two", &two, false, now, &one)
	now = now.Add(time.Minute)
	if got := one.away("m", loa.White, now.Add(-time.Hour), now); got != time.Minute {
		t.Errorf("White is away for %s", got)
	}
	if one.online() != 1 || two.online() != 1 {
		t.Errorf("%d and %d online", one.online(), two.online())
	}
	leaveBlack()
	tell(t, "one", &one, true, now, &two)
	if two.online() != 0 || two.here("ann") {
		t.Errorf("%d online after all have left", two.online())
	}
}

func TestASilentProcessHasLostItsPeople(t *testing.T) {
	var here, dead presence
	now := time.UnixMilli(1_700_000_000_000)
	clock := func() time.Time { return now }
	here.join("m", loa.Black, "ann", func() {}, clock)
	dead.join("m", loa.White, "bob", func() {}, clock)
	tell(t, "dead", &dead, true, now, &here)
	now = now.Add(10 * silentAfter)
	here.miss(now, now.Add(-silentAfter/2)) // the bus was away, so nobody could be heard
	if here.online() != 2 || here.away("m", loa.White, now, now) != 0 {
		t.Error("who could not be heard counts as gone")
	}
	here.miss(now, now.Add(-2*silentAfter))
	if got := here.away("m", loa.White, now.Add(-time.Hour), now); got != 10*silentAfter || here.online() != 1 {
		t.Errorf("White is away for %s, and %d are online", got, here.online())
	}
}
