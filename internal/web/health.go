package web

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"golang.org/x/text/number"
)

// Check is how one part that the process needs is.
type Check struct {
	Name  string // database, migrations or bus
	Fault error  // nil where all is well
	Vital bool   // without it no page can be answered
}

// Figure is a number that moderators read: a count, or seconds or bytes where the unit says so.
type Figure struct {
	Name  string
	Value float64
	Unit  string // empty, "s" or "B"
}

// Meter takes note of what is done here and how long it took.
type Meter interface {
	// Request is a page or a file by the pattern of its address, Command what a player asked for in a match.
	Request(pattern string, took time.Duration)
	Command(took time.Duration)
	Fault() // a fault of ours
}

// noMeter takes no note.
type noMeter struct{}

func (noMeter) Request(string, time.Duration) {}
func (noMeter) Command(time.Duration)         {}
func (noMeter) Fault()                        {}

// checkTime bounds how long a check takes.
const checkTime = 2 * time.Second

// Healthy answers that the process runs.
func Healthy(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "ok\n") }

// Ready answers whether the process can take requests: not while it stops, nor while a vital part is away. It names the
// parts, and of faults only that there is one, for anybody may ask.
func Ready(checks func(context.Context) []Check, stopping func() bool) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), checkTime)
		defer cancel()
		var text strings.Builder
		status := http.StatusOK
		if stopping() {
			status = http.StatusServiceUnavailable
			text.WriteString("stopping\n")
		}
		for _, check := range checks(ctx) {
			state := "ok"
			if check.Fault != nil {
				state = "away"
				if check.Vital {
					status = http.StatusServiceUnavailable
				}
			}
			fmt.Fprintln(&text, check.Name, state)
		}
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.WriteHeader(status)
		io.WriteString(w, text.String())
	}
}

// Sockets returns how many are open: those of matches, and those of lobbies.
func (s *Server) Sockets() (matches, lobbies int64) { return s.sockets.Load(), s.seekers.Load() }

type healthPage struct {
	page
	Checks  []Check
	Figures []Figure
}

// Text is a figure as it is read.
func (p healthPage) Text(f Figure) string {
	write := func(value float64, fractions int, unit string) string {
		return message.NewPrinter(language.Make(p.voice.Lang)).Sprint(number.Decimal(value, number.MaxFractionDigits(fractions))) + unit
	}
	switch {
	case f.Unit == "s" && f.Value < 1:
		return write(f.Value*1000, 1, "\u00a0ms")
	case f.Unit == "s":
		return write(f.Value, 1, "\u00a0s")
	case f.Unit == "B":
		return write(f.Value/(1<<20), 0, "\u00a0MiB")
	}
	return write(f.Value, 0, "")
}

// health shows moderators how the process is that answers them.
func (s *Server) health(w http.ResponseWriter, r *http.Request) {
	if _, ok := s.moderator(w, r); !ok {
		return
	}
	p := healthPage{page: s.page(r), Checks: s.Checks(r.Context())}
	p.Title = p.T("health.title")
	var err error
	if p.Figures, err = s.Figures(); err != nil {
		s.internal(w, r, err)
		return
	}
	s.render(w, r, http.StatusOK, "health", p)
}
