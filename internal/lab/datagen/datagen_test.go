package datagen

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/engine"
	"github.com/linesofaction/loa/engine/nnue"
)

func options(dir string, log *strings.Builder) Options {
	return Options{
		Engine: engine.Options{Hash: 1}, Player: "engine", Dir: dir, Shards: 2, Games: 2, Nodes: 100, Seed: 1, Workers: 2, Log: log,
	}
}

// TestRecordRoundTrip: a record comes back as it was written.
func TestRecordRoundTrip(t *testing.T) {
	for _, r := range []Record{
		{},
		{Black: 1 << 63, White: 1, Turn: loa.White, Threat: true, Score: -29000, Result: 2, Plies: 255},
		{Black: 0x7e, White: 0x8100, Score: 31, Result: 1, Plies: 7},
	} {
		if got := recordOf(r.append(nil)); got != r || len(r.append(nil)) != recordSize {
			t.Errorf("%+v came back as %+v", r, got)
		}
	}
}

// TestRunIsRepeatable and goes on where it ended: the same options make the same shards, and those there are kept.
func TestRunIsRepeatable(t *testing.T) {
	var log strings.Builder
	first, second := t.TempDir(), t.TempDir()
	if err := Run(context.Background(), options(first, &log)); err != nil {
		t.Fatal(err)
	}
	part := options(second, &log)
	part.Shards = 1
	for _, o := range []Options{part, options(second, &log)} {
		if err := Run(context.Background(), o); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"000000.shard", "000001.shard"} {
		note, records, err := ReadShard(filepath.Join(first, name))
		if err != nil || len(records) < 10 {
			t.Fatalf("%s: %d records, %v", name, len(records), err)
		}
		again, same, err := ReadShard(filepath.Join(second, name))
		if err != nil || again != note || !slices.Equal(same, records) {
			t.Errorf("%s: other records, %v", name, err)
		}
		results := map[uint8]bool{}
		for i, r := range records {
			results[r.Result] = true
			if r.Black&r.White != 0 || r.Plies == 0 || r.Result > 2 {
				t.Errorf("%s, record %d: %+v", name, i, r)
			}
		}
		if !results[0] || !results[2] {
			t.Errorf("%s: results %v", name, results)
		}
	}
	other := options(second, &log)
	other.Nodes = 99
	if err := Run(context.Background(), other); err == nil || !strings.Contains(err.Error(), "000000.shard") && !strings.Contains(err.Error(), "000001.shard") {
		t.Errorf("other options: %v", err)
	}
}

// TestShardsOfAnotherNetAreRefused, also where the player is called the same: the net of the program and that of a file change.
func TestShardsOfAnotherNetAreRefused(t *testing.T) {
	var log strings.Builder
	o := options(t.TempDir(), &log)
	if err := Run(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	o.Engine.Net = nnue.For(loa.Rules{Captures: loa.CapturesNo})
	err := Run(context.Background(), o)
	if err == nil || !strings.Contains(err.Error(), nnue.Standard().Name()) || !strings.Contains(err.Error(), o.Engine.Net.Name()) {
		t.Errorf("another net: %v", err)
	}
}

// TestStraysAreOneMoveFromTheGame, have a score and no result, and change nothing about the games' results.
func TestStraysAreOneMoveFromTheGame(t *testing.T) {
	var log strings.Builder
	o := options(t.TempDir(), &log)
	o.Shards, o.Strays = 1, 1
	if err := Run(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	note, records, err := ReadShard(filepath.Join(o.Dir, "000000.shard"))
	if err != nil || !strings.HasSuffix(note, ", strays 1") {
		t.Fatalf("note %q, %v", note, err)
	}
	strays := 0
	for i, r := range records {
		if r.Result != Unknown {
			continue
		}
		strays++
		from := records[i-1]
		if from.Result == Unknown || r.Turn != from.Turn.Opponent() {
			t.Fatalf("record %d: %+v after %+v", i, r, from)
		}
		own, before := r.Black, from.Black
		if from.Turn == loa.White {
			own, before = r.White, from.White
		}
		if (own&^before).Count() != 1 || (before&^own).Count() != 1 {
			t.Errorf("record %d: %+v is not a move away from %+v", i, r, from)
		}
	}
	if strays < 10 || 2*strays > len(records) {
		t.Errorf("%d strays of %d records", strays, len(records))
	}
}

// TestCorruptShardIsRefusedByName, whatever is wrong with it.
func TestCorruptShardIsRefusedByName(t *testing.T) {
	path := filepath.Join(t.TempDir(), "000000.shard")
	if err := WriteShard(path, "note", []Record{{Black: 1}, {White: 1}}); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	flip := func(at int) []byte {
		changed := slices.Clone(whole)
		changed[at] ^= 1
		return changed
	}
	for name, bad := range map[string][]byte{
		"empty": {}, "cut off": whole[:len(whole)-1], "longer": append(slices.Clone(whole), 0),
		"magic": flip(0), "version": flip(8), "record size": flip(10), "count": flip(12), "note": flip(21), "record": flip(40), "sum": flip(len(whole) - 1),
	} {
		if err := os.WriteFile(path, bad, 0o644); err != nil {
			t.Fatal(err)
		}
		if _, _, err := ReadShard(path); !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", name, err)
		}
		var log strings.Builder
		if err := Run(context.Background(), options(filepath.Dir(path), &log)); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: played on: %v", name, err)
		}
	}
}

// TestInterruptLeavesNoPart of a shard.
func TestInterruptLeavesNoPart(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	dir := t.TempDir()
	var log strings.Builder
	if err := Run(ctx, options(dir, &log)); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("left %v, %v", entries, err)
	}
}
