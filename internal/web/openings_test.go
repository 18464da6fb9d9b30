package web_test

import (
	"html"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/engine/book"
)

// TestOpeningsLeadThroughTheBook: from the start along the best moves to where the book ends, and no two moves of a page are images of each other.
func TestOpeningsLeadThroughTheBook(t *testing.T) {
	s := newSite(t, nil)
	b := s.browser()
	next := regexp.MustCompile(`<a class="line" href="(/openings\?moves=[^"]+)"><b>([^<]+)</b><span class="end q">([^<]+)</span>`)
	path, plies := "/openings", 0
	for {
		answer, body := s.do(b, "GET", path, nil)
		if answer.StatusCode != 200 || !strings.Contains(body, `href="/board?`) {
			t.Fatalf("%s: %s", path, answer.Status)
		}
		moves := next.FindAllStringSubmatch(body, -1)
		if len(moves) == 0 {
			if !strings.Contains(body, "Here the book ends.") {
				t.Errorf("%s says nothing", path)
			}
			break
		}
		if plies == 0 && (len(moves) != 4 || !regexp.MustCompile(`^Black \+0\.\d\d$`).MatchString(html.UnescapeString(moves[0][3]))) {
			t.Errorf("the start has %q", moves)
		}
		path = html.UnescapeString(moves[0][1])
		plies++
	}
	if plies < 4 {
		t.Errorf("the book ends after %d plies", plies)
	}
	if answer, _ := s.do(b, "GET", "/openings?moves=a1-a2", nil); answer.StatusCode != 400 {
		t.Errorf("a move that is none: %s", answer.Status)
	}
	start, err := loa.Rules{}.StartPosition()
	if err != nil {
		t.Fatal(err)
	}
	best := book.Standard().Moves(start, loa.Rules{})[0].Move
	if _, body := s.do(b, "GET", "/openings", nil); !slices.ContainsFunc(next.FindAllStringSubmatch(body, -1), func(m []string) bool { return m[2] == start.Format(best) }) {
		t.Errorf("the start lacks %s", start.Format(best))
	}
}
