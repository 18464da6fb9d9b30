package web

import (
	"encoding/json"
	"testing"
	"time"
)

// relay tells one process what another one has to say of its quotas.
func relay(t *testing.T, from *quotas, all bool, now time.Time, to ...*quotas) {
	t.Helper()
	body, err := json.Marshal(from.changes(all, now))
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range to {
		var told map[string]usage
		if err := json.Unmarshal(body, &told); err != nil {
			t.Fatal(err)
		}
		q.hear(told, now)
	}
}

// processes returns the quotas of processes that share them.
func processes(n int) []*quotas {
	var out []*quotas
	for range n {
		q := newQuotas(DefaultLimits())
		for _, one := range q.all() {
			one.share()
		}
		out = append(out, &q)
	}
	return out
}

func TestLimitsAreThoseOfTheClub(t *testing.T) {
	p, now := processes(2), time.UnixMilli(1_700_000_000_000)
	for try := range loginTries { // in turn at either
		if wait := p[try%2].signIns.take("ann", now); wait > 0 {
			t.Fatalf("try %d has to wait %s", try+1, wait)
		}
		relay(t, p[try%2], false, now, p[1-try%2])
	}
	for i, q := range p {
		if wait := q.signIns.take("ann", now); wait != time.Minute/loginTries {
			t.Errorf("one too many at process %d waits %s", i+1, wait)
		}
		if q.signIns.take("bob", now) > 0 || q.signInsBy.take("ann", now) > 0 {
			t.Error("others have to wait, too")
		}
	}
}

func TestWhatWasDoneAtTheSameTimeIsPaidForAfterwards(t *testing.T) {
	p, now := processes(2), time.UnixMilli(1_700_000_000_000)
	for _, q := range p {
		for range loginTries {
			q.signIns.take("ann", now)
		}
	}
	relay(t, p[0], false, now, p[1])
	relay(t, p[1], false, now, p[0])
	for _, q := range p {
		if wait := q.signIns.take("ann", now); wait != time.Minute+time.Minute/loginTries {
			t.Errorf("waits %s", wait)
		}
		if left := q.signIns.left("ann", now); left != 0 {
			t.Errorf("%g are left", left)
		}
	}
}

func TestANewProcessLearnsHowAllStand(t *testing.T) {
	p, now := processes(3), time.UnixMilli(1_700_000_000_000)
	for range lettersSent {
		p[0].letters.take("ann", now)
	}
	relay(t, p[0], true, now, p[1])
	for range 3 { // again and again, by several: it counts once
		relay(t, p[0], true, now, p[1], p[2])
		relay(t, p[1], true, now, p[0], p[2])
	}
	for i, q := range p {
		if wait := q.letters.take("ann", now); wait != time.Hour/lettersSent {
			t.Errorf("at process %d the next letter waits %s", i+1, wait)
		}
		if q.letters.take("ann", now.Add(time.Hour/lettersSent)) > 0 {
			t.Errorf("at process %d it waits for longer", i+1)
		}
	}
}

func TestAProcessAloneTellsNothing(t *testing.T) {
	q, now := newQuotas(DefaultLimits()), time.UnixMilli(1_700_000_000_000)
	q.requests.take("::1", now)
	if told := q.changes(false, now); len(told) > 0 {
		t.Errorf("%v", told)
	}
}

func TestWhoMayDoEverythingAgainIsForgotten(t *testing.T) {
	q, now := &quota{each: time.Hour, rush: 4}, time.UnixMilli(1_700_000_000_000)
	q.take("ann", now)
	now = now.Add(sweepEvery + time.Second)
	q.take("bob", now)
	if len(q.keys) != 2 {
		t.Errorf("%d are remembered before Ann may do everything again", len(q.keys))
	}
	now = now.Add(time.Hour - time.Second)
	q.take("cid", now)
	if len(q.keys) != 2 {
		t.Errorf("%d are remembered", len(q.keys))
	}
}
