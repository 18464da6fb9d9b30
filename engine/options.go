package engine

import (
	"strings"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/engine/book"
	"github.com/linesofaction/loa/engine/nnue"
)

// Options say how an engine plays. The zero value is full strength on one thread with a small table.
type Options struct {
	Hash    int       // size of the transposition table in MiB; 0 is DefaultHash
	Threads int       // searching threads that share the table; 0 is 1. More than one is not reproducible
	MultiPV int       // number of best lines to work out; 0 is 1
	Level   int       // 1 to MaxLevel; 0 is full strength without a limit of its own
	Seed    uint64    // which of the near-best moves a level chooses, together with the position
	Off     Technique // techniques not to use
	Eval    Evaluation
	Weights *Weights   // of the evaluation, for the laboratory; nil takes the fitted ones that suit the rules
	Book    *book.Book // that the levels from BookLevel on open by; nil takes the one that is part of the program
	Net     *nnue.Net  // for any rules on its size of board; nil takes those that are part of the program
	Yield   func()     // called by the goroutine that searches, every 1024 positions or so, where nothing else runs meanwhile; nil is not
}

// Evaluation says what positions are valued by.
type Evaluation uint8

// The evaluations.
const (
	EvalNet   Evaluation = iota // the net that suits the rules; where there is none, the features
	EvalHand                    // the hand-written features
	EvalFirst                   // the features under the weights of the standard rules, with signs that suit the rules; see FirstWeights
)

var evaluationNames = [...]string{"net", "hand", "first"}

// String returns the name of the evaluation.
func (e Evaluation) String() string { return evaluationNames[e] }

// ParseEvaluation reads "net", "hand" or "first".
func ParseEvaluation(text string) (Evaluation, error) {
	for i, name := range evaluationNames {
		if text == name {
			return Evaluation(i), nil
		}
	}
	return 0, &loa.SyntaxError{What: "evaluation", Text: text, Want: "net, hand or first"}
}

// ValueNet returns the net that positions are valued by under rules, or nil where the features do.
func (o *Options) ValueNet(rules loa.Rules) *nnue.Net {
	switch {
	case o.Eval != EvalNet || o.Weights != nil:
		return nil
	case o.Net != nil && o.Net.Board().Size == rules.Edge():
		return o.Net
	}
	return nnue.For(rules)
}

// weights returns the weights of the features under rules.
func (o *Options) weights(rules loa.Rules) *Weights {
	switch {
	case o.Weights != nil:
		return o.Weights
	case o.Eval == EvalFirst:
		return FirstWeights(rules)
	}
	return FittedWeights(rules)
}

// The bounds of the options, for whoever offers them to people.
const (
	DefaultHash = 16
	MaxHash     = 4096
	MaxThreads  = 256
	MaxMultiPV  = 256
)

// Technique is a set of ways to search less than the whole tree. Each may be wrong on some position, so each
// has a switch.
type Technique uint16

// The techniques, by the numbered step of worker.search they belong to.
const (
	TableCutoffs       Technique = 1 << iota // step 6: an earlier search of the same position answers, whatever the way there
	TwofoldDraws                             // step 2: the first repetition inside the search counts as a draw
	ReverseFutility                          // step 8: far above the window, near the leaves
	NullMove                                 // step 9: still above the window after passing
	InternalReductions                       // step 10: no move known to be good, so a shallower look first
	LateMovePruning                          // step 13: the last moves near the leaves are not looked at
	LateReductions                           // step 14: late moves are searched less deep first
	Trend                                    // steps 8, 13 and 14: whether the side to move stands better than two plies before
	Singular                                 // step 11: a move much better than all others is searched deeper
	RootProofs                               // step 17: a proof search looks for a win from the root

	// Everything is all of them.
	Everything = 1<<iota - 1
)

var techniqueNames = [...]string{
	"table-cutoffs", "twofold-draws", "reverse-futility", "null-move", "internal-reductions", "late-move-pruning", "late-reductions", "trend", "singular", "root-proofs",
}

// String lists the names of the set, split by commas.
func (t Technique) String() string {
	var names []string
	for i, name := range techniqueNames {
		if t&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, ",")
}

// ParseTechniques reads a list as String writes it; an empty text is the empty set.
func ParseTechniques(text string) (Technique, error) {
	var set Technique
next:
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' }) {
		for i, name := range techniqueNames {
			if word == name {
				set |= 1 << i
				continue next
			}
		}
		return 0, &loa.SyntaxError{What: "technique", Text: word, Want: "one of " + Technique(Everything).String()}
	}
	return set, nil
}

// Exact returns the options with every technique off, so that a search to a depth is plain minimax: the same
// score, and a move that has it.
func (o Options) Exact() Options {
	o.Off = Everything
	return o
}

// normal returns the options with the defaults filled in and everything within its bounds.
func (o Options) normal() Options {
	within := func(value *int, fallback, most int) {
		if *value <= 0 {
			*value = fallback
		}
		*value = min(*value, most)
	}
	within(&o.Hash, DefaultHash, MaxHash)
	within(&o.Threads, 1, MaxThreads)
	within(&o.MultiPV, 1, MaxMultiPV)
	within(&o.Level, 0, MaxLevel)
	return o
}
