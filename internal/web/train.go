package web

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/account"
	"github.com/linesofaction/loa/internal/coach"
	"github.com/linesofaction/loa/internal/match"
	"github.com/linesofaction/loa/internal/wire"
)

// trained returns the game of a request whose player may be helped: a running one against the computer, asked about by
// who plays it. Otherwise it answers why not.
func (s *Server) trained(w http.ResponseWriter, r *http.Request) (*loa.Game, loa.Color, bool) {
	m, you, ok := s.match(w, r)
	if !ok {
		return nil, you, false
	}
	switch {
	case m.BetweenPeople():
		s.fail(w, r, http.StatusForbidden, "error.403.help")
		return nil, you, false
	case you == loa.NoColor:
		s.fail(w, r, http.StatusForbidden, "error.403.help.seat")
		return nil, you, false
	case m.Outcome().Over():
		s.fail(w, r, http.StatusConflict, "error.409.help")
		return nil, you, false
	}
	return m.Game().Clone(), you, s.mayAsk(w, r, account.Person{ID: m.Seat(you).Person})
}

// unanswered answers a question to the coach that has no answer.
func (s *Server) unanswered(w http.ResponseWriter, r *http.Request, err error) {
	switch {
	case errors.Is(err, coach.ErrUnanswered): // for the host to see: no process with engines can be reached
		s.report(r, err)
	case !errors.Is(err, coach.ErrBusy):
		s.internal(w, r, err)
		return
	}
	w.Header().Set("Retry-After", againAfter)
	p := errorPage{page: s.page(r), Status: http.StatusServiceUnavailable}
	p.Heading, p.Text = p.T("error.503.coach"), p.T("error.503.coach.text")
	p.Title = p.Heading
	s.render(w, r, p.Status, "error", p)
}

// hint answers what to play.
func (s *Server) hint(w http.ResponseWriter, r *http.Request) {
	game, you, ok := s.trained(w, r)
	if !ok {
		return
	}
	if game.Position().Turn() != you {
		s.fail(w, r, http.StatusConflict, "error.409.turn")
		return
	}
	h, err := s.Coach.Hint(r.Context(), game)
	if err != nil {
		s.unanswered(w, r, err)
		return
	}
	s.answer(w, r, hintOf(game, h))
}

// hintOf describes what to play in a game.
func hintOf(game *loa.Game, h coach.Hint) wire.Hint {
	return wire.Hint{V: wire.Version, Type: wire.KindHint, Ply: game.Plies(), Move: game.Position().Format(h.Move), Win: h.Win, Threat: h.Threat}
}

// review answers what became of the last move of whoever asks.
func (s *Server) review(w http.ResponseWriter, r *http.Request) {
	game, you, ok := s.trained(w, r)
	if !ok {
		return
	}
	plies := game.Plies()
	if !toLastMove(game, you) {
		s.fail(w, r, http.StatusConflict, "error.409.move")
		return
	}
	found, err := s.Coach.Review(r.Context(), game)
	if err != nil {
		s.unanswered(w, r, err)
		return
	}
	s.answer(w, r, reviewOf(game, plies, found))
}

// toLastMove takes a game back to just after the last move of a side, and reports whether there was one.
func toLastMove(game *loa.Game, side loa.Color) bool {
	for ply := game.Plies() - 1; ply >= 0; ply-- {
		if game.PositionAt(ply).Turn() == side && game.Move(ply) != loa.Pass {
			game.Truncate(ply + 1)
			return true
		}
	}
	return false
}

// reviewOf describes what became of the last move of a game that went on to a number of plies.
func reviewOf(game *loa.Game, plies int, found coach.Review) wire.Review {
	before := game.PositionAt(game.Plies() - 1)
	return wire.Review{
		V: wire.Version, Type: wire.KindReview, Ply: plies, Move: before.Format(found.Move), Best: before.Format(found.Best),
		Missed: found.Missed, Allows: found.Allows, Win: found.Win, Lost: found.Lost,
	}
}

// threats answers how each side would win if it were to move.
func (s *Server) threats(w http.ResponseWriter, r *http.Request) {
	game, you, ok := s.trained(w, r)
	if !ok {
		return
	}
	found, err := s.Coach.Threats(r.Context(), game)
	if err != nil {
		s.unanswered(w, r, err)
		return
	}
	s.answer(w, r, threatsOf(game, you, found))
}

// threatsOf describes what both sides threaten to the one who asks.
func threatsOf(game *loa.Game, you loa.Color, found [2]coach.Threat) wire.Threats {
	out := wire.Threats{V: wire.Version, Type: wire.KindThreats, Ply: game.Plies()}
	for _, t := range found {
		if t.Side == you {
			out.Own = threatOf(game.Position(), t)
		} else {
			out.Other = threatOf(game.Position(), t)
		}
	}
	return out
}

// threatOf describes a threat on a board.
func threatOf(p loa.Position, t coach.Threat) wire.Threat {
	out := wire.Threat{Side: t.Side.String(), Plies: t.Plies, Moves: []string{}}
	for _, m := range t.Moves {
		sign := "-"
		if p.Pieces(t.Side.Opponent()).Has(m.To()) {
			sign = "x"
		}
		out.Moves = append(out.Moves, m.From().String()+sign+m.To().String())
	}
	return out
}

// goOn begins a new match against the computer where another one against it stood after so many plies. It has the moves
// up to there.
func (s *Server) goOn(w http.ResponseWriter, r *http.Request) {
	m, you, ok := s.match(w, r)
	if !ok || !s.form(w, r) {
		return
	}
	if m.BetweenPeople() {
		s.fail(w, r, http.StatusForbidden, "error.403.help")
		return
	}
	game := m.Game()
	ply, err := strconv.Atoi(r.PostForm.Get("ply"))
	if err != nil || ply < 0 || ply > game.Plies() || ply == game.Plies() && game.Outcome().Over() {
		s.refuse(w, r, "ply", r.PostForm.Get("ply"), fmt.Sprintf("0–%d", lastOpen(game)))
		return
	}
	level, ok := s.level(w, r)
	if !ok {
		return
	}
	if you == loa.NoColor {
		you = game.PositionAt(ply).Turn()
	}
	var moves []loa.Move
	for i := range ply {
		moves = append(moves, game.Move(i))
	}
	s.beginGame(w, r, match.Terms{Rules: m.Rules(), Start: game.Start().Setup()}, you, level, moves)
}

// lastOpen returns the last ply of a game from which it can go on.
func lastOpen(g *loa.Game) int {
	if g.Outcome().Over() {
		return g.Plies() - 1
	}
	return g.Plies()
}
