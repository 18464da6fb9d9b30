package sgf

import (
	"fmt"
	"slices"
	"strings"

	"github.com/linesofaction/loa"
)

// gameReader makes a draft of one SGF tree. The standard form is
//
//	(;FF[4]GM[9]CA[UTF-8]SZ[8]SU[Standard]RU[standard]PB[A]PW[B]RE[B+R];B[f1-f3];W[a2-c4];B[c1:c4])
//
// RU holds the rules as loa.ParseRules reads them. SU[Scrambled-eggs] is the start "scrambled"; a start without
// a name in SGF is SU[Custom] with AB, AW and PL. SZ is 8 by default and Black moves first. RS, a property of
// this project's own, holds a reason that RE cannot express. Points are read in either letter case, lists of
// points also as rectangles (AB[b1:g1]). A node without a move adds to what the node before it says; AP, CA, FF
// and VV speak of the file, not of the game, and are not kept.
//
// The dialect of Boardspace is told by P0 and P1, by a GM that is a name, or by moves with a number before
// them. P0 and P1 hold `id "name"` and other facts, which are kept under XB and XW, and in the nodes a number
// and a move or a word: P0[3 C8-C6]. Whoever moves first is Black, or White after "Start White". "Undo" takes
// back the last move, which stays as a variation; "Resigns", "Forfeit" and "winontime" end the game; "Select",
// "Done" and "Reset" mean nothing here; "Edit" is refused. The same words are read in the standard form.
//
// The dialect of PlayStrategy is told by moves of four letters, file and rank from the top, twice, or by the
// site's address in the root of a record without RU. Its
// SU[Scrambled-eggs] is the start "scrambled-b", captures are unmarked, an empty move is a pass, IP may hold the
// start in that site's own notation, and values may stand in quotation marks.
//
// Leniencies, each with a warning: no GM; a version of SGF above 4; two moves in one node; AB and AW without
// SU, which are the whole board when both are there; a set-up that names no side to move while White moves
// first; a RU, RE, RS or IP that cannot be read, which is left out; a property of the whole game that comes
// after the first move, likewise; a move taken back with none in its place; the end of a game in a variation.
type gameReader struct {
	*draft
	notes   *notes
	dialect dialect
	info    *tree // the properties of the whole game

	first  loa.Color    // who moves first
	told   bool         // first is stated
	custom bool         // the start is set up piece by piece
	seats  [2]string    // the names of P0 and P1
	facts  [2][]string  // what else is said of them
	colors [2]loa.Color // who they are
	seated bool         // colors is known

	ending Result       // by resignation, forfeit or on time
	undone []*draftNode // where moves were taken back
	taken  map[*draftNode][]*draftNode
}

type dialect uint8

const (
	standardSGF dialect = iota
	boardspace
	playStrategy
)

// readTree makes a draft of a tree.
func readTree(root *tree, game int, n *notes) (*draft, error) {
	r := &gameReader{
		draft:   newDraft(),
		notes:   n,
		dialect: dialectOf(root),
		info:    new(tree),
		colors:  [2]loa.Color{loa.Black, loa.White},
		taken:   map[*draftNode][]*draftNode{},
	}
	r.game = game
	if r.dialect == playStrategy {
		unquote(root)
	}
	for _, read := range []func() error{func() error { return r.gather(root) }, r.readKind, r.readRules, r.readStart, func() error { return r.readMoves(root) }, r.readTurn, r.readPeople, r.readResult} {
		if err := read(); err != nil {
			return nil, err
		}
	}
	return r.draft, nil
}

// gather takes the properties of the whole game out of the nodes before the first move.
func (r *gameReader) gather(root *tree) error {
	for at := root; ; at = at.next[0] {
		moves := 0
		for i := range at.props {
			if p := &at.props[i]; isMoveProperty(p.id) {
				p.values = slices.DeleteFunc(p.values, func(v string) bool { return r.fact(p.id, v) })
				moves += len(p.values)
			}
		}
		if moves > 0 && at != root {
			return nil
		}
		var kept []property
		for _, p := range at.props {
			switch {
			case isMoveProperty(p.id):
				kept = append(kept, p)
			case !r.info.add(p):
				return unreadable(r.game, "game", p.id, limitProps)
			}
		}
		at.props = kept
		if moves > 0 || len(at.next) != 1 {
			return nil
		}
	}
}

// readKind checks that this is a record of this game.
func (r *gameReader) readKind() error {
	kind, ok := r.info.first("GM")
	switch name := strings.ToLower(simple(kind)); {
	case !ok:
		if err := r.notes.warn(r.game, 0, "", "no GM; taken as GM[9], Lines of Action"); err != nil {
			return err
		}
	case name != "9" && name != "loa" && name != "lines of action" && name != "linesofaction":
		return unreadable(r.game, "GM", kind, "9, which is Lines of Action")
	}
	if version, ok := r.info.first("FF"); ok && !strings.Contains("1234", simple(version)) {
		return r.notes.warn(r.game, 0, "FF["+version+"]", "read as FF[4]")
	}
	return nil
}

// readRules reads RU.
func (r *gameReader) readRules() error {
	if ru, ok := r.info.first("RU"); ok {
		rules, err := loa.ParseRules(simple(ru))
		if err == nil {
			r.rules = rules
			return nil
		}
		if err := r.notes.warn(r.game, 0, "RU["+ru+"]", "left out: %v", err); err != nil {
			return err
		}
	}
	switch r.dialect {
	case boardspace:
		r.rules = loa.Rules{Both: loa.BothMover, Repetition: loa.RepetitionNone}
	case playStrategy:
		r.rules = loa.Rules{NoMove: loa.NoMoveDraw}
	}
	return nil
}

// readMoves reads the moves of the tree. The stack holds the nodes that wait, the main line on top.
func (r *gameReader) readMoves(root *tree) error {
	type step struct {
		tree *tree
		at   *draftNode
		main bool
	}
	waiting := []step{{root, r.root, true}}
	for len(waiting) > 0 {
		s := waiting[len(waiting)-1]
		waiting = waiting[:len(waiting)-1]
		at, err := r.readNode(s.tree, s.at, s.main)
		if err != nil {
			return err
		}
		for i := len(s.tree.next) - 1; i >= 0; i-- {
			waiting = append(waiting, step{s.tree.next[i], at, s.main && i == 0})
		}
	}
	for _, at := range r.undone {
		moves := r.taken[at]
		delete(r.taken, at)
		if len(at.next) > 0 {
			at.next = append(at.next, moves...)
			continue
		}
		for _, m := range moves {
			if err := r.notes.warn(r.game, 0, m.text, "left out: it was taken back and no move made in its place"); err != nil {
				return err
			}
		}
	}
	return nil
}

// readNode reads the moves of one node, then what it says of the last of them, and returns that move.
func (r *gameReader) readNode(t *tree, at *draftNode, main bool) (*draftNode, error) {
	moves := 0
	for _, p := range t.props {
		if !isMoveProperty(p.id) {
			continue
		}
		for _, v := range p.values {
			if r.fact(p.id, v) {
				continue
			}
			if moves++; moves == 2 {
				if err := r.notes.warn(r.game, 0, p.id+"["+v+"]", "two moves in one node; taken as two plies"); err != nil {
					return nil, err
				}
			}
			var err error
			if at, err = r.readMove(at, p.id, v, main); err != nil {
				return nil, err
			}
		}
	}
	for _, p := range t.props {
		switch {
		case isMoveProperty(p.id):
		case p.id == "C":
			at.say(strings.Join(p.values, "\n"))
		case p.id == "RE" && main && r.info.add(p):
		case p.id == "AB" || p.id == "AW" || p.id == "AE" || p.id == "PL":
			text := p.id + "[" + strings.Join(p.values, "][") + "]"
			bad := at.add(text, loa.NoColor)
			bad.err = &loa.SyntaxError{What: "set-up", Text: clip(text), Want: "pieces set up before the first move only"}
		case hasOwnField(p.id):
			if err := r.notes.warn(r.game, 0, p.id, "left out: it is said after the first move"); err != nil {
				return nil, err
			}
		default:
			at.set(p.id, p.values...)
		}
	}
	return at, nil
}

// readPeople settles who is who, and keeps what is said of the game and has no field of its own.
func (r *gameReader) readPeople() error {
	for i, name := range []string{"PB", "PW"} {
		value, _ := r.info.first(name)
		r.players[i] = simple(value)
	}
	for seat, color := range r.colors {
		if r.seats[seat] != "" {
			r.players[color] = r.seats[seat]
		}
		if len(r.facts[seat]) > 0 {
			r.root.set([]string{"XB", "XW"}[color], r.facts[seat]...)
		}
	}
	for _, p := range r.info.props {
		switch {
		case p.id == "C":
			r.root.said = append([]string{prose(strings.Join(p.values, "\n"))}, r.root.said...)
		case !hasOwnField(p.id):
			r.root.set(p.id, p.values...)
		}
	}
	return nil
}

// readResult reads RE and RS and holds them against the way the moves ended.
func (r *gameReader) readResult() error {
	if re, ok := r.info.first("RE"); ok {
		result, err := r.parseResult(re)
		if err != nil {
			if err := r.notes.warn(r.game, 0, "RE["+re+"]", "left out: not a result this program knows"); err != nil {
				return err
			}
		}
		r.result = result
	}
	if rs, ok := r.info.first("RS"); ok {
		reason, err := loa.ParseReason(simple(rs))
		switch {
		case err != nil:
			if err := r.notes.warn(r.game, 0, "RS["+rs+"]", "left out: not a reason this program knows"); err != nil {
				return err
			}
		case r.result.Standing == Decided:
			r.result.Reason = reason
		case r.result.Standing == Unfinished:
			r.result = Result{Decided, loa.NoColor, reason}
		}
	}
	return r.end(r.ending)
}

// end holds the way in which the moves ended against the result that is stated.
func (d *draft) end(ending Result) error {
	switch {
	case ending.Standing == Unstated:
	case d.result.Standing == Decided && d.result.Winner != ending.Winner:
		return disagrees(d.game, "result %q: the moves end in %q", d.result, ending)
	case d.result.Standing != Decided || d.result.Reason == loa.NotOver:
		d.result = ending
	}
	return nil
}

// parseResult reads a result, also by the winner's name as Boardspace has it: "Game won by Ann".
func (r *gameReader) parseResult(text string) (Result, error) {
	low := strings.ToLower(simple(text))
	if _, name, ok := strings.Cut(low, "won by "); ok {
		for color, player := range r.players {
			if player != "" && strings.ToLower(player) == strings.Trim(name, ` ".`) {
				return Result{Decided, loa.Color(color), loa.NotOver}, nil
			}
		}
		low = strings.Trim(name, ` ".`)
	}
	if r.dialect == boardspace && strings.Contains(low, "draw") {
		low = "draw"
	}
	return ParseResult(low)
}

// isMoveProperty reports whether a property holds moves.
func isMoveProperty(id string) bool { return id == "B" || id == "W" || id == "P0" || id == "P1" }

// dialectOf tells the dialect of a tree.
func dialectOf(root *tree) dialect {
	if kind, ok := root.first("GM"); ok && strings.Trim(kind, ` "0123456789`) != "" {
		return boardspace
	}
	_, ruled := root.first("RU")
	for waiting := []*tree{root}; len(waiting) > 0; {
		t := waiting[len(waiting)-1]
		waiting = append(waiting[:len(waiting)-1], t.next...)
		for _, p := range t.props {
			for _, v := range p.values {
				switch {
				case p.id == "P0" || p.id == "P1":
					return boardspace
				case t == root && !ruled && strings.Contains(strings.ToLower(v), "playstrategy.org"):
					return playStrategy
				case p.id != "B" && p.id != "W":
				case isLetterMove(strings.Trim(simple(v), `"`)):
					return playStrategy
				case numbered(v) != simple(v):
					return boardspace
				}
			}
		}
	}
	return standardSGF
}

// unquote takes the quotation marks off the values of a tree.
func unquote(root *tree) {
	for waiting := []*tree{root}; len(waiting) > 0; {
		t := waiting[len(waiting)-1]
		waiting = append(waiting[:len(waiting)-1], t.next...)
		for _, p := range t.props {
			for i, v := range p.values {
				if v = strings.TrimSpace(v); len(v) > 1 && v[0] == '"' && v[len(v)-1] == '"' {
					p.values[i] = v[1 : len(v)-1]
				}
			}
		}
	}
}

// isLetterMove reports whether a text is a move as PlayStrategy writes it.
func isLetterMove(text string) bool {
	return len(text) == 4 && strings.Trim(text, "abcdefgh") == ""
}

// letterMove returns the reader of the moves of PlayStrategy on a board of a size.
func letterMove(size int) func(string) (loa.Move, loa.Claim, error) {
	return func(text string) (loa.Move, loa.Claim, error) {
		if !isLetterMove(text) {
			return loa.ParseMove(text)
		}
		square := func(letters string) string {
			return fmt.Sprintf("%c%d", letters[0], size-int(letters[1]-'a'))
		}
		return loa.ParseMove(square(text[:2]) + square(text[2:]))
	}
}

// numbered returns the text of a move without the number that Boardspace puts before it.
func numbered(text string) string {
	text = simple(text)
	number, rest, ok := strings.Cut(text, " ")
	if !ok || number == "" || strings.Trim(number, "0123456789") != "" {
		return text
	}
	return strings.TrimSpace(rest)
}
