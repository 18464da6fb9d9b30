package web

import (
	"fmt"
	"net/http"
	"strconv"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/account"
	"github.com/linesofaction/loa/internal/match"
	"github.com/linesofaction/loa/internal/wire"
)

// tablePage is a board of the reader's own, for which the rules and the engine run in the browser: two people at one
// screen, the computer, a position set up by hand, an analysis.
type tablePage struct {
	page
	Board  boardView
	Sets   []ruleSetView
	Levels []int
	Game   tableView
	Engine bool // whether browsers can have the engine
	Status string
	Shared sharedView
}

// tablePlayer is the row of a side.
type tablePlayer struct {
	Page       tablePage
	Side, Area string
}

// Player describes the row of a side for the template.
func (p tablePage) Player(side, area string) tablePlayer { return tablePlayer{p, side, area} }

// ruleSetView is a rule set to choose.
type ruleSetView struct {
	Name  string     `json:"name"`
	Title string     `json:"title"`
	Rules wire.Rules `json:"rules"`
}

// tableView is the game that the address describes, as the script begins with it.
type tableView struct {
	Rules    wire.Rules    `json:"rules"`
	Start    string        `json:"start"`
	Moves    []string      `json:"moves"`
	Given    bool          `json:"given"` // the address says what to show
	Sets     []ruleSetView `json:"sets"`
	Position wire.Position `json:"position"` // after the moves
}

// table is the page of a board of the reader's own.
func (s *Server) table(w http.ResponseWriter, r *http.Request) {
	values := r.URL.Query()
	game, ok := s.described(w, r, values)
	if !ok {
		return
	}
	p := tablePage{page: s.page(r), Engine: s.assets.has(engineFile)}
	p.Title = p.T("table.title")
	p.Play = true
	p.run("table.js", "keys.", "board.", "square.", "piece.", "side.", "line.", "dir.", "ray.", "table.", "turn.", "move.", "act.", "analysis.", "help.last.", "result.",
		"groups.left", "captured", "level.", "state.", "game.computer", "more.copied", "error.400.position")
	for _, name := range offered {
		rules, err := loa.ParseRules(name)
		var start loa.Position
		if err == nil {
			start, err = rules.StartPosition()
		}
		if err != nil {
			s.internal(w, r, err)
			return
		}
		p.Sets = append(p.Sets, ruleSetView{name, p.T("ruleset." + name), wire.RulesOf(rules, start.Size())})
	}
	for n := range maxLevel {
		p.Levels = append(p.Levels, n+1)
	}
	p.Game = tableView{
		Rules: wire.RulesOf(game.Rules(), game.Start().Size()), Start: game.Start().String(), Moves: []string{}, Sets: p.Sets,
		Given: values.Has("rules") || values.Has("position") || values.Has("moves"), Position: wire.PositionOf(game.Position(), game.Outcome().Over()),
	}
	for ply := range game.Plies() {
		p.Game.Moves = append(p.Game.Moves, game.Format(ply))
	}
	p.Shared = p.sharedAddress(s.public(r), "/board", tableQuery(game))
	p.Board = p.boardView(game.Position(), false, lastSquares(game)...)
	p.Status = p.T("turn.side", "Side", p.T("side."+game.Position().Turn().String()))
	s.render(w, r, http.StatusOK, "table", p)
}

// keep makes a game that was played on the reader's own board one of the server's: against the computer it goes on
// there, and with two people at one screen the other seat is for whoever gets its link.
func (s *Server) keep(w http.ResponseWriter, r *http.Request) {
	if !s.form(w, r) {
		return
	}
	game, ok := s.described(w, r, r.PostForm)
	if !ok {
		return
	}
	level, err := strconv.Atoi(orElse(r.PostForm.Get("level"), "0"))
	if err != nil || level < 0 || level > maxLevel {
		s.refuse(w, r, "level", r.PostForm.Get("level"), fmt.Sprintf("1–%d", maxLevel))
		return
	}
	color, err := s.side(r.PostForm.Get("color"), loa.Black)
	if err != nil {
		s.refuse(w, r, "color", r.PostForm.Get("color"), "black, white, any")
		return
	}
	person, ok := s.welcomePlayer(w, r)
	if !ok {
		return
	}
	other := match.Seat{Holder: match.Engine, Level: level}
	if level == 0 {
		guest, _, err := s.addGuest(r)
		if err != nil {
			s.internal(w, r, err)
			return
		}
		other = seatFor(guest)
	}
	var seats [2]match.Seat
	seats[color], seats[color.Opponent()] = seatFor(person), other
	var moves []loa.Move
	for ply := range game.Plies() {
		moves = append(moves, game.Move(ply))
	}
	id, ok := s.begin(w, r, match.Terms{Rules: game.Rules(), Start: game.Start().Setup(), Seats: seats}, moves)
	if !ok {
		return
	}
	if level == 0 { // until the other one takes it, both seats are this browser's
		if err := s.hold(w, r, map[match.ID]string{id: account.SeatSecret(s.Key, string(id), color.Opponent())}); err != nil {
			s.internal(w, r, err)
			return
		}
	}
	http.Redirect(w, r, "/game/"+string(id), http.StatusSeeOther)
}
