package web

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// ParsePublic reads the address people use. Its path is where a proxy has the site, empty for a host of its own.
func ParsePublic(address string) (*url.URL, error) {
	if address == "" {
		return new(url.URL), nil
	}
	at, err := url.Parse(address)
	if err != nil || at.Scheme != "https" && at.Scheme != "http" || at.Host == "" || at.User != nil || at.RawQuery != "" || at.Fragment != "" || at.RawPath != "" {
		return nil, fmt.Errorf("address for people %q: expected one such as https://example.org or https://example.org/loa", address)
	}
	at.Path = strings.TrimRight(at.Path, "/")
	return at, nil
}

// Within this package every path begins where the site does. What leaves for a browser is led under the root here: links of
// pages, and where answers lead. (The paths of cookies, of the manifest and of the worker for pages without network are
// written where they are made; scripts know the root from their own address.)

// links writes the addresses of a page under a root. They stand between quotes, which no text of a page does unescaped.
func links(root string) *strings.Replacer {
	var pairs []string
	for _, name := range []string{"href", "src", "action", "formaction"} {
		pairs = append(pairs, " "+name+`="/`, " "+name+`="`+root+"/")
	}
	return strings.NewReplacer(pairs...)
}

// mount takes the root off the paths of requests, if the proxy has not done so already.
func (s *Server) mount(next http.Handler) http.Handler {
	if s.root == "" {
		return next
	}
	stripped := http.StripPrefix(s.root, next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == s.root:
			http.Redirect(w, r, s.root+"/", http.StatusPermanentRedirect)
			return
		case !upgrades(r): // a socket takes the connection over, and leads nowhere
			w = &mounted{w, s.root}
		}
		if strings.HasPrefix(r.URL.Path, s.root+"/") {
			stripped.ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// mounted leads to places under the root.
type mounted struct {
	http.ResponseWriter
	root string
}

// WriteHeader sends the header.
func (m *mounted) WriteHeader(status int) {
	if h := m.Header(); strings.HasPrefix(h.Get("Location"), "/") {
		h.Set("Location", m.root+h.Get("Location"))
	}
	m.ResponseWriter.WriteHeader(status)
}

// Unwrap is for http.ResponseController.
func (m *mounted) Unwrap() http.ResponseWriter { return m.ResponseWriter }
