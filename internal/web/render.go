package web

import (
	"bytes"
	"compress/gzip"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"sync"

	"github.com/linesofaction/loa/internal/account"
)

//go:embed templates
var templateFiles embed.FS

// pages are the parsed templates: each page with the layout around it.
type pages map[string]*template.Template

// shared are the templates that every page may use.
var shared = []string{"templates/layout.html", "templates/icons.html", "templates/board.html", "templates/stops.html", "templates/mini.html", "templates/acts.html", "templates/reports.html", "templates/shared.html"}

func newPages() (pages, error) {
	base, err := template.ParseFS(templateFiles, shared...)
	if err != nil {
		return nil, err
	}
	files, err := fs.Glob(templateFiles, "templates/*.html")
	if err != nil {
		return nil, err
	}
	out := pages{}
	for _, file := range files {
		page, err := base.Clone()
		if err != nil {
			return nil, err
		}
		if page, err = page.ParseFS(templateFiles, file); err != nil {
			return nil, err
		}
		out[strings.TrimSuffix(path.Base(file), ".html")] = page
	}
	return out, nil
}

// page is what the layout needs; every page's data begins with one.
type page struct {
	voice
	settings
	Title   string
	Play    bool     // the page is a game: it fills the screen and does not scroll
	Section string   // the section of the site it belongs to, by its path
	Member  string   // the name of the member who reads, empty for a guest
	Notices bool     // a moderator has written to whoever reads
	Script  string   // the page's module
	Texts   any      // the texts of its scripts
	Here    string   // where settings lead back to
	Modules []string // all that its module imports

	assets  *assets
	invited func() int // see Invited; nil for a guest
	awaited func() int // see Awaited; nil for somebody unknown
}

// page begins a page for a request.
func (s *Server) page(r *http.Request) page {
	chosen := s.settings(r)
	here := "/"
	if r.Method == http.MethodGet {
		here = r.URL.RequestURI()
	}
	p := page{voice: s.catalog.voice(chosen.Lang, chosen.Board), settings: chosen, assets: s.assets, Here: here}
	if person, known, err := s.guest(r); err == nil && known {
		p.awaited = sync.OnceValue(func() int { return s.awaitedFrom(r, person) })
		if p.Notices = person.Notices > 0; person.Member {
			p.Member = person.Name
			p.invited = sync.OnceValue(func() int { return s.invitedTo(r, person) })
		}
	}
	return p
}

// Invited returns the number of open invitations of others to the member who reads. It is looked up once, and only for a
// page that shows it.
func (p page) Invited() int {
	if p.invited == nil {
		return 0
	}
	return p.invited()
}

// invitedTo returns how many open invitations wait for a person. A page is not refused for want of the number.
func (s *Server) invitedTo(r *http.Request, person account.Person) int {
	if s.Lobby == nil {
		return 0
	}
	challenges, err := s.Lobby.Challenges(r.Context(), person.ID)
	if err != nil {
		s.report(r, err)
	}
	n := 0
	for _, c := range challenges {
		if c.To == person.ID {
			n++
		}
	}
	return n
}

// Awaited returns the number of games at days a move that wait for a move of the reader. It is looked up once, and only for a page that shows
// it.
func (p page) Awaited() int {
	if p.awaited == nil || p.Section == "/lobby" { // where they are listed
		return 0
	}
	return p.awaited()
}

// awaitedFrom returns how many games at days a move wait for a person. A page is not refused for want of the number.
func (s *Server) awaitedFrom(r *http.Request, person account.Person) int {
	ids, err := s.People.Awaited(r.Context(), person.ID)
	if err != nil {
		s.report(r, err)
	}
	return len(ids)
}

// run gives a page its module and the texts that module says.
func (p *page) run(script string, prefixes ...string) {
	p.Script = script
	p.Modules = p.assets.Modules(script)
	p.Texts = p.table(append(prefixes, "format.list")...)
}

// Language returns the page's language; settings and voice both carry it.
func (p page) Language() string { return p.settings.Lang }

// Asset returns the address of a static file.
func (p page) Asset(name string) string { return p.assets.Path(name) }

// Keeps reports whether a browser can keep what works without network, for which it needs the engine.
func (p page) Keeps() bool { return p.assets.has(engineFile) }

// Languages returns the languages to choose from.
func (p page) Languages() any { return languages }

// section is a part of the site that every page leads to.
type section struct{ Path, Name, Icon string }

// Called is what the reader calls a person.
func (p page) Called(person account.Person) string { return p.called(person) }

// Sections returns the parts of the site. Wide screens have room for the course among them.
func (p page) Sections() []section {
	return []section{{"/lobby", "nav.play", "two"}, {"/watch", "nav.watch", "eye"}, {"/puzzles", "nav.puzzles", "puz"}, {"/players", "nav.players", "rank"}}
}

// Letters returns the keys that tell something of the board that has the focus.
func (p page) Letters() []string { return letters }

// Themes returns the themes of the page to choose from.
func (p page) Themes() []string { return themes }

// Boards returns the themes of the board to choose from.
func (p page) Boards() []string { return boards }

// Talks returns the choices about talk in games, and TalkName the chosen one.
func (p page) Talks() []string { return talks }

func (p page) TalkName() string {
	if p.Quiet {
		return talks[1]
	}
	return talks[0]
}

// PageTheme returns the chosen theme, empty where the device decides.
func (p page) PageTheme() string { return p.settings.Theme }

// ThemeName returns the chosen theme as the settings name it.
func (p page) ThemeName() string { return orElse(p.settings.Theme, themes[0]) }

// BoardTheme returns the board's theme.
func (p page) BoardTheme() string { return p.settings.Board }

// render answers with a page. A page is whole or it is not sent.
func (s *Server) render(w http.ResponseWriter, r *http.Request, status int, name string, data any) {
	s.renderTemplate(w, r, status, name, "layout", data)
}

// renderPart answers with a part of a page, for a script of the page.
func (s *Server) renderPart(w http.ResponseWriter, r *http.Request, name, part string, data any) {
	s.renderTemplate(w, r, http.StatusOK, name, part, data)
}

func (s *Server) renderTemplate(w http.ResponseWriter, r *http.Request, status int, name, part string, data any) {
	var body bytes.Buffer
	if err := s.pages[name].ExecuteTemplate(&body, part, data); err != nil {
		s.report(r, fmt.Errorf("page %s: %w", name, err))
		http.Error(w, "internal error", http.StatusInternalServerError)
		return
	}
	if s.root != "" {
		linked := s.links.Replace(body.String())
		body.Reset()
		body.WriteString(linked)
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "private, no-cache")
	h.Set("Vary", "Cookie, Accept-Language")
	h.Set("Content-Language", data.(interface{ Language() string }).Language())
	zip, err := compress(body.Bytes(), gzip.DefaultCompression)
	if err != nil {
		s.report(r, err)
	}
	write(w, r, status, body.Bytes(), zip)
}

// answer sends a document to a script of a page.
func (s *Server) answer(w http.ResponseWriter, r *http.Request, document any) {
	body, err := json.Marshal(document)
	if err != nil {
		s.internal(w, r, err)
		return
	}
	zip, err := compress(body, gzip.DefaultCompression)
	if err != nil {
		s.internal(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	write(w, r, http.StatusOK, body, zip)
}
