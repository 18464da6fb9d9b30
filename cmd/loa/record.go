package main

import (
	"strings"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/wire"
	"github.com/linesofaction/loa/sgf"
)

// sgfOf writes a finished game of a club as SGF. The place is the address of its page, by which a file that was begun
// is gone on with.
func sgfOf(r wire.Record, server string) ([]byte, error) {
	record := &sgf.Record{Players: [2]string{r.Players.Black, r.Players.White}}
	var err error
	if record.Rules, err = loa.ParseRules(r.Rules); err != nil {
		return nil, err
	}
	if record.Start, err = loa.ParseSetup(r.Start); err != nil {
		return nil, err
	}
	winner := loa.NoColor
	if r.Result.Winner != loa.NoColor.String() {
		if winner, err = loa.ParseColor(r.Result.Winner); err != nil {
			return nil, err
		}
	}
	reason, err := loa.ParseReason(r.Result.Reason)
	if err != nil {
		return nil, err
	}
	record.Result = sgf.Result{Standing: sgf.Decided, Winner: winner, Reason: reason}
	record.Root.Props = map[string][]string{"PC": {server + gamePath + r.ID}, "DT": {r.Began.UTC().Format("2006-01-02")}}
	at := &record.Root
	for _, text := range r.Moves {
		move, _, err := loa.ParseMove(text)
		if err != nil {
			return nil, err
		}
		next := &sgf.Node{Move: move}
		at.Next = []*sgf.Node{next}
		at = next
	}
	return sgf.Encode(sgf.FormSGF, record)
}

// gamePath begins the address of the page of a game.
const gamePath = "/game/"

// placed returns the id of the game that a record's place names, empty for another place.
func placed(record *sgf.Record) string {
	for _, place := range record.Root.Props["PC"] {
		if _, id, ok := strings.Cut(place, gamePath); ok {
			return id
		}
	}
	return ""
}
