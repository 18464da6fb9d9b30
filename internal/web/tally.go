package web

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// forgetAfter is longer than any limit takes to fill up again.
const forgetAfter = 10 * time.Minute

// tally keeps a rate limiter for each key and forgets those unused for a while. Its zero value is ready.
type tally struct {
	mu    sync.Mutex
	keys  map[string]*counted
	swept time.Time
}

type counted struct {
	limiter *rate.Limiter
	last    time.Time
}

// of returns the limiter of a key, made anew where there is none.
func (t *tally) of(key string, now time.Time, fresh func() *rate.Limiter) *rate.Limiter {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.keys == nil {
		t.keys = map[string]*counted{}
	}
	if now.Sub(t.swept) > forgetAfter {
		for key, c := range t.keys {
			if now.Sub(c.last) > forgetAfter {
				delete(t.keys, key)
			}
		}
		t.swept = now
	}
	c := t.keys[key]
	if c == nil {
		c = &counted{limiter: fresh()}
		t.keys[key] = c
	}
	c.last = now
	return c.limiter
}
