package engine

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"

	"github.com/linesofaction/loa"
)

// Weights say what each feature is worth, in sixteenths of a centipawn: with all pieces on the board, and with
// half of them gone. Between the two the worth changes evenly.
type Weights struct {
	Opening, Ending [Features]int
}

// The fitted weights; docs/engine.md says from what and how. They stay as they are: later evaluations are
// measured against them.
var (
	//go:embed weights/connect.txt
	connectWeights string
	//go:embed weights/misere.txt
	misereWeights string
)

// FittedWeights returns the weights that suit the rules.
func FittedWeights(rules loa.Rules) *Weights {
	text := connectWeights
	if rules.Goal == loa.GoalMisere {
		text = misereWeights
	}
	w, err := ParseWeights(text)
	if err != nil {
		panic(err) // the text is part of the program
	}
	return w
}

// FirstWeights returns what a player who knows only the weights of the standard rules would play by under others: the same
// numbers, and where connecting loses those of the features of gathering turned round. Later evaluations of every rule set
// are measured against it.
func FirstWeights(rules loa.Rules) *Weights {
	w := FittedWeights(loa.Rules{})
	if rules.Goal == loa.GoalMisere {
		for f := range Features {
			if f.gathers() {
				w.Opening[f], w.Ending[f] = -w.Opening[f], -w.Ending[f]
			}
		}
	}
	return w
}

// ParseWeights reads what String writes: a line for each feature in any order, with its name, its worth in the
// opening and in the ending. Blank lines and lines that begin with # are left out; features without a line weigh nothing.
func ParseWeights(text string) (*Weights, error) {
	byName := make(map[string]Feature)
	for f := range Features {
		byName[f.String()] = f
	}
	w := new(Weights)
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		f, known := byName[fields[0]]
		if !known || len(fields) != 3 {
			return nil, &loa.SyntaxError{What: "weight", Text: strings.TrimSpace(line), Want: "the name of a feature and two numbers"}
		}
		for i, worth := range []*int{&w.Opening[f], &w.Ending[f]} {
			n, err := strconv.ParseInt(fields[i+1], 10, 16)
			if err != nil {
				return nil, &loa.SyntaxError{What: "weight", Text: fields[i+1], Want: "a number from -32768 to 32767"}
			}
			*worth = int(n)
		}
	}
	return w, nil
}

// String writes the weights as ParseWeights reads them.
func (w *Weights) String() string {
	var out strings.Builder
	for f := range Features {
		fmt.Fprintf(&out, "%-14s %6d %6d\n", f, w.Opening[f], w.Ending[f])
	}
	return out.String()
}
