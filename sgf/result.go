package sgf

import (
	"strings"

	"github.com/linesofaction/loa"
)

// Standing is how much a record says of the end of its game.
type Standing uint8

// The standings.
const (
	Unstated   Standing = iota // nothing
	Unfinished                 // that the game was not finished
	Decided                    // who won, or that nobody did
)

// Result is what a record says of the end of its game. Winner and Reason mean something when it is Decided
// only: loa.NoColor is a draw, and loa.NotOver a reason that is not stated.
type Result struct {
	Standing Standing
	Winner   loa.Color
	Reason   loa.Reason
}

// String returns the form ParseResult reads: "Black", "White (resigned)", "draw (agreed)", "unfinished", "?".
func (r Result) String() string {
	switch r.Standing {
	case Unstated:
		return "?"
	case Unfinished:
		return "unfinished"
	}
	text := [...]string{"Black", "White", "draw"}[r.Winner]
	if r.Reason != loa.NotOver {
		text += " (" + r.Reason.String() + ")"
	}
	return text
}

// resultWord reads a result without a reason in parentheses, in lower case.
func resultWord(text string) (Result, bool) {
	won := func(c loa.Color, why loa.Reason) (Result, bool) { return Result{Decided, c, why}, true }
	switch text {
	case "", "?", "unknown":
		return Result{}, true
	case "void", "unfinished", "open", "*":
		return Result{Standing: Unfinished}, true
	case "draw", "drawn", "0", "none", "1/2-1/2", "½-½":
		return won(loa.NoColor, loa.NotOver)
	case "black", "b", "1-0", "black wins", "black won":
		return won(loa.Black, loa.NotOver)
	case "white", "w", "0-1", "white wins", "white won":
		return won(loa.White, loa.NotOver)
	case "resigns", "black resigns":
		return won(loa.White, loa.Resigned)
	case "white resigns":
		return won(loa.Black, loa.Resigned)
	}
	winner, how, ok := strings.Cut(text, "+")
	c, err := loa.ParseColor(winner)
	if !ok || err != nil {
		return Result{}, false
	}
	switch how {
	case "r", "resign":
		return won(c, loa.Resigned)
	case "t", "time":
		return won(c, loa.Flag)
	case "f", "forfeit":
		return won(c, loa.Abandoned)
	}
	return won(c, loa.NotOver) // a score, which this game does not have
}

// ParseResult reads a result in any letter case: what String writes; what SGF has for it ("B+", "W+Resign",
// "B+T", "W+F", "0", "Draw", "Void", "?"); "1-0", "0-1" and "1/2-1/2", the first player first; "White resigns".
// The reason in parentheses is one of those of package loa.
func ParseResult(text string) (Result, error) {
	bare, reason, reasoned := strings.Cut(strings.ToLower(strings.TrimSpace(text)), "(")
	r, ok := resultWord(strings.TrimSpace(bare))
	if reasoned {
		why, err := loa.ParseReason(strings.TrimSuffix(strings.TrimSpace(reason), ")"))
		ok = ok && err == nil && r.Standing == Decided
		r.Reason = why
	}
	if !ok {
		return Result{}, &loa.SyntaxError{What: "result", Text: clip(text), Want: "Black, White, draw, unfinished or an SGF result such as B+R"}
	}
	return r, nil
}

// sgf returns the result as the values of RE and RS. RE has letters for a few reasons only; the reasons that
// the board decides follow from the moves; any other goes into RS, a property of this project's own.
func (r Result) sgf() (re, rs string) {
	switch r.Standing {
	case Unstated:
		return "?", ""
	case Unfinished:
		return "Void", ""
	}
	re = [...]string{"B+", "W+", "Draw"}[r.Winner]
	switch {
	case r.Reason <= loa.PlyCap:
		return re, ""
	case r.Winner == loa.NoColor && r.Reason == loa.Agreed:
		return re, ""
	case r.Winner == loa.NoColor && r.Reason == loa.Aborted:
		return "Void", r.Reason.String()
	case r.Winner != loa.NoColor && r.Reason == loa.Resigned:
		return re + "R", ""
	case r.Winner != loa.NoColor && r.Reason == loa.Flag:
		return re + "T", ""
	case r.Winner != loa.NoColor && r.Reason == loa.Abandoned:
		return re + "F", ""
	}
	return re, r.Reason.String()
}
