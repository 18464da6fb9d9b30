package sgf

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/linesofaction/loa"
)

// jsonRecord is this project's own form of a record: an object, or a list of objects, or several after one
// another.
//
//	{
//	  "rules": "standard",
//	  "start": "1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 b",
//	  "players": {"black": "Ann", "white": "Ben"},
//	  "result": {"winner": "white", "reason": "resigned"},
//	  "final": "…",
//	  "properties": {"EV": ["…"]},
//	  "comment": "on the game",
//	  "moves": ["c8-c6", "h4-f2", …],
//	  "comments": [{"ply": 2, "text": "…", "properties": {"BL": ["95"]}}],
//	  "variations": [{"ply": 2, "moves": ["h4-f4"], "comments": […], "variations": […]}]
//	}
//
// Plies count from 1, in variations too; a variation replaces the move of its ply. The winner of a draw is
// "none"; a reason that is not stated is left out, a result that is not stated is null, and "unfinished" stands
// for a game that was not finished; a result may also be a text as ParseResult reads it. Every field but moves
// may be missing.
//
// Leniency, with a warning: a field that is none of these is left out.
type jsonRecord struct {
	Rules      string              `json:"rules,omitempty"`
	Start      string              `json:"start,omitempty"`
	Players    jsonPlayers         `json:"players"`
	Result     json.RawMessage     `json:"result"`
	Final      string              `json:"final,omitempty"`
	Properties map[string][]string `json:"properties,omitempty"`
	Comment    string              `json:"comment,omitempty"`
	Moves      []string            `json:"moves"`
	Comments   []jsonComment       `json:"comments,omitempty"`
	Variations []jsonVariation     `json:"variations,omitempty"`
}

type jsonPlayers struct {
	Black string `json:"black"`
	White string `json:"white"`
}

type jsonResult struct {
	Winner string `json:"winner"`
	Reason string `json:"reason,omitempty"`
}

type jsonComment struct {
	Ply        int                 `json:"ply"`
	Text       string              `json:"text,omitempty"`
	Properties map[string][]string `json:"properties,omitempty"`
}

type jsonVariation struct {
	Ply        int             `json:"ply"`
	Moves      []string        `json:"moves"`
	Comments   []jsonComment   `json:"comments,omitempty"`
	Variations []jsonVariation `json:"variations,omitempty"`
}

// readJSON reads the records of a text.
func readJSON(src string, n *notes) ([]*draft, error) {
	var drafts []*draft
	decoder := json.NewDecoder(strings.NewReader(src))
	for {
		var value json.RawMessage
		err := decoder.Decode(&value)
		if errors.Is(err, io.EOF) {
			return drafts, nil
		}
		if err != nil {
			return drafts, badJSON(len(drafts)+1, src[decoder.InputOffset():], err)
		}
		list := []json.RawMessage{value}
		if value[0] == '[' {
			if err := json.Unmarshal(value, &list); err != nil {
				return drafts, badJSON(len(drafts)+1, string(value), err)
			}
		}
		for _, object := range list {
			d, err := readRecord(object, len(drafts)+1, n)
			if err != nil {
				return drafts, err
			}
			drafts = append(drafts, d)
		}
	}
}

func badJSON(game int, text string, err error) error {
	text = strings.Join(strings.Fields(text[:min(len(text), 200)]), " ")
	return unreadable(game, "JSON", text[:min(len(text), 60)], fmt.Sprintf("a record (%s)", plainJSON(err)))
}

// plainJSON says what is wrong with JSON without the names this package has for its parts.
func plainJSON(err error) string {
	var wrong *json.UnmarshalTypeError
	if !errors.As(err, &wrong) {
		return err.Error()
	}
	want := "an object"
	switch wrong.Type.Kind() {
	case reflect.String:
		want = "text"
	case reflect.Int:
		want = "a whole number"
	case reflect.Slice, reflect.Array:
		want = "a list"
	}
	if wrong.Field == "" {
		return fmt.Sprintf("%s where %s belongs", wrong.Value, want)
	}
	return fmt.Sprintf("%s is %s where %s belongs", wrong.Field, wrong.Value, want)
}

// readRecord makes a draft of one object.
func readRecord(object []byte, game int, n *notes) (*draft, error) {
	var in jsonRecord
	decoder := json.NewDecoder(bytes.NewReader(object))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&in); err != nil {
		in = jsonRecord{}
		if again := json.Unmarshal(object, &in); again != nil {
			return nil, badJSON(game, string(object), again)
		}
		if err := n.warn(game, 0, strings.TrimPrefix(err.Error(), "json: unknown field "), "left out, with any other field that a record does not have"); err != nil {
			return nil, err
		}
	}
	if in.Moves == nil {
		return nil, badJSON(game, string(object), errors.New("no moves"))
	}
	d := newDraft()
	d.game = game
	fill := func(err error) error {
		if err != nil {
			return &Error{Game: game, Err: err}
		}
		return nil
	}
	var err error
	if d.rules, err = loa.ParseRules(in.Rules); err != nil {
		return nil, fill(err)
	}
	if in.Start != "" {
		if d.start, err = parseSetup(in.Start); err != nil {
			return nil, fill(err)
		}
	}
	if in.Final != "" {
		if d.final, err = parseSetup(in.Final); err != nil {
			return nil, fill(err)
		}
	}
	if d.result, err = readResult(in.Result); err != nil {
		return nil, fill(err)
	}
	d.players = [2]string{simple(in.Players.Black), simple(in.Players.White)}
	d.root.say(in.Comment)
	if err := d.root.setAll(game, in.Properties); err != nil {
		return nil, err
	}
	return d, addLine(d.root, jsonVariation{1, in.Moves, in.Comments, in.Variations}, game)
}

// readResult reads a result as an object, a text or null.
func readResult(raw json.RawMessage) (Result, error) {
	var text string
	if len(raw) == 0 || string(raw) == "null" {
		return Result{}, nil
	}
	if json.Unmarshal(raw, &text) == nil {
		return ParseResult(text)
	}
	var in jsonResult
	if err := json.Unmarshal(raw, &in); err != nil {
		return Result{}, &loa.SyntaxError{What: "result", Text: clip(string(raw)), Want: "a winner and a reason"}
	}
	text = in.Winner
	if in.Reason != "" {
		text += " (" + in.Reason + ")"
	}
	return ParseResult(text)
}

// setAll adds properties from a file.
func (d *draftNode) setAll(game int, props map[string][]string) error {
	for _, name := range names(props) {
		if err := checkName(game, name); err != nil {
			return err
		}
		d.set(name, props[name]...)
	}
	return nil
}

// addLine adds the moves of a line to a node, with its comments and variations. The decoder has bounded how
// deep these are.
func addLine(from *draftNode, line jsonVariation, game int) error {
	nodes := []*draftNode{from}
	for _, text := range line.Moves {
		nodes = append(nodes, nodes[len(nodes)-1].add(text, loa.NoColor))
	}
	index := func(ply int, what string) (int, error) {
		i := ply - line.Ply + 1
		if i < 1 || i >= len(nodes) {
			return 0, unreadable(game, what, fmt.Sprintf("ply %d", ply), fmt.Sprintf("a ply of its line, which has %d moves from ply %d", len(line.Moves), line.Ply))
		}
		return i, nil
	}
	for _, c := range line.Comments {
		i, err := index(c.Ply, "comment")
		if err != nil {
			return err
		}
		nodes[i].say(c.Text)
		if err := nodes[i].setAll(game, c.Properties); err != nil {
			return err
		}
	}
	for _, v := range line.Variations {
		i, err := index(v.Ply, "variation")
		if err != nil {
			return err
		}
		if err := addLine(nodes[i-1], v, game); err != nil {
			return err
		}
	}
	return nil
}

// appendJSON writes a record as an object.
func appendJSON(out []byte, r *Record, g *loa.Game) ([]byte, error) {
	line := jsonLine(&r.Root, g.Start(), 1)
	record := jsonRecord{
		Rules:      r.Rules.String(),
		Start:      r.Start.String(),
		Players:    jsonPlayers{r.Players[loa.Black], r.Players[loa.White]},
		Result:     jsonOf(r.Result),
		Final:      g.Position().String(),
		Properties: r.Root.Props,
		Comment:    r.Root.Comment,
		Moves:      line.Moves,
		Comments:   line.Comments,
		Variations: line.Variations,
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(record)
	return append(out, b.Bytes()...), err
}

func jsonOf(r Result) json.RawMessage {
	var raw []byte
	switch r.Standing {
	case Unstated:
		return json.RawMessage("null")
	case Unfinished:
		raw, _ = json.Marshal(r.String())
	default:
		raw, _ = json.Marshal(jsonResult{r.Winner.String(), r.Reason.String()})
	}
	return raw
}

// jsonLine returns everything that follows a node. It recurses for variations only.
func jsonLine(at *Node, p loa.Position, ply int) jsonVariation {
	line := jsonVariation{Ply: ply, Moves: []string{}}
	for len(at.Next) > 0 {
		line.add(at.Next[0], p, ply)
		for _, variation := range at.Next[1:] {
			after := jsonLine(variation, p.PlayUnchecked(variation.Move), ply+1)
			whole := jsonVariation{Ply: ply}
			whole.add(variation, p, ply)
			whole.Moves = append(whole.Moves, after.Moves...)
			whole.Comments = append(whole.Comments, after.Comments...)
			whole.Variations = after.Variations
			line.Variations = append(line.Variations, whole)
		}
		at, p, ply = at.Next[0], p.PlayUnchecked(at.Next[0].Move), ply+1
	}
	return line
}

// add appends a move and what is said of it.
func (v *jsonVariation) add(n *Node, p loa.Position, ply int) {
	v.Moves = append(v.Moves, p.Format(n.Move))
	if n.Comment != "" || n.Props != nil {
		v.Comments = append(v.Comments, jsonComment{ply, n.Comment, n.Props})
	}
}

// names returns the names of properties in the order in which they are written.
func names(props map[string][]string) []string {
	all := make([]string, 0, len(props))
	for name := range props {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}
