package main

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/linesofaction/loa"
)

// gameFlags choose a position: rules, a set-up, and moves from it.
type gameFlags struct {
	Rules    string  `default:"standard" placeholder:"R" help:"Rule set, optionally with changed options: classic, standard:both=mover,repetition=none. Default: ${default}."`
	Position *string `placeholder:"P" help:"Position as ranks from the top and side to move, for example \"8/8/2x1oo2/4x3/4o3/8/8/8 b\". Default: the start."`
	Strict   bool    `help:"Make warnings errors."`
}

// moveFlag are the moves that lead on from there.
type moveFlag struct {
	Moves string `placeholder:"M" help:"Moves to play first, separated by blanks: \"c8-c6 a6-c4\"."`
}

// moveNumber is a number before a move, "1." or "12...", with a blank behind it or not.
var moveNumber = regexp.MustCompile(`^[0-9]+\.+`)

// parseRules reads the rules of a flag. Unlike loa.ParseRules it takes nothing for no rules: an empty text is more
// likely a variable that was not set than a wish for the standard rules.
func parseRules(text string) (loa.Rules, error) {
	if strings.TrimSpace(text) == "" {
		return loa.Rules{}, &loa.SyntaxError{What: "rules", Text: text, Want: "the name of a rule set, such as standard"}
	}
	return loa.ParseRules(text)
}

// start returns the game the flags begin with.
func (f gameFlags) start() (*loa.Game, error) {
	rules, err := parseRules(f.Rules)
	if err != nil {
		return nil, err
	}
	if f.Position == nil {
		return loa.NewGame(rules)
	}
	setup, err := loa.ParseSetup(*f.Position)
	if err != nil {
		return nil, err
	}
	return loa.NewGameFrom(rules, setup)
}

// game returns the game after the moves. A forced pass that is missing among them is put in with a warning, as
// is a capture mark that does not fit; strict makes both errors.
func (f gameFlags) game(moves moveFlag, streams *Streams) (*loa.Game, error) {
	game, err := f.start()
	if err != nil {
		return nil, err
	}
	doubt := func(format string, args ...any) error {
		if f.Strict {
			return fmt.Errorf(format, args...)
		}
		streams.warn(format, args...)
		return nil
	}
	for _, text := range strings.Fields(moves.Moves) {
		if text = moveNumber.ReplaceAllString(text, ""); text == "" {
			continue
		}
		move, claim, err := loa.ParseMove(text)
		if err != nil {
			return nil, fmt.Errorf("ply %d: %w", game.Plies()+1, err)
		}
		if move != loa.Pass && game.PlayForced() {
			if err := doubt("ply %d: %s before %q was missing and is put in", game.Plies(), loa.Pass, text); err != nil {
				return nil, err
			}
		}
		before := game.Position()
		if err := game.Play(move); err != nil {
			return nil, fmt.Errorf("ply %d: %w", game.Plies()+1, err)
		}
		if !claim.Holds(before, move) {
			if err := doubt("ply %d: %q should be written %s", game.Plies(), text, before.Format(move)); err != nil {
				return nil, err
			}
		}
	}
	return game, nil
}
