package wire

import (
	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/match"
)

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
		Rays:   map[string][8]Ray{},
		Moves:  []string{},
		Groups: map[string][][]string{},
	}
	for _, color := range []loa.Color{loa.Black, loa.White} {
		for _, from := range p.Pieces(color).Squares() {
			var rays [loa.Directions]Ray
			for d := range loa.Direction(loa.Directions) {
				rays[d] = rayOf(p.Ray(from, d))
			}
			position.Rays[from.String()] = rays
		}
		groups := [][]string{}
		for _, group := range p.Groups(color) {
			groups = append(groups, names(group))
		}
		position.Groups[color.String()] = groups
	}
	if !over {
		for _, m := range p.Moves(nil) {
			position.Moves = append(position.Moves, p.Format(m))
		}
	}
	return position
}

func rayOf(r loa.Ray) Ray {
	ray := Ray{Count: r.Count, Verdict: r.Verdict.String()}
	if r.Land != loa.NoSquare {
		ray.Land = r.Land.String()
	}
	if r.Blocker != loa.NoSquare {
		ray.Blocker = r.Blocker.String()
	}
	return ray
}

func names(b loa.Bitboard) []string {
	var out []string
	for _, s := range b.Squares() {
		out = append(out, s.String())
	}
	return out
}

// plyOf describes the board after a number of plies, and the move that made it.
func plyOf(g *loa.Game, plies int) Ply {
	p := g.PositionAt(plies)
	ply := Ply{Board: p.Board().Text(), Groups: [2]int{p.Pieces(loa.Black).CountGroups(), p.Pieces(loa.White).CountGroups()}}
	if plies > 0 {
		ply.Move = g.Format(plies - 1)
	}
	return ply
}

func pliesFrom(g *loa.Game, first int) []Ply {
	plies := []Ply{}
	for i := first; i < g.Plies(); i++ {
		plies = append(plies, plyOf(g, i+1))
	}
	return plies
}

func seatOf(s match.Seat) Seat {
	if s.Holder == match.Engine {
		return Seat{Kind: "engine", Level: s.Level}
	}
	return Seat{Kind: "guest", Name: s.Name}
}

func outcomeOf(o loa.Outcome) *Outcome {
	if !o.Over() {
		return nil
	}
	return &Outcome{Winner: o.Winner.String(), Reason: o.Reason.String()}
}

func canOf(m *match.Match, you loa.Color) Can {
	on := you <= loa.White && !m.Outcome().Over()
	return Can{
		Move:     on && m.Game().Position().Turn() == you,
		Takeback: on && m.CanTakeback(you),
		Resign:   on,
	}
}

// SnapshotOf describes a match to the holder of a seat, or to an onlooker with NoColor.
func SnapshotOf(m *match.Match, you loa.Color) Snapshot {
	g := m.Game()
	snapshot := Snapshot{
		V: Version, Type: KindSnapshot, Match: string(m.ID()), Seq: m.Seq(),
		Rules:    RulesOf(m.Rules(), g.Start().Size()),
		Seats:    map[string]Seat{"black": seatOf(m.Seat(loa.Black)), "white": seatOf(m.Seat(loa.White))},
		Start:    plyOf(g, 0),
		Plies:    pliesFrom(g, 0),
		Position: PositionOf(g.Position(), m.Outcome().Over()),
		Outcome:  outcomeOf(m.Outcome()),
		Can:      canOf(m, you),
		Thinking: m.EngineToMove(),
	}
	if you <= loa.White {
		snapshot.You = you.String()
	}
	return snapshot
}

// UpdateOf describes what happened to a match since a sequence number from 1 to its own.
func UpdateOf(m *match.Match, you loa.Color, from int) Update {
	keep := m.PliesAt(from)
	for _, entry := range m.Log()[from:] {
		if back, ok := entry.Event.(match.TakenBack); ok {
			keep = min(keep, back.Keep)
		}
	}
	return Update{
		V: Version, Type: KindUpdate, Match: string(m.ID()), Seq: m.Seq(), From: from, Keep: keep,
		Plies:    pliesFrom(m.Game(), keep),
		Position: PositionOf(m.Game().Position(), m.Outcome().Over()),
		Outcome:  outcomeOf(m.Outcome()),
		Can:      canOf(m, you),
		Thinking: m.EngineToMove(),
	}
}
