package web_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/linesofaction/loa/internal/puzzle"
	"github.com/linesofaction/loa/internal/web"
	"github.com/linesofaction/loa/internal/wire"
)

// threeMover is a puzzle of three moves for White; oneMover one of a single move for Black.
const (
	threeMover = "rq2chmt"
	oneMover   = "xr5m6co"
)

func somePuzzles(t testing.TB) []*puzzle.Puzzle {
	t.Helper()
	puzzles, err := puzzle.Read(strings.NewReader(`
rq2chmt | 8/7o/6xx/4x3/1x4o1/2xox1xo/4ooo1/3x4 w | d3xg6 d1-c2 f2-f3 c2-c4 e2-h5 | 1230 | E1
xr5m6co | 3x4/o7/o5o1/8/2x1xo2/oxxx4/3x3o/1xx5 b | d8-d5 | 940 | engine game 5, seed 2, ply 26
`), "test puzzles")
	if err != nil {
		t.Fatal(err)
	}
	return puzzles
}

// tried posts moves of a puzzle and returns the answer.
func (s *site) tried(b *http.Client, path string, moves string) wire.Tried {
	s.t.Helper()
	answer, body := s.do(b, "POST", path, url.Values{"moves": {moves}})
	if answer.StatusCode != http.StatusOK {
		s.t.Fatalf("%s %s: %s %s", path, moves, answer.Status, body)
	}
	var tried wire.Tried
	if err := json.Unmarshal([]byte(body), &tried); err != nil {
		s.t.Fatal(err)
	}
	return tried
}

func TestPuzzleIsSolvedMoveByMoveAndRatedOnce(t *testing.T) {
	s := newSite(t, nil)
	b := s.browser()
	path := "/puzzles/" + threeMover + "/try"
	first := s.tried(b, path, "d3xg6")
	if first.Result != wire.TryRight || len(first.Plies) != 2 || first.Plies[1].Move != "d1-c2" || first.Rating != nil {
		t.Fatalf("first move: %+v", first)
	}
	if second := s.tried(b, path, "d3xg6 f2-f3"); second.Result != wire.TryRight {
		t.Fatalf("second move: %+v", second)
	}
	solved := s.tried(b, path, "d3xg6 f2-f3 e2-h5")
	if solved.Result != wire.TrySolved || solved.Rating == nil || solved.Rating.After <= solved.Rating.Before || len(solved.Position.Moves) != 0 {
		t.Fatalf("last move: %+v", solved)
	}
	if again := s.tried(b, path, "d3xg6 f2-f3 e2-h5"); again.Result != wire.TrySolved || again.Rating != nil {
		t.Errorf("a second try: %+v", again)
	}
	if _, body := s.do(b, "GET", "/puzzles/"+threeMover, nil); !strings.Contains(body, "1/1") {
		t.Error("the page does not count the puzzle as solved")
	}
}

func TestWrongMoveInAPuzzleIsRefutedAndCosts(t *testing.T) {
	s := newSite(t, nil)
	b := s.browser()
	path := "/puzzles/" + threeMover
	wrong := s.tried(b, path+"/try", "d3-d5")
	if wrong.Result != wire.TryWrong || wrong.Fault == "" || len(wrong.Plies) < 2 || wrong.Rating == nil || wrong.Rating.After >= wrong.Rating.Before {
		t.Fatalf("%+v", wrong)
	}
	if solved := s.tried(b, path+"/try", "d3xg6 f2-f3 e2-h5"); solved.Result != wire.TrySolved || solved.Rating != nil {
		t.Errorf("only the first try counts: %+v", solved)
	}
	if shown := s.tried(s.browser(), path+"/solution", ""); shown.Result != wire.TryShown || len(shown.Plies) != 5 || shown.Rating.After >= shown.Rating.Before {
		t.Errorf("asking for the solution gives the puzzle up: %+v", shown)
	}
}

func TestPuzzleRefusesWhatTheRulesForbid(t *testing.T) {
	s := newSite(t, nil)
	for _, moves := range []string{"", "x", "e2-e5", "d3xg6 d3xg6", strings.Repeat("d3xg6 ", 20)} {
		answer, body := s.do(s.browser(), "POST", "/puzzles/"+threeMover+"/try", url.Values{"moves": {moves}})
		if answer.StatusCode != http.StatusBadRequest || !strings.Contains(body, "c8-c6") {
			t.Errorf("%q: %s", moves, answer.Status)
		}
	}
	if answer, body := s.do(s.browser(), "GET", "/puzzles/nowhere", nil); answer.StatusCode != http.StatusNotFound || !strings.Contains(body, "nowhere") {
		t.Errorf("an unknown puzzle: %s", answer.Status)
	}
}

func TestPuzzleOfTheDayMakesAStreak(t *testing.T) {
	day := time.Date(2027, 3, 1, 12, 0, 0, 0, time.UTC)
	s := newSite(t, func(o *web.Options) { o.Now = func() time.Time { return day } })
	solutions := map[string]string{}
	for _, z := range somePuzzles(t) {
		var own []string
		for i, move := range z.Solution() {
			if i%2 == 0 {
				own = append(own, move)
			}
		}
		solutions[z.ID] = strings.Join(own, " ")
	}
	b := s.browser()
	solve := func() int {
		id := puzzle.Daily(somePuzzles(t), puzzle.DayOf(day)).ID
		if _, body := s.do(s.browser(), "GET", "/puzzles/daily", nil); !strings.Contains(body, id) {
			t.Fatalf("%s is not the puzzle of the day", id)
		}
		return s.tried(b, "/puzzles/"+id+"/try", solutions[id]).Streak
	}
	if n := solve(); n != 1 {
		t.Fatalf("the first day: %d", n)
	}
	if n := solve(); n != 1 {
		t.Errorf("the same day once more: %d", n)
	}
	day = day.Add(24 * time.Hour)
	if n := solve(); n != 2 {
		t.Errorf("the next day: %d", n)
	}
	day = day.Add(48 * time.Hour)
	if _, body := s.do(b, "GET", "/puzzles/daily", nil); !strings.Contains(body, `id="streak">0<`) {
		t.Error("a day was missed, and the page still counts days in a row")
	}
	s.tried(b, "/puzzles/"+puzzle.Daily(somePuzzles(t), puzzle.DayOf(day)).ID+"/solution", "")
	if n := solve(); n != 0 {
		t.Errorf("after the solution was shown: %d", n)
	}
}

func TestNextPuzzleIsOneThatWasNotTried(t *testing.T) {
	s := newSite(t, nil)
	b := s.browser()
	s.tried(b, "/puzzles/"+oneMover+"/solution", "")
	for range 5 {
		if answer, _ := s.do(b, "GET", "/puzzles", nil); answer.Header.Get("Location") != "/puzzles/"+threeMover {
			t.Errorf("led to %s", answer.Header.Get("Location"))
		}
	}
}

func TestBrowserGetsWhatPuzzlesNeedWithoutNetwork(t *testing.T) {
	s := newSite(t, nil)
	b := s.browser()
	_, body := s.do(b, "GET", "/puzzles/all", nil)
	var all []struct {
		ID, Start string
		Solution  []string
		Grade     int
		Themes    []string
	}
	if err := json.Unmarshal([]byte(body), &all); err != nil || len(all) != len(somePuzzles(t)) {
		t.Fatalf("%s: %v", body, err)
	}
	for i, z := range somePuzzles(t) {
		if got := all[i]; got.ID != z.ID || got.Start != z.Position.String() || !slices.Equal(got.Solution, z.Solution()) || got.Grade != z.Grade || len(got.Themes) != len(z.Themes) {
			t.Errorf("%+v, want %s", got, z)
		}
	}
	today := puzzle.DayOf(time.Now())
	if _, body := s.do(b, "GET", "/puzzles/away", nil); !strings.Contains(body, fmt.Sprintf(`%q:%q`, today.Begin().Format(time.DateOnly), puzzle.Daily(somePuzzles(t), today).ID)) {
		t.Error("the page does not know the puzzle of the day")
	}
}

func TestProfileShowsHowAMemberDoesAtPuzzles(t *testing.T) {
	s := newSite(t, nil)
	b := s.browser()
	s.join(b, "Marit")
	if _, body := s.do(b, "GET", "/players/Marit", nil); strings.Contains(body, "solved at once") {
		t.Error("puzzles of somebody who has tried none")
	}
	s.tried(b, "/puzzles/"+oneMover+"/try", "d8-d5")
	s.tried(b, "/puzzles/"+threeMover+"/solution", "")
	if _, body := s.do(s.browser(), "GET", "/players/Marit", nil); !strings.Contains(body, "1 of 2 solved at once") {
		t.Error("the profile does not say that one of two was solved")
	}
	answer, body := s.do(s.browser(), "GET", "/players?pool=puzzles", nil)
	if answer.StatusCode != http.StatusOK || !strings.Contains(body, "Nobody has a settled puzzle rating yet") || strings.Contains(body, "Marit") {
		t.Errorf("two puzzles settle a rating: %s", answer.Status)
	}
}
