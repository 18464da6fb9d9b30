package main

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// flagsOf returns the flags of a subcommand.
func flagsOf(t *testing.T, command any) []*kong.Flag {
	t.Helper()
	parser, err := kong.New(command)
	if err != nil {
		t.Fatal(err)
	}
	var flags []*kong.Flag
	for _, flag := range parser.Model.Flags {
		if flag.Name != "help" && !flag.Hidden {
			flags = append(flags, flag)
		}
	}
	return flags
}

func TestEverySettingIsAFlagAVariableAndInTheDocument(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "operating.md"))
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for _, row := range regexp.MustCompile("(?m)^\\| `--([a-z-]+)[^|]*\\|").FindAllStringSubmatch(string(text), -1) {
		listed[row[1]] = strings.Contains(row[0], "ʷ")
	}
	workers := map[string]bool{}
	for _, flag := range flagsOf(t, new(workerCommand)) {
		workers[flag.Name] = true
	}
	flags := flagsOf(t, new(serveCommand))
	for _, flag := range flags {
		want := []string{"LOA_" + strings.ReplaceAll(strings.ToUpper(flag.Name), "-", "_")}
		if !reflect.DeepEqual(flag.Envs, want) {
			t.Errorf("--%s has the variables %v, want %v", flag.Name, flag.Envs, want)
		}
		if worker, ok := listed[flag.Name]; !ok || worker != workers[flag.Name] {
			t.Errorf("--%s: in the document %v, as one of a worker %v, expected as one of a worker %v", flag.Name, ok, worker, workers[flag.Name])
		}
		delete(workers, flag.Name)
	}
	if len(listed) != len(flags) || len(workers) > 0 {
		t.Errorf("the document lists %d settings, there are %d; only workers have %v", len(listed), len(flags), workers)
	}
}

func TestAFlagComesBeforeAVariableBeforeTheFileBeforeTheDefault(t *testing.T) {
	file := filepath.Join(t.TempDir(), "loa.toml")
	if err := os.WriteFile(file, []byte("listen = \"file:1\" # here\nnew-games = 7\npace = \"2s\"\nrequests = 3.5\nbehind-proxy = true\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("LOA_NEW_GAMES", "8")
	t.Setenv("LOA_REQUESTS", "9")
	var c commands
	settings := new(settingsFile)
	parser, err := kong.New(&c, kong.Resolvers(settings))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.Parse([]string{"serve", "--config", file, "--requests", "10"}); err != nil || settings.fault != nil {
		t.Fatal(err, settings.fault)
	}
	s := c.Serve
	if s.Listen != "file:1" || s.Pace.String() != "2s" || !s.Proxy || s.NewGames != 8 || s.Requests != 10 || s.Commands != 10 {
		t.Errorf("got %+v", s)
	}
}

func TestAWrongSettingIsNamedAtTheStart(t *testing.T) {
	for _, test := range []struct{ file, variable, want string }{
		{"nonsense = 1", "", `"nonsense" is no setting; expected one of behind-proxy, `},
		{"pace = 'soon'", "", `--pace: expected duration but got "soon"`},
		{"pace = ['1s']", "", "pace = [1s]: expected a text"},
		{"engines = 'x'", "", "--engines: "},
		{"log = 'xml'", "", `--log must be one of "text","json" but got "xml"`},
		{"engines = = 2", "", "line 1"},
		{"requests = 0", "", "--requests 0"},
		{"sockets = 0", "", "--sockets 0"},
		{"requests = nan", "", "--requests NaN"},
		{"commands = inf", "", "--commands +Inf"},
		{"pace = \"-1s\"", "", "--pace -1s"},
		{"public = 'example.org'", "", `--public: address for people "example.org": expected`},
		{"", "LOA_PACE=soon", `LOA_PACE="soon"`},
		{"", "LOA_DATABASE=mysql://x", "--database: expected"},
	} {
		file := filepath.Join(t.TempDir(), "loa.toml")
		if err := os.WriteFile(file, []byte(test.file), 0o600); err != nil {
			t.Fatal(err)
		}
		name, value, set := strings.Cut(test.variable, "=")
		if set {
			t.Setenv(name, value)
		}
		code, out, errs := call(t, "", "serve", "--config", file)
		if code != 2 || out != "" || !strings.Contains(errs, test.want) {
			t.Errorf("%s %s: exit %d, %q, %q, want %q", test.file, test.variable, code, out, errs, test.want)
		}
		if set {
			os.Unsetenv(name)
		}
	}
	for _, flag := range []string{"--exports", "--puzzles"} {
		if code, out, errs := call(t, "", "serve", flag, "no/where"); code != 1 || out != "" || !strings.HasPrefix(errs, "loa: "+flag) {
			t.Errorf("%s: exit %d, %q, %q", flag, code, out, errs)
		}
	}
	if code, _, errs := call(t, "", "serve", "--config", "none.toml"); code != 2 || !strings.Contains(errs, "none.toml") {
		t.Errorf("exit %d, %q", code, errs)
	}
	if got := unknownVariables(nil, nil, []string{"LOA_X=1"}); got != nil {
		t.Errorf("a subcommand without settings has unknown variables %v", got)
	}
}
