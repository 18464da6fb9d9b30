package web

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Limits are what one address may ask. Many people can share an address, so they are generous.
type Limits struct {
	Requests float64 // pages and sockets a second
	Burst    int
	Games    float64 // new games, challenges and accounts a second
	GameRush int     // of those at once
	Commands float64 // commands a second on one socket
	Sockets  int     // open at once at this process
}

// DefaultLimits returns limits that people do not notice.
func DefaultLimits() Limits {
	return Limits{Requests: 50, Burst: 300, Games: 1, GameRush: 60, Commands: 10, Sockets: 500}
}

// holders counts what is open at once, by address. Its zero value is ready.
type holders struct {
	mu   sync.Mutex
	open map[netip.Addr]int
}

// take counts one more that is open until leave, unless there are so many already.
func (h *holders) take(address netip.Addr, most int) (leave func(), ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.open[address] >= most {
		return nil, false
	}
	if h.open == nil {
		h.open = map[netip.Addr]int{}
	}
	h.open[address]++
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.open[address]--; h.open[address] == 0 {
			delete(h.open, address)
		}
	}, true
}

// commands returns the limiter of one socket.
func (l Limits) commands() *rate.Limiter {
	return rate.NewLimiter(rate.Limit(l.Commands), max(commandsRush, int(l.Commands)))
}

// commandsRush is how many commands a socket may send at once.
const commandsRush = 30

// How many seeks that stand may come from one address: so many at once, and one more after each span. They stay for long, and whoever is a
// new guest again and again could fill the lobby with them.
const (
	standingRush  = 30
	standingEvery = 10 * time.Minute
)

// quotas is what may be asked in the whole club, whichever process is asked.
type quotas struct {
	requests  *quota // pages and sockets, by address
	programs  *quota // calls of programs, by account
	games     *quota // games, challenges and accounts begun, by address or account
	signIns   *quota // tries, by name
	signInsBy *quota // the same by address
	letters   *quota // by name or address of mail
	remarks   *quota // by person
	arrivals  *quota // of guests who come by speaking, by address
	reports   *quota // by person
	reportsBy *quota // by address
	questions *quota // to the coach, by person
	standing  *quota // seeks that stand, by address
}

func newQuotas(l Limits) quotas {
	second := func(n float64) time.Duration { return time.Duration(float64(time.Second) / n) }
	return quotas{
		requests:  &quota{each: second(l.Requests), rush: l.Burst},
		programs:  &quota{each: second(l.Requests), rush: l.Burst},
		games:     &quota{each: second(l.Games), rush: l.GameRush},
		signIns:   &quota{each: time.Minute / loginTries, rush: loginTries},
		signInsBy: &quota{each: time.Minute / addressTries, rush: addressTries},
		letters:   &quota{each: time.Hour / lettersSent, rush: lettersSent},
		remarks:   &quota{each: remarkEvery, rush: remarkRush},
		arrivals:  &quota{each: remarkEvery, rush: arrivalRush},
		reports:   &quota{each: reportEvery, rush: reportRush},
		reportsBy: &quota{each: reportEvery / reportRushShare, rush: reportRush * reportRushShare},
		questions: &quota{each: time.Second / questionsEach, rush: questionsRush},
		standing:  &quota{each: standingEvery, rush: standingRush},
	}
}

// all returns the quotas by the names that processes tell each other.
func (q *quotas) all() map[string]*quota {
	return map[string]*quota{
		"requests": q.requests, "programs": q.programs, "games": q.games, "sign-ins": q.signIns, "sign-ins-by": q.signInsBy, "letters": q.letters,
		"remarks": q.remarks, "arrivals": q.arrivals, "reports": q.reports, "reports-by": q.reportsBy, "questions": q.questions,
		"standing": q.standing,
	}
}

// changes returns what is to be told of all quotas.
func (q *quotas) changes(all bool, now time.Time) map[string]usage {
	told := map[string]usage{}
	for name, one := range q.all() {
		if u := one.changes(all, now); len(u.Spent)+len(u.Short) > 0 {
			told[name] = u
		}
	}
	return told
}

// hear takes in what another process told.
func (q *quotas) hear(told map[string]usage, now time.Time) {
	all := q.all()
	for name, u := range told {
		if one := all[name]; one != nil {
			one.hear(u, now)
		}
	}
}

// allow reports whether an address may make a request now, and counts it.
func (s *Server) allow(r *http.Request, now time.Time) bool {
	if strings.HasPrefix(r.URL.Path, "/static/") || r.URL.Path == "/healthz" || r.URL.Path == "/readyz" {
		return true
	}
	address := s.address(r).String()
	if s.quotas.requests.take(address, now) > 0 {
		return false
	}
	begins := r.Method == http.MethodPost && (slices.Contains([]string{"/play", "/challenge", "/join"}, r.URL.Path) || strings.HasSuffix(r.URL.Path, "/on"))
	return !begins || s.quotas.games.take(address, now) == 0
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
