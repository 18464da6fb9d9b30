package main

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
)

// served starts the program on a free port and returns its address and a function that stops it.
func served(t *testing.T, dir string) (address string, stop func()) {
	t.Helper()
	return servedBy(t, &serveCommand{place: place{Data: dir}}, io.Discard)
}

// servedWith is served with files to offer.
func servedWith(t *testing.T, dir, exports string) (address string, stop func()) {
	t.Helper()
	return servedBy(t, &serveCommand{place: place{Data: dir}, Exports: exports}, io.Discard)
}

// servedAt is served at an address.
func servedAt(t *testing.T, dir, listen string) {
	t.Helper()
	servedBy(t, &serveCommand{Listen: listen, place: place{Data: dir}}, io.Discard)
}

// servedBy is served with settings and a log; what is not set is as the tests want it.
func servedBy(t *testing.T, command *serveCommand, log io.Writer) (address string, stop func()) {
	t.Helper()
	if command.Listen == "" {
		command.Listen = "127.0.0.1:0"
	}
	command.Engines, command.Requests, command.NewGames, command.Commands, command.Sockets = 1, 5000, 1, 10, 500 // tests ask as fast as they can
	ctx, cancel := context.WithCancel(context.Background())
	out, in := io.Pipe()
	done := make(chan error, 1)
	go func() {
		err := command.serve(ctx, &Streams{Out: in, Err: log})
		in.CloseWithError(io.EOF)
		done <- err
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("the server did not start: %v", <-done)
	}
	address, ok := strings.CutPrefix(strings.TrimSpace(line), "listening on ")
	if !ok {
		t.Fatalf("the server said %q", line)
	}
	stopped := false
	stop = func() {
		if stopped {
			return
		}
		stopped = true
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	t.Cleanup(stop)
	return address, stop
}

func TestServerAnswersAndStops(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "club")
	address, stop := served(t, dir)
	response, err := http.Get(address + "/healthz")
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusOK {
		t.Errorf("health %s", response.Status)
	}
	stop()
	if _, err := http.Get(address + "/healthz"); err == nil {
		t.Error("the server still answers")
	}
	again, _ := served(t, dir)
	if again == "" {
		t.Error("the data cannot be used again")
	}
}

func TestPortInUseIsNamed(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	address := taken.Addr().String()
	code, out, errs := call(t, "", "serve", "--listen", address, "--data", t.TempDir())
	if code != 1 || out != "" || !strings.Contains(errs, address) || strings.Count(errs, "\n") != 1 {
		t.Errorf("exit %d, %s%s", code, out, errs)
	}
}

func TestDefaultDataDirectoryIsNamedAtStart(t *testing.T) {
	home := t.TempDir()
	t.Setenv("XDG_DATA_HOME", home)
	dir, err := userDataDir()
	if err != nil || dir != filepath.Join(home, "loa") {
		t.Fatalf("got %q, %v", dir, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var errs strings.Builder
	// told to stop before it began: how it ends does not matter, only what it said first
	_ = (&serveCommand{Listen: "127.0.0.1:0", Requests: 50, NewGames: 1, Commands: 10, Sockets: 500}).serve(ctx, &Streams{Out: io.Discard, Err: &errs})
	if !strings.Contains(errs.String(), dir) {
		t.Errorf("standard error %q does not name %s", errs.String(), dir)
	}
}

func TestMailSettingsAreCheckedAtTheStart(t *testing.T) {
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"--mail", "smtp://localhost", "--mail-from", "loa@example.org"}, "--public"},
		{[]string{"--mail", "ftp://localhost", "--mail-from", "loa@example.org", "--public", "http://localhost"}, `"ftp"`},
		{[]string{"--mail", "smtp://localhost", "--public", "http://localhost"}, `sender ""`},
	} {
		code, _, errs := call(t, "", append([]string{"serve", "--listen", "127.0.0.1:0", "--data", t.TempDir()}, test.args...)...)
		if code != 2 || !strings.Contains(errs, test.want) {
			t.Errorf("%v: exit %d, %q, want %s", test.args, code, errs, test.want)
		}
	}
}
