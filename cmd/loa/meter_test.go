package main

import (
	"database/sql"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/linesofaction/loa/internal/store"
)

// free returns an address that nobody listened on a moment ago.
func free(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// body asks for an address and returns the status and what was answered.
func body(t *testing.T, client *http.Client, address string) (int, string) {
	t.Helper()
	response, err := client.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(text)
}

func TestFiguresAreCountedOnAnAddressOfTheirOwn(t *testing.T) {
	dir, metrics := t.TempDir(), free(t)
	address, _ := servedBy(t, &serveCommand{place: place{Data: dir}, reporting: reporting{Metrics: metrics}}, io.Discard)
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	someone := &http.Client{Jar: jar}
	post := func(path string, form url.Values) {
		t.Helper()
		response, err := someone.PostForm(address+path, form)
		if err != nil || response.StatusCode != http.StatusOK {
			t.Fatal(path, response, err)
		}
		response.Body.Close()
	}
	post("/join", url.Values{"name": {"Judith"}, "password": {"a password for tests"}})
	post("/play", url.Values{})
	status, text := body(t, http.DefaultClient, "http://"+metrics+"/metrics")
	if status != http.StatusOK {
		t.Fatal(status, text)
	}
	for _, want := range []string{
		"loa_games_begun_total 1\n", "loa_games_running 0\n", "loa_moves_total", "loa_faults_total 0\n", `loa_request_seconds_count{pattern="POST /play"} 1`, "loa_store_seconds_count",
		"loa_command_seconds_bucket", "loa_game_sockets 0\n", "loa_lobby_sockets 0\n", "loa_store_queue 0\n", "loa_engine_workers 1\n", "loa_engine_waiting ", "go_goroutines ",
		"loa_build_info{", "loa_store_connections_in_use ",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the figures lack %q", want)
		}
	}
	if status, _ := body(t, someone, address+"/metrics"); status != http.StatusNotFound {
		t.Errorf("the public address answers for figures with %d", status)
	}
	for _, from := range []string{address, "http://" + metrics} {
		if status, text := body(t, http.DefaultClient, from+"/readyz"); status != http.StatusOK || text != "database ok\nmigrations ok\n" {
			t.Errorf("%s: %d %q", from, status, text)
		}
	}
	if status, _ := body(t, someone, address+"/moderation/health"); status != http.StatusForbidden {
		t.Errorf("a member reads the figures: %d", status)
	}
	if code, _, errs := call(t, "", "admin", "--data", dir, "appoint", "Judith", "--reason", "first"); code != 0 {
		t.Fatal(errs)
	}
	status, text = body(t, someone, address+"/moderation/health")
	if status != http.StatusOK || !regexp.MustCompile(`Games begun</th><td>1</td>`).MatchString(text) || !strings.Contains(text, "in order") || strings.Contains(text, "health.") {
		t.Errorf("%d %s", status, text)
	}
}

func TestTheLogHoldsNoPersonalData(t *testing.T) {
	dir := t.TempDir()
	log, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	address, stop := servedBy(t, &serveCommand{place: place{Data: dir}, reporting: reporting{Log: "json"}}, log)
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	someone := &http.Client{Jar: jar}
	private := []string{"Judith", "judith@example.org", "a password for tests", "Zurich", "s3cr3t"}
	ask := func(path string, form url.Values) {
		var response *http.Response
		if form != nil {
			response, err = someone.PostForm(address+path, form)
		} else {
			response, err = someone.Get(address + path)
		}
		if err == nil {
			response.Body.Close()
		}
	}
	ask("/join", url.Values{"name": {"Judith"}, "password": {"a password for tests"}})
	// a table is missing, so that everything about people fails
	damage(t, dir)
	for _, path := range []string{"/players/Judith", "/", "/lobby", "/account", "/recover/s3cr3t", "/confirm/s3cr3t", "/game/x/seat/s3cr3t", "/nowhere/Judith"} {
		ask(path, nil)
	}
	ask("/sign-in", url.Values{"name": {"Judith"}, "password": {"a password for tests"}})
	ask("/account/email", url.Values{"email": {"judith@example.org"}})
	ask("/report", url.Values{"about": {"Judith"}, "text": {"Zurich"}})
	stop()
	written, err := os.ReadFile(log.Name())
	if err != nil {
		t.Fatal(err)
	}
	text := string(written)
	if !strings.Contains(text, "request failed") {
		t.Fatalf("nothing failed: %q", text)
	}
	for line := range strings.Lines(text) {
		if json.Unmarshal([]byte(line), new(map[string]any)) != nil {
			t.Errorf("no JSON: %q", line)
		}
	}
	for _, word := range append(private, "127.0.0.1") {
		if strings.Contains(text, word) {
			t.Errorf("the log holds %q: %s", word, text)
		}
	}
}

func TestErrorsOfOthersLoseWhomTheyName(t *testing.T) {
	var out strings.Builder
	log := (&reporting{}).log(&Streams{Err: &out})
	log.Error("x", "error", &url.Error{Op: "RCPT", URL: "<judith@example.org>", Err: io.EOF})
	if _, err := (anonymous{log}).Write([]byte("http: TLS handshake error from 192.0.2.7:1234: EOF, [2001:db8::1]:80\n")); err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"judith", "192.0.2.7", "2001"} {
		if strings.Contains(out.String(), word) {
			t.Errorf("%q in %s", word, out.String())
		}
	}
	if !strings.Contains(out.String(), "TLS handshake error from …: EOF") {
		t.Error(out.String())
	}
}

// damage takes a table away under a running server.
func damage(t *testing.T, dir string) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(dir, store.FileName))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("ALTER TABLE person RENAME TO lost"); err != nil {
		t.Fatal(err)
	}
}
