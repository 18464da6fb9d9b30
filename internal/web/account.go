package web

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"time"

	"github.com/linesofaction/loa/internal/account"
	"github.com/linesofaction/loa/internal/match"
	"github.com/linesofaction/loa/internal/puzzle"
	"github.com/linesofaction/loa/internal/talk"
)

type accountPage struct {
	page
	Person   account.Person
	Sessions []sessionView
	Mail     bool   // the host sends mail
	Email    string // confirmed, empty for none
	Notice   string
	Error    string
}

type sessionView struct {
	Hash    string
	Agent   string
	Created time.Time
	Seen    time.Time
	Here    bool
}

// member returns the member who asks, or leads to the page to sign in and reports false.
func (s *Server) member(w http.ResponseWriter, r *http.Request) (account.Person, bool) {
	person, known, err := s.guest(r)
	if err != nil {
		s.internal(w, r, err)
		return person, false
	}
	if !known || person.Guest() {
		http.Redirect(w, r, "/sign-in?back=/account", http.StatusSeeOther)
		return person, false
	}
	return person, true
}

func (s *Server) accountPage(w http.ResponseWriter, r *http.Request) {
	if person, ok := s.member(w, r); ok {
		s.showAccount(w, r, http.StatusOK, person, "", "")
	}
}

func (s *Server) showAccount(w http.ResponseWriter, r *http.Request, status int, person account.Person, notice, wrong string) {
	sessions, err := s.Members.Sessions(r.Context(), person.ID)
	if err != nil {
		s.internal(w, r, err)
		return
	}
	p := accountPage{page: s.page(r), Person: person, Mail: s.Letters != nil}
	if p.Mail {
		if p.Email, err = s.Letters.Email(r.Context(), person.ID); err != nil {
			s.internal(w, r, err)
			return
		}
	}
	p.Title = p.T("account.title")
	p.Notice, p.Error = notice, wrong
	here := hex.EncodeToString(secretHash(r))
	for _, session := range sessions {
		hash := hex.EncodeToString(session.Hash)
		p.Sessions = append(p.Sessions, sessionView{Hash: hash, Agent: session.Agent, Created: session.Created, Seen: session.Seen, Here: hash == here})
	}
	s.render(w, r, status, "account", p)
}

// rightPassword reports whether the form has the member's password, or answers that it has not.
func (s *Server) rightPassword(w http.ResponseWriter, r *http.Request, person account.Person) bool {
	if s.quotas.signIns.take(account.Key(person.Name), s.Now()) > 0 {
		s.showAccount(w, r, http.StatusTooManyRequests, person, "", s.page(r).T("signin.slow"))
		return false
	}
	stored, err := s.Members.PasswordOf(r.Context(), person.ID)
	right := false
	if err == nil {
		right, err = s.hasher.matches(r.Context(), r.PostForm.Get("password"), stored)
	}
	if err != nil {
		s.internal(w, r, err)
		return false
	}
	if !right {
		s.showAccount(w, r, http.StatusForbidden, person, "", s.page(r).T("account.wrong"))
	}
	return right
}

// changePassword gives the member another password and ends all other sessions.
func (s *Server) changePassword(w http.ResponseWriter, r *http.Request) {
	person, ok := s.member(w, r)
	if !ok || !s.form(w, r) || !s.rightPassword(w, r, person) {
		return
	}
	next := r.PostForm.Get("new")
	if why := account.CheckPassword(next, person.Name); why != "" {
		s.showAccount(w, r, http.StatusBadRequest, person, "", s.page(r).T("join.password."+why))
		return
	}
	stored, err := s.hasher.hash(r.Context(), next, s.Random)
	if err == nil {
		err = s.Members.SetPassword(r.Context(), person.ID, stored, secretHash(r))
	}
	if err == nil {
		err = s.tellChange(r, person, "password")
	}
	if err != nil {
		s.internal(w, r, err)
		return
	}
	s.showAccount(w, r, http.StatusOK, person, s.page(r).T("account.changed"), "")
}

// otherSessions stands in the form for all sessions but the one that asks.
const otherSessions = "others"

// endSession ends one of the member's sessions, or all others.
func (s *Server) endSession(w http.ResponseWriter, r *http.Request) {
	person, ok := s.member(w, r)
	if !ok || !s.form(w, r) {
		return
	}
	which := r.PostForm.Get("session")
	hash, err := hex.DecodeString(which)
	switch {
	case which == otherSessions:
		err = s.Members.EndOtherSessions(r.Context(), person.ID, secretHash(r))
	case err != nil:
		s.refuse(w, r, "session", which, "0-9 a-f, "+otherSessions)
		return
	default:
		err = s.Members.EndSession(r.Context(), person.ID, hash)
	}
	if err != nil {
		s.internal(w, r, err)
		return
	}
	http.Redirect(w, r, "/account", http.StatusSeeOther)
}

// exported is what a member's data are, as a file.
type exported struct {
	Name     string            `json:"name"`
	Email    string            `json:"email,omitempty"`
	Joined   time.Time         `json:"joined"`
	Sessions []exportedSession `json:"sessions"`
	Bot      bool              `json:"bot,omitempty"`
	Tokens   []exportedToken   `json:"tokens"`
	Ratings  []exportedRating  `json:"ratings"`
	Games    []exportedGame    `json:"games"`
	Follows  []exportedPerson  `json:"follows"`
	Muted    []exportedPerson  `json:"muted"`
	Blocked  []exportedPerson  `json:"blocked"`
	Remarks  []exportedRemark  `json:"remarks"`
	Reports  []exportedReport  `json:"reports"` // made by the member
	Puzzles  exportedPuzzles   `json:"puzzles"`
}

// exportedPuzzles is how a member does at puzzles.
type exportedPuzzles struct {
	Rating    float64 `json:"rating"`
	Deviation float64 `json:"deviation"`
	Tried     int     `json:"tried"`
	Solved    int     `json:"solved"`
	Best      int     `json:"longest_streak"`
}

type exportedRating struct {
	Pool       string  `json:"pool"`
	Rating     float64 `json:"rating"`
	Deviation  float64 `json:"deviation"`
	Volatility float64 `json:"volatility"`
	Games      int     `json:"games"`
}

type exportedGame struct {
	ID      string    `json:"id"`
	Black   string    `json:"black"` // empty for the computer
	White   string    `json:"white"`
	Rules   string    `json:"rules"`
	Control string    `json:"control"`
	Rated   bool      `json:"rated"`
	Plies   int       `json:"plies"`
	Ended   bool      `json:"ended"`
	Winner  string    `json:"winner,omitempty"`
	Reason  string    `json:"reason,omitempty"`
	Updated time.Time `json:"updated"`
	Start   string    `json:"start"` // the position, side to move last
	Moves   []string  `json:"moves"`
}

type exportedPerson struct {
	Name  string    `json:"name"`
	Since time.Time `json:"since,omitzero"`
}

type exportedRemark struct {
	Game   string    `json:"game"`
	Room   talk.Room `json:"room"`
	At     time.Time `json:"at"`
	Text   string    `json:"text,omitempty"`
	Preset string    `json:"preset,omitempty"`
}

type exportedReport struct {
	About  string    `json:"about"`
	Game   string    `json:"game,omitempty"`
	Reason string    `json:"reason"`
	Text   string    `json:"text"`
	At     time.Time `json:"at"`
}

// exportedToken is a token, whose secret is not stored.
type exportedToken struct {
	Name    string          `json:"name"`
	Scopes  []account.Scope `json:"scopes"`
	Created time.Time       `json:"created"`
	Used    time.Time       `json:"used,omitzero"`
}

type exportedSession struct {
	Created time.Time `json:"created"`
	Seen    time.Time `json:"seen"`
	Agent   string    `json:"agent"`
}

// export answers everything that is stored about the member.
func (s *Server) export(w http.ResponseWriter, r *http.Request) {
	person, ok := s.member(w, r)
	if !ok {
		return
	}
	out := exported{
		Name: person.Name, Joined: person.Created, Bot: person.Bot, Tokens: []exportedToken{}, Sessions: []exportedSession{}, Ratings: []exportedRating{}, Games: []exportedGame{},
		Follows: []exportedPerson{}, Muted: []exportedPerson{}, Blocked: []exportedPerson{}, Remarks: []exportedRemark{}, Reports: []exportedReport{},
	}
	sessions, err := s.Members.Sessions(r.Context(), person.ID)
	for _, session := range sessions {
		out.Sessions = append(out.Sessions, exportedSession{session.Created, session.Seen, session.Agent})
	}
	if err == nil && s.Letters != nil {
		out.Email, err = s.Letters.Email(r.Context(), person.ID)
	}
	if err == nil {
		var tokens []account.AccessToken
		tokens, err = s.Tokens.Tokens(r.Context(), person.ID)
		for _, t := range tokens {
			out.Tokens = append(out.Tokens, exportedToken{t.Name, t.Scopes, t.Created, t.Used})
		}
	}
	if err == nil {
		err = s.exportGames(r.Context(), person.ID, &out)
	}
	if err == nil {
		err = s.exportTalk(r.Context(), person.ID, &out)
	}
	if err == nil && s.Puzzlers != nil {
		var standing puzzle.Standing
		standing, err = s.Puzzlers.PuzzleStanding(r.Context(), person.ID)
		out.Puzzles = exportedPuzzles{standing.Rating.Mean, standing.Rating.Deviation, standing.Tried, standing.Solved, standing.Best}
	}
	if err != nil {
		s.internal(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Disposition", `attachment; filename="lines-of-action.json"`)
	w.Header().Set("Cache-Control", "no-store")
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(out); err != nil {
		s.report(r, err)
	}
}

// exportGames adds the ratings and the games of a member.
func (s *Server) exportGames(ctx context.Context, person string, out *exported) error {
	ratings, err := s.Profiles.Ratings(ctx, person)
	if err != nil {
		return err
	}
	for _, r := range ratings {
		out.Ratings = append(out.Ratings, exportedRating{r.Pool, r.Rating.Mean, r.Rating.Deviation, r.Rating.Volatility, r.Rating.Games})
	}
	games, err := s.Profiles.PlayedBy(ctx, person, s.Now().Add(time.Hour), 1_000_000)
	if err != nil {
		return err
	}
	for _, g := range games {
		game := exportedGame{ID: g.ID, Black: g.Black.Name, White: g.White.Name, Rules: g.Rules, Control: g.Control, Rated: g.Rated, Plies: g.Plies, Ended: g.Ended, Updated: g.Updated}
		if g.Ended {
			game.Winner, game.Reason = g.Winner, g.Reason
		}
		m, err := s.Live.Read(ctx, match.ID(g.ID))
		if err != nil {
			return err
		}
		game.Start, game.Moves = m.Game().Start().String(), []string{}
		for ply := range m.Game().Plies() {
			game.Moves = append(game.Moves, m.Game().Format(ply))
		}
		out.Games = append(out.Games, game)
	}
	return nil
}

// exportTalk adds what a member has said, to others and about them, and whom the member follows, mutes and blocks.
func (s *Server) exportTalk(ctx context.Context, person string, out *exported) error {
	follows, err := s.Follows.Following(ctx, person)
	if err != nil {
		return err
	}
	for _, f := range follows {
		out.Follows = append(out.Follows, exportedPerson{f.Person.Name, f.Since})
	}
	muted, _, err := s.Follows.Muted(ctx, person)
	if err != nil {
		return err
	}
	for _, other := range muted {
		out.Muted = append(out.Muted, exportedPerson{Name: other.Name})
	}
	blocked, err := s.Follows.Blocked(ctx, person)
	if err != nil {
		return err
	}
	for _, other := range blocked {
		out.Blocked = append(out.Blocked, exportedPerson{Name: other.Name})
	}
	remarks, err := s.Reports.RemarksBy(ctx, person)
	if err != nil {
		return err
	}
	for _, r := range remarks {
		out.Remarks = append(out.Remarks, exportedRemark{r.Match, r.Room, r.At, r.Text, r.Preset})
	}
	reports, err := s.Reports.ReportsBy(ctx, person)
	for _, r := range reports {
		out.Reports = append(out.Reports, exportedReport{r.Context.Name, r.Match, r.Reason, r.Text, r.At})
	}
	return err
}

// closeAccount deletes the member, who has to show the password.
func (s *Server) closeAccount(w http.ResponseWriter, r *http.Request) {
	person, ok := s.member(w, r)
	if !ok || !s.form(w, r) || !s.rightPassword(w, r, person) {
		return
	}
	guest, err := account.NewGuest(s.Random, s.Now())
	if err == nil {
		err = s.Members.CloseAccount(r.Context(), person.ID, guest.Name)
	}
	if err == nil {
		s.Live.Forget(person.ID)
		s.Talk.Renamed(person.ID)
	}
	if err != nil {
		s.internal(w, r, err)
		return
	}
	http.SetCookie(w, &http.Cookie{Name: guestCookie, Path: s.root + "/", MaxAge: -1, HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: secure(r)})
	http.Redirect(w, r, "/", http.StatusSeeOther)
}
