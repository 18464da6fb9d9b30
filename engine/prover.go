package engine

import (
	"context"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/engine/solve"
)

// prover is step 17 of the search: where the side to move stands well, a proof search looks for a win from the root
// while the search goes on. It finds wins that are too deep for the horizon.
type prover struct {
	ctx    context.Context
	game   *loa.Game
	engine *Engine
	begun  bool
	spent  uint64 // nodes
}

// Tuned numbers; docs/engine.md has the games.
const (
	proofScore  = 500 // centipawns from which a win is looked for
	proofShare  = 4   // one in so many positions that the search looks at is spent on proofs
	proofCost   = 32  // positions of the search that one of a proof counts as, for it takes about as long
	proofSlice  = 256 // after which it looks whether the search must stop
	proofLeast  = 16  // positions of a proof worth beginning for
	proofMemory = 4   // MiB of its table
)

// attempt goes on with the proof after a depth, and reports whether a win was found that the result did not have. Then the
// result has it. Only a search for one line asks for proofs.
func (p *prover) attempt(w *worker, result *Result, lines int) bool {
	_, forced := result.Score.Plies()
	if forced || lines > 1 || result.Score < proofScore || !w.use(RootProofs) {
		return false
	}
	most := min(w.nodes/proofShare/proofCost, p.spent+(w.mostNodes-min(w.nodes, w.mostNodes))/proofCost)
	if most < p.spent+proofLeast {
		return false
	}
	solver := p.engine.solver
	if solver == nil {
		solver = solve.New(proofMemory)
		p.engine.solver = solver
	}
	if !p.begun {
		if solver.Begin(p.game) != nil {
			return false // a game that is over is not searched
		}
		p.begun = true
	}
	var found solve.Result
	for found.Value == solve.Unknown && p.spent < most && !w.stop.Load() {
		before := solver.Nodes()
		found = solver.Prove(p.ctx, min(most-p.spent, proofSlice))
		spent := solver.Nodes() - before
		if spent == 0 {
			break // neither a win nor a way to one
		}
		p.spent += spent
		w.nodes += spent * proofCost
		w.look()
	}
	if found.Value != solve.Win || len(found.PV) == 0 || found.Bound > maxPly {
		return false
	}
	line := Line{WinIn(found.Bound), found.PV}
	result.BestMove, result.Line, result.Lines = line.PV[0], line, []Line{line}
	return true
}
