package web

import (
	"io/fs"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
)

// sources returns the text of everything that can say something, by file name.
func sources(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, pattern := range []string{"*.go", "templates/*.html", "static/*.js"} {
		names, err := fs.Glob(os.DirFS("."), pattern)
		if err != nil || len(names) == 0 {
			t.Fatalf("no files for %s: %v", pattern, err)
		}
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			body, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			out[name] = string(body)
		}
	}
	return out
}

var (
	// said finds keys written out: T("key" in Go, .T "key" in templates, say("key" in scripts.
	said = regexp.MustCompile(`(?:\bT\(|\.T |\bsay\()"([a-z0-9.-]+)"`)
	// begun finds keys put together: "ruleset." + name, (print "level." .Level), say(` + "`side.${color}`" + `).
	begun = regexp.MustCompile("(?:\\bT\\(\"|print \"|say\\(`)([a-z0-9.-]+\\.)(?:\"|\\$)")
	// quoted finds any text that could be a key.
	quoted = regexp.MustCompile("[\"`]([a-z0-9-]+(?:\\.[a-z0-9-]+)+|[a-z]+)[\"`]")
)

func TestEveryTextIsUsedAndEveryUseHasAText(t *testing.T) {
	c, err := newCatalog()
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	prefixes := map[string]bool{"error.": true} // fail puts "error.", the status and ".title" together
	for name, body := range sources(t) {
		for _, m := range said.FindAllStringSubmatch(body, -1) {
			if c.messages["en"][m[1]] == nil && !strings.HasSuffix(m[1], ".") {
				t.Errorf("%s says %q, which has no text", name, m[1])
			}
		}
		for _, m := range begun.FindAllStringSubmatch(body, -1) {
			prefixes[m[1]] = true
		}
		for _, m := range quoted.FindAllStringSubmatch(body, -1) {
			used[m[1]] = true
		}
	}
	for key := range c.messages["en"] {
		begins := func(prefix string) bool { return strings.HasPrefix(key, prefix) }
		if key == "side.red" || key == "piece.red" {
			continue // stand in for side.black and piece.black
		}
		if !used[key] && !slices.ContainsFunc(slices.Collect(maps.Keys(prefixes)), begins) {
			t.Errorf("text %q is never used", key)
		}
	}
}

var placeholder = regexp.MustCompile(`\{\{\.\w+\}\}`)

func TestLanguagesSayTheSameThings(t *testing.T) {
	c, err := newCatalog()
	if err != nil {
		t.Fatal(err)
	}
	holes := func(m *i18n.Message) []string {
		found := placeholder.FindAllString(m.One+m.Other, -1)
		slices.Sort(found)
		return slices.Compact(found)
	}
	for _, l := range languages[1:] {
		inflects := plural.Cardinal.MatchPlural(language.Make(l.Code), 1, 0, 0, 0, 0) == plural.One
		for key, want := range c.messages["en"] {
			got := c.messages[l.Code][key]
			switch {
			case got == nil:
				t.Errorf("%s has no text %q", l.Code, key)
			case (got.One != "") != (want.One != "" && inflects):
				t.Errorf("%s %q: one form for one, %q; English has %q, and the language inflects: %t", l.Code, key, got.One, want.One, inflects)
			case !slices.Equal(holes(got), holes(want)):
				t.Errorf("%s %q has the values %v, want %v", l.Code, key, holes(got), holes(want))
			case strings.Count(got.Other, "*")%2 != 0:
				t.Errorf("%s %q: a stress is not closed", l.Code, key)
			}
		}
		for key := range c.messages[l.Code] {
			if c.messages["en"][key] == nil {
				t.Errorf("%s has a text %q that English has not", l.Code, key)
			}
		}
	}
}

func TestRedAndWhiteRenamesTheSides(t *testing.T) {
	c, err := newCatalog()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ lang, board, want string }{
		{"en", "slate", "Black"}, {"en", "redwhite", "Red"}, {"nl", "redwhite", "Rood"}, {"nl", "wood", "Zwart"}, {"es", "slate", "Negras"},
	} {
		v := c.voice(test.lang, test.board)
		if got := v.T("side.black"); got != test.want {
			t.Errorf("%s on %s: first player is %q, want %q", test.lang, test.board, got, test.want)
		}
		if got := v.table("side.")["side.black"]; got != test.want {
			t.Errorf("%s on %s: scripts call the first player %q, want %q", test.lang, test.board, got, test.want)
		}
	}
}

func TestPlurals(t *testing.T) {
	c, err := newCatalog()
	if err != nil {
		t.Fatal(err)
	}
	v := c.voice("en", "slate")
	if one, many := v.T("groups.left", "Count", 1), v.T("groups.left", "Count", 3); one != "1 group left" || many != "3 groups left" {
		t.Errorf("got %q and %q", one, many)
	}
}
