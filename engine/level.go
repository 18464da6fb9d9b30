package engine

import (
	"context"
	"math/rand/v2"

	"github.com/linesofaction/loa"
)

// MaxLevel is the strongest level: full strength within a number of nodes.
const MaxLevel = 10

// level says how much weaker than full strength a level is.
type level struct {
	nodes  uint64 // looked at for a move
	depth  int    // plies looked ahead, 0 for as many as the nodes allow
	lines  int    // best moves to choose among
	spread int    // centipawns by which chance may better a move
	sight  int    // centipawns beyond which all scores look alike, forced ends included
}

// levels are numbered from 1; docs/engine.md has the games by which neighbors were measured. Level 1 looks one
// ply ahead and often does not notice that it is about to lose.
var levels = [MaxLevel + 1]level{
	1:  {400, 1, MaxMultiPV, 400, 100},
	2:  {400, 1, MaxMultiPV, 250, 250},
	3:  {1_000, 2, 16, 220, 400},
	4:  {1_500, 2, 12, 130, scoreWin},
	5:  {4_000, 3, 10, 110, scoreWin},
	6:  {8_000, 4, 8, 80, scoreWin},
	7:  {20_000, 6, 6, 50, scoreWin},
	8:  {80_000, 0, 4, 30, scoreWin},
	9:  {400_000, 0, 2, 12, scoreWin},
	10: {2_000_000, 0, 1, 0, scoreWin},
}

// LevelNodes returns the most positions a level looks at for a move, so that a caller knows what it costs.
func LevelNodes(level int) uint64 { return levels[max(1, min(level, MaxLevel))].nodes }

// searchLevel searches within the limits of the level, then lets chance decide among near-best moves. The same
// seed on the same position decides the same way. A win in one is always played.
func (e *Engine) searchLevel(ctx context.Context, g *loa.Game, limits Limits, report func(Info)) (Result, error) {
	level := levels[e.options.Level]
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
	result.BestMove = level.choose(result.Lines, chance)
	result.Lines = result.Lines[:min(wanted, len(result.Lines))]
	return result, nil
}

// choose returns the first move of one of the lines, which come with the best first.
func (l level) choose(lines []Line, chance *rand.Rand) loa.Move {
	best := lines[0]
	if best.Score == WinIn(1) {
		return best.PV[0]
	}
	highest := -1 << 30
	for _, line := range lines {
		score := max(-l.sight, min(l.sight, int(line.Score)))
		if l.spread > 0 {
			score += chance.IntN(l.spread + 1)
		}
		if score > highest {
			highest, best = score, line
		}
	}
	return best.PV[0]
}
