package web

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/account"
	"github.com/linesofaction/loa/internal/coach"
	"github.com/linesofaction/loa/internal/puzzle"
	"github.com/linesofaction/loa/internal/rating"
	"github.com/linesofaction/loa/internal/wire"
)

// Puzzlers is what the puzzles need of storage.
type Puzzlers interface {
	// PuzzleStanding returns how a person does at puzzles.
	PuzzleStanding(ctx context.Context, person string) (puzzle.Standing, error)
	// PuzzleRating returns what tries made of a puzzle's grade, how many solved it, and whether anybody has tried.
	PuzzleRating(ctx context.Context, id string) (rating.Rating, int, bool, error)
	// PuzzlesTried returns the puzzles that a person has tried.
	PuzzlesTried(ctx context.Context, person string) (map[string]bool, error)
	// Solvers returns the members with the best ratings at puzzles.
	Solvers(ctx context.Context, limit int) ([]account.Leader, error)
	// RecordTry stores how a try ended, and returns what a first one made of the person's rating.
	RecordTry(ctx context.Context, person string, z *puzzle.Puzzle, solved, shown bool, day puzzle.Day, now time.Time) (rating.Change, bool, puzzle.Standing, error)
}

// shelf is the puzzles of this club, and what is known of their ratings.
type shelf struct {
	all  []*puzzle.Puzzle
	byID map[string]*puzzle.Puzzle

	mu      sync.Mutex
	ratings map[string]rating.Rating // nil until they were read
}

func newShelf(puzzles []*puzzle.Puzzle) *shelf {
	s := &shelf{all: puzzles, byID: map[string]*puzzle.Puzzle{}}
	for _, z := range puzzles {
		s.byID[z.ID] = z
	}
	return s
}

// rated returns the ratings of all puzzles. They are read once, one by one; afterwards whoever tries one tells.
func (s *Server) rated(ctx context.Context) (func(*puzzle.Puzzle) rating.Rating, error) {
	s.shelf.mu.Lock()
	defer s.shelf.mu.Unlock()
	if s.shelf.ratings == nil {
		ratings := map[string]rating.Rating{}
		for _, z := range s.shelf.all {
			r, _, tried, err := s.Puzzlers.PuzzleRating(ctx, z.ID)
			if err != nil {
				return nil, err
			}
			if tried {
				ratings[z.ID] = r
			}
		}
		s.shelf.ratings = ratings
	}
	return func(z *puzzle.Puzzle) rating.Rating {
		s.shelf.mu.Lock()
		defer s.shelf.mu.Unlock()
		if r, ok := s.shelf.ratings[z.ID]; ok {
			return r
		}
		return z.NewRating()
	}, nil
}

type puzzlePage struct {
	page
	Away   bool // for a puzzle tried without network, which the script chooses
	Puzzle *puzzle.Puzzle
	Board  boardView
	Daily  bool
	Day    time.Time // of the daily puzzle
	Letter string    // of the side to move
	Side   string
	Other  string
	Grade  int
	Share  int // percent of first tries that solved it, -1 where there were too few
	Rating string
	Streak int
	Solved int
	Tried  int
	Data   puzzleData
}

// puzzleData is what the script gets: a puzzle, or what helps to choose one without network.
type puzzleData struct {
	puzzleView
	Fit  int               `json:"fit,omitempty"`  // the grade that suits the reader
	Days map[string]string `json:"days,omitempty"` // the puzzles of the next days, by date
}

// puzzleView is a puzzle as its script gets it, without the solution.
type puzzleView struct {
	ID       string        `json:"id"`
	Moves    int           `json:"moves"`
	Position wire.Position `json:"position"`
}

// fewTries is the number of tries below which a share says nothing.
const fewTries = 5

// puzzles leads to a puzzle fit for whoever asks.
func (s *Server) puzzles(w http.ResponseWriter, r *http.Request) {
	person, known, err := s.guest(r)
	standing, tried := puzzle.NewStanding(), map[string]bool{}
	if err == nil && known {
		if standing, err = s.Puzzlers.PuzzleStanding(r.Context(), person.ID); err == nil {
			tried, err = s.Puzzlers.PuzzlesTried(r.Context(), person.ID)
		}
	}
	var ratings func(*puzzle.Puzzle) rating.Rating
	if err == nil {
		ratings, err = s.rated(r.Context())
	}
	if err != nil {
		s.internal(w, r, err)
		return
	}
	if last := r.URL.Query().Get("after"); last != "" {
		tried[last] = true // not the same one twice, if it was only looked at
	}
	chosen := puzzle.Next(s.shelf.all, ratings, tried, standing.Rating, uint64(s.Now().UnixNano()))
	if chosen == nil {
		s.fail(w, r, http.StatusNotFound, "error.404.puzzles")
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	http.Redirect(w, r, "/puzzles/"+chosen.ID, http.StatusSeeOther)
}

// dailyPuzzle shows the puzzle of the day.
func (s *Server) dailyPuzzle(w http.ResponseWriter, r *http.Request) {
	z := puzzle.Daily(s.shelf.all, puzzle.DayOf(s.Now()))
	if z == nil {
		s.fail(w, r, http.StatusNotFound, "error.404.puzzles")
		return
	}
	s.showPuzzle(w, r, z, true)
}

// puzzle returns the puzzle of a request, or answers that there is none.
func (s *Server) puzzle(w http.ResponseWriter, r *http.Request) *puzzle.Puzzle {
	z := s.shelf.byID[r.PathValue("id")]
	if z == nil {
		s.fail(w, r, http.StatusNotFound, "error.404.puzzle", "Puzzle", clipped(r.PathValue("id")))
	}
	return z
}

// onePuzzle shows a puzzle.
func (s *Server) onePuzzle(w http.ResponseWriter, r *http.Request) {
	if z := s.puzzle(w, r); z != nil {
		s.showPuzzle(w, r, z, false)
	}
}

// puzzlePage begins the page of a puzzle.
func (s *Server) puzzlePage(r *http.Request, z *puzzle.Puzzle) puzzlePage {
	p := puzzlePage{page: s.page(r), Puzzle: z, Share: -1}
	p.Section = "/puzzles"
	p.run("puzzle.js", "board.", "square.", "piece.", "side.", "line.", "dir.", "ray.", "puzzles.", "move.pass", "keys.", "groups.left", "turn.side", "turn.moved")
	turn := z.Position.Turn()
	p.Board = p.boardView(z.Position, turn == loa.White)
	p.Letter = turn.String()[:1]
	p.Side, p.Other = p.T("side."+turn.String()), p.T("side."+turn.Opponent().String())
	p.Title = p.T("puzzles.goal", "Side", p.Side, "Count", z.Moves())
	return p
}

// daysAway is for how many days a page that is kept knows the puzzle of the day.
const daysAway = 14

// puzzlesAway is the page of puzzles that a browser keeps to show without network.
func (s *Server) puzzlesAway(w http.ResponseWriter, r *http.Request) {
	if len(s.shelf.all) == 0 {
		s.fail(w, r, http.StatusNotFound, "error.404.puzzles")
		return
	}
	person, known, err := s.guest(r)
	standing := puzzle.NewStanding()
	if err == nil && known {
		standing, err = s.Puzzlers.PuzzleStanding(r.Context(), person.ID)
	}
	if err != nil {
		s.internal(w, r, err)
		return
	}
	p := s.puzzlePage(r, s.shelf.all[0])
	p.Away = true
	p.Title = p.T("puzzles.title")
	p.Data = puzzleData{Fit: puzzle.FitFor(standing.Rating), Days: map[string]string{}}
	for day := puzzle.DayOf(s.Now()); len(p.Data.Days) < daysAway; day++ {
		p.Data.Days[day.Begin().Format(time.DateOnly)] = puzzle.Daily(s.shelf.all, day).ID
	}
	s.render(w, r, http.StatusOK, "puzzle", p)
}

// keptPuzzle is a puzzle as a browser keeps it.
type keptPuzzle struct {
	ID       string         `json:"id"`
	Start    string         `json:"start"`
	Solution []string       `json:"solution"`
	Grade    int            `json:"grade"`
	Themes   []puzzle.Theme `json:"themes"`
}

// allPuzzles answers with every puzzle and its solution.
func (s *Server) allPuzzles(w http.ResponseWriter, r *http.Request) {
	ratings, err := s.rated(r.Context())
	if err != nil {
		s.internal(w, r, err)
		return
	}
	all := make([]keptPuzzle, 0, len(s.shelf.all))
	for _, z := range s.shelf.all {
		all = append(all, keptPuzzle{z.ID, z.Position.String(), z.Solution(), round(ratings(z).Mean), z.Themes})
	}
	s.answer(w, r, all)
}

func (s *Server) showPuzzle(w http.ResponseWriter, r *http.Request, z *puzzle.Puzzle, daily bool) {
	p := s.puzzlePage(r, z)
	p.Daily = daily
	if daily {
		p.Day = s.Now().UTC()
		p.Title = p.T("puzzles.daily")
	}
	p.Data.puzzleView = puzzleView{ID: z.ID, Moves: z.Moves(), Position: wire.PositionOf(z.Position, false)}
	person, known, err := s.guest(r)
	standing := puzzle.NewStanding()
	if err == nil && known {
		standing, err = s.Puzzlers.PuzzleStanding(r.Context(), person.ID)
	}
	r0, solved, tried, fault := s.Puzzlers.PuzzleRating(r.Context(), z.ID)
	if err = errors.Join(err, fault); err != nil {
		s.internal(w, r, err)
		return
	}
	if !tried {
		r0 = z.NewRating()
	}
	p.Grade = round(r0.Mean)
	if r0.Games >= fewTries {
		p.Share = 100 * solved / r0.Games
	}
	p.Rating = points(standing.Rating)
	p.Solved, p.Tried = standing.Solved, standing.Tried
	p.Streak = standing.StreakOn(puzzle.DayOf(s.Now()))
	s.render(w, r, http.StatusOK, "puzzle", p)
}

// Themes returns the texts of what can be seen in the solution.
func (p puzzlePage) Themes() []string {
	var texts []string
	for _, theme := range p.Puzzle.Themes {
		texts = append(texts, p.T("puzzles.theme."+string(theme)))
	}
	return texts
}

// The most questions that one person may ask the coach.
const (
	questionsEach = 2 // a second
	questionsRush = 20
)

// mayAsk reports whether a person may ask the coach something now, and answers if not.
func (s *Server) mayAsk(w http.ResponseWriter, r *http.Request, person account.Person) bool {
	if s.quotas.questions.take(person.ID, s.Now()) > 0 {
		w.Header().Set("Retry-After", "1")
		s.fail(w, r, http.StatusTooManyRequests, "error.429.text")
		return false
	}
	return true
}

// tryPuzzle judges the moves of whoever tries a puzzle. The first try is rated, whether it fails or solves.
func (s *Server) tryPuzzle(w http.ResponseWriter, r *http.Request) {
	z := s.puzzle(w, r)
	if z == nil || !s.form(w, r) {
		return
	}
	var own []loa.Move
	for _, text := range strings.Fields(r.PostForm.Get("moves")) {
		move, _, err := loa.ParseMove(text)
		if err != nil || len(own) == puzzle.MostPlies {
			s.refuse(w, r, "moves", r.PostForm.Get("moves"), "c8-c6 c6xc3")
			return
		}
		own = append(own, move)
	}
	if len(own) == 0 {
		s.refuse(w, r, "moves", r.PostForm.Get("moves"), "c8-c6 c6xc3")
		return
	}
	person, err := s.welcome(w, r)
	if err != nil {
		s.internal(w, r, err)
		return
	}
	if !s.mayAsk(w, r, person) {
		return
	}
	verdict, err := s.Coach.Judge(r.Context(), z, own)
	if errors.Is(err, loa.ErrIllegal) {
		s.refuse(w, r, "moves", r.PostForm.Get("moves"), "c8-c6 c6xc3")
		return
	}
	if err != nil {
		s.unanswered(w, r, err)
		return
	}
	answer := triedOf(z, verdict)
	if verdict.Result != coach.Right {
		if err := s.recordTry(r, person, z, &answer, false); err != nil {
			s.internal(w, r, err)
			return
		}
	}
	s.answer(w, r, answer)
}

// solution shows how a puzzle is solved, which gives it up if it was not tried before.
func (s *Server) solution(w http.ResponseWriter, r *http.Request) {
	z := s.puzzle(w, r)
	if z == nil || !s.form(w, r) {
		return
	}
	person, err := s.welcome(w, r)
	answer := wire.TriedOf(z, z.Line)
	answer.Result = wire.TryShown
	if err == nil {
		err = s.recordTry(r, person, z, &answer, true)
	}
	if err != nil {
		s.internal(w, r, err)
		return
	}
	s.answer(w, r, answer)
}

// recordTry stores how a try ended and adds to the answer what it made of the person's standing.
func (s *Server) recordTry(r *http.Request, person account.Person, z *puzzle.Puzzle, answer *wire.Tried, shown bool) error {
	now := s.Now()
	day, today := puzzle.Day(-1), puzzle.DayOf(now)
	if puzzle.Daily(s.shelf.all, today) == z {
		day = today
	}
	solved := answer.Result == wire.TrySolved
	change, first, standing, err := s.Puzzlers.RecordTry(r.Context(), person.ID, z, solved, shown, day, now)
	if err != nil {
		return err
	}
	if first {
		answer.Rating = &wire.RatingChange{Before: round(change.Before), After: round(change.After)}
		r0, _, _, err := s.Puzzlers.PuzzleRating(r.Context(), z.ID)
		if err != nil {
			return err
		}
		s.shelf.mu.Lock()
		if s.shelf.ratings != nil {
			s.shelf.ratings[z.ID] = r0
		}
		s.shelf.mu.Unlock()
	}
	if solved && day >= 0 {
		answer.Streak = standing.StreakOn(day)
	}
	return nil
}

// triedOf describes a verdict.
func triedOf(z *puzzle.Puzzle, v coach.Verdict) wire.Tried {
	t := wire.TriedOf(z, v.Moves)
	t.Result, t.Taken, t.Fault, t.Count = v.Result.String(), v.Taken, v.Fault.String(), (v.Plies+1)/2
	return t
}
