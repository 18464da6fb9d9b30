package wire

import "github.com/linesofaction/loa"

// RulesOf spells out rules, for a board of a size.
func RulesOf(r loa.Rules, size int) Rules {
	return Rules{
		Name: r.String(), Both: r.Both.String(), NoMove: r.NoMove.String(), Repetition: r.Repetition.String(),
		Captures: r.Captures.String(), Goal: r.Goal.String(), Start: r.Start.String(),
		Size: size, Seed: r.Seed, Cap: r.Cap,
	}
}

// PositionOf describes a position; over is whether the game has ended there, after which nothing may move.
func PositionOf(p loa.Position, over bool) Position {
	position := Position{
		Board:  p.Board().Text(),
		Turn:   p.Turn().String(),
		Rays:   RaysOf(p),
		Moves:  []string{},
		Groups: map[string][][]string{},
	}
	squares := make([]string, 0, p.Occupied().Count())
	for _, color := range []loa.Color{loa.Black, loa.White} {
		groups := [][]string{}
		for _, group := range p.Groups(color) {
			first := len(squares)
			for group != 0 {
				squares = append(squares, squareNames[group.Pop()])
			}
			groups = append(groups, squares[first:len(squares):len(squares)])
		}
		position.Groups[color.String()] = groups
	}
	if !over {
		position.Moves = movesOf(p)
	}
	return position
}

// movesOf lists the legal moves as Position.Format writes them, all cut from one text.
func movesOf(p loa.Position) []string {
	var moves [128]loa.Move
	legal := p.Moves(moves[:0])
	if len(legal) == 1 && legal[0] == loa.Pass {
		return []string{loa.Pass.String()}
	}
	const length = len("c8-c6")
	text := make([]byte, 0, length*len(legal))
	for _, m := range legal {
		sign := byte('-')
		if p.IsCapture(m) {
			sign = 'x'
		}
		text = append(append(append(text, squareNames[m.From()]...), sign), squareNames[m.To()]...)
	}
	whole, list := string(text), make([]string, len(legal))
	for i := range list {
		list[i] = whole[i*length : (i+1)*length]
	}
	return list
}

// verdicts are the signs of RaysOf, by loa.Verdict.
const verdicts = "mc-bon"

// RaysOf writes what every piece may do, pieces separated by spaces: its square, then for the eight directions
// clockwise from up the number of pieces on the line and a sign: m for a move, c for a capture, - when the count
// leads off the board, o when it ends on a piece of the same side, n on one that may not be captured, and b with the
// distance of the enemy that blocks the way.
func RaysOf(p loa.Position) string {
	b := make([]byte, 0, 512)
	for pieces := p.Occupied(); pieces != 0; {
		from := pieces.Pop()
		if len(b) > 0 {
			b = append(b, ' ')
		}
		b = append(b, squareNames[from]...)
		for d := range loa.Direction(loa.Directions) {
			ray := p.Ray(from, d)
			b = append(b, '0'+byte(ray.Count), verdicts[ray.Verdict])
			if ray.Verdict == loa.Blocked {
				b = append(b, '0'+byte(max(abs(ray.Blocker.File()-from.File()), abs(ray.Blocker.Rank()-from.Rank()))))
			}
		}
	}
	return string(b)
}

func abs(n int) int { return max(n, -n) }

// squareNames holds the name of every square, so that a position does not make hundreds of them anew. It is never
// written to.
var squareNames = func() (names [loa.NoSquare]string) {
	for s := range names {
		names[s] = loa.Square(s).String()
	}
	return names
}()

// OutcomeOf describes how a game has ended, nil while it is on.
func OutcomeOf(o loa.Outcome) *Outcome {
	if !o.Over() {
		return nil
	}
	return &Outcome{Winner: o.Winner.String(), Reason: o.Reason.String()}
}
