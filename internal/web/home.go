package web

import (
	"net/http"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/match"
	"github.com/linesofaction/loa/internal/wire"
)

// offered are the rule sets a person can choose; openspiel and the mirror of scrambled are for programs.
var offered = []string{"standard", "classic", "scrambled", "random", "misere", "no-capture", "mini", "mini-six"}

// firstLevel is the level that is chosen beforehand.
const firstLevel = 3

// maxLevel is the highest level of the engine.
const maxLevel = 10

// startView is the start of a game under some rules, as the home page's board shows it.
type startView struct {
	Rules    wire.Rules    `json:"rules"`
	Position wire.Position `json:"position"`
}

type homePage struct {
	page
	Board    boardView
	Start    startView
	Offered  []string
	Level    int
	MaxLevel []int
	Running  match.ID // a game to go on with, if any
	Stops    []stop
	Shown    []miniView // games being played
}

func (s *Server) home(w http.ResponseWriter, r *http.Request) {
	p := homePage{page: s.page(r), Offered: offered, Level: firstLevel}
	p.Title = p.T("site.name")
	p.Section = "/"
	p.run("home.js", "board.", "square.", "piece.", "side.", "line.", "dir.", "ray.", "level.", "home.try", "home.new",
		"clock.", "result.side", "result.draw", "watch.", "net.")
	p.Stops = p.stops(quickControls[quickChosen])[:quickStops]
	for n := range maxLevel {
		p.MaxLevel = append(p.MaxLevel, n+1)
	}
	rules := loa.Rules{}
	position, err := rules.StartPosition()
	if err != nil {
		s.internal(w, r, err)
		return
	}
	p.Start = startOf(rules, position)
	p.Board = p.boardView(position, false)
	person, _, err := s.guest(r)
	if err == nil {
		var running []match.ID
		if running, err = s.running(r.Context(), person.ID, s.heldSecrets(r), 1); len(running) > 0 {
			p.Running = running[0]
		}
	}
	if err == nil {
		var ids []match.ID
		if ids, err = s.topGames(r.Context(), boardsShown); err == nil {
			p.Shown, err = s.minis(r, p.voice, ids)
		}
	}
	if err != nil {
		s.internal(w, r, err)
		return
	}
	s.render(w, r, http.StatusOK, "home", p)
}

// start answers the start position under some rules, for the board on the home page.
func (s *Server) start(w http.ResponseWriter, r *http.Request) {
	rules, position, ok := s.rules(w, r, r.URL.Query().Get("rules"))
	if !ok {
		return
	}
	s.answer(w, r, startOf(rules, position))
}

func startOf(rules loa.Rules, position loa.Position) startView {
	return startView{Rules: wire.RulesOf(rules, position.Size()), Position: wire.PositionOf(position, false)}
}
