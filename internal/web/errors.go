package web

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"runtime/debug"
)

// errorPage is a page that says what went wrong.
type errorPage struct {
	page
	Status  int
	Heading string
	Text    string
	SignIn  string // where signing in leads back to, empty where that is of no use
}

// fail answers with a page that says why, in the reader's language.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, status int, key string, args ...any) {
	p := errorPage{page: s.page(r), Status: status}
	p.Heading = p.T(fmt.Sprintf("error.%d.title", status))
	p.Text = p.T(key, args...)
	p.Title = p.Heading
	s.render(w, r, status, "error", p)
}

// refuse answers a value that cannot be used: which, of what, and what was expected. A field may have a sentence
// of its own.
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, field, value, want string) {
	p := errorPage{page: s.page(r), Status: http.StatusBadRequest}
	p.Heading = p.T("error.400.title")
	p.Text = p.refusal(field, value, want)
	p.Title = p.Heading
	s.render(w, r, http.StatusBadRequest, "error", p)
}

// refusal says that a value cannot be used: which, of what, and what was expected.
func (v voice) refusal(field, value, want string) string {
	key := "error.400." + field
	if v.catalog.messages[languages[0].Code][key] == nil {
		key = "error.400.field"
	}
	return v.T(key, "Field", field, "Value", clipped(value), "Want", want)
}

// clipped returns a text short enough to be repeated in a sentence.
func clipped(text string) string {
	const longest = 80
	if runes := []rune(text); len(runes) > longest {
		return string(runes[:longest]) + "…"
	}
	return text
}

// internal answers a fault of ours: the reader sees a number, the log has the cause under it.
// While the database cannot be reached that is what the reader is told, and a page that was asked for tries again by
// itself.
func (s *Server) internal(w http.ResponseWriter, r *http.Request, err error) {
	if isAPI(r) {
		s.problem(w, r, err)
		return
	}
	if s.Away(err) {
		s.report(r, err)
		w.Header().Set("Retry-After", againAfter)
		if r.Method == http.MethodGet {
			w.Header().Set("Refresh", againAfter)
		}
		s.fail(w, r, http.StatusServiceUnavailable, "error.503.text")
		return
	}
	if s.Full(err) {
		s.report(r, err)
		w.Header().Set("Retry-After", roomAfter)
		s.fail(w, r, http.StatusInsufficientStorage, "error.507.text")
		return
	}
	s.fail(w, r, http.StatusInternalServerError, "error.500.text", "Reference", s.report(r, err))
}

// roomAfter is how many seconds later there may be room on a full disk.
const roomAfter = "60"

// againAfter is how many seconds a page waits before it asks again.
const againAfter = "3"

// report writes a fault to the log and returns its number.
func (s *Server) report(r *http.Request, err error) string {
	var raw [4]byte
	reference := "unnumbered"
	if _, fault := io.ReadFull(s.Random, raw[:]); fault == nil {
		reference = hex.EncodeToString(raw[:])
	}
	s.Meter.Fault()
	// the pattern, not the address: that may hold a name or a secret
	s.Log.Error("request failed", "reference", reference, "method", r.Method, "page", r.Pattern, "error", err)
	return reference
}

// faultError makes an error of what a handler panicked with.
func faultError(fault any) error { return fmt.Errorf("panic: %v\n%s", fault, debug.Stack()) }

// form reads a form, or answers why it cannot be read and reports false.
func (s *Server) form(w http.ResponseWriter, r *http.Request) bool {
	var err error
	switch kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind {
	case "application/x-www-form-urlencoded":
		err = r.ParseForm()
	case "multipart/form-data":
		err = r.ParseMultipartForm(maxBody)
	default:
		s.fail(w, r, http.StatusUnsupportedMediaType, "error.415.text")
		return false
	}
	var large *http.MaxBytesError
	switch {
	case err == nil:
		return true
	case errors.As(err, &large):
		s.fail(w, r, http.StatusRequestEntityTooLarge, "error.413.text")
	default:
		s.fail(w, r, http.StatusBadRequest, "error.400.form")
	}
	return false
}

// foreign answers a form that another site sent.
func (s *Server) foreign(w http.ResponseWriter, r *http.Request) {
	s.fail(w, r, http.StatusForbidden, "error.403.text")
}

// nothing answers an address without a page, or one asked in the wrong way.
func (s *Server) nothing(w http.ResponseWriter, r *http.Request) {
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		other := r.Clone(r.Context())
		other.Method = method
		if _, pattern := s.mux.Handler(other); pattern != "/" {
			w.Header().Set("Allow", method)
			s.fail(w, r, http.StatusMethodNotAllowed, "error.405.text")
			return
		}
	}
	s.fail(w, r, http.StatusNotFound, "error.404.text", "Path", r.URL.Path)
}
