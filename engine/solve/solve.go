package solve

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/linesofaction/loa"
)

// ErrGameOver is the error of Solve for a game without a move to look for.
var ErrGameOver = errors.New("the game is over")

// Value is what a position is worth to the side to move.
type Value uint8

// The values.
const (
	Unknown Value = iota
	Win
	Loss
	Draw
)

// String returns "win", "loss", "draw" or "unknown".
func (v Value) String() string {
	return [...]string{"unknown", "win", "loss", "draw"}[v]
}

// Limits end a search soon after one of them is reached. Zero is no limit.
type Limits struct {
	Nodes uint64
	Time  time.Duration
}

// Result is what a search found out.
type Result struct {
	Value Value
	Nodes uint64 // positions whose moves were generated
	Time  time.Duration
	PV    []loa.Move
	Plies int // length of the shortest win or the longest defense; 0 when not known
	Bound int // a win or loss comes within so many plies
}

// Progress is what a search reports on the way.
type Progress struct {
	Nodes           uint64
	Time            time.Duration
	Attacker        loa.Color
	Proof, Disproof uint32
}

// Solver proves the value of positions, one at a time. It holds everything it changes, so any number of them work in
// one process.
type Solver struct {
	table *table
	*problem
	attempts [2]*search
	turn
}

// turn says whose attempt goes on.
type turn struct {
	side  uint64 // of attempts
	rest  uint64 // positions left of its turn
	chunk uint64 // positions of a turn
}

// New returns a solver whose table takes the given number of MiB, at least one bucket.
func New(memory int) *Solver { return &Solver{table: newTable(memory)} }

// Positions of the first turn of each side, and of the longest.
const (
	firstChunk = 1 << 14
	mostChunk  = 1 << 50
)

// Solve searches for the value of the position of a game now, by its rules and with regard to its past, until it has
// proved one, a limit is reached or the context is done; then the value is Unknown. It forgets what it found before,
// so with a limit in nodes or none the result is the same every time. It calls report about every second, unless
// it is nil, from this goroutine. The game is only read. The error is ErrGameOver.
func (s *Solver) Solve(ctx context.Context, g *loa.Game, limits Limits, report func(Progress)) (Result, error) {
	if err := s.Begin(g); err != nil {
		return Result{}, err
	}
	return s.Continue(ctx, limits, report), nil
}

// Continue goes on with the search of the last Solve, Begin or ReadState. Nodes and time of the result are those
// of all that was searched for this position; limits count from now.
func (s *Solver) Continue(ctx context.Context, limits Limits, report func(Progress)) Result {
	p, now := s.problem, time.Now()
	p.ctx, p.reported, p.report = ctx, now, report
	p.since = now.Add(-p.spent)
	p.deadline, p.most = time.Time{}, math.MaxUint64
	if limits.Time > 0 {
		p.deadline = now.Add(limits.Time)
	}
	if limits.Nodes > 0 {
		p.most = p.nodes + limits.Nodes
	}
	result := s.attempt()
	p.spent = time.Since(p.since)
	result.Nodes, result.Time = p.nodes, p.spent
	return result
}

// Nodes returns how many positions were searched for the position being solved.
func (s *Solver) Nodes() uint64 {
	if s.problem == nil {
		return 0
	}
	return s.nodes
}

// Begin forgets what was found before and makes the position of a game now the one to solve. The error is ErrGameOver.
func (s *Solver) Begin(g *loa.Game) error {
	if o := g.Outcome(); o.Over() {
		return fmt.Errorf("%w: %s", ErrGameOver, o)
	}
	if s.problem != nil {
		s.table.clear()
	}
	p := newProblem(g, s.table)
	s.problem, s.turn = p, turn{0, firstChunk, firstChunk}
	first := p.start.Turn()
	for i, attacker := range []loa.Color{first, first.Opponent()} {
		s.attempts[i] = &search{problem: p, attacker: attacker}
		root := &s.attempts[i].root
		root.pos, root.key = p.start, keyOf(&p.start, p.images)
		root.proof, root.disproof = 1, 1
	}
	return nil
}

// attempt lets both sides try in turn, each time for longer, until one has won or neither can.
func (s *Solver) attempt() Result {
	for !s.ended() {
		a := s.attempts[s.side]
		if a.root.disproof == 0 {
			s.pass()
			continue
		}
		before := s.nodes
		s.stopAt = min(s.nodes+s.rest, s.most)
		a.run()
		s.rest -= min(s.rest, s.nodes-before)
		switch {
		case a.root.proof == 0 && s.rules.Cap > 0 && int(a.root.plies) > s.left:
			return Result{} // longer than any path looked at, and so than the cap allows
		case a.root.proof == 0:
			result := Result{Value: []Value{Win, Loss}[s.side], Bound: int(a.root.plies)}
			if result.Plies, result.PV = a.shortest(result.Bound); result.Plies == 0 {
				result.PV = a.line()
			}
			return result
		case a.root.disproof == 0 && !s.capped:
			if _, ok, err := a.buildHold(); err != nil {
				a.root.proof, a.root.disproof = 1, 1 // not made sure of
				return Result{}
			} else if !ok {
				a.root.proof, a.root.disproof = 1, 1
			}
			s.pass()
		}
		if s.attempts[0].root.disproof == 0 && s.attempts[1].root.disproof == 0 {
			return Result{Value: Draw}
		}
		if s.rest == 0 {
			s.pass()
		}
	}
	return Result{}
}

// pass makes it the other side's turn to try, for twice as long when both have tried.
func (s *Solver) pass() {
	if s.side = 1 - s.side; s.side == 0 {
		s.chunk = min(2*s.chunk, mostChunk)
	}
	s.rest = s.chunk
}

// newProblem returns what both attempts share for the position of a game now.
func newProblem(g *loa.Game, t *table) *problem {
	p := &problem{rules: g.Rules(), game: g.Clone(), start: g.Position(), table: t}
	p.size = p.start.Size()
	p.board = boardOf(p.size)
	if p.rules.Cap > 0 {
		p.left = p.rules.Cap - g.Plies()
		p.capped = p.left <= maxPath
	}
	p.barred = barred(g)
	p.images = len(p.barred) == 0
	return p
}

// barred returns the positions of a game whose next occurrence would be a draw by repetition, as far as they can
// be reached still.
func barred(g *loa.Game) []loa.Position {
	often := 0
	switch g.Rules().Repetition {
	case loa.RepetitionDraw3:
		often = 2
	case loa.RepetitionDraw2:
		often = 1
	default:
		return nil
	}
	now := g.Position()
	var found []loa.Position
	times := map[string]int{}
	for ply := range g.Plies() + 1 {
		p := g.PositionAt(ply)
		if p.Occupied().Count() != now.Occupied().Count() {
			continue
		}
		text := p.String()
		if times[text]++; times[text] == often && ply < g.Plies() {
			found = append(found, p)
		}
	}
	return found
}
