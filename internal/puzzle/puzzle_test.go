package puzzle

import (
	"strings"
	"testing"
	"time"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/rating"
)

const sample = "rq2chmt | 8/7o/6xx/4x3/1x4o1/2xox1xo/4ooo1/3x4 w | d3xg6 d1-c2 f2-f3 c2-c4 e2-h5 | 1230 | a game"

func mustParse(t *testing.T, text string) *Puzzle {
	t.Helper()
	p, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func mustPosition(t *testing.T, text string) loa.Position {
	t.Helper()
	setup, err := loa.ParseSetup(text)
	if err != nil {
		t.Fatal(err)
	}
	g, err := loa.NewGameFrom(Rules(), setup)
	if err != nil {
		t.Fatal(err)
	}
	return g.Position()
}

func TestPuzzleIsWrittenAsItIsRead(t *testing.T) {
	p := mustParse(t, sample)
	if p.String() != sample {
		t.Errorf("got %s", p)
	}
	if p.Plies() != 5 || p.Moves() != 3 {
		t.Errorf("%d plies, %d moves", p.Plies(), p.Moves())
	}
}

func TestStandardPuzzlesAreManyOfEveryLengthAndUnlike(t *testing.T) {
	puzzles, err := Standard()
	if err != nil {
		t.Fatal(err)
	}
	if len(puzzles) < 300 {
		t.Errorf("%d puzzles, want 300", len(puzzles))
	}
	lengths := map[int]int{}
	for i, p := range puzzles {
		lengths[p.Plies()]++
		for _, q := range puzzles[:i] {
			if p.Near(q, 4) {
				t.Errorf("%s is too much like %s", p.ID, q.ID)
			}
		}
	}
	for plies := LeastPlies; plies <= MostPlies; plies += 2 {
		if lengths[plies] < 30 {
			t.Errorf("%d puzzles of %d plies, want 30", lengths[plies], plies)
		}
	}
}

func TestImagesOfAPositionAreOnePuzzle(t *testing.T) {
	p := mustParse(t, sample)
	for _, image := range []string{
		"3x4/4ooo1/2xox1xo/1x4o1/4x3/6xx/7o/8 w", // upside down
		"8/o7/xx6/3x4/1o4x1/ox1xox2/1ooo4/4x3 w", // left and right
		"8/7x/6oo/4o3/1o4x1/2oxo1ox/4xxx1/3o4 b", // the other colors
	} {
		q := New(mustPosition(t, image), p.Line, "")
		if q.ID != p.ID || !p.Near(q, 0) {
			t.Errorf("%s is %s, not %s", image, q.ID, p.ID)
		}
	}
	if q := mustPosition(t, "8/7o/6xx/4x3/1x4o1/2xox1xo/4ooo1/3x4 b"); idOf(q) == p.ID {
		t.Error("the side to move makes no difference")
	}
}

func TestBadFilesAreRefusedByNameAndLine(t *testing.T) {
	field := func(i int, text string) string {
		fields := strings.Split(sample, " | ")
		fields[i] = text
		return strings.Join(fields, " | ")
	}
	for _, test := range []struct{ name, line, want string }{
		{"too few fields", "rq2chmt | 8/8", "expected 5"},
		{"another id", field(0, "abc"), `expected "rq2chmt"`},
		{"no board", field(1, "8/8 w"), "expected 4 to 8"},
		{"an illegal move", field(2, "d3-d4"), "d3d4"},
		{"a wrong sign", field(2, "d3-g6 d1-c2 f2-f3 c2-c4 e2-h5"), `expected "d3xg6"`},
		{"an even length", field(2, "d3xg6 d1-c2"), "2 plies"},
		{"no win at the end", field(2, "d3xg6"), "expected a win"},
		{"no grade", field(3, "hard"), `grade "hard"`},
		{"twice the same", sample + "\n" + sample, "in line 2"},
	} {
		_, err := Read(strings.NewReader("# a comment\n"+test.line), "mine.puzzles")
		if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), "mine.puzzles, line ") {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

func TestThemesAreWhatTheFirstMoveDoes(t *testing.T) {
	for _, test := range []struct {
		position, move string
		want           []Theme
	}{
		{"8/7o/6xx/4x3/1x4o1/2xox1xo/4ooo1/3x4 w", "d3xg6", []Theme{Capture, Fork}},
		{"3x2x1/8/3ox1x1/x3xx1o/2ooox1o/3oo3/8/8 b", "a5-c7", []Theme{Quiet}},
		{"2x5/1oo5/3o4/2x1x3/1oxx1o2/2x1xoo1/4x3/3x1x2 b", "c8-d7", []Theme{Fork}},
	} {
		move, _, err := loa.ParseMove(test.move)
		if err != nil {
			t.Fatal(err)
		}
		got := themesOf(mustPosition(t, test.position), move)
		if len(got) != len(test.want) || got[0] != test.want[0] {
			t.Errorf("%s: %v, want %v", test.move, got, test.want)
		}
	}
}

func TestEveryPuzzleHasItsDayBeforeOneComesAgain(t *testing.T) {
	puzzles, err := Standard()
	if err != nil {
		t.Fatal(err)
	}
	puzzles = puzzles[len(puzzles)-40:]
	seen, fit := map[string]int{}, 0
	for _, p := range puzzles {
		if p.Plies() >= dailyPlies {
			fit++
		}
	}
	today := DayOf(time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC))
	today -= today % Day(fit)
	for i := range fit {
		seen[Daily(puzzles, today+Day(i)).ID]++
	}
	if len(seen) != fit {
		t.Errorf("%d puzzles in %d days", len(seen), fit)
	}
	if first := Daily(puzzles, today); first != Daily(puzzles, today) || Daily(nil, today) != nil {
		t.Error("the puzzle of the day is not one")
	}
}

func TestStreakEndsWithADayMissed(t *testing.T) {
	s := NewStanding()
	for _, step := range []struct {
		day            Day
		streak, behold int // after it was solved, and on the day after next
	}{{10, 1, 0}, {10, 1, 0}, {11, 2, 0}, {12, 3, 0}, {14, 1, 0}} {
		s = s.SolvedDaily(step.day)
		if s.Streak != step.streak || s.StreakOn(step.day+1) != step.streak || s.StreakOn(step.day+2) != step.behold {
			t.Errorf("day %d: %+v", step.day, s)
		}
	}
	if s.Best != 3 {
		t.Errorf("best %d, want 3", s.Best)
	}
}

func TestSolvingRaisesThePersonAndLowersThePuzzle(t *testing.T) {
	now := time.UnixMilli(0)
	p := mustParse(t, sample)
	s, r := NewStanding().Tally(p.NewRating(), true, now)
	if s.Rating.Mean <= startMean || r.Mean >= float64(p.Grade) || s.Solved != 1 || s.Tried != 1 {
		t.Errorf("solved: %+v, puzzle %v", s, r)
	}
	s, r = NewStanding().Tally(p.NewRating(), false, now)
	if s.Rating.Mean >= startMean || r.Mean <= float64(p.Grade) || s.Solved != 0 || s.Tried != 1 {
		t.Errorf("failed: %+v, puzzle %v", s, r)
	}
}

func TestNextPuzzleIsNearTheRating(t *testing.T) {
	puzzles, err := Standard()
	if err != nil {
		t.Fatal(err)
	}
	grades := func(p *Puzzle) rating.Rating { return p.NewRating() }
	strong, weak := rating.New(), rating.New()
	strong.Mean, weak.Mean = 1900, 1000
	for chance := range uint64(20) {
		hard, easy := Next(puzzles, grades, nil, strong, chance), Next(puzzles, grades, nil, weak, chance)
		if hard.Grade < 1700 || easy.Grade > 1000 {
			t.Errorf("graded %d for 1900, %d for 1000", hard.Grade, easy.Grade)
		}
	}
	one := puzzles[:1]
	if Next(one, grades, map[string]bool{one[0].ID: true}, weak, 0) != one[0] || Next(nil, grades, nil, weak, 0) != nil {
		t.Error("when all were tried, they come again")
	}
}
