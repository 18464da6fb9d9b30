package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/linesofaction/loa/internal/bus"
	"github.com/linesofaction/loa/internal/coach"
	"github.com/linesofaction/loa/internal/web"
)

func TestWhereNoCoachAnswersThatIsSaid(t *testing.T) {
	line := new(bus.Memory)
	s := newSite(t, func(o *web.Options) { o.Coach = coach.NewClient(line) })
	b := s.browser()
	try := func() (*http.Response, string) {
		return s.do(b, "POST", "/puzzles/"+threeMover+"/try", url.Values{"moves": {"d3-d5"}})
	}
	answer, body := try()
	if answer.StatusCode != http.StatusServiceUnavailable || answer.Header.Get("Retry-After") == "" || !strings.Contains(body, "Nobody answers just now") {
		t.Errorf("%s: %.300s", answer.Status, body)
	}
	if !strings.Contains(s.log.String(), "no process answers questions") {
		t.Errorf("the host is told %q", s.log)
	}
	if _, err := line.Answer(coach.New(1).Answer); err != nil {
		t.Fatal(err)
	}
	if answer, body := try(); answer.StatusCode != http.StatusOK || !strings.Contains(body, `"after"`) {
		t.Errorf("a try that nobody judged is used up: %s: %.300s", answer.Status, body)
	}
}
