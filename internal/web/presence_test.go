package web

import (
	"testing"
	"time"

	"github.com/linesofaction/loa"
)

func TestAttendanceIsForgotten(t *testing.T) {
	var p presence
	now := time.UnixMilli(1_700_000_000_000)
	clock := func() time.Time { return now }
	_, leave := p.join("m", loa.Black, "ann", func() {}, clock)
	if p.online() != 1 {
		t.Errorf("%d online", p.online())
	}
	leave()
	now = now.Add(30 * time.Second)
	if got := p.away("m", loa.Black, now.Add(-20*time.Second), now); got != 20*time.Second {
		t.Errorf("away for %s of a turn of 20s", got)
	}
	now = now.Add(3 * forgetAttendance)
	_, leave = p.look("other", "", clock)
	leave()
	if len(p.matches) != 0 {
		t.Errorf("%d matches are remembered", len(p.matches))
	}
	if p.online() != 0 {
		t.Errorf("%d online", p.online())
	}
}

// After a restart, whoever does not come back has been away since it.
func TestWhoDoesNotComeBackAfterARestartIsAway(t *testing.T) {
	began := time.UnixMilli(1_700_000_000_000)
	p := presence{began: began}
	now := began.Add(time.Minute)
	clock := func() time.Time { return now }
	p.join("m", loa.White, "bea", func() {}, clock)
	if got := p.away("m", loa.Black, began.Add(-time.Hour), now); got != time.Minute {
		t.Errorf("who has not come back is away for %s, want 1m", got)
	}
	if got := p.away("m", loa.White, began.Add(-time.Hour), now); got != 0 {
		t.Errorf("who has come back is away for %s", got)
	}
	if got := p.away("m", loa.Black, now.Add(-10*time.Second), now); got != 10*time.Second {
		t.Errorf("away for %s of a turn of 10s", got)
	}
}
