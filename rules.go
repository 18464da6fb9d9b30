package loa

import (
	"fmt"
	"strconv"
	"strings"
)

// The options of the rules. The first value of each, its zero value, is what the standard rules say.
type (
	// Both says who wins when one move connects both sides (clause 9).
	Both uint8
	// NoMoveRule says what happens to a side that has no move (clause 12).
	NoMoveRule uint8
	// RepetitionRule says when a repeated position ends the game (clause 14).
	RepetitionRule uint8
	// Captures says whether a piece may land on an enemy piece (clause 6).
	Captures uint8
	// Goal says whether connecting wins or loses (clause 10).
	Goal uint8
	// Start says how the board is set up (clause 16).
	Start uint8
)

// Who wins when one move connects both sides.
const (
	BothDraw  Both = iota // a draw
	BothMover             // the mover wins; under misère the mover loses
)

// What happens to a side without a move.
const (
	NoMovePass NoMoveRule = iota // it passes by itself; a draw when neither side has a move
	NoMoveLoss                   // it loses
	NoMoveDraw                   // a draw
)

// When a repeated position is a draw.
const (
	RepetitionDraw3 RepetitionRule = iota // the third time
	RepetitionDraw2                       // the second time
	RepetitionNone                        // never
)

// Whether a piece may capture.
const (
	CapturesYes Captures = iota
	CapturesNo
)

// What a side wants.
const (
	GoalConnect Goal = iota // who is connected wins
	GoalMisere              // who is connected loses
)

// The ways to set up the board.
const (
	StartStandard   Start = iota // Black on the top and bottom edges, White on the sides, corners empty
	StartScrambled               // colors alternate around the edge, layout A
	StartScrambledB              // its mirror, layout B
	StartRandom                  // scattered from a seed
	StartSix                     // six a side on the 6×6 board
	StartCustom                  // set up by hand
)

// The names of the values, as ParseRules reads them.
var (
	bothNames       = []string{"draw", "mover"}
	noMoveNames     = []string{"pass", "loss", "draw"}
	repetitionNames = []string{"draw3", "draw2", "none"}
	capturesNames   = []string{"yes", "no"}
	goalNames       = []string{"connect", "misere"}
	startNames      = []string{"standard", "scrambled", "scrambled-b", "random", "six", "custom"}
)

func (v Both) String() string           { return nameOf(bothNames, v) }
func (v NoMoveRule) String() string     { return nameOf(noMoveNames, v) }
func (v RepetitionRule) String() string { return nameOf(repetitionNames, v) }
func (v Captures) String() string       { return nameOf(capturesNames, v) }
func (v Goal) String() string           { return nameOf(goalNames, v) }
func (v Start) String() string          { return nameOf(startNames, v) }

// nameOf returns the name of a value, its number when it has none.
func nameOf[T ~uint8](names []string, v T) string {
	if int(v) < len(names) {
		return names[v]
	}
	return strconv.Itoa(int(v))
}

// Rules is everything two players agree on before a game. Its zero value is the standard rules. Rules
// compare with ==.
type Rules struct {
	Both       Both
	NoMove     NoMoveRule
	Repetition RepetitionRule
	Captures   Captures
	Goal       Goal
	Start      Start
	Size       int    // squares on an edge, 4 to 8; 0 is 8 for a start and any size for a set-up position
	Seed       uint64 // of StartRandom
	Cap        int    // plies after which the game is drawn; 0 is no cap
}

// RuleSet is a bundle of options under a name.
type RuleSet struct {
	Name  string
	Rules Rules
}

// fixed reports whether the set belongs to one size of board. A random start is made for any.
func (s RuleSet) fixed() bool { return s.Rules.Size != 0 && s.Rules.Start != StartRandom }

// RuleSets returns the named rule sets, the default first.
func RuleSets() []RuleSet {
	return []RuleSet{
		{"standard", Rules{}},
		{"classic", Rules{Both: BothMover}},
		{"scrambled", Rules{Start: StartScrambled, Size: 8}},
		{"scrambled-b", Rules{Start: StartScrambledB, Size: 8}},
		{"random", Rules{Start: StartRandom, Size: 8}},
		{"misere", Rules{Goal: GoalMisere}},
		{"mini", Rules{Size: 6}},
		{"mini-six", Rules{Start: StartSix, Size: 6}},
		{"no-capture", Rules{Captures: CapturesNo}},
		{"openspiel", Rules{Both: BothMover, NoMove: NoMoveLoss, Repetition: RepetitionDraw2}},
	}
}

// Edge returns the number of squares on an edge of the start position.
func (r Rules) Edge() int {
	if r.Size == 0 {
		return 8
	}
	return r.Size
}

// option is one key of the text form of rules.
type option struct {
	key    string
	weight int // of a change, for String
	want   string
	get    func(Rules) string
	set    func(*Rules, string) bool
}

func named[T ~uint8](key string, weight int, names []string, field func(*Rules) *T) option {
	return option{
		key: key, weight: weight,
		want: strings.Join(names, ", "),
		get:  func(r Rules) string { return nameOf(names, *field(&r)) },
		set: func(r *Rules, text string) bool {
			for i, name := range names {
				if name == text {
					*field(r) = T(i)
					return true
				}
			}
			return false
		},
	}
}

// options lists the keys in the order in which they are written.
func options() []option {
	return []option{
		named("both", 1, bothNames, func(r *Rules) *Both { return &r.Both }),
		named("nomove", 1, noMoveNames, func(r *Rules) *NoMoveRule { return &r.NoMove }),
		named("repetition", 1, repetitionNames, func(r *Rules) *RepetitionRule { return &r.Repetition }),
		named("captures", 2, capturesNames, func(r *Rules) *Captures { return &r.Captures }),
		named("goal", 2, goalNames, func(r *Rules) *Goal { return &r.Goal }),
		{
			"cap", 1, "none or a number of plies from 1 to 100000",
			func(r Rules) string {
				if r.Cap == 0 {
					return "none"
				}
				return strconv.Itoa(r.Cap)
			},
			func(r *Rules, text string) bool {
				if text == "none" {
					r.Cap = 0
					return true
				}
				return setInt(&r.Cap, text, 0, 100000)
			},
		},
		named("start", 2, startNames, func(r *Rules) *Start { return &r.Start }),
		{
			"size", 2, "a number from 4 to 8",
			func(r Rules) string { return strconv.Itoa(r.Size) },
			func(r *Rules, text string) bool { return setInt(&r.Size, text, MinSize, MaxSize) },
		},
		{
			"seed", 1, "a number from 0 to 18446744073709551615",
			func(r Rules) string { return strconv.FormatUint(r.Seed, 10) },
			func(r *Rules, text string) bool {
				n, err := strconv.ParseUint(text, 10, 64)
				r.Seed = n
				return err == nil
			},
		},
	}
}

func setInt(field *int, text string, least, most int) bool {
	n, err := strconv.Atoi(text)
	*field = n
	return err == nil && n >= least && n <= most
}

// ParseRules reads the name of a rule set, optionally with changed options: "standard",
// "standard:both=mover,repetition=none". An empty text is standard.
func ParseRules(text string) (Rules, error) {
	name, changes, changed := strings.Cut(strings.TrimSpace(text), ":")
	bad := func(part, want string) (Rules, error) {
		return Rules{}, &SyntaxError{What: "rules", Text: part, Want: want}
	}
	if name == "" && text != "" {
		return bad(text, "the name of a rule set before the colon")
	}
	var chosen RuleSet
	found := name == ""
	var names []string
	for _, set := range RuleSets() {
		names = append(names, set.Name)
		if set.Name == lower(name) {
			chosen, found = set, true
		}
	}
	rules := chosen.Rules
	if !found {
		return bad(name, "one of "+strings.Join(names, ", "))
	}
	if !changed {
		return rules, nil
	}
	seen := map[string]bool{}
next:
	for _, change := range strings.Split(changes, ",") {
		key, value, ok := strings.Cut(strings.TrimSpace(change), "=")
		if !ok {
			return bad(orElse(change, text), "key=value, split by commas")
		}
		if seen[key] {
			return bad(change, key+" only once")
		}
		seen[key] = true
		var keys []string
		for _, o := range options() {
			keys = append(keys, o.key)
			if o.key != key {
				continue
			}
			if !o.set(&rules, value) {
				return bad(change, key+" to be "+o.want)
			}
			if chosen.fixed() && rules.Size != chosen.Rules.Size {
				return bad(change, fmt.Sprintf("size %d for %s", chosen.Rules.Size, chosen.Name))
			}
			continue next
		}
		return bad(change, "one of the keys "+strings.Join(keys, ", "))
	}
	if err := rules.Validate(); err != nil {
		return Rules{}, err
	}
	return rules, nil
}

// orElse returns a text, or another one where it is empty.
func orElse(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

// String returns the text that ParseRules reads back as these rules and that changes the least of a rule set. What
// makes another game of it (captures, goal, start, size) counts as more than a point of law.
func (r Rules) String() string {
	best := ""
	least := 1 << 30
	for _, set := range RuleSets() {
		var changes []string
		possible := !set.fixed() || r.Size == set.Rules.Size
		weight := 0
		for _, o := range options() {
			if mine := o.get(r); mine != o.get(set.Rules) {
				possible = possible && (o.key != "size" || r.Size != 0)
				changes = append(changes, o.key+"="+mine)
				weight += o.weight
			}
		}
		if !possible || weight >= least {
			continue
		}
		least, best = weight, set.Name
		if len(changes) > 0 {
			best += ":" + strings.Join(changes, ",")
		}
	}
	if best == "" {
		best = fmt.Sprintf("%#v", r) // only rules that Validate refuses
	}
	return best
}

// Validate reports options that do not go together: a start on a board it was not made for, a size or a cap
// out of range, a value that is not in the list.
func (r Rules) Validate() error {
	if int(r.Both) >= len(bothNames) || int(r.NoMove) >= len(noMoveNames) || int(r.Repetition) >= len(repetitionNames) ||
		int(r.Captures) >= len(capturesNames) || int(r.Goal) >= len(goalNames) || int(r.Start) >= len(startNames) {
		return &SyntaxError{What: "rules", Text: fmt.Sprintf("%d", []uint8{uint8(r.Both), uint8(r.NoMove), uint8(r.Repetition), uint8(r.Captures), uint8(r.Goal), uint8(r.Start)}), Want: "values of the named options"}
	}
	if r.Size != 0 && (r.Size < MinSize || r.Size > MaxSize) {
		return &SyntaxError{What: "rules", Text: fmt.Sprintf("size=%d", r.Size), Want: "size to be a number from 4 to 8"}
	}
	if r.Cap < 0 {
		return &SyntaxError{What: "rules", Text: fmt.Sprintf("cap=%d", r.Cap), Want: "cap to be 0 or more"}
	}
	need := 0
	switch r.Start {
	case StartScrambled, StartScrambledB:
		need = 8
	case StartSix:
		need = 6
	}
	if need != 0 && r.Edge() != need {
		return &SyntaxError{What: "rules", Text: fmt.Sprintf("start=%s,size=%d", r.Start, r.Edge()), Want: fmt.Sprintf("start %s on size %d", r.Start, need)}
	}
	return nil
}

// StartPosition returns the position the game begins with (clause 16). StartCustom has none.
func (r Rules) StartPosition() (Position, error) {
	if err := r.Validate(); err != nil {
		return Position{}, err
	}
	var board Board
	switch r.Start {
	case StartStandard:
		board = standardBoard(r.Edge())
	case StartScrambled:
		board = mustBoard("1xoxoxo1/o6x/x6o/o6x/x6o/o6x/x6o/1oxoxox1")
	case StartScrambledB:
		board = mustBoard("1oxoxox1/x6o/o6x/x6o/o6x/x6o/o6x/1xoxoxo1")
	case StartRandom:
		board = randomBoard(r.Edge(), r.Seed)
	case StartSix:
		board = mustBoard("1xxx2/5o/o4o/o4o/o5/2xxx1")
	default:
		return Position{}, &SyntaxError{What: "rules", Text: "start=" + r.Start.String(), Want: "a set-up position to go with it"}
	}
	return Setup{Board: board, Turn: Black}.Position(r)
}
