package loa_test

import (
	"errors"
	"fmt"

	"github.com/linesofaction/loa"
)

// A game from its first move, as the README shows it.
func Example() {
	game, err := loa.NewGame(loa.Rules{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, text := range []string{"c8-c6", "a6-c4", "b1-b2"} {
		move, _, err := loa.ParseMove(text)
		if err != nil {
			fmt.Println(err)
			return
		}
		if err := game.Play(move); err != nil {
			fmt.Println(err)
			break
		}
	}
	fmt.Println(game.Position())
	fmt.Println(game.Outcome(), len(game.Moves(nil)))
	// Output:
	// move "b1b2" is not legal: the line from b1 to b2 holds 2, so the piece moves exactly 2 along it, not 1
	// 1x1xxxx1/o6o/2x4o/o6o/o1o4o/o6o/o6o/1xxxxxx1 b
	// open 36
}

func ExamplePosition_Outcome() {
	rules, err := loa.ParseRules("classic")
	if err != nil {
		fmt.Println(err)
		return
	}
	position, err := loa.ParsePosition("8/8/2x1oo2/4x3/4o3/8/8/8 b", rules)
	if err != nil {
		fmt.Println(err)
		return
	}
	move, _, _ := loa.ParseMove("c6xe4")
	next, err := position.Play(move)
	fmt.Print(next.Board())
	fmt.Println(next.Outcome(), err)
	// Output:
	// 8 . . . . . . . .
	// 7 . . . . . . . .
	// 6 . . . . o o . .
	// 5 . . . . x . . .
	// 4 . . . . x . . .
	// 3 . . . . . . . .
	// 2 . . . . . . . .
	// 1 . . . . . . . .
	//   a b c d e f g h
	// black both-connected <nil>
}

// What a page that teaches needs: how far each line takes a piece, and what is in its way.
func ExamplePosition_Ray() {
	game, _ := loa.NewGame(loa.Rules{})
	from, _ := loa.ParseSquare("c8")
	for d := loa.Up; d < loa.Directions; d++ {
		ray := game.Position().Ray(from, d)
		fmt.Println(d, ray.Count, ray.Verdict, ray.Land)
	}
	// Output:
	// up 2 off-board -
	// up-right 2 off-board -
	// right 6 off-board -
	// down-right 2 move e6
	// down 2 move c6
	// down-left 2 capture a6
	// left 6 off-board -
	// up-left 2 off-board -
}

func ExampleSetup_Position() {
	setup, err := loa.ParseSetup("xxxx/4/4/4 b")
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = setup.Position(loa.Rules{Size: 6})
	fmt.Println(errors.Is(err, loa.ErrSetup))
	fmt.Println(err)
	// Output:
	// true
	// position "xxxx/4/4/4 b": a board of 4×4 squares, expected 6×6 for the rules mini; White has no pieces
}

func ExampleParseRules() {
	rules, err := loa.ParseRules("standard:both=mover,repetition=none")
	fmt.Println(rules, err)
	_, err = loa.ParseRules("standard:color=red")
	fmt.Println(err)
	// Output:
	// classic:repetition=none <nil>
	// rules "color=red": expected one of the keys both, nomove, repetition, captures, goal, cap, start, size, seed
}

func ExamplePosition_Perft() {
	game, _ := loa.NewGame(loa.Rules{})
	fmt.Println(game.Position().Perft(4))
	// Output: 1563208
}
