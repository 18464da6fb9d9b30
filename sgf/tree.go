package sgf

import (
	"strings"

	"github.com/linesofaction/loa"
)

// property is a property of an SGF node with its values, unescaped.
type property struct {
	id     string
	values []string
}

// tree is an SGF node as it stands in the file, whatever its properties mean.
type tree struct {
	props []property
	next  []*tree
}

// first returns the first value of a property, and whether the node has it.
func (t *tree) first(id string) (string, bool) {
	for _, p := range t.props {
		if p.id == id {
			return p.values[0], true
		}
	}
	return "", false
}

// treeReader reads the syntax of SGF: a collection of trees of nodes. It does not recurse, so nesting costs
// memory only, and that in proportion to the text.
//
// Leniencies, each with a warning: text before, between and after the trees; lower-case letters in the name of
// a property, which old files have (PlayerBlack is PB), and names all in lower case; names with a digit, other
// than Boardspace's P0 and P1, whose values are left out; parentheses that the end of the file leaves open.
type treeReader struct {
	src   string
	pos   int
	notes *notes
	game  int
}

// read returns the root nodes of the trees in the text.
func (r *treeReader) read() ([]*tree, error) {
	var roots []*tree
	for {
		r.game = len(roots) + 1
		begin := r.pos
		if !r.seek() {
			return roots, r.ignore(r.src[begin:])
		}
		if err := r.ignore(r.src[begin:r.pos]); err != nil {
			return roots, err
		}
		root, err := r.tree()
		if err != nil {
			return roots, err
		}
		roots = append(roots, root)
	}
}

// ignore warns of text outside the trees.
func (r *treeReader) ignore(text string) error {
	if text = strings.TrimSpace(text); text != "" {
		return r.notes.warn(r.game, 0, text, "text outside the game is ignored")
	}
	return nil
}

// seek moves to the next "(" that a ";" follows.
func (r *treeReader) seek() bool {
	for i := r.pos; i < len(r.src); i++ {
		if r.src[i] == '(' && strings.HasPrefix(strings.TrimLeft(r.src[i+1:], " \t\r\n"), ";") {
			r.pos = i
			return true
		}
	}
	r.pos = len(r.src)
	return false
}

// tree reads from "(" to the ")" that belongs to it.
func (r *treeReader) tree() (*tree, error) {
	above := &tree{} // a node above the root, so that the root needs no special case
	open, at, nodes := []*tree(nil), above, 0
	for r.pos < len(r.src) {
		c := r.src[r.pos]
		r.pos++
		switch {
		case c == '(':
			open = append(open, at)
		case c == ')':
			at = open[len(open)-1]
			if open = open[:len(open)-1]; len(open) == 0 {
				return above.next[0], nil
			}
		case c == ';':
			if nodes++; nodes > MaxNodes {
				return nil, unreadable(r.game, "game", "", limitNodes)
			}
			child := new(tree)
			at.next = append(at.next, child)
			at = child
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
		default:
			r.pos--
			if at == above {
				return nil, unreadable(r.game, "game", r.rest(), "; before the first property")
			}
			p, err := r.property()
			if err != nil {
				return nil, err
			}
			if !isName(p.id) && !isMoveProperty(p.id) {
				if err := r.notes.warn(r.game, 0, p.id, "left out: no name of a property has a digit in it"); err != nil {
					return nil, err
				}
			} else if !at.add(p) {
				return nil, unreadable(r.game, "game", p.id, limitProps)
			}
		}
	}
	if err := r.notes.warn(r.game, 0, "", "the file ends inside the game, %d closing parentheses are missing", len(open)); err != nil {
		return nil, err
	}
	return above.next[0], nil
}

// How many properties a node may have.
const (
	maxProps   = 200
	limitProps = "at most 200 properties in a node"
)

// add joins the values of a property that is written twice. It reports whether there was room.
func (t *tree) add(p property) bool {
	for i := range t.props {
		if t.props[i].id == p.id {
			t.props[i].values = append(t.props[i].values, p.values...)
			return true
		}
	}
	t.props = append(t.props, p)
	return len(t.props) <= maxProps
}

// rest returns what follows, for an error message.
func (r *treeReader) rest() string {
	rest := r.src[r.pos:]
	if i := strings.IndexByte(rest, '\n'); i >= 0 {
		rest = rest[:i]
	}
	return rest[:min(len(rest), 40)]
}

// property reads a name and its values.
func (r *treeReader) property() (property, error) {
	begin := r.pos
	for r.pos < len(r.src) && isLetterOrDigit(r.src[r.pos]) {
		r.pos++
	}
	written := r.src[begin:r.pos]
	name := strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' {
			return -1
		}
		return c
	}, written)
	if name == "" {
		name = strings.ToUpper(written)
	}
	if name == "" || name[0] <= '9' {
		r.pos = begin
		return property{}, unreadable(r.game, "SGF", r.rest(), "; or ( or ) or a property such as B[c8-c6]")
	}
	if name != written {
		if err := r.notes.warn(r.game, 0, written, "read as the property %s", name); err != nil {
			return property{}, err
		}
	}
	p := property{id: name}
	for r.skip(); r.pos < len(r.src) && r.src[r.pos] == '['; r.skip() {
		value, ok := r.value()
		if !ok {
			return property{}, unreadable(r.game, "SGF", name+"["+value, "] at the end of the value")
		}
		p.values = append(p.values, value)
	}
	if len(p.values) == 0 {
		return property{}, unreadable(r.game, "SGF", written+r.rest(), "[ and a value after the property "+name)
	}
	return p, nil
}

func (r *treeReader) skip() {
	for r.pos < len(r.src) && strings.IndexByte(" \t\r\n", r.src[r.pos]) >= 0 {
		r.pos++
	}
}

// value reads from "[" to the "]" that ends it and takes out the escapes: a backslash before a line break
// joins the lines, before anything else it stands for that.
func (r *treeReader) value() (string, bool) {
	var out strings.Builder
	for r.pos++; r.pos < len(r.src); r.pos++ {
		switch c := r.src[r.pos]; {
		case c == ']':
			r.pos++
			return out.String(), true
		case c == '\\' && r.pos+1 < len(r.src):
			if r.pos++; r.src[r.pos] != '\n' {
				out.WriteByte(r.src[r.pos])
			}
		default:
			out.WriteByte(c)
		}
	}
	return out.String(), false
}

// escape writes the text of a value so that value reads it back.
func escape(text string) string {
	return strings.NewReplacer(`\`, `\\`, `]`, `\]`).Replace(text)
}

func isLetterOrDigit(c byte) bool {
	return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9'
}

// isName reports whether a text is the name of a property, which has capital letters only.
func isName(text string) bool {
	return text != "" && strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// hasOwnField lists the properties that a Record keeps in fields of its own or works out anew, and that its
// Props therefore never hold.
func hasOwnField(name string) bool {
	switch name {
	case "AB", "AE", "AP", "AW", "B", "C", "CA", "FF", "GM", "P0", "P1", "PB", "PL", "PW", "RE", "RS", "RU", "SU", "SZ", "VV", "W":
		return true
	}
	return false
}

// checkName refuses a name that Props cannot hold.
func checkName(game int, name string) error {
	if !isName(name) || hasOwnField(name) {
		return &Error{Game: game, Err: &loa.SyntaxError{What: "property", Text: clip(name), Want: "the name of an SGF property that has no field of its own, such as EV or BL"}}
	}
	return nil
}
