package web

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// line is the far end of a socket that answers at once until it falls silent.
type line struct{ answers int }

func (l *line) Ping(ctx context.Context) error {
	if l.answers--; l.answers >= 0 {
		return nil
	}
	<-ctx.Done()
	return ctx.Err()
}

// A telephone whose network is gone closes nothing; its socket is given up all the same.
func TestSilentBrowserIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began, heard := time.Now(), 0
		attend(t.Context(), &line{answers: 3}, func() bool { return true }, func(time.Duration) { heard++ })
		if spent, want := time.Since(began), 3*measureEvery+answerWithin; heard != 3 || spent != want {
			t.Errorf("%d answers heard, given up after %s, want 3 and %s", heard, spent, want)
		}
	})
}

func TestSocketEndsWithItsSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began, looks := time.Now(), 0
		attend(t.Context(), &line{answers: 100}, func() bool { looks++; return looks < 3 }, func(time.Duration) {})
		if spent := time.Since(began); spent != 2*measureEvery {
			t.Errorf("given up after %s", spent)
		}
	})
}
