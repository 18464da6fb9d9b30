package web

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/linesofaction/loa/internal/account"
)

// Letters is what the pages need of storage for e-mail.
type Letters interface {
	// Email returns a person's confirmed address, empty for none.
	Email(ctx context.Context, person string) (string, error)
	// PeopleByEmail returns the members with a confirmed address.
	PeopleByEmail(ctx context.Context, email string, limit int) ([]account.Person, error)
	// DropEmail forgets a person's address and what was sent to it.
	DropEmail(ctx context.Context, person string) error
	// PutToken stores what a letter's secret is good for and queues the letter; PutLetter queues one without a secret.
	PutToken(ctx context.Context, token account.Token, letter account.Letter, now time.Time) error
	PutLetter(ctx context.Context, letter account.Letter, now time.Time) error
	// ConfirmEmail uses a token up; account.ErrTokenUsed when it was.
	ConfirmEmail(ctx context.Context, token account.Token) error
}

// Links is what the pages need of storage for links with secrets, which letters carry, or the host passes on.
type Links interface {
	// Token returns what the hash of a secret is good for, and whether it is good for anything.
	Token(ctx context.Context, hash []byte, purpose account.Purpose, now time.Time) (account.Token, bool, error)
	// RecoverPassword uses a token up; account.ErrTokenUsed when it was.
	RecoverPassword(ctx context.Context, token account.Token, password string) error
}

// letterPage is a page that a letter leads to, or from.
type letterPage struct {
	page
	Secret string
	Name   string
	Email  string
	Sent   bool
	Error  string
}

// lettersSent is how often a letter may be asked for about one name or address in an hour.
const (
	lettersSent = 4
	mostMatches = 5 // accounts with one address that get a letter
)

// hasMail reports whether the host sends mail, or answers that it does not.
func (s *Server) hasMail(w http.ResponseWriter, r *http.Request) bool {
	if s.Letters == nil {
		s.fail(w, r, http.StatusNotFound, "error.404.mail")
		return false
	}
	return true
}

// sendToken writes a letter with a link that holds a secret.
func (s *Server) sendToken(r *http.Request, person account.Person, purpose account.Purpose, email string, life time.Duration) error {
	secret, err := account.NewSecret(s.Random)
	if err != nil {
		return err
	}
	say, now := s.page(r), s.Now()
	token := account.Token{Hash: account.HashSecret(secret), Person: person.ID, Purpose: purpose, Email: email, Expires: now.Add(life)}
	link := s.public(r) + "/" + string(purpose) + "/" + secret
	letter := account.Letter{
		To: email, Subject: say.T("letter." + string(purpose) + ".subject"),
		Text: say.T("letter."+string(purpose)+".text", "Name", person.Name, "Link", link),
	}
	return s.Letters.PutToken(r.Context(), token, letter, now)
}

// tellChange writes to a member's address that something about the account has changed, where there is one.
func (s *Server) tellChange(r *http.Request, person account.Person, what string) error {
	if s.Letters == nil {
		return nil
	}
	email, err := s.Letters.Email(r.Context(), person.ID)
	if err != nil || email == "" {
		return err
	}
	say := s.page(r)
	letter := account.Letter{To: email, Subject: say.T("letter." + what + ".subject"), Text: say.T("letter."+what+".text", "Name", person.Name)}
	return s.Letters.PutLetter(r.Context(), letter, s.Now())
}

// changeEmail sends a letter to an address that the member wants to use, or forgets the one there is.
func (s *Server) changeEmail(w http.ResponseWriter, r *http.Request) {
	if !s.hasMail(w, r) {
		return
	}
	person, ok := s.member(w, r)
	if !ok || !s.form(w, r) || !s.rightPassword(w, r, person) {
		return
	}
	text := strings.TrimSpace(r.PostForm.Get("email"))
	if text == "" {
		err := s.tellChange(r, person, "dropped")
		if err == nil {
			err = s.Letters.DropEmail(r.Context(), person.ID)
		}
		if err != nil {
			s.internal(w, r, err)
			return
		}
		s.showAccount(w, r, http.StatusOK, person, s.page(r).T("account.email.dropped"), "")
		return
	}
	email, err := account.CheckEmail(text)
	if err != nil {
		s.showAccount(w, r, http.StatusBadRequest, person, "", s.page(r).T("account.email.wrong", "Value", clipped(text)))
		return
	}
	if s.quotas.letters.take(account.Key(email), s.Now()) > 0 {
		s.showAccount(w, r, http.StatusTooManyRequests, person, "", s.page(r).T("recover.slow"))
		return
	}
	if err := s.sendToken(r, person, account.ConfirmEmail, email, account.ConfirmLife); err != nil {
		s.internal(w, r, err)
		return
	}
	s.showAccount(w, r, http.StatusOK, person, s.page(r).T("account.email.sent", "Email", email), "")
}

// recoverPage asks whose password is to be recovered.
func (s *Server) recoverPage(w http.ResponseWriter, r *http.Request) {
	if s.hasMail(w, r) {
		s.showRecover(w, r, http.StatusOK, letterPage{})
	}
}

func (s *Server) showRecover(w http.ResponseWriter, r *http.Request, status int, p letterPage) {
	p.page = s.page(r)
	p.Title = p.T("recover.title")
	s.render(w, r, status, "recover", p)
}

// askRecovery sends a letter to the address of the member with a name, or of the members with an address. The answer
// does not tell whether there is one.
func (s *Server) askRecovery(w http.ResponseWriter, r *http.Request) {
	if !s.hasMail(w, r) || !s.form(w, r) {
		return
	}
	who := strings.TrimSpace(r.PostForm.Get("who"))
	if who == "" {
		s.refuse(w, r, "who", who, "name, name@example.org")
		return
	}
	if s.quotas.letters.take(account.Key(who), s.Now()) > 0 {
		s.showRecover(w, r, http.StatusTooManyRequests, letterPage{Name: who, Error: s.page(r).T("recover.slow")})
		return
	}
	err := s.sendRecovery(r, who)
	if err != nil {
		s.internal(w, r, err)
		return
	}
	s.showRecover(w, r, http.StatusOK, letterPage{Sent: true})
}

func (s *Server) sendRecovery(r *http.Request, who string) error {
	var people []account.Person
	if email, err := account.CheckEmail(who); err == nil {
		if people, err = s.Letters.PeopleByEmail(r.Context(), email, mostMatches); err != nil {
			return err
		}
	} else if person, known, err := s.Members.PersonByName(r.Context(), who); err != nil {
		return err
	} else if known {
		people = append(people, person)
	}
	for _, person := range people {
		email, err := s.Letters.Email(r.Context(), person.ID)
		if err != nil {
			return err
		}
		if email == "" {
			continue
		}
		if err := s.sendToken(r, person, account.Recover, email, account.RecoverLife); err != nil {
			return err
		}
	}
	return nil
}

// letterLink opens the page of a letter's link, which changes nothing until its button is pressed.
func (s *Server) letterLink(purpose account.Purpose) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if token, ok := s.token(w, r, purpose); ok {
			s.showLetter(w, r, http.StatusOK, token, "")
		}
	}
}

// token returns what the secret in the address is good for, or answers that it is good for nothing.
func (s *Server) token(w http.ResponseWriter, r *http.Request, purpose account.Purpose) (account.Token, bool) {
	w.Header().Set("X-Robots-Tag", "noindex")
	w.Header().Set("Cache-Control", "no-store")
	if purpose == account.ConfirmEmail && !s.hasMail(w, r) {
		return account.Token{}, false
	}
	token, good, err := s.Links.Token(r.Context(), account.HashSecret(r.PathValue("secret")), purpose, s.Now())
	switch {
	case err != nil:
		s.internal(w, r, err)
	case !good:
		s.fail(w, r, http.StatusGone, "error.410.letter")
	}
	return token, err == nil && good
}

func (s *Server) showLetter(w http.ResponseWriter, r *http.Request, status int, token account.Token, wrong string) {
	person, _, err := s.Moderation.PersonByID(r.Context(), token.Person)
	if err != nil {
		s.internal(w, r, err)
		return
	}
	p := letterPage{page: s.page(r), Secret: r.PathValue("secret"), Name: person.Name, Email: token.Email, Error: wrong}
	p.Title = p.T("letter." + string(token.Purpose) + ".title")
	s.render(w, r, status, string(token.Purpose), p)
}

// confirm makes the address that a letter was sent to the member's.
func (s *Server) confirm(w http.ResponseWriter, r *http.Request) {
	token, ok := s.token(w, r, account.ConfirmEmail)
	if !ok {
		return
	}
	// the address there was before is told, so that nobody takes an account over unseen
	person, _, err := s.Moderation.PersonByID(r.Context(), token.Person)
	if err == nil {
		err = s.tellChange(r, person, "changed")
	}
	if err == nil {
		err = s.Letters.ConfirmEmail(r.Context(), token)
	}
	if s.usedToken(w, r, err) {
		http.Redirect(w, r, "/account", http.StatusSeeOther)
	}
}

// usedToken reports that a token was used without an error, or answers with the error.
func (s *Server) usedToken(w http.ResponseWriter, r *http.Request, err error) bool {
	switch {
	case err == nil:
		return true
	case errors.Is(err, account.ErrTokenUsed):
		s.fail(w, r, http.StatusGone, "error.410.letter")
	default:
		s.internal(w, r, err)
	}
	return false
}

// recover gives the member a new password, ends all sessions and begins one here.
func (s *Server) recover(w http.ResponseWriter, r *http.Request) {
	if !s.form(w, r) {
		return
	}
	token, ok := s.token(w, r, account.Recover)
	if !ok {
		return
	}
	person, _, err := s.Moderation.PersonByID(r.Context(), token.Person)
	if err != nil {
		s.internal(w, r, err)
		return
	}
	next := r.PostForm.Get("new")
	if why := account.CheckPassword(next, person.Name); why != "" {
		s.showLetter(w, r, http.StatusBadRequest, token, s.page(r).T("join.password."+why))
		return
	}
	stored, err := s.hasher.hash(r.Context(), next, s.Random)
	if err == nil {
		err = s.Links.RecoverPassword(r.Context(), token, stored)
	}
	if !s.usedToken(w, r, err) {
		return
	}
	err = s.keepSeats(w, r)
	if err == nil {
		err = s.beginSession(w, r, person.ID)
	}
	if err == nil {
		err = s.tellChange(r, person, "password")
	}
	if err != nil {
		s.internal(w, r, err)
		return
	}
	http.Redirect(w, r, "/account", http.StatusSeeOther)
}
