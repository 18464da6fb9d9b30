package sgf

import (
	"slices"
	"strings"

	"github.com/linesofaction/loa"
)

// fact keeps what P0 or P1 says of a player and reports whether it does: `id "name"`, or a word that is neither
// a move nor one of the words that stand for one.
func (r *gameReader) fact(id, value string) bool {
	if id != "P0" && id != "P1" {
		return false
	}
	value = numbered(value)
	word, rest, _ := strings.Cut(value, " ")
	word = strings.ToLower(word)
	if _, _, err := loa.ParseMove(value); err == nil || isMoveWord(word) || strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") != "" {
		return false
	}
	seat := id[1] - '0'
	if word == "id" {
		r.seats[seat] = simple(strings.Trim(rest, `" `))
	} else {
		r.facts[seat] = append(r.facts[seat], value)
	}
	return true
}

// isMoveWord reports whether a word stands in the place of a move.
func isMoveWord(word string) bool {
	switch word {
	case "", "pass", "start", "select", "done", "reset", "undo", "edit", "swap", "vacate",
		"resign", "resigns", "resigned", "forfeit", "forfeits", "winontime":
		return true
	}
	return false
}

// readMove reads one move, or a word in its place, and returns the move that was made last.
func (r *gameReader) readMove(at *draftNode, id, value string, main bool) (*draftNode, error) {
	text := simple(value)
	if r.dialect == boardspace {
		text = numbered(value)
	}
	word, rest, _ := strings.Cut(strings.ToLower(text), " ")
	switch word {
	case "select", "done", "reset":
		return at, nil
	case "start":
		if color, err := loa.ParseColor(rest); err == nil && at == r.root {
			r.first, r.told = color, true
		}
		return at, nil
	case "undo":
		return r.undo(at)
	}
	color := r.mover(at, id)
	switch word {
	case "resign", "resigns", "resigned":
		return at, r.finish(text, Result{Decided, color.Opponent(), loa.Resigned}, main)
	case "forfeit", "forfeits":
		return at, r.finish(text, Result{Decided, color.Opponent(), loa.Abandoned}, main)
	case "winontime":
		return at, r.finish(text, Result{Decided, color, loa.Flag}, main)
	case "":
		text = "pass"
	}
	if at == r.root && color == loa.White && !r.told && r.custom {
		if err := r.notes.warn(r.game, 0, id+"["+value+"]", "the set-up names no side to move; taken as White's turn"); err != nil {
			return nil, err
		}
		r.first, r.told = loa.White, true
	}
	next := at.add(text, color)
	switch {
	case word == "edit" || word == "swap" || word == "vacate" || strings.HasSuffix(text, "^^"):
		next.err = &loa.SyntaxError{What: "move", Text: clip(text), Want: "a move; changing the board by hand is not supported"}
	case main && r.ending.Standing == Decided:
		next.err = &loa.IllegalError{Move: clip(text), Reason: "the game is over: " + r.ending.String()}
	case r.dialect == playStrategy:
		next.parse = letterMove(r.edge())
	}
	return next, nil
}

// mover returns who makes the moves of a property. The seat that moves first tells who P0 and P1 are.
func (r *gameReader) mover(at *draftNode, id string) loa.Color {
	switch id {
	case "B":
		return loa.Black
	case "W":
		return loa.White
	}
	seat := id[1] - '0'
	if !r.seated && at == r.root {
		r.seated = true
		r.colors[seat], r.colors[1-seat] = r.first, r.first.Opponent()
	}
	return r.colors[seat]
}

// undo takes back the move that was made last and returns the one before it.
func (r *gameReader) undo(at *draftNode) (*draftNode, error) {
	before := at.parent
	if before == nil {
		return at, r.notes.warn(r.game, 0, "Undo", "left out: there is no move to take back")
	}
	for i := len(before.next) - 1; i >= 0; i-- {
		if before.next[i] == at {
			before.next = slices.Delete(before.next, i, i+1)
			break
		}
	}
	if r.taken[before] == nil {
		r.undone = append(r.undone, before)
	}
	r.taken[before] = append(r.taken[before], at)
	return before, nil
}

// finish notes how the game ended.
func (r *gameReader) finish(text string, result Result, main bool) error {
	if !main {
		return r.notes.warn(r.game, 0, text, "left out: the game cannot end in a variation")
	}
	r.ending = result
	return nil
}
