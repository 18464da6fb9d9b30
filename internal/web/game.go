package web

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/account"
	"github.com/linesofaction/loa/internal/clock"
	"github.com/linesofaction/loa/internal/live"
	"github.com/linesofaction/loa/internal/lobby"
	"github.com/linesofaction/loa/internal/match"
	"github.com/linesofaction/loa/internal/wire"
)

type gamePage struct {
	page
	Match   wire.Snapshot
	RuleSet string
	Level   int // of the computer, 0 where none plays
	People  bool
	Stakes  string // rated or casual, between people
	Control string // the time control in short, between people
	Board   boardView
	Players []playerView // the far side first
	Turns   [][]plyView
	Terms   []term
	Delays  bool // the network's delay bears on the clocks
	Pieces  string
	Status  string
	Engine  bool   // whether browsers can have the engine
	Link    string // the holder's private link, empty for an onlooker
	Other   string // the color the holder does not play
	Talk    *talkView
	Start   string // the position the game began with, where that is not the one of its rules
	Shared  sharedView
	Table   string // the query that opens the game on one's own board; empty while people play it
	Lend    string // the link of the other seat, where this browser holds both
}

type playerView struct {
	Color  string
	Letter string
	Near   bool
	Name   string
	Member string // the name of the page of somebody else with an account
	Bot    string // what marks a bot, empty for others
	Level  string
	Rating string // in a rated match
	Groups string
	Clock  string // empty without one
}

type plyView struct {
	Number  int
	Text    string
	Current bool
}

type term struct{ Name, Value string }

// match finds the match of a request and who asks, or answers why not.
func (s *Server) match(w http.ResponseWriter, r *http.Request) (*match.Match, loa.Color, bool) {
	id := match.ID(r.PathValue("id"))
	m, err := s.Live.Match(r.Context(), id)
	if errors.Is(err, live.ErrNotFound) {
		s.fail(w, r, http.StatusNotFound, "error.404.game", "Game", string(id))
		return nil, loa.NoColor, false
	}
	you := loa.NoColor
	if err == nil {
		you, err = s.you(r, m)
	}
	if err != nil {
		s.internal(w, r, err)
		return nil, loa.NoColor, false
	}
	return m, you, true
}

func (s *Server) game(w http.ResponseWriter, r *http.Request) {
	s.showGame(w, r, http.StatusOK, "", "")
}

// showGame answers with the page of a game, and with what the reader wanted to say in it and why that was refused.
func (s *Server) showGame(w http.ResponseWriter, r *http.Request, status int, draft, wrong string) {
	m, you, ok := s.match(w, r)
	if !ok {
		return
	}
	p := gamePage{page: s.page(r), Match: wire.SnapshotOf(m, wire.PositionNow(m), you, s.Now())}
	p.Play = true
	own := []string{"help."}
	if m.BetweenPeople() {
		own = []string{"talk.", "report.do"}
	}
	p.run("game.js", append(own, "token.marked", "keys.", "board.", "square.", "piece.", "side.", "line.", "dir.", "ray.", "state.", "groups.left", "captured",
		"terms.pieces", "move.", "act.", "note.", "more.copied", "title.", "site.name", "turn.", "net.", "resign.", "result.", "refused.",
		"clock.", "given.", "premove.", "confirm.", "abort.", "offer.", "claim.", "rating.", "game.watching", "analysis.", "help.last.", "game.guest", "game.you")...)
	p.RuleSet = p.ruleSet(m.Rules())
	p.Terms = p.terms(p.Match.Rules)
	if p.People = m.BetweenPeople(); p.People {
		terms := m.Terms()
		p.Stakes = p.T("rated.short." + strconv.FormatBool(terms.Rated))
		p.Control = p.shortControl(terms.Control)
		wish := lobby.Wish{Rules: terms.Rules, Control: terms.Control, Rated: terms.Rated}
		guests := isGuest(terms.Seats[loa.Black].Name) || isGuest(terms.Seats[loa.White].Name)
		p.Terms = append(p.between(p.stakes(wish, guests), terms.Control), p.Terms...)
		p.Delays = terms.Control.Kind != clock.Unlimited && terms.Control.Kind != clock.Correspondence
	} else {
		p.Terms = append([]term{{p.T("terms.rated"), p.T("rated.engine")}}, p.Terms...)
	}
	flipped := you == loa.White
	p.Board = p.boardView(m.Game().Position(), flipped, lastSquares(m.Game())...)
	near := loa.Black
	if flipped {
		near = loa.White
	}
	for _, color := range []loa.Color{near.Opponent(), near} {
		player := p.player(m, color, you)
		player.Near = color == near
		rating, err := s.standing(r.Context(), m, color)
		if err != nil {
			s.internal(w, r, err)
			return
		}
		player.Rating = rating
		if faces := p.Match.Clock; faces != nil {
			player.Clock = p.dial(faces.Of(color))
		}
		p.Players = append(p.Players, player)
		if seat := m.Seat(color); seat.Holder == match.Engine {
			p.Level = seat.Level
		}
	}
	p.Engine = s.assets.has(engineFile)
	p.Turns = p.turns(p.Match.Plies, m.Game().Start().Turn() == loa.White)
	if start := m.Game().Start(); m.Rules().Start == loa.StartRandom || !startOfRules(m.Rules(), start) {
		p.Start = start.String()
	}
	p.Shared = p.sharedGame(s.public(r), m)
	if !p.People || m.Outcome().Over() {
		p.Table = tableQuery(m.Game())
	}
	p.Pieces = p.pieces(m.Game().Position())
	p.Status = p.status(m)
	p.Title = p.sides(m, you)
	if you != loa.NoColor {
		link := func(color loa.Color) string {
			return s.public(r) + "/game/" + string(m.ID()) + "/seat/" + account.SeatSecret(s.Key, string(m.ID()), color)
		}
		p.Other, p.Link = you.Opponent().String(), link(you)
		if s.seatBySecret(m, s.heldSecrets(r)[m.ID()]) == you.Opponent() {
			p.Lend = link(you.Opponent())
		}
	}
	view, err := s.talkView(r, p.voice, m, you)
	if err != nil {
		s.internal(w, r, err)
		return
	}
	if p.Talk = view; view != nil {
		p.Modules = append(p.Modules, p.Asset("talk.js"))
		view.Draft, view.Wrong = draft, wrong
	}
	s.render(w, r, status, "game", p)
}

// public returns the address people reach this server by.
func (s *Server) public(r *http.Request) string {
	if s.Public != "" {
		return strings.TrimSuffix(s.Public, "/")
	}
	if secure(r) {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

func lastSquares(g *loa.Game) []loa.Square {
	for ply := g.Plies() - 1; ply >= 0; ply-- {
		if m := g.Move(ply); m != loa.Pass {
			return []loa.Square{m.From(), m.To()}
		}
	}
	return nil
}

func (v voice) player(m *match.Match, color, you loa.Color) playerView {
	seat := m.Seat(color)
	p := playerView{
		Color:  color.String(),
		Letter: color.String()[:1],
		Groups: v.T("groups.left", "Count", m.Game().Position().Pieces(color).CountGroups()),
	}
	switch {
	case seat.Holder == match.Engine:
		p.Name = v.T("game.computer")
		p.Level = v.T("level.short", "Level", seat.Level)
	case color == you:
		p.Name = v.T("game.you")
	case seat.Member && !isGuest(seat.Name): // an account that is closed has a guest's name
		p.Name, p.Member, p.Bot = seat.Name, seat.Name, v.mark(seat.Bot)
	default:
		p.Name = v.name(seat.Name)
	}
	return p
}

// mark returns the word that marks the account of a program.
func (v voice) mark(bot bool) string {
	if bot {
		return v.T("token.bot")
	}
	return ""
}

// marked writes the name of a person, with the mark of a bot.
func (v voice) marked(name string, bot bool) string {
	if bot {
		return v.T("token.marked", "Name", name)
	}
	return v.name(name)
}

// sides names the two sides of a match to a reader who plays a color, or none.
func (v voice) sides(m *match.Match, you loa.Color) string {
	var names [2]string
	for color := range loa.Color(2) {
		names[color] = v.marked(v.player(m, color, you).Name, m.Seat(color).Bot && color != you)
	}
	return v.T("game.title", "Black", names[loa.Black], "White", names[loa.White])
}

// name writes the name of a person.
func (v voice) name(name string) string {
	if isGuest(name) {
		return v.T("game.guest", "Name", name)
	}
	return name
}

// isGuest reports whether a name is a guest's: a number, while no member's begins with a digit.
func isGuest(name string) bool { return name != "" && name[0] >= '0' && name[0] <= '9' }

// startOfRules reports whether a game under rules begins with a position.
func startOfRules(rules loa.Rules, p loa.Position) bool {
	start, err := rules.StartPosition()
	return err == nil && start.Same(p)
}

// turns pairs the plies as the list of moves shows them. Where White began, the first pair lacks Black's.
func (v voice) turns(plies []wire.Ply, late bool) [][]plyView {
	var out [][]plyView
	if late && len(plies) > 0 {
		out = append(out, []plyView{{Text: "…"}})
	}
	for i, ply := range plies {
		text := strings.Replace(ply.Move, "x", "×", 1)
		if ply.Move == "pass" {
			text = v.T("move.pass")
		}
		if i%2 == 0 != late {
			out = append(out, nil)
		}
		last := len(out) - 1
		out[last] = append(out[last], plyView{Number: i + 1, Text: text, Current: i == len(plies)-1})
	}
	return out
}

func (v voice) pieces(p loa.Position) string {
	return v.T("terms.pieces",
		"BlackSide", v.T("side.black"), "Black", p.Pieces(loa.Black).Count(),
		"WhiteSide", v.T("side.white"), "White", p.Pieces(loa.White).Count())
}

// status says how the match stands, for those who read without scripts.
func (v voice) status(m *match.Match) string {
	outcome := m.Outcome()
	switch {
	case !outcome.Over():
		return v.T("turn.side", "Side", v.T("side."+m.Game().Position().Turn().String()))
	case outcome.Reason == loa.Aborted:
		return v.T("result.off")
	case outcome.Winner == loa.NoColor:
		return v.T("result.draw")
	}
	return v.T("result.side", "Side", v.T("side."+outcome.Winner.String()))
}

// ruleSet names rules after the set they are, or says that they are of their own.
func (v voice) ruleSet(rules loa.Rules) string {
	rules.Seed = 0
	for _, set := range loa.RuleSets() {
		if set.Rules == rules {
			return v.T("ruleset." + set.Name)
		}
	}
	return v.T("ruleset.other")
}

// ruleChanges says in what rules differ from the set they are nearest to, nothing for those of a set.
func (v voice) ruleChanges(rules loa.Rules) string {
	_, changes, _ := strings.Cut(rules.String(), ":")
	var parts []string
	for _, change := range strings.Split(changes, ",") {
		option, value, _ := strings.Cut(change, "=")
		number, _ := strconv.Atoi(value)
		switch {
		case option == "" || option == "seed":
		case option == "size":
			parts = append(parts, v.T("terms.size", "Size", number))
		case option == "cap":
			parts = append(parts, v.T("terms.cap.moves", "Count", number))
		case option == "both" && value == "mover" && rules.Goal == loa.GoalMisere:
			parts = append(parts, v.T("terms.both")+": "+v.T("terms.both.misere"))
		case option == "start":
			parts = append(parts, v.startName(value))
		default:
			parts = append(parts, v.T("terms."+option)+": "+v.T("terms."+option+"."+value))
		}
	}
	return strings.Join(parts, " · ")
}

// startName names a start that is not drawn yet, so that one at random has no seed.
func (v voice) startName(start string) string {
	if start == "random" {
		return v.T("ruleset.random")
	}
	return v.T("terms.start." + start)
}

// terms spells out the rules of a match, option by option.
func (v voice) terms(rules wire.Rules) []term {
	both := rules.Both
	if rules.Goal == "misere" && both == "mover" {
		both = "misere"
	}
	terms := []term{
		{v.T("terms.board"), v.T("terms.size", "Size", rules.Size) + ", " + v.T("terms.start."+rules.Start, "Seed", rules.Seed)},
		{v.T("terms.goal"), v.T("terms.goal." + rules.Goal)},
		{v.T("terms.both"), v.T("terms.both." + both)},
		{v.T("terms.nomove"), v.T("terms.nomove." + rules.NoMove)},
		{v.T("terms.repetition"), v.T("terms.repetition." + rules.Repetition)},
		{v.T("terms.captures"), v.T("terms.captures." + rules.Captures)},
	}
	if rules.Cap > 0 {
		terms = append(terms, term{v.T("terms.cap"), v.T("terms.cap.moves", "Count", rules.Cap)})
	}
	return terms
}

// Levels returns the levels of the computer.
func (gamePage) Levels() []int {
	var levels []int
	for n := range maxLevel {
		levels = append(levels, n+1)
	}
	return levels
}

// Turn returns the number that the list of moves shows for a pair of plies.
func (p gamePage) Turn(index int) int { return index + 1 }
