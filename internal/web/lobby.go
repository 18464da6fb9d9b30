package web

import (
	"cmp"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/account"
	"github.com/linesofaction/loa/internal/clock"
	"github.com/linesofaction/loa/internal/lobby"
	"github.com/linesofaction/loa/internal/match"
	"github.com/linesofaction/loa/internal/wire"
)

// quickRules are the rule sets of the quick games.
var quickRules = []string{"standard", "classic", "scrambled", "random", "mini", "misere"}

// quickControls are the time controls of the quick games, and quickChosen the one chosen beforehand.
var quickControls = []string{"1+2", "3+2", "5+3", "10+5", "20+10", "2d/move"}

const (
	quickChosen = 2
	lobbyBoards = 4 // games shown in the lobby
	quickStops  = 5 // of them on the home page, all but those of days
)

// stop is a time control as a station on a line.
type stop struct {
	Control string
	Name    string
	Chosen  bool
}

// stops returns the time controls of the quick games, one of them chosen.
func (v voice) stops(chosen string) []stop {
	var out []stop
	for _, text := range quickControls {
		c, err := clock.Parse(text)
		if err != nil {
			continue // a test parses them all
		}
		out = append(out, stop{text, v.stopName(c), text == chosen})
	}
	return out
}

// stopName writes a control so short that it fits under its station, and in the list of seeks.
func (v voice) stopName(c clock.Control) string {
	if c.Kind == clock.Correspondence {
		return v.duration(c.Step)
	}
	return v.shortControl(c)
}

// wishView is what the lobby's page begins with: a seek to make at once, or only what is chosen.
type wishView struct {
	Seek    bool   `json:"seek"`
	Rules   string `json:"rules"`
	Control string `json:"control"`
	Color   string `json:"color,omitempty"`
	Rated   bool   `json:"rated,omitempty"`
	Range   int    `json:"range,omitempty"`
}

// gameLine is a running game of the reader.
type gameLine struct {
	ID       match.ID
	Name     string // the opponent
	Letter   string // the reader's color
	Terms    string
	YourMove bool
	Left     string // of the time for the move, where that is days
	deadline time.Time
}

// seekLine is an open seek as the page first shows it, before its script takes over.
type seekLine struct {
	Colors []string // as drawn: the reader's in that game
	Name   string
	Rating string
	Clock  string
	Rules  string
	Terms  string // what of the rules is changed
	Stakes string
	Range  string
	Left   string // of the time for which the reader's own stands by itself
	Act    string // what its button says
	Bar    string // why it cannot be joined, in place of the button
}

// invitationLine is an open challenge as the page first shows it.
type invitationLine struct{ ID, Text, Game string }

type lobbyPage struct {
	page
	Seeks   []seekLine
	Invited []invitationLine
	Lobby   wire.Lobby
	Wish    wishView
	Rules   []string
	Stops   []stop
	Guest   bool
	Games   []gameLine
	Shown   []miniView
	Waiting int // games in which it is the reader's move
}

// Follows reports whether the reader follows anybody.
func (p lobbyPage) Follows() bool { return p.Lobby.Here != nil }

// HereLine says who of those the reader follows is here.
func (p lobbyPage) HereLine() string {
	if len(p.Lobby.Here) == 0 {
		return p.T("follow.away")
	}
	var names []string
	for _, name := range p.Lobby.Here {
		names = append(names, p.marked(name, slices.Contains(p.Lobby.Bots, name)))
	}
	return p.T("follow.here", "Names", strings.Join(names, p.T("format.list")))
}

// lobbyPage is where people meet.
func (s *Server) lobbyPage(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	wish, wrong := readTerms(query)
	if wrong != nil {
		s.refuseTerms(w, r, wrong)
		return
	}
	person, known, err := s.guest(r)
	if err != nil {
		s.internal(w, r, err)
		return
	}
	p := lobbyPage{page: s.page(r), Rules: quickRules, Guest: !known || person.Guest()}
	p.Section = "/lobby"
	p.Title = p.T("lobby.title")
	p.Here = "/lobby"
	p.run("lobby.js", "lobby.", "token.marked", "ruleset.", "terms.", "control.", "unit.", "color.", "follow.", "side.", "rated.short.", "rated.guest", "game.guest", "net.", "refused.",
		"clock.", "result.side", "result.draw", "watch.")
	p.Wish = wishView{
		Seek: query.Get("seek") != "", Rules: wish.Rules.String(), Control: wish.Control.String(),
		Rated: wish.Rated && !p.Guest, Range: wish.Below,
	}
	if !p.Wish.Seek && !p.Guest {
		p.Wish.Rated = true // what members mostly look for
	}
	if wish.Color != loa.NoColor {
		p.Wish.Color = wish.Color.String()
	}
	p.Stops = p.stops(wish.Control.String())
	if !slices.ContainsFunc(p.Stops, func(one stop) bool { return one.Chosen }) {
		p.Stops = p.stops(quickControls[quickChosen])
	}
	if p.Lobby, err = s.lobbyFor(r.Context(), person, s.heldSecrets(r)); err == nil {
		p.Games, err = s.gameLines(r, p.voice, person)
	}
	if err == nil {
		var ids []match.ID
		if ids, err = s.topGames(r.Context(), lobbyBoards); err == nil {
			p.Shown, err = s.minis(r, p.voice, ids)
		}
	}
	if err != nil {
		s.internal(w, r, err)
		return
	}
	for _, game := range p.Games {
		if game.YourMove {
			p.Waiting++
		}
	}
	for _, seek := range p.Lobby.Seeks {
		p.Seeks = append(p.Seeks, p.seekLine(seek))
	}
	for _, c := range p.Lobby.Challenges {
		line := invitationLine{ID: c.ID, Text: p.T("lobby.waits"), Game: p.wishName(c.Rules, c.Control)}
		if !c.Mine {
			line.Text = p.T("lobby.from", "Name", p.marked(c.From, c.Bot))
		}
		p.Invited = append(p.Invited, line)
	}
	s.render(w, r, http.StatusOK, "lobby", p)
}

// seekLine describes an open seek.
func (v voice) seekLine(seek wire.Seek) seekLine {
	wish, err := readWish(seek.Rules, seek.Control, "", false)
	if err != nil {
		return seekLine{Name: seek.Name} // a newer process knows terms that this one does not
	}
	line := seekLine{
		Colors: []string{"b", "w"}, Name: v.marked(seek.Name, seek.Bot), Clock: v.stopName(wish.Control), Rules: v.ruleSet(wish.Rules), Terms: v.ruleChanges(wish.Rules),
		Stakes: strings.ToLower(v.T("rated.short." + strconv.FormatBool(seek.Rated))), Range: v.T("lobby.anyone"),
		Act: v.T("lobby.join"),
	}
	if seek.Color != loa.NoColor.String() {
		line.Colors = []string{"b"}
		if seek.Mine != (seek.Color == loa.Black.String()) {
			line.Colors = []string{"w"}
		}
	}
	switch {
	case seek.Guest:
	case seek.Provisional:
		line.Rating = strconv.Itoa(seek.Rating) + "?"
	default:
		line.Rating = strconv.Itoa(seek.Rating)
	}
	if seek.Mine {
		line.Rating, line.Act = v.T("lobby.yours"), v.T("lobby.withdraw")
		if seek.Days > 0 {
			line.Left = v.T("lobby.left", "Time", v.T("unit.days", "Count", seek.Days))
		}
	}
	if seek.Prospect != "" && seek.Prospect != string(lobby.Later) {
		line.Bar = v.T("lobby.bar." + seek.Prospect)
	}
	if seek.Above > 0 {
		line.Range = "±" + strconv.Itoa(seek.Above)
	}
	return line
}

// wishName names rules and a control in a few words.
func (v voice) wishName(rules, control string) string {
	wish, err := readWish(rules, control, "", false)
	if err != nil {
		return control
	}
	return v.ruleSet(wish.Rules) + " " + v.shortControl(wish.Control)
}

// gameLines returns the running games of a person, those that wait for a move first, and of these what is due first.
func (s *Server) gameLines(r *http.Request, v voice, person account.Person) ([]gameLine, error) {
	ids, err := s.running(r.Context(), person.ID, s.heldSecrets(r), runningHere)
	if err != nil {
		return nil, err
	}
	var lines []gameLine
	for _, id := range ids {
		m, err := s.Live.Match(r.Context(), id)
		if err != nil {
			return nil, err
		}
		you, err := s.you(r, m)
		if err != nil {
			return nil, err
		}
		if m.Outcome().Over() || you > loa.White {
			continue
		}
		line := gameLine{
			ID: id, Name: v.marked(v.player(m, you.Opponent(), loa.NoColor).Name, m.Seat(you.Opponent()).Bot), Letter: you.String()[:1],
			Terms: v.gameTerms(m), YourMove: m.Game().Position().Turn() == you,
		}
		if deadline, ok := m.Deadline(); ok {
			line.deadline = deadline
			if m.Terms().Control.Kind == clock.Correspondence {
				line.Left = v.remains(deadline.Sub(s.Now()))
			}
		}
		lines = append(lines, line)
	}
	slices.SortStableFunc(lines, func(a, b gameLine) int {
		switch {
		case a.YourMove == b.YourMove:
			return cmp.Compare(a.due(), b.due())
		case a.YourMove:
			return -1
		}
		return 1
	})
	return lines, nil
}

// due is when a game ends by itself, for sorting; what has no such time is due last.
func (l gameLine) due() int64 {
	if l.deadline.IsZero() {
		return math.MaxInt64
	}
	return l.deadline.UnixMilli()
}
