package sgf

import (
	"strconv"
	"strings"

	"github.com/linesofaction/loa"
)

// textReader reads lists of moves:
//
//	# a comment on the game
//	rules: standard
//	start: 1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 b
//	black: Ann
//	white: Ben
//	result: White (resigned)
//	plies: 4
//	final: 2xxxxx1/o6o/2x4o/…
//	moves: 1. c8-c6 {a comment} [BL 95] h4-f2 (h4-f4 g8-g6) 2. g8-g6 h2-e2 resigns
//
// Every line but the moves may be missing, and the word "moves:" too. Lines of more facts are "event:", "date:",
// "place:", "round:", "name:", "source:", "annotator:", "about:", or the name of any SGF property in capitals;
// a line that begins with two spaces goes on with the fact above it. A "#" at the beginning of a word begins a
// comment that ends with its line; such comments and those in braces belong to the move before them, or to the
// game when there is none. In braces and brackets a backslash takes "}", "]" and "\" for themselves. A variation
// in parentheses stands behind the move it replaces. Moves are separated by blanks or commas, are read as
// loa.ParseMove reads them, also with a blank between the squares, and may have numbers, which are not checked.
// "resigns" (or "black resigns", "white resigns") ends the game, as does "1-0", "0-1" or "1/2-1/2". Another game begins where a line of facts
// follows moves, or a comment follows moves and an empty line.
//
// Leniency, with a warning: a line that begins with an unknown word and a colon is left out.
type textReader struct {
	src   string
	pos   int
	notes *notes
	games []*draft

	draft  *draft
	at     *draftNode
	begun  bool     // moves have begun
	seen   []string // keys of this game
	square string   // the first half of a move that is written in two words
	color  string   // "black" or "white" that may go before "resigns"
	open   []*draftNode
	ending Result
	blank  bool     // an empty line has just passed
	ahead  []string // comments that belong to the next game, if there is one
	name   string   // the property of the line of facts before, which indented lines go on with
	value  []string // its lines
}

// readText reads the games of a text.
func readText(src string, n *notes) ([]*draft, error) {
	r := &textReader{src: src, notes: n}
	r.begin()
	for r.pos < len(r.src) {
		if err := r.line(); err != nil {
			return r.games, err
		}
	}
	r.flush()
	r.at.said = append(r.at.said, r.ahead...)
	if r.begun || len(r.seen) > 0 {
		if err := r.end(); err != nil {
			return r.games, err
		}
	}
	return r.games, nil
}

// begin begins a game.
func (r *textReader) begin() {
	r.draft = newDraft()
	r.draft.game = len(r.games) + 1
	r.at = r.draft.root
	r.begun, r.seen, r.ending = false, nil, Result{}
	r.at.said = r.ahead
	r.ahead = nil
}

// end ends a game.
func (r *textReader) end() error {
	switch {
	case r.square != "":
		return r.bad("move", r.square, "the square it goes to, as in c8-c6")
	case r.color != "":
		return r.bad("move", r.color, "a move, or \"resigns\" after a color")
	case len(r.open) > 0:
		return r.bad("moves", "(", ") at the end of the variation")
	}
	if err := r.draft.end(r.ending); err != nil {
		return err
	}
	r.games = append(r.games, r.draft)
	return nil
}

func (r *textReader) bad(what, text, want string) error {
	return unreadable(r.draft.game, what, text, want)
}

// line reads a line, or as many as its brackets need.
func (r *textReader) line() error {
	line, _, _ := strings.Cut(r.src[r.pos:], "\n")
	bare := strings.TrimSpace(line)
	blank := r.blank
	r.blank = false
	goesOn := r.name != "" && strings.HasPrefix(line, "  ")
	if !goesOn {
		r.flush()
	}
	switch key, value, ok := header(line); {
	case len(r.open) > 0:
		return r.moves()
	case goesOn:
		r.value = append(r.value, strings.TrimPrefix(line, "  "))
	case bare == "":
		r.blank = true
	case bare[0] == '#':
		text := strings.TrimPrefix(bare[1:], " ")
		if r.begun && (blank || len(r.ahead) > 0) {
			r.ahead = append(r.ahead, text)
		} else {
			r.at.said = append(r.at.said, text)
		}
	case ok:
		if r.begun {
			if err := r.end(); err != nil {
				return err
			}
			r.begin()
		}
		if strings.ToLower(key) == "moves" {
			r.begun = true
			r.pos += strings.IndexByte(line, ':') + 1
			return r.moves()
		}
		r.pos += len(line) + 1
		return r.fact(key, value)
	default:
		r.begun = true
		r.at.said = append(r.at.said, r.ahead...)
		r.ahead = nil
		return r.moves()
	}
	r.pos += len(line) + 1
	return nil
}

// header splits a line of facts: a word of letters and digits that is not a square, a colon, the rest.
func header(line string) (key, value string, ok bool) {
	key, value, ok = strings.Cut(line, ":")
	if !ok || key == "" || strings.ContainsFunc(key, func(c rune) bool { return c > 'z' || !isLetterOrDigit(byte(c)) }) {
		return "", "", false
	}
	if c := key[0]; c >= '0' && c <= '9' {
		return "", "", false
	}
	if _, err := loa.ParseSquare(key); err == nil {
		return "", "", false
	}
	return key, strings.TrimSpace(value), true
}

// factNames are the words for facts that SGF has a property for.
func factName(key string) string {
	switch strings.ToLower(key) {
	case "event":
		return "EV"
	case "date":
		return "DT"
	case "place":
		return "PC"
	case "round":
		return "RO"
	case "name":
		return "GN"
	case "source":
		return "SO"
	case "annotator":
		return "AN"
	case "about":
		return "GC"
	}
	return key
}

// factWord returns the word for a property, or its own name.
func factWord(name string) string {
	for _, word := range []string{"event", "date", "place", "round", "name", "source", "annotator", "about"} {
		if factName(word) == name {
			return word
		}
	}
	return name
}

// knownKey reports whether a word begins a line of facts.
func knownKey(key string) bool {
	switch strings.ToLower(key) {
	case "rules", "start", "black", "white", "result", "plies", "final", "moves":
		return true
	}
	return factName(key) != key
}

// looksLikeMoves reports whether a line begins as a list of moves does.
func looksLikeMoves(line string) bool {
	word, _, _ := strings.Cut(line, " ")
	word = strings.TrimLeft(word, "0123456789.")
	_, _, err := loa.ParseMove(strings.TrimRight(word, ","))
	_, half := loa.ParseSquare(word)
	return word == "" || err == nil || half == nil
}

// fact reads a line of facts.
func (r *textReader) fact(key, value string) (err error) {
	word := strings.ToLower(key)
	name := factName(key)
	switch {
	case name == key && !knownKey(key) && isName(key) && !hasOwnField(key):
	case name != key:
	case !knownKey(key):
		return r.notes.warn(r.draft.game, 0, key+": "+value, "left out: an unknown word before the colon")
	default:
		for _, seen := range r.seen {
			if seen == word {
				return r.bad("line", key+": "+value, word+" only once")
			}
		}
	}
	r.seen = append(r.seen, word)
	d := r.draft
	switch word {
	case "rules":
		d.rules, err = loa.ParseRules(value)
	case "start":
		d.start, err = parseSetup(value)
	case "final":
		d.final, err = parseSetup(value)
	case "black":
		d.players[loa.Black] = simple(value)
	case "white":
		d.players[loa.White] = simple(value)
	case "result":
		d.result, err = ParseResult(value)
	case "plies":
		if d.plies, err = strconv.Atoi(value); err != nil || d.plies < 0 {
			return r.bad("plies", value, "a number")
		}
	default:
		r.name, r.value = name, []string{value}
	}
	if err != nil {
		return &Error{Game: d.game, Err: err}
	}
	return nil
}

// flush sets the property that lines of facts have told.
func (r *textReader) flush() {
	if r.name != "" {
		r.draft.root.set(r.name, strings.Join(r.value, "\n"))
	}
	r.name, r.value = "", nil
}

func parseSetup(text string) (*loa.Setup, error) {
	setup, err := loa.ParseSetup(text)
	return &setup, err
}

// moves reads moves to the end of the line, or farther while a bracket is open.
func (r *textReader) moves() error {
	for r.pos < len(r.src) {
		c := r.src[r.pos]
		r.pos++
		switch c {
		case '\n':
			if len(r.open) == 0 {
				return nil
			}
		case ' ', '\t', ',':
		case '#':
			line, _, _ := strings.Cut(r.src[r.pos:], "\n")
			r.pos += len(line)
			r.at.say(line)
		case '{':
			text, ok := r.until('}')
			if !ok {
				return r.bad("comment", "{"+text, "} at its end")
			}
			r.at.say(text)
		case '[':
			if err := r.mark(); err != nil {
				return err
			}
		case '(':
			if r.at.parent == nil || r.square != "" {
				return r.bad("moves", "(", "a variation behind the move it replaces")
			}
			r.open = append(r.open, r.at)
			r.at = r.at.parent
		case ')':
			if len(r.open) == 0 || r.square != "" {
				return r.bad("moves", ")", "( at the beginning of the variation")
			}
			r.at = r.open[len(r.open)-1]
			r.open = r.open[:len(r.open)-1]
		default:
			r.pos--
			if err := r.word(); err != nil {
				return err
			}
		}
	}
	return nil
}

// until reads to a closing bracket and takes out the escapes.
func (r *textReader) until(end byte) (string, bool) {
	var out strings.Builder
	for r.pos < len(r.src) {
		c := r.src[r.pos]
		r.pos++
		switch {
		case c == end:
			return out.String(), true
		case c == '\\' && r.pos < len(r.src) && (r.src[r.pos] == end || r.src[r.pos] == '\\'):
			c = r.src[r.pos]
			r.pos++
		}
		out.WriteByte(c)
	}
	return out.String(), false
}

// mark reads a property of a move.
func (r *textReader) mark() error {
	text, ok := r.until(']')
	if !ok {
		return r.bad("mark", "["+text, "] at its end")
	}
	name, value, _ := strings.Cut(text, " ")
	if err := checkName(r.draft.game, name); err != nil {
		return err
	}
	r.at.set(name, value)
	return nil
}

// word reads a move, half a move, a number, or the end of the game.
func (r *textReader) word() error {
	begin := r.pos
	for r.pos < len(r.src) && strings.IndexByte(" \t\n,{}()[]", r.src[r.pos]) < 0 {
		r.pos++
	}
	if r.pos == begin {
		return r.bad("moves", r.src[begin:begin+1], "a move, a comment in braces or a variation in parentheses")
	}
	text := r.src[begin:r.pos]
	if r.square != "" {
		return r.second(text)
	}
	if bare := strings.TrimLeft(text, "0123456789"); bare == "" || bare != text && bare[0] == '.' {
		if text = strings.TrimLeft(bare, "."); text == "" {
			return nil
		}
	}
	switch word := strings.ToLower(text); word {
	case "...", "..", ".", "…":
		return nil
	case "black", "white":
		r.color = text
		return nil
	case "resigns", "resign":
		return r.resigns()
	case "1-0", "0-1", "1/2-1/2":
		if len(r.open) == 0 {
			r.ending, _ = resultWord(word)
			return nil
		}
	}
	if r.color != "" {
		return r.bad("move", r.color+" "+text, "\"resigns\" after a color")
	}
	if _, err := loa.ParseSquare(text); err == nil {
		r.square = text
		return nil
	}
	r.move(text)
	return nil
}

// second reads what follows a square: a mark of a move, or the square it goes to.
func (r *textReader) second(text string) error {
	switch text {
	case "-", "–", "x", "X", ":", "×":
		if len(r.square) > 2 {
			return r.bad("move", r.square+" "+text, "a square after the mark")
		}
		r.square += text
		return nil
	}
	whole := r.square
	if len(whole) == 2 {
		whole += " "
	}
	whole += text
	r.square = ""
	r.move(whole)
	return nil
}

func (r *textReader) move(text string) {
	r.at = r.at.add(text, loa.NoColor)
	if r.ending.Standing == Decided && len(r.open) == 0 {
		r.at.err = &loa.IllegalError{Move: clip(text), Reason: "the game is over: " + r.ending.String()}
	}
}

// resigns ends the game.
func (r *textReader) resigns() error {
	who := r.color
	r.color = ""
	if len(r.open) > 0 {
		return r.notes.warn(r.draft.game, 0, strings.TrimSpace(who+" resigns"), "left out: the game cannot end in a variation")
	}
	loser, err := loa.ParseColor(who)
	if err != nil {
		loser = r.draft.turnAfter(r.at)
	}
	r.ending = Result{Decided, loser.Opponent(), loa.Resigned}
	return nil
}

// turnAfter returns whose turn it is after a move when no pass is left out.
func (d *draft) turnAfter(at *draftNode) loa.Color {
	turn := loa.Black
	if d.start != nil {
		turn = d.start.Turn
	}
	if at.depth%2 == 1 {
		turn = turn.Opponent()
	}
	return turn
}
