package web

import (
	"net/http"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/match"
)

type seatPage struct {
	page
	Side   string
	Action string
}

// link finds the seat that a private link opens, or answers that it opens none.
func (s *Server) link(w http.ResponseWriter, r *http.Request) (*match.Match, loa.Color, bool) {
	m, _, ok := s.match(w, r)
	if !ok {
		return nil, loa.NoColor, false
	}
	color := s.seatBySecret(m, r.PathValue("secret"))
	if color == loa.NoColor {
		s.fail(w, r, http.StatusForbidden, "error.403.seat")
		return nil, color, false
	}
	return m, color, true
}

// seat is the page behind a private link. Looking at it binds nothing, for programs that preview links look too.
func (s *Server) seat(w http.ResponseWriter, r *http.Request) {
	_, color, ok := s.link(w, r)
	if !ok {
		return
	}
	p := seatPage{page: s.page(r), Action: r.URL.Path}
	p.Title = p.T("seat.title")
	p.Side = p.T("side." + color.String())
	w.Header().Set("X-Robots-Tag", "noindex")
	s.render(w, r, http.StatusOK, "seat", p)
}

// takeSeat lets this browser play the seat, and leads to the game.
func (s *Server) takeSeat(w http.ResponseWriter, r *http.Request) {
	m, _, ok := s.link(w, r)
	if !ok {
		return
	}
	if err := s.hold(w, r, map[match.ID]string{m.ID(): r.PathValue("secret")}); err != nil {
		s.internal(w, r, err)
		return
	}
	http.Redirect(w, r, "/game/"+string(m.ID()), http.StatusSeeOther)
}
