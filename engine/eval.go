package engine

import "github.com/linesofaction/loa"

// unit is the number of units of a weight in a centipawn.
const unit = 16

// evaluate returns the value of a position that is not over for the side to move, in centipawns: a weighted
// sum of its features, the weights going from those of the opening to those of the ending as pieces disappear.
// Only integers are used, so that every machine searches the same tree.
func (t *terrain) evaluate(n *node) int {
	black, white := n.pos.Pieces(loa.Black), n.pos.Pieces(loa.White)
	phase := t.phase[count(black|white)]
	opening, ending := scores(n.lines)
	openingBlack, endingBlack := scores(n.mass[loa.Black])
	openingWhite, endingWhite := scores(n.mass[loa.White])
	sum := (opening+openingBlack-openingWhite)*phase + (ending+endingBlack-endingWhite)*(16-phase)

	var x shape
	t.addShape(&x, black, int(n.mass[loa.Black]&0xfff), int(n.mass[loa.Black]>>12&0xfff), 1)
	t.addShape(&x, white, int(n.mass[loa.White]&0xfff), int(n.mass[loa.White]>>12&0xfff), -1)
	weights := &t.shape[phase]
	for i, value := range x {
		sum += value * weights[i]
	}
	turn := weights[Turn-firstShape]
	if n.pos.Turn() == loa.White {
		sum = -sum
	}
	return max(-scoreMost, min(scoreMost, (sum+turn)/(16*unit)))
}

// evaluate returns the value of the position of a ply, which is not over, for its side to move, in centipawns.
func (w *worker) evaluate(ply int) int {
	f, t := &w.stack[ply], w.terrain
	if t.net == nil {
		return t.evaluate(&f.node)
	}
	w.update(ply)
	pieces := count(f.pos.Occupied())
	phase := t.phase[pieces]
	opening, ending := scores(f.lines)
	lines := opening*phase + ending*(16-phase)
	if f.pos.Turn() == loa.White {
		lines = -lines
	}
	value := (t.net.Value(&f.state, f.pos.Turn(), pieces) + lines/16) / unit
	return max(-scoreMost, min(scoreMost, value))
}

// update brings what the net keeps of a ply up to date, from the last ply on the path that is.
func (w *worker) update(ply int) {
	first := ply
	for !w.stack[first].updated {
		first--
	}
	for ; first < ply; first++ {
		from, to := &w.stack[first], &w.stack[first+1]
		w.terrain.net.Move(&to.state, &from.state, from.pos.Turn(), to.move, to.captured)
		to.updated = true
	}
}

// Meter takes features from positions of one size under given rules. It works them out from scratch, apart from
// what the search keeps up to date, and is what the weights are fitted on.
type Meter struct{ terrain *terrain }

// NewMeter returns a meter. It takes a few milliseconds to fill its tables.
func NewMeter(rules loa.Rules, size int) *Meter {
	return &Meter{newTerrain(size, rules.Captures == loa.CapturesYes, new(Weights), nil)}
}

// Measure returns the features of a position, Black's share less White's, and its phase: 16 at the start, down
// to 0 when half the pieces are gone. A feature is worth its weight for the opening times phase/16 and its weight
// for the ending times the rest.
func (m *Meter) Measure(p loa.Position) (x [Features]int, phase int) {
	return m.terrain.measure(p), m.terrain.phase[count(p.Occupied())]
}

func (t *terrain) measure(p loa.Position) (x [Features]int) {
	var contents []int
	for axis := loa.FileAxis; axis <= loa.FallingAxis; axis++ {
		for rest := t.board; rest != 0; {
			line := loa.Line(rest.First(), axis) & t.board
			rest &^= line
			contents = contents[:0]
			edge := true
			for _, s := range line.Squares() {
				piece := 0
				if c, ok := p.At(s); ok {
					piece = 1 + int(c)
				}
				contents = append(contents, piece)
				edge = edge && t.ring[s] == 0
			}
			lineFeatures(contents, edge && len(contents) == t.size, t.captures, func(side int, f Feature) { x[f] += 1 - 2*side })
		}
	}
	var rest shape
	for side := range loa.Color(2) {
		sign := 1 - 2*int(side)
		files, ranks := 0, 0
		for _, s := range p.Pieces(side).Squares() {
			x[squareFeature(s, t.size)] += sign
			files += s.File()
			ranks += s.Rank()
		}
		t.addShape(&rest, p.Pieces(side), files, ranks, sign)
	}
	copy(x[firstShape:], rest[:])
	x[Turn] = 1 - 2*int(p.Turn())
	return x
}
