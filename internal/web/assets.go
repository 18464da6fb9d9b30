package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
)

//go:embed static
var staticFiles embed.FS

// assets serves the files that pages refer to. Their address holds a hash of all of them, so a browser may
// keep them for ever, and a page never meets a script of another version.
type assets struct {
	root  string // of the site; see mount
	hash  string
	files map[string]asset
}

type asset struct {
	kind       string // media type
	plain, zip []byte
	packed     []byte        // by Brotli, of what is embedded that way, which then has no plain form
	brotli     func() []byte // the others by Brotli, an eighth less than zip, worked out when first asked for
}

// engineFile is the engine for the browser. It is built beforehand by make, and not there after a plain go build.
const engineFile = "loa.wasm"

func newAssets(root string) (*assets, error) {
	a := &assets{root: root, files: map[string]asset{}}
	sum := sha256.New()
	err := fs.WalkDir(staticFiles, "static", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		body, err := staticFiles.ReadFile(name)
		if err != nil {
			return err
		}
		sum.Write([]byte(name))
		sum.Write(body)
		base := path.Base(name)
		if stem, packed := strings.CutSuffix(base, ".br"); packed {
			file := a.files[stem]
			file.kind, file.packed = kind(stem), body
			a.files[stem] = file
			return nil
		}
		if stem, packed := strings.CutSuffix(base, ".gz"); packed {
			file := a.files[stem]
			file.kind, file.zip = kind(stem), body
			a.files[stem] = file
			return nil
		}
		if path.Ext(name) == ".png" { // which is packed already
			a.files[base] = asset{kind: kind(name), plain: body}
			return nil
		}
		zip, err := compress(body, gzip.BestCompression)
		if err != nil {
			return err
		}
		a.files[base] = asset{kind: kind(name), plain: body, zip: zip, brotli: sync.OnceValue(func() []byte { return brotlied(body) })}
		return nil
	})
	a.hash = hex.EncodeToString(sum.Sum(nil))[:16]
	return a, err
}

// kind is the media type by the name's ending, the same on every machine.
func kind(name string) string {
	switch path.Ext(name) {
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	case ".png":
		return "image/png"
	case ".wasm":
		return "application/wasm"
	case ".net", ".book":
		return "application/octet-stream"
	}
	return mime.TypeByExtension(path.Ext(name))
}

// brotlied returns a body by Brotli, as small as it gets.
func brotlied(body []byte) []byte {
	var out bytes.Buffer
	w := brotli.NewWriterLevel(&out, brotli.BestCompression)
	w.Write(body) // into memory, which takes all
	w.Close()
	return out.Bytes()
}

func compress(body []byte, level int) ([]byte, error) {
	var out bytes.Buffer
	zip, err := gzip.NewWriterLevel(&out, level)
	if err != nil {
		return nil, err
	}
	if _, err := zip.Write(body); err != nil {
		return nil, err
	}
	err = zip.Close()
	return out.Bytes(), err
}

// has reports whether there is a file.
func (a *assets) has(name string) bool { return a.files[name].kind != "" }

// Path returns the address of a file.
func (a *assets) Path(name string) string { return "/static/" + a.hash + "/" + name }

// importLine finds the modules a module asks for; all of them are beside it.
var importLine = regexp.MustCompile(`(?m)^(?:import|export) .*from "\./([\w.-]+)";$`)

// Modules returns the addresses of everything a module imports, directly or not, so that the browser can fetch
// them at once.
func (a *assets) Modules(entry string) []string {
	seen := []string{entry}
	for i := 0; i < len(seen); i++ {
		for _, found := range importLine.FindAllSubmatch(a.files[seen[i]].plain, -1) {
			if name := string(found[1]); !slices.Contains(seen, name) {
				seen = append(seen, name)
			}
		}
	}
	for i, name := range seen {
		seen[i] = a.Path(name)
	}
	return seen[1:]
}

// ServeHTTP serves one file, compressed where the browser takes that.
func (a *assets) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	file, ok := a.files[r.PathValue("name")]
	if !ok || r.PathValue("hash") != a.hash {
		http.Error(w, "no such file: "+r.URL.Path, http.StatusNotFound)
		return
	}
	h := w.Header()
	h.Set("Content-Type", file.kind)
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	switch r.PathValue("name") {
	case workerFile:
		h.Set("Content-Security-Policy", workerPolicy)
	case offlineFile:
		h.Set("Content-Security-Policy", policy)
		h.Set("Service-Worker-Allowed", a.root+"/")
	}
	encodings := r.Header.Get("Accept-Encoding")
	switch {
	case file.packed != nil && accepts(encodings, "br"):
		h.Set("Content-Encoding", "br")
		write(w, r, http.StatusOK, file.packed, nil)
	case file.brotli != nil && accepts(encodings, "br"):
		h.Set("Content-Encoding", "br")
		write(w, r, http.StatusOK, file.brotli(), nil)
	case file.packed != nil && !accepts(encodings, "gzip"):
		plain, err := unpack(file.zip)
		if err != nil {
			http.Error(w, "internal error", http.StatusInternalServerError)
			return
		}
		write(w, r, http.StatusOK, plain, nil)
	default:
		write(w, r, http.StatusOK, file.plain, file.zip)
	}
}

func unpack(zip []byte) ([]byte, error) {
	plain, err := gzip.NewReader(bytes.NewReader(zip))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(plain)
}

// write sends a body in the form the browser takes.
func write(w http.ResponseWriter, r *http.Request, status int, plain, zip []byte) {
	h := w.Header()
	h.Add("Vary", "Accept-Encoding")
	body := plain
	if zip != nil && accepts(r.Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
		body = zip
	}
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		w.Write(body)
	}
}

// accepts reports whether a header Accept-Encoding takes a coding.
func accepts(header, wanted string) bool {
	for part := range strings.SplitSeq(header, ",") {
		coding, weight, _ := strings.Cut(strings.TrimSpace(part), ";")
		if strings.TrimSpace(coding) == wanted {
			return strings.Trim(strings.TrimPrefix(strings.TrimSpace(weight), "q="), "0.") != "" || weight == ""
		}
	}
	return false
}
