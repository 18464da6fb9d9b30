// Command loa is everything in one binary: the club in the browser, the engine, and tools for records and
// positions. Each subcommand has a file of its own; flags and configuration live here and nowhere else.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/alecthomas/kong"
)

// Streams are what a subcommand reads and writes: results go to Out, everything else to Err.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// tracked remembers the first error of writing, so that no subcommand ends well whose results were lost.
type tracked struct {
	to    io.Writer
	fault error
}

func (t *tracked) Write(p []byte) (int, error) {
	n, err := t.to.Write(p)
	if err != nil && t.fault == nil {
		t.fault = err
	}
	return n, err
}

// warn writes one line to Err.
func (s *Streams) warn(format string, args ...any) {
	fmt.Fprintf(s.Err, "loa: warning: "+format+"\n", args...)
}

// usageError is a mistake in how the program was called; it ends with exit code 2 and the usage.
type usageError struct{ error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// commands is the command line.
type commands struct {
	Serve   serveCommand   `cmd:"" help:"Open the club: pages to play on, at a local address."`
	Worker  workerCommand  `cmd:"" help:"Think about the computer's turns and answer the coach's questions for the processes that serve a club."`
	Play    playCommand    `cmd:"" help:"Play a game in the terminal."`
	Analyze analyzeCommand `cmd:"" help:"Search a position and say what is best."`
	Solve   solveCommand   `cmd:"" help:"Prove what a position is worth, or check a proof."`
	Judge   judgeCommand   `cmd:"" help:"Say what the rules say of a position: legal moves, groups, outcome."`
	Replay  replayCommand  `cmd:"" help:"Play recorded games through and print how they ended."`
	Convert convertCommand `cmd:"" help:"Write a record in another form."`
	Perft   perftCommand   `cmd:"" help:"Count the paths of moves from a position."`
	Bench   benchCommand   `cmd:"" help:"Measure this machine and print the signature of the search."`
	Ugi     ugiCommand     `cmd:"" help:"Speak the Universal Game Interface on standard input and output."`
	Duel    duelCommand    `cmd:"" help:"Play a series of games between two engines or levels."`
	Book    bookCommand    `cmd:"" help:"Make an opening book from the engine's searches, or print one."`
	Bot     botCommand     `cmd:"" help:"Seat an engine in a club: accept challenges and play."`
	Fetch   fetchCommand   `cmd:"" help:"Download the finished games of somebody, or of all, from a club."`
	Admin   adminCommand   `cmd:"" help:"Look after people and games: find, warn, mute, bar, close, revert a result."`
	Load    loadCommand    `cmd:"" help:"Measure how many games and onlookers a server on this machine bears."`
	Chaos   chaosCommand   `cmd:"" hidden:"" help:"Play against a server that is killed again and again, and count what is lost."`
	Fit     fitCommand     `cmd:"" help:"Find the weights of the evaluation anew from games of its own."`
	Datagen datagenCommand `cmd:"" help:"Play the engine against itself and keep the searched positions, to train nets on."`
	Train   trainCommand   `cmd:"" help:"Train the net of the engine on positions that datagen made."`
	Puzzles puzzlesCommand `cmd:"" help:"Look for puzzles, and prove them."`
	Version versionCommand `cmd:"" help:"Print the version."`
}

func main() {
	os.Exit(run(os.Args[1:], &Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
}

// run carries out one call of the program and returns its exit code: 0, 1 for input that is unusable, 2 for a
// call that is wrong.
func run(args []string, streams *Streams) int {
	exit := -1
	var help bytes.Buffer
	settings := new(settingsFile)
	parser, err := kong.New(new(commands),
		kong.Name("loa"),
		kong.Description("Lines of Action: rules, records, engine and club."),
		kong.Writers(&help, streams.Err),
		kong.Exit(func(code int) { exit = code }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.Resolvers(settings),
	)
	if err != nil {
		fmt.Fprintf(streams.Err, "loa: %v\n", err)
		return 1
	}
	context, err := parser.Parse(args)
	if exit >= 0 { // help was asked for
		if _, err := streams.Out.Write(help.Bytes()); err != nil {
			fmt.Fprintf(streams.Err, "loa: writing the help: %v\n", err)
			return 1
		}
		return exit
	}
	if settings.fault != nil {
		fmt.Fprintf(streams.Err, "loa: %v\n", oneLine(settings.fault))
		return 2
	}
	if err != nil {
		var parseError *kong.ParseError
		if errors.As(err, &parseError) {
			usage(parseError.Context, streams, &help)
		}
		fmt.Fprintf(streams.Err, "loa: %v\n", oneLine(err))
		return 2
	}
	for _, name := range unknownVariables(parser.Model, context.Selected(), os.Environ()) {
		streams.warn("the variable %s is no setting", name)
	}
	out := &tracked{to: streams.Out}
	err = context.Run(&Streams{In: streams.In, Out: out, Err: streams.Err})
	if err == nil && out.fault != nil {
		err = fmt.Errorf("writing the results: %w", out.fault)
	}
	var wrongCall usageError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &wrongCall):
		usage(context, streams, &help)
		fmt.Fprintf(streams.Err, "loa: %v\n", oneLine(err))
		return 2
	}
	fmt.Fprintf(streams.Err, "loa: %v\n", oneLine(err))
	return 1
}

// usage writes the usage of the subcommand that was called, as far as it was recognised.
func usage(context *kong.Context, streams *Streams, help *bytes.Buffer) {
	help.Reset()
	if context.PrintUsage(true) == nil {
		streams.Err.Write(help.Bytes())
	}
}

// oneLine keeps an error on one line whatever text it quotes.
func oneLine(err error) string {
	return strings.Join(strings.FieldsFunc(err.Error(), func(r rune) bool { return r == '\n' || r == '\r' }), " ")
}
