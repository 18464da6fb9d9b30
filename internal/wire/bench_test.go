package wire_test

import (
	"testing"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/match"
	"github.com/linesofaction/loa/internal/wire"
)

// BenchmarkUpdate is what one move costs a match, for each kind of receiver.
func BenchmarkUpdate(b *testing.B) {
	m := start(b, "")
	m = do(b, m, loa.Black, match.Move{Ply: 0, Move: loa.NewMove(1, 17)})
	size := 0
	b.ReportAllocs()
	for b.Loop() {
		update := wire.UpdateOf(m, wire.PositionNow(m), loa.White, 1, noon)
		size = len(update.Append(nil))
	}
	b.ReportMetric(float64(size), "bytes")
}
