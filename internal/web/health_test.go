package web_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/linesofaction/loa/internal/bus"
	"github.com/linesofaction/loa/internal/live"
	"github.com/linesofaction/loa/internal/web"
)

func TestReadinessIsThatOfTheVitalParts(t *testing.T) {
	fault := errors.New("no route to 192.0.2.1")
	for _, test := range []struct {
		name     string
		checks   []web.Check
		stopping bool
		status   int
		text     string
	}{
		{"all is well", []web.Check{{Name: "database", Vital: true}, {Name: "bus"}}, false, http.StatusOK, "database ok\nbus ok\n"},
		{"no database", []web.Check{{Name: "database", Vital: true, Fault: fault}}, false, http.StatusServiceUnavailable, "database away\n"},
		{"no bus", []web.Check{{Name: "database", Vital: true}, {Name: "bus", Fault: fault}}, false, http.StatusOK, "database ok\nbus away\n"},
		{"stopping", []web.Check{{Name: "database", Vital: true}}, true, http.StatusServiceUnavailable, "stopping\ndatabase ok\n"},
	} {
		answer := httptest.NewRecorder()
		web.Ready(func(context.Context) []web.Check { return test.checks }, func() bool { return test.stopping })(answer, httptest.NewRequest(http.MethodGet, "/readyz", nil))
		if answer.Code != test.status || answer.Body.String() != test.text {
			t.Errorf("%s: %d %q", test.name, answer.Code, answer.Body)
		}
	}
}

func TestAServerThatStopsIsNotReady(t *testing.T) {
	site, err := web.New(web.Options{Live: live.New(nil, new(bus.Memory), time.Now, 1)})
	if err != nil {
		t.Fatal(err)
	}
	ask := func() int {
		answer := httptest.NewRecorder()
		site.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/readyz", nil))
		return answer.Code
	}
	before := ask()
	site.Close()
	if after := ask(); before != http.StatusOK || after != http.StatusServiceUnavailable {
		t.Errorf("%d, then %d", before, after)
	}
}

func TestAnAddressForPeopleIsAHostAndMaybeAPath(t *testing.T) {
	for address, path := range map[string]string{"": "", "https://example.org": "", "https://example.org/": "", "http://example.org:81/a/loa/": "/a/loa"} {
		if at, err := web.ParsePublic(address); err != nil || at.Path != path {
			t.Errorf("%q: %v, %v", address, at, err)
		}
	}
	for _, address := range []string{"example.org", "ftp://example.org", "https://", "https://a@example.org", "https://example.org/?x", "https://example.org/#x", "https://example.org/%2f"} {
		if at, err := web.ParsePublic(address); err == nil {
			t.Errorf("%q is read as %v", address, at)
		}
	}
}
