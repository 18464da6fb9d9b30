// Package web is the pages and the sockets: everything a browser asks of the server. It knows HTTP and
// languages, and leaves the rules to loa, what may be done in a match to match, and keeping it to live.
//
// Pages are rendered here and can be read without scripts; playing needs them. Nothing is fetched from
// anywhere else, and the policy in the headers says so to the browser.
package web

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/account"
	"github.com/linesofaction/loa/internal/coach"
	"github.com/linesofaction/loa/internal/live"
	"github.com/linesofaction/loa/internal/match"
	"github.com/linesofaction/loa/internal/puzzle"
)

// People is what the pages need of storage beside the matches themselves.
type People interface {
	// AddPerson stores a new person with the hash of a session's secret.
	AddPerson(ctx context.Context, person account.Person, secretHash []byte) error
	// PersonBySecret returns whose session a secret's hash is, and whether there is one, and notes now and then that it
	// was seen at now.
	PersonBySecret(ctx context.Context, secretHash []byte, now time.Time) (account.Person, bool, error)
	// RunningMatches returns the unfinished matches a person has a seat in, those with other people before those with the computer and the latest
	// first. Awaited returns the games between people at days a move in which it is a person's turn.
	RunningMatches(ctx context.Context, person string, limit int) ([]match.ID, error)
	Awaited(ctx context.Context, person string) ([]match.ID, error)
	// RunningGames returns the games between people being played, the latest moved first; CountRunning their number.
	// FinishedGames returns those that ended last.
	RunningGames(ctx context.Context, limit int) ([]match.ID, error)
	CountRunning(ctx context.Context) (int, error)
	FinishedGames(ctx context.Context, limit int) ([]match.ID, error)
}

// Options is what a Server is made of. The zero value of each field after Key has a default.
type Options struct {
	Live       *live.Service
	Lobby      *live.Lobby
	Talk       *live.Talk
	People     People
	Members    Members
	Profiles   Profiles
	Ratings    Ratings
	Follows    Follows
	Tokens     Tokens
	Reports    Reports
	Moderation Moderation
	Letters    Letters // nil where the host sends no mail
	Links      Links
	Puzzlers   Puzzlers
	Puzzles    []*puzzle.Puzzle
	Coach      *coach.Client
	Company    Company // nil for a process of its own
	Exports    string  // directory of the files that are offered to programs, empty for none
	Key        []byte  // makes the secrets of seats

	Checks  func(context.Context) []Check // of the parts that the process needs; none
	Figures func() ([]Figure, error)      // for moderators; none
	Meter   Meter                         // takes note of nothing

	Away func(error) bool // whether an error says that the database cannot be reached; none does
	Full func(error) bool // whether an error says that there is no room to store anything; none does

	Log     *slog.Logger     // where faults go; slog.Default()
	Now     func() time.Time // time.Now
	Random  io.Reader        // crypto/rand.Reader
	Public  string           // the address people use, such as https://example.org, where a proxy changes it
	Proxied bool             // believe X-Forwarded-For; only behind a proxy that sets it
	Limits  Limits           // DefaultLimits
	Develop bool             // also show the gallery of components
}

// Server answers browsers. It is safe for use by many goroutines.
type Server struct {
	Options
	root     string // empty, or the path that a proxy has the site under, such as /loa
	links    *strings.Replacer
	assets   *assets
	pages    pages
	catalog  *catalog
	quotas   quotas
	presence presence
	searches searches
	hasher   *hasher
	fame     fame
	playing  recent // games between people
	shelf    *shelf
	api      *api
	mux      *http.ServeMux
	handler  http.Handler
	rooms    sync.Pool       // of *[]byte, for what sockets write
	open     context.Context // until Close
	stays    context.Context // until Leave
	sockets  atomic.Int64    // of matches, that are open
	seekers  atomic.Int64    // sockets of lobbies
	holders  holders         // of sockets
	close    context.CancelFunc
	leave    context.CancelFunc
}

// New returns a server. It fails only when the files it carries are faulty.
func New(o Options) (*Server, error) {
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Checks == nil {
		o.Checks = func(context.Context) []Check { return nil }
	}
	if o.Figures == nil {
		o.Figures = func() ([]Figure, error) { return nil, nil }
	}
	if o.Meter == nil {
		o.Meter = noMeter{}
	}
	if o.Away == nil {
		o.Away = func(error) bool { return false }
	}
	if o.Full == nil {
		o.Full = func(error) bool { return false }
	}
	if o.Random == nil {
		o.Random = rand.Reader
	}
	if o.Limits == (Limits{}) {
		o.Limits = DefaultLimits()
	}
	s := &Server{Options: o, shelf: newShelf(o.Puzzles), quotas: newQuotas(o.Limits), hasher: newHasher()}
	s.open, s.close = context.WithCancel(context.Background())
	s.stays, s.leave = context.WithCancel(context.Background())
	public, err := ParsePublic(o.Public)
	if err != nil {
		return nil, err
	}
	s.root = public.Path
	s.links = links(s.root)
	if s.catalog, err = newCatalog(); err != nil {
		return nil, err
	}
	if s.assets, err = newAssets(s.root); err != nil {
		return nil, err
	}
	if s.pages, err = newPages(); err != nil {
		return nil, err
	}
	if err := s.route(public); err != nil {
		return nil, err
	}
	s.presence.began = s.Now()
	s.Live.Attend(func(id match.ID, side loa.Color, turned time.Time) bool {
		return s.presence.away(id, side, turned, s.Now()) >= goneAfter
	})
	if s.presence.alone = s.Company == nil; !s.presence.alone {
		me, err := account.NewID(s.Random)
		if err != nil {
			return nil, err
		}
		for _, q := range s.quotas.all() {
			q.share()
		}
		go s.accompany(s.open, me)
	}
	return s, nil
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// How long the end of a process waits for pages: to go over to another one, and to hear that they have to.
const (
	handover = 3 * time.Second
	farewell = time.Second / 2
)

// Leave lets the pages of matches go over to other processes, where there are some, before this one ends. They keep their
// sockets until they have others, so nobody's clock runs without one. It is called when nobody new can connect any more.
func (s *Server) Leave() {
	s.leave()
	if !s.Alone() {
		until(handover, func() bool { return s.sockets.Load() == 0 })
	}
}

// Close ends the sockets, which outlive the requests that opened them, and tells their pages to connect again.
func (s *Server) Close() {
	s.close()
	until(farewell, func() bool { return s.sockets.Load()+s.seekers.Load() == 0 })
}

// until waits until something is done, and no longer than some time.
func until(longest time.Duration, done func() bool) {
	for end := time.Now().Add(longest); !done() && time.Now().Before(end); {
		time.Sleep(longest / 200)
	}
}

// Alone reports whether no other process of the club is known.
func (s *Server) Alone() bool { return s.presence.lonely() }

// room returns space for what a socket writes.
func (s *Server) room() []byte {
	if room, ok := s.rooms.Get().(*[]byte); ok {
		return *room
	}
	return make([]byte, 0, 4<<10)
}

func (s *Server) route(public *url.URL) error {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.home)
	mux.HandleFunc("GET /start", s.start)
	mux.HandleFunc("GET /learn", s.learn)
	mux.HandleFunc("GET /guide", s.guide)
	mux.HandleFunc("GET /about", s.about)
	mux.HandleFunc("GET /openings", s.openings)
	mux.HandleFunc("GET /puzzles", s.puzzles)
	mux.HandleFunc("GET /puzzles/daily", s.dailyPuzzle)
	mux.HandleFunc("GET /puzzles/all", s.allPuzzles)
	mux.HandleFunc("GET /puzzles/away", s.puzzlesAway)
	mux.HandleFunc("GET /puzzles/{id}", s.onePuzzle)
	mux.HandleFunc("POST /puzzles/{id}/try", s.tryPuzzle)
	mux.HandleFunc("POST /puzzles/{id}/solution", s.solution)
	mux.HandleFunc("POST /play", s.play)
	mux.HandleFunc("POST /settings", s.changeSettings)
	mux.HandleFunc("GET /lobby/socket", s.lobbySocket)
	mux.HandleFunc("GET /game/{id}", s.game)
	mux.HandleFunc("GET /game/{id}/socket", s.socket)
	mux.HandleFunc("GET /game/{id}/next", s.nextGame)
	mux.HandleFunc("POST /game/{id}/hint", s.hint)
	mux.HandleFunc("POST /game/{id}/threats", s.threats)
	mux.HandleFunc("POST /game/{id}/review", s.review)
	mux.HandleFunc("POST /game/{id}/on", s.goOn)
	mux.HandleFunc("GET /game/{id}/board.svg", s.ofMatch(asSVG))
	mux.HandleFunc("GET /game/{id}/board.png", s.ofMatch(asPNG))
	mux.HandleFunc("GET /game/{id}/game.gif", s.ofMatch(asGIF))
	mux.HandleFunc("GET /game/{id}/game.sgf", s.ofMatch(asSGF))
	mux.HandleFunc("GET /board/board.svg", s.ofAddress(asSVG))
	mux.HandleFunc("GET /board/board.png", s.ofAddress(asPNG))
	mux.HandleFunc("GET /board/game.gif", s.ofAddress(asGIF))
	mux.HandleFunc("GET /board/game.sgf", s.ofAddress(asSGF))
	mux.HandleFunc("GET /game/{id}/frame", s.frame)
	mux.HandleFunc("GET /manifest.webmanifest", s.manifest)
	if s.Develop {
		mux.HandleFunc("GET /gallery", s.gallery)
	}
	mux.HandleFunc("GET /board", s.table)
	mux.HandleFunc("POST /board/keep", s.keep)
	mux.HandleFunc("POST /game/{id}/talk", s.talk)
	mux.HandleFunc("POST /game/{id}/mute", s.muteForm)
	mux.HandleFunc("GET /game/{id}/seat/{secret}", s.seat)
	mux.HandleFunc("POST /game/{id}/seat/{secret}", s.takeSeat)
	mux.HandleFunc("GET /join", s.joinPage)
	mux.HandleFunc("POST /join", s.join)
	mux.HandleFunc("GET /sign-in", s.signInPage)
	mux.HandleFunc("POST /sign-in", s.signIn)
	mux.HandleFunc("POST /sign-out", s.signOut)
	mux.HandleFunc("GET /account", s.accountPage)
	mux.HandleFunc("GET /account/export", s.export)
	mux.HandleFunc("POST /account/password", s.changePassword)
	mux.HandleFunc("POST /account/sessions", s.endSession)
	mux.HandleFunc("POST /account/close", s.closeAccount)
	mux.HandleFunc("GET /account/tokens", s.tokensPage)
	mux.HandleFunc("POST /account/tokens", s.makeToken)
	mux.HandleFunc("POST /account/tokens/end", s.endToken)
	mux.HandleFunc("POST /account/bot", s.becomeBot)
	mux.HandleFunc("GET /api", s.apiPage)
	mux.HandleFunc("GET /api/openapi.json", s.openAPI)
	mux.HandleFunc("POST /account/email", s.changeEmail)
	mux.HandleFunc("GET /confirm/{secret}", s.letterLink(account.ConfirmEmail))
	mux.HandleFunc("POST /confirm/{secret}", s.confirm)
	mux.HandleFunc("GET /recover", s.recoverPage)
	mux.HandleFunc("POST /recover", s.askRecovery)
	mux.HandleFunc("GET /recover/{secret}", s.letterLink(account.Recover))
	mux.HandleFunc("POST /recover/{secret}", s.recover)
	mux.HandleFunc("GET /players", s.leaders)
	mux.HandleFunc("GET /players/{name}", s.player)
	mux.HandleFunc("POST /players/{name}/block", s.block)
	mux.HandleFunc("GET /notices", s.notices)
	mux.HandleFunc("POST /notices", s.readNotices)
	mux.HandleFunc("GET /moderation", s.moderation)
	mux.HandleFunc("GET /moderation/health", s.health)
	mux.HandleFunc("GET /moderation/people/{id}", s.moderated)
	mux.HandleFunc("POST /moderation/people/{id}", s.act)
	mux.HandleFunc("POST /moderation/reports/{number}", s.answerReport)
	mux.HandleFunc("GET /moderation/games/{id}", s.verdictForm)
	mux.HandleFunc("POST /moderation/games/{id}", s.judge)
	mux.HandleFunc("POST /players/{name}/follow", s.follow)
	mux.HandleFunc("GET /people", s.people)
	mux.HandleFunc("POST /people", s.changePeople)
	mux.HandleFunc("GET /report", s.reportPage)
	mux.HandleFunc("POST /report", s.fileReport)
	mux.HandleFunc("GET /lobby", s.lobbyPage)
	mux.HandleFunc("GET /watch", s.watch)
	mux.HandleFunc("GET /watch/games", s.watchGames)
	mux.HandleFunc("GET /challenge", s.wishPage)
	mux.HandleFunc("POST /challenge", s.challenge)
	mux.HandleFunc("GET /challenge/{id}", s.invitation)
	mux.HandleFunc("POST /challenge/{id}/accept", s.accept)
	mux.HandleFunc("POST /challenge/{id}/refuse", s.refuseChallenge)
	mux.Handle("GET /static/{hash}/{name}", s.assets)
	mux.HandleFunc("GET /healthz", Healthy)
	mux.HandleFunc("GET /readyz", Ready(s.Checks, func() bool { return errors.Join(s.stays.Err(), s.open.Err()) != nil }))
	mux.HandleFunc("/", s.nothing)
	s.mux = mux
	s.api = newAPI(s)

	origins := http.NewCrossOriginProtection()
	origins.SetDenyHandler(http.HandlerFunc(s.foreign))
	if s.Public != "" {
		if err := origins.AddTrustedOrigin(public.Scheme + "://" + public.Host); err != nil {
			return err
		}
	}
	s.handler = s.mount(s.guard(origins.Handler(mux)))
	return nil
}

// policy lets a page use this server and nothing else. Scripts and styles are files, never part of a page.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; manifest-src 'self'; " +
	"base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// filePolicy is that of a file looked at by itself.
const filePolicy = "default-src 'none'"

// permissions denies what these pages never use, to them and to whatever might get into one.
const permissions = "accelerometer=(), camera=(), display-capture=(), encrypted-media=(), geolocation=(), gyroscope=(), " +
	"hid=(), magnetometer=(), microphone=(), midi=(), payment=(), publickey-credentials-get=(), screen-wake-lock=(), " +
	"serial=(), usb=(), xr-spatial-tracking=()"

// httpsOnly tells a browser that came by https to come by nothing else for a year. It does not bind subdomains,
// which may be somebody else's.
const httpsOnly = "max-age=31536000"

// workerFile is the script of the worker that the engine runs in. It has a policy of its own, so that no page may run
// WebAssembly.
const (
	workerFile   = "worker.js"
	workerPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"
)

// maxBody is far more than any form of these pages holds.
const maxBody = 16 << 10

// bodyWithin is how long a form may take to arrive. It is not the server's own limit of reading, which would end streams.
const bodyWithin = 30 * time.Second

// guard stands before every page: the headers, the limits, and the last resort for faults.
func (s *Server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		if strings.HasPrefix(r.URL.Path, "/static/") { // what rules a page does not rule its files, and there are many of them
			h.Set("Content-Security-Policy", filePolicy)
		} else {
			h.Set("Content-Security-Policy", policy)
			h.Set("Referrer-Policy", "no-referrer")
			h.Set("Cross-Origin-Opener-Policy", "same-origin")
			h.Set("Permissions-Policy", permissions)
		}
		if secure(r) {
			h.Set("Strict-Transport-Security", httpsOnly)
		}
		defer func() {
			if fault := recover(); fault != nil {
				if fault == http.ErrAbortHandler {
					panic(fault)
				}
				s.internal(w, r, faultError(fault))
			}
		}()
		if r.ContentLength != 0 {
			// where that is not supported, nobody is waited for
			_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(bodyWithin))
		}
		if isAPI(r) { // which counts by tokens
			r.Body = http.MaxBytesReader(w, r.Body, maxBody)
			s.serveAPI(w, r)
			return
		}
		if !s.allow(r, s.Now()) {
			h.Set("Retry-After", "5")
			s.fail(w, r, http.StatusTooManyRequests, "error.429.text")
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		began := time.Now()
		next.ServeHTTP(w, r)
		if r.Header.Get("Upgrade") == "" { // a socket lasts as long as somebody looks
			s.Meter.Request(r.Pattern, time.Since(began))
		}
	})
}
