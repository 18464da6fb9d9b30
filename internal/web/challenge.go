package web

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strings"

	"rsc.io/qr"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/account"
	"github.com/linesofaction/loa/internal/live"
	"github.com/linesofaction/loa/internal/lobby"
	"github.com/linesofaction/loa/internal/match"
	"github.com/linesofaction/loa/internal/wire"
)

// wishPage asks for the terms of a game.
type wishPage struct {
	page
	Rules   []string
	Options []optionView
	Kinds   []string
	Guest   bool
	Form    url.Values // what the form holds
	Error   string     // what is wrong with it, in words
}

// Value returns what a field of the form holds.
func (p wishPage) Value(name string) string { return p.Form.Get(name) }

// Is reports whether a field of the form holds a value.
func (p wishPage) Is(name, value string) bool { return p.Form.Get(name) == value }

// Changed reports whether the form changes the rules of the set.
func (p wishPage) Changed() bool {
	for _, name := range append(optionNames(), "size", "cap") {
		if p.Form.Get(name) != "" {
			return true
		}
	}
	return false
}

// blankWish is what the form holds at first.
func blankWish(to string) url.Values {
	return url.Values{
		"rules": {"standard"}, "kind": {"fischer"}, "minutes": {"5"}, "seconds": {"5"}, "periods": {"3"}, "days": {"2"}, "color": {"any"}, "to": {to},
	}
}

type optionView struct {
	Name   string
	Values []string
}

// Ranges returns the differences of rating to choose from.
func (p wishPage) Ranges() []int { return []int{100, 200, 300, 500} }

// OptionName names a value of an option of the rules.
func (p wishPage) OptionName(option, value string) string {
	if option == "start" {
		return p.startName(value)
	}
	return p.T("terms." + option + "." + value)
}

// challengePage is one invitation: its maker sees the link, everybody else the terms.
type challengePage struct {
	page
	ID      string
	Name    string // who invites
	Mine    bool
	Open    bool // to whoever has the link
	Named   bool // it is for the reader by name, who may decline it
	Terms   []term
	RuleSet string
	Link    string
	Code    qrView
	Blocked string // why the reader cannot accept
}

// qrView is a QR code as a drawing: the dark modules of a square with so many on an edge, a quiet zone included.
type qrView struct {
	Size int
	Path string
}

// quiet is the width of the light border that readers of QR codes need, in modules.
const quiet = 4

// drawQR returns the QR code of a text, one path with a rectangle for every run of dark modules.
func drawQR(text string) (qrView, error) {
	code, err := qr.Encode(text, qr.M)
	if err != nil {
		return qrView{}, err
	}
	var path strings.Builder
	for y := range code.Size {
		for x := 0; x < code.Size; x++ {
			from := x
			for x < code.Size && code.Black(x, y) {
				x++
			}
			if x > from {
				fmt.Fprintf(&path, "M%d %dh%dv1h-%dz", from+quiet, y+quiet, x-from, x-from)
			}
		}
	}
	return qrView{code.Size + 2*quiet, path.String()}, nil
}

// wishPage is the form for a game of one's own terms.
func (s *Server) wishPage(w http.ResponseWriter, r *http.Request) {
	s.showWish(w, r, http.StatusOK, blankWish(r.URL.Query().Get("to")), "")
}

// showWish answers with the form, as it was filled in, and what is wrong with it.
func (s *Server) showWish(w http.ResponseWriter, r *http.Request, status int, form url.Values, wrong string) {
	person, known, err := s.guest(r)
	if err != nil {
		s.internal(w, r, err)
		return
	}
	p := wishPage{page: s.page(r), Rules: offered, Kinds: kinds, Guest: !known || person.Guest(), Form: form, Error: wrong}
	p.Section = "/lobby"
	p.Title = p.T("wish.title")
	for _, option := range changeable {
		p.Options = append(p.Options, optionView(option))
	}
	s.render(w, r, status, "wish", p)
}

// challenge makes an invitation and leads to its page.
func (s *Server) challenge(w http.ResponseWriter, r *http.Request) {
	if !s.form(w, r) {
		return
	}
	again := func(status int, wrong string) {
		form := blankWish("")
		maps.Copy(form, r.PostForm)
		s.showWish(w, r, status, form, wrong)
	}
	say := s.page(r)
	wish, wrong := readTerms(r.PostForm)
	if wrong != nil {
		again(http.StatusBadRequest, say.wrongTerms(wrong))
		return
	}
	person, err := s.welcome(w, r)
	if err != nil {
		s.internal(w, r, err)
		return
	}
	if wish.Rated && person.Guest() {
		s.fail(w, r, http.StatusForbidden, "error.403.guest")
		return
	}
	c := lobby.Challenge{From: person.ID, Name: person.Name, Wish: wish}
	if name := strings.TrimSpace(r.PostForm.Get("to")); name != "" {
		invited, known, err := s.Members.PersonByName(r.Context(), name)
		switch {
		case err != nil:
			s.internal(w, r, err)
			return
		case !known:
			again(http.StatusBadRequest, say.refusal("to", name, ""))
			return
		case invited.ID == person.ID:
			again(http.StatusBadRequest, say.refusal("to.own", name, ""))
			return
		}
		c.To = invited.ID
	}
	if c, err = s.Lobby.Challenge(r.Context(), c); err != nil {
		s.challengeError(w, r, err)
		return
	}
	http.Redirect(w, r, "/challenge/"+c.ID, http.StatusSeeOther)
}

// invitation is the page of one challenge. Looking at it binds nobody.
func (s *Server) invitation(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Robots-Tag", "noindex")
	c, state, err := s.Lobby.Get(r.Context(), r.PathValue("id"))
	var person account.Person
	if err == nil {
		person, _, err = s.guest(r)
	}
	mine := person.ID != "" && person.ID == c.From
	switch {
	case err != nil:
		s.challengeError(w, r, err)
		return
	case c.Match != "":
		s.toMatch(w, r, c, person)
		return
	case state == "expired":
		s.challengeError(w, r, live.ErrExpired)
		return
	case state == "refused":
		s.fail(w, r, http.StatusGone, "error.410.refused")
		return
	case c.To != "" && person.ID != c.To && !mine:
		s.notForYou(w, r, person)
		return
	}
	p := challengePage{page: s.page(r), ID: c.ID, Mine: mine, Open: c.To == "", Named: c.To != "" && c.To == person.ID}
	p.Name = p.marked(c.Name, c.Bot)
	p.Section = "/lobby"
	p.RuleSet = p.ruleSet(c.Wish.Rules)
	color := c.Wish.Color
	if !mine && color != loa.NoColor {
		color = color.Opponent()
	}
	p.Terms = append([]term{{p.T("terms.rules"), p.RuleSet}}, p.between(p.stakes(c.Wish, isGuest(c.Name)), c.Wish.Control)...)
	p.Terms = append(p.Terms, term{p.T("terms.color"), p.colorTerm(color)})
	p.Terms = append(p.Terms, p.terms(wire.RulesOf(c.Wish.Rules, c.Wish.Rules.Edge()))...)
	if c.Wish.Rated && person.Guest() {
		p.Blocked = p.T("error.403.guest")
	}
	p.Title = p.T("challenge.title")
	if mine {
		p.Title = p.T("challenge.made")
		p.run("challenge.js", "more.copied", "net.")
		p.Link = s.public(r) + "/challenge/" + c.ID
		if p.Code, err = drawQR(p.Link); err != nil {
			s.internal(w, r, err)
			return
		}
	}
	s.render(w, r, http.StatusOK, "challenge", p)
}

// notForYou answers whoever opens an invitation of somebody else, who may only have to sign in.
func (s *Server) notForYou(w http.ResponseWriter, r *http.Request, person account.Person) {
	p := errorPage{page: s.page(r), Status: http.StatusForbidden}
	p.Heading = p.T("error.403.title")
	p.Title = p.Heading
	p.Text = p.T("error.403.challenge")
	if !person.Member {
		p.SignIn = r.URL.Path
	}
	s.render(w, r, p.Status, "error", p)
}

// toMatch leads the players of an accepted challenge to their game, and tells everybody else that it was taken.
func (s *Server) toMatch(w http.ResponseWriter, r *http.Request, c lobby.Challenge, person account.Person) {
	m, err := s.Live.Match(r.Context(), match.ID(c.Match))
	switch {
	case err != nil:
		s.internal(w, r, err)
	case person.ID != "" && m.SeatOf(person.ID) != loa.NoColor:
		http.Redirect(w, r, "/game/"+c.Match, http.StatusSeeOther)
	default:
		s.challengeError(w, r, live.ErrConflict)
	}
}

// accept binds both seats and leads to the game.
func (s *Server) accept(w http.ResponseWriter, r *http.Request) {
	person, err := s.welcome(w, r)
	if err != nil {
		s.internal(w, r, err)
		return
	}
	id, err := s.Lobby.Accept(r.Context(), r.PathValue("id"), lobby.Seeker{Person: person.ID, Name: person.Name, Guest: person.Guest(), Bot: person.Bot})
	if errors.Is(err, live.ErrConflict) {
		// whoever asks twice for what is theirs gets it twice
		if c, _, fault := s.Lobby.Get(r.Context(), r.PathValue("id")); fault == nil && c.Match != "" {
			s.toMatch(w, r, c, person)
			return
		}
		s.fail(w, r, http.StatusGone, "error.410.refused")
		return
	}
	if err != nil {
		s.challengeError(w, r, err)
		return
	}
	http.Redirect(w, r, "/game/"+string(id), http.StatusSeeOther)
}

// refuseChallenge closes a challenge: its maker withdraws it, or the invited declines.
func (s *Server) refuseChallenge(w http.ResponseWriter, r *http.Request) {
	person, known, err := s.guest(r)
	if err == nil && !known {
		err = live.ErrNotYours
	}
	if err == nil {
		err = s.Lobby.Refuse(r.Context(), r.PathValue("id"), person.ID)
	}
	if err != nil {
		s.challengeError(w, r, err)
		return
	}
	http.Redirect(w, r, "/lobby", http.StatusSeeOther)
}

// challengeError answers why a challenge cannot be had.
func (s *Server) challengeError(w http.ResponseWriter, r *http.Request, err error) {
	switch {
	case errors.Is(err, live.ErrNotFound):
		s.fail(w, r, http.StatusNotFound, "error.404.challenge")
	case errors.Is(err, live.ErrExpired):
		s.fail(w, r, http.StatusGone, "error.410.expired")
	case errors.Is(err, live.ErrConflict):
		s.fail(w, r, http.StatusConflict, "error.409.taken")
	case errors.Is(err, live.ErrNotYours):
		s.fail(w, r, http.StatusForbidden, "error.403.challenge")
	case errors.Is(err, live.ErrOwn):
		s.fail(w, r, http.StatusForbidden, "error.403.own")
	case errors.Is(err, live.ErrGuest):
		s.fail(w, r, http.StatusForbidden, "error.403.guest")
	case errors.Is(err, live.ErrBlocked):
		s.fail(w, r, http.StatusForbidden, "error.403.blocked")
	case errors.Is(err, live.ErrBarred):
		s.fail(w, r, http.StatusForbidden, "error.403.barred")
	default:
		s.internal(w, r, err)
	}
}
