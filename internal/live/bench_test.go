package live_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/linesofaction/loa/internal/bus"
	"github.com/linesofaction/loa/internal/live"
	"github.com/linesofaction/loa/internal/match"
)

// BenchmarkSubmit stores moves of many matches at once, each on disk before it is acknowledged.
func BenchmarkSubmit(b *testing.B) {
	s := live.New(open(b), new(bus.Memory), now, 1000)
	var made atomic.Int64
	b.SetParallelism(50)
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		m := create(b, s, match.ID(fmt.Sprint("m", made.Add(1))))
		for pb.Next() {
			if m.Outcome().Over() {
				m = create(b, s, match.ID(fmt.Sprint("m", made.Add(1))))
			}
			var err error
			if m, _, err = s.Submit(context.Background(), m.ID(), next(m, m.Seq()*7, "")); err != nil {
				b.Fatal(err)
			}
		}
	})
}
