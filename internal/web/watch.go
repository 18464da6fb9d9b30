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
	p.run("watch.js", "clock.", "side.", "result.side", "result.draw", "watch.")
	ids, err := s.People.RunningGames(r.Context(), gamesListed)
	if err != nil {
		s.internal(w, r, err)
		return
	}
	for i, id := range ids {
		m, err := s.Live.Match(r.Context(), id)
		if err != nil {
			s.internal(w, r, err)
			return
		}
		black, white := p.player(m, loa.Black, loa.NoColor), p.player(m, loa.White, loa.NoColor)
		terms := p.ruleSet(m.Rules()) + ", " + p.shortControl(m.Terms().Control)
		if i >= boardsShown {
			p.More = append(p.More, gameLine{ID: id, Name: p.T("game.title", "Black", black.Name, "White", white.Name), Terms: terms})
			continue
		}
		view := miniView{
			Match: wire.SnapshotOf(m, plain(m), loa.NoColor, s.Now()), Terms: terms, Players: [2]playerView{black, white},
			Board: p.boardView(m.Game().Position(), false, lastSquares(m.Game())...),
		}
		view.Squares = darkSquares(view.Board.Size)
		if faces := view.Match.Clock; faces != nil {
			view.Players[0].Clock, view.Players[1].Clock = p.dial(faces.Black), p.dial(faces.White)
		}
		p.Shown = append(p.Shown, view)
	}
	s.render(w, r, http.StatusOK, "watch", p)
}

// plain describes a position for a small board, which needs no lines, counts and moves.
func plain(m *match.Match) wire.Position {
	position := m.Game().Position()
	return wire.Position{
		Board: position.Board().Text(), Turn: position.Turn().String(),
		Rays: map[string][8]wire.Ray{}, Moves: []string{}, Groups: map[string][][]string{},
	}
}
