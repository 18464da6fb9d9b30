package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"time"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/engine"
	"github.com/linesofaction/loa/engine/nnue"
	"github.com/linesofaction/loa/internal/lab/duel"
)

// duelCommand plays a series of games between two engines.
type duelCommand struct {
	A     string         `required:"" placeholder:"SPEC" help:"First player: engine, engine:hash=16,threads=1,off=null-move+late-reductions, level=3, or greedy."`
	B     string         `required:"" placeholder:"SPEC" help:"Second player."`
	Games int            `required:"" placeholder:"N" help:"Number of games, even: every opening is played with both colors."`
	Time  *time.Duration `placeholder:"D" help:"Time for a move, for engines."`
	Nodes *uint64        `placeholder:"N" help:"Positions to search for a move, for engines."`
	Rules string         `default:"standard" placeholder:"R" help:"Rule set. Default: ${default}."`
	Seed  uint64         `default:"1" help:"Chooses the openings and what levels do by chance."`
	JSON  bool           `name:"json" help:"Print one JSON object."`
}

// duelResult is what duel --json prints, from the side of the first player.
type duelResult struct {
	Wins     int      `json:"wins"`
	Draws    int      `json:"draws"`
	Losses   int      `json:"losses"`
	Score    float64  `json:"score"`
	Elo      *float64 `json:"elo"` // null when one side won everything
	EloError *float64 `json:"elo_error"`
}

// Run carries the subcommand out. An interrupt ends the series after the games played until then.
func (c *duelCommand) Run(streams *Streams) error {
	limits := engine.Limits{}
	switch {
	case c.Games < 2 || c.Games%2 != 0:
		return usagef("--games %d: expected an even number from 2", c.Games)
	case (c.Time == nil) == (c.Nodes == nil):
		return usagef("expected either --time or --nodes")
	case c.Time != nil && *c.Time <= 0:
		return usagef("--time %s: expected more than nothing", *c.Time)
	case c.Nodes != nil && *c.Nodes == 0:
		return usagef("--nodes 0: expected a number from 1")
	case c.Time != nil:
		limits.MoveTime = *c.Time
	default:
		limits.Nodes = *c.Nodes
	}
	rules, err := parseRules(c.Rules)
	if err != nil {
		return err
	}
	var players [2]duel.Player
	for i, spec := range []string{c.A, c.B} {
		if players[i], err = duelPlayer(spec, limits, c.Seed); err != nil {
			return err
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	openings, err := duel.Openings(ctx, rules, c.Games/2, c.Seed)
	if err != nil {
		return err
	}
	var each func(duel.Score)
	if isTerminal(streams.Err) {
		each = func(s duel.Score) { fmt.Fprintf(streams.Err, "\r%d games: %s ", s.Games(), s) }
	}
	score, err := duel.Run(ctx, players[0], players[1], openings, each)
	if each != nil {
		fmt.Fprintln(streams.Err)
	}
	if err != nil && (ctx.Err() == nil || score.Games() == 0) {
		return err
	}
	if !c.JSON {
		fmt.Fprintf(streams.Out, "%d games: %s\n", score.Games(), score)
		return nil
	}
	result := duelResult{Wins: score.Wins, Draws: score.Draws, Losses: score.Losses, Score: score.Points()}
	if elo, margin := score.Elo(); !math.IsInf(elo, 0) && !math.IsNaN(margin) && !math.IsInf(margin, 0) {
		result.Elo, result.EloError = &elo, &margin
	}
	return json.NewEncoder(streams.Out).Encode(result)
}

// duelPlayer returns the player that a specification names.
func duelPlayer(spec string, limits engine.Limits, seed uint64) (duel.Player, error) {
	name, settings, _ := strings.Cut(spec, ":")
	if text, ok := strings.CutPrefix(name, "level="); ok && settings == "" {
		level, err := strconv.Atoi(text)
		if err != nil || level < 1 || level > engine.MaxLevel {
			return nil, &loa.SyntaxError{What: "player", Text: spec, Want: fmt.Sprintf("level=1 to level=%d", engine.MaxLevel)}
		}
		return duel.Engine(engine.Options{Level: level, Seed: seed}, engine.Limits{}), nil
	}
	switch {
	case spec == "greedy":
		return duel.Greedy(), nil
	case name != "engine":
		return nil, &loa.SyntaxError{What: "player", Text: spec, Want: "engine, engine:OPTION=VALUE,…, level=N or greedy"}
	}
	options := engine.Options{}
	if err := setEngine(&options, spec); err != nil {
		return nil, err
	}
	return duel.Engine(options, limits), nil
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
