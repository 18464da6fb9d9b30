package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/engine"
	"github.com/linesofaction/loa/engine/nnue"
	"github.com/linesofaction/loa/internal/lab/duel"
)

// duelCommand plays a series of games between two players.
type duelCommand struct {
	A        string         `required:"" placeholder:"SPEC" help:"First player: engine, engine:hash=16,threads=1,eval=hand,off=null-move+late-reductions, level=3, greedy, or cmd=COMMAND for a program that speaks UGI."`
	B        string         `required:"" placeholder:"SPEC" help:"Second player."`
	Games    int            `required:"" placeholder:"N" help:"Number of games, even: every opening is played with both colors."`
	Time     *time.Duration `placeholder:"D" help:"Time for a move, for engines and programs."`
	Nodes    *uint64        `placeholder:"N" help:"Positions to search for a move, for engines and programs."`
	Rules    string         `default:"standard" placeholder:"R" help:"Rule set. Default: ${default}."`
	Openings fileName       `placeholder:"N|FILE" help:"Number of openings the games are shared among, or a file of positions, one a line. Default: as many as needed, balanced ones."`
	SPRT     *string        `name:"sprt" placeholder:"ELO0,ELO1" help:"End when the test between two differences in rating has its answer, with 5 % for either error."`
	Workers  int            `default:"1" placeholder:"N" help:"Games at the same time. Default: ${default}."`
	Seed     uint64         `default:"1" help:"Chooses the openings and what levels do by chance."`
	Output   fileName       `short:"o" placeholder:"FILE" help:"Keep the games in a file; the same call goes on where it ended."`
	JSON     bool           `name:"json" help:"Print one JSON object."`
}

// duelResult is what duel --json prints, from the side of the first player.
type duelResult struct {
	Wins     int      `json:"wins"`
	Draws    int      `json:"draws"`
	Losses   int      `json:"losses"`
	Score    float64  `json:"score"`
	Elo      *float64 `json:"elo"`       // null when one side won everything
	EloError *float64 `json:"elo_error"` // null also when the games are too few to exclude that one always wins
	LLR      *float64 `json:"llr"`       // null without a test
}

// patience is the time a program has to answer, besides that for a move.
const patience = 10 * time.Second

// Run carries the subcommand out. An interrupt ends the series after the games played until then.
func (c *duelCommand) Run(streams *Streams) error {
	limits := engine.Limits{}
	switch {
	case c.Games < 2 || c.Games%2 != 0:
		return usagef("--games %d: expected an even number from 2", c.Games)
	case c.Workers < 1:
		return usagef("--workers %d: expected a number from 1", c.Workers)
	case c.Time != nil && c.Nodes != nil:
		return usagef("expected either --time or --nodes")
	case c.Time != nil && *c.Time <= 0:
		return usagef("--time %s: expected more than nothing", *c.Time)
	case c.Nodes != nil && *c.Nodes == 0:
		return usagef("--nodes 0: expected a number from 1")
	}
	terms := duel.Terms{A: c.A, B: c.B, Rules: c.Rules, Openings: string(c.Openings), Games: c.Games, Seed: c.Seed}
	switch {
	case c.Time != nil:
		limits.MoveTime = *c.Time
		terms.Limits = c.Time.String()
	case c.Nodes != nil:
		limits.Nodes = *c.Nodes
		terms.Limits = fmt.Sprintf("%d nodes", *c.Nodes)
	default:
		terms.Limits = "levels"
	}
	rules, err := parseRules(c.Rules)
	if err != nil {
		return err
	}
	series := &duel.Series{Workers: c.Workers}
	if c.SPRT != nil {
		test, err := duel.ParseSPRT(*c.SPRT)
		if err != nil {
			return err
		}
		series.Test = &test
	}
	for i, spec := range []string{c.A, c.B} {
		if series.Players[i], err = duelPlayer(spec, limits, c.Seed); err != nil {
			return err
		}
	}
	if c.Time == nil && c.Nodes == nil && !(ownPace(c.A) && ownPace(c.B)) {
		return usagef("expected either --time or --nodes: only levels and greedy have limits of their own")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if series.Openings, err = c.openings(ctx, rules); err != nil {
		return err
	}
	var record *duel.Record
	if c.Output != "" {
		if record, series.Played, err = duel.OpenRecord(string(c.Output), terms, series.Openings); err != nil {
			return err
		}
	}
	watched := isTerminal(streams.Err)
	series.Each = func(g duel.Game, s duel.Score) error {
		if g.Fault != "" {
			streams.warn("game %d: %s", g.Number, g.Fault)
		}
		switch {
		case watched:
			fmt.Fprintf(streams.Err, "\r%d games: %s ", s.Games(), s)
		case s.Games()%max(c.Games/20, 2) == 0:
			fmt.Fprintf(streams.Err, "%d games: %s\n", s.Games(), s)
		}
		if record != nil {
			return record.Add(g)
		}
		return nil
	}
	score, err := series.Run(ctx)
	if watched {
		fmt.Fprintln(streams.Err)
	}
	if record != nil {
		if fault := record.Close(); err == nil {
			err = fault
		}
	}
	if err != nil && (ctx.Err() == nil || score.Games() == 0) {
		return err
	}
	return c.print(streams, series.Test, score)
}

// print writes the result.
func (c *duelCommand) print(streams *Streams, test *duel.SPRT, score duel.Score) error {
	if !c.JSON {
		fmt.Fprintf(streams.Out, "%d games: %s\n", score.Games(), score)
		if test != nil {
			llr, verdict := test.LLR(score), "no answer yet"
			switch {
			case llr >= duel.Bound:
				verdict = "the greater difference is accepted"
			case llr <= -duel.Bound:
				verdict = "the smaller difference is accepted"
			}
			fmt.Fprintf(streams.Out, "LLR %.2f (-%.2f, %.2f) [%g, %g]: %s\n", llr, duel.Bound, duel.Bound, test.Elo0, test.Elo1, verdict)
		}
		return nil
	}
	result := duelResult{Wins: score.Wins, Draws: score.Draws, Losses: score.Losses, Score: score.Points()}
	elo, margin := score.Elo()
	result.Elo, result.EloError = number(elo), number(margin)
	if test != nil {
		llr := test.LLR(score)
		result.LLR = &llr
	}
	return json.NewEncoder(streams.Out).Encode(result)
}

// number returns a number for JSON, which has none that is infinite or undefined.
func number(n float64) *float64 {
	if math.IsInf(n, 0) || math.IsNaN(n) {
		return nil
	}
	return &n
}

// openings returns an opening for every two games.
func (c *duelCommand) openings(ctx context.Context, rules loa.Rules) (games []*loa.Game, err error) {
	wanted := c.Games / 2
	number := wanted
	if c.Openings != "" {
		if number, err = strconv.Atoi(string(c.Openings)); err != nil {
			file, err := os.Open(string(c.Openings))
			if err != nil {
				return nil, err
			}
			defer file.Close()
			if games, err = duel.ReadOpenings(file, rules); err != nil {
				return nil, fmt.Errorf("%s, %w", c.Openings, err)
			}
			if number = len(games); number == 0 {
				return nil, fmt.Errorf("%s: expected at least one position", c.Openings)
			}
		} else if number < 1 {
			return nil, usagef("--openings %d: expected a number from 1 or a file", number)
		}
	}
	number = min(number, wanted)
	if games == nil {
		games = duel.Book(rules, number, c.Seed)
	}
	if games == nil {
		if games, err = duel.Openings(ctx, rules, number, c.Seed); err != nil {
			return nil, err
		}
	}
	for i := number; i < wanted; i++ {
		games = append(games, games[i-number])
	}
	return games[:wanted], nil
}

// ownPace reports whether the player of a specification keeps to limits of its own.
func ownPace(spec string) bool { return spec == "greedy" || strings.HasPrefix(spec, "level=") }

// duelPlayer returns what makes the player that a specification names.
func duelPlayer(spec string, limits engine.Limits, seed uint64) (func() duel.Player, error) {
	wrong := func(want string) (func() duel.Player, error) {
		return nil, &loa.SyntaxError{What: "player", Text: spec, Want: want}
	}
	name, _, _ := strings.Cut(spec, ":")
	if text, ok := strings.CutPrefix(spec, "level="); ok {
		level, err := strconv.Atoi(text)
		if err != nil || level < 1 || level > engine.MaxLevel {
			return wrong(fmt.Sprintf("level=1 to level=%d", engine.MaxLevel))
		}
		return func() duel.Player {
			return duel.Engine(engine.Options{Level: level, Seed: seed}, engine.Limits{})
		}, nil
	}
	if text, ok := strings.CutPrefix(spec, "cmd="); ok {
		command := strings.Fields(text)
		if len(command) == 0 {
			return wrong("cmd= and a command")
		}
		if _, err := exec.LookPath(command[0]); err != nil {
			return nil, fmt.Errorf("player %q: %w", spec, err)
		}
		return func() duel.Player { return duel.Program(command, limits, patience) }, nil
	}
	switch {
	case spec == "greedy":
		return duel.Greedy, nil
	case name != "engine":
		return wrong("engine, engine:OPTION=VALUE,…, level=N, greedy or cmd=COMMAND")
	}
	options := engine.Options{}
	if err := setEngine(&options, spec); err != nil {
		return nil, err
	}
	return func() duel.Player { return duel.Engine(options, limits) }, nil
}

// setEngine reads the options of a specification "engine" or "engine:option=value,…".
func setEngine(o *engine.Options, spec string) error {
	name, settings, _ := strings.Cut(spec, ":")
	if name != "engine" {
		return &loa.SyntaxError{What: "player", Text: spec, Want: "engine or engine:OPTION=VALUE,…"}
	}
	for _, setting := range strings.FieldsFunc(settings, func(r rune) bool { return r == ',' }) {
		if err := setEngineOption(o, setting); err != nil {
			return err
		}
	}
	return nil
}

// setEngineOption reads one option=value of a specification.
func setEngineOption(o *engine.Options, setting string) error {
	key, value, _ := strings.Cut(setting, "=")
	number := func(most int) (int, error) {
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 || n > most {
			return 0, &loa.SyntaxError{What: "player option", Text: setting, Want: fmt.Sprintf("a number from 1 to %d", most)}
		}
		return n, nil
	}
	var err error
	switch key {
	case "hash":
		o.Hash, err = number(engine.MaxHash)
	case "threads":
		o.Threads, err = number(engine.MaxThreads)
	case "eval":
		o.Eval, err = engine.ParseEvaluation(value)
	case "net":
		var file []byte
		if file, err = os.ReadFile(value); err == nil {
			o.Net, err = nnue.Parse(file)
		}
		if err != nil {
			err = fmt.Errorf("%s: %w", setting, err)
		}
	case "off":
		o.Off, err = engine.ParseTechniques(strings.ReplaceAll(value, "+", ","))
	default:
		err = &loa.SyntaxError{What: "player option", Text: setting, Want: "hash, threads, eval, net or off"}
	}
	return err
}
