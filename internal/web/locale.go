package web

import (
	"embed"
	"fmt"
	"maps"
	"path"
	"strings"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"
)

//go:embed locales
var localeFiles embed.FS

// languages are those the pages speak, the default first, each by its own name. A code is also the name of its file.
var languages = []struct{ Code, Name string }{
	{"en", "English"},
	{"de", "Deutsch"},
	{"es", "Español"},
	{"fr", "Français"},
	{"ja", "日本語"},
	{"nl", "Nederlands"},
	{"zh-Hans", "简体中文"},
}

// catalog is every text in every language.
type catalog struct {
	bundle   *i18n.Bundle
	matcher  language.Matcher
	messages map[string]map[string]*i18n.Message // by language and key
}

func newCatalog() (*catalog, error) {
	c := &catalog{bundle: i18n.NewBundle(language.English), messages: map[string]map[string]*i18n.Message{}}
	var tags []language.Tag
	for _, l := range languages {
		name := path.Join("locales", l.Code+".json")
		body, err := localeFiles.ReadFile(name)
		if err != nil {
			return nil, err
		}
		file, err := c.bundle.ParseMessageFileBytes(body, name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		c.messages[l.Code] = map[string]*i18n.Message{}
		for _, m := range file.Messages {
			c.messages[l.Code][m.ID] = m
		}
		tags = append(tags, language.Make(l.Code))
	}
	c.matcher = language.NewMatcher(tags)
	return c, nil
}

// choose returns the language for a browser's Accept-Language.
func (c *catalog) choose(accept string) string {
	_, i := language.MatchStrings(c.matcher, accept)
	return languages[i].Code
}

// voice says things in one language, and names the sides after the colors the board shows.
type voice struct {
	Lang    string
	catalog *catalog
	say     *i18n.Localizer
	red     bool // the first player is painted red
}

func (c *catalog) voice(lang, board string) voice {
	return voice{Lang: lang, catalog: c, say: i18n.NewLocalizer(c.bundle, lang), red: board == "redwhite"}
}

// key returns the key under which a text is found.
func (v voice) key(key string) string {
	if v.red && (key == "side.black" || key == "piece.black") {
		return strings.Replace(key, "black", "red", 1)
	}
	return key
}

// T returns a text. The arguments are names and values by turns: T("result.side", "Side", "Black").
// A value named Count chooses the plural.
func (v voice) T(key string, args ...any) string {
	config := i18n.LocalizeConfig{MessageID: v.key(key)}
	if len(args) > 0 {
		values := map[string]any{}
		for i := 0; i+1 < len(args); i += 2 {
			values[fmt.Sprint(args[i])] = args[i+1]
		}
		if n, ok := values["Count"]; ok {
			config.PluralCount, values["Count"] = n, v.counted(n)
		}
		config.TemplateData = values
	}
	text, err := v.say.Localize(&config)
	if err != nil {
		return key // a test makes sure that this does not happen
	}
	return text
}

// forms are the plural forms of a text, by the names Intl.PluralRules has for them.
func forms(m *i18n.Message) map[string]string {
	all := map[string]string{"zero": m.Zero, "one": m.One, "two": m.Two, "few": m.Few, "many": m.Many, "other": m.Other}
	maps.DeleteFunc(all, func(_, text string) bool { return text == "" })
	return all
}

// table returns the texts under some prefixes, for a page's scripts: text, or plural forms by category.
func (v voice) table(prefixes ...string) map[string]any {
	out := map[string]any{}
	for key := range v.catalog.messages[v.Lang] {
		for _, prefix := range prefixes {
			if strings.HasPrefix(key, prefix) {
				if all := forms(v.catalog.messages[v.Lang][v.key(key)]); len(all) > 1 {
					out[key] = all
				} else {
					out[key] = all["other"]
				}
			}
		}
	}
	return out
}
