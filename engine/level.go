package engine

import (
	"context"
	"math/rand/v2"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/engine/book"
)

// MaxLevel is the strongest level.
const MaxLevel = 10

// level says how much weaker than full strength a level is, and how it errs.
type level struct {
	nodes    uint64 // looked at for a move
	depth    int    // plies looked ahead, 0 for as many as the nodes allow
	lines    int    // best moves to choose among
	spread   int    // centipawns by which chance may better a move
	greed    int    // centipawns that a capture seems to be worth by itself
	overlook int    // moves in a hundred for which it does not see how the enemy would win
}

// Kinds of games in which errors of the same size weigh differently.
const (
	usual    = iota // connecting wins
	lasting         // and no piece is ever captured
	short           // and the board is small: looking at twice as much is worth less there
	reversed        // connecting loses: moves differ by less, and seeing further weighs more
)

// levels are numbered from 1, for each kind of games; a level that is not there is the usual one. The numbers were found by playing neighbors; docs/engine.md has the games.
var levels = [...][MaxLevel + 1]level{
	usual: {
		1:  {2_000, 1, MaxMultiPV, 200, 100, 30},
		2:  {2_000, 1, MaxMultiPV, 30, 30, 5},
		3:  {3_000, 2, MaxMultiPV, 162, 30, 5},
		4:  {3_000, 2, 16, 18, 15, 2},
		5:  {3_000, 3, 10, 105, 15, 2},
		6:  {3_600, 4, 6, 40, 0, 0},
		7:  {3_600, 0, 3, 88, 0, 0},
		8:  {3_600, 0, 1, 0, 0, 0},
		9:  {7_000, 0, 1, 0, 0, 0},
		10: {14_000, 0, 1, 0, 0, 0},
	},
	lasting: {
		1:  {2_000, 1, MaxMultiPV, 180, 0, 30},
		2:  {2_000, 1, MaxMultiPV, 24, 0, 5},
		3:  {3_000, 2, MaxMultiPV, 150, 0, 5},
		4:  {3_000, 2, 16, 6, 0, 2},
		5:  {3_000, 3, 10, 75, 0, 2},
		6:  {3_600, 4, 6, 100, 0, 0},
		7:  {3_600, 0, 3, 88, 0, 0},
		8:  {3_600, 0, 1, 0, 0, 0},
		9:  {6_500, 0, 1, 0, 0, 0},
		10: {12_500, 0, 1, 0, 0, 0},
	},
	short: {
		1:  {2_000, 1, MaxMultiPV, 300, 100, 30},
		3:  {3_000, 2, MaxMultiPV, 270, 30, 5},
		4:  {3_000, 2, 16, 12, 15, 2},
		5:  {3_000, 3, 10, 125, 15, 2},
		6:  {3_000, 4, 6, 40, 0, 0},
		7:  {3_000, 0, 3, 150, 0, 0},
		8:  {3_000, 0, 1, 0, 0, 0},
		9:  {7_500, 0, 1, 0, 0, 0},
		10: {50_000, 0, 1, 0, 0, 0},
	},
	reversed: {
		1:  {2_000, 1, MaxMultiPV, 50, 25, 30},
		2:  {2_000, 1, MaxMultiPV, 9, 10, 6},
		3:  {3_000, 2, MaxMultiPV, 80, 10, 5},
		4:  {3_000, 2, MaxMultiPV, 55, 10, 3},
		5:  {3_000, 2, MaxMultiPV, 33, 5, 2},
		6:  {4_000, 2, MaxMultiPV, 12, 0, 0},
		7:  {4_000, 3, 10, 19, 0, 0},
		8:  {4_500, 4, 6, 8, 0, 0},
		9:  {8_000, 0, 3, 4, 0, 0},
		10: {28_000, 0, 1, 0, 0, 0},
	},
}

// levelOf returns a level from 1 to MaxLevel for games by some rules.
func levelOf(number int, rules loa.Rules) *level {
	kind := usual
	switch {
	case rules.Goal == loa.GoalMisere:
		kind = reversed
	case rules.Captures == loa.CapturesNo:
		kind = lasting
	case rules.Edge() < 8:
		kind = short
	}
	return levelFor(kind, number)
}

func levelFor(kind, number int) *level {
	if levels[kind][number].nodes == 0 {
		kind = usual
	}
	return &levels[kind][number]
}

// LevelNodes returns the most positions a level looks at for a move, so that a caller knows what it costs.
func LevelNodes(number int) uint64 {
	number = max(1, min(number, MaxLevel))
	var most uint64
	for _, of := range levels {
		most = max(most, of[number].nodes)
	}
	return most
}

const (
	// BookLevel is the lowest level that opens by the book.
	BookLevel = 8
	// bookMargin is how many centipawns a move of the book may be worse than the best one to be played; the worse, the
	// more seldom.
	bookMargin = 30
)

// searchLevel searches within the limits of the level, then errs as the level does. The same seed on the same position
// decides the same way. A win in one is always played.
func (e *Engine) searchLevel(ctx context.Context, g *loa.Game, limits Limits, report func(Info)) (Result, error) {
	level := levelOf(e.options.Level, g.Rules())
	chance := rand.New(rand.NewPCG(e.options.Seed, g.Position().Hash()))
	if line, known := e.fromBook(g, chance); known {
		return Result{BestMove: line.PV[0], Line: line, Lines: []Line{line}}, nil
	}
	wanted := max(limits.MultiPV, e.options.MultiPV)
	limits.MultiPV = max(wanted, level.lines)
	if limits.Nodes == 0 || limits.Nodes > level.nodes {
		limits.Nodes = level.nodes
	}
	if level.depth > 0 && (limits.Depth == 0 || limits.Depth > level.depth) {
		limits.Depth = level.depth
	}
	if report != nil {
		all := report
		report = func(info Info) {
			if info.MultiPV <= wanted {
				all(info)
			}
		}
	}
	result := e.search(ctx, g, limits, report)
	result.BestMove = e.workers[0].choose(level, result.Lines, chance)
	result.Lines = result.Lines[:min(wanted, len(result.Lines))]
	return result, nil
}

// fromBook returns a move of the book for a game, one of the good ones, the best most often, and whether there is one.
func (e *Engine) fromBook(g *loa.Game, chance *rand.Rand) (Line, bool) {
	if e.options.Level < BookLevel {
		return Line{}, false
	}
	opening := e.options.Book
	if opening == nil {
		opening = book.Standard()
	}
	moves := opening.Moves(g.Position(), g.Rules())
	weight := func(m book.Move) int { return max(0, bookMargin+1-(moves[0].Value-m.Value)) }
	sum := 0
	for _, m := range moves {
		sum += weight(m)
	}
	if sum == 0 {
		return Line{}, false
	}
	i := 0
	for at := chance.IntN(sum) - weight(moves[0]); at >= 0; at -= weight(moves[i]) {
		i++
	}
	return Line{Score(moves[i].Value), []loa.Move{moves[i].Move}}, true
}

// choose returns the first move of one of the lines, which come with the best first, as a level would after the search
// of them. A position in which every move loses is defended as long as the level sees how.
func (w *worker) choose(l *level, lines []Line, chance *rand.Rand) loa.Move {
	best := lines[0].PV[0]
	// A win in one is never missed, and where all is lost the best there is the longest defense.
	if _, forced := lines[0].Score.Plies(); lines[0].Score == WinIn(1) || forced && lines[0].Score < 0 {
		return best
	}
	blind := chance.IntN(100) < l.overlook
	highest := -1 << 30
	for _, line := range lines {
		m, score := line.PV[0], int(line.Score)
		if _, forced := line.Score.Plies(); forced && score < 0 && blind {
			w.enter(0, m)
			score = -w.evaluate(1)
		}
		if w.stack[0].captures(m) {
			score += l.greed
		}
		if l.spread > 0 {
			score += chance.IntN(l.spread + 1)
		}
		if score > highest {
			highest, best = score, m
		}
	}
	return best
}
