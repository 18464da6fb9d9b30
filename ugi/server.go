package ugi

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/engine"
)

// Identity is what the engine says of itself.
type Identity struct{ Name, Author string }

// Serve is the engine's end of the protocol: it reads commands until quit, the end of the input, or the end of
// the context, and answers them. Options are those the engine has before any setoption. The error is one of
// reading or writing. When the context ends first, a goroutine stays behind until a pending read returns.
func Serve(ctx context.Context, in io.Reader, out io.Writer, who Identity, options engine.Options) error {
	s := &server{out: out, who: who, options: options, results: make(chan engine.Result)}
	if err := s.setRules(loa.Rules{}); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	return s.run(ctx, readLines(ctx, in))
}

// server is the state of a conversation. All of it but out belongs to the goroutine of run.
type server struct {
	mutex sync.Mutex // of out, which a search writes to as well
	out   io.Writer
	fault error // the first one of writing

	who     Identity
	options engine.Options
	engine  *engine.Engine // nil until needed, and after a change of options
	rules   loa.Rules
	game    *loa.Game

	stop    context.CancelFunc // of the search that is running, else nil
	limits  engine.Limits      // of that search
	results chan engine.Result // where it leaves what it found
	waiting []string           // lines to be dealt with when it has ended
	leaving bool               // quit, or the end of the input
}

// line is a line of input, or the error that ended it.
type line struct {
	text    string // without blanks around it
	tooLong bool   // text is only its beginning
	err     error
}

// longestLine is the number of bytes a line may have: a game of some ten thousand moves.
const longestLine = 1 << 16

// readLine reads the next line, and says whether it was the last.
func readLine(reader *bufio.Reader) (l line, last bool) {
	text, err := reader.ReadSlice('\n')
	l.text = strings.TrimSpace(string(text))
	for errors.Is(err, bufio.ErrBufferFull) {
		l.tooLong = true
		_, err = reader.ReadSlice('\n')
	}
	if err != nil && !errors.Is(err, io.EOF) {
		l.err = err
	}
	return l, err != nil
}

// readLines sends each line of input, and closes the channel behind the last.
func readLines(ctx context.Context, in io.Reader) <-chan line {
	lines := make(chan line)
	go func() {
		defer close(lines)
		reader := bufio.NewReaderSize(in, longestLine)
		for last := false; !last; {
			var l line
			l, last = readLine(reader)
			select {
			case lines <- l:
			case <-ctx.Done():
				return
			}
		}
	}()
	return lines
}

// run deals with lines and results until it is time to leave.
func (s *server) run(ctx context.Context, lines <-chan line) error {
	var fault error
	for !s.leaving || s.stop != nil {
		select {
		case l, more := <-lines:
			switch {
			case !more:
				lines = nil
				s.end()
			case l.err != nil:
				fault = l.err
			case l.tooLong:
				s.complain(&loa.SyntaxError{What: "line", Text: brief(l.text), Want: fmt.Sprintf("at most %d bytes", longestLine)})
			default:
				s.take(ctx, l.text)
			}
		case result := <-s.results:
			s.finish(result)
			for len(s.waiting) > 0 && s.stop == nil {
				text := s.waiting[0]
				s.waiting = s.waiting[1:]
				s.do(ctx, text)
			}
			if lines == nil && s.stop != nil {
				s.end()
			}
		case <-ctx.Done():
			lines = nil
			s.quit()
		}
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return errors.Join(fault, s.fault)
}

// end prepares to leave when there is no more input. A search that would never end is stopped.
func (s *server) end() {
	s.leaving = true
	if s.stop != nil && s.limits.Infinite {
		s.stop()
	}
}

// quit prepares to leave as soon as possible.
func (s *server) quit() {
	s.leaving = true
	s.waiting = nil
	if s.stop != nil {
		s.stop()
	}
}

// take deals with a line of input now, or puts it off until the search has ended.
func (s *server) take(ctx context.Context, text string) {
	words := strings.Fields(text)
	if len(words) == 0 || s.leaving {
		return
	}
	urgent := slices.Contains([]string{"isready", "stop", "quit"}, words[0])
	idle := slices.Contains([]string{"go", "position", "setoption", "uginewgame"}, words[0])
	switch {
	case s.stop == nil || urgent || !idle && len(s.waiting) == 0:
		s.do(ctx, text)
	case s.limits.Infinite:
		s.say("info string %s %q: a search without a limit is running, expected stop before", words[0], text)
	default:
		s.waiting = append(s.waiting, text)
	}
}

// do carries out a command.
func (s *server) do(ctx context.Context, text string) {
	words := strings.Fields(text)
	command, rest := words[0], words[1:]
	var err error
	switch command {
	case "ugi":
		s.introduce()
	case "isready":
		s.say("readyok")
	case "uginewgame":
		if s.engine != nil {
			s.engine.Reset()
		}
		err = s.setRules(s.rules)
	case "setoption":
		err = s.setOption(rest)
	case "position":
		err = s.setPosition(rest)
	case "go":
		err = s.search(ctx, rest)
	case "stop":
		if s.stop != nil {
			s.stop()
		}
	case "query":
		err = s.answer(rest)
	case "quit":
		s.quit()
	default:
		err = &loa.SyntaxError{What: "command", Text: command, Want: "ugi, isready, uginewgame, setoption, position, go, stop, query or quit"}
	}
	if err != nil {
		s.complain(err)
	}
}

// say writes a line.
func (s *server) say(format string, args ...any) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	_, err := fmt.Fprintf(s.out, format+"\n", args...)
	if s.fault == nil {
		s.fault = err
	}
}

// complain says what is wrong with a line, in one line.
func (s *server) complain(err error) {
	s.say("info string %s", strings.Join(strings.Fields(err.Error()), " "))
}

// introduce answers ugi.
func (s *server) introduce() {
	s.say("id name %s", s.who.Name)
	s.say("id author %s", s.who.Author)
	var names strings.Builder
	for _, set := range loa.RuleSets() {
		names.WriteString(" var " + set.Name)
	}
	s.say("option name Rules type combo default %s%s", loa.Rules{}, names.String())
	for _, spin := range spins(&engine.Options{}) {
		s.say("option name %s type spin default %d min %d max %d", spin.name, spin.fallback, spin.least, spin.most)
	}
	s.say("option name Eval type combo default %s var net var hand var first", engine.EvalNet)
	s.say("option name Seed type spin default 0 min 0 max %d", maxSeed)
	s.say("option name Off type string default %s", nothingOff)
	s.say("ugiok")
}

const (
	maxSeed    = 1<<31 - 1
	nothingOff = "none" // the value of Off for no technique
)

// spin is an option that is a number.
type spin struct {
	name                  string
	field                 *int
	fallback, least, most int
}

// spins lists the options that are numbers.
func spins(o *engine.Options) []spin {
	return []spin{
		{"Hash", &o.Hash, engine.DefaultHash, 1, engine.MaxHash},
		{"Threads", &o.Threads, 1, 1, engine.MaxThreads},
		{"MultiPV", &o.MultiPV, 1, 1, engine.MaxMultiPV},
		{"Level", &o.Level, 0, 0, engine.MaxLevel},
	}
}

// setOption carries out "name NAME value VALUE".
func (s *server) setOption(words []string) error {
	if len(words) != 4 || words[0] != "name" || words[2] != "value" {
		return &loa.SyntaxError{What: "setoption", Text: strings.Join(words, " "), Want: "name NAME value VALUE"}
	}
	name, value := words[1], words[3]
	names := []string{"Rules", "Eval", "Seed", "Off"}
	if strings.EqualFold(name, "Rules") {
		rules, err := loa.ParseRules(value)
		if err != nil {
			return err
		}
		return s.setRules(rules)
	}
	if strings.EqualFold(name, "Eval") {
		eval, err := engine.ParseEvaluation(value)
		if err == nil && eval != s.options.Eval {
			s.options.Eval, s.engine = eval, nil
		}
		return err
	}
	if strings.EqualFold(name, "Seed") {
		seed, err := strconv.ParseUint(value, 10, 64)
		if err != nil || seed > maxSeed {
			return &loa.SyntaxError{What: "value of Seed", Text: value, Want: fmt.Sprintf("a whole number from 0 to %d", maxSeed)}
		}
		if seed != s.options.Seed {
			s.options.Seed, s.engine = seed, nil
		}
		return nil
	}
	if strings.EqualFold(name, "Off") {
		off, err := engine.Technique(0), error(nil)
		if value != nothingOff {
			off, err = engine.ParseTechniques(value)
		}
		if err == nil && off != s.options.Off {
			s.options.Off, s.engine = off, nil
		}
		return err
	}
	for _, spin := range spins(&s.options) {
		names = append(names, spin.name)
		if !strings.EqualFold(name, spin.name) {
			continue
		}
		n, err := strconv.Atoi(value)
		if err != nil || n < spin.least || n > spin.most {
			return &loa.SyntaxError{What: "value of " + spin.name, Text: value, Want: fmt.Sprintf("a whole number from %d to %d", spin.least, spin.most)}
		}
		if n != *spin.field {
			*spin.field = n
			s.engine = nil
		}
		return nil
	}
	return &loa.SyntaxError{What: "option", Text: name, Want: "one of " + strings.Join(names, ", ")}
}

// setRules begins a game by rules from their start.
func (s *server) setRules(rules loa.Rules) error {
	game, err := loa.NewGame(rules)
	if err != nil {
		return err
	}
	s.rules, s.game = rules, game
	return nil
}

// setPosition carries out "startpos|fen BOARD TURN [moves …]".
func (s *server) setPosition(words []string) error {
	var game *loa.Game
	var err error
	switch {
	case len(words) > 0 && words[0] == "startpos":
		words = words[1:]
		game, err = loa.NewGame(s.rules)
	case len(words) > 2 && words[0] == "fen":
		var setup loa.Setup
		if setup, err = loa.ParseSetup(words[1] + " " + words[2]); err == nil {
			game, err = loa.NewGameFrom(s.rules, setup)
		}
		words = words[3:]
	default:
		return &loa.SyntaxError{What: "position", Text: strings.Join(words, " "), Want: "startpos or fen BOARD b|w, then perhaps moves"}
	}
	if err != nil {
		return err
	}
	if len(words) > 0 && words[0] != "moves" {
		return &loa.SyntaxError{What: "position", Text: words[0], Want: "moves"}
	}
	var remarks []string
	for i, word := range words {
		if i == 0 {
			continue
		}
		m, claim, err := loa.ParseMove(word)
		if err != nil {
			return err
		}
		if m != loa.Pass && game.PlayForced() {
			remarks = append(remarks, fmt.Sprintf("move %q: a forced pass is missing before it, inserted", word))
		}
		if !claim.Holds(game.Position(), m) {
			remarks = append(remarks, fmt.Sprintf("move %q: expected %s", word, game.Position().Format(m)))
		}
		if err := game.Play(m); err != nil {
			return err
		}
	}
	for _, remark := range remarks {
		s.say("info string %s", remark)
	}
	s.game = game
	return nil
}

// answer carries out query.
func (s *server) answer(words []string) error {
	outcome := s.game.Outcome()
	switch strings.Join(words, " ") {
	case "p1turn":
		s.say("response %t", s.game.Position().Turn() == loa.Black)
	case "gameover":
		s.say("response %t", outcome.Over())
	case "result":
		result := "none"
		if outcome.Over() {
			result = map[loa.Color]string{loa.Black: "p1win", loa.White: "p2win", loa.NoColor: "draw"}[outcome.Winner]
		}
		s.say("response %s", result)
	default:
		return &loa.SyntaxError{What: "query", Text: strings.Join(words, " "), Want: "p1turn, gameover or result"}
	}
	return nil
}

// search carries out go: it starts a search, whose result run takes.
func (s *server) search(ctx context.Context, words []string) error {
	limits, err := parseGo(words, s.game.Position().Turn())
	if err != nil {
		return err
	}
	if o := s.game.Outcome(); o.Over() {
		s.say("info string go: the game is over: %s, expected a position with a legal move", o)
		s.say("bestmove %s", loa.NoMoveMade)
		return nil
	}
	if s.engine == nil {
		s.engine = engine.New(s.options)
	}
	ctx, s.stop = context.WithCancel(ctx)
	s.limits = limits
	searcher, game := s.engine, s.game.Clone()
	go func() {
		result, err := searcher.Search(ctx, game, limits, s.report)
		if err != nil { // only for a game that is over, which this one is not
			s.complain(err)
		}
		s.results <- result
	}()
	return nil
}

// report writes the info line of a best line.
func (s *server) report(info engine.Info) { s.say("%s", formatInfo(info, s.place(info.MultiPV))) }

// place returns what to write of the place of a best line: nothing where there is only one.
func (s *server) place(multiPV int) int {
	if s.options.MultiPV > 1 {
		return multiPV
	}
	return 0
}

// finish ends a search. The last word on its lines comes from the result, for a depth broken off may have found
// something better.
func (s *server) finish(result engine.Result) {
	s.stop()
	s.stop = nil
	for i, l := range result.Lines {
		s.report(engine.Info{
			Line: l, MultiPV: i + 1, Depth: result.Depth, SelDepth: result.SelDepth, Nodes: result.Nodes, NPS: result.NPS, Time: result.Time,
			Hashfull: result.Hashfull,
		})
	}
	s.say("bestmove %s", result.BestMove)
}
