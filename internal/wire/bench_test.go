package wire_test

import (
	"encoding/json"
	"testing"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/match"
	"github.com/linesofaction/loa/internal/wire"
)

// BenchmarkUpdate is what one move costs each socket of its match.
func BenchmarkUpdate(b *testing.B) {
	m := start(b, "")
	m = do(b, m, loa.Black, match.Move{Ply: 0, Move: loa.NewMove(1, 17)})
	size := 0
	b.ReportAllocs()
	for b.Loop() {
		body, err := json.Marshal(wire.UpdateOf(m, wire.PositionNow(m), loa.White, 1, noon))
		if err != nil {
			b.Fatal(err)
		}
		size = len(body)
	}
	b.ReportMetric(float64(size), "bytes")
}
