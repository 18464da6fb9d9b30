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
	missing, clean := filepath.Join(dir, "missing"), t.TempDir()
	good(t, "datagen", "--games", "1", "--nodes", "50", "--shards", "1", "-o", clean)
	duel := func(more ...string) []string {
		return append([]string{"duel", "--a", "greedy", "--games", "2", "--nodes", "9"}, more...)
	}
	tests := []struct {
		name string
		args []string
		code int
		want string
	}{
		{"no such program", duel("--b", "cmd="+missing), 1, missing},
		{"a directory as program", duel("--b", "cmd="+dir), 1, dir},
		{"no test", duel("--b", "greedy", "--sprt", ""), 1, `test ""`},
		{"no name of openings", duel("--b", "greedy", "--openings", ""), 2, "--openings: expected a name"},
		{"no name of a record", duel("--b", "greedy", "-o", ""), 2, "--output: expected a name"},
		{"unknown player without limits", []string{"duel", "--a", "greedy", "--b", "levl=3", "--games", "2"}, 1, `"levl=3"`},
		{"shards twice", []string{"train", clean, filepath.Join(clean, "000000.shard"), "-o", missing}, 1, "named twice"},
		{"rate", []string{"train", dir, "--rate", "NaN", "-o", missing}, 2, "--rate NaN"},
		{"negative rate", []string{"train", dir, "--rate=-1", "-o", missing}, 2, "--rate -1"},
		{"decay", []string{"train", dir, "--decay", "NaN", "-o", missing}, 2, "--decay NaN"},
		{"discount", []string{"train", dir, "--discount=-1", "-o", missing}, 2, "--discount -1"},
		{"no share", []string{"train", dir, "--share", "NaN", "-o", missing}, 2, "--share NaN"},
		{"trainers", []string{"train", dir, "--workers", "0", "-o", missing}, 2, "--workers 0"},
		{"no net to start from", []string{"train", dir, "--start", "", "-o", missing}, 2, "--start: expected a name"},
		{"net in the place of a directory", []string{"train", dir, "-o", dir}, 1, dir + ": it is a directory"},
		{"rate that leads nowhere", []string{"train", clean, "--hidden", "32", "--batch", "4", "--samples", "400", "--rate", "0.99", "--decay", "1e30", "-o", missing}, 1, "lower rate"},
		{"shards out of reach", []string{"datagen", "--shards", "2", "--first", "9223372036854775806", "-o", missing}, 2, "--first 9223372036854775806"},
		{"no directory", []string{"datagen", "--shards", "1", "-o", ""}, 2, "--output: expected a name"},
		{"book that begins differently each time", []string{"book", missing, "--rules", "random"}, 1, "random"},
		{"book in a directory that is not there", []string{"book", filepath.Join(missing, "book")}, 1, filepath.Join(missing, "book")},
		{"weights in a directory that is not there", []string{"fit", "-o", filepath.Join(missing, "weights")}, 1, filepath.Join(missing, "weights")},
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
