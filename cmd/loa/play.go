package main

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/engine"
)

// playCommand is a game against the engine in the terminal.
type playCommand struct {
	Rules string `default:"standard" placeholder:"R" help:"Rule set. Default: ${default}."`
	Level int    `default:"3" placeholder:"N" help:"Strength of the engine, 1 to 10."`
	Color string `default:"black" enum:"black,white" help:"Your side: ${enum}."`
}

const playHelp = `Type a move such as c8-c6, or:
  lines c8   where the piece on c8 may go, and why not elsewhere
  undo       take back your last move
  resign     give the game up
  quit       leave`

// Run carries the subcommand out.
func (c *playCommand) Run(streams *Streams) error {
	if c.Level < 1 || c.Level > engine.MaxLevel {
		return usagef("--level %d: expected a number from 1 to %d", c.Level, engine.MaxLevel)
	}
	rules, err := parseRules(c.Rules)
	if err != nil {
		return err
	}
	if rules.Start == loa.StartRandom && rules.Seed == 0 {
		rules.Seed = rand.Uint64N(1_000_000) + 1
	}
	game, err := loa.NewGame(rules)
	if err != nil {
		return err
	}
	you, err := loa.ParseColor(c.Color)
	if err != nil {
		return err
	}
	table := &terminalGame{
		streams: streams, game: game, you: you, lines: bufio.NewScanner(streams.In),
		engine: engine.New(engine.Options{Level: c.Level, Seed: rand.Uint64()}),
	}
	fmt.Fprintf(streams.Out, "You are %s (%s), the engine plays at level %d under the rules %s.\n%s\n", you, mark(you), c.Level, rules, playHelp)
	return table.play()
}

// mark returns how a side is drawn.
func mark(c loa.Color) string { return "xo"[c : c+1] }

// terminalGame is a game between a person at a terminal and an engine.
type terminalGame struct {
	streams *Streams
	lines   *bufio.Scanner
	game    *loa.Game
	engine  *engine.Engine
	you     loa.Color
}

// play takes turns until the game is over or the person leaves.
func (t *terminalGame) play() error {
	out := t.streams.Out
	for !t.game.Outcome().Over() {
		if t.game.Position().Turn() != t.you {
			result, err := t.engine.Search(context.Background(), t.game, engine.Limits{}, nil)
			if err != nil {
				return err
			}
			fmt.Fprintf(out, "%s plays %s\n", t.game.Position().Turn(), t.game.Position().Format(result.BestMove))
			if err := t.game.Play(result.BestMove); err != nil {
				return err
			}
			continue
		}
		if t.game.PlayForced() {
			fmt.Fprintf(out, "%s has no move and passes\n", t.you)
			continue
		}
		t.show()
		fmt.Fprintf(out, "%s> ", t.you)
		if !t.lines.Scan() {
			fmt.Fprintln(out)
			return t.lines.Err()
		}
		if leave := t.obey(strings.Fields(t.lines.Text())); leave {
			return nil
		}
	}
	t.show()
	o := t.game.Outcome()
	fmt.Fprintf(out, "%s: %s\n", winnerPhrase(o), o.Reason)
	return nil
}

// show draws the board and counts the groups.
func (t *terminalGame) show() {
	p := t.game.Position()
	fmt.Fprintf(t.streams.Out, "\n%sgroups: black %d, white %d\n", p.Board(),
		p.Pieces(loa.Black).CountGroups(), p.Pieces(loa.White).CountGroups())
}

// obey carries out one line of the person's and reports whether to leave.
func (t *terminalGame) obey(words []string) (leave bool) {
	out := t.streams.Out
	switch {
	case len(words) == 0:
	case words[0] == "quit":
		return true
	case words[0] == "help":
		fmt.Fprintln(out, playHelp)
	case words[0] == "resign":
		fmt.Fprintf(out, "%s resigns, %s wins\n", t.you, t.you.Opponent())
		return true
	case words[0] == "undo":
		ply, ok := t.game.LastMoveOf(t.you)
		if !ok {
			fmt.Fprintln(out, "there is nothing to take back")
			break
		}
		t.game.Truncate(ply)
	case words[0] == "lines" && len(words) == 2:
		t.teach(words[1])
	default:
		move, _, err := loa.ParseMove(strings.Join(words, " "))
		if err == nil {
			err = t.game.Play(move)
		}
		if err != nil {
			fmt.Fprintln(out, err)
		}
	}
	return false
}

// teach says where the piece on a square may go.
func (t *terminalGame) teach(name string) {
	out := t.streams.Out
	from, err := loa.ParseSquare(name)
	if err != nil {
		fmt.Fprintln(out, err)
		return
	}
	p := t.game.Position()
	if _, ok := p.At(from); !ok {
		fmt.Fprintf(out, "no piece stands on %s\n", from)
		return
	}
	for d := range loa.Direction(loa.Directions) {
		ray := p.Ray(from, d)
		fmt.Fprintf(out, "  %-10s %d on the line: ", d, ray.Count)
		switch ray.Verdict {
		case loa.OffBoard:
			fmt.Fprintln(out, "off the board")
		case loa.Blocked:
			fmt.Fprintf(out, "not to %s, %s stands in the way\n", ray.Land, ray.Blocker)
		case loa.OwnPiece, loa.NoCapture:
			fmt.Fprintf(out, "not to %s, it is taken\n", ray.Land)
		case loa.CanCapture:
			fmt.Fprintf(out, "captures on %s\n", ray.Land)
		default:
			fmt.Fprintf(out, "to %s\n", ray.Land)
		}
	}
}
