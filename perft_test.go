package loa_test

import (
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/linesofaction/loa"
)

var long = flag.Bool("long", false, "count every depth of testdata/perft")

// perftCap bounds the nodes of one count in the default run.
const perftCap = 20_000_000

// perftCase is a line of a perft file: a position, a colon, and the paths at depth 1, 2 and so on.
type perftCase struct {
	position loa.Position
	nodes    []uint64
}

// perftCases reads testdata/perft.
func perftCases(t testing.TB) []perftCase {
	t.Helper()
	files, err := filepath.Glob("testdata/perft/*.perft")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files in testdata/perft: %v", err)
	}
	var cases []perftCase
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
				continue
			}
			position, counts, _ := strings.Cut(line, ":")
			c := perftCase{position: at(t, position)}
			for _, count := range strings.Fields(counts) {
				n, err := strconv.ParseUint(count, 10, 64)
				if err != nil {
					t.Fatalf("%s: %q", file, line)
				}
				c.nodes = append(c.nodes, n)
			}
			cases = append(cases, c)
		}
	}
	return cases
}

func TestPerft(t *testing.T) {
	for _, c := range perftCases(t) {
		if c.position.Perft(0) != 1 {
			t.Errorf("%s: depth 0 is not 1", c.position)
		}
		for i, want := range c.nodes {
			if want > perftCap && !*long {
				break
			}
			if got := c.position.Perft(i + 1); got != want {
				t.Errorf("%s depth %d: %d, want %d", c.position, i+1, got, want)
			}
		}
	}
}

func TestPlainPerftCountsTheSame(t *testing.T) {
	for _, c := range perftCases(t) {
		p := plainOf(c.position, loa.Rules{})
		for i, want := range c.nodes {
			if want > perftCap/100 && !*long || want > 10*perftCap {
				break
			}
			if got := p.perft(i + 1); got != want {
				t.Errorf("%s depth %d: %d, want %d", c.position, i+1, got, want)
			}
		}
	}
}

func TestDivideAddsUp(t *testing.T) {
	p := start(t, "standard")
	var sum uint64
	moves := 0
	p.Divide(3, func(m loa.Move, nodes uint64) {
		moves++
		sum += nodes
		if want := p.PlayUnchecked(m).Perft(2); nodes != want {
			t.Errorf("%s: %d, want %d", m, nodes, want)
		}
	})
	if moves != 36 || sum != 44952 {
		t.Errorf("%d moves, %d nodes", moves, sum)
	}
}

func TestFinishedPositionHasNoPaths(t *testing.T) {
	p := at(t, "8/8/8/3xx3/8/8/8/o6o b")
	if n := p.Perft(1); n != 0 {
		t.Errorf("%d paths", n)
	}
	p.Divide(1, func(m loa.Move, _ uint64) { t.Errorf("visited %s", m) })
}

// TestPerftUnderOtherRules: captures and what happens without a move change the count.
func TestPerftUnderOtherRules(t *testing.T) {
	for _, text := range []string{"no-capture", "standard:nomove=loss", "standard:nomove=draw,captures=no"} {
		rules := parseRules(t, text)
		for _, c := range perftCases(t) {
			p, err := c.position.Setup().Position(rules)
			if err != nil {
				t.Fatal(err)
			}
			oracle := plainOf(p, rules)
			for depth := 1; depth <= 3 && c.nodes[depth-1] < 20_000; depth++ {
				if got, want := p.Perft(depth), oracle.perft(depth); got != want {
					t.Errorf("%s by %s, depth %d: %d, want %d", p, text, depth, got, want)
				}
			}
		}
	}
}

func TestPerftDoesNotAllocate(t *testing.T) {
	p := start(t, "standard")
	if n := testing.AllocsPerRun(5, func() { p.Perft(3) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// BenchmarkPerft counts the paths of the start at depth 5: plain, and fast. Both count the last ply in bulk.
func BenchmarkPerft(b *testing.B) {
	const depth, leaves = 5, 55963132
	p := start(b, "standard")
	oracle := plainOf(p, loa.Rules{})
	for _, way := range []struct {
		name  string
		count func() uint64
	}{
		{"plain", func() uint64 { return oracle.perft(depth) }},
		{"fast", func() uint64 { return p.Perft(depth) }},
	} {
		b.Run(way.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if n := way.count(); n != leaves {
					b.Fatalf("%d leaves, want %d", n, leaves)
				}
			}
			b.ReportMetric(float64(leaves)*float64(b.N)/b.Elapsed().Seconds(), "leaves/s")
		})
	}
}
