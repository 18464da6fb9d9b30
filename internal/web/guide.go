package web

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/wire"
)

// guidePage tells the rules and how to play well. What it says of rule sets comes from the rules themselves.
type guidePage struct {
	page
	Sets     []setView
	Disputes []dispute
}

// aboutPage tells what the game is, by which rules it is played here, and what people ask.
type aboutPage struct {
	guidePage
	Terms []term
}

// dispute is a rule that players disagree about, with all there is to choose.
type dispute struct {
	Key   string
	Sides []disputeSide
}

// disputeSide is one value of a disputed rule, and who plays it.
type disputeSide struct{ Name, Here, There string }

// setView is a rule set with its start and its terms.
type setView struct {
	Name, Key string
	Board     miniBoard
	Terms     []term
}

// miniBoard is a position as a small board that leads to one's own, to play on there.
type miniBoard struct {
	Board   boardView
	Squares string
	Query   string
	Text    string // what is shown
}

// The parts of the guide, each with its texts: rules, questions with answers, and what players agree on.
var (
	guideRules     = []string{"board", "count", "over", "capture", "connect", "one", "end", "pass"}
	guideDisputes  = []string{"both", "nomove", "repetition", "start"}
	guideQuestions = []string{"count", "why", "block", "lose", "fewer", "first", "back", "engine", "rated"}
	guideAdvice    = []string{"gather", "edge", "wall", "short", "key", "stop"}
	guideHistory   = []string{"origin", "clubs", "programs", "names"}
)

// example is a position that shows what a part of the guide says, and the move that does it.
type example struct{ position, move string }

// examples are the positions of the guide. guide_test.go holds them against the rules, and those of the advice against
// the engine.
var examples = map[string]example{
	"board":   {"1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 b", ""},
	"count":   {"1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 b", "c8-c6"},
	"over":    {"8/8/8/8/xx2x1o1/8/8/o6o b", "b4-f4"},
	"capture": {"8/8/8/2x1o3/8/8/8/x5xo b", "c5xe5"},
	"connect": {"8/8/3x4/2x1x3/8/3x4/8/o6o b", "d3-d5"},
	"one":     {"x7/8/8/4o3/8/8/8/x3o2x b", ""},
	"end":     {"8/4x1o1/8/8/8/2oo4/8/x6x b", "e7xg7"},
	"pass":    {"6ox/6oo/8/8/8/8/oo6/xo6 b", ""},
	"gather":  {"8/4o3/ox1o2o1/1o2xox1/4x3/2x5/2ox4/2xx4 w", "g6-c6"},
	"edge":    {"2x2x2/2x4o/ox4oo/oxo4o/7o/7o/2o4o/1xxxxxx1 b", "c8-e6"},
	"wall":    {"3x1xx1/8/o3o3/oxx4o/o1x5/ox5o/2o2o1o/1xx1x1xo b", "b1-b4"},
	"short":   {"5o2/8/5o2/2x5/2oo4/1oxx4/3xoo2/5x2 b", "c5-d5"},
	"key":     {"3x4/2ooo3/o1o5/2o5/xx1x4/oox3x1/8/2x1x3 b", "d4xd7"},
	"stop":    {"1xx5/8/3x4/1o6/oxxo4/1x2o3/3ooo2/2xxx3 b", "c8-c5"},
}

// Try returns the position of a part of the guide as a small board.
func (p guidePage) Try(key string) (miniBoard, error) {
	e := examples[key]
	setup, err := loa.ParseSetup(e.position)
	if err != nil {
		return miniBoard{}, err
	}
	position, err := setup.Position(loa.Rules{})
	if err != nil {
		return miniBoard{}, err
	}
	var last []loa.Square
	text := p.T("guide.try")
	if e.move != "" {
		move, _, err := loa.ParseMove(e.move)
		if err != nil {
			return miniBoard{}, err
		}
		last = []loa.Square{move.From(), move.To()}
		text = p.T("guide.try.move", "Move", strings.Replace(e.move, "x", "×", 1))
	}
	query := "?" + url.Values{"rules": {"standard"}, "position": {e.position}}.Encode()
	return miniBoard{p.boardView(position, false, last...), darkSquares(position.Size()), query, text}, nil
}

// elsewhere is who plays by the values of disputed rules, beside this site.
var elsewhere = map[string]string{
	"both.draw": "Computer Olympiad, Mind Sports Olympiad, Youzai", "both.mover": "Boardspace, Jaques, OpenSpiel",
	"nomove.pass": "Computer Olympiad, Boardspace, Jaques", "nomove.loss": "OpenSpiel", "nomove.draw": "PlayStrategy",
	"repetition.draw3": "Computer Olympiad, Ludoteka", "repetition.draw2": "OpenSpiel", "repetition.none": "AbstractPlay, Boardspace",
	"start.scrambled": "AbstractPlay, Boardspace", "start.scrambled-b": "PlayStrategy", "start.random": "Jaques",
}

// disputes returns the disputed rules, side by side from the options of the rules and the rule sets that have them.
func (v voice) disputes() []dispute {
	var all []dispute
	for _, key := range guideDisputes {
		d := dispute{Key: key}
		for _, option := range changeable {
			if option.Name != key {
				continue
			}
			for _, value := range option.Values {
				there := elsewhere[key+"."+value]
				if there == "" {
					continue // nobody disputes it
				}
				side := disputeSide{There: v.T("guide.there", "Names", there)}
				if key == "start" {
					side.Name = v.T("ruleset." + value)
				} else {
					side.Name = v.T("terms." + key + "." + value)
				}
				var sets []string
				for _, set := range loa.RuleSets() {
					if optionOf(set.Rules, key) == value {
						sets = append(sets, v.T("ruleset."+set.Name))
					}
				}
				side.Here = v.T("guide.here.none")
				if len(sets) > 0 {
					side.Here = v.T("guide.here", "Sets", strings.Join(sets, v.T("format.list")))
				}
				d.Sides = append(d.Sides, side)
			}
		}
		all = append(all, d)
	}
	return all
}

// optionOf returns the value that rules have for a disputed option.
func optionOf(r loa.Rules, key string) string {
	switch key {
	case "both":
		return r.Both.String()
	case "nomove":
		return r.NoMove.String()
	case "repetition":
		return r.Repetition.String()
	}
	return r.Start.String()
}

// Rules, Questions, Advice and History return the keys of the parts.
func (guidePage) Rules() []string     { return guideRules }
func (guidePage) Questions() []string { return guideQuestions }
func (guidePage) Advice() []string    { return guideAdvice }
func (guidePage) History() []string   { return guideHistory }

// Say returns a text of the guide, with the sides named as the board shows them.
func (p guidePage) Say(part, key string) string {
	return p.T("guide."+part+"."+key, "Black", p.T("side.black"), "White", p.T("side.white"))
}

// about is the page about the game: what it is, the rules it is played by here, the questions people ask, and history.
func (s *Server) about(w http.ResponseWriter, r *http.Request) {
	p := aboutPage{guidePage: guidePage{page: s.page(r)}}
	p.Title, p.Section = p.T("about.title"), "/learn"
	p.Terms = p.terms(wire.RulesOf(loa.Rules{}, loa.Rules{}.Edge()))
	s.render(w, r, http.StatusOK, "about", p)
}

// guide is the page with all the rules, the rule sets, what players disagree about, and advice.
func (s *Server) guide(w http.ResponseWriter, r *http.Request) {
	p := guidePage{page: s.page(r)}
	p.Title = p.T("guide.title")
	p.Section = "/learn"
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
		query := "?" + url.Values{"rules": {rules.String()}}.Encode()
		set.Board = miniBoard{p.boardView(position, false), darkSquares(position.Size()), query, p.T("guide.try")}
		p.Sets = append(p.Sets, set)
	}
	p.Disputes = p.disputes()
	s.render(w, r, http.StatusOK, "guide", p)
}
