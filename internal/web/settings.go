package web

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// settings are what a reader chose of language and look.
type settings struct {
	Lang  string // as chosen, or by the browser
	Theme string // empty follows the device
	Board string // as chosen, or by the language
	Quiet bool   // no talk is shown in games
}

// The choices, the default first. The texts that name them are look.theme.…, look.board.… and look.talk.…
var (
	themes = []string{"auto", "light", "dark", "contrast"}
	boards = []string{"slate", "wood", "paper", "redwhite", "pattern"}
	talks  = []string{"on", "off"}
)

const (
	settingsCookie = "loa_look"
	remember       = 400 * 24 * time.Hour // as long as browsers keep a cookie
)

// settings reads what was chosen. What is missing or unknown falls back to the browser's language, the
// device's theme, and the board that players of that language are used to.
func (s *Server) settings(r *http.Request) settings {
	chosen := url.Values{}
	if cookie, err := r.Cookie(settingsCookie); err == nil {
		if values, err := url.ParseQuery(cookie.Value); err == nil {
			chosen = values
		}
	}
	out := settings{Lang: chosen.Get("lang"), Theme: chosen.Get("theme"), Board: chosen.Get("board")}
	if !isLanguage(out.Lang) {
		out.Lang = s.catalog.choose(r.Header.Get("Accept-Language"))
	}
	if !slices.Contains(themes[1:], out.Theme) {
		out.Theme = ""
	}
	if !slices.Contains(boards, out.Board) {
		out.Board = usualBoard(out.Lang)
	}
	out.Quiet = chosen.Get("talk") == "off"
	return out
}

// usualBoard is the board that players of a language are used to: Dutch players know the sides as Red and White.
func usualBoard(lang string) string {
	if lang == "nl" {
		return "redwhite"
	}
	return boards[0]
}

func isLanguage(code string) bool {
	return slices.ContainsFunc(languages, func(l struct{ Code, Name string }) bool { return l.Code == code })
}

// changeSettings remembers a choice and goes back to where it was made.
func (s *Server) changeSettings(w http.ResponseWriter, r *http.Request) {
	if !s.form(w, r) {
		return
	}
	lang, theme, board, talk := r.PostForm.Get("lang"), r.PostForm.Get("theme"), r.PostForm.Get("board"), orElse(r.PostForm.Get("talk"), "on")
	switch {
	case !isLanguage(lang):
		s.refuse(w, r, "lang", lang, "en, nl, es")
		return
	case !slices.Contains(themes, theme):
		s.refuse(w, r, "theme", theme, strings.Join(themes, ", "))
		return
	case !slices.Contains(boards, board):
		s.refuse(w, r, "board", board, strings.Join(boards, ", "))
		return
	case !slices.Contains(talks, talk):
		s.refuse(w, r, "talk", talk, strings.Join(talks, ", "))
		return
	}
	chosen := url.Values{"lang": {lang}, "theme": {theme}, "talk": {talk}}
	if board != usualBoard(s.settings(r).Lang) {
		chosen.Set("board", board) // otherwise the board follows the language
	}
	http.SetCookie(w, &http.Cookie{
		Name: settingsCookie, Value: chosen.Encode(), Path: s.root + "/", MaxAge: int(remember.Seconds()),
		HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: secure(r),
	})
	http.Redirect(w, r, localPath(r.PostForm.Get("back")), http.StatusSeeOther)
}

// localPath returns a path of this server, whatever was asked for.
func localPath(back string) string {
	at, err := url.Parse(back)
	if err != nil || at.IsAbs() || at.Host != "" || !strings.HasPrefix(back, "/") || strings.ContainsAny(back, "\\\r\n") || strings.HasPrefix(back, "//") {
		return "/"
	}
	return at.RequestURI()
}

// secure reports whether the browser came over an encrypted connection.
func secure(r *http.Request) bool {
	return r.TLS != nil || r.Header.Get("X-Forwarded-Proto") == "https"
}
