package wire_test

import (
	"encoding/json"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/clock"
	"github.com/linesofaction/loa/internal/match"
	"github.com/linesofaction/loa/internal/wire"
)

// TestEveryExampleInTheDocumentIsAMessage: docs/protocol.md and the types agree, field by field.
func TestEveryExampleInTheDocumentIsAMessage(t *testing.T) {
	text, err := os.ReadFile("../../docs/protocol.md")
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]any{
		wire.KindSnapshot: new(wire.Snapshot), wire.KindUpdate: new(wire.Update), wire.KindAck: new(wire.Ack),
		wire.KindRefused: new(wire.Refused), wire.KindPong: new(wire.Pong), wire.KindLeave: new(wire.Leave),
		wire.KindPresence: new(wire.Presence), wire.KindRatings: new(wire.Ratings),
		wire.KindDraw: new(wire.Command), wire.KindRematch: new(wire.Command), wire.KindDecline: new(wire.Command),
		wire.KindAbort: new(wire.Command), wire.KindClaim: new(wire.Command),
		wire.KindMove: new(wire.Command), wire.KindTakeback: new(wire.Command), wire.KindResign: new(wire.Command),
		wire.KindResume: new(wire.Command), wire.KindPing: new(wire.Command),
		wire.KindLobby: new(wire.Lobby), wire.KindGo: new(wire.Go),
		wire.KindTalk: new(wire.Talk), wire.KindTalk + " asked": new(wire.Command), wire.KindMute: new(wire.Command),
		wire.KindSet: new(wire.Ask), wire.KindPlay: new(wire.Ask), wire.KindSearch: new(wire.Ask), wire.KindExplain: new(wire.Ask), wire.KindTry: new(wire.Ask), wire.KindStop: new(wire.Ask),
		wire.KindReady: new(wire.Ready), wire.KindStanding: new(wire.Standing), wire.KindInfo: new(wire.Info),
		wire.KindBest: new(wire.Best), wire.KindExplained: new(wire.Explained), wire.KindWrong: new(wire.Wrong),
		wire.KindTried: new(wire.Tried), wire.KindHint: new(wire.Hint), wire.KindThreats: new(wire.Threats), wire.KindReview: new(wire.Review),
		wire.KindSeek: new(wire.LobbyCommand), wire.KindUnseek: new(wire.LobbyCommand), wire.KindTake: new(wire.LobbyCommand),
	}
	seen := map[string]bool{}
	for _, block := range regexp.MustCompile("(?s)```json\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		var head struct {
			V       int
			Type    string
			Remarks []any
		}
		if err := json.Unmarshal([]byte(block[1]), &head); err != nil {
			t.Fatalf("%s: %v", block[1], err)
		}
		if head.Type == wire.KindTalk && head.Remarks == nil {
			head.Type += " asked" // the same word asks and answers
		}
		if head.V != wire.Version || kinds[head.Type] == nil {
			t.Errorf("version %d, type %q", head.V, head.Type)
			continue
		}
		seen[head.Type] = true
		decoder := json.NewDecoder(strings.NewReader(block[1]))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(kinds[head.Type]); err != nil {
			t.Errorf("%s: %v", head.Type, err)
		}
	}
	for kind := range kinds {
		if !seen[kind] {
			t.Errorf("the document has no example of %q", kind)
		}
	}
}

var noon = time.UnixMilli(0)

func start(t testing.TB, rulesText string) *match.Match {
	t.Helper()
	rules, err := loa.ParseRules(rulesText)
	if err != nil {
		t.Fatal(err)
	}
	p, err := rules.StartPosition()
	if err != nil {
		t.Fatal(err)
	}
	log, err := match.Create(match.Terms{Rules: rules, Start: p.Setup(), Seats: [2]match.Seat{{Person: "p", Name: "4127"}, {Holder: match.Engine, Level: 3}}}, time.UnixMilli(0))
	if err != nil {
		t.Fatal(err)
	}
	m, err := match.Replay("m", log)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// between is a match of two people against the clock.
func between(t testing.TB, rulesText string, control clock.Control) *match.Match {
	t.Helper()
	terms := start(t, rulesText).Terms()
	terms.Control, terms.Seats = control, [2]match.Seat{{Person: "p", Name: "4127"}, {Person: "q", Name: "Marit", Member: true}}
	log, err := match.Create(terms, noon)
	if err != nil {
		t.Fatal(err)
	}
	m, err := match.Replay("m", log)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func do(t testing.TB, m *match.Match, by loa.Color, ask match.Ask) *match.Match {
	t.Helper()
	entries, err := match.Decide(m, match.Command{By: by, Ask: ask}, time.UnixMilli(0))
	if err != nil {
		t.Fatal(err)
	}
	next := m.Clone()
	for _, entry := range entries {
		next.Apply(entry)
	}
	return next
}

// TestUpdatesLeadToTheSnapshot: a client that follows the updates from any number holds what a snapshot says.
func TestUpdatesLeadToTheSnapshot(t *testing.T) {
	states := []*match.Match{start(t, "mini")}
	add := func(by loa.Color, ask match.Ask) {
		states = append(states, do(t, states[len(states)-1], by, ask))
	}
	ply := func(n int) match.Move {
		m := states[len(states)-1]
		return match.Move{Ply: n, Move: m.Game().Moves(nil)[0]}
	}
	add(loa.Black, ply(0))
	add(loa.White, ply(1))
	add(loa.Black, ply(2))
	add(loa.Black, match.Takeback{Ply: 3})
	add(loa.Black, match.Move{Ply: 2, Move: states[len(states)-1].Game().Moves(nil)[3]})
	add(loa.White, ply(3))
	add(loa.Black, match.Resign{})
	for i, old := range states {
		for _, now := range states[i:] {
			got := wire.SnapshotOf(old, wire.PositionNow(old), loa.Black, noon)
			update := wire.UpdateOf(now, wire.PositionNow(now), loa.Black, old.Seq(), noon)
			if update.From != got.Seq {
				t.Fatalf("update from %d for a client at %d", update.From, got.Seq)
			}
			got.Seq, got.Position, got.State = update.Seq, update.Position, update.State
			got.Plies = append(got.Plies[:update.Keep:update.Keep], update.Plies...)
			if want := wire.SnapshotOf(now, wire.PositionNow(now), loa.Black, noon); !reflect.DeepEqual(got, want) {
				t.Fatalf("from %d to %d: got %+v, want %+v", old.Seq(), now.Seq(), got, want)
			}
		}
	}
}

func TestWhatAReceiverMayDo(t *testing.T) {
	fresh := start(t, "")
	moved := do(t, fresh, loa.Black, match.Move{Ply: 0, Move: loa.NewMove(1, 17)})
	over := do(t, moved, loa.Black, match.Resign{})
	tests := []struct {
		name string
		m    *match.Match
		you  loa.Color
		want wire.Can
	}{
		{"on turn", fresh, loa.Black, wire.Can{Move: true, Resign: true}},
		{"not on turn", moved, loa.Black, wire.Can{Takeback: true, Resign: true}},
		{"an onlooker", moved, loa.NoColor, wire.Can{}},
		{"at the end", over, loa.Black, wire.Can{}},
	}
	for _, test := range tests {
		if got := wire.SnapshotOf(test.m, wire.PositionNow(test.m), test.you, noon).Can; got != test.want {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
	}
	if snapshot := wire.SnapshotOf(over, wire.PositionNow(over), loa.Black, noon); len(snapshot.Position.Moves) != 0 || snapshot.Outcome == nil {
		t.Errorf("at the end: moves %v, outcome %v", snapshot.Position.Moves, snapshot.Outcome)
	}
	if snapshot := wire.SnapshotOf(moved, wire.PositionNow(moved), loa.NoColor, noon); snapshot.You != "" || !snapshot.Thinking {
		t.Errorf("onlooker: you %q, thinking %v", snapshot.You, snapshot.Thinking)
	}
}

// TestUpdatesAreWrittenAsEncodingJSONDoes: the encoder by hand is the other one, only faster.
func TestUpdatesAreWrittenAsEncodingJSONDoes(t *testing.T) {
	control, err := clock.Parse("5+3")
	if err != nil {
		t.Fatal(err)
	}
	same := func(m *match.Match, from int) {
		t.Helper()
		for _, you := range []loa.Color{loa.Black, loa.White, loa.NoColor} {
			update := wire.UpdateOf(m, wire.PositionNow(m), you, from, noon.Add(time.Second))
			want, err := json.Marshal(update)
			if err != nil {
				t.Fatal(err)
			}
			if got := update.Append(nil); string(got) != string(want) {
				t.Fatalf("got\n%s\nwant\n%s", got, want)
			}
		}
	}
	for _, rules := range []string{"standard", "mini-six", "no-capture:size=5"} {
		for _, m := range []*match.Match{start(t, rules), between(t, rules, control)} {
			same(m, m.Seq())
			for range 12 {
				if m.Outcome().Over() {
					break
				}
				from, moves := m.Seq(), m.Game().Moves(nil)
				m = do(t, m, m.Game().Position().Turn(), match.Move{Ply: m.Game().Plies(), Move: moves[len(moves)/2], Lag: 40 * time.Millisecond})
				same(m, from)
			}
			if !m.BetweenPeople() {
				continue
			}
			from := m.Seq()
			m = do(t, m, loa.Black, match.OfferOf{What: match.OfferDraw, Ply: m.Game().Plies()})
			m = do(t, m, loa.White, match.Takeback{Ply: m.Game().Plies()})
			same(m, from)
			m = do(t, m, loa.White, match.Resign{})
			m = do(t, m, loa.White, match.OfferOf{What: match.OfferRematch, Ply: m.Game().Plies()})
			same(m, from)
			m = do(t, m, loa.Black, match.OfferOf{What: match.OfferRematch, Ply: m.Game().Plies()})
			same(m, from)
		}
	}
}

// TestRaysSayWhatThePositionSays: count, landing square, verdict and blocker can be read from the text alone.
func TestRaysSayWhatThePositionSays(t *testing.T) {
	signs := map[byte]loa.Verdict{'m': loa.CanMove, 'c': loa.CanCapture, '-': loa.OffBoard, 'b': loa.Blocked, 'o': loa.OwnPiece, 'n': loa.NoCapture}
	steps := [loa.Directions][2]int{{0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}}
	met := map[loa.Verdict]bool{}
	for _, rules := range []string{"standard", "mini-six", "no-capture:size=5"} {
		m := start(t, rules)
		for range 12 {
			if m.Outcome().Over() {
				break
			}
			moves := m.Game().Moves(nil)
			m = do(t, m, m.Game().Position().Turn(), match.Move{Ply: m.Game().Plies(), Move: moves[len(moves)/2]})
			p := m.Game().Position()
			pieces := strings.Fields(wire.RaysOf(p))
			if len(pieces) != p.Occupied().Count() {
				t.Fatalf("%d pieces, want %d", len(pieces), p.Occupied().Count())
			}
			for _, piece := range pieces {
				from, err := loa.ParseSquare(piece[:2])
				if err != nil {
					t.Fatal(err)
				}
				rest := piece[2:]
				at := func(d loa.Direction, n int) loa.Square {
					return loa.SquareAt(from.File()+n*steps[d][0], from.Rank()+n*steps[d][1])
				}
				for d := range loa.Direction(loa.Directions) {
					got := loa.Ray{Direction: d, Count: int(rest[0] - '0'), Verdict: signs[rest[1]], Land: loa.NoSquare, Blocker: loa.NoSquare}
					rest = rest[2:]
					if got.Verdict != loa.OffBoard {
						got.Land = at(d, got.Count)
					}
					switch got.Verdict {
					case loa.Blocked:
						got.Blocker, rest = at(d, int(rest[0]-'0')), rest[1:]
					case loa.OwnPiece, loa.NoCapture:
						got.Blocker = got.Land
					}
					met[got.Verdict] = true
					if want := p.Ray(from, d); got != want {
						t.Fatalf("%s: got %+v, want %+v", piece, got, want)
					}
				}
				if rest != "" {
					t.Fatalf("%s: %q is left over", piece, rest)
				}
			}
		}
	}
	if len(met) != len(signs) {
		t.Errorf("only %d verdicts were met", len(met))
	}
}
