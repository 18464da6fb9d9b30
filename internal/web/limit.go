package web

import (
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Limits are what one address may ask. Many people can share an address, so they are generous.
type Limits struct {
	Requests float64 // pages and sockets a second
	Burst    int
	Games    float64 // new games a second
	GameRush int     // new games at once
}

// DefaultLimits returns limits that people do not notice.
func DefaultLimits() Limits { return Limits{Requests: 50, Burst: 300, Games: 1, GameRush: 60} }

// limiter counts requests by address. Addresses unseen for a while are forgotten.
type limiter struct {
	limits Limits

	mu    sync.Mutex
	seen  map[netip.Addr]*visitor
	swept time.Time
}

type visitor struct {
	requests, games *rate.Limiter
	last            time.Time
}

// forgetAfter is longer than any limit takes to fill up again.
const forgetAfter = 10 * time.Minute

func newLimiter(limits Limits) *limiter {
	return &limiter{limits: limits, seen: map[netip.Addr]*visitor{}}
}

// allow reports whether an address may make a request now, and counts it.
func (l *limiter) allow(address netip.Addr, r *http.Request, now time.Time) bool {
	if strings.HasPrefix(r.URL.Path, "/static/") || r.URL.Path == "/healthz" {
		return true
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if now.Sub(l.swept) > forgetAfter {
		for address, v := range l.seen {
			if now.Sub(v.last) > forgetAfter {
				delete(l.seen, address)
			}
		}
		l.swept = now
	}
	v, ok := l.seen[address]
	if !ok {
		v = &visitor{
			requests: rate.NewLimiter(rate.Limit(l.limits.Requests), l.limits.Burst),
			games:    rate.NewLimiter(rate.Limit(l.limits.Games), l.limits.GameRush),
		}
		l.seen[address] = v
	}
	v.last = now
	if !v.requests.AllowN(now, 1) {
		return false
	}
	return r.URL.Path != "/play" || v.games.AllowN(now, 1)
}

// address returns who asks: the peer, or what a trusted proxy says. Of an IPv6 address the network counts,
// for one home has a whole one.
func (s *Server) address(r *http.Request) netip.Addr {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	if s.Proxied {
		hops := strings.Split(r.Header.Get("X-Forwarded-For"), ",")
		if last := strings.TrimSpace(hops[len(hops)-1]); last != "" {
			host = last
		}
	}
	address, err := netip.ParseAddr(host)
	if err != nil {
		return netip.Addr{}
	}
	address = address.Unmap()
	if address.Is6() {
		if network, err := address.Prefix(64); err == nil {
			return network.Addr()
		}
	}
	return address
}
