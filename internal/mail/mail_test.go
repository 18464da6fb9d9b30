package mail_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"net/textproto"
	"strings"
	"testing"
	"time"

	"github.com/linesofaction/loa/internal/account"
	"github.com/linesofaction/loa/internal/mail"
	"github.com/linesofaction/loa/internal/store"
)

// sink is an SMTP server that keeps what it is handed.
func sink(t *testing.T) (address string, letters <-chan string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	got := make(chan string, 10)
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			take(connection, got)
		}
	}()
	return listener.Addr().String(), got
}

// take is one conversation.
func take(connection net.Conn, got chan<- string) {
	defer connection.Close()
	say := func(line string) { fmt.Fprintf(connection, "%s\r\n", line) }
	in := textproto.NewReader(bufio.NewReader(connection))
	say("220 sink")
	for {
		line, err := in.ReadLine()
		if err != nil {
			return
		}
		switch verb, _, _ := strings.Cut(strings.ToUpper(line), " "); verb {
		case "DATA":
			say("354 go on")
			lines, err := in.ReadDotLines()
			if err != nil {
				return
			}
			got <- strings.Join(lines, "\n")
			say("250 kept")
		case "QUIT":
			say("221 bye")
			return
		default:
			say("250 fine")
		}
	}
}

func TestLetterReachesAServer(t *testing.T) {
	address, letters := sink(t)
	server, err := mail.Parse("smtp://"+address, "Lines of Action <loa@example.org>")
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Send(t.Context(), account.Letter{To: "marit@example.org", Subject: "Contraseña", Text: "https://example.org/recover/abc"}); err != nil {
		t.Fatal(err)
	}
	letter := <-letters
	for _, want := range []string{`From: "Lines of Action" <loa@example.org>`, "To: <marit@example.org>", "Subject: =?UTF-8?q?Contrase=C3=B1a?=", "https://example.org/recover/abc"} {
		if !strings.Contains(letter, want) {
			t.Errorf("no %q in\n%s", want, letter)
		}
	}
}

func TestServersThatCannotBe(t *testing.T) {
	const from = "loa@example.org"
	for _, test := range []struct{ address, from, want string }{
		{"mail.example.org", from, `"mail.example.org"`},
		{"http://mail.example.org", from, `"http"`},
		{"smtp://mail.example.org:99999", from, `"99999"`},
		{"smtp://mail.example.org/box", from, `/box`},
		{"smtp://mail.example.org", "nobody", `"nobody"`},
		{"smtp://name:hush@mail.example.org/box", from, "xxxxx"},
	} {
		if _, err := mail.Parse(test.address, test.from); err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "hush") {
			t.Errorf("%s from %s: %v, want %s", test.address, test.from, err, test.want)
		}
	}
}

func TestLettersAreTriedAgainAndGivenUp(t *testing.T) {
	db, err := store.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	now := time.UnixMilli(1_700_000_000_000)
	for _, to := range []string{"bad@example.org", "good@example.org"} {
		if err := db.PutLetter(t.Context(), account.Letter{To: to, Subject: "s", Text: "t"}, now); err != nil {
			t.Fatal(err)
		}
	}
	tries := map[string]int{}
	sender := mail.Sender{Outbox: db, Now: func() time.Time { return now }, Send: func(_ context.Context, letter account.Letter) error {
		tries[letter.To]++
		if letter.To == "bad@example.org" {
			return errors.New("no such box")
		}
		return nil
	}}
	if err := sender.Flush(t.Context()); err == nil || !strings.Contains(err.Error(), "no such box") || tries["good@example.org"] != 1 {
		t.Errorf("%v, %v", tries, err)
	}
	if err := sender.Flush(t.Context()); err != nil || tries["bad@example.org"] != 1 {
		t.Errorf("at once again: %v, %v", tries, err)
	}
	for range 100 {
		now = now.Add(24 * time.Hour * 2)
		sender.Flush(t.Context())
	}
	if tries["bad@example.org"] != 11 || tries["good@example.org"] != 1 {
		t.Errorf("%v", tries)
	}
}
