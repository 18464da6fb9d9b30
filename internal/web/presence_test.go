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
