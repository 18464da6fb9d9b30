package loa_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/linesofaction/loa"
)

// everyRules returns every combination of the named options, with a size and a cap that fit.
func everyRules() []loa.Rules {
	var all []loa.Rules
	for both := loa.BothDraw; both <= loa.BothMover; both++ {
		for noMove := loa.NoMovePass; noMove <= loa.NoMoveDraw; noMove++ {
			for repetition := loa.RepetitionDraw3; repetition <= loa.RepetitionNone; repetition++ {
				for captures := loa.CapturesYes; captures <= loa.CapturesNo; captures++ {
					for goal := loa.GoalConnect; goal <= loa.GoalMisere; goal++ {
						for start := loa.StartStandard; start <= loa.StartCustom; start++ {
							for size := 0; size <= loa.MaxSize; size++ {
								for _, limit := range []int{0, 1, 100000} {
									r := loa.Rules{Both: both, NoMove: noMove, Repetition: repetition, Captures: captures, Goal: goal, Start: start, Size: size, Cap: limit}
									if start == loa.StartRandom {
										r.Seed = uint64(size) * 1e18
									}
									if r.Validate() == nil {
										all = append(all, r)
									}
								}
							}
						}
					}
				}
			}
		}
	}
	return all
}

// TestEveryRulesTextReadsBack: ParseRules is the inverse of String.
func TestEveryRulesTextReadsBack(t *testing.T) {
	all := everyRules()
	if len(all) < 4000 {
		t.Fatalf("%d combinations", len(all))
	}
	seen := map[string]loa.Rules{}
	for _, r := range all {
		text := r.String()
		if other, ok := seen[text]; ok {
			t.Fatalf("%+v and %+v are both %q", r, other, text)
		}
		seen[text] = r
		if again, err := loa.ParseRules(text); err != nil || again != r {
			t.Fatalf("%+v is %q, which reads as %+v, %v", r, text, again, err)
		}
	}
}

func TestNamedRuleSets(t *testing.T) {
	tests := map[string]string{
		"standard":    "standard:both=draw,nomove=pass,repetition=draw3,captures=yes,goal=connect,cap=none,start=standard",
		"classic":     "standard:both=mover",
		"scrambled":   "standard:start=scrambled,size=8",
		"scrambled-b": "standard:start=scrambled-b,size=8",
		"random":      "standard:start=random,size=8",
		"misere":      "standard:goal=misere",
		"mini":        "standard:size=6",
		"mini-six":    "standard:start=six,size=6",
		"no-capture":  "standard:captures=no",
		"openspiel":   "standard:both=mover,nomove=loss,repetition=draw2",
	}
	for _, set := range loa.RuleSets() {
		want, ok := tests[set.Name]
		if !ok {
			t.Errorf("no test for %s", set.Name)
			continue
		}
		if parseRules(t, want) != set.Rules || parseRules(t, strings.ToUpper(set.Name)) != set.Rules || set.Rules.String() != set.Name {
			t.Errorf("%s is %+v, written %s", set.Name, set.Rules, set.Rules)
		}
		delete(tests, set.Name)
	}
	if len(tests) > 0 {
		t.Errorf("missing: %v", tests)
	}
	for text, want := range map[string]string{
		"misere:both=mover": "misere:both=mover", "mini:both=mover": "mini:both=mover", "standard:size=6": "mini",
		"classic:cap=0": "classic", "random:size=6,seed=3": "random:size=6,seed=3", "standard:size=8": "standard:size=8",
	} {
		if got := parseRules(t, text).String(); got != want {
			t.Errorf("%s is written %s, want %s", text, got, want)
		}
	}
	if parseRules(t, "") != (loa.Rules{}) {
		t.Error("no text is not standard")
	}
}

func TestUnreadableRulesNameTheText(t *testing.T) {
	for text, want := range map[string]string{
		"chess":                                  `"chess": expected one of standard, classic`,
		":both=mover":                            "before the colon",
		"standard:":                              `"standard:": expected key=value`,
		"standard:both":                          `"both": expected key=value`,
		"standard:both=white":                    `"both=white": expected both to be draw, mover`,
		"standard:color=red":                     `"color=red": expected one of the keys both, nomove`,
		"standard:both=draw,both=draw":           "only once",
		"standard:size=9":                        `"size=9": expected size to be a number from 4 to 8`,
		"standard:size=x":                        `"size=x"`,
		"standard:cap=-1":                        `"cap=-1"`,
		"standard:cap=100001":                    `"cap=100001"`,
		"standard:seed=18446744073709551616":     `"seed=18446744073709551616"`,
		"mini-six:size=8":                        `"size=8": expected size 6 for mini-six`,
		"mini:size=8":                            `"size=8": expected size 6 for mini`,
		"standard:start=six":                     `"start=six,size=8": expected start six on size 6`,
		"mini:start=scrambled":                   "expected start scrambled on size 8",
		"standard:repetition=draw4":              "draw3, draw2, none",
		"standard:nomove=stay":                   "pass, loss, draw",
		"standard:captures=maybe":                "yes, no",
		"standard:goal=escape":                   "connect, misere",
		"standard:start=corner":                  "standard, scrambled, scrambled-b, random, six, custom",
		"classic:repetition=draw2,nomove=draw,,": "key=value",
	} {
		_, err := loa.ParseRules(text)
		if !errors.Is(err, loa.ErrSyntax) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q gives %v, want %s", text, err, want)
		}
	}
}

// TestRulesThatCannotBe are refused by Validate and can be printed all the same.
func TestRulesThatCannotBe(t *testing.T) {
	for _, r := range []loa.Rules{{Both: 2}, {NoMove: 3}, {Repetition: 3}, {Captures: 2}, {Goal: 2}, {Start: 6}, {Size: 3}, {Size: 9}, {Cap: -1}} {
		if r.Validate() == nil {
			t.Errorf("%+v is valid", r)
		}
		if text := r.String(); text == "" {
			t.Errorf("%#v has no text", r)
		}
		if _, err := r.StartPosition(); err == nil {
			t.Errorf("%+v has a start", r)
		}
	}
	if _, err := (loa.Rules{Start: loa.StartCustom}).StartPosition(); err == nil || !strings.Contains(err.Error(), "start=custom") {
		t.Errorf("a custom start gives %v", err)
	}
}

// TestStarts are as the rules draw them (clauses 1 and 16).
func TestStarts(t *testing.T) {
	for rules, want := range map[string]string{
		"standard":        "1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 b",
		"standard:size=4": "1xx1/o2o/o2o/1xx1 b",
		"standard:size=5": "1xxx1/o3o/o3o/o3o/1xxx1 b",
		"mini":            "1xxxx1/o4o/o4o/o4o/o4o/1xxxx1 b",
		"standard:size=7": "1xxxxx1/o5o/o5o/o5o/o5o/o5o/1xxxxx1 b",
		"scrambled":       "1xoxoxo1/o6x/x6o/o6x/x6o/o6x/x6o/1oxoxox1 b",
		"scrambled-b":     "1oxoxox1/x6o/o6x/x6o/o6x/x6o/o6x/1xoxoxo1 b",
		"mini-six":        "1xxx2/5o/o4o/o4o/o5/2xxx1 b",
	} {
		if got := start(t, rules).String(); got != want {
			t.Errorf("%s: %s, want %s", rules, got, want)
		}
	}
}

// TestScrambledStartsAreMirrors of each other (clause 16).
func TestScrambledStartsAreMirrors(t *testing.T) {
	a, b := start(t, "scrambled"), start(t, "scrambled-b")
	for s := loa.Square(0); s < loa.NoSquare; s++ {
		colorA, okA := a.At(s)
		colorB, okB := b.At(loa.SquareAt(7-s.File(), s.Rank()))
		if colorA != colorB || okA != okB {
			t.Errorf("%s differs", s)
		}
	}
}

// TestRandomStart: the board of a seed never changes, has all pieces, and is not over (clause 16).
func TestRandomStart(t *testing.T) {
	for rules, want := range map[string]string{
		"random":                             "o4o2/5x1x/1o2o3/1x1x1xo1/1xo1o1o1/2xx2x1/2x1x3/o1xoo1o1 b",
		"random:seed=1":                      "2o3o1/2o1oo2/2x1xo2/xx6/1x1o1xo1/xxxo1x2/1x1oo3/2x4o b",
		"random:seed=2024":                   "1o1x1ox1/1oxoo1o1/x2xo1x1/1x6/2x1o1o1/3xo2x/2x1o3/5ox1 b",
		"random:seed=18446744073709551615":   "3xox2/2xo3x/2o2x2/ox1xo3/1x1oo1oo/1x4o1/o4ox1/3x2x1 b",
		"random:size=6,seed=1":               "3o2/1x4/xx4/xox1xo/o2o1x/xooo2 b",
		"standard:start=random,size=4":       "1x2/2o1/ox1o/xo1x b",
		"standard:start=random,seed=1":       "2o3o1/2o1oo2/2x1xo2/xx6/1x1o1xo1/xxxo1x2/1x1oo3/2x4o b",
		"misere:start=random,size=5,seed=77": "3o1/x2o1/oox1x/o2xx/o1x2 b",
	} {
		if got := start(t, rules).String(); got != want {
			t.Errorf("%q: %q,", rules, got)
		}
	}
	for size := loa.MinSize; size <= loa.MaxSize; size++ {
		for seed := range uint64(1000) {
			each := 2 * (size - 2)
			for _, captures := range []loa.Captures{loa.CapturesYes, loa.CapturesNo} {
				p, err := loa.Rules{Start: loa.StartRandom, Size: size, Seed: seed, Captures: captures}.StartPosition()
				if err != nil {
					t.Fatal(err)
				}
				if p.Pieces(loa.Black).Count() != each || p.Pieces(loa.White).Count() != each || p.Outcome().Over() || p.MustPass() {
					t.Errorf("size %d, seed %d, captures %s: %s", size, seed, captures, p)
				}
			}
		}
	}
}

func TestNamesOfReasonsAndColors(t *testing.T) {
	want := []string{"connected", "both-connected", "no-move", "repetition", "ply-cap", "resigned", "flag", "agreed", "aborted", "abandoned", "adjudicated"}
	var got []string
	for r := loa.Connected; r <= loa.Adjudicated; r++ {
		got = append(got, r.String())
		if again, err := loa.ParseReason(r.String()); err != nil || again != r {
			t.Errorf("%s reads as %s, %v", r, again, err)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("reasons %v; they are stored, so they never change", got)
	}
	if loa.NotOver.String() != "" || loa.Reason(99).String() != "unknown" {
		t.Error("no reason has a name, or an unknown one has none")
	}
	for _, text := range []string{"", "bored"} {
		if _, err := loa.ParseReason(text); !errors.Is(err, loa.ErrSyntax) {
			t.Errorf("%q gives %v", text, err)
		}
	}
	for text, want := range map[string]loa.Color{"b": loa.Black, "White": loa.White, "BLACK": loa.Black, "w": loa.White} {
		if got, err := loa.ParseColor(text); err != nil || got != want || want.Opponent() == want {
			t.Errorf("%q gives %s, %v", text, got, err)
		}
	}
	if _, err := loa.ParseColor("red"); !errors.Is(err, loa.ErrSyntax) || !strings.Contains(err.Error(), `"red"`) {
		t.Errorf("red gives %v", err)
	}
	if loa.NoColor.String() != "none" {
		t.Errorf("no color is %s", loa.NoColor)
	}
}
