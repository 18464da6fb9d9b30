package engine

import (
	"context"
	"math/rand/v2"

	"github.com/linesofaction/loa"
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

// levels are numbered from 1. The numbers were found by playing neighbors; docs/engine.md has the games.
var levels = [MaxLevel + 1]level{
	1:  {2_000, 1, MaxMultiPV, 200, 100, 30},
	2:  {2_000, 1, MaxMultiPV, 30, 30, 5},
	3:  {3_000, 2, MaxMultiPV, 155, 30, 5},
	4:  {3_000, 2, 16, 28, 15, 2},
	5:  {3_000, 3, 10, 100, 15, 2},
	6:  {4_000, 4, 6, 16, 0, 0},
	7:  {4_000, 0, 3, 55, 0, 0},
	8:  {4_500, 0, 1, 0, 0, 0},
	9:  {11_000, 0, 1, 0, 0, 0},
	10: {28_000, 0, 1, 0, 0, 0},
}

// LevelNodes returns the most positions a level looks at for a move, so that a caller knows what it costs.
func LevelNodes(level int) uint64 { return levels[max(1, min(level, MaxLevel))].nodes }

// searchLevel searches within the limits of the level, then errs as the level does. The same seed on the same position
// decides the same way. A win in one is always played.
func (e *Engine) searchLevel(ctx context.Context, g *loa.Game, limits Limits, report func(Info)) (Result, error) {
	level := &levels[e.options.Level]
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
	chance := rand.New(rand.NewPCG(e.options.Seed, g.Position().Hash()))
	result.BestMove = e.workers[0].choose(level, result.Lines, chance)
	result.Lines = result.Lines[:min(wanted, len(result.Lines))]
	return result, nil
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
