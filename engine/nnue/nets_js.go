package nnue

import "github.com/linesofaction/loa"

// For returns the net of the program for games by rules, nil where there is none: in the browser there is only the standard
// one, the files of the others are fetched when a game needs them.
func For(rules loa.Rules) *Net {
	if FileFor(rules) == standardFileName {
		return Standard()
	}
	return nil
}
