package solve

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
)

// A search that is broken off again and again, each time in a new process with another table, comes to the same value.
func TestSearchGoesOnFromItsState(t *testing.T) {
	g := mustGame(t, "standard:size=5", "")
	var state bytes.Buffer
	for try := range 100 {
		s := New(1 + try%3)
		if try > 0 {
			if err := s.ReadState(bytes.NewReader(state.Bytes()), g); err != nil {
				t.Fatal(err)
			}
		} else if err := s.Begin(g); err != nil {
			t.Fatal(err)
		}
		before := s.nodes
		r := s.Continue(context.Background(), Limits{Nodes: 700}, nil)
		if r.Value == Win {
			if try < 3 || r.Nodes <= before {
				t.Errorf("%s at try %d after %d nodes, %d before", r.Value, try, r.Nodes, before)
			}
			mustVerify(t, s, r)
			return
		}
		if r.Value != Unknown {
			t.Fatalf("%s", r.Value)
		}
		state.Reset()
		if err := s.WriteState(&state); err != nil {
			t.Fatal(err)
		}
	}
	t.Error("no end")
}

// TestBothSidesTryAlthoughBrokenOff: where every piece of a search is shorter than a turn, the second side has its turns too.
func TestBothSidesTryAlthoughBrokenOff(t *testing.T) {
	g := mustGame(t, "standard", "")
	s := New(1)
	if err := s.Begin(g); err != nil {
		t.Fatal(err)
	}
	for range 6 {
		var state bytes.Buffer
		s.Continue(t.Context(), Limits{Nodes: firstChunk / 4}, nil)
		if err := s.WriteState(&state); err != nil {
			t.Fatal(err)
		}
		if err := s.ReadState(&state, g); err != nil {
			t.Fatal(err)
		}
	}
	for _, a := range s.attempts {
		if a.root.proof == 1 {
			t.Errorf("%v has not tried", a.attacker)
		}
	}
}

// TestSearchInManyPiecesEnds.
func TestSearchInManyPiecesEnds(t *testing.T) {
	s := New(1)
	if err := s.Begin(mustGame(t, "standard:size=5", "")); err != nil {
		t.Fatal(err)
	}
	for range 1000 {
		if r := s.Continue(t.Context(), Limits{Nodes: 60}, nil); r.Value == Win {
			return
		}
	}
	t.Error("no end")
}

func TestStatesThatCannotBeReadAreRefused(t *testing.T) {
	g := mustGame(t, "standard:size=5", "")
	s := New(1)
	if _, err := s.Solve(context.Background(), g, Limits{Nodes: 500}, nil); err != nil {
		t.Fatal(err)
	}
	var state bytes.Buffer
	if err := s.WriteState(&state); err != nil {
		t.Fatal(err)
	}
	whole := state.Bytes()
	flipped := bytes.Clone(whole)
	flipped[len(flipped)/2] ^= 1
	newer := bytes.Clone(whole)
	newer[len(stateMagic)] = 9
	for _, test := range []struct {
		name, want string
		raw        []byte
	}{
		{"empty", "cut off", nil},
		{"another file", "begins with", []byte("something else altogether")},
		{"cut off", "cut off", whole[:len(whole)-40]},
		{"cut off in its sum", "cut off", whole[:len(whole)-1]},
		{"too long", "follows its end", append(bytes.Clone(whole), 0)},
		{"changed", "sum is wrong", flipped},
		{"of a newer program", "version 9", newer},
	} {
		fresh := New(1)
		err := fresh.ReadState(bytes.NewReader(test.raw), g)
		var refused *StateError
		if !errors.As(err, &refused) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
		if fresh.nodes != 0 || fresh.attempts[0].root.proof != 1 {
			t.Errorf("%s: it was believed", test.name)
		}
	}
	var refused *StateError
	if err := s.ReadState(bytes.NewReader(whole), mustGame(t, "standard:size=4", "")); !errors.As(err, &refused) || !strings.Contains(err.Error(), "size=5") {
		t.Errorf("of another board: %v", err)
	}
}
