package web

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/linesofaction/loa/internal/account"
	"github.com/linesofaction/loa/internal/match"
)

// Members is what the pages need of storage for accounts.
type Members interface {
	// PersonByName returns the member with a name, however it is written, and whether there is one.
	PersonByName(ctx context.Context, name string) (account.Person, bool, error)
	// Join makes a member of a guest, who keeps id, games and sessions, and whose games have the new name; account.ErrNameTaken.
	Join(ctx context.Context, person, name, password string) error
	PasswordOf(ctx context.Context, person string) (string, error)
	// SetPassword changes a password and ends all sessions but one.
	SetPassword(ctx context.Context, person, password string, keep []byte) error
	AddSession(ctx context.Context, person string, secretHash []byte, session account.Session) error
	Sessions(ctx context.Context, person string) ([]account.Session, error)
	EndSession(ctx context.Context, person string, secretHash []byte) error
	// EndOtherSessions ends all sessions but one.
	EndOtherSessions(ctx context.Context, person string, keep []byte) error
	// CloseAccount deletes a member and leaves the games to the others under another name.
	CloseAccount(ctx context.Context, person, name string) error
}

// memberPage is the page to join or to sign in.
type memberPage struct {
	page
	Name  string
	Error string // what was wrong, in the reader's language
	Games int    // of this guest, which an account would keep
	Back  string
	Mail  bool // a password can be recovered
}

// How often one name may be tried in a minute, by whoever, and how often one address may try names. Many people can
// share an address.
const (
	loginTries   = 6
	addressTries = 40
)

func (s *Server) joinPage(w http.ResponseWriter, r *http.Request) {
	s.memberForm(w, r, http.StatusOK, "join", "", "")
}

func (s *Server) signInPage(w http.ResponseWriter, r *http.Request) {
	s.memberForm(w, r, http.StatusOK, "signin", "", "")
}

// memberForm answers with the form to join or to sign in, and what was wrong with the last try, in words.
func (s *Server) memberForm(w http.ResponseWriter, r *http.Request, status int, name, typed, wrong string) {
	p := memberPage{page: s.page(r), Name: typed, Back: localPath(r.FormValue("back")), Mail: s.Letters != nil}
	p.Title = p.T(name + ".title")
	p.Error = wrong
	if person, known, err := s.guest(r); err != nil {
		s.internal(w, r, err)
		return
	} else if known && person.Guest() {
		games, err := s.Profiles.PlayedBy(r.Context(), person.ID, s.Now().Add(time.Hour), keptShown)
		if err != nil {
			s.internal(w, r, err)
			return
		}
		p.Games = len(games)
	}
	s.render(w, r, status, name, p)
}

// keptShown bounds the games that are counted for a guest who joins.
const keptShown = 1000

// join makes an account: of the guest who asks, if he wants to keep his games, else of somebody new, to whom the
// browser turns with the seats it holds once the name is his.
func (s *Server) join(w http.ResponseWriter, r *http.Request) {
	if !s.form(w, r) {
		return
	}
	name, password := strings.TrimSpace(r.PostForm.Get("name")), r.PostForm.Get("password")
	say, wrong := s.page(r), ""
	var nameError *account.NameError
	if err := account.CheckName(name); errors.As(err, &nameError) {
		wrong = say.T("join.name." + nameError.Why)
	} else if why := account.CheckPassword(password, name); why != "" {
		wrong = say.T("join.password." + why)
	}
	if wrong != "" {
		s.memberForm(w, r, http.StatusBadRequest, "join", name, wrong)
		return
	}
	stored, err := s.hasher.hash(r.Context(), password, s.Random)
	if err != nil {
		s.internal(w, r, err)
		return
	}
	person, known, err := s.guest(r)
	anew, last := false, secretHash(r) // of the guest's session, which a new one takes the place of
	switch {
	case err != nil:
	case known && person.Guest() && r.PostForm.Get("keep") != "":
	default:
		var secret string
		person, secret, err = s.addGuest(r)
		anew, last = true, account.HashSecret(secret)
	}
	if err == nil {
		err = s.Members.Join(r.Context(), person.ID, name, stored)
	}
	if errors.Is(err, account.ErrNameTaken) {
		s.memberForm(w, r, http.StatusConflict, "join", name, say.T("join.name.taken"))
		return
	}
	if err == nil && anew {
		err = s.keepSeats(w, r)
	}
	if err == nil {
		err = s.beginSession(w, r, person.ID)
	}
	if err == nil {
		err = s.Members.EndSession(r.Context(), person.ID, last)
	}
	if err != nil {
		s.internal(w, r, err)
		return
	}
	s.Live.Forget(person.ID)
	s.Talk.Renamed(person.ID)
	http.Redirect(w, r, localPath(r.PostForm.Get("back")), http.StatusSeeOther)
}

// signIn begins a session of a member. Running games of the guest who signs in stay his, by the seats' own cookies.
func (s *Server) signIn(w http.ResponseWriter, r *http.Request) {
	if !s.form(w, r) {
		return
	}
	name, password := strings.TrimSpace(r.PostForm.Get("name")), r.PostForm.Get("password")
	if wait := max(s.quotas.signIns.take(account.Key(name), s.Now()), s.quotas.signInsBy.take(s.address(r).String(), s.Now())); wait > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(seconds(wait)))
		s.memberForm(w, r, http.StatusTooManyRequests, "signin", name, s.page(r).T("signin.slow"))
		return
	}
	person, known, err := s.Members.PersonByName(r.Context(), name)
	stored := ""
	if err == nil && known {
		stored, err = s.Members.PasswordOf(r.Context(), person.ID)
	}
	right := false
	if err == nil {
		right, err = s.hasher.matches(r.Context(), password, stored)
	}
	if err != nil {
		s.internal(w, r, err)
		return
	}
	if !right {
		s.memberForm(w, r, http.StatusForbidden, "signin", name, s.page(r).T("signin.wrong"))
		return
	}
	if err := s.keepSeats(w, r); err != nil {
		s.internal(w, r, err)
		return
	}
	if err := s.beginSession(w, r, person.ID); err != nil {
		s.internal(w, r, err)
		return
	}
	http.Redirect(w, r, localPath(r.PostForm.Get("back")), http.StatusSeeOther)
}

// keepSeats gives the browser the secrets of the seats it holds as somebody else, before it becomes another person. What a guest looks for
// ends, since nobody can be that guest any more.
func (s *Server) keepSeats(w http.ResponseWriter, r *http.Request) error {
	person, known, err := s.guest(r)
	if err != nil || !known {
		return err
	}
	if person.Guest() {
		if err := s.Lobby.WithdrawAll(r.Context(), person.ID); err != nil {
			return err
		}
	}
	running, err := s.People.RunningMatches(r.Context(), person.ID, heldMost)
	if err != nil {
		return err
	}
	seats := map[match.ID]string{}
	for _, id := range running {
		m, err := s.Live.Match(r.Context(), id)
		if err != nil {
			return err
		}
		seats[id] = account.SeatSecret(s.Key, string(id), m.SeatOf(person.ID))
	}
	if len(seats) == 0 {
		return nil
	}
	return s.hold(w, r, seats)
}

// beginSession gives the browser a new secret of a person.
func (s *Server) beginSession(w http.ResponseWriter, r *http.Request, person string) error {
	secret, err := account.NewSecret(s.Random)
	if err != nil {
		return err
	}
	session := account.Session{Created: s.Now(), Seen: s.Now(), Agent: clip(r.UserAgent(), 200)}
	if err := s.Members.AddSession(r.Context(), person, account.HashSecret(secret), session); err != nil {
		return err
	}
	s.setGuest(w, r, secret)
	return nil
}

// clip cuts a text that others wrote to a length.
func clip(text string, most int) string {
	if len(text) > most {
		return text[:most]
	}
	return text
}

// signOut ends the session of the browser that asks. A member's seeks stand until the next one, a guest has no next one.
func (s *Server) signOut(w http.ResponseWriter, r *http.Request) {
	person, known, err := s.guest(r)
	switch {
	case err != nil || !known:
	case person.Member:
		err = s.Members.EndSession(r.Context(), person.ID, secretHash(r))
	default:
		err = s.Lobby.WithdrawAll(r.Context(), person.ID)
	}
	if err != nil {
		s.internal(w, r, err)
		return
	}
	http.SetCookie(w, &http.Cookie{Name: guestCookie, Path: s.root + "/", MaxAge: -1, HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: secure(r)})
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

// secretHash returns the hash of the secret the browser shows.
func secretHash(r *http.Request) []byte {
	cookie, err := r.Cookie(guestCookie)
	if err != nil {
		return nil
	}
	return account.HashSecret(cookie.Value)
}
