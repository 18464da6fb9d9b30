package web

import (
	"encoding/json"
	"net/http"
)

// offlineFile is the script that answers for this server when there is no network. It may do that for all pages, though
// it lies with the static files.
const offlineFile = "sw.js"

// The page's background, light, and the frame of the board, as the stylesheet has them.
const (
	paperColor = "#f2f4f3"
	frameColor = "#323d45"
)

// manifest describes the site as an application that can be installed.
func (s *Server) manifest(w http.ResponseWriter, r *http.Request) {
	v := s.voice(r)
	type icon struct {
		Src     string `json:"src"`
		Sizes   string `json:"sizes"`
		Type    string `json:"type"`
		Purpose string `json:"purpose"`
	}
	type shortcut struct {
		Name string `json:"name"`
		URL  string `json:"url"`
	}
	body, err := json.Marshal(struct {
		ID          string     `json:"id"`
		Name        string     `json:"name"`
		Description string     `json:"description"`
		Lang        string     `json:"lang"`
		StartURL    string     `json:"start_url"`
		Scope       string     `json:"scope"`
		Display     string     `json:"display"`
		Background  string     `json:"background_color"`
		Theme       string     `json:"theme_color"`
		Icons       []icon     `json:"icons"`
		Shortcuts   []shortcut `json:"shortcuts"`
	}{
		ID: s.root + "/", Name: v.T("site.name"), Description: v.T("site.description"), Lang: s.settings(r).Lang,
		StartURL: s.root + "/", Scope: s.root + "/", Display: "standalone", Background: paperColor, Theme: frameColor,
		Icons: []icon{
			{s.root + s.assets.Path("icon-192.png"), "192x192", "image/png", "any maskable"},
			{s.root + s.assets.Path("icon-512.png"), "512x512", "image/png", "any maskable"},
			{s.root + s.assets.Path("icon.svg"), "any", "image/svg+xml", "any"},
		},
		Shortcuts: []shortcut{{v.T("table.title"), s.root + "/board"}, {v.T("home.find"), s.root + "/lobby"}},
	})
	if err != nil {
		s.internal(w, r, err)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "application/manifest+json")
	h.Set("Cache-Control", "private, no-cache")
	h.Set("Vary", "Cookie, Accept-Language")
	w.Write(body)
}
