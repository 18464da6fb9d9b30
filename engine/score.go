package engine

import "fmt"

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
