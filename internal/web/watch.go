package web

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/lobby"
	"github.com/linesofaction/loa/internal/match"
	"github.com/linesofaction/loa/internal/wire"
)

const (
	boardsShown    = 6  // games with a board of their own
	gamesListed    = 40 // games altogether
	finishedListed = 20
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
	Shown    []miniView
	More     []watchLine
	Finished []watchLine
}

// watchLine is a game in a list.
type watchLine struct {
	ID    match.ID
	Name  string // of both players
	Terms string
}

// watch is the list of games being played.
func (s *Server) watch(w http.ResponseWriter, r *http.Request) {
	p := watchPage{page: s.page(r)}
	p.Section = "/watch"
	p.Title = p.T("watch.title")
	p.run("watch.js", miniTexts...)
	ids, err := s.topGames(r.Context(), gamesListed)
	if err == nil {
		p.Shown, err = s.minis(r, p.voice, ids[:min(len(ids), boardsShown)])
	}
	if err == nil {
		p.More, err = s.watchLines(r, p.voice, ids[len(p.Shown):])
	}
	if err == nil {
		ids, err = s.People.FinishedGames(r.Context(), finishedListed)
	}
	if err == nil {
		p.Finished, err = s.watchLines(r, p.voice, ids)
	}
	if err != nil {
		s.internal(w, r, err)
		return
	}
	s.render(w, r, http.StatusOK, "watch", p)
}

// watchLines describes games in a line each: between whom, and the result of those that are over.
func (s *Server) watchLines(r *http.Request, v voice, ids []match.ID) ([]watchLine, error) {
	var lines []watchLine
	for _, id := range ids {
		m, err := s.Live.Match(r.Context(), id)
		if err != nil {
			return nil, err
		}
		line := watchLine{ID: id, Name: v.sides(m, loa.NoColor), Terms: v.gameTerms(m)}
		if m.Outcome().Over() {
			line.Terms = v.result(m.Outcome()) + " · " + line.Terms
		}
		lines = append(lines, line)
	}
	return lines, nil
}

// watchGames answers the small boards of the games being played, for a page that shows some already.
func (s *Server) watchGames(w http.ResponseWriter, r *http.Request) {
	text := orElse(r.URL.Query().Get("count"), strconv.Itoa(boardsShown))
	count, err := strconv.Atoi(text)
	if err != nil || count < 1 || count > boardsShown {
		s.refuse(w, r, "count", text, fmt.Sprintf("1–%d", boardsShown))
		return
	}
	p := watchPage{page: s.page(r)}
	ids, err := s.topGames(r.Context(), count)
	if err == nil {
		p.Shown, err = s.minis(r, p.voice, ids)
	}
	if err != nil {
		s.internal(w, r, err)
		return
	}
	s.renderPart(w, r, "watch", "minis", p)
}

// miniTexts are what the script of small boards says.
var miniTexts = []string{"clock.", "side.", "result.side", "result.draw", "watch.", "net."}

// topGames returns the games between people that moved last, and before them the one whose players are surely the
// strongest.
func (s *Server) topGames(ctx context.Context, limit int) ([]match.ID, error) {
	ids, err := s.People.RunningGames(ctx, gamesListed)
	if err != nil {
		return nil, err
	}
	best, most := 0, 0.0
	for i, id := range ids {
		points, err := s.fame.of(ctx, s, id)
		if err != nil {
			return nil, err
		}
		if points > most {
			best, most = i, points
		}
	}
	if best > 0 {
		top := ids[best]
		copy(ids[1:], ids[:best])
		ids[0] = top
	}
	return ids[:min(len(ids), limit)], nil
}

// recent is a number that all pages may read together for a second. Its zero value is ready.
type recent struct {
	mu sync.Mutex
	n  int
	at time.Time
}

// count returns the number, which is looked up when it is too old.
func (r *recent) count(now time.Time, look func() (int, error)) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if now.Sub(r.at).Abs() < lobbyPace {
		return r.n, nil
	}
	n, err := look()
	if err == nil {
		r.n, r.at = n, now
	}
	return n, err
}

// fame remembers how strong the players of games are, which does not change while they play. Its zero value is ready.
type fame struct {
	mu     sync.Mutex
	points map[match.ID]float64
}

// fameKept bounds what is remembered.
const fameKept = 10_000

// of returns the sum of what both players' ratings say at least, 0 for a game that is not rated.
func (f *fame) of(ctx context.Context, s *Server, id match.ID) (float64, error) {
	f.mu.Lock()
	known, ok := f.points[id]
	f.mu.Unlock()
	if ok {
		return known, nil
	}
	m, err := s.Live.Match(ctx, id)
	if err != nil {
		return 0, err
	}
	terms, sum := m.Terms(), 0.0
	for color := range loa.Color(2) {
		if !terms.Rated {
			break
		}
		r, err := s.Ratings.Rating(ctx, m.Seat(color).Person, lobby.Pool(terms.Rules, terms.Control, terms.Bots()))
		if err != nil {
			return 0, err
		}
		sum += r.At(s.Now()).Least()
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.points == nil || len(f.points) >= fameKept {
		f.points = map[match.ID]float64{}
	}
	f.points[id] = sum
	return sum, nil
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
