package web

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/account"
	"github.com/linesofaction/loa/internal/live"
	"github.com/linesofaction/loa/internal/match"
	"github.com/linesofaction/loa/internal/talk"
)

// Moderation is what the pages need of storage for moderators, and for whom they act upon.
type Moderation interface {
	// PersonByID returns a person, and whether there is one.
	PersonByID(ctx context.Context, id string) (account.Person, bool, error)
	// FindPeople returns the people whom a text may mean: by the beginning of a name, a guest's number, or an id.
	FindPeople(ctx context.Context, text string, limit int) ([]account.Person, error)
	// Act carries out an act and logs it; name is what the person of a closed account is called from then on.
	Act(ctx context.Context, act account.Act, name string) error
	// Acts returns entries of the log, the latest first.
	Acts(ctx context.Context, f account.ActFilter, limit int) ([]account.Act, error)
	// Reports returns what people told the moderators, the earliest first, and Report one of it.
	Reports(ctx context.Context, f talk.Filter, limit int) ([]talk.Report, error)
	Report(ctx context.Context, id int64) (talk.Report, bool, error)
	// ReadNotices notes that a person has read what moderators did about them.
	ReadNotices(ctx context.Context, person string) error
}

const (
	peopleFound  = 30
	reportsShown = 50
	actsShown    = 50
)

// personalActs are what moderators can do about a person, in the order in which the page offers them.
var personalActs = []account.ActKind{account.Warn, account.Mute, account.Unmute, account.Bar, account.Unbar, account.Close}

// verdicts are the results that moderators can give a match.
var verdicts = []struct {
	Name    string
	Outcome loa.Outcome
}{
	{"void", loa.Outcome{Winner: loa.NoColor, Reason: loa.Aborted}},
	{"black", loa.Outcome{Winner: loa.Black, Reason: loa.Adjudicated}},
	{"white", loa.Outcome{Winner: loa.White, Reason: loa.Adjudicated}},
	{"draw", loa.Outcome{Winner: loa.NoColor, Reason: loa.Adjudicated}},
}

type moderationPage struct {
	page
	Find    string
	Found   []account.Person
	Reports []reportView // the open ones
	Acts    []actView
	Earlier int64 // the number to ask for what came before, 0 at the end
}

// actView is an entry of the log as it is read.
type actView struct {
	account.Act
	What  string
	When  string
	Until string // empty for what has no end to speak of
}

type moderatedPage struct {
	page
	Person  account.Person
	Named   string // as the reader calls the person
	Muted   string // until when, empty for not at all
	Barred  string
	Kinds   []account.ActKind
	Reports []reportView // about the person
	Acts    []actView
	Games   []playedView
	Wrong   string // what was wrong with the last try, in words
	Typed   string // the reason as it was typed
}

type verdictPage struct {
	page
	ID       string
	Name     string
	Result   string
	Verdicts []string
	Acts     []actView
	Wrong    string
	Typed    string
}

// reportView is a report as it is read.
type reportView struct {
	talk.Report
	Why    string
	When   string
	Quotes []quoteView
}

// quoteView is a remark in a report. Its own is made by whom the report is about.
type quoteView struct {
	Name, Text string
	Own        bool
}

type noticesPage struct {
	page
	Acts    []actView
	Reports []reportView // made by whoever asks
}

// moderator returns the moderator who asks, or answers that others may not and reports false.
func (s *Server) moderator(w http.ResponseWriter, r *http.Request) (account.Person, bool) {
	person, known, err := s.guest(r)
	switch {
	case err != nil:
		s.internal(w, r, err)
	case !known || !person.Moderator:
		s.fail(w, r, http.StatusForbidden, "error.403.moderator")
	default:
		return person, true
	}
	return person, false
}

// moderation is the moderators' first page: whom to look for, and what was done.
func (s *Server) moderation(w http.ResponseWriter, r *http.Request) {
	if _, ok := s.moderator(w, r); !ok {
		return
	}
	p := moderationPage{page: s.page(r), Find: strings.TrimSpace(r.URL.Query().Get("find"))}
	p.Title = p.T("moderation.title")
	filter := account.ActFilter{}
	if text := r.URL.Query().Get("before"); text != "" {
		number, err := strconv.ParseInt(text, 10, 64)
		if err != nil || number < 1 {
			s.refuse(w, r, "before", text, "1, 2, 3 …")
			return
		}
		filter.Before = number
	}
	var err error
	if p.Find != "" {
		p.Found, err = s.Moderation.FindPeople(r.Context(), p.Find, peopleFound)
	}
	var reports []talk.Report
	if err == nil {
		reports, err = s.Moderation.Reports(r.Context(), talk.Filter{Open: true}, reportsShown)
	}
	var acts []account.Act
	if err == nil {
		acts, err = s.Moderation.Acts(r.Context(), filter, actsShown+1)
	}
	if err != nil {
		s.internal(w, r, err)
		return
	}
	if len(acts) > actsShown {
		acts = acts[:actsShown]
		p.Earlier = acts[actsShown-1].Number
	}
	p.Acts, p.Reports = p.acts(acts), p.reports(reports)
	s.render(w, r, http.StatusOK, "moderation", p)
}

// reports describes reports to a moderator.
func (v voice) reports(reports []talk.Report) []reportView {
	var views []reportView
	for _, report := range reports {
		view := reportView{Report: report, Why: v.T("report.reason." + report.Reason), When: v.Moment(report.At)}
		view.ByName, view.Context.Name = v.name(report.ByName), v.name(report.Context.Name)
		for _, quote := range report.Context.Remarks {
			one := quoteView{Name: v.name(quote.Name), Text: quote.Text, Own: quote.Person == report.About}
			if quote.Preset != "" {
				one.Text = v.T("talk.preset." + quote.Preset)
			}
			view.Quotes = append(view.Quotes, one)
		}
		views = append(views, view)
	}
	return views
}

// answerReport closes a report.
func (s *Server) answerReport(w http.ResponseWriter, r *http.Request) {
	moderator, ok := s.moderator(w, r)
	if !ok || !s.form(w, r) {
		return
	}
	text := r.PathValue("number")
	number, err := strconv.ParseInt(text, 10, 64)
	var report talk.Report
	known := false
	if err == nil {
		report, known, err = s.Moderation.Report(r.Context(), number)
		if err != nil {
			s.internal(w, r, err)
			return
		}
	}
	if !known {
		s.fail(w, r, http.StatusNotFound, "error.404.report", "Number", clipped(text))
		return
	}
	if report.About == moderator.ID {
		s.fail(w, r, http.StatusForbidden, "error.403.concerned")
		return
	}
	act := account.Act{
		At: s.Now(), By: moderator.ID, Kind: account.Answer, Person: report.About, Name: report.Context.Name, Match: report.Match,
		Report: number, Reason: strings.TrimSpace(r.PostForm.Get("reason")),
	}
	if account.CheckReason(act.Reason) != nil {
		s.refuse(w, r, "reason", act.Reason, s.page(r).T("moderation.wrong.reason"))
		return
	}
	switch err := s.Moderation.Act(r.Context(), act, ""); {
	case errors.Is(err, account.ErrAnswered):
		s.fail(w, r, http.StatusConflict, "error.409.report")
	case err != nil:
		s.internal(w, r, err)
	default:
		http.Redirect(w, r, "/moderation", http.StatusSeeOther)
	}
}

// acts describes entries of the log.
func (v voice) acts(acts []account.Act) []actView {
	var views []actView
	for _, act := range acts {
		view := actView{Act: act, What: v.T("act." + string(act.Kind)), When: v.Moment(act.At)}
		if act.By == "" {
			view.ByName = v.T("act.host")
		}
		view.Until = v.until(act.Until)
		views = append(views, view)
	}
	return views
}

// until says when something ends, nothing for what does not last.
func (v voice) until(at time.Time) string {
	switch {
	case at.IsZero():
		return ""
	case !at.Before(account.Forever):
		return v.T("act.forever")
	}
	return v.T("act.until", "When", v.Moment(at))
}

// moderated is the moderators' page of one person.
func (s *Server) moderated(w http.ResponseWriter, r *http.Request) {
	if _, ok := s.moderator(w, r); ok {
		s.showModerated(w, r, http.StatusOK, "", "")
	}
}

func (s *Server) showModerated(w http.ResponseWriter, r *http.Request, status int, wrong, typed string) {
	person, ok := s.subject(w, r)
	if !ok {
		return
	}
	p := moderatedPage{page: s.page(r), Person: person, Kinds: personalActs, Wrong: wrong, Typed: typed}
	p.Named = p.called(person)
	p.Title = p.Named
	if now := s.Now(); !person.MayPlay(now) {
		p.Barred = p.until(person.Barred)
	} else if !person.MayTalk(now) {
		p.Muted = p.until(person.Muted)
	}
	acts, err := s.Moderation.Acts(r.Context(), account.ActFilter{Person: person.ID}, actsShown)
	var reports []talk.Report
	if err == nil {
		reports, err = s.Moderation.Reports(r.Context(), talk.Filter{About: person.ID}, reportsShown)
	}
	var games []account.Played
	if err == nil {
		games, err = s.Profiles.PlayedBy(r.Context(), person.ID, s.Now().Add(time.Hour), gamesShown)
	}
	if err != nil {
		s.internal(w, r, err)
		return
	}
	p.Acts, p.Reports = p.acts(acts), p.reports(reports)
	for _, game := range games {
		p.Games = append(p.Games, p.played(game, person.ID))
	}
	s.render(w, r, status, "moderated", p)
}

// called is what a reader calls a person.
func (v voice) called(person account.Person) string { return v.marked(person.Name, person.Bot) }

// subject returns the person that the address names, or answers that there is none.
func (s *Server) subject(w http.ResponseWriter, r *http.Request) (account.Person, bool) {
	id := r.PathValue("id")
	person, known, err := s.Moderation.PersonByID(r.Context(), id)
	switch {
	case err != nil:
		s.internal(w, r, err)
	case !known:
		s.fail(w, r, http.StatusNotFound, "error.404.player", "Name", id)
	default:
		return person, true
	}
	return person, false
}

// act carries out what a moderator decides about a person.
func (s *Server) act(w http.ResponseWriter, r *http.Request) {
	moderator, ok := s.moderator(w, r)
	if !ok || !s.form(w, r) {
		return
	}
	person, ok := s.subject(w, r)
	if !ok {
		return
	}
	act, wrong := s.readAct(r, person)
	if wrong != "" {
		s.showModerated(w, r, http.StatusBadRequest, wrong, r.PostForm.Get("reason"))
		return
	}
	act.By = moderator.ID
	guest, err := account.NewGuest(s.Random, s.Now())
	if err == nil {
		err = s.Moderation.Act(r.Context(), act, guest.Name)
	}
	if err == nil && act.Kind == account.Close {
		s.Live.Forget(person.ID)
	}
	if err != nil {
		s.internal(w, r, err)
		return
	}
	http.Redirect(w, r, "/moderation/people/"+person.ID, http.StatusSeeOther)
}

// readAct reads an act about a person; the text says what is wrong with it, in the reader's language.
func (s *Server) readAct(r *http.Request, person account.Person) (account.Act, string) {
	say := s.page(r)
	act := account.Act{At: s.Now(), Person: person.ID, Name: person.Name, Reason: strings.TrimSpace(r.PostForm.Get("reason"))}
	for _, kind := range personalActs {
		if string(kind) == r.PostForm.Get("act") {
			act.Kind = kind
		}
	}
	switch {
	case act.Kind == "":
		return act, say.T("moderation.wrong.act", "Value", clipped(r.PostForm.Get("act")))
	case account.CheckReason(act.Reason) != nil:
		return act, say.T("moderation.wrong.reason")
	case person.Moderator:
		return act, say.T("moderation.wrong.moderator")
	case act.Kind == account.Close && person.Guest():
		return act, say.T("moderation.wrong.guest")
	}
	if act.Kind == account.Mute || act.Kind == account.Bar {
		text := strings.TrimSpace(orElse(r.PostForm.Get("days"), "0"))
		days, err := strconv.Atoi(text)
		if err != nil || days < 0 || days > account.MostActDays {
			return act, say.T("moderation.wrong.days", "Value", clipped(text), "Most", account.MostActDays)
		}
		act.Until = account.ActDays(days, act.At)
	}
	return act, ""
}

// verdictForm is the moderators' page of one match.
func (s *Server) verdictForm(w http.ResponseWriter, r *http.Request) {
	if _, ok := s.moderator(w, r); ok {
		s.showVerdict(w, r, http.StatusOK, "", "")
	}
}

func (s *Server) showVerdict(w http.ResponseWriter, r *http.Request, status int, wrong, typed string) {
	m, err := s.Live.Match(r.Context(), match.ID(r.PathValue("id")))
	if errors.Is(err, live.ErrNotFound) {
		s.fail(w, r, http.StatusNotFound, "error.404.game", "Game", r.PathValue("id"))
		return
	}
	var acts []account.Act
	if err == nil {
		acts, err = s.Moderation.Acts(r.Context(), account.ActFilter{Match: string(m.ID())}, actsShown)
	}
	if err != nil {
		s.internal(w, r, err)
		return
	}
	p := verdictPage{page: s.page(r), ID: string(m.ID()), Acts: nil, Wrong: wrong, Typed: typed}
	p.Acts = p.acts(acts)
	p.Name = p.sides(m, loa.NoColor)
	p.Title = p.Name
	p.Result = p.result(m.Outcome())
	for _, verdict := range verdicts {
		p.Verdicts = append(p.Verdicts, verdict.Name)
	}
	s.render(w, r, status, "verdict", p)
}

// result says in a few words how a match stands.
func (v voice) result(o loa.Outcome) string {
	switch {
	case !o.Over():
		return v.T("player.on")
	case o.Reason == loa.Aborted:
		return v.T("verdict.void")
	case o.Winner == loa.NoColor:
		return v.T("result.draw")
	}
	return v.T("result.side", "Side", v.T("side."+o.Winner.String()))
}

// judge gives a match another result.
func (s *Server) judge(w http.ResponseWriter, r *http.Request) {
	moderator, ok := s.moderator(w, r)
	if !ok || !s.form(w, r) {
		return
	}
	say, reason := s.page(r), strings.TrimSpace(r.PostForm.Get("reason"))
	var outcome loa.Outcome
	for _, verdict := range verdicts {
		if verdict.Name == r.PostForm.Get("result") {
			outcome = verdict.Outcome
		}
	}
	wrong := ""
	switch {
	case !outcome.Over():
		wrong = say.T("moderation.wrong.result", "Value", clipped(r.PostForm.Get("result")))
	case account.CheckReason(reason) != nil:
		wrong = say.T("moderation.wrong.reason")
	}
	if wrong != "" {
		s.showVerdict(w, r, http.StatusBadRequest, wrong, reason)
		return
	}
	id := r.PathValue("id")
	m, err := s.Live.Match(r.Context(), match.ID(id))
	if err == nil && m.SeatOf(moderator.ID) != loa.NoColor {
		s.fail(w, r, http.StatusForbidden, "error.403.concerned")
		return
	}
	if err == nil {
		_, err = s.Live.Adjudicate(r.Context(), match.ID(id), outcome, account.Act{At: s.Now(), By: moderator.ID, Reason: reason})
	}
	switch {
	case errors.Is(err, live.ErrNotFound):
		s.fail(w, r, http.StatusNotFound, "error.404.game", "Game", id)
	case err != nil:
		s.internal(w, r, err)
	default:
		http.Redirect(w, r, "/moderation/games/"+id, http.StatusSeeOther)
	}
}

// notices shows whoever asks what moderators did about them, and why, and what became of their own reports.
func (s *Server) notices(w http.ResponseWriter, r *http.Request) {
	person, known, err := s.guest(r)
	p := noticesPage{page: s.page(r)}
	p.Title = p.T("notices.title")
	if err == nil && known {
		var acts []account.Act
		acts, err = s.Moderation.Acts(r.Context(), account.ActFilter{Person: person.ID}, actsShown)
		acts = slices.DeleteFunc(acts, func(a account.Act) bool { return a.Kind == account.Answer }) // who reported stays unsaid
		p.Acts = p.acts(acts)
		if err == nil {
			var reports []talk.Report
			reports, err = s.Reports.ReportsBy(r.Context(), person.ID)
			p.Reports = p.reports(reports[:min(len(reports), actsShown)])
		}
	}
	if err != nil {
		s.internal(w, r, err)
		return
	}
	s.render(w, r, http.StatusOK, "notices", p)
}

// readNotices notes that whoever asks has read them.
func (s *Server) readNotices(w http.ResponseWriter, r *http.Request) {
	person, known, err := s.guest(r)
	if err == nil && known {
		err = s.Moderation.ReadNotices(r.Context(), person.ID)
	}
	if err != nil {
		s.internal(w, r, err)
		return
	}
	http.Redirect(w, r, "/", http.StatusSeeOther)
}
