package puzzle

import (
	"math"

	"github.com/linesofaction/loa"
)

// Theme is something that can be seen in the first move of a solution.
type Theme string

// The themes.
const (
	Capture Theme = "capture" // it takes a piece
	Quiet   Theme = "quiet"   // it neither takes a piece nor threatens to win with the next move
	Race    Theme = "race"    // the other side would win with its next move
	Fork    Theme = "fork"    // it threatens to win in two ways or more
	Wall    Theme = "wall"    // it takes a quarter of the other side's moves away, or more
	CutOff  Theme = "cut-off" // a piece of the other side that had a move has none any more, or its groups are parted
	Step    Theme = "step"    // it leaves the own pieces in more groups than before
)

// Themes returns every theme, in the order they are named.
func Themes() []Theme { return []Theme{Capture, Quiet, Race, Fork, Wall, CutOff, Step} }

// wallShare is the share of the other side's moves that a wall takes away.
const wallShare = 0.25

// themesOf returns what can be seen in a first move.
func themesOf(p loa.Position, first loa.Move) []Theme {
	us, them := p.Turn(), p.Turn().Opponent()
	after := p.PlayUnchecked(first)
	over := after.Outcome().Over()
	again := 0 // ways to win with the next move
	if !over {
		again = ways(after.PlayUnchecked(loa.Pass))
	}
	before := p.PlayUnchecked(loa.Pass)
	has := map[Theme]bool{
		Capture: p.IsCapture(first),
		Race:    ways(before) > 0,
		Fork:    again > 1,
		Quiet:   !over && again == 0 && !p.IsCapture(first),
		Step:    after.Pieces(us).CountGroups() > p.Pieces(us).CountGroups(),
	}
	if !over {
		had, left := movers(before), movers(after)
		had &^= first.To().Bitboard()
		has[CutOff] = had&^left != 0 || after.Pieces(them).CountGroups() > p.Pieces(them).CountGroups()
		n := len(before.Moves(nil))
		has[Wall] = n > 0 && float64(n-len(after.Moves(nil))) >= wallShare*float64(n)
	}
	var themes []Theme
	for _, theme := range Themes() {
		if has[theme] {
			themes = append(themes, theme)
		}
	}
	return themes
}

// ways counts the moves of the side to move that win at once.
func ways(p loa.Position) int {
	n := 0
	for _, m := range p.Moves(nil) {
		if p.PlayUnchecked(m).Outcome().Winner == p.Turn() {
			n++
		}
	}
	return n
}

// movers returns the pieces of the side to move that have a move.
func movers(p loa.Position) (pieces loa.Bitboard) {
	for _, m := range p.Moves(nil) {
		if m != loa.Pass {
			pieces |= m.From().Bitboard()
		}
	}
	return pieces
}

// The grade of a puzzle before anybody has tried it, in points. Length counts most: a move more to see ahead is worth
// what separates neighboring levels of the computer. Results of people correct it.
const (
	gradeOne   = 900 // a win in one
	gradeMove  = 220 // for each move more
	gradeTwice = 60  // for twice as many moves to choose from as in usualMoves
	usualMoves = 25
	gradeQuiet = 120
	gradeStep  = 60
	gradeTake  = -60 // captures are looked at first
	gradeFork  = -40
	gradeRace  = 40 // what the other side threatens has to be seen too
)

// grade returns how hard a puzzle looks.
func grade(p loa.Position, line []loa.Move, themes []Theme) int {
	points := gradeOne + float64(gradeMove*((len(line)-1)/2))
	points += gradeTwice * math.Log2(float64(len(p.Moves(nil)))/usualMoves)
	for _, theme := range themes {
		switch theme {
		case Quiet:
			points += gradeQuiet
		case Step:
			points += gradeStep
		case Capture:
			points += gradeTake
		case Fork:
			points += gradeFork
		case Race:
			points += gradeRace
		}
	}
	return int(math.Round(points/10)) * 10
}
