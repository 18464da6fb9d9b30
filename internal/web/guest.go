package web

import (
	"net/http"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/account"
	"github.com/linesofaction/loa/internal/match"
)

const (
	guestCookie = "loa_guest"
	seatCookie  = "seat"
)

// guest returns who asks, if this server knows them.
func (s *Server) guest(r *http.Request) (account.Person, bool, error) {
	cookie, err := r.Cookie(guestCookie)
	if err != nil || cookie.Value == "" {
		return account.Person{}, false, nil
	}
	return s.People.PersonBySecret(r.Context(), account.HashSecret(cookie.Value))
}

// welcome returns who asks, and makes a guest of somebody unknown.
func (s *Server) welcome(w http.ResponseWriter, r *http.Request) (account.Person, error) {
	person, known, err := s.guest(r)
	if err != nil || known {
		return person, err
	}
	return s.newGuest(w, r)
}

// newGuest makes a guest and lets the browser be that guest.
func (s *Server) newGuest(w http.ResponseWriter, r *http.Request) (account.Person, error) {
	person, secret, err := s.addGuest(r)
	if err == nil {
		s.setGuest(w, r, secret)
	}
	return person, err
}

// addGuest makes a guest that no browser is yet, and the secret that lets one be that guest.
func (s *Server) addGuest(r *http.Request) (account.Person, string, error) {
	person, err := account.NewGuest(s.Random, s.Now())
	if err != nil {
		return person, "", err
	}
	secret, err := account.NewSecret(s.Random)
	if err != nil {
		return person, "", err
	}
	return person, secret, s.People.AddPerson(r.Context(), person, account.HashSecret(secret))
}

// setGuest gives the browser the secret of a person.
func (s *Server) setGuest(w http.ResponseWriter, r *http.Request, secret string) {
	http.SetCookie(w, &http.Cookie{
		Name: guestCookie, Value: secret, Path: "/", MaxAge: int(remember.Seconds()),
		HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: secure(r),
	})
}

// setSeat gives the browser the secret of a seat in a match.
func (s *Server) setSeat(w http.ResponseWriter, r *http.Request, id match.ID, secret string) {
	http.SetCookie(w, &http.Cookie{
		Name: seatCookie, Value: secret, Path: "/game/" + string(id), MaxAge: int(remember.Seconds()),
		HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: secure(r),
	})
}

// you returns the side that whoever asks may play in a match: by the guest's own cookie, or by a seat taken with
// its private link; NoColor for an onlooker.
func (s *Server) you(r *http.Request, m *match.Match) (loa.Color, error) {
	person, known, err := s.guest(r)
	if err != nil {
		return loa.NoColor, err
	}
	if known {
		if color := m.SeatOf(person.ID); color != loa.NoColor {
			return color, nil
		}
	}
	if cookie, err := r.Cookie(seatCookie); err == nil {
		return s.seatBySecret(m, cookie.Value), nil
	}
	return loa.NoColor, nil
}

// seatBySecret returns the side a seat's secret opens, of those that people hold.
func (s *Server) seatBySecret(m *match.Match, secret string) loa.Color {
	for _, color := range []loa.Color{loa.Black, loa.White} {
		if m.Seat(color).Holder == match.Person && account.IsSeatSecret(s.Key, string(m.ID()), color, secret) {
			return color
		}
	}
	return loa.NoColor
}
