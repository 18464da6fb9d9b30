// Package opening makes opening books from the engine's own searches.
package opening

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/engine"
	"github.com/linesofaction/loa/engine/book"
)

// MaxLines is the greatest number of moves of a position, as files have it.
const MaxLines = 255

const (
	plyCost   = 12  // centipawns that a ply counts against a position, so that the book grows in width too
	margin    = 60  // centipawns by which a move may be worse than the best one and still be in the book
	decided   = 250 // centipawns beyond which a position is decided, and the book does not go on
	saveEvery = 20  // positions after which the file is written
)

// Maker makes a book: it searches the position that good play comes to soonest of those not searched yet, again and
// again. What it searches next follows from what it has, so it goes on from a book as if it had never stopped.
type Maker struct {
	Head      book.Head
	Positions int // to search
	Workers   int // searches at the same time; 0 is one. The book is the same with any number
	Report    func(positions int)
}

// node is a position of the book, or one beyond its edge.
type node struct {
	key   book.Key
	moves []edge // none beyond the edge
	cost  int    // of the cheapest way from the start
}

// edge is a move of a node, in the image that is its key, with Black to move.
type edge struct {
	book.Move
	to book.Key
}

// batch is how many positions are chosen at a time. It is part of what the book is, the number of workers is not.
const batch = 8

// Make makes a book in a file, going on from the one that is there, and returns it, also when the context is done before.
// The error names a file that is something else.
func (m *Maker) Make(ctx context.Context, path string) (*book.Book, error) {
	start, err := m.Head.Rules.StartPosition()
	if err != nil {
		return nil, err
	}
	root, _ := book.KeyOf(start)
	nodes := map[book.Key]*node{}
	file, err := os.ReadFile(path)
	switch {
	case err == nil:
		if nodes, err = m.resume(file); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	made, saved := m.book(nodes), len(nodes)
	for len(nodes) < m.Positions {
		next := frontier(nodes, root, min(batch, m.Positions-len(nodes)))
		if len(next) == 0 {
			break
		}
		if err := m.searchAll(ctx, next); err != nil {
			break // what is whole is kept
		}
		for _, n := range next {
			nodes[n.key] = n
		}
		propagate(nodes)
		if m.Report != nil {
			m.Report(len(nodes))
		}
		made = m.book(nodes)
		if len(nodes)-saved >= saveEvery {
			if err := save(path, made); err != nil {
				return made, err
			}
			saved = len(nodes)
		}
	}
	return made, errors.Join(save(path, made), ctx.Err())
}

// resume returns the nodes of a book.
func (m *Maker) resume(file []byte) (map[book.Key]*node, error) {
	old, err := book.Parse(file)
	if err != nil {
		return nil, err
	}
	if old.Head != m.Head {
		return nil, fmt.Errorf("a book of %+v, expected %+v", old.Head, m.Head)
	}
	nodes := map[book.Key]*node{}
	for key, entry := range old.Entries() {
		p, err := m.position(key)
		if err != nil {
			return nil, err
		}
		n := &node{key: key}
		for _, move := range entry {
			next, err := p.Play(move.Move)
			if err != nil {
				return nil, fmt.Errorf("position %s: %w", key, err)
			}
			to, _ := book.KeyOf(next)
			n.moves = append(n.moves, edge{move, to})
		}
		nodes[key] = n
	}
	return nodes, nil
}

// position returns a position of a key, with Black to move.
func (m *Maker) position(key book.Key) (loa.Position, error) {
	board := loa.Board{Size: m.Head.Rules.Edge(), Black: key.Own, White: key.Other}
	return loa.Setup{Board: board, Turn: loa.Black}.Position(m.custom())
}

// custom returns the rules for games from positions of the book.
func (m *Maker) custom() loa.Rules {
	rules := m.Head.Rules
	rules.Start, rules.Seed, rules.Size = loa.StartCustom, 0, rules.Edge()
	return rules
}

// frontier returns the cheapest positions beyond the edge of a book, cheapest first: the cost of a position is that of
// the way to it, a little for every ply and what each move of it loses against the best one.
func frontier(nodes map[book.Key]*node, root book.Key, most int) []*node {
	if nodes[root] == nil {
		return []*node{{key: root}}
	}
	for _, n := range nodes {
		n.cost = math.MaxInt
	}
	nodes[root].cost = 0
	beyond := map[book.Key]*node{}
	for open := []book.Key{root}; len(open) > 0; { // ways are short and few, so there is no queue by cost
		n := nodes[open[0]]
		open = open[1:]
		for _, e := range n.moves {
			cost := n.cost + plyCost + n.moves[0].Value - e.Value
			to, inside := nodes[e.to]
			if !inside {
				if to = beyond[e.to]; to == nil {
					if e.Value > decided || e.Value < -decided {
						continue
					}
					to = &node{key: e.to, cost: math.MaxInt}
					beyond[e.to] = to
				}
			}
			if cost < to.cost {
				to.cost = cost
				if inside {
					open = append(open, e.to)
				}
			}
		}
	}
	next := slices.SortedFunc(maps.Values(beyond), func(a, b *node) int {
		return cmp.Or(cmp.Compare(a.cost, b.cost), a.key.Compare(b.key))
	})
	return next[:min(most, len(next))]
}

// propagate works out the values of moves from those of the positions behind them, and puts the best first.
func propagate(nodes map[book.Key]*node) {
	order := slices.SortedFunc(maps.Values(nodes), func(a, b *node) int { return a.key.Compare(b.key) })
	for changed, round := true, 0; changed && round < 100; round++ { // moves to and fro could go on for ever
		changed = false
		for _, n := range order {
			for i := range n.moves {
				e := &n.moves[i]
				value := e.Score
				if behind := nodes[e.to]; behind != nil && len(behind.moves) > 0 {
					value = -behind.best()
					if plies, forced := engine.Score(value).Plies(); forced && plies > 0 {
						value--
					} else if forced {
						value++
					}
				}
				if value != e.Value {
					e.Value, changed = value, true
				}
			}
		}
	}
	for _, n := range nodes {
		slices.SortStableFunc(n.moves, func(a, b edge) int { return b.Value - a.Value })
	}
}

func (n *node) best() int {
	best := n.moves[0].Value
	for _, e := range n.moves[1:] {
		best = max(best, e.Value)
	}
	return best
}

// searchAll searches positions at the same time.
func (m *Maker) searchAll(ctx context.Context, next []*node) error {
	errs := make([]error, len(next))
	var workers sync.WaitGroup
	for w := range max(1, m.Workers) {
		workers.Go(func() {
			for i := w; i < len(next); i += max(1, m.Workers) {
				errs[i] = m.search(ctx, next[i])
			}
		})
	}
	workers.Wait()
	return errors.Join(append(errs, ctx.Err())...)
}

// search finds the good moves of a position, one of those that are images of each other.
func (m *Maker) search(ctx context.Context, n *node) error {
	p, err := m.position(n.key)
	if err != nil {
		return err
	}
	g, err := loa.NewGameFrom(m.custom(), p.Setup())
	if err != nil || g.Outcome().Over() {
		return err
	}
	_, images := book.KeyOf(p)
	limits := engine.Limits{Nodes: m.Head.Nodes * uint64(len(images)), MultiPV: m.Head.Lines * len(images)}
	result, err := engine.New(engine.Options{Hash: 64}).Search(ctx, g, limits, nil)
	if err != nil {
		return err
	}
	for _, line := range result.Lines {
		move := line.PV[0]
		to, _ := book.KeyOf(p.PlayUnchecked(move))
		alike := slices.ContainsFunc(n.moves, func(e edge) bool { return e.to == to })
		if !alike && len(n.moves) < m.Head.Lines && int(result.Lines[0].Score-line.Score) <= margin {
			n.moves = append(n.moves, edge{book.Move{Move: move, Score: int(line.Score), Value: int(line.Score)}, to})
		}
	}
	return nil
}

// book returns the nodes as a book.
func (m *Maker) book(nodes map[book.Key]*node) *book.Book {
	entries := map[book.Key]book.Entry{}
	for key, n := range nodes {
		entry := book.Entry{}
		for _, e := range n.moves {
			entry = append(entry, e.Move)
		}
		entries[key] = entry
	}
	return book.New(m.Head, entries)
}

// save writes a book beside the file and puts it in its place.
func save(path string, b *book.Book) error {
	beside, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	_, err = beside.Write(b.Append(nil))
	err = errors.Join(err, beside.Chmod(0o644), beside.Close())
	if err == nil {
		err = os.Rename(beside.Name(), path)
	}
	if err != nil {
		err = errors.Join(err, os.Remove(beside.Name()))
	}
	return err
}
