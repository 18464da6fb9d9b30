package web

import (
	"net/http"
	"net/url"
	"strings"

	"golang.org/x/text/number"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/engine/book"
)

// openingsPage shows what the opening book knows of a position, and leads from move to move.
type openingsPage struct {
	page
	Positions int           // in the book
	Line      []openingMove // that led here
	Moves     []openingMove // of the book, the best first
	Try       miniBoard
	Turn      string
	Black     string // the name of the side whose values are told
}

// openingMove is a move with the address of the position after it.
type openingMove struct {
	Text, Query string
	Value       string // for Black
}

// Last returns the address of the position shown.
func (p openingsPage) Last() string {
	if len(p.Line) == 0 {
		return ""
	}
	return p.Line[len(p.Line)-1].Query
}

// openings is the page of the opening book, at the position that the moves of the address lead to.
func (s *Server) openings(w http.ResponseWriter, r *http.Request) {
	game, ok := s.described(w, r, url.Values{"moves": {r.URL.Query().Get("moves")}})
	if !ok {
		return
	}
	b, position := book.Standard(), game.Position()
	p := openingsPage{page: s.page(r), Positions: b.Len()}
	p.Title, p.Section = p.T("openings.title"), "/learn"
	p.Turn = p.T("turn.side", "Side", p.T("side."+position.Turn().String()))
	p.Try = miniBoard{p.boardView(position, false, lastSquares(game)...), darkSquares(position.Size()), tableQuery(game), p.T("table.open")}
	p.Black = p.T("side.black")
	var line []string
	add := func(moves []openingMove, move, value string) []openingMove {
		query := "?" + url.Values{"moves": {strings.Join(append(line[:len(line):len(line)], move), ",")}}.Encode()
		return append(moves, openingMove{strings.Replace(move, "x", "×", 1), query, value})
	}
	for ply := range game.Plies() {
		move := game.Format(ply)
		p.Line = add(p.Line, move, "")
		line = append(line, move)
	}
	shown := map[book.Key]bool{}
	for _, m := range b.Moves(position, game.Rules()) {
		// Moves that are images of each other lead to the same position; one of them is enough.
		if key, _ := book.KeyOf(position.PlayUnchecked(m.Move)); !shown[key] {
			shown[key] = true
			value := m.Value
			if position.Turn() == loa.White {
				value = -value
			}
			p.Moves = add(p.Moves, position.Format(m.Move), p.T("analysis.value", "Side", p.T("side.black"), "Value", p.signed(value)))
		}
	}
	s.render(w, r, http.StatusOK, "openings", p)
}

// signed writes centipawns as a number with its sign.
func (v voice) signed(cp int) string {
	sign := "+"
	switch {
	case cp < 0:
		sign, cp = "−", -cp
	case cp == 0:
		sign = ""
	}
	return sign + v.number(number.Decimal(float64(cp)/100, number.Scale(2)))
}
