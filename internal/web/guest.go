package web

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/account"
	"github.com/linesofaction/loa/internal/live"
	"github.com/linesofaction/loa/internal/match"
)

const (
	guestCookie = "loa_guest"
	seatCookie  = "loa_seats"

	heldMost = 20 // seats in that cookie, which has to be short
)

// guest returns who asks, if this server knows them.
func (s *Server) guest(r *http.Request) (account.Person, bool, error) {
	cookie, err := r.Cookie(guestCookie)
	if err != nil || cookie.Value == "" {
		return account.Person{}, false, nil
	}
	return s.People.PersonBySecret(r.Context(), account.HashSecret(cookie.Value), s.Now())
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
		Name: guestCookie, Value: secret, Path: s.root + "/", MaxAge: int(remember.Seconds()),
		HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: secure(r),
	})
}

// hold lets the browser keep the seats of some matches by their secrets, whoever it is, and find those matches again.
// Matches that are over make room for others.
func (s *Server) hold(w http.ResponseWriter, r *http.Request, seats map[match.ID]string) error {
	for id, secret := range s.heldSecrets(r) {
		if _, ok := seats[id]; ok || len(seats) >= heldMost {
			continue
		}
		m, err := s.Live.Match(r.Context(), id)
		if err != nil && !errors.Is(err, live.ErrNotFound) {
			return err
		}
		if err == nil && !m.Outcome().Over() {
			seats[id] = secret
		}
	}
	var list []string
	for id, secret := range seats {
		list = append(list, string(id)+":"+secret)
	}
	slices.Sort(list)
	http.SetCookie(w, &http.Cookie{
		Name: seatCookie, Value: strings.Join(list, "."), Path: s.root + "/", MaxAge: int(remember.Seconds()),
		HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: secure(r),
	})
	return nil
}

// heldSecrets reads the secrets of seats that the browser keeps, by match.
func (s *Server) heldSecrets(r *http.Request) map[match.ID]string {
	out := map[match.ID]string{}
	cookie, err := r.Cookie(seatCookie)
	if err != nil {
		return out
	}
	for i, one := range strings.Split(cookie.Value, ".") {
		if id, secret, ok := strings.Cut(one, ":"); ok && i < heldMost {
			out[match.ID(id)] = secret
		}
	}
	return out
}

// running returns the running games of a person, and those whose seats the browser holds as somebody else.
func (s *Server) running(ctx context.Context, person string, held map[match.ID]string, limit int) ([]match.ID, error) {
	var ids []match.ID
	var err error
	if person != "" {
		if ids, err = s.People.RunningMatches(ctx, person, limit); err != nil {
			return nil, err
		}
	}
	for _, id := range slices.Sorted(maps.Keys(held)) {
		m, err := s.Live.Match(ctx, id)
		if errors.Is(err, live.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if !m.Outcome().Over() && s.seatBySecret(m, held[id]) != loa.NoColor && !slices.Contains(ids, id) && len(ids) < limit {
			ids = append(ids, id)
		}
	}
	return ids, nil
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
	return s.seatBySecret(m, s.heldSecrets(r)[m.ID()]), nil
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
