package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/linesofaction/loa"
)

// judgeCommand says what the rules say of a position.
type judgeCommand struct {
	gameFlags
	moveFlag
	JSON bool `name:"json" help:"Print one JSON object."`
}

// judgement is what judge --json prints.
type judgement struct {
	Position string   `json:"position"`
	Rules    string   `json:"rules"`
	Turn     string   `json:"turn"`
	Moves    []string `json:"moves"`
	Over     bool     `json:"over"`
	Winner   string   `json:"winner"`
	Reason   string   `json:"reason"`
	Groups   struct {
		Black int `json:"black"`
		White int `json:"white"`
	} `json:"groups"`
}

// Run carries the subcommand out.
func (c *judgeCommand) Run(streams *Streams) error {
	game, err := c.game(c.moveFlag, streams)
	if err != nil {
		return err
	}
	position, outcome := game.Position(), game.Outcome()
	j := judgement{
		Position: position.String(),
		Rules:    game.Rules().String(),
		Turn:     position.Turn().String(),
		Moves:    []string{},
		Over:     outcome.Over(),
		Winner:   outcome.Winner.String(),
		Reason:   outcome.Reason.String(),
	}
	for _, move := range game.Moves(nil) {
		j.Moves = append(j.Moves, position.Format(move))
	}
	j.Groups.Black = position.Pieces(loa.Black).CountGroups()
	j.Groups.White = position.Pieces(loa.White).CountGroups()
	if c.JSON {
		return json.NewEncoder(streams.Out).Encode(j)
	}
	fmt.Fprint(streams.Out, position.Board())
	fmt.Fprintf(streams.Out, "position %s\nrules %s\ngroups black %d, white %d\n", j.Position, j.Rules, j.Groups.Black, j.Groups.White)
	if outcome.Over() {
		fmt.Fprintf(streams.Out, "over: %s (%s)\n", winnerPhrase(outcome), outcome.Reason)
		return nil
	}
	fmt.Fprintf(streams.Out, "%s to move, %d moves: %s\n", j.Turn, len(j.Moves), strings.Join(j.Moves, " "))
	return nil
}

// winnerPhrase returns "black wins" or "nobody wins".
func winnerPhrase(o loa.Outcome) string {
	if o.Winner == loa.NoColor {
		return "nobody wins"
	}
	return o.Winner.String() + " wins"
}
