package web

import (
	"io/fs"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
	"golang.org/x/text/width"
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

// inflections returns the forms that numbers up to a hundred take in a language, sorted.
func inflections(code string) []string {
	names := [...]string{plural.Other: "other", plural.Zero: "zero", plural.One: "one", plural.Two: "two", plural.Few: "few", plural.Many: "many"}
	found := map[string]bool{}
	for n := range 100 {
		found[names[plural.Cardinal.MatchPlural(language.Make(code), n, 0, 0, 0, 0)]] = true
	}
	return slices.Sorted(maps.Keys(found))
}

func TestLanguagesSayTheSameThings(t *testing.T) {
	c, err := newCatalog()
	if err != nil {
		t.Fatal(err)
	}
	holes := func(m *i18n.Message) []string {
		found := placeholder.FindAllString(strings.Join(slices.Collect(maps.Values(forms(m))), ""), -1)
		slices.Sort(found)
		return slices.Compact(found)
	}
	for _, l := range languages {
		inflected := inflections(l.Code)
		for key, want := range c.messages["en"] {
			got := c.messages[l.Code][key]
			switch {
			case got == nil:
				t.Errorf("%s has no text %q", l.Code, key)
			case want.One == "" && len(forms(got)) > 1:
				t.Errorf("%s %q has a plural, and English has not", l.Code, key)
			case want.One != "" && !slices.Equal(slices.Sorted(maps.Keys(forms(got))), inflected):
				t.Errorf("%s %q has the forms %v, want %v", l.Code, key, slices.Sorted(maps.Keys(forms(got))), inflected)
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

// rooms are the narrow places of the pages: what begins like this must not be wider than so many columns, a wide
// character counting two and a value two. The figures are those of a screen of 320 px.
var rooms = []struct {
	columns int
	keys    []string
}{
	{10, []string{"act.flip", "act.takeback", "act.replay", "act.analyse", "act.sound", "act.resign", "act.new", "act.more", "act.draw", "act.abort", "act.help", "act.setup", "nav."}},
	{10, []string{"side.", "clock.", "level.short", "home.color", "home.color.any", "table.done", "table.clear", "table.begin", "table.turn"}},
	{11, []string{"puzzles.again", "puzzles.solution", "puzzles.next", "leaders.pools", "leaders.place", "leaders.player", "leaders.rating", "player.won", "player.won.count", "player.lost", "player.lost.count", "player.drawn", "player.drawn.count", "talk.send"}},
	{11, []string{"lobby.player", "lobby.clock", "lobby.rules", "lobby.range", "lobby.join", "lobby.move", "lobby.yours", "lobby.anyone"}},
	{12, []string{"state.", "offer.accept", "offer.decline", "offer.withdraw", "resign.yes", "abort.yes", "confirm.no", "board.blocks"}},
	{16, []string{"groups.left", "game.watching", "resign.keep", "help.best", "help.threats", "help.mine", "result.again", "result.swap", "result.rematch", "result.next", "watch.over", "watch.live"}},
	{20, []string{"claim.win", "claim.draw", "help.on", "help.up", "help.down", "rated.short.", "speed.", "talk.title", "talk.mute", "talk.unmute", "lobby.quick", "lobby.own", "lobby.friend", "lobby.stop", "look.theme.", "signin.do", "join.do"}},
	{26, []string{"home.play", "home.find", "home.continue", "lobby.find", "lobby.seeks", "learn.play", "table.keep", "look.board.", "ruleset.", "result.draw", "result.you", "result.side"}},
}

// roomy are keys that begin like one of the narrow places and stand elsewhere.
var roomy = []string{".about", ".ask"}

// columns returns how wide a text is.
func columns(text string) int {
	n := 0
	for _, r := range placeholder.ReplaceAllString(text, "..") {
		n++
		if kind := width.LookupRune(r).Kind(); kind == width.EastAsianWide || kind == width.EastAsianFullwidth {
			n++
		}
	}
	return n
}

func TestNarrowPlacesHoldTheirTexts(t *testing.T) {
	c, err := newCatalog()
	if err != nil {
		t.Fatal(err)
	}
	for _, room := range rooms {
		for _, prefix := range room.keys {
			found := false
			for _, l := range languages {
				for key, m := range c.messages[l.Code] {
					ends := func(end string) bool { return strings.HasSuffix(key, end) }
					if key != prefix && (!strings.HasSuffix(prefix, ".") || !strings.HasPrefix(key, prefix)) || slices.ContainsFunc(roomy, ends) {
						continue
					}
					found = true
					for form, text := range forms(m) {
						if got := columns(text); got > room.columns {
							t.Errorf("%s %q (%s) takes %d columns, and there are %d: %s", l.Code, key, form, got, room.columns, text)
						}
					}
				}
			}
			if !found {
				t.Errorf("no text is called %q", prefix)
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
		{"en", "slate", "Black"},
		{"en", "redwhite", "Red"},
		{"nl", "redwhite", "Rood"},
		{"nl", "wood", "Zwart"},
		{"es", "slate", "Negras"},
		{"de", "slate", "Schwarz"},
		{"fr", "redwhite", "Rouges"},
		{"zh-Hans", "slate", "黑方"},
		{"ja", "redwhite", "赤"},
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
	for _, test := range []struct {
		lang  string
		count int
		want  string
	}{
		{"en", 1, "1 group left"},
		{"en", 3, "3 groups left"},
		{"de", 1, "noch 1 Gruppe"},
		{"de", 1234, "noch 1.234 Gruppen"},
		{"fr", 0, "0 groupe"},
		{"fr", 2, "2 groupes"},
		{"zh-Hans", 1, "剩1组"},
		{"ja", 3, "残り3グループ"},
	} {
		if got := c.voice(test.lang, "slate").T("groups.left", "Count", test.count); got != test.want {
			t.Errorf("%s says %q for %d groups, want %q", test.lang, got, test.count, test.want)
		}
	}
}

func TestDatesAndNumbersFollowTheLanguage(t *testing.T) {
	c, err := newCatalog()
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 3, 9, 15, 4, 0, 0, time.UTC)
	for lang, want := range map[string][4]string{
		"en":      {"Mar 9, 2026", "3:04 PM", "Mar 9, 2026, 3:04 PM UTC", "62%"},
		"de":      {"9.3.2026", "15:04", "9.3.2026, 15:04 UTC", "62\u00a0%"},
		"es":      {"9/3/2026", "15:04", "9/3/2026, 15:04 UTC", "62\u00a0%"},
		"fr":      {"09/03/2026", "15:04", "09/03/2026 15:04 UTC", "62\u00a0%"},
		"ja":      {"2026年3月9日", "15:04", "2026年3月9日 15:04 UTC", "62%"},
		"nl":      {"9-3-2026", "15:04", "9-3-2026 15:04 UTC", "62%"},
		"zh-Hans": {"2026年3月9日", "15:04", "2026年3月9日 15:04 UTC", "62%"},
	} {
		v := c.voice(lang, "slate")
		if got := [4]string{v.Date(at), v.Time(at), v.Moment(at), v.Percent(62)}; got != want {
			t.Errorf("%s writes %q, want %q", lang, got, want)
		}
	}
}

func TestEveryLanguageIsFoundByItsReaders(t *testing.T) {
	c, err := newCatalog()
	if err != nil {
		t.Fatal(err)
	}
	for accept, want := range map[string]string{
		"zh": "zh-Hans", "zh-CN,zh;q=0.9,en;q=0.8": "zh-Hans", "zh-Hans-CN": "zh-Hans", "zh-SG": "zh-Hans", "zh-TW": "zh-Hans", "ja-JP": "ja",
		"de-CH": "de", "fr-BE": "fr", "nl": "nl", "es-419": "es", "en-GB": "en", "el": "en", "el, ja;q=0.5": "ja", "": "en",
	} {
		if got := c.choose(accept); got != want {
			t.Errorf("%q reads %q, want %q", accept, got, want)
		}
	}
}

// TestValuesNameTheSideAsTheBoardShowsIt: on a board with red pieces nothing is worth anything for Black.
func TestValuesNameTheSideAsTheBoardShowsIt(t *testing.T) {
	c, err := newCatalog()
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range languages {
		v := c.voice(l.Code, "redwhite")
		for key := range c.messages[l.Code] {
			if strings.HasPrefix(key, "analysis.") || strings.HasPrefix(key, "help.") || strings.HasPrefix(key, "openings.") {
				for _, text := range forms(c.messages[l.Code][v.key(key)]) {
					for _, side := range []string{"side.black", "side.white"} {
						if name := c.voice(l.Code, "").T(side); strings.Contains(text, name) && len([]rune(name)) > 1 {
							t.Errorf("%s %q names %s: %q", l.Code, key, name, text)
						}
					}
				}
			}
		}
	}
}
