package solve

import (
	"bufio"
	"context"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/linesofaction/loa"
)

func TestForced(t *testing.T) {
	f, err := os.Open("testdata/forced_wins.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	var sum, ref uint64
	var slowest time.Duration
	bad := 0
	s := New(16)
	for lines.Scan() {
		x := strings.Split(lines.Text(), " | ")
		if strings.HasPrefix(x[0], "#") || len(x) < 5 {
			continue
		}
		setup, err := loa.ParseSetup(x[0])
		if err != nil {
			t.Fatal(err)
		}
		g, err := loa.NewGameFrom(loa.Rules{}, setup)
		if err != nil {
			t.Fatal(err)
		}
		r, err := s.Solve(context.Background(), g, Limits{Nodes: 200000}, nil)
		if err != nil {
			t.Fatal(err)
		}
		n, _ := strconv.ParseUint(strings.TrimPrefix(x[4], "dfpn "), 10, 64)
		if os.Getenv("V") != "" {
			t.Log(x[1], n, r.Value, r.Nodes, r.Bound, r.Time)
		}
		sum += r.Nodes
		ref += n
		slowest = max(slowest, r.Time)
		if r.Value != Win {
			bad++
		}
	}
	t.Log("SUM", sum, ref, slowest, "bad", bad)
}
