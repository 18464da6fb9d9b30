package engine

import (
	"context"
	"time"

	"github.com/linesofaction/loa"
)

// benchPositions are searched by Bench: starts, middle games of recorded games, endings near a connection, and
// the variants.
var benchPositions = []struct{ rules, position string }{
	{"standard", "1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 b"},
	{"scrambled", "1xoxoxo1/o6x/x6o/o6x/x6o/o6x/x6o/1oxoxox1 b"},
	{"standard", "1x6/2o4o/3xoxxo/6xo/3xo1xx/5xxo/7o/8 b"},
	{"standard", "8/1x2o1o1/2xxoxo1/6xo/6xx/5xxo/6o1/8 w"},
	{"classic", "2x1x3/1o1x2o1/o2xo2o/3ox3/2xo1x2/o2x3o/3o2x1/2x5 b"},
	{"misere", "2x1x3/1o1x2o1/o2xo2o/3ox3/2xo1x2/o2x3o/3o2x1/2x5 w"},
	{"no-capture", "1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 b"},
	{"mini", "1xxxx1/o4o/o4o/o4o/o4o/1xxxx1 b"},
	{"openspiel", "5x2/o2xx1o1/3o2o1/2xoo1x1/2x2ox1/o1xx2o1/3oo3/4x3 w"},
}

// benchDepth is how deep each position is searched.
const benchDepth = 8

// BenchResult is what a run of Bench found.
type BenchResult struct {
	Signature uint64 // nodes of all searches; changes if and only if the search or the evaluation does
	NPS       uint64
	Time      time.Duration // of the searches alone
}

// Bench searches fixed positions to a fixed depth on one thread. It takes less than a second. The error is that
// of the context when that is done before.
func Bench(ctx context.Context) (BenchResult, error) {
	var result BenchResult
	e := New(Options{})
	for _, b := range benchPositions {
		rules, err := loa.ParseRules(b.rules)
		if err != nil {
			return result, err
		}
		setup, err := loa.ParseSetup(b.position)
		if err != nil {
			return result, err
		}
		g, err := loa.NewGameFrom(rules, setup)
		if err != nil {
			return result, err
		}
		e.Reset()
		found, err := e.Search(ctx, g, Limits{Depth: benchDepth}, nil)
		if err != nil {
			return result, err
		}
		result.Signature += found.Nodes
		result.Time += found.Time
	}
	result.NPS = perSecond(result.Signature, result.Time)
	return result, ctx.Err()
}
