package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/engine"
)

// analyzeCommand searches a position.
type analyzeCommand struct {
	gameFlags
	moveFlag
	Time    *time.Duration `placeholder:"D" help:"Search for this long, for example 500ms or 2s."`
	Nodes   *uint64        `placeholder:"N" help:"Search this many positions."`
	Depth   *int           `placeholder:"N" help:"Search this many plies deep."`
	MultiPV *int           `name:"multipv" placeholder:"K" help:"Work out the K best lines."`
	Hash    int            `default:"64" help:"Size of the table in MiB."`
	Threads int            `default:"1" help:"Searching threads."`
	Explain bool           `help:"Say what the best move threatens, how many ways each side has to win next move, and what the last move lost."`
	JSON    bool           `name:"json" help:"Print one JSON object."`
}

// analysis is what analyze --json prints.
type analysis struct {
	BestMove string         `json:"bestmove"`
	Score    map[string]int `json:"score"`
	WDL      [3]int         `json:"wdl"` // wins, draws and losses of the side to move in a thousand games
	Depth    int            `json:"depth"`
	SelDepth int            `json:"seldepth"`
	Hashfull int            `json:"hashfull"` // thousandths of the table
	Nodes    uint64         `json:"nodes"`
	NPS      uint64         `json:"nps"`
	PV       []string       `json:"pv"`
	Lines    []analysisLine `json:"lines,omitempty"`
	Explain  *explained     `json:"explain,omitempty"`
}

// explained is what analyze --explain adds.
type explained struct {
	Ways   map[string]int `json:"ways"`             // moves that win at once, by side
	Threat int            `json:"threat,omitempty"` // plies
	Played *playedMove    `json:"played,omitempty"`
}

// playedMove is what became of the last move.
type playedMove struct {
	Move   string         `json:"move"`
	Best   string         `json:"best"`
	Before map[string]int `json:"before"`
	After  map[string]int `json:"after"`
	Lost   int            `json:"lost_cp"`
	Allows int            `json:"allows,omitempty"` // plies
}

// analysisLine is one of several best lines.
type analysisLine struct {
	Score map[string]int `json:"score"`
	PV    []string       `json:"pv"`
}

// limits returns when the search ends, or what is wrong with the flags.
func (c *analyzeCommand) limits() (engine.Limits, error) {
	limits := engine.Limits{}
	given := 0
	if c.Time != nil {
		given++
		if limits.MoveTime = *c.Time; *c.Time <= 0 {
			return limits, usagef("--time %s: expected more than nothing", *c.Time)
		}
	}
	if c.Nodes != nil {
		given++
		if limits.Nodes = *c.Nodes; *c.Nodes == 0 {
			return limits, usagef("--nodes 0: expected a number from 1")
		}
	}
	if c.Depth != nil {
		given++
		if limits.Depth = *c.Depth; *c.Depth < 1 {
			return limits, usagef("--depth %d: expected a number from 1", *c.Depth)
		}
	}
	if given != 1 {
		return limits, usagef("expected one of --time, --nodes and --depth, got %d", given)
	}
	if c.MultiPV != nil {
		if limits.MultiPV = *c.MultiPV; *c.MultiPV < 1 || *c.MultiPV > engine.MaxMultiPV {
			return limits, usagef("--multipv %d: expected a number from 1 to %d", *c.MultiPV, engine.MaxMultiPV)
		}
	}
	if c.Hash < 1 || c.Hash > engine.MaxHash {
		return limits, usagef("--hash %d: expected a number of MiB from 1 to %d", c.Hash, engine.MaxHash)
	}
	if c.Threads < 1 || c.Threads > engine.MaxThreads {
		return limits, usagef("--threads %d: expected a number from 1 to %d", c.Threads, engine.MaxThreads)
	}
	return limits, nil
}

// Run carries the subcommand out. An interrupt ends the search and prints what was found until then.
func (c *analyzeCommand) Run(streams *Streams) error {
	limits, err := c.limits()
	if err != nil {
		return err
	}
	game, err := c.game(c.moveFlag, streams)
	if err != nil {
		return err
	}
	if o := game.Outcome(); o.Over() {
		return fmt.Errorf("position %q: the game is over: %s", game.Position(), o)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	searcher := engine.New(engine.Options{Hash: c.Hash, Threads: c.Threads})
	var report func(engine.Info)
	if isTerminal(streams.Err) {
		report = func(info engine.Info) {
			fmt.Fprintf(streams.Err, "depth %d, %s, %d nodes, %.1f s: %s\n", info.Depth, info.Score, info.Nodes,
				info.Time.Seconds(), strings.Join(formatLine(game.Position(), info.PV), " "))
		}
	}
	var result engine.Result
	var explanation engine.Explanation
	if c.Explain {
		explanation, err = searcher.Explain(ctx, game, limits, report)
		result = explanation.Result
	} else {
		result, err = searcher.Search(ctx, game, limits, report)
	}
	if err != nil {
		return err
	}
	position := game.Position()
	a := analysis{
		BestMove: position.Format(result.BestMove),
		Score:    scoreObject(result.Score),
		Depth:    result.Depth,
		SelDepth: result.SelDepth,
		Hashfull: result.Hashfull,
		Nodes:    result.Nodes,
		NPS:      result.NPS,
		PV:       formatLine(position, result.PV),
	}
	a.WDL[0], a.WDL[1], a.WDL[2] = result.Score.WDL()
	if c.MultiPV != nil {
		for _, line := range result.Lines {
			a.Lines = append(a.Lines, analysisLine{scoreObject(line.Score), formatLine(position, line.PV)})
		}
	}
	if c.Explain {
		a.Explain = explain(game, &explanation)
	}
	if c.JSON {
		return json.NewEncoder(streams.Out).Encode(a)
	}
	fmt.Fprintf(streams.Out, "bestmove %s\nscore %s\nwdl %d %d %d\ndepth %d\nseldepth %d\nhashfull %d\nnodes %d\nnps %d\n",
		a.BestMove, result.Score, a.WDL[0], a.WDL[1], a.WDL[2], a.Depth, a.SelDepth, a.Hashfull, a.Nodes, a.NPS)
	if c.MultiPV == nil {
		fmt.Fprintf(streams.Out, "pv %s\n", strings.Join(a.PV, " "))
	}
	for i, line := range a.Lines {
		fmt.Fprintf(streams.Out, "line %d %s pv %s\n", i+1, result.Lines[i].Score, strings.Join(line.PV, " "))
	}
	if c.Explain {
		a.Explain.write(streams.Out, explanation.Played)
	}
	return nil
}

// explain returns an explanation as it is printed.
func explain(game *loa.Game, e *engine.Explanation) *explained {
	out := &explained{Ways: map[string]int{}, Threat: e.Threat}
	for _, color := range []loa.Color{loa.Black, loa.White} {
		out.Ways[color.String()] = e.Ways[color]
	}
	if p := e.Played; p != nil {
		before := game.PositionAt(game.Plies() - 1)
		out.Played = &playedMove{before.Format(p.Move), before.Format(p.Best), scoreObject(p.Before), scoreObject(p.After), p.Lost(), p.Allows}
	}
	return out
}

// write writes an explanation in lines.
func (e *explained) write(out io.Writer, played *engine.Played) {
	fmt.Fprintf(out, "ways to win next move: black %d, white %d\n", e.Ways["black"], e.Ways["white"])
	if e.Threat > 0 {
		fmt.Fprintf(out, "threat: wins in %d if the other side does nothing\n", (e.Threat+1)/2)
	}
	if p := e.Played; p != nil {
		fmt.Fprintf(out, "played %s: %s; best %s: %s\n", p.Move, played.After, p.Best, played.Before)
		if p.Allows > 0 {
			fmt.Fprintf(out, "played %s allows a win in %d\n", p.Move, (p.Allows+1)/2)
		}
	}
}

// scoreObject returns a score as {"cp": n} or {"win": plies}, negative for a loss.
func scoreObject(s engine.Score) map[string]int {
	if plies, forced := s.Plies(); forced {
		return map[string]int{"win": plies}
	}
	return map[string]int{"cp": int(s)}
}

// formatLine writes the moves of a line that begins at a position.
func formatLine(p loa.Position, line []loa.Move) []string {
	texts := make([]string, len(line))
	for i, move := range line {
		texts[i] = p.Format(move)
		p = p.PlayUnchecked(move)
	}
	return texts
}

// isTerminal reports whether somebody is watching what is written.
func isTerminal(w any) bool {
	file, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
