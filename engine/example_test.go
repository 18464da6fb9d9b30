package engine_test

import (
	"context"
	"fmt"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/engine"
)

// A position of a recorded game in which White wins in three plies.
func ExampleEngine_Search() {
	setup, err := loa.ParseSetup("8/7o/6ox/4x3/1x4o1/2x1x1xo/2x1ooo1/8 w")
	if err != nil {
		fmt.Println(err)
		return
	}
	game, err := loa.NewGameFrom(loa.Rules{}, setup)
	if err != nil {
		fmt.Println(err)
		return
	}
	e := engine.New(engine.Options{Hash: 1})
	result, err := e.Search(context.Background(), game, engine.Limits{Depth: 6}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Score, len(result.PV), "plies")
	// Output: win 3 3 plies
}
