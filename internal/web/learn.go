package web

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/wire"
)

// lesson is one step of the course: a position, what to do in it, and which moves do it.
type lesson struct {
	key      string // its texts: learn.KEY.title, .do, .done and .not for a legal move that is not asked for
	position string // empty for the start
	before   string // moves that lead from there to what is shown
	rules    string
	wanted   func(p loa.Position, m loa.Move) bool
	verdicts []string // rule sets under which the end of the lesson is compared
	groups   bool     // a wrong try fails by its groups, which are drawn
}

// lessons are the course, in its order. learn_test.go holds what they say against the rules.
var lessons = []lesson{
	{key: "count", wanted: only("c8-c6")},
	{key: "both", wanted: only("b8-h8")},
	{key: "enemy", position: "x6x/8/8/8/o2o1x2/8/8/o6o b", wanted: from("f4")},
	{key: "capture", wanted: func(p loa.Position, m loa.Move) bool { return p.IsCapture(m) }},
	{key: "connect", position: "8/8/3x4/2x1x3/8/3x4/8/o6o b", wanted: wins, groups: true},
	{key: "one", position: "x7/8/8/4o3/8/8/8/x3o2x b", wanted: func(p loa.Position, m loa.Move) bool { return !p.PlayUnchecked(m).Outcome().Over() }, groups: true},
	{key: "twice", position: "8/8/2x1oo2/4x3/4o3/8/8/8 b", wanted: only("c6xe4"), verdicts: []string{"standard", "classic", "misere"}},
	{key: "pass", position: "6ox/6oo/8/8/8/8/oo6/xo6 b", before: "pass", wanted: func(loa.Position, loa.Move) bool { return true }},
	{key: "again", before: "b1-b3 h7-f7 b3-b1 f7-h7 b1-b3 h7-f7 b3-b1", wanted: only("f7-h7")},
	{key: "win", position: "8/7o/6o1/4x3/1x3xo1/2x1xoxo/2x1oo2/8 w", wanted: wins, groups: true},
}

// only accepts one move.
func only(text string) func(loa.Position, loa.Move) bool {
	return func(p loa.Position, m loa.Move) bool { return p.Format(m) == text }
}

// from accepts any move of the piece on a square.
func from(square string) func(loa.Position, loa.Move) bool {
	return func(_ loa.Position, m loa.Move) bool { return m.From().String() == square }
}

// wins accepts a move that wins at once.
func wins(p loa.Position, m loa.Move) bool { return p.PlayUnchecked(m).Outcome().Winner == p.Turn() }

// lessonView is a lesson as the page gets it.
type lessonView struct {
	Key      string              `json:"key"`
	Title    string              `json:"title"`
	Do       string              `json:"do"`
	Done     string              `json:"done"`
	Not      string              `json:"not"`
	Position wire.Position       `json:"position"`
	Wanted   map[string]doneView `json:"wanted"` // by the move that does it
	Verdicts []string            `json:"verdicts,omitempty"`
	Wrong    map[string]doneView `json:"wrong,omitempty"` // by a move that was not wanted, where its groups are the reason
}

// doneView is the board after a move.
type doneView struct {
	Board  string     `json:"board"`
	Groups [][]string `json:"groups,omitempty"` // that light up, because a side is connected
	Apart  [][]string `json:"apart,omitempty"`  // of the side that moved, where there is more than one
}

type learnPage struct {
	page
	Board   boardView
	Lessons []lessonView
	Data    any
}

// learn is the course: every step is done on the board.
func (s *Server) learn(w http.ResponseWriter, r *http.Request) {
	p := learnPage{page: s.page(r)}
	p.Title = p.T("learn.title")
	p.Section = "/learn"
	p.run("learn.js", "board.", "square.", "piece.", "side.", "line.", "dir.", "ray.", "learn.")
	for i, lesson := range lessons {
		game, err := lesson.game()
		if err != nil {
			s.internal(w, r, err)
			return
		}
		view, err := p.lesson(lesson, game)
		if err != nil {
			s.internal(w, r, err)
			return
		}
		p.Lessons = append(p.Lessons, view)
		if i == 0 {
			p.Board = p.boardView(game.Position(), false)
		}
	}
	p.Data = p.Lessons
	s.render(w, r, http.StatusOK, "learn", p)
}

// game returns the game at the position of a lesson.
func (l lesson) game() (*loa.Game, error) {
	rules, err := loa.ParseRules(orElse(l.rules, "standard"))
	if err != nil {
		return nil, err
	}
	game, err := loa.NewGame(rules)
	if l.position != "" {
		var setup loa.Setup
		if setup, err = loa.ParseSetup(l.position); err == nil {
			game, err = loa.NewGameFrom(rules, setup)
		}
	}
	if err != nil {
		return nil, err
	}
	for _, text := range strings.Fields(l.before) {
		move, _, err := loa.ParseMove(text)
		if err == nil {
			err = game.Play(move)
		}
		if err != nil {
			return nil, fmt.Errorf("lesson %s: %w", l.key, err)
		}
	}
	return game, nil
}

// lesson describes a lesson in the reader's language.
func (v voice) lesson(l lesson, game *loa.Game) (lessonView, error) {
	p := game.Position()
	part := func(name string) string {
		return v.T("learn."+l.key+"."+name, "Black", v.T("side.black"), "White", v.T("side.white"))
	}
	view := lessonView{
		Key: l.key, Title: part("title"), Do: part("do"), Done: part("done"), Not: part("not"),
		Position: wire.PositionOf(p, false), Wanted: map[string]doneView{}, Wrong: map[string]doneView{},
	}
	for _, move := range p.Moves(nil) {
		if !l.wanted(p, move) {
			if l.groups {
				view.Wrong[p.Format(move)] = doneOf(p, move)
			}
			continue
		}
		view.Wanted[p.Format(move)] = doneOf(p, move)
		if l.verdicts == nil {
			continue
		}
		for _, name := range l.verdicts {
			text, err := v.verdictUnder(name, game, move)
			if err != nil {
				return view, err
			}
			view.Verdicts = append(view.Verdicts, text)
		}
	}
	return view, nil
}

// doneOf returns the board after a move.
func doneOf(p loa.Position, move loa.Move) doneView {
	next := p.PlayUnchecked(move)
	done := doneView{Board: next.Board().Text()}
	groups := wire.PositionOf(next, true).Groups
	if next.Connection().Over() {
		for _, color := range []loa.Color{loa.Black, loa.White} {
			if all := groups[color.String()]; len(all) == 1 {
				done.Groups = append(done.Groups, all[0])
			}
		}
	}
	if own := groups[p.Turn().String()]; len(own) > 1 {
		done.Apart = own
	}
	return done
}

// verdictUnder says how a move ends a game under a rule set, from the rules themselves.
func (v voice) verdictUnder(name string, game *loa.Game, move loa.Move) (string, error) {
	rules, err := loa.ParseRules(name)
	if err != nil {
		return "", err
	}
	other, err := loa.NewGameFrom(rules, game.Position().Setup())
	if err == nil {
		err = other.Play(move)
	}
	if err != nil {
		return "", err
	}
	return v.ruleSet(rules) + ": " + v.result(other.Outcome()), nil
}
