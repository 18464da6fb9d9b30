package web

import (
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/linesofaction/loa/internal/account"
)

// tokensPage is where a member makes tokens for programs.
type tokensPage struct {
	page
	Person account.Person
	Tokens []tokenView
	Scopes []account.Scope
	Secret string // of the token that was just made, shown this once
	Error  string
	Typed  string // what was refused stays in the form
	chosen []string
}

// Chosen reports whether a scope was chosen in a form that was refused.
func (p tokensPage) Chosen(scope account.Scope) bool { return slices.Contains(p.chosen, string(scope)) }

type tokenView struct {
	account.AccessToken
	Text string // of the scopes
	Seen string // the day of the last use, empty for never
}

func (s *Server) tokensPage(w http.ResponseWriter, r *http.Request) {
	if person, ok := s.member(w, r); ok {
		s.showTokens(w, r, http.StatusOK, person, "", "")
	}
}

func (s *Server) showTokens(w http.ResponseWriter, r *http.Request, status int, person account.Person, secret, wrong string) {
	tokens, err := s.Tokens.Tokens(r.Context(), person.ID)
	if err != nil {
		s.internal(w, r, err)
		return
	}
	p := tokensPage{page: s.page(r), Person: person, Scopes: account.Scopes(), Secret: secret, Error: wrong}
	p.Title = p.T("token.title")
	if wrong != "" {
		p.Typed, p.chosen = r.PostForm.Get("name"), r.PostForm["scope"]
	}
	for _, t := range tokens {
		view := tokenView{AccessToken: t, Text: account.JoinScopes(t.Scopes)}
		if !t.Used.IsZero() {
			view.Seen = p.Date(t.Used)
		}
		p.Tokens = append(p.Tokens, view)
	}
	s.render(w, r, status, "tokens", p)
}

// makeToken makes a token and shows its secret.
func (s *Server) makeToken(w http.ResponseWriter, r *http.Request) {
	person, ok := s.member(w, r)
	if !ok || !s.form(w, r) {
		return
	}
	say := s.page(r)
	name := strings.TrimSpace(r.PostForm.Get("name"))
	if account.CheckTokenName(name) != nil {
		s.showTokens(w, r, http.StatusBadRequest, person, "", say.T("token.wrong.name"))
		return
	}
	scopes, err := account.ParseScopes(r.PostForm["scope"])
	if err != nil {
		s.showTokens(w, r, http.StatusBadRequest, person, "", say.T("token.wrong.scope"))
		return
	}
	id, err := account.NewID(s.Random)
	secret := ""
	if err == nil {
		secret, err = account.NewSecret(s.Random)
	}
	secret = account.TokenPrefix + secret
	if err == nil {
		err = s.Tokens.AddToken(r.Context(), person.ID, account.HashSecret(secret), account.AccessToken{ID: id, Name: name, Scopes: scopes, Created: s.Now()})
	}
	switch {
	case errors.Is(err, account.ErrTooMany):
		s.showTokens(w, r, http.StatusConflict, person, "", say.T("token.wrong.many"))
	case err != nil:
		s.internal(w, r, err)
	default:
		s.showTokens(w, r, http.StatusOK, person, secret, "")
	}
}

// endToken ends a token: from now on it is unknown.
func (s *Server) endToken(w http.ResponseWriter, r *http.Request) {
	person, ok := s.member(w, r)
	if !ok || !s.form(w, r) {
		return
	}
	if err := s.Tokens.EndToken(r.Context(), person.ID, r.PostForm.Get("token")); err != nil {
		s.internal(w, r, err)
		return
	}
	http.Redirect(w, r, "/account/tokens", http.StatusSeeOther)
}

// becomeBot makes the account of a member that of a bot, if the form says that this is meant.
func (s *Server) becomeBot(w http.ResponseWriter, r *http.Request) {
	person, ok := s.member(w, r)
	if !ok || !s.form(w, r) {
		return
	}
	if r.PostForm.Get("sure") != "yes" {
		s.refuse(w, r, "sure", r.PostForm.Get("sure"), "yes")
		return
	}
	err := s.Tokens.BecomeBot(r.Context(), person.ID)
	switch {
	case errors.Is(err, account.ErrRated):
		s.showTokens(w, r, http.StatusConflict, person, "", s.page(r).T("token.wrong.rated"))
	case err != nil:
		s.internal(w, r, err)
	default:
		s.Talk.Renamed(person.ID) // what was said is marked, too
		http.Redirect(w, r, "/account/tokens", http.StatusSeeOther)
	}
}
