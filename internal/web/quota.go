package web

import (
	"math"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// sweepEvery is how often those are forgotten who may do everything again.
const sweepEvery = 10 * time.Minute

// quota is how often something may be done by each of many, such as people or addresses: so often at once, and once more
// after each span. What is done at other processes counts, too, as soon as that is told.
type quota struct {
	each time.Duration
	rush int

	mu    sync.Mutex
	keys  map[string]*rate.Limiter
	swept time.Time
	spent map[string]int // by key, since others were told; nil where there are none
}

// usage is what a process tells the others of a quota.
type usage struct {
	Spent map[string]int     `json:"spent,omitempty"` // since it was told last
	Short map[string]float64 `json:"short,omitempty"` // with everything: how much is missing to all that may be done at once
}

// take counts one more by a key, if that may be done at now, and returns 0; or else how long it has to wait.
func (q *quota) take(key string, now time.Time) time.Duration {
	q.mu.Lock()
	defer q.mu.Unlock()
	limiter := q.of(key, now)
	if !limiter.AllowN(now, 1) {
		return max(time.Millisecond, time.Duration((1-limiter.TokensAt(now))*float64(q.each)))
	}
	if q.spent != nil {
		q.spent[key]++
	}
	return 0
}

// left returns how often more a key may do it at now.
func (q *quota) left(key string, now time.Time) float64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	return max(0, q.of(key, now).TokensAt(now))
}

// of returns the limiter of a key, made anew where there is none. The caller holds q.mu.
func (q *quota) of(key string, now time.Time) *rate.Limiter {
	if q.keys == nil {
		q.keys = map[string]*rate.Limiter{}
	}
	if now.Sub(q.swept) > sweepEvery {
		for key, limiter := range q.keys {
			if limiter.TokensAt(now) >= float64(q.rush) {
				delete(q.keys, key)
			}
		}
		q.swept = now
	}
	limiter := q.keys[key]
	if limiter == nil {
		limiter = rate.NewLimiter(rate.Every(q.each), q.rush)
		q.keys[key] = limiter
	}
	return limiter
}

// share lets others be told.
func (q *quota) share() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.spent = map[string]int{}
}

// changes returns what is to be told: what was done since the last time, and with everything how all stand who have done
// something.
func (q *quota) changes(all bool, now time.Time) (u usage) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.spent) > 0 {
		u.Spent, q.spent = q.spent, map[string]int{}
	}
	if !all {
		return u
	}
	u.Short = map[string]float64{}
	for key, limiter := range q.keys {
		if short := float64(q.rush) - limiter.TokensAt(now); short >= 1 {
			u.Short[key] = short
		}
	}
	return u
}

// hear counts what was done at another process. Who has done more than may be done, at several processes at the same time,
// has to wait for it afterwards.
func (q *quota) hear(u usage, now time.Time) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for key, n := range u.Spent {
		spend(q.of(key, now), n, now)
	}
	for key, short := range u.Short {
		limiter := q.of(key, now)
		spend(limiter, int(math.Floor(short-(float64(q.rush)-limiter.TokensAt(now)))), now)
	}
}

// spend takes tokens, also such as are not there yet.
func spend(limiter *rate.Limiter, n int, now time.Time) {
	for n > 0 {
		some := min(n, limiter.Burst())
		limiter.ReserveN(now, some)
		n -= some
	}
}
