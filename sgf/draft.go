package sgf

import (
	"errors"
	"strings"

	"github.com/linesofaction/loa"
)

// draft is a game as it was read, before its moves are played.
type draft struct {
	game    int
	rules   loa.Rules
	size    int        // the size it states, or 0
	start   *loa.Setup // the arrangement it states, or nil
	players [2]string
	result  Result
	plies   int        // the number of plies it states, or -1
	final   *loa.Setup // the final position it states, or nil
	root    *draftNode
}

// draftNode is a move as it was read.
type draftNode struct {
	text   string    // as it stood
	color  loa.Color // who makes it, or NoColor where the form does not say
	parse  func(text string) (loa.Move, loa.Claim, error)
	err    error    // why there can be no move here, whatever the board
	said   []string // its comments, lines or more
	props  map[string][]string
	next   []*draftNode
	parent *draftNode
	depth  int // moves before it
}

func newDraft() *draft { return &draft{plies: -1, root: new(draftNode)} }

// add appends a move to those that may follow.
func (d *draftNode) add(text string, color loa.Color) *draftNode {
	child := &draftNode{text: text, color: color, parse: loa.ParseMove, parent: d, depth: d.depth + 1}
	d.next = append(d.next, child)
	return child
}

// say adds a comment.
func (d *draftNode) say(text string) {
	if text = prose(text); text != "" {
		d.said = append(d.said, text)
	}
}

// set adds the values of a property.
func (d *draftNode) set(name string, values ...string) {
	if len(values) == 0 {
		return
	}
	if d.props == nil {
		d.props = map[string][]string{}
	}
	for _, v := range values {
		if name == "GC" {
			v = prose(v)
		} else {
			v = simple(v)
		}
		d.props[name] = append(d.props[name], v)
	}
}

// node returns the node of the record for this one, without what follows.
func (d *draftNode) node(m loa.Move) *Node {
	return &Node{Move: m, Comment: prose(strings.Join(d.said, "\n")), Props: d.props}
}

// replay turns a draft into a record by playing its moves.
func (d *draft) replay(options Options, n *notes) (*Record, error) {
	record, err := d.begin(options)
	if err != nil {
		return nil, &Error{Game: d.game, Err: err}
	}
	g, err := loa.NewGameFrom(record.Rules, record.Start)
	if err != nil {
		return nil, &Error{Game: d.game, Err: err}
	}
	p := player{game: d.game, main: g, notes: n}
	if err := p.play(d.root, &record.Root); err != nil {
		return nil, err
	}
	if err := d.compare(g); err != nil {
		return nil, err
	}
	if record.Result, err = d.settle(g, n); err != nil {
		return nil, err
	}
	return record, nil
}

// begin settles the rules and the start.
func (d *draft) begin(options Options) (*Record, error) {
	rules := d.rules
	if options.Rules != nil {
		rules = *options.Rules
	}
	record := &Record{Rules: rules, Players: d.players, Root: *d.root.node(loa.NoMoveMade)}
	if d.start != nil {
		record.Start = *d.start
		record.Rules = nameStart(rules, record.Start)
		return record, nil
	}
	if d.size != 0 && rules.Size == 0 && d.size != loa.MaxSize {
		record.Rules.Size = d.size
	}
	start, err := startOf(record.Rules)
	if err != nil {
		return nil, err
	}
	if d.size != 0 && d.size != start.Size {
		return nil, &loa.SetupError{Text: start.String(), Faults: []loa.Fault{{
			Kind: loa.FaultRules, Square: loa.NoSquare,
			Text: "the record states another size of board than the rules " + rules.String(),
		}}}
	}
	record.Start = start
	return record, nil
}

// settle compares the result that is stated with the board and returns the one that holds.
func (d *draft) settle(g *loa.Game, n *notes) (Result, error) {
	says, is := d.result, g.Outcome()
	if is.Over() {
		holds := Result{Decided, is.Winner, is.Reason}
		switch {
		case says.Standing == Unstated:
		case says.Standing == Unfinished, says.Winner != is.Winner:
			return holds, disagrees(d.game, "result %q: the moves end in %q by the rules %s", says, is, g.Rules())
		case says.Reason != loa.NotOver && says.Reason != is.Reason:
			return holds, n.warn(d.game, 0, says.String(), "the reason is %s by the rules %s", is.Reason, g.Rules())
		}
		return holds, nil
	}
	switch {
	case says.Standing != Decided:
	case says.Reason != loa.NotOver && says.Reason <= loa.PlyCap:
		return says, disagrees(d.game, "result %q: the game is still open after %d plies by the rules %s", says, g.Plies(), g.Rules())
	case says.Reason == loa.NotOver && says.Winner == loa.NoColor:
		says.Reason = loa.Agreed
	case says.Reason == loa.NotOver:
		return says, n.warn(d.game, 0, says.String(), "the board is still open after %d plies and no reason is given; the result is taken as stated", g.Plies())
	}
	return says, nil
}

// compare holds the number of plies and the final position that are stated against the game.
func (d *draft) compare(g *loa.Game) error {
	if d.plies >= 0 && d.plies != g.Plies() {
		return disagrees(d.game, "plies %d: the moves are %d", d.plies, g.Plies())
	}
	if is := g.Position().Setup(); d.final != nil && *d.final != is {
		return disagrees(d.game, "final position %q: the moves lead to %q", d.final, is)
	}
	return nil
}

// player plays the moves of a draft into a record.
type player struct {
	game  int
	main  *loa.Game
	notes *notes
	nodes int
}

// step is a move that waits to be played.
type step struct {
	from     *Node // what it follows
	move     *draftNode
	position loa.Position
	ply      int // of the move
	nesting  int // variations inside variations
}

// play plays everything that follows a node. Only the main line is played by the whole of the rules; variations
// are played by the board.
func (p *player) play(root *draftNode, at *Node) error {
	var waiting []step
	follow := func(d *draftNode, at *Node, position loa.Position, ply, nesting int) {
		for i := len(d.next) - 1; i >= 0; i-- {
			s := step{at, d.next[i], position, ply, nesting}
			if i > 0 {
				s.nesting++
			}
			waiting = append(waiting, s)
		}
	}
	follow(root, at, p.main.Position(), 1, 0)
	for len(waiting) > 0 {
		s := waiting[len(waiting)-1]
		waiting = waiting[:len(waiting)-1]
		if err := p.limits(s); err != nil {
			return err
		}
		last, err := p.step(&s)
		switch {
		case err != nil && s.nesting == 0:
			return &Error{p.game, s.ply, err}
		case err != nil:
			if err := p.notes.warn(p.game, s.ply, "", "the variation is cut off: %v", err); err != nil {
				return err
			}
			continue
		}
		follow(s.move, last, s.position, s.ply+1, s.nesting)
	}
	return nil
}

func (p *player) limits(s step) error {
	p.nodes++
	limit := ""
	switch {
	case p.nodes > MaxNodes:
		limit = limitNodes
	case s.ply > MaxPlies:
		limit = "at most 20,000 plies in one line"
	case s.nesting > MaxNesting:
		limit = "at most 200 variations inside each other"
	default:
		return nil
	}
	return &Error{p.game, s.ply, &loa.SyntaxError{What: "move", Text: clip(s.move.text), Want: limit}}
}

// step plays one move, with the forced pass before it that the record left out, and returns the node of the
// move. It leaves the step at that ply and at the position after it.
func (p *player) step(s *step) (*Node, error) {
	if s.move.err != nil {
		return nil, s.move.err
	}
	text := clip(s.move.text)
	m, claim, err := s.move.parse(s.move.text)
	if err != nil {
		return nil, &loa.SyntaxError{What: "move", Text: text, Want: "two squares such as c8-c6 or c8xc6, or pass"}
	}
	from := s.from
	if m != loa.Pass && s.position.MustPass() && (s.nesting > 0 || !p.main.Outcome().Over()) {
		if err := p.notes.warn(p.game, s.ply, text, "%s has no move; the forced pass before it is inserted", s.position.Turn()); err != nil {
			return nil, errors.Unwrap(err)
		}
		pass := &Node{Move: loa.Pass}
		if err := p.advance(s, loa.Pass); err != nil {
			return nil, err
		}
		from.Next = append(from.Next, pass)
		from = pass
		s.ply++
	}
	if turn := s.position.Turn(); s.move.color != loa.NoColor && s.move.color != turn {
		return nil, &loa.IllegalError{Move: text, Reason: "it is " + turn.String() + " to move, not " + s.move.color.String()}
	}
	holds := claim.Holds(s.position, m)
	if err := p.advance(s, m); err != nil {
		var illegal *loa.IllegalError
		if errors.As(err, &illegal) {
			err = &loa.IllegalError{Move: text, Reason: illegal.Reason}
		}
		return nil, err
	}
	if !holds {
		what := "it is marked as a capture and captures nothing"
		if claim == loa.ClaimQuiet {
			what = "it captures and is not marked so"
		}
		if err := p.notes.warn(p.game, s.ply, text, "%s", what); err != nil {
			return nil, errors.Unwrap(err)
		}
	}
	node := s.move.node(m)
	from.Next = append(from.Next, node)
	return node, nil
}

// advance makes a move in the main game or on the board of a variation.
func (p *player) advance(s *step, m loa.Move) (err error) {
	if s.nesting > 0 {
		s.position, err = s.position.Play(m)
		return err
	}
	if err := p.main.Play(m); err != nil {
		return err
	}
	s.position = p.main.Position()
	return nil
}
