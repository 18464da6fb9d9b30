package web

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/linesofaction/loa/internal/wire"
)

// SumsFile lists the files of an export with their SHA-256, as the program sha256sum reads it.
const SumsFile = "SHA256SUMS"

// exports returns the files that the host offers: those that the list of sums names and that are there.
func (s *Server) exports(r *http.Request) ([]wire.Export, error) {
	out := []wire.Export{}
	if s.Exports == "" {
		return out, nil
	}
	file, err := os.Open(filepath.Join(s.Exports, SumsFile))
	if errors.Is(err, fs.ErrNotExist) {
		return out, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	scanner := bufio.NewScanner(file)
	for scanner.Scan() {
		sum, name, ok := strings.Cut(scanner.Text(), "  ")
		if !ok || name != filepath.Base(name) {
			continue
		}
		info, err := os.Stat(filepath.Join(s.Exports, name))
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		out = append(out, wire.Export{Name: name, Bytes: info.Size(), SHA256: sum, URL: s.public(r) + apiRoot + "/exports/" + url.PathEscape(name)})
	}
	return out, scanner.Err()
}

func (s *Server) apiExports(c *call) (any, error) { return s.exports(c.Request) }

// apiExport sends one of the files.
func (s *Server) apiExport(c *call) (any, error) {
	name := c.PathValue("file")
	files, err := s.exports(c.Request)
	if err != nil {
		return nil, err
	}
	for _, one := range files {
		if one.Name != name {
			continue
		}
		file, err := os.Open(filepath.Join(s.Exports, name))
		if err != nil {
			return nil, err
		}
		defer file.Close()
		info, err := file.Stat()
		if err != nil {
			return nil, err
		}
		h := c.Header()
		h.Set("Content-Type", asAny)
		h.Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", name))
		h.Set("ETag", `"`+one.SHA256+`"`)
		http.ServeContent(c.w, c.Request, name, info.ModTime(), file)
		return nil, nil
	}
	return nil, &problem{http.StatusNotFound, wire.Fault{Code: "not-found", Text: fmt.Sprintf("there is no file %q", clipped(name)), Field: "file", Value: clipped(name), Expected: "a name that " + apiRoot + "/exports lists"}}
}
