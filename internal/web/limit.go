package web

import (
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"golang.org/x/time/rate"
)

// Limits are what one address may ask. Many people can share an address, so they are generous.
type Limits struct {
	Requests float64 // pages and sockets a second
	Burst    int
	Games    float64 // new games a second
	GameRush int     // new games at once
	Commands float64 // commands a second on one socket
}

// DefaultLimits returns limits that people do not notice.
func DefaultLimits() Limits {
	return Limits{Requests: 50, Burst: 300, Games: 1, GameRush: 60, Commands: 10}
}

// commands returns the limiter of one socket.
func (l Limits) commands() *rate.Limiter {
	return rate.NewLimiter(rate.Limit(l.Commands), max(commandsRush, int(l.Commands)))
}

// commandsRush is how many commands a socket may send at once.
const commandsRush = 30

// limiter counts requests by address. Addresses unseen for a while are forgotten.
type limiter struct {
	limits          Limits
	requests, games tally
}

func newLimiter(limits Limits) *limiter { return &limiter{limits: limits} }

// allow reports whether an address may make a request now, and counts it.
func (l *limiter) allow(address netip.Addr, r *http.Request, now time.Time) bool {
	if strings.HasPrefix(r.URL.Path, "/static/") || r.URL.Path == "/healthz" || r.URL.Path == "/readyz" {
		return true
	}
	if !l.of(address, now).AllowN(now, 1) {
		return false
	}
	if r.URL.Path != "/play" && !strings.HasSuffix(r.URL.Path, "/on") {
		return true
	}
	return l.mayBegin(address.String(), now)
}

// of returns the limiter of an address; fresh makes one like it.
func (l *limiter) of(address netip.Addr, now time.Time) *rate.Limiter {
	return l.requests.of(address.String(), now, l.fresh)
}

func (l *limiter) fresh() *rate.Limiter {
	return rate.NewLimiter(rate.Limit(l.limits.Requests), l.limits.Burst)
}

// mayBegin reports whether an address, or a program's account, may begin a game now, and counts it.
func (l *limiter) mayBegin(key string, now time.Time) bool {
	games := l.games.of(key, now, func() *rate.Limiter { return rate.NewLimiter(rate.Limit(l.limits.Games), l.limits.GameRush) })
	return games.AllowN(now, 1)
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
