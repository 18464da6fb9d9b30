package sgf_test

import (
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/sgf"
)

var update = flag.Bool("update", false, "rewrite the golden files")

var forms = []sgf.Form{sgf.FormSGF, sgf.FormText, sgf.FormJSON}

// parse reads a text that has no errors.
func parse(t *testing.T, text string, o sgf.Options) ([]*sgf.Record, []sgf.Warning) {
	t.Helper()
	records, warnings, err := sgf.Parse([]byte(text), o)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return records, warnings
}

func encode(t *testing.T, form sgf.Form, records ...*sgf.Record) string {
	t.Helper()
	text, err := sgf.Encode(form, records...)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// samples returns the records of testdata by their file names.
func samples(t testing.TB) map[string]string {
	t.Helper()
	files, err := filepath.Glob("testdata/*.sgf")
	if err != nil {
		t.Fatal(err)
	}
	games, err := filepath.Glob("../testdata/games/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 4 || len(games) < 10 {
		t.Fatalf("%d samples and %d games in testdata, expected 4 and 10 at least", len(files), len(games))
	}
	texts := map[string]string{}
	for _, file := range append(files, games...) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		texts[file] = string(text)
	}
	return texts
}

func TestEveryFormGivesBackTheSameRecord(t *testing.T) {
	for file, text := range samples(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			first, _ := parse(t, text, sgf.Options{})
			for _, form := range forms {
				again, warnings := parse(t, encode(t, form, first...), sgf.Options{Strict: true})
				if len(warnings) > 0 {
					t.Errorf("%s: warnings about our own writing: %v", form, warnings)
				}
				if !reflect.DeepEqual(first, again) {
					t.Errorf("%s gives back another record:\n%s", form, encode(t, form, again...))
				}
			}
		})
	}
}

func TestFormsInAChain(t *testing.T) {
	for file, text := range samples(t) {
		records, _ := parse(t, text, sgf.Options{})
		begin := encode(t, sgf.FormSGF, records...)
		for _, form := range []sgf.Form{sgf.FormJSON, sgf.FormText, sgf.FormSGF} {
			records, _ = parse(t, encode(t, form, records...), sgf.Options{Strict: true})
		}
		if end := encode(t, sgf.FormSGF, records...); end != begin {
			t.Errorf("%s: SGF, JSON, text and back differ:\n%s\n%s", file, begin, end)
		}
	}
}

func TestWrittenForms(t *testing.T) {
	for file, text := range samples(t) {
		if strings.Contains(file, "games") && !strings.Contains(file, "E1") {
			continue
		}
		records, _ := parse(t, text, sgf.Options{})
		for _, form := range forms {
			got := encode(t, form, records...)
			golden := "testdata/golden/" + strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)) + "." + string(form)
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("%s changed; -update if it should:\n%s", golden, got)
			}
		}
	}
}

func TestSeveralGamesInAFile(t *testing.T) {
	var all []*sgf.Record
	for _, text := range samples(t) {
		records, _ := parse(t, text, sgf.Options{})
		all = append(all, records...)
	}
	for _, form := range forms {
		again, _ := parse(t, encode(t, form, all...), sgf.Options{Strict: true})
		if !reflect.DeepEqual(all, again) {
			t.Errorf("%s: %d games come back as %d, or changed", form, len(all), len(again))
		}
	}
}

func TestEveryStartAndRuleSetSurvives(t *testing.T) {
	var rules []loa.Rules
	for _, set := range loa.RuleSets() {
		rules = append(rules, set.Rules)
	}
	for _, text := range []string{"random:seed=7", "random:size=5,seed=18446744073709551615", "standard:size=4", "misere:size=7,cap=90", "classic:nomove=loss,repetition=none,captures=no"} {
		r, err := loa.ParseRules(text)
		if err != nil {
			t.Fatal(err)
		}
		rules = append(rules, r)
	}
	for _, r := range rules {
		p, err := r.StartPosition()
		if err != nil {
			t.Fatal(err)
		}
		record := &sgf.Record{Rules: r, Start: p.Setup()}
		m := p.Moves(nil)[0]
		record.Root.Next = []*sgf.Node{{Move: m}}
		for _, form := range forms {
			text := encode(t, form, record)
			again, _ := parse(t, text, sgf.Options{Strict: true})
			if len(again) != 1 || !reflect.DeepEqual(record, again[0]) {
				t.Errorf("%s as %s comes back changed:\n%s", r, form, text)
			}
		}
	}
}

func TestEveryResultSurvives(t *testing.T) {
	results := []sgf.Result{{}, {Standing: sgf.Unfinished}}
	for winner := loa.Black; winner <= loa.NoColor; winner++ {
		for reason := loa.Resigned; reason <= loa.Adjudicated; reason++ {
			results = append(results, sgf.Result{Standing: sgf.Decided, Winner: winner, Reason: reason})
		}
	}
	start, err := loa.Rules{}.StartPosition()
	if err != nil {
		t.Fatal(err)
	}
	for _, result := range results {
		record := &sgf.Record{Start: start.Setup(), Result: result}
		for _, form := range forms {
			text := encode(t, form, record)
			again, _ := parse(t, text, sgf.Options{Strict: true})
			if again[0].Result != result {
				t.Errorf("%v as %s comes back as %v:\n%s", result, form, again[0].Result, text)
			}
		}
	}
}

// FuzzEveryFormHoldsEveryRecord: whatever is said of whichever moves, each form gives it back.
func FuzzEveryFormHoldsEveryRecord(f *testing.F) {
	f.Add(uint8(0), []byte("moves and variations"), "a comment\n\n  of } ] \\ lines", "Ann: [x] {y} #z", uint8(2))
	f.Add(uint8(7), []byte{3, 1, 4, 1, 5, 9, 2, 6, 250, 3, 5, 251, 8, 9, 252, 7, 9}, "# rules: x\nmoves: y", "\\", uint8(5))
	f.Fuzz(func(t *testing.T, set uint8, choices []byte, comment, name string, result uint8) {
		sets := loa.RuleSets()
		rules := sets[int(set)%len(sets)].Rules
		start, err := rules.StartPosition()
		if err != nil {
			t.Fatal(err)
		}
		record := &sgf.Record{Rules: rules, Start: start.Setup(), Players: [2]string{name, comment}, Result: sgf.Result{Standing: sgf.Standing(result % 2)}}
		record.Root.Comment = comment
		record.Root.Props = map[string][]string{"EV": {name}, "GC": {comment, name}}
		grow(&record.Root, start, choices[:min(len(choices), 60)], comment, name, 0)
		text, err := sgf.Encode(sgf.FormJSON, record)
		if err != nil {
			return // a variation that the moves do not allow
		}
		// The texts of a record that was read are in their normal form.
		records, _, err := sgf.Parse(text, sgf.Options{})
		if err != nil {
			return // the result, or a line that goes on after a repetition
		}
		for _, form := range forms {
			written := encode(t, form, records...)
			again, warnings := parse(t, written, sgf.Options{Strict: true})
			if len(warnings) > 0 || !reflect.DeepEqual(records, again) {
				t.Fatalf("%s gives back another record, %v:\n%s\n%s", form, warnings, written, encode(t, form, again...))
			}
		}
	})
}

// grow adds moves to a node, one for each choice; large choices begin a variation, end it, or say something.
func grow(at *sgf.Node, p loa.Position, choices []byte, comment, name string, nesting int) {
	for i, choice := range choices {
		moves := p.Moves(nil)
		if len(moves) == 0 {
			return
		}
		switch {
		case choice >= 250 && nesting < 3:
			side := &sgf.Node{Move: moves[i%len(moves)]}
			main := &sgf.Node{Move: moves[0]}
			at.Next = append(at.Next, main, side)
			grow(side, p.PlayUnchecked(side.Move), choices[i+1:], name, comment, nesting+1)
			at, p = main, p.PlayUnchecked(main.Move)
			continue
		case choice >= 220:
			at.Comment = comment
			at.Props = map[string][]string{"TR": {"a1", name}, "BL": {comment}}
		}
		next := &sgf.Node{Move: moves[int(choice)%len(moves)]}
		at.Next = append(at.Next, next)
		at, p = next, p.PlayUnchecked(next.Move)
	}
}

// FuzzReadableIsWritable: Parse never panics, and whatever it reads, each form gives back.
func FuzzReadableIsWritable(f *testing.F) {
	for _, text := range samples(f) {
		f.Add(text)
		records, _, err := sgf.Parse([]byte(text), sgf.Options{})
		if err != nil {
			f.Fatal(err)
		}
		for _, form := range forms {
			again, err := sgf.Encode(form, records...)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(string(again))
		}
	}
	f.Add(`(;GM[LOA]P0[id " Ann "]P0[time 1];P0[1 b1-b3])`)
	f.Add("(;GM[9]SU[Custom]AB[a1:b2]AW[h8][g6]PL[W];W[h8:h8])")
	f.Add("about: a\n\n  b\nmoves: c8 c6, h4 x f2 (h4-f4) resigns # x\n\n# next\nrules: mini\n")
	f.Fuzz(func(t *testing.T, text string) {
		records, _, err := sgf.Parse([]byte(text), sgf.Options{})
		if err != nil {
			return
		}
		for _, form := range forms {
			written := encode(t, form, records...)
			again, _, err := sgf.Parse([]byte(written), sgf.Options{})
			if err != nil {
				t.Fatalf("%s is not read back: %v\n%s", form, err, written)
			}
			if !reflect.DeepEqual(records, again) {
				t.Fatalf("%s gives back another record:\n%s\n%s", form, written, encode(t, form, again...))
			}
		}
	})
}
