package engine

import (
	"fmt"
	"math"
)

// Score is the value of a position for the side to move: centipawns, or the number of plies to a forced end.
// Scores compare with < and >, quicker wins being greater. A score of c centipawns is the engine's guess that
// the side to move scores 1/(1+exp(-c/200)) points of the game; that scale is what the weights are fitted to.
type Score int

// The scale. A forced win in n plies is scoreWin-n; everything beyond ±scoreForced is forced.
const (
	scoreWin    = 30000
	scoreForced = scoreWin - 2*maxPly
	scoreMost   = scoreForced - 1 // the greatest an evaluation may be
	scoreNone   = 32000           // outside every window
)

// WinIn returns the score of a win after a number of plies, of a loss for a negative number.
func WinIn(plies int) Score {
	if plies < 0 {
		return Score(-scoreWin - plies)
	}
	return Score(scoreWin - plies)
}

// Plies returns the number of plies to the forced end, negative for a loss, and whether there is one.
func (s Score) Plies() (int, bool) {
	switch {
	case s >= scoreForced:
		return int(scoreWin - s), true
	case s <= -scoreForced:
		return int(-scoreWin - s), true
	}
	return 0, false
}

// shift returns the score with a forced end so many plies further away.
func (s Score) shift(plies int) Score {
	switch _, forced := s.Plies(); {
	case !forced:
		return s
	case s > 0:
		return s - Score(plies)
	}
	return s + Score(plies)
}

// drawsPerMille is how many of a thousand games between equals are drawn: 19 of the 600 between neighboring nets in
// nnue/NETS.md.
const drawsPerMille = 32

// WDL returns what the score stands for: wins, draws and losses of the side to move in a thousand games. Wins and half the
// draws are what the scale says; draws are most likely between equals and as unlikely as an upset between others.
func (s Score) WDL() (win, draw, loss int) {
	switch _, forced := s.Plies(); {
	case forced && s > 0:
		return 1000, 0, 0
	case forced:
		return 0, 0, 1000
	}
	expected := 1 / (1 + math.Exp(-float64(s)/200))
	half := 2 * expected * (1 - expected) * drawsPerMille // of the draws
	win = int(math.Round(1000*expected - half))
	loss = int(math.Round(1000*(1-expected) - half))
	return win, 1000 - win - loss, loss
}

// String returns "cp 31", "win 3" or "loss 4", as the line protocol writes scores.
func (s Score) String() string {
	plies, forced := s.Plies()
	switch {
	case !forced:
		return fmt.Sprintf("cp %d", int(s))
	case s > 0:
		return fmt.Sprintf("win %d", plies)
	}
	return fmt.Sprintf("loss %d", -plies)
}
