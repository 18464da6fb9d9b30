package engine

import (
	"testing"

	"github.com/linesofaction/loa"
)

// FuzzEntryRoundTrip: what is packed comes out again.
func FuzzEntryRoundTrip(f *testing.F) {
	f.Add(uint16(loa.Pass), int16(-29999), uint8(64), uint8(3))
	f.Add(uint16(0), int16(-1), uint8(0), uint8(1))
	f.Fuzz(func(t *testing.T, move uint16, score int16, depth, kind uint8) {
		e := entry{loa.Move(move & 0xfff), int(score), int(depth), bound(kind & 3)}
		if got := unpack(e.pack(63)); got != e {
			t.Fatalf("%+v came out as %+v", e, got)
		}
	})
}

// TestTableKeepsAndForgets stores more than fits: what was stored last is there, and hashes never stored are not.
func TestTableKeepsAndForgets(t *testing.T) {
	table := newTable(1)
	hash := func(i int) uint64 { return uint64(i+1) * 0x9e3779b97f4a7c15 }
	const stored = 200_000
	for i := range stored {
		table.store(hash(i), entry{score: i % 1000, depth: i % 20, bound: boundExact})
		if e, ok := table.probe(hash(i)); !ok || e.score != i%1000 {
			t.Fatalf("entry %d came back as %+v, %v", i, e, ok)
		}
	}
	for i := range 1000 {
		if _, ok := table.probe(hash(stored + i)); ok {
			t.Fatalf("hash %x was never stored", hash(stored+i))
		}
	}
	if full := table.full(); full < 900 {
		t.Errorf("%d thousandths full, want nearly all", full)
	}
	table.clear()
	if _, ok := table.probe(hash(stored - 1)); ok || table.full() != 0 {
		t.Error("not empty after clear")
	}
}

// TestForcedScoresInTable are counted from the position, wherever it stands in the search.
func TestForcedScoresInTable(t *testing.T) {
	for _, score := range []int{0, 31, -5000, scoreWin - 9, 9 - scoreWin} {
		if got := fromTable(toTable(score, 4), 4); got != score {
			t.Errorf("%d came back as %d", score, got)
		}
	}
	if got := fromTable(toTable(scoreWin-9, 4), 6); got != scoreWin-11 {
		t.Errorf("a win five plies on from ply 6 is %v from the root, want win 11", Score(got))
	}
}

func TestScoreText(t *testing.T) {
	for want, score := range map[string]Score{"cp 31": 31, "cp -7": -7, "win 3": WinIn(3), "loss 4": WinIn(-4)} {
		if got := score.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
