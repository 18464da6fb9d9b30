package wire_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/wire"
)

// TestTheWorkersMessagesAreWrittenAsTheyAreRead: writing by hand loses nothing, whatever a text holds.
func TestTheWorkersMessagesAreWrittenAsTheyAreRead(t *testing.T) {
	position := wire.PositionOf(start(t, "mini").Game().Position(), false)
	outcome := wire.OutcomeOf(loa.Outcome{Winner: loa.White, Reason: loa.Connected})
	for _, want := range []interface{ Append([]byte) []byte }{
		&wire.Ready{V: 2, Type: "ready"},
		&wire.Standing{V: 2, Type: "standing", Plies: 3, Position: position},
		&wire.Standing{V: 2, Type: "standing", Position: position, Outcome: outcome},
		&wire.Info{V: 2, Type: "info", ID: 7, Line: 1, Value: wire.Value{Cp: -31}, PV: []string{"c8-c6", "pass"}, Depth: 9, SelDepth: 14, Nodes: 1 << 40, NPS: 5, Time: 6},
		&wire.Best{V: 2, Type: "best", ID: 7, Move: "c8xc6", Value: wire.Value{Win: -4}, PV: []string{"c8xc6"}, Depth: 9, Nodes: 8, NPS: 5, Time: 6},
		&wire.Explained{V: 2, Type: "explained", ID: 7},
		&wire.Explained{V: 2, Type: "explained", ID: 7, Ways: wire.Ways{Black: 1, White: 2}, Threat: 3, Played: &wire.PlayedMove{
			Move: "c8xc6", Best: "c8-c6", Before: wire.Value{Cp: 12}, After: wire.Value{Win: -4}, Lost: 5, Allows: 3,
		}},
		&wire.Tried{V: 2, Type: "tried", Puzzle: "rq2chmt", Result: "right", Plies: []wire.Ply{}, Position: position},
		&wire.Tried{V: 2, Type: "tried", ID: 7, Puzzle: "rq2chmt", Result: "wrong", Taken: 1, Plies: []wire.Ply{{Move: "d3-d5", Board: "4/4/4/4", Groups: [2]int{1, 2}}, {Move: "pass"}}, Position: position, Fault: "loses", Count: 2},
		&wire.Wrong{V: 2, Type: "wrong", ID: 7, Text: "\"a\\b\" and \x00\x1f\n\u2028é\xff"},
		&wire.Wrong{V: 2, Type: "wrong", Text: "why"},
	} {
		byHand := want.Append(nil)
		var got, expected any
		body, err := json.Marshal(want)
		if err == nil {
			err = json.Unmarshal(body, &expected)
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(byHand, &got); err != nil || !reflect.DeepEqual(got, expected) {
			t.Errorf("%s: got %v, %v; want %v", byHand, got, err, expected)
		}
	}
}
