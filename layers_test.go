package loa_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/linesofaction/loa"

// layer is what the sources of a package, tests aside, may import: packages of this module, named without its
// path ("." is the root, "…/" all below), and modules from elsewhere.
type layer struct {
	inside  []string
	outside []string
}

var pure = []string{"internal/clock", "internal/rating", "internal/match", "internal/lobby", "internal/account", "internal/talk", "internal/puzzle"}

// layers is the direction of imports. A package that is not in it fails the test.
var layers = map[string]layer{
	".":                  {},
	"sgf":                {inside: []string{"."}},
	"engine":             {inside: []string{".", "engine/book", "engine/nnue", "engine/solve"}},
	"engine/book":        {inside: []string{"."}},
	"engine/nnue":        {inside: []string{"."}, outside: []string{"golang.org/x/sys"}},
	"engine/solve":       {inside: []string{".", "engine/solve/proof"}},
	"engine/solve/proof": {inside: []string{"."}},
	"ugi":                {inside: []string{".", "engine"}},
	"internal/clock":     {inside: []string{"."}},
	"internal/rating":    {},
	"internal/account":   {inside: []string{".", "internal/clock", "internal/rating"}},
	"internal/puzzle":    {inside: []string{".", "internal/rating"}},
	"internal/talk":      {inside: []string{"."}},
	"internal/match":     {inside: []string{".", "internal/clock", "internal/rating"}},
	"internal/lobby":     {inside: []string{".", "internal/clock", "internal/rating"}},
	"internal/live":      {inside: append(pure, ".")},
	"internal/bot":       {inside: []string{".", "internal/match", "internal/live", "engine"}},
	"internal/coach":     {inside: []string{".", "internal/puzzle", "engine", "engine/solve"}},
	"internal/wire":      {inside: append(pure, ".")},
	"internal/store":     {inside: append(pure, ".", "internal/live"), outside: []string{"modernc.org/sqlite", "github.com/jackc/pgx/v5", "github.com/pressly/goose/v3"}},
	"internal/bus":       {outside: []string{"github.com/nats-io/nats.go"}},
	"internal/pgtest":    {},
	"internal/picture":   {inside: []string{"."}},
	"internal/mail":      {inside: []string{"internal/account"}, outside: []string{"github.com/wneessen/go-mail"}},
	"internal/web":       {inside: append(pure, ".", "sgf", "engine", "engine/book", "internal/coach", "internal/live", "internal/picture", "internal/wire"), outside: []string{"github.com/andybalholm/brotli", "github.com/coder/websocket", "github.com/nicksnyder/go-i18n/v2", "golang.org/x/crypto", "golang.org/x/text", "golang.org/x/time", "rsc.io/qr"}},
	"internal/lab/…":     {inside: append(pure, ".", "sgf", "engine", "engine/book", "engine/nnue", "engine/solve", "ugi"), outside: []string{"golang.org/x/sys"}},
	"cmd/wasm":           {inside: []string{"…"}},
	"cmd/loa":            {inside: []string{"…"}, outside: []string{"github.com/BurntSushi/toml", "github.com/alecthomas/kong", "github.com/coder/websocket", "github.com/prometheus/client_golang", "github.com/prometheus/client_model"}},
}

// TestLayers reads the sources themselves, so that no cached build can hide a breach.
func TestLayers(t *testing.T) {
	seen := map[string]bool{}
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() && (name == "testdata" || name == "node_modules" || name == "tools" || strings.HasPrefix(name, ".") && path != ".") {
			return filepath.SkipDir
		}
		if entry.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		dir := filepath.ToSlash(filepath.Dir(path))
		key := dir
		if strings.HasPrefix(dir, "internal/lab/") {
			key = "internal/lab/…"
		}
		allowed, ok := layers[key]
		if !ok {
			t.Errorf("%s: package %s is not in the table of layers", path, dir)
			return nil
		}
		seen[key] = true
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if why := allowed.forbids(dir, imported); why != "" {
				t.Errorf("%s imports %q: %s", path, imported, why)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for key := range layers {
		if !seen[key] {
			t.Errorf("the table of layers has %s, which has no sources", key)
		}
	}
}

// forbids says why a package may not import a path, or nothing.
func (l layer) forbids(dir, path string) string {
	if rest, inside := strings.CutPrefix(path, module); inside {
		target := strings.TrimPrefix(rest, "/")
		if target == "" {
			target = "."
		}
		if slices.Contains(l.inside, "…") || slices.Contains(l.inside, target) ||
			strings.HasPrefix(dir, "internal/lab/") && strings.HasPrefix(target, "internal/lab/") {
			return ""
		}
		return "the layers do not allow it"
	}
	if first, _, _ := strings.Cut(path, "/"); !strings.Contains(first, ".") {
		return "" // the standard library
	}
	for _, allowed := range l.outside {
		if path == allowed || strings.HasPrefix(path, allowed+"/") {
			return ""
		}
	}
	return "no such dependency is planned for this package"
}
