package match_test

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/clock"
	"github.com/linesofaction/loa/internal/match"
)

var update = flag.Bool("update", false, "rewrite the golden files")

var began = time.UnixMilli(1_700_000_000_000)

func seats(black, white match.Holder) [2]match.Seat {
	seat := func(h match.Holder, name string) match.Seat {
		if h == match.Engine {
			return match.Seat{Holder: h, Level: 3}
		}
		return match.Seat{Holder: h, Person: "id-" + name, Name: name}
	}
	return [2]match.Seat{seat(black, "b"), seat(white, "w")}
}

// begin returns a match from a position, or from the start for an empty one.
func begin(t testing.TB, rulesText, position string, s [2]match.Seat) *match.Match {
	t.Helper()
	rules, err := loa.ParseRules(rulesText)
	if err != nil {
		t.Fatal(err)
	}
	var setup loa.Setup
	if position != "" {
		setup, err = loa.ParseSetup(position)
	} else {
		var p loa.Position
		p, err = rules.StartPosition()
		setup = p.Setup()
	}
	if err != nil {
		t.Fatal(err)
	}
	log, err := match.Create(match.Terms{Rules: rules, Start: setup, Seats: s}, began)
	if err != nil {
		t.Fatal(err)
	}
	m, err := match.Replay("m", log)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// do carries a command out and returns the match after it.
func do(t testing.TB, m *match.Match, c match.Command) *match.Match {
	t.Helper()
	entries, err := match.Decide(m, c, began.Add(time.Second))
	if err != nil {
		t.Fatal(err)
	}
	next := m.Clone()
	for _, entry := range entries {
		next.Apply(entry)
	}
	return next
}

func move(t testing.TB, by loa.Color, ply int, text string) match.Command {
	t.Helper()
	m, _, err := loa.ParseMove(text)
	if err != nil {
		t.Fatal(err)
	}
	return match.Command{By: by, Client: fmt.Sprintf("%s-%d", text, ply), Ask: match.Move{Ply: ply, Move: m}}
}

func TestRefusals(t *testing.T) {
	fresh := begin(t, "", "", seats(match.Person, match.Engine))
	moved := do(t, fresh, move(t, loa.Black, 0, "b1-b3"))
	over := do(t, fresh, match.Command{By: loa.Black, Ask: match.Resign{}})
	people := do(t, begin(t, "", "", seats(match.Person, match.Person)), move(t, loa.Black, 0, "b1-b3"))
	stale := move(t, loa.Black, 0, "b1-b3")
	stale.Ask = match.Move{Ply: 0, Move: loa.NewMove(1, 17), Seq: 7}
	tests := []struct {
		name    string
		m       *match.Match
		command match.Command
		want    match.Code
	}{
		{"an onlooker", fresh, move(t, loa.NoColor, 0, "b1-b3"), match.NotYourSeat},
		{"out of turn", fresh, move(t, loa.White, 0, "a2-c2"), match.NotYourTurn},
		{"illegal", fresh, move(t, loa.Black, 0, "b1-b2"), match.IllegalMove},
		{"pass with moves", fresh, move(t, loa.Black, 0, "pass"), match.IllegalMove},
		{"an old ply", moved, move(t, loa.Black, 0, "c1-c3"), match.WrongPly},
		{"a future ply", fresh, move(t, loa.Black, 1, "b1-b3"), match.WrongPly},
		{"an old sequence number", fresh, stale, match.WrongPly},
		{"a move after the end", over, move(t, loa.Black, 0, "b1-b3"), match.GameOver},
		{"resigning twice", over, match.Command{By: loa.White, Ask: match.Resign{}}, match.GameOver},
		{"takeback with nothing moved", fresh, match.Command{By: loa.Black, Ask: match.Takeback{}}, match.NotAllowed},
		{"takeback at an old ply", moved, match.Command{By: loa.Black, Ask: match.Takeback{Ply: 0}}, match.WrongPly},
		{"draw offered to an engine", fresh, match.Command{By: loa.Black, Ask: match.OfferOf{What: match.OfferDraw}}, match.NotAllowed},
		{"draw offered at an old ply", people, match.Command{By: loa.Black, Ask: match.OfferOf{What: match.OfferDraw, Ply: 0}}, match.WrongPly},
		{"declining nothing", people, match.Command{By: loa.Black, Ask: match.Decline{What: match.OfferDraw, Ply: 1}}, match.NotAllowed},
		{"declining at another ply", people, match.Command{By: loa.Black, Ask: match.Decline{What: match.OfferDraw, Ply: 3}}, match.WrongPly},
		{"rematch while it is on", people, match.Command{By: loa.Black, Ask: match.OfferOf{What: match.OfferRematch, Ply: 1}}, match.NotAllowed},
		{"aborting against an engine", fresh, match.Command{By: loa.Black, Ask: match.Abort{}}, match.NotAllowed},
		{"claiming against an engine", fresh, match.Command{By: loa.Black, Ask: match.Claim{Away: time.Hour}}, match.NotAllowed},
		{"takeback after the end", over, match.Command{By: loa.Black, Ask: match.Takeback{}}, match.GameOver},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			before := test.m.Seq()
			_, err := match.Decide(test.m, test.command, began)
			var refusal *match.Refusal
			if !errors.As(err, &refusal) || refusal.Code != test.want {
				t.Fatalf("got %v, want refusal %s", err, test.want)
			}
			if test.want == match.IllegalMove && !errors.Is(err, loa.ErrIllegal) {
				t.Errorf("%v is not loa.ErrIllegal", err)
			}
			if test.m.Seq() != before {
				t.Error("deciding changed the match")
			}
		})
	}
}

func TestSameClientIdIsAnsweredOnce(t *testing.T) {
	m := begin(t, "", "", seats(match.Person, match.Engine))
	command := move(t, loa.Black, 0, "b1-b3")
	m = do(t, m, command)
	if _, err := match.Decide(m, command, began); !errors.Is(err, match.ErrAnswered) {
		t.Fatalf("got %v, want ErrAnswered", err)
	}
	if seq, ok := m.Answer(command.Client); !ok || seq != 2 {
		t.Errorf("answer %d %v, want 2", seq, ok)
	}
}

func TestTakebackRemovesOwnMoveAndReply(t *testing.T) {
	m := begin(t, "", "", seats(match.Person, match.Engine))
	m = do(t, m, move(t, loa.Black, 0, "b1-b3"))
	m = do(t, m, move(t, loa.White, 1, "h3-e3"))
	m = do(t, m, move(t, loa.Black, 2, "c1-c3"))
	atOnce := do(t, m, match.Command{By: loa.Black, Ask: match.Takeback{Ply: 3}})
	if got := atOnce.Game().Plies(); got != 2 {
		t.Errorf("before the reply: %d plies left, want 2", got)
	}
	m = do(t, m, move(t, loa.White, 3, "a4-c4"))
	m = do(t, m, match.Command{By: loa.Black, Ask: match.Takeback{Ply: 4}})
	if got := m.Game().Plies(); got != 2 || m.Game().Position().Turn() != loa.Black {
		t.Errorf("after the reply: %d plies left, %s to move", got, m.Game().Position().Turn())
	}
	if got := m.PliesAt(m.Seq() - 1); got != 4 {
		t.Errorf("%d plies before the takeback, want 4", got)
	}
}

func TestForcedPassIsPlayedByTheMatch(t *testing.T) {
	m := begin(t, "", "6ox/6oo/8/8/8/8/oo6/xo6 b", seats(match.Person, match.Engine))
	if m.Game().Plies() != 1 || m.Game().Move(0) != loa.Pass || m.Game().Position().Turn() != loa.White {
		t.Fatalf("plies %d, turn %s", m.Game().Plies(), m.Game().Position().Turn())
	}
	if _, ok := m.Game().LastMoveOf(loa.Black); ok {
		t.Error("a forced pass can be taken back")
	}
	m = do(t, m, move(t, loa.White, 1, "g8-e8"))
	last := m.Log()[m.Seq()-1]
	if last.Client != "g8-e8-1" {
		t.Errorf("the last entry of the command carries client %q", last.Client)
	}
}

func TestStuckPositionEndsAtOnceUnderLoss(t *testing.T) {
	m := begin(t, "standard:nomove=loss", "6ox/6oo/8/8/8/8/oo6/xo6 b", seats(match.Person, match.Engine))
	if got := m.Outcome(); got != (loa.Outcome{Winner: loa.White, Reason: loa.NoMove}) {
		t.Errorf("outcome %v", got)
	}
}

func TestConnectingMoveEndsTheMatch(t *testing.T) {
	m := begin(t, "", "8/8/2x1oo2/4x3/4o3/8/8/8 b", seats(match.Person, match.Person))
	m = do(t, m, move(t, loa.Black, 0, "c6xe4"))
	if got := m.Outcome(); got != (loa.Outcome{Winner: loa.NoColor, Reason: loa.BothConnected}) {
		t.Errorf("outcome %v", got)
	}
	if m.Log()[m.Seq()-1].Event != (match.Ended{Outcome: m.Outcome()}) {
		t.Errorf("last event %#v", m.Log()[m.Seq()-1].Event)
	}
}

func TestTimeNeverRunsBackward(t *testing.T) {
	m := do(t, begin(t, "", "", seats(match.Person, match.Engine)), move(t, loa.Black, 0, "b1-b3"))
	entries, err := match.Decide(m, move(t, loa.White, 1, "h3-e3"), began.Add(-time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	if entries[0].At.Before(m.Updated()) {
		t.Errorf("at %v after %v", entries[0].At, m.Updated())
	}
}

// between returns a match between people on the clock.
func between(t testing.TB, control string, rated bool) *match.Match {
	t.Helper()
	c, err := clock.Parse(control)
	if err != nil {
		t.Fatal(err)
	}
	start, err := loa.Rules{}.StartPosition()
	if err != nil {
		t.Fatal(err)
	}
	log, err := match.Create(match.Terms{
		Start: start.Setup(), Seats: seats(match.Person, match.Person), Control: c, Rated: rated,
	}, began)
	if err != nil {
		t.Fatal(err)
	}
	m, err := match.Replay("m", log)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// at carries a command out at an instant and returns the match after it.
func at(t testing.TB, m *match.Match, after time.Duration, by loa.Color, ask match.Ask) *match.Match {
	t.Helper()
	entries, err := match.Decide(m, match.Command{By: by, Ask: ask}, began.Add(after))
	if err != nil {
		t.Fatal(err)
	}
	return applied(m, entries)
}

func applied(m *match.Match, entries []match.Entry) *match.Match {
	next := m.Clone()
	for _, entry := range entries {
		next.Apply(entry)
	}
	return next
}

// moveAt is a move by whoever is to move.
func moveAt(t testing.TB, m *match.Match, after time.Duration) *match.Match {
	t.Helper()
	return at(t, m, after, m.Game().Position().Turn(), match.Move{Ply: m.Game().Plies(), Move: m.Game().Moves(nil)[0]})
}

func refused(t testing.TB, m *match.Match, after time.Duration, by loa.Color, ask match.Ask, want match.Code) {
	t.Helper()
	_, err := match.Decide(m, match.Command{By: by, Ask: ask}, began.Add(after))
	var refusal *match.Refusal
	if !errors.As(err, &refusal) || refusal.Code != want {
		t.Errorf("%#v: got %v, want refusal %s", ask, err, want)
	}
}

const second = time.Second

func TestClockRunsAfterBothHaveMoved(t *testing.T) {
	m := between(t, "5+3", true)
	m = moveAt(t, m, 10*second)
	if m.Clock().Running() != loa.NoColor {
		t.Error("a clock runs before both have moved")
	}
	m = moveAt(t, m, 15*second)
	if m.Clock().Running() != loa.Black || m.Clock().Left(loa.Black, began.Add(25*second)) != 5*time.Minute-10*second {
		t.Errorf("%s runs, Black has %s", m.Clock().Running(), m.Clock().Left(loa.Black, began.Add(25*second)))
	}
	m = moveAt(t, m, 25*second)
	if got := m.Clock().Left(loa.Black, began.Add(99*second)); got != 5*time.Minute-7*second {
		t.Errorf("after the move Black has %s", got)
	}
}

func TestFirstMoveNotMadeAborts(t *testing.T) {
	for _, control := range []string{"5+3", "5/move"} {
		m := between(t, control, true)
		deadline, ok := m.Deadline()
		if !ok || deadline.Before(began.Add(20*second)) {
			t.Fatalf("%s: deadline %s, %t", control, deadline.Sub(began), ok)
		}
		if entries := match.Expire(m, deadline, false); entries != nil {
			t.Errorf("%s: expired at the deadline: %v", control, entries)
		}
		m = applied(m, match.Expire(m, deadline.Add(time.Minute), false))
		if got := m.Outcome(); got != (loa.Outcome{Winner: loa.NoColor, Reason: loa.Aborted}) {
			t.Errorf("%s: outcome %v", control, got)
		}
	}
}

func TestFirstMovesUseUpNoTimeOfTheirOwn(t *testing.T) {
	m := moveAt(t, moveAt(t, between(t, "5/move", true), 8*second), 16*second)
	if m.Clock().Running() != loa.Black || m.Clock().Left(loa.Black, began.Add(18*second)) != 3*second {
		t.Errorf("%s runs, Black has %s", m.Clock().Running(), m.Clock().Left(loa.Black, began.Add(18*second)))
	}
	if days := between(t, "1d/move", true); days.Clock().Running() != loa.Black {
		t.Error("where moves take days the first one is off the clock")
	}
}

func TestFlagBeatsLateMove(t *testing.T) {
	m := moveAt(t, moveAt(t, between(t, "1+0", true), 0), 0)
	late := at(t, m, 61*second, loa.Black, match.Move{Ply: 2, Move: m.Game().Moves(nil)[0]})
	if got := late.Outcome(); got != (loa.Outcome{Winner: loa.White, Reason: loa.Flag}) || late.Game().Plies() != 2 {
		t.Errorf("outcome %v after %d plies", got, late.Game().Plies())
	}
}

func TestMoveWithinTheLagBeatsTheFlag(t *testing.T) {
	m := moveAt(t, moveAt(t, between(t, "1+0", true), 0), 0)
	in := began.Add(60*second + 300*time.Millisecond)
	if entries := match.Expire(m, in, false); entries != nil {
		t.Fatal("the flag fell while the move could still be on its way")
	}
	entries, err := match.Decide(m, match.Command{By: loa.Black, Ask: match.Move{Ply: 2, Move: m.Game().Moves(nil)[0], Lag: 400 * time.Millisecond}}, in)
	if err != nil {
		t.Fatal(err)
	}
	if m = applied(m, entries); m.Outcome().Over() || m.Game().Plies() != 3 {
		t.Errorf("outcome %v after %d plies", m.Outcome(), m.Game().Plies())
	}
}

// Where moves take days nobody has to be there.
func TestTheEndSaysWhoLeft(t *testing.T) {
	for control, want := range map[string]loa.Color{"1+0": loa.Black, "1d/move": loa.NoColor} {
		m := moveAt(t, moveAt(t, between(t, control, true), 0), 0)
		for gone, want := range map[bool]loa.Color{true: want, false: loa.NoColor} {
			end := match.Expire(m, began.Add(25*time.Hour), gone)[0].Event
			if end != (match.Ended{Outcome: loa.Outcome{Winner: loa.White, Reason: loa.Flag}, By: want}) {
				t.Errorf("%s, gone %t: %+v", control, gone, end)
			}
			body, err := match.Encode(end)
			if err != nil {
				t.Fatal(err)
			}
			if again, err := match.Decode(match.Version, end.Kind(), body); err != nil || again != end {
				t.Errorf("%s, gone %t: stored as %s, read as %+v, %v", control, gone, body, again, err)
			}
		}
	}
}

func TestSilentPlayerLosesByFlag(t *testing.T) {
	m := moveAt(t, moveAt(t, between(t, "1+0", true), 0), 0)
	m = applied(m, match.Expire(m, began.Add(2*time.Minute), false))
	if got := m.Outcome(); got != (loa.Outcome{Winner: loa.White, Reason: loa.Flag}) {
		t.Errorf("outcome %v", got)
	}
	if entries := match.Expire(m, began.Add(3*time.Minute), false); entries != nil {
		t.Errorf("a finished match expires: %v", entries)
	}
}

func TestDowntimeIsCreditedOnce(t *testing.T) {
	m := moveAt(t, moveAt(t, between(t, "1+0", true), 0), 0)
	m = applied(m, match.Credit(m, began, began.Add(time.Hour)))
	if got := m.Clock().Left(loa.Black, began.Add(time.Hour+10*second)); got != 50*second {
		t.Errorf("%s left, want 50s", got)
	}
	if entries := match.Credit(m, began, began.Add(time.Hour)); entries != nil {
		t.Errorf("credited twice: %v", entries)
	}
	over := at(t, m, time.Hour, loa.Black, match.Resign{})
	if entries := match.Credit(over, began.Add(time.Hour), began.Add(2*time.Hour)); entries != nil {
		t.Errorf("a finished match is credited: %v", entries)
	}
}

func TestDrawByAgreement(t *testing.T) {
	m := moveAt(t, between(t, "5+3", true), 0)
	offer := match.OfferOf{What: match.OfferDraw, Ply: 1}
	m = at(t, m, 0, loa.Black, offer)
	refused(t, m, 0, loa.Black, offer, match.NotAllowed)
	agreed := at(t, m, 0, loa.White, offer)
	if got := agreed.Outcome(); got != (loa.Outcome{Winner: loa.NoColor, Reason: loa.Agreed}) {
		t.Errorf("outcome %v", got)
	}
	declined := at(t, m, 0, loa.White, match.Decline{What: match.OfferDraw, Ply: 1})
	if declined.Offer(match.OfferDraw) != loa.NoColor || declined.Outcome().Over() {
		t.Error("the offer stands after it was declined")
	}
}

func TestOffersDieWithTheNextMove(t *testing.T) {
	m := moveAt(t, between(t, "5+3", false), 0)
	m = at(t, m, 0, loa.Black, match.OfferOf{What: match.OfferDraw, Ply: 1})
	m = at(t, m, 0, loa.Black, match.Takeback{Ply: 1})
	m = moveAt(t, m, 0)
	if m.Offer(match.OfferDraw) != loa.NoColor || m.Offer(match.OfferTakeback) != loa.NoColor {
		t.Error("an offer outlived the move")
	}
	refused(t, m, 0, loa.White, match.OfferOf{What: match.OfferDraw, Ply: 1}, match.WrongPly)
}

// What was declined, or withdrawn, is not offered again before the next move: nobody is pestered, and no log grows without moves.
func TestOfferIsMadeOnceAPly(t *testing.T) {
	m := moveAt(t, between(t, "5+3", false), 0)
	for _, what := range []match.Offer{match.OfferDraw, match.OfferTakeback} {
		offer := match.OfferOf{What: what, Ply: 1}
		offered := at(t, m, 0, loa.Black, offer)
		for _, by := range []loa.Color{loa.Black, loa.White} {
			again := at(t, offered, 0, by, match.Decline{What: what, Ply: 1})
			if again.CanOffer(loa.Black, what) {
				t.Errorf("%s: can be offered again", what)
			}
			refused(t, again, 0, loa.Black, offer, match.NotAllowed)
			if next := moveAt(t, again, 0); !next.CanOffer(loa.Black, what) {
				t.Errorf("%s: not after another move", what)
			}
		}
	}
	over := at(t, m, 0, loa.Black, match.Resign{})
	for range 3 {
		over = at(t, over, 0, loa.Black, match.OfferOf{What: match.OfferRematch, Ply: 1})
		over = at(t, over, 0, loa.White, match.Decline{What: match.OfferRematch, Ply: 1})
	}
	refused(t, over, 0, loa.Black, match.OfferOf{What: match.OfferRematch, Ply: 1}, match.NotAllowed)
	over = at(t, over, 0, loa.White, match.OfferOf{What: match.OfferRematch, Ply: 1})
	if over = at(t, over, 0, loa.Black, match.OfferOf{What: match.OfferRematch, Ply: 1}); over.Rematch() == "" {
		t.Error("who may not offer any more cannot accept")
	}
}

// Offers do not put off the end of a first move that is not made.
func TestOfferGivesNoTimeForTheFirstMove(t *testing.T) {
	m := between(t, "5+3", false)
	deadline, _ := m.Deadline()
	m = at(t, m, 10*second, loa.White, match.OfferOf{What: match.OfferDraw})
	if got, _ := m.Deadline(); !got.Equal(deadline) || !m.Turned().Equal(began) {
		t.Errorf("deadline %s, was %s, the turn began at %s", got, deadline, m.Turned())
	}
	m = applied(m, match.Credit(m, began.Add(12*second), began.Add(20*second)))
	if got, _ := m.Deadline(); !got.Equal(deadline.Add(8 * second)) {
		t.Errorf("deadline %s after 8s without the service, was %s", got, deadline)
	}
}

func TestTakebackBetweenPeopleNeedsConsent(t *testing.T) {
	m := moveAt(t, moveAt(t, between(t, "5+3", false), 0), 0)
	m = at(t, m, 5*second, loa.Black, match.Takeback{Ply: 2})
	if m.Game().Plies() != 2 || m.Offer(match.OfferTakeback) != loa.Black {
		t.Fatalf("%d plies, offered by %s", m.Game().Plies(), m.Offer(match.OfferTakeback))
	}
	refused(t, m, 5*second, loa.Black, match.Takeback{Ply: 2}, match.NotAllowed)
	m = at(t, m, 5*second, loa.White, match.Takeback{Ply: 2})
	if m.Game().Plies() != 0 || m.Offer(match.OfferTakeback) != loa.NoColor {
		t.Errorf("%d plies, offered by %s", m.Game().Plies(), m.Offer(match.OfferTakeback))
	}
	refused(t, moveAt(t, between(t, "5+3", true), 0), 0, loa.Black, match.Takeback{Ply: 1}, match.NotAllowed)
}

func TestAbortOnlyBeforeBothHaveMoved(t *testing.T) {
	m := moveAt(t, between(t, "5+3", true), 0)
	if got := at(t, m, 0, loa.White, match.Abort{}).Outcome().Reason; got != loa.Aborted {
		t.Errorf("reason %s", got)
	}
	refused(t, moveAt(t, m, 0), 0, loa.White, match.Abort{}, match.NotAllowed)
}

func TestClaimNeedsAnAbsentOpponentOnHisTurn(t *testing.T) {
	m := moveAt(t, moveAt(t, between(t, "5+3", true), 0), 0) // Black to move
	after, ok := m.ClaimAfter()
	if !ok {
		t.Fatal("no claim in a clocked match")
	}
	refused(t, m, 0, loa.White, match.Claim{Away: after - 1}, match.NotAllowed)
	refused(t, m, 0, loa.Black, match.Claim{Away: after}, match.NotAllowed)
	for _, draw := range []bool{false, true} {
		got := at(t, m, 0, loa.White, match.Claim{Away: after, Draw: draw}).Outcome()
		if got.Reason != loa.Abandoned || (got.Winner == loa.NoColor) != draw {
			t.Errorf("draw %v: outcome %v", draw, got)
		}
	}
	slow := moveAt(t, moveAt(t, between(t, "3d/move", true), 0), 0)
	refused(t, slow, 0, loa.White, match.Claim{Away: 48 * time.Hour}, match.NotAllowed)
	if fast, _ := between(t, "1+0", true).ClaimAfter(); fast >= after {
		t.Errorf("%s in a fast game, %s in a slower one", fast, after)
	}
}

func TestRematchSwapsColorsAndIsMadeOnce(t *testing.T) {
	m := at(t, between(t, "5+3", true), 0, loa.Black, match.Resign{})
	offer := match.OfferOf{What: match.OfferRematch}
	m = at(t, m, 0, loa.White, offer)
	refused(t, m, 0, loa.White, offer, match.NotAllowed)
	id, terms := match.Next(m)
	if terms.Seats[loa.Black] != m.Seat(loa.White) || terms.Control != m.Terms().Control || !terms.Rated {
		t.Errorf("terms %+v", terms)
	}
	m = at(t, m, 0, loa.Black, offer)
	if m.Rematch() != id {
		t.Errorf("followed by %q, want %q", m.Rematch(), id)
	}
	refused(t, m, 0, loa.White, offer, match.NotAllowed)
}

// play returns a match of random commands at random times.
func play(t testing.TB, seed uint64, commands int) *match.Match {
	rng := rand.New(rand.NewPCG(seed, 1))
	m := between(t, []string{"unlimited", "1+0", "5d3", "1+3x30", "1d/move"}[seed%5], seed%2 == 0)
	now := time.Duration(0)
	for i := range commands {
		now += time.Duration(rng.IntN(4000)) * time.Millisecond
		plies := m.Game().Plies()
		asks := []match.Ask{
			match.Takeback{Ply: plies},
			match.OfferOf{What: match.Offer(rng.IntN(3)), Ply: plies},
			match.Decline{What: match.Offer(rng.IntN(3)), Ply: plies},
			match.Claim{Away: time.Duration(rng.IntN(60)) * second, Draw: true},
			match.Abort{},
		}
		by, ask := loa.Color(rng.IntN(2)), asks[rng.IntN(len(asks))]
		if moves := m.Game().Moves(nil); len(moves) > 0 && rng.IntN(4) > 0 {
			by, ask = m.Game().Position().Turn(), match.Move{Ply: plies, Move: moves[rng.IntN(len(moves))], Lag: time.Duration(rng.IntN(900)) * time.Millisecond}
		}
		entries, err := match.Decide(m, match.Command{By: by, Client: fmt.Sprint(i), Ask: ask}, began.Add(now))
		if err == nil {
			m = applied(m, entries)
		}
		if rng.IntN(10) == 0 {
			m = applied(m, match.Credit(m, began.Add(now-second), began.Add(now)))
		}
		if rng.IntN(10) == 0 {
			m = applied(m, match.Expire(m, began.Add(now), rng.IntN(2) == 0))
		}
	}
	if rng.IntN(3) == 0 {
		entries, err := match.Adjudicate(m, loa.Outcome{Winner: loa.White, Reason: loa.Adjudicated}, began.Add(now))
		if err != nil {
			t.Fatal(err)
		}
		m = applied(m, entries)
	}
	return m
}

// What is replayed is of every kind.
func TestRandomMatchesHoldEveryKindOfEvent(t *testing.T) {
	found := map[string]bool{}
	for seed := range uint64(60) {
		for _, entry := range play(t, seed, 60).Log() {
			found[entry.Event.Kind()] = true
		}
	}
	for _, event := range []match.Event{
		match.Created{}, match.Moved{}, match.TakenBack{}, match.Offered{}, match.Withdrawn{}, match.Credited{}, match.Followed{}, match.Ended{}, match.Adjudicated{},
	} {
		if !found[event.Kind()] {
			t.Errorf("no match has an event %q", event.Kind())
		}
	}
}

// FuzzReplayIsState: a match cut at any event, stored and loaded again, is the match as it was then.
func FuzzReplayIsState(f *testing.F) {
	for seed := range uint64(60) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		whole := play(t, seed, 60)
		var then *match.Match // as it was lived through
		var log []match.Entry // as it is stored
		for _, entry := range whole.Log() {
			body, err := match.Encode(entry.Event)
			if err != nil {
				t.Fatal(err)
			}
			stored := entry
			if stored.Event, err = match.Decode(match.Version, entry.Event.Kind(), body); err != nil {
				t.Fatal(err)
			}
			log = append(log, stored)
			if then == nil {
				then, err = match.Replay("m", []match.Entry{entry})
			} else {
				then = applied(then, []match.Entry{entry})
			}
			if err != nil {
				t.Fatal(err)
			}
			loaded, err := match.Replay("m", log)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(loaded, then) {
				t.Fatalf("cut after event %d: loaded %+v, want %+v", entry.Seq, loaded, then)
			}
			if loaded.Game().Plies() != whole.PliesAt(entry.Seq) {
				t.Fatalf("%d plies at event %d, want %d", loaded.Game().Plies(), entry.Seq, whole.PliesAt(entry.Seq))
			}
		}
		if !reflect.DeepEqual(then, whole) {
			t.Fatalf("lived through %+v, want %+v", then, whole)
		}
	})
}

func TestDamagedLogsAreRefused(t *testing.T) {
	good := do(t, begin(t, "", "", seats(match.Person, match.Engine)), move(t, loa.Black, 0, "b1-b3")).Log()
	created := good[0].Event.(match.Created)
	tests := []struct {
		name string
		log  []match.Entry
		want string
	}{
		{"empty", nil, "no events"},
		{"without its beginning", good[1:], "numbered 2"},
		{"two beginnings", []match.Entry{good[0], {Seq: 2, Event: created}}, "exactly one"},
		{"an illegal move", []match.Entry{good[0], {Seq: 2, Event: match.Moved{Ply: 0, Move: loa.NewMove(1, 9)}}}, "not legal"},
		{"a skipped ply", []match.Entry{good[0], {Seq: 2, Event: match.Moved{Ply: 1, Move: loa.NewMove(1, 17)}}}, "ply 1 after 0"},
		{"a gap", []match.Entry{good[0], {Seq: 3, Event: match.Moved{}}}, "numbered 3"},
		{"taken back too far", []match.Entry{good[0], {Seq: 2, Event: match.TakenBack{Keep: 0}}}, "taken back"},
		{"an end without a reason", []match.Entry{good[0], {Seq: 2, Event: match.Ended{}}}, "without a reason"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if _, err := match.Replay("m", test.log); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want an error with %q", err, test.want)
			}
		})
	}
}

func TestUnreadableEventsAreRefused(t *testing.T) {
	tests := []struct {
		version int
		kind    string
		body    string
		want    string
	}{
		{2, "moved", `{"ply":0,"move":"b1b3"}`, "newer program"},
		{0, "moved", `{"ply":0,"move":"b1b3"}`, "version 0"},
		{1, "danced", `{}`, "danced"},
		{1, "moved", `{"ply":0,"move":"b1"}`, `"b1"`},
		{1, "moved", `nonsense`, "nonsense"},
		{1, "created", `{"rules":"chess","start":"x","seats":[{},{}]}`, `"chess"`},
		{1, "created", `{"rules":"standard","start":"8/8 b","seats":[{},{}]}`, "2 ranks"},
		{1, "ended", `{"winner":"none","reason":"boredom"}`, "boredom"},
		{1, "taken-back", `{"keep":0,"by":"green"}`, "green"},
	}
	for _, test := range tests {
		if _, err := match.Decode(test.version, test.kind, []byte(test.body)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%d %s %s: got %v, want an error with %q", test.version, test.kind, test.body, err, test.want)
		}
	}
}

// TestStoredEventsOfEveryVersionAreRead holds the stored form of each version: events once written are read
// for ever.
func TestStoredEventsOfEveryVersionAreRead(t *testing.T) {
	m := between(t, "5+3", false)
	m = moveAt(t, m, second)
	m = at(t, m, 2*second, loa.Black, match.Takeback{Ply: 1})
	m = at(t, m, 3*second, loa.White, match.Decline{What: match.OfferTakeback, Ply: 1})
	m = at(t, m, 4*second, loa.White, match.Move{Ply: 1, Move: m.Game().Moves(nil)[0], Lag: 120 * time.Millisecond})
	m = at(t, m, 5*second, loa.Black, match.Takeback{Ply: 2})
	m = at(t, m, 6*second, loa.White, match.Takeback{Ply: 2})
	m = applied(m, match.Credit(m, began.Add(6*second), began.Add(7*second)))
	m = at(t, m, 8*second, loa.Black, match.Resign{})
	m = at(t, m, 9*second, loa.Black, match.OfferOf{What: match.OfferRematch})
	m = at(t, m, 9*second, loa.White, match.OfferOf{What: match.OfferRematch})
	verdict, err := match.Adjudicate(m, loa.Outcome{Winner: loa.Black, Reason: loa.Adjudicated}, began.Add(10*second))
	if err != nil {
		t.Fatal(err)
	}
	m = applied(m, verdict)
	engine := begin(t, "classic", "", seats(match.Person, match.Engine))
	log := append(m.Log(), engine.Log()...)
	var written strings.Builder
	for _, entry := range log {
		body, err := match.Encode(entry.Event)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&written, "%s %s\n", entry.Event.Kind(), body)
	}
	const path = "testdata/events-v1.txt"
	if *update {
		if err := os.WriteFile(path, []byte(written.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	golden, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if written.String() != string(golden) {
		t.Errorf("written:\n%s\nwant:\n%s", written.String(), golden)
	}
	for i, line := range strings.Split(strings.TrimSpace(string(golden)), "\n") {
		kind, body, _ := strings.Cut(line, " ")
		event, err := match.Decode(1, kind, []byte(body))
		if err != nil {
			t.Fatal(err)
		}
		if event != log[i].Event {
			t.Errorf("event %d is %#v, want %#v", i+1, event, log[i].Event)
		}
	}
}

func TestVerdictTakesThePlaceOfAnEnd(t *testing.T) {
	won := loa.Outcome{Winner: loa.White, Reason: loa.Adjudicated}
	void := loa.Outcome{Winner: loa.NoColor, Reason: loa.Aborted}
	running := moveAt(t, moveAt(t, between(t, "5+3", true), second), 2*second)
	for name, m := range map[string]*match.Match{
		"running":  running,
		"finished": at(t, running, 3*second, loa.White, match.Resign{}),
	} {
		entries, err := match.Adjudicate(m, won, began.Add(5*second))
		if err != nil || len(entries) != 1 {
			t.Fatalf("%s: %v, %v", name, entries, err)
		}
		m = applied(m, entries)
		if _, runs := m.Deadline(); m.Outcome() != won || runs {
			t.Errorf("%s: outcome %s, clock runs %v", name, m.Outcome(), runs)
		}
		if again, err := match.Adjudicate(m, won, began.Add(6*second)); len(again) > 0 || err != nil {
			t.Errorf("%s: the same verdict again gives %v, %v", name, again, err)
		}
		entries, err = match.Adjudicate(m, void, began.Add(7*second))
		if err != nil {
			t.Fatal(err)
		}
		m = applied(m, entries)
		replayed, err := match.Replay(m.ID(), m.Log())
		if err != nil || replayed.Outcome() != void {
			t.Errorf("%s: replayed to %v, %v", name, replayed, err)
		}
	}
}

func TestVerdictMustBeOne(t *testing.T) {
	m := between(t, "5+3", true)
	for _, o := range []loa.Outcome{
		{Winner: loa.NoColor},
		{Winner: loa.Black, Reason: loa.Aborted},
		{Winner: loa.Black, Reason: loa.Connected},
	} {
		var refusal *match.Refusal
		if entries, err := match.Adjudicate(m, o, began); !errors.As(err, &refusal) || len(entries) > 0 {
			t.Errorf("%v: %v, %v", o, entries, err)
		}
	}
}

// TestClonesOfAMatchGoTheirOwnWays: clones share the log, and no entry of one may show in another.
func TestClonesOfAMatchGoTheirOwnWays(t *testing.T) {
	m := begin(t, "standard", "", seats(match.Person, match.Person))
	for range 5 {
		m = moveAt(t, m, time.Second)
	}
	moves := m.Game().Moves(nil)
	ends := make([]*match.Match, 4)
	for i := range ends {
		ends[i] = at(t, m, time.Second, m.Game().Position().Turn(), match.Move{Ply: m.Game().Plies(), Move: moves[i]})
	}
	for i, end := range ends {
		if got := end.Log()[m.Seq()].Event.(match.Moved).Move; got != moves[i] || end.Game().Move(m.Game().Plies()) != moves[i] {
			t.Errorf("%d: %s, want %s", i, got, moves[i])
		}
	}
}
