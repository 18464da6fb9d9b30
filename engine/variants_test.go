package engine

import (
	"crypto/sha256"
	"fmt"
	"testing"

	"github.com/linesofaction/loa"
)

// TestEveryRuleSetHasAnEvaluationOfItsOwn: a net or, under misère, weights fitted on its games. Sets of another board, goal or
// way to capture have another one, and none plays as its rivals eval=first or, but for misère, eval=hand do.
func TestEveryRuleSetHasAnEvaluationOfItsOwn(t *testing.T) {
	known := map[string]string{} // by what it is for
	for _, set := range loa.RuleSets() {
		g, err := loa.NewGame(set.Rules)
		if err != nil {
			t.Fatal(err)
		}
		e := New(Options{Hash: 1})
		e.prepare(g)
		name := "misere weights"
		switch net := e.terrain.net; {
		case set.Rules.Goal == loa.GoalMisere:
			if w := FittedWeights(set.Rules); net != nil || *w == *FittedWeights(loa.Rules{}) || *w == *FirstWeights(set.Rules) {
				t.Errorf("%s: a net, or the weights of other rules", set.Name)
			}
		case net == nil || net.Board().Size != g.Position().Size():
			t.Errorf("%s: no net of its board", set.Name)
			continue
		default:
			name = net.Name()
		}
		kind := fmt.Sprint(set.Rules.Edge(), " ", set.Rules.Goal, " ", set.Rules.Captures)
		for other, its := range known {
			if (its == name) != (other == kind) {
				t.Errorf("%s: plays by %s, as %s does", set.Name, name, other)
			}
		}
		known[kind] = name
	}
	if len(known) != 4 {
		t.Errorf("evaluations %v", known)
	}
}

// TestEvaluationsKnowTheGoal: with the sides otherwise alike, whoever's pieces hang together stands well where connecting wins,
// whatever the evaluation and whoever is to move; where it loses, a player who turns the signs round thinks badly of it.
func TestEvaluationsKnowTheGoal(t *testing.T) {
	gathered := map[int]string{
		8: "8/1o4o1/3x4/2xxx3/2xx1o2/5x2/1o4o1/5o2",
		6: "6/o3o1/1xx3/2xx2/o4o/6",
	}
	for _, set := range loa.RuleSets() {
		evaluations := []Evaluation{EvalNet, EvalHand, EvalFirst}
		if set.Rules.Goal == loa.GoalMisere {
			evaluations = []Evaluation{EvalFirst} // the others weigh moves to come more than where pieces stand
		}
		for _, turn := range []string{"b", "w"} {
			rules := set.Rules
			rules.Start, rules.Size = loa.StartCustom, rules.Edge()
			g := mustGame(t, rules.String(), gathered[rules.Size]+" "+turn)
			for _, eval := range evaluations {
				value := evaluationOf(New(Options{Hash: 1, Eval: eval}), g)
				if turn == "w" {
					value = -value
				}
				if (value > 0) != (rules.Goal == loa.GoalConnect) {
					t.Errorf("%s, %s, %s to move: %d for Black, whose pieces hang together", set.Name, eval, turn, value)
				}
			}
		}
	}
}

// evaluationOf returns what an engine thinks of a position without looking ahead, for the side to move.
func evaluationOf(e *Engine, g *loa.Game) int {
	e.prepare(g)
	w := e.workers[0]
	w.begin(&control{table: e.table, terrain: e.terrain, rules: g.Rules()}, g)
	return w.evaluate(0)
}

// TestFirstWeightsAreTheStandardOnes with the signs of gathering turned round where connecting loses, and no others.
func TestFirstWeightsAreTheStandardOnes(t *testing.T) {
	standard := *FittedWeights(loa.Rules{})
	for _, set := range loa.RuleSets() {
		w := FirstWeights(set.Rules)
		for f := range Features {
			sign := 1
			switch {
			case set.Rules.Goal == loa.GoalConnect:
			case f <= OwnTaken, f == Pieces, f == Turn:
			default:
				sign = -1
			}
			if w.Opening[f] != sign*standard.Opening[f] || w.Ending[f] != sign*standard.Ending[f] {
				t.Errorf("%s, %s: %d %d, standard %d %d", set.Name, f, w.Opening[f], w.Ending[f], standard.Opening[f], standard.Ending[f])
			}
		}
	}
}

// TestWeightsThatOthersAreMeasuredAgainstStayAsTheyAre.
func TestWeightsThatOthersAreMeasuredAgainstStayAsTheyAre(t *testing.T) {
	for name, test := range map[string]struct{ text, sum string }{
		"connect": {connectWeights, "85cbe69f08f7"},
		"misere":  {misereWeights, "2ee2b41a3804"},
	} {
		if got := fmt.Sprintf("%x", sha256.Sum256([]byte(test.text)))[:12]; got != test.sum {
			t.Errorf("%s: the file begins its SHA-256 with %s, the first version's with %s", name, got, test.sum)
		}
	}
}
