//go:build !js

// What describes matches is no part of the engine in the browser, which would be a fifth larger with it.

package wire

import (
	"time"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/clock"
	"github.com/linesofaction/loa/internal/match"
)

// PositionNow describes the position a match stands at.
func PositionNow(m *match.Match) Position { return PositionOf(m.Game().Position(), m.Outcome().Over()) }

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
	if s.Member {
		return Seat{Kind: "member", Name: s.Name, Bot: s.Bot}
	}
	return Seat{Kind: "guest", Name: s.Name}
}

func canOf(m *match.Match, you loa.Color) Can {
	if you > loa.White {
		return Can{}
	}
	on := !m.Outcome().Over()
	people := m.BetweenPeople()
	can := Can{
		Move:     on && m.Game().Position().Turn() == you,
		Takeback: m.CanTakeback(you) && (!people || m.CanOffer(you, match.OfferTakeback)),
		Resign:   on,
		Abort:    m.CanAbort(),
		Draw:     on && people && (m.Offer(match.OfferDraw) == you.Opponent() || m.CanOffer(you, match.OfferDraw)),
		Rematch:  !on && people && m.Rematch() == "" && (m.Offer(match.OfferRematch) == you.Opponent() || m.CanOffer(you, match.OfferRematch)),
	}
	if after, ok := m.ClaimAfter(); on && ok {
		can.ClaimAfter = after.Milliseconds()
	}
	return can
}

func faceOf(k clock.Clock, color loa.Color, now time.Time) Face {
	face := k.Face(color, now)
	return Face{
		Left: face.Left.Milliseconds(), Periods: face.Periods, Period: face.Period, Delay: face.Delay.Milliseconds(), Lag: k.Lag(color).Milliseconds(),
	}
}

// clockOf describes the clocks at now, nil for a match without any.
func clockOf(m *match.Match, now time.Time) *Clock {
	k := m.Clock()
	if k.Control().Kind == clock.Unlimited {
		return nil
	}
	c := &Clock{Control: k.Control().String(), Black: faceOf(k, loa.Black, now), White: faceOf(k, loa.White, now)}
	if k.Running() != loa.NoColor {
		c.Running = k.Running().String()
	} else if deadline, ok := m.Deadline(); ok {
		c.First = max(0, deadline.Sub(now).Milliseconds())
	}
	return c
}

func offersOf(m *match.Match) map[string]string {
	offers := map[string]string{}
	for _, offer := range []match.Offer{match.OfferDraw, match.OfferTakeback, match.OfferRematch} {
		if by := m.Offer(offer); by != loa.NoColor {
			offers[offer.String()] = by.String()
		}
	}
	return offers
}

func stateOf(m *match.Match, you loa.Color, now time.Time) State {
	return State{
		Outcome: OutcomeOf(m.Outcome()), Clock: clockOf(m, now), Offers: offersOf(m), Next: string(m.Rematch()),
		Can: canOf(m, you), Thinking: m.EngineToMove(),
	}
}

// SnapshotOf describes a match to the holder of a seat, or to an onlooker with NoColor.
// Its clocks stand as at now. The position is that of PositionNow, which all receivers share.
func SnapshotOf(m *match.Match, position Position, you loa.Color, now time.Time) Snapshot {
	g := m.Game()
	snapshot := Snapshot{
		V: Version, Type: KindSnapshot, Match: string(m.ID()), Seq: m.Seq(),
		Rules:    RulesOf(m.Rules(), g.Start().Size()),
		Seats:    map[string]Seat{"black": seatOf(m.Seat(loa.Black)), "white": seatOf(m.Seat(loa.White))},
		Start:    plyOf(g, 0),
		Plies:    pliesFrom(g, 0),
		Position: position,
		Rated:    m.Terms().Rated,
		State:    stateOf(m, you, now),
	}
	if you <= loa.White {
		snapshot.You = you.String()
	}
	return snapshot
}

// kept returns how many of the plies that stood at a sequence number still stand.
func kept(m *match.Match, from int) int {
	moved, least := 0, -1
	for _, entry := range m.Log()[from:] {
		switch e := entry.Event.(type) {
		case match.Moved:
			moved++
		case match.TakenBack:
			if least < 0 || e.Keep < least {
				least = e.Keep
			}
		}
	}
	if least < 0 { // as nearly always, and then the log before need not be read
		return m.Game().Plies() - moved
	}
	return min(least, m.PliesAt(from))
}

// UpdateOf describes what happened to a match since a sequence number from 1 to its own.
// Its clocks stand as at now. The position is that of PositionNow, which all receivers share.
func UpdateOf(m *match.Match, position Position, you loa.Color, from int, now time.Time) Update {
	keep := kept(m, from)
	return Update{
		V: Version, Type: KindUpdate, Match: string(m.ID()), Seq: m.Seq(), From: from, Keep: keep,
		Plies:    pliesFrom(m.Game(), keep),
		Position: position,
		State:    stateOf(m, you, now),
	}
}
