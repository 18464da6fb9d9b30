package web

import (
	"sync"
	"time"
)

// lagMeter remembers the last measurements of a connection's delay. Its zero value is ready.
type lagMeter struct {
	mu   sync.Mutex
	last [3]time.Duration
	n    int
}

// add takes a measurement: the time of a message to the browser and back.
func (l *lagMeter) add(trip time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last[l.n%len(l.last)] = trip
	l.n++
}

// least returns the least of the last measurements, 0 before the first: what a slow browser makes of a single one
// does not count.
func (l *lagMeter) least() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	least := time.Duration(0)
	for i, trip := range l.last[:min(l.n, len(l.last))] {
		if i == 0 || trip < least {
			least = trip
		}
	}
	return least
}
