package web

import (
	"net/http"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/match"
	"github.com/linesofaction/loa/internal/wire"
)

const (
	boardsShown = 6  // games with a board of their own
	gamesListed = 40 // games altogether
)

// miniView is a game as a small board.
type miniView struct {
	Match   wire.Snapshot
	Board   boardView
	Squares string // the dark squares, as a path
	Players [2]playerView
	Terms   string
}

type watchPage struct {
	page
	Shown []miniView
	More  []gameLine
}

// watch is the list of games being played.
func (s *Server) watch(w http.ResponseWriter, r *http.Request) {
	p := watchPage{page: s.page(r)}
	p.Section = "/watch"
	p.Title = p.T("watch.title")
	p.run("watch.js", miniTexts...)
	ids, err := s.People.RunningGames(r.Context(), gamesListed)
	if err == nil {
		p.Shown, err = s.minis(r, p.voice, ids[:min(len(ids), boardsShown)])
	}
	if err != nil {
		s.internal(w, r, err)
		return
	}
	for _, id := range ids[len(p.Shown):] {
		m, err := s.Live.Match(r.Context(), id)
		if err != nil {
			s.internal(w, r, err)
			return
		}
		black, white := p.player(m, loa.Black, loa.NoColor), p.player(m, loa.White, loa.NoColor)
		p.More = append(p.More, gameLine{ID: id, Name: p.T("game.title", "Black", black.Name, "White", white.Name), Terms: p.gameTerms(m)})
	}
	s.render(w, r, http.StatusOK, "watch", p)
}

// miniTexts are what the script of small boards says.
var miniTexts = []string{"clock.", "side.", "result.side", "result.draw", "watch.", "net."}

// topGames returns the games between people that moved last, as small boards.
func (s *Server) topGames(r *http.Request, v voice, limit int) ([]miniView, error) {
	ids, err := s.People.RunningGames(r.Context(), limit)
	if err != nil {
		return nil, err
	}
	return s.minis(r, v, ids)
}

// minis describes games as small boards.
func (s *Server) minis(r *http.Request, v voice, ids []match.ID) ([]miniView, error) {
	var views []miniView
	for _, id := range ids {
		m, err := s.Live.Match(r.Context(), id)
		if err != nil {
			return nil, err
		}
		view := miniView{
			Match: wire.SnapshotOf(m, plain(m), loa.NoColor, s.Now()), Terms: v.gameTerms(m),
			Players: [2]playerView{v.player(m, loa.Black, loa.NoColor), v.player(m, loa.White, loa.NoColor)},
			Board:   v.boardView(m.Game().Position(), false, lastSquares(m.Game())...),
		}
		view.Squares = darkSquares(view.Board.Size)
		if faces := view.Match.Clock; faces != nil {
			view.Players[0].Clock, view.Players[1].Clock = v.dial(faces.Black), v.dial(faces.White)
		}
		views = append(views, view)
	}
	return views, nil
}

// gameTerms names the rules and the time of a match in a few words.
func (v voice) gameTerms(m *match.Match) string {
	if !m.BetweenPeople() {
		return v.ruleSet(m.Rules())
	}
	return v.ruleSet(m.Rules()) + ", " + v.shortControl(m.Terms().Control)
}

// plain describes a position for a small board, which needs no lines, counts and moves.
func plain(m *match.Match) wire.Position {
	position := m.Game().Position()
	return wire.Position{
		Board: position.Board().Text(), Turn: position.Turn().String(),
		Moves: []string{}, Groups: map[string][][]string{},
	}
}
