package web

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/linesofaction/loa/internal/account"
	"github.com/linesofaction/loa/internal/live"
	"github.com/linesofaction/loa/internal/match"
)

// Follows is what the pages need of storage for whom people follow, and whom they do not want to hear or meet.
type Follows interface {
	// SetFollow lets a person follow another, or ends that; account.ErrFollowsFull, live.ErrBlocked.
	SetFollow(ctx context.Context, person, other string, on bool, at time.Time) error
	Follows(ctx context.Context, person, other string) (bool, error)
	// Following returns whom a person follows, by name.
	Following(ctx context.Context, person string) ([]account.Followed, error)
	// Muted returns whom a person has muted, by name, and whether all onlookers are; Blocked whom a person blocks.
	Muted(ctx context.Context, person string) (people []account.Person, onlookers bool, err error)
	Blocked(ctx context.Context, person string) ([]account.Person, error)
}

// followedView is somebody whom the reader follows.
type followedView struct {
	Name   string
	Bot    bool
	Online bool
	Game   match.ID // being played, empty for none
	Terms  string
}

// followed returns whom a person follows: those who are here first.
func (s *Server) followed(ctx context.Context, v voice, person string) ([]followedView, error) {
	people, err := s.Follows.Following(ctx, person)
	if err != nil {
		return nil, err
	}
	var here, away []followedView
	for _, f := range people {
		view := followedView{Name: f.Person.Name, Bot: f.Person.Bot, Online: s.presence.here(f.Person.ID), Game: match.ID(f.Match)}
		if view.Game != "" {
			m, err := s.Live.Match(ctx, view.Game)
			if err != nil {
				return nil, err
			}
			view.Terms = v.gameTerms(m)
		}
		if view.Online {
			here = append(here, view)
		} else {
			away = append(away, view)
		}
	}
	return append(here, away...), nil
}

// here returns the names of those a person follows who have a page open, nil for a person who follows nobody, and which of
// them are bots.
func (s *Server) here(ctx context.Context, person string) (names, bots []string, err error) {
	people, err := s.Follows.Following(ctx, person)
	if err != nil || len(people) == 0 {
		return nil, nil, err
	}
	names = []string{}
	for _, f := range people {
		if !s.presence.here(f.Person.ID) {
			continue
		}
		names = append(names, f.Person.Name)
		if f.Person.Bot {
			bots = append(bots, f.Person.Name)
		}
	}
	return names, bots, nil
}

// other finds the member a path names and who asks, who becomes a guest where unknown, or answers why not.
func (s *Server) other(w http.ResponseWriter, r *http.Request) (person, asker account.Person, ok bool) {
	name := r.PathValue("name")
	person, known, err := s.Members.PersonByName(r.Context(), name)
	if err == nil && !known {
		s.fail(w, r, http.StatusNotFound, "error.404.player", "Name", name)
		return person, asker, false
	}
	if err == nil {
		asker, err = s.welcome(w, r)
	}
	if err != nil {
		s.internal(w, r, err)
	}
	return person, asker, err == nil
}

// follow lets whoever asks follow a member, or ends that.
func (s *Server) follow(w http.ResponseWriter, r *http.Request) {
	if !s.form(w, r) {
		return
	}
	on := r.PostForm.Get("follow")
	if on != "on" && on != "off" {
		s.refuse(w, r, "follow", on, "on, off")
		return
	}
	person, asker, ok := s.other(w, r)
	if !ok {
		return
	}
	var err error
	if asker.ID != person.ID {
		err = s.Follows.SetFollow(r.Context(), asker.ID, person.ID, on == "on", s.Now())
	}
	switch {
	case errors.Is(err, live.ErrBlocked):
		s.fail(w, r, http.StatusForbidden, "error.403.blocked")
	case errors.Is(err, account.ErrFollowsFull):
		s.fail(w, r, http.StatusForbidden, "error.403.follows", "Most", account.MaxFollows)
	case err != nil:
		s.internal(w, r, err)
	default:
		http.Redirect(w, r, "/players/"+url.PathEscape(person.Name), http.StatusSeeOther)
	}
}

type peoplePage struct {
	page
	Onlookers bool // all of them are muted
	Muted     []account.Person
	Blocked   []account.Person
}

// PersonName writes the name of a person.
func (p peoplePage) PersonName(one account.Person) string { return p.marked(one.Name, one.Bot) }

// people is the page of those whom the reader has muted or blocked.
func (s *Server) people(w http.ResponseWriter, r *http.Request) {
	p := peoplePage{page: s.page(r)}
	p.Section = "/players"
	p.Title = p.T("people.title")
	person, known, err := s.guest(r)
	if err == nil && known {
		p.Muted, p.Onlookers, err = s.Follows.Muted(r.Context(), person.ID)
	}
	if err == nil && known {
		p.Blocked, err = s.Follows.Blocked(r.Context(), person.ID)
	}
	if err != nil {
		s.internal(w, r, err)
		return
	}
	s.render(w, r, http.StatusOK, "people", p)
}

// changePeople ends a mute or a block of the reader's.
func (s *Server) changePeople(w http.ResponseWriter, r *http.Request) {
	if !s.form(w, r) {
		return
	}
	person, known, err := s.guest(r)
	if err == nil && !known {
		http.Redirect(w, r, "/people", http.StatusSeeOther) // somebody unknown has muted nobody
		return
	}
	form := r.PostForm
	switch {
	case err != nil:
	case form.Has("unblock"):
		if err = s.Profiles.SetBlock(r.Context(), person.ID, form.Get("unblock"), false); err == nil {
			s.Talk.Changed(person.ID, form.Get("unblock"))
		}
	case form.Has("unmute"):
		err = s.Talk.Mute(r.Context(), person.ID, form.Get("unmute"), false)
	case form.Has("onlookers"):
		err = s.Talk.Mute(r.Context(), person.ID, "", false)
	default:
		s.fail(w, r, http.StatusBadRequest, "error.400.form")
		return
	}
	if err != nil {
		s.internal(w, r, err)
		return
	}
	http.Redirect(w, r, "/people", http.StatusSeeOther)
}
