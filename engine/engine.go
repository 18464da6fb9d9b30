// Package engine plays Lines of Action: iterative-deepening principal variation search with an evaluation
// fitted on its own games. It plays every rule set on every board.
//
// An Engine holds everything it changes, so any number of them play in one process. One Engine does one search
// at a time. With one thread and a limit in nodes or depth the same searches in the same order give the same
// results on every machine.
package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/engine/solve"
)

// ErrGameOver is the error of Search for a game without a move to look for.
var ErrGameOver = errors.New("the game is over")

// Engine searches for moves and remembers, from one search to the next, what may help.
type Engine struct {
	options Options
	table   *table
	terrain *terrain
	rules   loa.Rules
	workers []*worker
	solver  *solve.Solver // nil until it is needed
}

// Line is a best line and what it is worth to the side that makes its first move.
type Line struct {
	Score Score
	PV    []loa.Move // never empty
}

// Info is what a search reports on the way: one of its best lines after each completed depth.
type Info struct {
	Line
	MultiPV  int // place of the line, from 1
	Depth    int // plies searched in full
	SelDepth int // plies of the longest path
	Nodes    uint64
	NPS      uint64
	Time     time.Duration
	Hashfull int // thousandths of the table in use
}

// Result is what a search found.
type Result struct {
	BestMove loa.Move // legal; Pass when that is forced
	Line              // the best line; at a level its move need not be BestMove
	Lines    []Line   // as many as MultiPV asked for and the position has moves, the best first
	Depth    int
	SelDepth int // plies of the longest path
	Hashfull int // thousandths of the table in use
	Nodes    uint64
	NPS      uint64
	Time     time.Duration
}

// New returns an engine. It takes Options.Hash MiB of memory.
func New(options Options) *Engine {
	options = options.normal()
	e := &Engine{options: options, table: newTable(options.Hash)}
	for i := range options.Threads {
		e.workers = append(e.workers, &worker{helper: i > 0})
	}
	return e
}

// Options returns the options of the engine with defaults filled in.
func (e *Engine) Options() Options { return e.options }

// Reset forgets everything learned from earlier searches.
func (e *Engine) Reset() {
	e.table.clear()
	for _, w := range e.workers {
		w.history = history{}
	}
}

// Search looks for the best move of a game that is not over, and returns at the first limit reached or soon
// after the context is done, always with a legal move. It calls report, unless nil, from this goroutine. The
// game is only read. The error is ErrGameOver or says that the limits cannot be kept.
func (e *Engine) Search(ctx context.Context, g *loa.Game, limits Limits, report func(Info)) (Result, error) {
	if o := g.Outcome(); o.Over() {
		return Result{}, fmt.Errorf("%w: %s", ErrGameOver, o)
	}
	if e.options.Level > 0 {
		return e.searchLevel(ctx, g, limits, report)
	}
	return e.search(ctx, g, limits, report), nil
}

// search is Search at full strength.
func (e *Engine) search(ctx context.Context, g *loa.Game, limits Limits, report func(Info)) Result {
	e.prepare(g)
	c := &control{
		table: e.table, terrain: e.terrain, rules: g.Rules(), off: e.options.Off, plies: g.Plies(), yield: e.options.Yield, workers: e.workers,
	}
	release := c.limit(ctx, limits)
	defer release()
	for _, w := range e.workers {
		w.begin(c, g)
	}
	lines := limits.MultiPV
	if lines <= 0 {
		lines = e.options.MultiPV
	}

	var helpers sync.WaitGroup
	for i, w := range e.workers[1:] {
		helpers.Go(func() {
			for depth := 1 + i%2; depth <= MaxDepth && !w.stop.Load(); depth++ {
				w.deepen(depth, 0)
			}
		})
	}
	main := e.workers[0]
	proof := prover{ctx: ctx, game: g, engine: e}
	result := main.iterate(limits, min(lines, len(main.root)), &proof, report)
	if limits.Infinite {
		<-ctx.Done()
	}
	c.stop.Store(true)
	helpers.Wait()

	for _, w := range e.workers {
		w.counted.Store(w.nodes)
	}
	result.SelDepth, result.Hashfull = max(main.deepest, result.Depth), e.table.full()
	result.Nodes = c.total()
	result.Time = time.Since(c.start)
	result.NPS = perSecond(result.Nodes, result.Time)
	return result
}

// prepare fits the tables to the rules of a game, and forgets what was learned under others.
func (e *Engine) prepare(g *loa.Game) {
	rules, size := g.Rules(), g.Position().Size()
	rules.Start, rules.Seed, rules.Size = 0, 0, size
	e.table.age++
	if e.terrain != nil && rules == e.rules {
		return
	}
	e.terrain = newTerrain(size, rules.Captures == loa.CapturesYes, e.options.weights(rules), e.options.ValueNet(rules))
	e.rules = rules
	e.Reset()
}

// begin readies a worker for a search from the position of a game now.
func (w *worker) begin(c *control, g *loa.Game) {
	w.control = c
	w.nodes, w.deepest = 0, 0
	w.counted.Store(0)
	w.past = w.past[:0]
	for ply := range g.Plies() {
		w.past = append(w.past, g.PositionAt(ply).Hash())
	}
	root := &w.stack[0]
	root.set(g.Position(), c.terrain)
	root.encoded = true
	root.null, root.reversible, root.excluded = false, 0, loa.NoMoveMade
	if net := c.terrain.net; net != nil {
		net.Refresh(&root.state, root.pos.Pieces(loa.Black), root.pos.Pieces(loa.White))
		root.updated = true
	}
	root.eval = w.evaluate(0)
	pieces := root.pos.Occupied()
	for ply := g.Plies() - 1; ply >= 0 && g.PositionAt(ply).Occupied().Count() == pieces.Count(); ply-- {
		root.reversible++
	}
	w.hashes[0] = root.pos.Hash()
	for i := range w.stack {
		w.stack[i].killers = [2]loa.Move{}
	}
	w.root = w.root[:0]
	first := solve.WinInOne(&root.pos, &c.rules, c.terrain.board)
	if first == loa.NoMoveMade {
		known, _ := c.table.probe(w.key(0))
		first = known.move
	}
	for _, m := range g.Moves(nil) {
		w.root = append(w.root, rootMove{move: m, score: -scoreNone, line: []loa.Move{m}})
		if m == first {
			last := len(w.root) - 1
			w.root[0], w.root[last] = w.root[last], w.root[0]
		}
	}
}

// iterate deepens the search of the main worker until a limit is reached or nothing deeper can change the move.
func (w *worker) iterate(limits Limits, lines int, proof *prover, report func(Info)) Result {
	guess := Line{Score(w.evaluate(0)), slices.Clone(w.root[0].line)}
	if solve.WinInOne(&w.stack[0].pos, &w.rules, w.terrain.board) == w.root[0].move {
		guess.Score = WinIn(1) // which even a search broken off at once must not miss
	}
	result := Result{BestMove: w.root[0].move, Line: guess, Lines: []Line{guess}}
	deepest := MaxDepth
	if limits.Depth > 0 {
		deepest = min(limits.Depth, MaxDepth)
	}
	for depth := 1; depth <= deepest; depth++ {
		done := 0
		for done < lines && w.deepen(depth, done) {
			done++
		}
		w.settle(&result, done, lines)
		if done < lines {
			break
		}
		result.Depth = depth
		proved := proof.attempt(w, &result, lines)
		if report != nil {
			w.report(&result, report)
		}
		if proved {
			break
		}
		if !limits.Infinite && w.settled(depth, lines) {
			break
		}
	}
	return result
}

// settle brings a result up to date after a depth of which a number of lines were done. Of a line broken off,
// the best move so far counts: it has been found better than everything before it.
func (w *worker) settle(result *Result, done, lines int) {
	if done < len(w.root) && w.root[done].score != -scoreNone && done < lines {
		done++
	}
	if done == 0 {
		return
	}
	var found []Line
	for _, r := range w.root[:done] {
		found = append(found, Line{Score(r.score), w.lengthened(r, result.Depth)})
	}
	for _, old := range result.Lines {
		known := slices.ContainsFunc(found, func(l Line) bool { return l.PV[0] == old.PV[0] })
		if len(found) < lines && !known {
			found = append(found, old)
		}
	}
	slices.SortStableFunc(found, func(a, b Line) int { return int(b.Score - a.Score) })
	result.Lines, result.Line, result.BestMove = found, found[0], found[0].PV[0]
}

// lengthened returns the line of a move of the root. One that was cut short, for the search was broken off before it knew the exact value or
// the table had the answer, goes on by the moves of the table, up to a number of plies; a forced end has the line that was proved.
func (w *worker) lengthened(r rootMove, plies int) []loa.Move {
	line := slices.Clone(r.line)
	if _, forced := Score(r.score).Plies(); forced || w.rules.Cap > 0 {
		return line
	}
	p := w.stack[0].pos
	seen := []uint64{p.Hash()}
	for i := 0; ; i++ {
		if i == len(line) {
			known, found := w.table.probe(p.Hash())
			if i >= plies || !found || known.move == loa.NoMoveMade || p.Outcome().Over() || !p.Reaches(known.move) {
				return line
			}
			line = append(line, known.move)
		}
		p = p.PlayUnchecked(line[i])
		if slices.Contains(seen, p.Hash()) {
			return line[:max(i, len(r.line))]
		}
		seen = append(seen, p.Hash())
	}
}

// settled reports whether going deeper is of no use: a forced end is found as short as it gets, there is only
// one move and a clock is running, or the time that was meant for this move is nearly over.
func (w *worker) settled(depth, lines int) bool {
	if plies, forced := Score(w.root[0].score).Plies(); forced && lines == 1 && distance(plies, 0) <= depth {
		return true
	}
	return w.soft > 0 && (len(w.root) == 1 || time.Since(w.start) >= w.soft)
}

// deepen searches the moves of the root from a place on to a depth, with a window around what the depth before
// found, and reports whether it came to an end. The best move is brought to that place.
func (w *worker) deepen(depth, first int) bool {
	if first == 0 {
		for i := range w.root {
			w.root[i].guess, w.root[i].score = w.root[i].score, -scoreNone
		}
	}
	alpha, beta := -scoreNone, scoreNone
	guess, width := w.root[first].guess, aspiration
	if _, forced := Score(guess).Plies(); depth >= 4 && !forced {
		alpha, beta = guess-width, guess+width
	}
	for {
		value := w.searchRoot(depth, alpha, beta, first)
		width *= 4
		switch {
		case w.stop.Load():
			return false
		case value <= alpha:
			alpha -= width
		case value >= beta:
			beta += width
		default:
			return true
		}
		if width > 1000 {
			alpha, beta = -scoreNone, scoreNone
		}
	}
}

// aspiration is half the width of the first window around the value of the depth before, in centipawns.
const aspiration = 25

// report reports every line of a result.
func (w *worker) report(result *Result, report func(Info)) {
	w.counted.Store(w.nodes)
	for i, line := range result.Lines {
		info := Info{
			Line: line, MultiPV: i + 1, Depth: result.Depth, SelDepth: max(w.deepest, result.Depth),
			Nodes: w.total(), Time: time.Since(w.start), Hashfull: w.table.full(),
		}
		info.NPS = perSecond(info.Nodes, info.Time)
		report(info)
	}
}

// perSecond returns nodes a second.
func perSecond(nodes uint64, time time.Duration) uint64 {
	return uint64(float64(nodes) / max(time.Seconds(), 1e-6))
}
