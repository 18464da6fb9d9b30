package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLaboratory makes positions, trains a net on them, goes on from it, and lets it play.
func TestLaboratory(t *testing.T) {
	dir := t.TempDir()
	data, net, games := filepath.Join(dir, "data"), filepath.Join(dir, "net"), filepath.Join(dir, "games")
	good(t, "datagen", "--player", "engine:eval=hand", "--games", "3", "--nodes", "100", "--shards", "2", "-o", data)
	good(t, "train", data, "--hidden", "32", "--samples", "2000", "--batch", "100", "-o", net)
	good(t, "train", data, "--start", net, "--samples", "500", "--batch", "100", "-o", filepath.Join(dir, "second"))
	args := []string{"duel", "--a", "engine:net=" + net, "--b", "engine:eval=hand", "--games", "4", "--nodes", "200", "--sprt", "0,50", "-o", games, "--json"}
	code, first, progress := call(t, "", args...)
	if code != 0 || !strings.HasPrefix(progress, "2 games: ") || strings.Count(progress, "\n") != 2 {
		t.Fatalf("exit %d, progress %q", code, progress)
	}
	var result struct {
		Wins, Draws, Losses int
		Score               *float64
		LLR                 *float64
	}
	if err := json.Unmarshal([]byte(first), &result); err != nil || result.Wins+result.Draws+result.Losses != 4 || result.Score == nil || result.LLR == nil {
		t.Errorf("%s: %v", first, err)
	}
	if second := good(t, args...); second != first {
		t.Errorf("%s, and from its file %s", first, second)
	}
	text, err := os.ReadFile(games)
	if err != nil || strings.Count(string(text), "\n") != 5 {
		t.Errorf("%s, %v", text, err)
	}
}

// TestLaboratoryNamesWhatIsWrong with a call or a file.
func TestLaboratoryNamesWhatIsWrong(t *testing.T) {
	dir := t.TempDir()
	junk := filepath.Join(dir, "000000.shard")
	if err := os.WriteFile(junk, []byte("junk"), 0o600); err != nil {
		t.Fatal(err)
	}
	missing := filepath.Join(dir, "missing")
	duel := func(more ...string) []string {
		return append([]string{"duel", "--a", "greedy", "--games", "2", "--nodes", "9"}, more...)
	}
	tests := []struct {
		name string
		args []string
		code int
		want string
	}{
		{"odd games", []string{"duel", "--a", "greedy", "--b", "greedy", "--games", "3", "--nodes", "9"}, 2, "--games 3"},
		{"no limit", []string{"duel", "--a", "engine", "--b", "greedy", "--games", "2"}, 2, "--time"},
		{"no workers", duel("--b", "greedy", "--workers", "0"), 2, "--workers 0"},
		{"no openings", duel("--b", "greedy", "--openings", "0"), 2, "--openings 0"},
		{"unknown player", duel("--b", "nobody"), 1, `"nobody"`},
		{"unknown evaluation", duel("--b", "engine:eval=best"), 1, `"best"`},
		{"unknown option", duel("--b", "engine:speed=9"), 1, `"speed=9"`},
		{"no command", duel("--b", "cmd="), 1, `"cmd="`},
		{"no net", duel("--b", "engine:net="+junk), 1, junk},
		{"level out of reach", duel("--b", "level=11"), 1, `"level=11"`},
		{"test that cannot be", duel("--b", "greedy", "--sprt", "9,1"), 1, `"9,1"`},
		{"openings that are none", duel("--b", "greedy", "--openings", junk), 1, junk + ", line 1"},
		{"file of something else", duel("--b", "greedy", "-o", junk), 1, junk + ", line 1"},
		{"corrupt shard", []string{"train", dir, "-o", missing}, 1, junk},
		{"no shards", []string{"train", missing, "-o", missing}, 1, missing},
		{"hidden units", []string{"train", dir, "--hidden", "33", "-o", missing}, 2, "--hidden 33"},
		{"share", []string{"train", dir, "--share", "2", "-o", missing}, 2, "--share 2"},
		{"shards", []string{"datagen", "--shards", "0", "-o", missing}, 2, "--shards 0"},
		{"player of positions", []string{"datagen", "--shards", "1", "--player", "greedy", "-o", missing}, 1, `"greedy"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			code, _, errs := call(t, "", test.args...)
			if code != test.code || !strings.Contains(errs, test.want) {
				t.Errorf("exit %d, %s; want %d and %s", code, errs, test.code, test.want)
			}
		})
	}
}
