package solve

import (
	"context"
	"testing"

	"github.com/linesofaction/loa"
)

// TestShortWinsAreThoseOfPlainSearch asks about every number of plies, in any order, with one table.
func TestShortWinsAreThoseOfPlainSearch(t *testing.T) {
	ctx := context.Background()
	for _, text := range []string{
		"8/7o/6ox/4x3/1x4o1/2x1x1xo/2x1ooo1/8 w",
		"8/1x2o1o1/2xxoxo1/6xo/6xx/5xxo/6o1/8 b",
		"8/8/1o1oo3/1oxxoo2/1xo5/2oo4/o1xx4/8 w",
	} {
		p := mustGame(t, "standard", text).Position()
		s := NewShort(loa.Rules{}, 1)
		for _, plies := range []int{3, 1, 2} {
			for _, side := range []loa.Color{loa.Black, loa.White} {
				got, known := s.Wins(ctx, p, side, plies, 0)
				if want := plainWin(p, side, plies); !known || got != want {
					t.Errorf("%s for %s in %d: %t, %t, want %t", text, side, plies, got, known, want)
				}
			}
		}
	}
}

// plainWin looks at everything.
func plainWin(p loa.Position, side loa.Color, plies int) bool {
	if o := p.Outcome(); o.Over() || plies == 0 {
		return o.Winner == side
	}
	for _, m := range p.Moves(nil) {
		if plainWin(p.PlayUnchecked(m), side, plies-1) == (p.Turn() == side) {
			return p.Turn() == side
		}
	}
	return p.Turn() != side
}

func TestShortLineIsAsLongAsTheWin(t *testing.T) {
	ctx := context.Background()
	p := mustGame(t, "standard", "8/7o/6xx/4x3/1x4o1/2xox1xo/4ooo1/3x4 w").Position()
	s := NewShort(loa.Rules{}, 1)
	line := s.Line(ctx, p, loa.White, 5, 0)
	if len(line) != 5 {
		t.Fatalf("line %v", line)
	}
	for _, m := range line {
		next, err := p.Play(m)
		if err != nil {
			t.Fatal(err)
		}
		p = next
	}
	if p.Outcome().Winner != loa.White {
		t.Errorf("the line ends with %s", p.Outcome())
	}
	if _, known := s.Wins(ctx, mustGame(t, "standard", "").Position(), loa.Black, 9, 10); known {
		t.Error("a limit of ten positions is not heeded")
	}
}
