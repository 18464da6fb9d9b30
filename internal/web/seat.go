package web

import (
	"net/http"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/account"
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

// nextGame leads to the match that follows one, or back to that one where none does. Who held a seat by its secret holds one in the next
// match the same way.
func (s *Server) nextGame(w http.ResponseWriter, r *http.Request) {
	m, you, ok := s.match(w, r)
	if !ok {
		return
	}
	next := m.Rematch()
	if next == "" {
		http.Redirect(w, r, "/game/"+string(m.ID()), http.StatusSeeOther)
		return
	}
	if you != loa.NoColor {
		person, _, err := s.guest(r)
		if err == nil && m.SeatOf(person.ID) == loa.NoColor {
			err = s.hold(w, r, map[match.ID]string{next: account.SeatSecret(s.Key, string(next), you.Opponent())})
		}
		if err != nil {
			s.internal(w, r, err)
			return
		}
	}
	http.Redirect(w, r, "/game/"+string(next), http.StatusSeeOther)
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
