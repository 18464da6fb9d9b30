package main

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/linesofaction/loa/internal/wire"
)

// smallDisk mounts a file system with little room, or skips the test where that is not allowed.
func smallDisk(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("none", dir, "tmpfs", 0, "size=3m"); err != nil {
		t.Skipf("a full disk was not tried: mounting one needs root on a system of its own: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

func TestAFullDiskRefusesPlayAndLosesNothing(t *testing.T) {
	dir := smallDisk(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // so that a missing answer is a failure
	defer cancel()
	address, stop := served(t, dir)
	v, err := newVisitor(address, http.DefaultTransport)
	if err != nil {
		t.Fatal(err)
	}
	game, err := v.post(ctx, "/play", url.Values{"color": {"black"}, "level": {"1"}})
	if err != nil {
		t.Fatal(err)
	}
	socket, err := v.dial(ctx, game+"/socket")
	if err != nil {
		t.Fatal(err)
	}
	defer socket.CloseNow()
	// until reads on until a message is of the wanted kind
	until := func(want func(any) bool) any {
		t.Helper()
		for {
			message, err := read(ctx, socket)
			if err != nil {
				t.Fatal(err)
			}
			if want(message) {
				return message
			}
		}
	}
	until(func(m any) bool { _, ok := m.(*wire.Snapshot); return ok })

	filler := filepath.Join(dir, "filler")
	file, err := os.Create(filler)
	if err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = file.Write(make([]byte, 4096))
	}
	file.Close()
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	for { // until what room the log had is used up
		_, err := v.post(ctx, "/challenge", url.Values{"kind": {"byoyomi"}, "minutes": {"10"}, "periods": {"3"}, "seconds": {"30"}})
		var answer *errAnswer
		if errors.As(err, &answer) && answer.code == http.StatusInsufficientStorage {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if status, text := body(t, v.client, address+game); status != http.StatusOK || !strings.Contains(text, "black") {
		t.Errorf("a page that only reads answers %d", status)
	}
	answer, err := v.client.PostForm(address+"/challenge", url.Values{"kind": {"byoyomi"}, "minutes": {"10"}, "periods": {"3"}, "seconds": {"30"}})
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	page := make([]byte, 1<<20)
	n, _ := answer.Body.Read(page)
	if answer.StatusCode != http.StatusInsufficientStorage || !strings.Contains(string(page[:n]), "disk is full") {
		t.Errorf("%s %s", answer.Status, page[:n])
	}
	move := wire.Command{V: wire.Version, Type: wire.KindMove, Match: strings.TrimPrefix(game, "/game/"), Ply: 0, Move: "b8-d6", Client: "one"}
	if err := write(ctx, socket, move); err != nil {
		t.Fatal(err)
	}
	refused := until(func(m any) bool { _, ok := m.(*wire.Refused); return ok }).(*wire.Refused)
	if refused.Code != "full" || refused.Client != "one" {
		t.Errorf("the move was refused with %+v", refused)
	}

	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	move.Client = "two"
	if err := write(ctx, socket, move); err != nil {
		t.Fatal(err)
	}
	until(func(m any) bool { ack, ok := m.(*wire.Ack); return ok && ack.Client == "two" })
	stop()
	if code, _, errs := call(t, "", "admin", "--data", dir, "backup", filepath.Join(t.TempDir(), "club.db.gz")); code != 0 {
		t.Errorf("what was written is not whole: %s", errs)
	}
}
