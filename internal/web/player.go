package web

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/account"
	"github.com/linesofaction/loa/internal/clock"
	"github.com/linesofaction/loa/internal/lobby"
)

// Profiles is what the pages need of storage to show people.
type Profiles interface {
	// Ratings returns the ratings of a person, most games first.
	Ratings(ctx context.Context, person string) ([]account.PoolRating, error)
	// History returns the last changes of a rating, oldest first.
	History(ctx context.Context, person, pool string, limit int) ([]account.HistoryPoint, error)
	// PlayedBy returns the matches of a person before an instant, the latest first.
	PlayedBy(ctx context.Context, person string, before time.Time, limit int) ([]account.Played, error)
	// Leaders returns the members with the best ratings in a pool.
	Leaders(ctx context.Context, pool string, limit int) ([]account.Leader, error)
	// Scores returns how a person's finished games went, by rule set and kind of opponent.
	Scores(ctx context.Context, person string) ([]account.Score, error)
	// SetBlock lets a person block another, or ends that, account.ErrBlocksFull; Blocks reports whether it is so.
	SetBlock(ctx context.Context, person, other string, on bool) error
	Blocks(ctx context.Context, person, other string) (bool, error)
	// Pools returns the pools in which rated games were played.
	Pools(ctx context.Context) ([]string, error)
}

const (
	gamesShown   = 25
	historyShown = 100 // as many points as the chart is wide
	leadersShown = 50
)

type playerPage struct {
	page
	Person    account.Person
	Mine      bool
	Known     bool // the reader is somebody, who can block
	Blocked   bool // by the reader
	Follows   bool // the reader follows the person
	Moderator bool // the reader is one
	Ratings   []ratingView
	Puzzles   *puzzlerView // nil for who has tried none
	Scores    []scoreView
	Games     []playedView
	Earlier   int64 // milliseconds to ask for what came before, 0 at the end
}

type ratingView struct {
	Pool        string
	Mean        int
	Deviation   int
	Provisional bool
	Games       int
	Chart       chart
}

// puzzlerView is how somebody does at puzzles.
type puzzlerView struct {
	Mean          int
	Provisional   bool
	Solved, Tried int
	Best          int // days in a row
}

// scoreView is a line of the statistics.
type scoreView struct {
	account.Score
	Name  string
	Share int // percent of the points, a draw counting half
}

func (v voice) score(score account.Score) scoreView {
	share := (200*score.Won + 100*score.Drawn + score.Games()) / (2 * score.Games())
	return scoreView{score, v.ruleSetNamed(score.Rules), share}
}

type playedView struct {
	ID       string
	Won      string // won, lost, drawn, off, on
	Opponent string
	Member   bool
	Bot      string // what marks a bot
	Rules    string
	Control  string
	Rated    bool
	Reason   string
	When     string
}

// chart is a line through the points of a history, in a box of 100 by 30.
type chart struct {
	Points      string
	Least, Most int
}

func chartOf(points []account.HistoryPoint) chart {
	if len(points) < 2 {
		return chart{}
	}
	least, most := points[0].Mean, points[0].Mean
	for _, p := range points {
		least, most = min(least, p.Mean), max(most, p.Mean)
	}
	var line strings.Builder
	for i, p := range points {
		x := 100 * float64(i) / float64(len(points)-1)
		y := 15.0
		if most > least {
			y = 30 * (most - p.Mean) / (most - least)
		}
		line.WriteString(strconv.FormatFloat(x, 'f', 1, 64) + "," + strconv.FormatFloat(y, 'f', 1, 64) + " ")
	}
	return chart{Points: strings.TrimSpace(line.String()), Least: round(least), Most: round(most)}
}

func round(x float64) int { return int(x + 0.5) }

func viewRating(r account.PoolRating, now time.Time) ratingView {
	at := r.Rating.At(now)
	return ratingView{Pool: r.Pool, Mean: round(at.Mean), Deviation: round(at.Deviation), Provisional: at.Provisional(), Games: at.Games}
}

// player is the page of a member.
func (s *Server) player(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	person, known, err := s.Members.PersonByName(r.Context(), name)
	if err == nil && !known {
		s.fail(w, r, http.StatusNotFound, "error.404.player", "Name", name)
		return
	}
	before := s.Now().Add(time.Hour)
	if text := r.URL.Query().Get("before"); text != "" {
		millis, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			s.refuse(w, r, "before", text, "milliseconds since 1970")
			return
		}
		before = time.UnixMilli(millis)
	}
	p := playerPage{page: s.page(r), Person: person}
	p.Title = person.Name
	p.Section = "/players"
	if err == nil {
		err = s.fillPlayer(r.Context(), &p, before)
	}
	if err == nil {
		var asker account.Person
		if asker, p.Known, err = s.guest(r); err == nil && p.Known {
			p.Mine, p.Moderator = asker.ID == person.ID, asker.Moderator
			p.Blocked, err = s.Profiles.Blocks(r.Context(), asker.ID, person.ID)
		}
		if err == nil && p.Known {
			p.Follows, err = s.Follows.Follows(r.Context(), asker.ID, person.ID)
		}
	}
	if err != nil {
		s.internal(w, r, err)
		return
	}
	s.render(w, r, http.StatusOK, "player", p)
}

// block lets whoever asks block a member, or ends that: no challenges and no talk between the two, who are never paired
// and do not follow each other.
func (s *Server) block(w http.ResponseWriter, r *http.Request) {
	if !s.form(w, r) {
		return
	}
	on := r.PostForm.Get("block")
	if on != "on" && on != "off" {
		s.refuse(w, r, "block", on, "on, off")
		return
	}
	person, asker, ok := s.other(w, r)
	if !ok {
		return
	}
	if asker.ID != person.ID {
		err := s.Profiles.SetBlock(r.Context(), asker.ID, person.ID, on == "on")
		if errors.Is(err, account.ErrBlocksFull) {
			s.fail(w, r, http.StatusForbidden, "error.403.blocks", "Most", account.MaxBlocks)
			return
		}
		if err != nil {
			s.internal(w, r, err)
			return
		}
		s.Talk.Changed(asker.ID, person.ID)
	}
	http.Redirect(w, r, "/players/"+url.PathEscape(person.Name), http.StatusSeeOther)
}

func (s *Server) fillPlayer(ctx context.Context, p *playerPage, before time.Time) error {
	ratings, err := s.Profiles.Ratings(ctx, p.Person.ID)
	if err != nil {
		return err
	}
	for _, rated := range ratings {
		view := viewRating(rated, s.Now())
		points, err := s.Profiles.History(ctx, p.Person.ID, rated.Pool, historyShown)
		if err != nil {
			return err
		}
		view.Chart = chartOf(points)
		view.Pool = p.pool(rated.Pool)
		p.Ratings = append(p.Ratings, view)
	}
	standing, err := s.Puzzlers.PuzzleStanding(ctx, p.Person.ID)
	if err != nil {
		return err
	}
	if standing.Tried > 0 {
		p.Puzzles = &puzzlerView{round(standing.Rating.Mean), standing.Rating.Provisional(), standing.Solved, standing.Tried, standing.Best}
	}
	scores, err := s.Profiles.Scores(ctx, p.Person.ID)
	if err != nil {
		return err
	}
	for _, score := range scores {
		p.Scores = append(p.Scores, p.score(score))
	}
	games, err := s.Profiles.PlayedBy(ctx, p.Person.ID, before, gamesShown+1)
	if err != nil {
		return err
	}
	if len(games) > gamesShown {
		games = games[:gamesShown]
		p.Earlier = games[gamesShown-1].Updated.UnixMilli()
	}
	for _, game := range games {
		p.Games = append(p.Games, p.played(game, p.Person.ID))
	}
	return nil
}

// played describes a game from one side.
func (v voice) played(g account.Played, person string) playedView {
	other, mine, theirs := g.White, "black", "white"
	if g.Black.ID != person {
		other, mine, theirs = g.Black, "white", "black"
	}
	view := playedView{
		ID: g.ID, Opponent: v.name(other.Name), Member: other.ID != "" && !isGuest(other.Name), Bot: v.mark(other.Bot), Rules: v.ruleSetNamed(g.Rules), Control: v.controlNamed(g.Control),
		Rated: g.Rated, When: v.Date(g.Updated), Won: "drawn",
	}
	switch {
	case !g.Ended:
		view.Won = "on"
	case g.Reason == loa.Aborted.String():
		view.Won = "off"
	case g.Winner == mine:
		view.Won = "won"
	case g.Winner == theirs:
		view.Won = "lost"
	}
	if g.Ended {
		view.Reason = g.Reason
	}
	if other.ID == "" {
		view.Opponent = v.T("game.computer")
	}
	return view
}

// pool names a pool in the reader's language: the rule set and the speed.
func (v voice) pool(name string) string {
	if people, bots := strings.CutSuffix(name, lobby.BotPool); bots {
		return v.T("api.pool.bots", "Pool", v.pool(people))
	}
	rules, speed, _ := strings.Cut(name, " ")
	return v.T("pool.name", "Rules", v.ruleSetNamed(rules), "Speed", v.T("speed."+speed))
}

// controlNamed names a time control as it is stored, in short; one that is none is not named.
func (v voice) controlNamed(text string) string {
	control, err := clock.Parse(text)
	if err != nil || control.Kind == clock.Unlimited {
		return ""
	}
	return v.shortControl(control)
}

// ruleSetNamed names rules as they are stored.
func (v voice) ruleSetNamed(text string) string {
	rules, err := loa.ParseRules(text)
	if err != nil {
		return text
	}
	return v.ruleSet(rules)
}

type leadersPage struct {
	page
	Pools   []poolView
	Solvers bool // those of puzzles are shown
	Leaders []leaderView
	Follows []followedView // whom the reader follows
	Known   bool
	Find    string // the beginning of a name that is looked for
	Found   []account.Person
}

type poolView struct {
	Key, Name string
	Here      bool
}

type leaderView struct {
	Place  int
	Name   string
	Bot    bool
	Rating ratingView
}

// solvers is what stands for puzzles where pools are chosen.
const solvers = "puzzles"

// leaders is the page of the best members, one pool at a time, and of the best solvers of puzzles.
func (s *Server) leaders(w http.ResponseWriter, r *http.Request) {
	p := leadersPage{page: s.page(r)}
	p.Title = p.T("leaders.title")
	p.Section = "/players"
	if p.Find = strings.TrimSpace(r.URL.Query().Get("find")); p.Find != "" {
		found, err := s.Moderation.FindPeople(r.Context(), p.Find, peopleFound)
		if err != nil {
			s.internal(w, r, err)
			return
		}
		p.Found = slices.DeleteFunc(found, func(one account.Person) bool { return one.Guest() })
	}
	pools, err := s.Profiles.Pools(r.Context())
	if err != nil {
		s.internal(w, r, err)
		return
	}
	pools = append(pools, solvers)
	chosen := orElse(r.URL.Query().Get("pool"), pools[0])
	for _, pool := range pools {
		name := p.T("puzzles.title")
		if pool != solvers {
			name = p.pool(pool)
		}
		p.Pools = append(p.Pools, poolView{Key: pool, Name: name, Here: pool == chosen})
	}
	if !slices.Contains(pools, chosen) {
		s.refuse(w, r, "pool", chosen, strings.Join(pools, ", "))
		return
	}
	p.Solvers = chosen == solvers
	var leaders []account.Leader
	if p.Solvers {
		leaders, err = s.Puzzlers.Solvers(r.Context(), leadersShown)
	} else {
		leaders, err = s.Profiles.Leaders(r.Context(), chosen, leadersShown)
	}
	var reader account.Person
	if err == nil {
		reader, p.Known, err = s.guest(r)
	}
	if err == nil && p.Known {
		p.Follows, err = s.followed(r.Context(), p.voice, reader.ID)
	}
	if err != nil {
		s.internal(w, r, err)
		return
	}
	for i, leader := range leaders {
		p.Leaders = append(p.Leaders, leaderView{
			Place: i + 1, Name: leader.Person.Name, Bot: leader.Person.Bot,
			Rating: ratingView{Mean: round(leader.Rating.Mean), Deviation: round(leader.Rating.Deviation), Games: leader.Rating.Games},
		})
	}
	s.render(w, r, http.StatusOK, "players", p)
}
