package web

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/account"
	"github.com/linesofaction/loa/internal/coach"
	"github.com/linesofaction/loa/internal/live"
	"github.com/linesofaction/loa/internal/match"
	"github.com/linesofaction/loa/internal/wire"
)

// apiBegin begins a game against the computer.
func (s *Server) apiBegin(c *call) (any, error) {
	var in wire.NewGame
	if err := c.read(&in); err != nil {
		return nil, err
	}
	if in.Level < 1 || in.Level > maxLevel {
		return nil, wrong("level", strconv.Itoa(in.Level), fmt.Sprintf("1 to %d", maxLevel))
	}
	game, err := s.apiStart(in)
	if err != nil {
		return nil, err
	}
	if !c.person.MayPlay(s.Now()) {
		return nil, live.ErrBarred
	}
	if wait := s.quotas.games.take(c.person.ID, s.Now()); wait > 0 {
		return nil, tooFast("too many new games", wait)
	}
	color, err := s.side(in.Color, game.Position().Turn())
	if err != nil {
		return nil, wrong("color", in.Color, "black, white, any")
	}
	terms := match.Terms{Rules: game.Rules(), Start: game.Start().Setup()}
	terms.Seats[color], terms.Seats[color.Opponent()] = seatFor(c.person), match.Seat{Holder: match.Engine, Level: in.Level}
	var moves []loa.Move
	for ply := range game.Plies() {
		moves = append(moves, game.Move(ply))
	}
	id, err := account.NewID(s.Random)
	if err == nil {
		_, err = s.Live.Create(c.Context(), match.ID(id), terms, moves...)
	}
	return wire.Begun{Match: id}, err
}

// apiStart returns the game that a new one goes on with.
func (s *Server) apiStart(in wire.NewGame) (*loa.Game, error) {
	wish, refusal := readTerms(url.Values{"rules": {in.Rules}, "control": {"unlimited"}})
	if refusal != nil {
		return nil, refusal.problem()
	}
	rules := wish.Rules
	if err := s.seed(&rules); err != nil {
		return nil, err
	}
	start, err := rules.StartPosition()
	if err != nil {
		return nil, unusable("rules", in.Rules, err)
	}
	setup := start.Setup()
	if in.Start != "" {
		if setup, err = loa.ParseSetup(in.Start); err != nil {
			return nil, unusable("start", in.Start, err)
		}
	}
	game, err := loa.NewGameFrom(rules, setup)
	if err != nil {
		return nil, unusable("start", in.Start, err)
	}
	for _, text := range in.Moves {
		move, _, err := loa.ParseMove(text)
		if err == nil {
			err = game.Play(move)
		}
		if err != nil {
			return nil, unusable("moves", text, err)
		}
	}
	if game.Outcome().Over() {
		return nil, wrong("start", game.Position().String(), "a game that is not over")
	}
	return game, nil
}

// unusable is a value with an error that says what was expected.
func unusable(field, value string, err error) error {
	return &problem{http.StatusBadRequest, wire.Fault{Code: "bad-value", Text: err.Error(), Field: field, Value: clipped(value)}}
}

// tooFast refuses what has to wait.
func tooFast(what string, wait time.Duration) error {
	return &problem{http.StatusTooManyRequests, wire.Fault{
		Code: "too-fast", Text: fmt.Sprintf("%s; try again in %s", what, wait.Round(time.Millisecond)), Wait: (wait + time.Millisecond).Milliseconds(),
	}}
}

// runningSent is how many running games are sent, and mostRunning at most.
const (
	runningSent = 20
	mostRunning = 100
)

// apiRunning lists the games being played.
func (s *Server) apiRunning(c *call) (any, error) {
	limit, err := c.number("limit", runningSent, 1, mostRunning)
	if err != nil {
		return nil, err
	}
	ids, err := s.People.RunningGames(c.Context(), limit)
	if err != nil {
		return nil, err
	}
	out := []wire.Running{}
	for _, id := range ids {
		m, err := s.Live.Match(c.Context(), id)
		if err != nil {
			return nil, err
		}
		if !m.Outcome().Over() {
			out = append(out, wire.RunningNow(m))
		}
	}
	return out, nil
}

// apiTrained returns the game that the address names, if whoever asks may be helped in it.
func (s *Server) apiTrained(c *call) (*loa.Game, loa.Color, error) {
	m, you, err := s.apiMatch(c)
	switch {
	case err != nil:
		return nil, you, err
	case m.BetweenPeople():
		return nil, you, denied(http.StatusForbidden, string(match.NotAllowed), "only players of games against the computer are helped")
	case you == loa.NoColor:
		return nil, you, denied(http.StatusForbidden, string(match.NotYourSeat), "only who plays this game is helped")
	case m.Outcome().Over():
		return nil, you, denied(http.StatusConflict, string(match.GameOver), "the game is over")
	}
	if wait := s.quotas.questions.take(c.person.ID, s.Now()); wait > 0 {
		return nil, you, tooFast("too many questions", wait)
	}
	return m.Game().Clone(), you, nil
}

func (s *Server) apiHint(c *call) (any, error) {
	game, you, err := s.apiTrained(c)
	if err != nil {
		return nil, err
	}
	if game.Position().Turn() != you {
		return nil, denied(http.StatusConflict, string(match.NotYourTurn), "it is the computer's turn")
	}
	h, err := s.Coach.Hint(c.Context(), game)
	if err != nil {
		return nil, s.unansweredProblem(c, err)
	}
	return hintOf(game, h), nil
}

func (s *Server) apiReview(c *call) (any, error) {
	game, you, err := s.apiTrained(c)
	if err != nil {
		return nil, err
	}
	plies := game.Plies()
	if !toLastMove(game, you) {
		return nil, denied(http.StatusConflict, string(match.NotAllowed), "you have made no move yet")
	}
	found, err := s.Coach.Review(c.Context(), game)
	if err != nil {
		return nil, s.unansweredProblem(c, err)
	}
	return reviewOf(game, plies, found), nil
}

func (s *Server) apiThreats(c *call) (any, error) {
	game, you, err := s.apiTrained(c)
	if err != nil {
		return nil, err
	}
	found, err := s.Coach.Threats(c.Context(), game)
	if err != nil {
		return nil, s.unansweredProblem(c, err)
	}
	return threatsOf(game, you, found), nil
}

// unansweredProblem says that a question has no answer now; other errors stay what they are.
func (s *Server) unansweredProblem(c *call, err error) error {
	busy := errors.Is(err, coach.ErrBusy)
	if !busy && !errors.Is(err, coach.ErrUnanswered) {
		return err
	}
	p := &problem{http.StatusServiceUnavailable, wire.Fault{Code: "busy", Text: "no engine has time for this just now", Wait: 3000}}
	if !busy {
		p.fault.Reference = s.report(c.Request, err)
	}
	return p
}
