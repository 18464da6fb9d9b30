package mine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/engine"
	"github.com/linesofaction/loa/internal/puzzle"
)

// Options say what to look for and where.
type Options struct {
	Games   []*loa.Game // recorded ones, looked at first
	Sources []string    // what each of them is called
	First   int         // number of the first game that the engine plays
	Play    int         // how many it plays at most
	Seed    uint64      // with the number of a game it decides how that goes
	Lengths []int       // in plies, to look for
	Each    int         // puzzles of each of them
	Levels  [2]int      // the weakest and the strongest player
	Nodes   uint64      // positions for a question of a proof
	Known   []*puzzle.Puzzle
	Workers int
	Log     io.Writer // gets a line now and then
}

// The reasons why a puzzle that is one is left out.
var (
	errLike   = errors.New("too much like another one")
	errEnough = errors.New("enough of its length")
)

// Tally counts what became of the positions looked at.
type Tally struct {
	Games, Positions, Kept int
	Refused                map[string]int // by reason
}

// EngineGame is what a game that the engine played is called, by its number and seed.
const EngineGame = "engine game %d, seed %d"

// Likeness is the number of squares within which a puzzle is too much like another one.
const Likeness = 4

const (
	tail     = 14  // plies before the end of a game whose positions are looked at
	random   = 4   // random plies a game begins with at least
	more     = 8   // and up to so many more, less one
	longest  = 120 // plies after which a game is given up
	logEvery = 50  // games
)

// candidate is a puzzle that one game gave.
type candidate struct {
	puzzle *puzzle.Puzzle
	err    error
}

// Run looks through the games and hands the puzzles on in their order, so the same options give the same ones
// whatever the workers. It ends when there are enough of each length.
func Run(ctx context.Context, o Options, keep func(*puzzle.Puzzle) error) (Tally, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	tally := Tally{Refused: map[string]int{}}
	have := map[int]int{}
	for _, z := range o.Known {
		have[z.Plies()]++
	}
	known := append([]*puzzle.Puzzle(nil), o.Known...)
	for result := range o.look(ctx) {
		found, err := result()
		if err != nil {
			return tally, err
		}
		tally.Games++
		tally.Positions += len(found)
		best := pick(found, known, have, o.Each, tally.Refused)
		if best != nil {
			known = append(known, best)
			have[best.Plies()]++
			tally.Kept++
			if err := keep(best); err != nil {
				return tally, err
			}
		}
		if tally.Games%logEvery == 0 {
			fmt.Fprintf(o.Log, "%s; lengths %v\n", tally, have)
		}
		if enough(have, o.Lengths, o.Each) {
			break
		}
	}
	return tally, nil
}

// enough reports whether there are enough puzzles of every length looked for.
func enough(have map[int]int, lengths []int, each int) bool {
	for _, plies := range lengths {
		if have[plies] < each {
			return false
		}
	}
	return true
}

// pick chooses at most one puzzle of a game, of the length there are the fewest of, and counts why the others are not
// taken.
func pick(found []candidate, known []*puzzle.Puzzle, have map[int]int, each int, refused map[string]int) (best *puzzle.Puzzle) {
	for _, c := range found {
		err := c.err
		if err == nil && have[c.puzzle.Plies()] >= each {
			err = errEnough
		}
		for i := 0; i < len(known) && err == nil; i++ {
			if c.puzzle.Near(known[i], Likeness) {
				err = errLike
			}
		}
		if err != nil {
			refused[err.Error()]++
			continue
		}
		if best == nil || have[c.puzzle.Plies()] < have[best.Plies()] {
			best, c.puzzle = c.puzzle, best
		}
		if c.puzzle != nil {
			refused["another one of the same game is taken"]++
		}
	}
	return best
}

// look goes through the games on several workers and yields what each gave in order, as something to wait for.
func (o *Options) look(ctx context.Context) <-chan func() ([]candidate, error) {
	type answer struct {
		found []candidate
		err   error
	}
	results := make(chan func() ([]candidate, error), 2*max(o.Workers, 1))
	type job struct {
		number int
		to     chan answer
	}
	jobs := make(chan job)
	var workers sync.WaitGroup
	for range max(o.Workers, 1) {
		workers.Go(func() {
			prover, scout := NewProver(proverMiB, o.Nodes), engine.New(engine.Options{Hash: 4})
			for j := range jobs {
				found, err := o.game(ctx, prover, scout, j.number)
				j.to <- answer{found, err}
			}
		})
	}
	go func() {
		defer close(results)
		defer workers.Wait()
		defer close(jobs)
		for i := range len(o.Games) + o.Play {
			j := job{i, make(chan answer, 1)}
			select {
			case jobs <- j:
			case <-ctx.Done():
				return
			}
			select {
			case results <- func() ([]candidate, error) { a := <-j.to; return a.found, a.err }:
			case <-ctx.Done():
				return
			}
		}
	}()
	return results
}

// proverMiB is the table of each worker.
const proverMiB = 4

// game looks at one game: a recorded one, or one that the engine plays.
func (o *Options) game(ctx context.Context, v *Prover, scout *engine.Engine, i int) (found []candidate, err error) {
	var g *loa.Game
	var source string
	first := 0
	if i < len(o.Games) {
		g, source = o.Games[i], o.Sources[i]
	} else {
		number := o.First + i - len(o.Games)
		source = fmt.Sprintf(EngineGame, number, o.Seed)
		if g, err = o.play(ctx, number); err != nil {
			return nil, err
		}
		first = g.Plies() - tail
	}
	for ply := max(0, first); ply <= g.Plies(); ply++ {
		p := g.PositionAt(ply)
		if p.Outcome().Over() {
			continue
		}
		line, err := o.solve(ctx, v, scout, p)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		c := candidate{err: err}
		if err == nil {
			c.puzzle = puzzle.New(p, line, fmt.Sprintf("%s, ply %d", source, ply))
		}
		found = append(found, c)
	}
	return found, nil
}

// solve returns the line of a puzzle. Where the engine sees no win there may be one, but to prove that there is none
// takes so long that other positions are the better use of the time.
func (o *Options) solve(ctx context.Context, v *Prover, scout *engine.Engine, p loa.Position) ([]loa.Move, error) {
	if slices.Max(o.Lengths) <= unscouted {
		return v.Solve(ctx, p, o.Lengths)
	}
	g, err := loa.NewGameFrom(puzzle.Rules(), p.Setup())
	if err != nil {
		return nil, err
	}
	scout.Reset()
	seen, err := scout.Search(ctx, g, engine.Limits{Nodes: scoutNodes, MultiPV: 2}, nil)
	if err != nil {
		return nil, err
	}
	plies, forced := seen.Score.Plies()
	switch {
	case !forced || plies < 0:
		return nil, ErrNoWin
	case plies < slices.Min(o.Lengths):
		return nil, ErrOther // what is seen is never too short
	}
	if len(seen.Lines) > 1 {
		if second, forced := seen.Lines[1].Score.Plies(); forced && second > 0 && second <= plies+puzzle.Spare {
			return nil, ErrSecond
		}
	}
	return v.Solve(ctx, p, o.Lengths)
}

// unscouted is the length up to which a proof is as quick as the engine.
const unscouted = 3

// scoutNodes is what the engine looks at to see a win.
const scoutNodes = 15_000

// play lets two levels play a game after random plies.
func (o *Options) play(ctx context.Context, number int) (*loa.Game, error) {
	chance := rand.New(rand.NewPCG(o.Seed, uint64(number)))
	rules := puzzle.Rules()
	rules.Cap = longest
	var players [2]*engine.Engine
	for i := range players {
		players[i] = engine.New(engine.Options{Hash: 1, Level: o.Levels[0] + chance.IntN(o.Levels[1]-o.Levels[0]+1), Seed: chance.Uint64()})
	}
	g, err := loa.NewGame(rules)
	if err != nil {
		return nil, err
	}
	for plies := random + chance.IntN(more); plies > 0 && !g.Outcome().Over(); plies-- {
		moves := g.Moves(nil)
		if err := g.Play(moves[chance.IntN(len(moves))]); err != nil {
			return nil, err
		}
	}
	for !g.Outcome().Over() {
		if g.PlayForced() {
			continue
		}
		found, err := players[g.Position().Turn()].Search(ctx, g, engine.Limits{}, nil)
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			err = g.Play(found.BestMove)
		}
		if err != nil {
			return nil, err
		}
	}
	return g, nil
}

// String writes a tally on one line.
func (t Tally) String() string {
	return fmt.Sprintf("games %d, positions %d, kept %d, refused %v", t.Games, t.Positions, t.Kept, t.Refused)
}
