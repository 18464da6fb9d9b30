package main

import (
	"context"
	"fmt"
	"time"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/engine"
	"github.com/linesofaction/loa/engine/book"
	"github.com/linesofaction/loa/engine/nnue"
	"github.com/linesofaction/loa/internal/coach"
	"github.com/linesofaction/loa/internal/puzzle"
	"github.com/linesofaction/loa/internal/wire"
)

// session is what one worker does: a game, an engine, and the searches it is asked for, one at a time.
type session struct {
	say    func([]byte)                      // gets each message for the page, as JSON
	yield  func()                            // lets messages in; called by the goroutine of run
	fetch  func(name string) ([]byte, error) // gets the file of a net or a book that is not part of the program
	jobs   chan job
	cancel context.CancelFunc // ends the newest search

	game    *loa.Game
	level   int
	seed    uint64
	engine  *engine.Engine // nil until it is needed
	file    string         // that was fetched last
	fetched *nnue.Net      // from it
	shelf   string         // the file of a book that was asked for last
	book    *book.Book     // from it, nil where it could not be had
	coach   *coach.Coach   // nil until a puzzle is tried
}

var errBusy = fmt.Errorf("more than %d messages without waiting for an answer", waiting)

// job is something asked, with the context that ends it.
type job struct {
	ask wire.Ask
	ctx context.Context
}

// waiting is how many messages may wait to be worked on; a page that waits for answers never has many.
const waiting = 256

func newSession(say func([]byte), yield func(), fetch func(string) ([]byte, error)) *session {
	return &session{say: say, yield: yield, fetch: fetch, jobs: make(chan job, waiting), cancel: func() {}}
}

// hear takes what the page asks, and ends the search before. It does not wait, and is called by one goroutine.
func (s *session) hear(ask wire.Ask) {
	s.cancel()
	ctx, cancel := context.WithCancel(context.Background())
	s.cancel = cancel
	select {
	case s.jobs <- job{ask, ctx}:
	default:
		s.wrong(ask, errBusy)
	}
}

// run does what is asked, in order, until jobs is closed.
func (s *session) run() {
	s.say((&wire.Ready{V: wire.Version, Type: wire.KindReady}).Append(nil))
	for j := range s.jobs {
		if err := s.do(j); err != nil {
			s.wrong(j.ask, err)
		}
	}
}

func (s *session) wrong(ask wire.Ask, err error) {
	s.say((&wire.Wrong{V: wire.Version, Type: wire.KindWrong, ID: ask.ID, Text: err.Error()}).Append(nil))
}

func (s *session) do(j job) error {
	switch ask := j.ask; {
	case ask.Type == wire.KindStop:
		return nil // hearing it was enough
	case ask.Type == wire.KindSet:
		return s.set(ask)
	case ask.Type == wire.KindTry:
		return s.try(j.ctx, ask)
	case ask.Type != wire.KindPlay && ask.Type != wire.KindSearch && ask.Type != wire.KindExplain:
		return fmt.Errorf("unknown message %q: expected set, play, search, explain, try or stop", ask.Type)
	case s.game == nil:
		return fmt.Errorf("%s without a game: expected set before it", ask.Type)
	case ask.Type == wire.KindPlay:
		next := s.game.Clone()
		if err := play(next, ask.Move); err != nil {
			return err
		}
		s.game = next
		s.stand()
		return nil
	case ask.Type == wire.KindExplain:
		return s.explain(j.ctx, ask)
	default:
		e, err := s.ready()
		if err != nil {
			return err
		}
		result, err := e.Search(j.ctx, s.game, limitsOf(ask), s.informer(ask))
		if err == nil {
			s.best(ask, result)
		}
		return err
	}
}

// set begins a game. The engine keeps what it has learned unless it has to search at another level, the rules are others, or
// the page asks for a fresh one.
func (s *session) set(ask wire.Ask) error {
	rules, err := loa.ParseRules(ask.Rules)
	if err != nil {
		return err
	}
	var game *loa.Game
	if ask.Start == "" {
		game, err = loa.NewGame(rules)
	} else {
		var setup loa.Setup
		if setup, err = loa.ParseSetup(ask.Start); err == nil {
			game, err = loa.NewGameFrom(rules, setup)
		}
	}
	if err != nil {
		return err
	}
	for _, move := range ask.Moves {
		if err := play(game, move); err != nil {
			return err
		}
	}
	if ask.Level < 0 || ask.Level > engine.MaxLevel {
		return fmt.Errorf("level %d: expected 0 to %d", ask.Level, engine.MaxLevel)
	}
	if ask.Fresh && s.engine != nil {
		s.engine.Reset()
	}
	s.game, s.level, s.seed = game, ask.Level, ask.Seed
	s.stand()
	return nil
}

// ready returns the engine for the game, with the net and the book it needs.
func (s *session) ready() (*engine.Engine, error) {
	net, err := s.net()
	if err != nil {
		return nil, err
	}
	options := engine.Options{Level: s.level, Seed: s.seed, Net: net, Book: s.opening(), Yield: s.yield}
	if s.engine != nil {
		if has := s.engine.Options(); has.Level == options.Level && has.Seed == options.Seed && has.Net == options.Net && has.Book == options.Book {
			return s.engine, nil
		}
	}
	s.engine = engine.New(options)
	return s.engine, nil
}

// opening returns the book for the game where the level opens by one that is not part of the program, nil where none is missing or
// it cannot be had: then the engine searches from the first move.
func (s *session) opening() *book.Book {
	file := book.FileFor(s.sized())
	if file == "" || s.level < engine.BookLevel || book.Standard() != nil {
		return nil
	}
	if s.shelf != file {
		s.shelf, s.book = file, nil
		if body, err := s.fetch(file); err == nil {
			s.book, _ = book.Parse(body)
		}
	}
	return s.book
}

// sized returns the rules of the game with the size of its board.
func (s *session) sized() loa.Rules {
	rules := s.game.Rules()
	rules.Size = s.game.Position().Size()
	return rules
}

// net returns the net for the game where that is not part of the program, nil where none is missing.
func (s *session) net() (*nnue.Net, error) {
	rules := s.sized()
	file := nnue.FileFor(rules)
	if file == "" || nnue.For(rules) != nil {
		return nil, nil
	}
	if s.file != file {
		body, err := s.fetch(file)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		net, err := nnue.Parse(body)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		s.file, s.fetched = file, net
	}
	return s.fetched, nil
}

func play(game *loa.Game, text string) error {
	move, claim, err := loa.ParseMove(text)
	if err != nil {
		return err
	}
	if !claim.Holds(game.Position(), move) {
		return fmt.Errorf("%s: there is a piece to capture or none, against what the sign says", text)
	}
	return game.Play(move)
}

// stand tells the page how the game stands.
func (s *session) stand() {
	outcome := s.game.Outcome()
	s.say((&wire.Standing{
		V: wire.Version, Type: wire.KindStanding, Plies: s.game.Plies(),
		Position: wire.PositionOf(s.game.Position(), outcome.Over()), Outcome: wire.OutcomeOf(outcome),
	}).Append(nil))
}

func limitsOf(ask wire.Ask) engine.Limits {
	return engine.Limits{
		MoveTime: time.Duration(ask.Time) * time.Millisecond, Nodes: ask.Nodes, Depth: ask.Depth, Infinite: ask.Infinite, MultiPV: ask.Lines,
	}
}

// informer returns what tells the page how far a search is.
func (s *session) informer(ask wire.Ask) func(engine.Info) {
	return func(info engine.Info) {
		s.say((&wire.Info{
			V: wire.Version, Type: wire.KindInfo, ID: ask.ID, Line: info.MultiPV, Value: valueOf(info.Score), PV: s.written(info.PV),
			Depth: info.Depth, SelDepth: info.SelDepth, Nodes: info.Nodes, NPS: info.NPS, Time: info.Time.Milliseconds(),
		}).Append(nil))
	}
}

// best tells the page the result of a search.
func (s *session) best(ask wire.Ask, result engine.Result) {
	s.say((&wire.Best{
		V: wire.Version, Type: wire.KindBest, ID: ask.ID, Move: s.game.Position().Format(result.BestMove), Value: valueOf(result.Score),
		PV: s.written(result.PV), Depth: result.Depth, Nodes: result.Nodes, NPS: result.NPS, Time: result.Time.Milliseconds(),
	}).Append(nil))
}

// explain searches and tells the page what it found in the terms of the game, unless it is to stop before.
func (s *session) explain(ctx context.Context, ask wire.Ask) error {
	if ask.Infinite || ask.Nodes == 0 && ask.Depth == 0 && ask.Time == 0 {
		return fmt.Errorf("explain without an end: expected nodes, depth or time")
	}
	searcher, err := s.ready()
	if err != nil {
		return err
	}
	e, err := searcher.Explain(ctx, s.game, limitsOf(ask), s.informer(ask))
	if err != nil {
		return err
	}
	s.best(ask, e.Result)
	if ctx.Err() != nil {
		return nil
	}
	out := wire.Explained{
		V: wire.Version, Type: wire.KindExplained, ID: ask.ID, Threat: e.Threat,
		Ways: wire.Ways{Black: e.Ways[loa.Black], White: e.Ways[loa.White]},
	}
	if p := e.Played; p != nil {
		before := s.game.PositionAt(s.game.Plies() - 1)
		out.Played = &wire.PlayedMove{
			Move: before.Format(p.Move), Best: before.Format(p.Best), Before: valueOf(p.Before), After: valueOf(p.After), Lost: p.Lost(), Allows: p.Allows,
		}
	}
	s.say(out.Append(nil))
	return nil
}

// try judges moves in a puzzle as the server does, or shows its solution.
func (s *session) try(ctx context.Context, ask wire.Ask) error {
	setup, err := loa.ParseSetup(ask.Start)
	if err != nil {
		return err
	}
	rules := puzzle.Rules()
	rules.Start, rules.Size = loa.StartCustom, setup.Board.Size
	z := &puzzle.Puzzle{ID: ask.Puzzle}
	if z.Position, err = setup.Position(rules); err != nil {
		return err
	}
	if z.Line, err = readMoves(ask.Solution); err != nil {
		return err
	}
	own, err := readMoves(ask.Moves)
	if err != nil {
		return err
	}
	var out wire.Tried
	switch {
	case ask.Show:
		out = wire.TriedOf(z, z.Line)
		out.Result = wire.TryShown
	case len(own) == 0:
		out = wire.TriedOf(z, nil)
	default:
		if s.coach == nil {
			s.coach = coach.New(1)
		}
		v, err := s.coach.Judge(ctx, z, own)
		if err != nil {
			return err
		}
		out = wire.TriedOf(z, v.Moves)
		out.Result, out.Taken, out.Fault, out.Count = v.Result.String(), v.Taken, v.Fault.String(), (v.Plies+1)/2
	}
	out.ID = ask.ID
	s.say(out.Append(nil))
	return nil
}

func readMoves(texts []string) (moves []loa.Move, err error) {
	for _, text := range texts {
		move, _, err := loa.ParseMove(text)
		if err != nil {
			return nil, err
		}
		moves = append(moves, move)
	}
	return moves, nil
}

func valueOf(score engine.Score) wire.Value {
	if plies, forced := score.Plies(); forced {
		return wire.Value{Win: plies}
	}
	return wire.Value{Cp: int(score)}
}

// written writes a line as moves of the position the game stands at.
func (s *session) written(line []loa.Move) []string {
	moves := make([]string, 0, len(line))
	for position, i := s.game.Position(), 0; i < len(line); i++ {
		moves = append(moves, position.Format(line[i]))
		position = position.PlayUnchecked(line[i])
	}
	return moves
}
