package web

import (
	"net/http"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/wire"
)

// guidePage tells the rules and the game whole. What it says of rule sets comes from the rules themselves.
type guidePage struct {
	page
	Sets []setView
}

// setView is a rule set with its start and its terms.
type setView struct {
	Name, Key string
	Board     miniBoard
	Terms     []term
}

// miniBoard is a position as a small board.
type miniBoard struct {
	Board   boardView
	Squares string
}

// The parts of the guide, each with its texts: rules, questions with answers, and what players agree on.
var (
	guideRules     = []string{"board", "count", "over", "capture", "connect", "one", "end", "pass"}
	guideDisputes  = []string{"both", "nomove", "repetition", "start"}
	guideQuestions = []string{"why", "block", "first", "fewer", "back", "engine", "rated"}
	guideAdvice    = []string{"gather", "edge", "wall", "short", "key", "stop"}
	guideHistory   = []string{"origin", "clubs", "programs", "names"}
)

// Rules, Disputes, Questions, Advice and History return the keys of the parts.
func (guidePage) Rules() []string     { return guideRules }
func (guidePage) Disputes() []string  { return guideDisputes }
func (guidePage) Questions() []string { return guideQuestions }
func (guidePage) Advice() []string    { return guideAdvice }
func (guidePage) History() []string   { return guideHistory }

// Say returns a text of the guide, with the sides named as the board shows them.
func (p guidePage) Say(part, key string) string {
	return p.T("guide."+part+"."+key, "Black", p.T("side.black"), "White", p.T("side.white"))
}

// guide is the page with all the rules, the rule sets, the questions people ask, advice and history.
func (s *Server) guide(w http.ResponseWriter, r *http.Request) {
	p := guidePage{page: s.page(r)}
	p.Title = p.T("guide.title")
	for _, name := range offered {
		rules, err := loa.ParseRules(name)
		if err == nil && rules.Start == loa.StartRandom {
			rules.Seed = 1 // any one shows what it is
		}
		var position loa.Position
		if err == nil {
			position, err = rules.StartPosition()
		}
		if err != nil {
			s.internal(w, r, err)
			return
		}
		set := setView{Key: name, Name: p.T("ruleset." + name), Terms: p.terms(wire.RulesOf(rules, position.Size()))}
		set.Board = miniBoard{p.boardView(position, false), darkSquares(position.Size())}
		p.Sets = append(p.Sets, set)
	}
	s.render(w, r, http.StatusOK, "guide", p)
}
