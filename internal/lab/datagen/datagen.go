// Package datagen lets the engine play itself and keeps what its searches found, as material to train nets on.
package datagen

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/engine"
	"github.com/linesofaction/loa/engine/solve"
)

// Options say what to play.
type Options struct {
	Rules   loa.Rules
	Engine  engine.Options // the player
	Player  string         // what to call it in the notes of the shards
	Dir     string         // for the shards, which are named by number
	First   int            // number of the first shard
	Shards  int            // how many
	Games   int            // in a shard
	Nodes   uint64         // looked at for a move
	Strays  float64        // how many positions after a chance move to search beside one of a game, 0 to 1
	Seed    uint64         // with the number of a shard it decides what is in it
	Workers int            // shards made at the same time
	Log     io.Writer      // gets a line a shard
}

// MostShards is the number from which a shard would be the same as one before it.
const MostShards = 1 << 31

const (
	leastRandom = 3   // random plies a game begins with, so that games differ
	moreRandom  = 10  // up to so many more, less one, on the 8×8 board; on smaller ones, where games are shorter, two less for each file
	longest     = 120 // plies after which a game is given up as a draw, where the rules have no cap
)

// Run makes the shards that are not there yet. A shard that is there is checked: the error names one that is
// corrupt or was made under other options.
func Run(ctx context.Context, options Options) error {
	if err := os.MkdirAll(options.Dir, 0o755); err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var mutex sync.Mutex
	next, done, positions := 0, 0, 0
	start := time.Now()
	take := func() int {
		mutex.Lock()
		defer mutex.Unlock()
		next++
		return next - 1
	}
	report := func(number, made int, fresh bool) {
		mutex.Lock()
		defer mutex.Unlock()
		done++
		if fresh {
			positions += made
		}
		fmt.Fprintf(options.Log, "shard %d: %d positions; %d of %d shards, %.0f positions/s\n",
			number, made, done, options.Shards, float64(positions)/time.Since(start).Seconds())
	}
	var workers sync.WaitGroup
	for range max(options.Workers, 1) {
		workers.Go(func() {
			for ctx.Err() == nil {
				i := take()
				if i >= options.Shards {
					return
				}
				made, fresh, err := options.shard(ctx, options.First+i)
				if err != nil {
					cancel(err)
					return
				}
				report(options.First+i, made, fresh)
			}
		})
	}
	workers.Wait()
	return context.Cause(ctx)
}

// shard makes one shard unless it is there, and returns its number of positions and whether it is new.
func (o *Options) shard(ctx context.Context, number int) (positions int, fresh bool, err error) {
	path := filepath.Join(o.Dir, fmt.Sprintf("%06d.shard", number))
	note := fmt.Sprintf("rules %s, player %s, ", o.Rules, o.Player)
	if net := o.Engine.ValueNet(o.Rules); net != nil {
		note += fmt.Sprintf("net %s, ", net.Name())
	}
	note += fmt.Sprintf("%d nodes, %d games, seed %d, shard %d", o.Nodes, o.Games, o.Seed, number)
	if o.Strays > 0 {
		note += fmt.Sprintf(", strays %g", o.Strays)
	}
	old, records, err := ReadShard(path)
	switch {
	case err == nil && old != note:
		return 0, false, fmt.Errorf("%s: made with %q, expected %q", path, old, note)
	case err == nil:
		return len(records), false, nil
	case !errors.Is(err, fs.ErrNotExist):
		return 0, false, err
	}
	if records, err = o.play(ctx, number); err != nil {
		return 0, false, err
	}
	return len(records), true, WriteShard(path, note, records)
}

// play plays the games of a shard. A game ends where the search has proved how it will. Left out are the random
// openings and positions with a forced end, for there no evaluation is asked.
func (o *Options) play(ctx context.Context, number int) ([]Record, error) {
	e := engine.New(o.Engine)
	rules := o.Rules
	if rules.Cap == 0 {
		rules.Cap = longest
	}
	var records []Record
	for game := range o.Games {
		chance := rand.New(rand.NewPCG(o.Seed, uint64(number)<<32+uint64(game)))
		g, err := opening(rules, chance)
		if err != nil {
			return nil, err
		}
		e.Reset()
		first := len(records)
		var ends []int // plies of the game at each record
		outcome, proved := loa.NoColor, 0
		for !g.Outcome().Over() {
			if g.PlayForced() {
				continue
			}
			found, err := o.search(ctx, e, g)
			if err != nil {
				return nil, err
			}
			if plies, forced := found.Score.Plies(); forced {
				turn := g.Position().Turn()
				outcome, proved = turn, max(plies, -plies)
				if plies < 0 {
					outcome = turn.Opponent()
				}
				break
			}
			records = append(records, record(g, found.Score))
			ends = append(ends, g.Plies())
			if chance.Float64() < o.Strays {
				stray, ok, err := o.stray(ctx, e, g, chance)
				if err != nil {
					return nil, err
				}
				if ok {
					records = append(records, stray)
					ends = append(ends, g.Plies())
				}
			}
			if err := g.Play(found.BestMove); err != nil {
				return nil, err
			}
		}
		if o := g.Outcome(); o.Over() {
			outcome = o.Winner
		}
		last := g.Plies() + proved
		for i := range records[first:] {
			r := &records[first+i]
			if r.Result == Unknown {
				continue
			}
			r.Plies = uint8(min(last-ends[i], 255))
			switch outcome {
			case r.Turn:
				r.Result = Won
			case loa.NoColor:
				r.Result = Drawn
			}
		}
	}
	return records, nil
}

// stray searches the position after a chance move, which is then taken back. There is none where the game would be over
// or one side's end is forced.
func (o *Options) stray(ctx context.Context, e *engine.Engine, g *loa.Game, chance *rand.Rand) (Record, bool, error) {
	plies, moves := g.Plies(), g.Moves(nil)
	defer g.Truncate(plies)
	if err := g.Play(moves[chance.IntN(len(moves))]); err != nil {
		return Record{}, false, err
	}
	if g.Outcome().Over() || g.PlayForced() {
		return Record{}, false, nil
	}
	found, err := o.search(ctx, e, g)
	if err != nil {
		return Record{}, false, err
	}
	r := record(g, found.Score)
	r.Result = Unknown
	_, forced := found.Score.Plies()
	return r, !forced, nil
}

func (o *Options) search(ctx context.Context, e *engine.Engine, g *loa.Game) (engine.Result, error) {
	found, err := e.Search(ctx, g, engine.Limits{Nodes: o.Nodes}, nil)
	if err == nil {
		err = ctx.Err()
	}
	return found, err
}

// record notes the position of a game, without its result.
func record(g *loa.Game, score engine.Score) Record {
	p, rules := g.Position(), g.Rules()
	return Record{
		Black: p.Pieces(loa.Black), White: p.Pieces(loa.White), Turn: p.Turn(), Score: int16(score),
		Threat: solve.Threat(&p, &rules, boardOf(p.Size())),
	}
}

// opening plays random moves from the start until nothing is over.
func opening(rules loa.Rules, chance *rand.Rand) (*loa.Game, error) {
	if rules.Start == loa.StartRandom {
		rules.Seed = chance.Uint64()
	}
	for {
		g, err := loa.NewGame(rules)
		if err != nil {
			return nil, err
		}
		for plies := leastRandom + chance.IntN(moreRandom-2*(8-rules.Edge())); plies > 0 && !g.Outcome().Over(); plies-- {
			moves := g.Moves(nil)
			if err := g.Play(moves[chance.IntN(len(moves))]); err != nil {
				return nil, err
			}
		}
		if !g.Outcome().Over() {
			return g, nil
		}
	}
}

// boardOf returns the squares of a board.
func boardOf(size int) (board loa.Bitboard) {
	for rank := range size {
		for file := range size {
			board |= loa.SquareAt(file, rank).Bitboard()
		}
	}
	return board
}
