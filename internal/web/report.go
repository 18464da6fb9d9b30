package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/account"
	"github.com/linesofaction/loa/internal/live"
	"github.com/linesofaction/loa/internal/match"
	"github.com/linesofaction/loa/internal/talk"
)

// Reports is what the pages need of storage to take reports.
type Reports interface {
	// AddReport stores a report; talk.ErrReported when its maker has an open one about the same person and match.
	AddReport(ctx context.Context, r talk.Report) error
	// ReportsBy returns the reports a person has made, the latest first, and RemarksBy all that a person has said.
	ReportsBy(ctx context.Context, person string) ([]talk.Report, error)
	RemarksBy(ctx context.Context, person string) ([]talk.Remark, error)
}

const (
	reportEvery     = 5 * time.Minute // one person's pace over time, and of all who share an address a tenth of it
	reportRush      = 5
	reportRushShare = 10
)

type reportPage struct {
	page
	Player  string // the member it is about, by name
	Bot     bool   // who is one
	Game    string // or the game
	About   string // and in it black, white, or whoever made the onlookers' remark of that number
	Choices []choice
	Reasons []string
	Reason  string
	Text    string
	Most    int
	Error   string
	Done    bool
	Back    string
}

// choice is somebody who can be reported.
type choice struct{ Value, Name string }

// reported is whom a report is about, and in what game.
type reported struct {
	person account.Person
	match  *match.Match
	room   talk.Room
}

// reportPage is the form of a report: about a member by name, or about somebody in a game.
func (s *Server) reportPage(w http.ResponseWriter, r *http.Request) {
	s.showReport(w, r, http.StatusOK, r.URL.Query().Get, "", false)
}

// fileReport stores what the form of a report holds.
func (s *Server) fileReport(w http.ResponseWriter, r *http.Request) {
	if !s.form(w, r) {
		return
	}
	form := r.PostForm.Get
	about, ok := s.reported(w, r, form)
	if !ok {
		return
	}
	say := s.page(r)
	report, err := talk.Report{About: about.person.ID, Reason: form("reason"), Text: form("text"), At: s.Now()}.Tidy()
	var wrong *talk.TextError
	if errors.As(err, &wrong) {
		s.showReport(w, r, http.StatusBadRequest, form, say.T("report.no."+wrong.Why), false)
		return
	}
	person, err := s.welcome(w, r)
	if err != nil {
		s.internal(w, r, err)
		return
	}
	if person.ID == about.person.ID {
		s.showReport(w, r, http.StatusBadRequest, form, say.T("report.no.own"), false)
		return
	}
	if !s.mayReport(r, person.ID) {
		w.Header().Set("Retry-After", strconv.Itoa(seconds(reportEvery)))
		s.showReport(w, r, http.StatusTooManyRequests, form, say.T("report.no.too-fast"), false)
		return
	}
	report.By, report.Context.Name = person.ID, about.person.Name
	if about.match != nil {
		report.Match = string(about.match.ID())
		remarks, fault := s.Talk.Remarks(r.Context(), report.Match, about.room, 0, talk.Quoted)
		if fault != nil {
			s.internal(w, r, fault)
			return
		}
		for i, one := range remarks {
			if one.Seat != loa.NoColor {
				remarks[i].Name = about.match.Seat(one.Seat).Name
			}
		}
		report.Context.Room, report.Context.Remarks = about.room, talk.QuoteOf(remarks)
	}
	switch err := s.Reports.AddReport(r.Context(), report); {
	case errors.Is(err, talk.ErrReported):
		s.showReport(w, r, http.StatusConflict, form, say.T("report.no.again"), false)
	case err != nil:
		s.internal(w, r, err)
	default:
		s.showReport(w, r, http.StatusOK, form, "", true)
	}
}

// mayReport counts a report of a person, and of the address it comes from.
func (s *Server) mayReport(r *http.Request, person string) bool {
	now := s.Now()
	return s.quotas.reportsBy.take(s.address(r).String(), now) == 0 && s.quotas.reports.take(person, now) == 0
}

// reported finds whom a report is about, or answers why nobody.
func (s *Server) reported(w http.ResponseWriter, r *http.Request, form func(string) string) (reported, bool) {
	var about reported
	if name := form("player"); name != "" {
		person, known, err := s.Members.PersonByName(r.Context(), name)
		switch {
		case err != nil:
			s.internal(w, r, err)
		case !known:
			s.fail(w, r, http.StatusNotFound, "error.404.player", "Name", name)
		}
		about.person = person
		return about, known && err == nil
	}
	m, who, ok := s.reportedMatch(w, r, form("game"))
	if !ok {
		return about, false
	}
	about.match, about.room = m, talk.Onlookers
	if who.player() {
		about.room = talk.Players
	}
	for _, color := range []loa.Color{loa.Black, loa.White} {
		if seat := m.Seat(color); form("about") == color.String() && seat.Holder == match.Person {
			about.person = account.Person{ID: seat.Person, Name: seat.Name, Bot: seat.Bot}
			return about, true
		}
	}
	n, err := strconv.Atoi(form("about"))
	if err == nil && n > 0 && talk.Onlookers.Reads(who.player(), m.Outcome().Over()) {
		about.room = talk.Onlookers
		made, ok, err := s.Talk.Remark(r.Context(), string(m.ID()), talk.Onlookers, n)
		if err != nil {
			s.internal(w, r, err)
			return about, false
		}
		if ok {
			about.person = account.Person{ID: made.Person, Name: made.Name, Bot: made.Bot}
			return about, true
		}
	}
	s.refuse(w, r, "about", form("about"), "black, white")
	return about, false
}

// reportedMatch finds the match a report is about and who makes the report, or answers why not.
func (s *Server) reportedMatch(w http.ResponseWriter, r *http.Request, id string) (*match.Match, speaker, bool) {
	m, err := s.Live.Match(r.Context(), match.ID(id))
	if errors.Is(err, live.ErrNotFound) {
		s.fail(w, r, http.StatusNotFound, "error.404.game", "Game", id)
		return nil, speaker{}, false
	}
	you := loa.NoColor
	if err == nil {
		you, err = s.you(r, m)
	}
	var asker account.Person
	if err == nil {
		asker, _, err = s.guest(r)
	}
	if err != nil {
		s.internal(w, r, err)
		return nil, speaker{}, false
	}
	return m, speakerOf(m, you, asker.ID), true
}

// showReport answers with the form of a report, what was wrong with the last try, or that it was sent.
func (s *Server) showReport(w http.ResponseWriter, r *http.Request, status int, form func(string) string, wrong string, done bool) {
	p := reportPage{
		page: s.page(r), Player: form("player"), Game: form("game"), About: form("about"), Reasons: talk.Reasons(), Reason: form("reason"),
		Text: form("text"), Most: talk.MaxReport, Error: wrong, Done: done,
	}
	p.Title = p.T("report.title")
	p.Back = "/players/" + p.Player
	if p.Player == "" {
		m, who, ok := s.reportedMatch(w, r, p.Game)
		if !ok {
			return
		}
		p.Back = "/game/" + string(m.ID())
		for _, color := range []loa.Color{loa.Black, loa.White} {
			if seat := m.Seat(color); seat.Holder == match.Person && color != who.seat {
				p.Choices = append(p.Choices, choice{color.String(), fmt.Sprintf("%s (%s)", p.marked(seat.Name, seat.Bot), p.T("side."+color.String()))})
			}
		}
		if _, err := strconv.Atoi(p.About); err == nil {
			about, ok := s.reported(w, r, form)
			if !ok {
				return
			}
			p.Choices = []choice{{p.About, p.marked(about.person.Name, about.person.Bot)}}
		}
		if len(p.Choices) == 0 {
			s.fail(w, r, http.StatusForbidden, "error.403.report")
			return
		}
	} else if about, ok := s.reported(w, r, form); ok {
		p.Player, p.Bot = about.person.Name, about.person.Bot
	} else {
		return
	}
	s.render(w, r, status, "report", p)
}
