package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/linesofaction/loa/internal/account"
	"github.com/linesofaction/loa/internal/live"
	"github.com/linesofaction/loa/internal/match"
	"github.com/linesofaction/loa/internal/wire"
)

// Tokens is what the interface for programs needs of storage.
type Tokens interface {
	// AddToken stores a token with the hash of its secret; account.ErrTooMany.
	AddToken(ctx context.Context, person string, hash []byte, t account.AccessToken) error
	// Tokens returns the tokens of a member, the latest first; EndToken removes one.
	Tokens(ctx context.Context, person string) ([]account.AccessToken, error)
	EndToken(ctx context.Context, person, id string) error
	// PersonByToken returns whose token a secret's hash is, and the token, and whether there is one.
	PersonByToken(ctx context.Context, hash []byte) (account.Person, account.AccessToken, bool, error)
	// BecomeBot makes the account of a member that of a bot; account.ErrRated.
	BecomeBot(ctx context.Context, person string) error
	// EndedAfter returns the games of a person, or of all between people for an empty one, that ended and counted, from
	// the one after a match on and before an instant; live.ErrNotFound for an unknown match.
	EndedAfter(ctx context.Context, person string, after match.ID, before time.Time, limit int) ([]match.ID, error)
}

// apiRoot begins the addresses of the interface for programs. What stands there looks at no cookie: whoever asks is
// known by a token, or not at all.
const apiRoot = "/api/v1"

func isAPI(r *http.Request) bool {
	return r.URL.Path == apiRoot || strings.HasPrefix(r.URL.Path, apiRoot+"/")
}

// endpoint is one thing that programs can ask. What is served, what is documented and who may ask follow from it alone.
type endpoint struct {
	method, path string        // the path behind apiRoot
	scope        account.Scope // empty where nobody needs a token
	title        string
	about        string
	query        []parameter
	in           any   // of the body, nil for none
	out          any   // of the answer, or of the lines of a stream; nil for a file
	lines        []any // what a stream of several kinds is made of, in the place of out
	form         string
	answer       func(s *Server, c *call) (any, error)
}

// parameter is one of the query.
type parameter struct {
	name, about string
	number      bool
}

// The forms of answers.
const (
	asJSON  = "application/json"
	asLines = "application/x-ndjson"
	asAny   = "application/octet-stream"
)

// call is one request of a program.
type call struct {
	*http.Request
	w      http.ResponseWriter
	person account.Person // without an id for nobody
	token  account.AccessToken
}

// Header returns the header of the answer.
func (c *call) Header() http.Header { return c.w.Header() }

// problem is an answer that says what is wrong.
type problem struct {
	status int
	fault  wire.Fault
}

func (p *problem) Error() string { return p.fault.Text }

// wrong is a value that cannot be used.
func wrong(field, value, expected string) error {
	return &problem{http.StatusBadRequest, wire.Fault{
		Code: "bad-value", Text: fmt.Sprintf("%s %q, expected %s", field, clipped(value), expected), Field: field, Value: clipped(value), Expected: expected,
	}}
}

func denied(status int, code, format string, args ...any) error {
	return &problem{status, wire.Fault{Code: code, Text: fmt.Sprintf(format, args...)}}
}

// api is the interface for programs.
type api struct {
	mux     *http.ServeMux
	mu      sync.Mutex
	streams map[string]int // open, by whom they are counted
}

// mostStreams is how many streams one account, or one address without a token, may have open.
const mostStreams = 64

// newAPI makes the routes of the interface from its table.
func newAPI(s *Server) *api {
	a := &api{mux: http.NewServeMux(), streams: map[string]int{}}
	for _, e := range endpoints() {
		a.mux.HandleFunc(e.method+" "+apiRoot+e.path, func(w http.ResponseWriter, r *http.Request) { s.answerProgram(w, r, e) })
	}
	return a
}

// serveAPI answers a program.
func (s *Server) serveAPI(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	if _, pattern := s.api.mux.Handler(r); pattern != "" && r.Method != http.MethodOptions {
		s.api.mux.ServeHTTP(w, r)
		return
	}
	var methods []string
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		other := r.Clone(r.Context())
		other.Method = method
		if _, pattern := s.api.mux.Handler(other); pattern != "" {
			methods = append(methods, method)
		}
	}
	switch allowed := strings.Join(methods, ", "); {
	case len(methods) == 0:
		s.problem(w, r, denied(http.StatusNotFound, "no-such-address", "there is nothing at %q; /api says what there is", clipped(r.URL.Path)))
	case r.Method == http.MethodOptions:
		h.Set("Allow", allowed)
		if methods[0] == http.MethodGet { // pages of other sites may read
			h.Set("Access-Control-Allow-Origin", "*")
			h.Set("Access-Control-Allow-Methods", http.MethodGet)
			h.Set("Access-Control-Allow-Headers", "Authorization")
			h.Set("Access-Control-Max-Age", "86400")
		}
		w.WriteHeader(http.StatusNoContent)
	default:
		h.Set("Allow", allowed)
		s.problem(w, r, &problem{http.StatusMethodNotAllowed, wire.Fault{
			Code: "method", Text: fmt.Sprintf("method %q, expected %s", clipped(r.Method), allowed), Value: clipped(r.Method), Expected: allowed,
		}})
	}
}

// answerProgram answers one request at an endpoint.
func (s *Server) answerProgram(w http.ResponseWriter, r *http.Request, e endpoint) {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	if e.method == http.MethodGet {
		h.Set("Access-Control-Allow-Origin", "*")
		h.Set("Access-Control-Expose-Headers", "RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After")
	}
	c := &call{Request: r, w: w}
	err := s.identify(c)
	if err == nil {
		err = s.permit(c, e)
	}
	var out any
	if err == nil {
		out, err = e.answer(s, c)
	}
	switch {
	case err != nil:
		s.problem(w, r, err)
	case out != nil:
		h.Set("Content-Type", asJSON)
		if err := json.NewEncoder(w).Encode(out); err != nil && r.Context().Err() == nil {
			s.report(r, err)
		}
	}
}

// identify finds out who asks by the token that the request shows, and counts the request.
func (s *Server) identify(c *call) error {
	now := s.Now()
	address := s.address(c.Request).String()
	header := c.Request.Header.Get("Authorization")
	if header != "" {
		if s.quotas.requests.left(address, now) < 1 {
			return tooMany(c, s.quotas.requests, address, now)
		}
		kind, secret, _ := strings.Cut(header, " ")
		known := false
		if strings.EqualFold(kind, "Bearer") {
			var err error
			if c.person, c.token, known, err = s.Tokens.PersonByToken(c.Context(), account.HashSecret(strings.TrimSpace(secret))); err != nil {
				return err
			}
		}
		if known {
			return tooMany(c, s.quotas.programs, c.person.ID, now)
		}
	}
	if err := tooMany(c, s.quotas.requests, address, now); err != nil || header == "" {
		return err
	}
	c.Header().Set("WWW-Authenticate", `Bearer realm="loa"`)
	return &problem{http.StatusUnauthorized, wire.Fault{
		Code: "bad-token", Text: "the Authorization header holds no token of this club, or one that was ended", Field: "Authorization", Expected: "Bearer " + account.TokenPrefix + "…",
	}}
}

// tooMany counts a request, says in the headers how many more there may be, and refuses one too many.
func tooMany(c *call, limit *quota, key string, now time.Time) error {
	wait, left := limit.take(key, now), limit.left(key, now)
	h := c.Header()
	h.Set("RateLimit-Limit", strconv.Itoa(limit.rush))
	h.Set("RateLimit-Remaining", strconv.Itoa(int(left)))
	h.Set("RateLimit-Reset", strconv.Itoa(int(math.Ceil((float64(limit.rush)-left)*limit.each.Seconds()))))
	if wait == 0 {
		return nil
	}
	return tooFast("too many requests", wait)
}

// permit refuses who has no token with the scope of an endpoint.
func (s *Server) permit(c *call, e endpoint) error {
	switch {
	case e.scope == "":
		return nil
	case c.person.ID == "":
		c.Header().Set("WWW-Authenticate", fmt.Sprintf(`Bearer realm="loa", scope="%s"`, e.scope))
		return &problem{http.StatusUnauthorized, wire.Fault{
			Code: "no-token", Text: "this needs a token, which members make at /account/tokens", Field: "Authorization", Expected: "Bearer " + account.TokenPrefix + "…",
		}}
	case !c.token.Has(e.scope):
		return &problem{http.StatusForbidden, wire.Fault{
			Code: "no-scope", Text: fmt.Sprintf("the token %q may not do this", c.token.Name), Field: "scope", Value: account.JoinScopes(c.token.Scopes), Expected: string(e.scope),
		}}
	}
	return nil
}

// problem answers what is wrong.
func (s *Server) problem(w http.ResponseWriter, r *http.Request, err error) {
	var p *problem
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &p):
	case errors.As(err, &large):
		p = &problem{http.StatusRequestEntityTooLarge, wire.Fault{Code: "too-long", Text: fmt.Sprintf("a body of more than %d bytes", large.Limit)}}
	case r.Context().Err() != nil:
		return // nobody is there to read it
	case s.Away(err):
		p = &problem{http.StatusServiceUnavailable, wire.Fault{Code: "away", Text: "the club cannot reach its database for the moment", Reference: s.report(r, err), Wait: 3000}}
	default:
		if p = challengeProblem(err); p == nil {
			reference := s.report(r, err)
			p = &problem{http.StatusInternalServerError, wire.Fault{Code: "internal", Text: "internal error " + reference, Reference: reference}}
		}
	}
	h := w.Header()
	h.Set("Content-Type", asJSON)
	h.Set("Cache-Control", "no-store")
	if p.fault.Wait > 0 {
		h.Set("Retry-After", strconv.Itoa(int((p.fault.Wait+999)/1000)))
	}
	w.WriteHeader(p.status)
	json.NewEncoder(w).Encode(wire.Problem{Error: p.fault})
}

// challengeProblem says why a challenge cannot be had, nil for another error.
func challengeProblem(err error) *problem {
	for _, one := range []struct {
		err    error
		status int
		code   string
	}{
		{live.ErrNotFound, http.StatusNotFound, "not-found"},
		{live.ErrExpired, http.StatusGone, "expired"},
		{live.ErrConflict, http.StatusConflict, "taken"},
		{live.ErrNotYours, http.StatusForbidden, "not-yours"},
		{live.ErrOwn, http.StatusForbidden, "own"},
		{live.ErrGuest, http.StatusForbidden, "guest"},
		{live.ErrBlocked, http.StatusForbidden, "blocked"},
		{live.ErrBarred, http.StatusForbidden, codeBarred},
	} {
		if errors.Is(err, one.err) {
			return &problem{one.status, wire.Fault{Code: one.code, Text: one.err.Error()}}
		}
	}
	return nil
}

// read reads the body of a request.
func (c *call) read(into any) error {
	if kind, _, _ := mime.ParseMediaType(c.Request.Header.Get("Content-Type")); kind != asJSON {
		return &problem{http.StatusUnsupportedMediaType, wire.Fault{
			Code: "bad-value", Text: fmt.Sprintf("a body of type %q, expected %s", clipped(kind), asJSON), Field: "Content-Type", Value: clipped(kind), Expected: asJSON,
		}}
	}
	decoder := json.NewDecoder(c.Body)
	decoder.DisallowUnknownFields()
	err := decoder.Decode(into)
	if err == nil && decoder.Decode(new(any)) != io.EOF {
		err = errors.New("more than one JSON object")
	}
	var large *http.MaxBytesError
	if err == nil || errors.As(err, &large) {
		return err
	}
	var mismatch *json.UnmarshalTypeError
	if field, unknown := strings.CutPrefix(err.Error(), "json: unknown field "); unknown {
		return &problem{http.StatusBadRequest, wire.Fault{Code: "malformed", Text: "there is no field " + clipped(field) + " here", Field: strings.Trim(clipped(field), `"`)}}
	}
	fault := wire.Fault{Code: "malformed", Text: unreadable(err).Error(), Expected: "one JSON object"}
	if errors.As(err, &mismatch) && mismatch.Field != "" {
		fault.Field, fault.Value, fault.Expected = mismatch.Field, mismatch.Value, mismatch.Type.String()
	}
	return &problem{http.StatusBadRequest, fault}
}

// number reads a parameter of the query that is a whole number from least to most.
func (c *call) number(name string, usual, least, most int) (int, error) {
	text := c.URL.Query().Get(name)
	if text == "" {
		return usual, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		return 0, wrong(name, text, fmt.Sprintf("a number from %d to %d", least, most))
	}
	return n, nil
}

// openStream counts a stream in, until closed, or refuses one too many.
func (s *Server) openStream(c *call) (closed func(), err error) {
	key := c.person.ID
	if key == "" {
		key = s.address(c.Request).String()
	}
	s.api.mu.Lock()
	defer s.api.mu.Unlock()
	if s.api.streams[key] >= mostStreams {
		return nil, &problem{http.StatusTooManyRequests, wire.Fault{Code: "too-many-streams", Text: fmt.Sprintf("%d streams are open already", mostStreams), Wait: 5000}}
	}
	s.api.streams[key]++
	return func() {
		s.api.mu.Lock()
		defer s.api.mu.Unlock()
		if s.api.streams[key]--; s.api.streams[key] == 0 {
			delete(s.api.streams, key)
		}
	}, nil
}
