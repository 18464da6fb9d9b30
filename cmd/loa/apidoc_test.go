package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"
)

var (
	example = regexp.MustCompile("(?s)```(sh|json)\n(.*?)```")
	varies  = regexp.MustCompile(`^\$[A-Z]+$|…|^\d{4}-\d\d-\d\dT`) // an id, something shortened, a date
)

// like says how an answer differs from the one in the document, which may leave fields out, and notes what its names
// stand for.
func like(want, got any, at string, names map[string]string) error {
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			return fmt.Errorf("%s is %v", at, got)
		}
		for key, one := range w {
			if _, ok := g[key]; !ok {
				return fmt.Errorf("%s has no %s", at, key)
			}
			if err := like(one, g[key], at+"."+key, names); err != nil {
				return err
			}
		}
		return nil
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			return fmt.Errorf("%s is %v, want %d of them", at, got, len(w))
		}
		for i, one := range w {
			if err := like(one, g[i], fmt.Sprint(at, i), names); err != nil {
				return err
			}
		}
		return nil
	case string:
		g, ok := got.(string)
		if name, is := strings.CutPrefix(w, "$"); is && ok && g != "" && (names[name] == "" || names[name] == g) {
			names[name] = g
			return nil
		}
		if ok && varies.MatchString(w) && !strings.HasPrefix(w, "$") {
			return nil
		}
	}
	if want != got {
		return fmt.Errorf("%s is %v, want %v", at, got, want)
	}
	return nil
}

// Every example of docs/api.md is run, as it stands there, against a club, and what the document says is answered.
func TestExamplesOfTheInterfaceForProgramsRun(t *testing.T) {
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("curl is missing; the examples of docs/api.md are not run")
	}
	text, err := os.ReadFile("../../docs/api.md")
	if err != nil {
		t.Fatal(err)
	}
	address, _ := served(t, t.TempDir())
	names := map[string]string{
		"CLUB": address, "TOKEN": tokenOf(t, address, "Okonjo", "read", "play", "challenge"), "OTHER": tokenOf(t, address, "Marit", "read", "play", "challenge"),
	}
	answer, ran := "", 0
	run := func(script string) string {
		command := exec.Command("sh", "-euc", script)
		command.Env = os.Environ()
		for name, value := range names {
			command.Env = append(command.Env, name+"="+value)
		}
		out, err := command.Output()
		if err != nil {
			t.Fatalf("%s: %v\n%s", script, err, out)
		}
		return string(out)
	}
	script := ""
	for _, block := range example.FindAllStringSubmatch(string(text), -1) {
		if block[1] == "sh" {
			script, answer = block[2], run(block[2])
			ran++
			for line := range strings.Lines(answer) {
				if strings.Contains(line, `"error"`) && !strings.Contains(script, "chess") {
					t.Errorf("%s: %s", script, line)
				}
			}
			continue
		}
		var want, got any
		if err := json.Unmarshal([]byte(block[2]), &want); err != nil {
			t.Fatalf("%s: %v", block[2], err)
		}
		for until := time.Now().Add(time.Minute); strings.TrimSpace(answer) == "" && time.Now().Before(until); { // a game is listed a second after its end
			answer = run(script)
		}
		line, _, _ := strings.Cut(strings.TrimSpace(answer), "\n")
		if err := json.Unmarshal([]byte(line), &got); err != nil {
			t.Fatalf("%s answers %q: %v", script, line, err)
		}
		if err := like(want, got, "the answer", names); err != nil {
			t.Errorf("%s: %v\n%s", script, err, line)
		}
	}
	if ran < 10 {
		t.Errorf("%d examples were run", ran)
	}
	var document struct{ Paths map[string]map[string]any }
	apiOf(t, address, "").must(t, "GET", "/api/openapi.json", nil, &document)
	for path, methods := range document.Paths {
		for method := range methods {
			if call := strings.ToUpper(method) + " " + path; !strings.Contains(string(text), "`"+call+"`") {
				t.Errorf("docs/api.md does not list %s", call)
			}
		}
	}
}
