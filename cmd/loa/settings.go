package main

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/alecthomas/kong"
)

// configured is how a process that runs for long takes its settings from a file. What is said on the command line comes
// first, then the environment, then the file, then what is the default.
type configured struct {
	Config string `env:"LOA_CONFIG" placeholder:"FILE" help:"TOML file of settings, such as listen = \"127.0.0.1:8080\". Flags and variables come before it."`
}

const configFlag = "config"

// reporting is how a process tells what it does.
type reporting struct {
	Metrics string `env:"LOA_METRICS" placeholder:"ADDR" help:"Address of its own, such as 127.0.0.1:9100, for Prometheus metrics, health and readiness. Not for the public. Without it there are none."`
	Log     string `env:"LOA_LOG" enum:"text,json" default:"text" placeholder:"FORM" help:"What the log on standard error is written as: text or json. Default: ${default}."`
}

// log returns the log of a process.
func (r *reporting) log(streams *Streams) *slog.Logger {
	options := &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if err, ok := a.Value.Any().(error); ok {
			return slog.String(a.Key, mailAddress.ReplaceAllString(err.Error(), "…@…"))
		}
		return a
	}}
	if r.Log == "json" {
		return slog.New(slog.NewJSONHandler(streams.Err, options))
	}
	return slog.New(slog.NewTextHandler(streams.Err, options))
}

// Other programs' errors may quote whom they concern: mail servers an address of mail, net/http that of the sender.
var (
	mailAddress   = regexp.MustCompile(`[^\s<>"@]+@[^\s<>"@]+`)
	senderAddress = regexp.MustCompile(`\[[0-9a-fA-F:.%\w]+\]:\d+|\d+\.\d+\.\d+\.\d+:\d+`)
)

// anonymous is a log for net/http that leaves out who it was about.
type anonymous struct{ to *slog.Logger }

func (a anonymous) Write(line []byte) (int, error) {
	a.to.Warn(string(senderAddress.ReplaceAll(bytes.TrimSpace(line), []byte("…"))))
	return len(line), nil
}

// settingsFile finds the values of flags in the file that --config names. It is read once, when the first is asked for.
type settingsFile struct {
	name   string
	values map[string]any
	fault  error // what is wrong with the file, for kong would blame the flag it asked for
}

// Validate has nothing to say before the file is known.
func (f *settingsFile) Validate(*kong.Application) error { return nil }

// Resolve returns the value of a flag, nil where the file or a variable of the environment does not leave it to the file.
func (f *settingsFile) Resolve(context *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	flags := context.Selected()
	if flags == nil || !slices.Contains(flags.Flags, flag) {
		return nil, nil
	}
	at := slices.IndexFunc(flags.Flags, func(f *kong.Flag) bool { return f.Name == configFlag })
	if at < 0 {
		return nil, nil
	}
	if name, _ := context.FlagValue(flags.Flags[at]).(string); name != "" && f.values == nil {
		f.fault = f.read(name, flags.Flags)
	}
	value, said := f.values[flag.Name]
	if !said || f.fault != nil || slices.ContainsFunc(flag.Envs, func(name string) bool { _, set := os.LookupEnv(name); return set }) {
		return nil, nil
	}
	text := fmt.Sprint(value)
	if err := flag.Parse(kong.Scan().PushTyped(text, kong.FlagValueToken), reflect.New(flag.Target.Type()).Elem()); err != nil {
		f.fault = fmt.Errorf("--config %q: %w", f.name, err)
		return nil, nil
	}
	return text, nil
}

// read reads the file and refuses what is no setting.
func (f *settingsFile) read(name string, flags []*kong.Flag) error {
	f.name, f.values = name, map[string]any{}
	if _, err := toml.DecodeFile(name, &f.values); err != nil {
		return fmt.Errorf("--config %q: %w", name, err)
	}
	var known []string
	for _, flag := range flags {
		if flag.Name != configFlag && flag.Name != "help" && !flag.Hidden {
			known = append(known, flag.Name)
		}
	}
	slices.Sort(known)
	for key, value := range f.values {
		if !slices.Contains(known, key) {
			return fmt.Errorf("--config %q: %q is no setting; expected one of %s", name, key, strings.Join(known, ", "))
		}
		switch value.(type) {
		case string, bool, int64, float64:
		default:
			return fmt.Errorf("--config %q: %s = %v: expected a text, a number, true or false", name, key, value)
		}
	}
	return nil
}

// variables is what every variable of this program begins with.
const variables = "LOA_"

// unknownVariables returns the variables that are for no flag, for a subcommand that takes settings from them.
func unknownVariables(app *kong.Application, selected *kong.Node, environ []string) []string {
	if selected == nil || !slices.ContainsFunc(selected.Flags, func(f *kong.Flag) bool { return f.Name == configFlag }) {
		return nil
	}
	var unknown []string
	for _, variable := range environ {
		name, _, _ := strings.Cut(variable, "=")
		if strings.HasPrefix(name, variables) && !slices.ContainsFunc(app.Leaves(false), func(leaf *kong.Node) bool {
			return slices.ContainsFunc(leaf.Flags, func(f *kong.Flag) bool { return slices.Contains(f.Envs, name) })
		}) {
			unknown = append(unknown, name)
		}
	}
	return unknown
}
