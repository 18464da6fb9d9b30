package bus_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/linesofaction/loa/internal/bus"
)

const missed = -1

// startNATS starts a server at an address, or at any for an empty one.
func startNATS(t *testing.T, port int) *server.Server {
	t.Helper()
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: port, NoSigs: true, NoLog: true})
	if err != nil {
		t.Fatal(err)
	}
	go s.Start()
	if !s.ReadyForConnections(20 * time.Second) {
		t.Fatal("the NATS server does not start")
	}
	t.Cleanup(s.Shutdown)
	return s
}

// join joins a club's bus and tells its states.
func join(t *testing.T, address, club string) (*bus.NATS, chan bool) {
	t.Helper()
	states := make(chan bool, 100)
	b, err := bus.Connect(address, club, missed, func(up bool, _ error) { states <- up })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b, states
}

// until waits for something a channel tells.
func until[T comparable](t *testing.T, told chan T, want T) {
	t.Helper()
	for {
		select {
		case got := <-told:
			if got == want {
				return
			}
		case <-time.After(30 * time.Second):
			t.Fatalf("%v was not heard", want)
		}
	}
}

func TestNewsReachOtherProcessesOfTheSameClub(t *testing.T) {
	address := startNATS(t, server.RANDOM_PORT).ClientURL()
	one, up := join(t, address, "one")
	until(t, up, true)
	two, up := join(t, address, "one")
	until(t, up, true)
	other, up := join(t, address, "other")
	until(t, up, true)
	heard := make(chan string, 100)
	order := make(chan string, 100)
	two.Afar(func(topic string, seq int) { order <- fmt.Sprint("afar ", topic, " ", seq) })
	cancel := two.Listen("m n", func(topic string, seq int) {
		order <- "near"
		heard <- fmt.Sprint(topic, " ", seq)
	})
	other.Listen("", func(topic string, seq int) { t.Errorf("another club hears %s %d", topic, seq) })
	one.Listen("m n", func(topic string, seq int) { heard <- fmt.Sprint("here ", seq) })
	for { // until the subscription has arrived
		one.Publish("m n", 7)
		until(t, heard, "here 7")
		select {
		case got := <-heard:
			if got != "m n 7" {
				t.Fatalf("heard %q", got)
			}
		case <-time.After(50 * time.Millisecond):
			continue
		}
		break
	}
	if first, second := <-order, <-order; first != "afar m n 7" || second != "near" {
		t.Errorf("heard %q and then %q", first, second)
	}
	told := make(chan string, 10)
	two.Told(func(body []byte) { told <- string(body) })
	one.Told(func(body []byte) { told <- "echo" })
	one.Tell([]byte("hello"))
	if got := <-told; got != "hello" {
		t.Errorf("told %q", got)
	}
	cancel()
	one.Publish("m n", 8)
	one.Tell([]byte("after"))
	until(t, told, "after")
	select {
	case got := <-heard:
		if got != "here 8" {
			t.Errorf("heard %q after it was canceled", got)
		}
	default:
	}
}

func TestQuestionsAreAnsweredByOneProcessThatDoes(t *testing.T) {
	s := startNATS(t, server.RANDOM_PORT)
	asker, up := join(t, s.ClientURL(), "club")
	until(t, up, true)
	if _, err := asker.Ask(t.Context(), []byte("anybody?")); !errors.Is(err, bus.ErrNobody) {
		t.Fatalf("without anybody: %v", err)
	}
	var heard atomic.Int64
	says := func(what string) func(context.Context, []byte) []byte {
		return func(_ context.Context, question []byte) []byte {
			heard.Add(1)
			return append(question, what...)
		}
	}
	for range 2 {
		worker, up := join(t, s.ClientURL(), "club")
		until(t, up, true)
		if _, err := worker.Answer(says(" far")); err != nil {
			t.Fatal(err)
		}
	}
	other, up := join(t, s.ClientURL(), "other")
	until(t, up, true)
	if _, err := other.Answer(says(" of another club")); err != nil {
		t.Fatal(err)
	}
	var answer []byte
	for err := bus.ErrNobody; errors.Is(err, bus.ErrNobody); { // until a subscription has arrived
		answer, err = asker.Ask(t.Context(), []byte("who?"))
	}
	if string(answer) != "who? far" || heard.Load() != 1 {
		t.Errorf("%q, heard by %d", answer, heard.Load())
	}
	stop, err := asker.Answer(says(" near"))
	if err != nil {
		t.Fatal(err)
	}
	if answer, err := asker.Ask(t.Context(), []byte("who?")); err != nil || string(answer) != "who? near" {
		t.Errorf("%q, %v", answer, err)
	}
	stop()
	s.Shutdown()
	until(t, up, false)
	if _, err := other.Ask(t.Context(), []byte("who?")); err != nil {
		t.Errorf("one who answers needs no server: %v", err)
	}
	for err = error(nil); !errors.Is(err, bus.ErrNobody); { // until that is known here, too
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		_, err = asker.Ask(ctx, []byte("who?"))
		cancel()
	}
}

func TestStoppedAnswersEndAndAreWaitedFor(t *testing.T) {
	address := startNATS(t, server.RANDOM_PORT).ClientURL()
	asker, up := join(t, address, "club")
	until(t, up, true)
	worker, up := join(t, address, "club")
	until(t, up, true)
	begun := make(chan bool, 1)
	stop, err := worker.Answer(func(ctx context.Context, _ []byte) []byte {
		begun <- true
		<-ctx.Done()
		return []byte("I am leaving")
	})
	if err != nil {
		t.Fatal(err)
	}
	answers := make(chan string)
	go func() {
		for {
			answer, err := asker.Ask(t.Context(), nil)
			if !errors.Is(err, bus.ErrNobody) { // until the subscription has arrived
				answers <- fmt.Sprint(string(answer), err)
				return
			}
		}
	}()
	<-begun
	stop()
	if got := <-answers; got != "I am leaving<nil>" {
		t.Errorf("got %s", got)
	}
}

func TestLostNewsAreTold(t *testing.T) {
	s := startNATS(t, server.RANDOM_PORT)
	port := s.Addr().(*net.TCPAddr).Port
	b, up := join(t, s.ClientURL(), "club")
	until(t, up, true)
	heard, afar := make(chan int, 100), make(chan int, 100)
	b.Listen("m", func(_ string, seq int) { heard <- seq })
	b.Afar(func(_ string, seq int) { afar <- seq })
	s.Shutdown()
	until(t, up, false)
	until(t, heard, missed) // while it is away
	until(t, afar, missed)
	b.Publish("m", 3) // is heard here all the same
	until(t, heard, 3)
	startNATS(t, port)
	until(t, up, true)
	until(t, heard, missed) // and when it is back
}

func TestAServerThatIsAwayAtTheBeginningIsWaitedFor(t *testing.T) {
	s := startNATS(t, server.RANDOM_PORT)
	port, address := s.Addr().(*net.TCPAddr).Port, s.ClientURL()
	s.Shutdown()
	_, up := join(t, address, "club")
	until(t, up, false)
	startNATS(t, port)
	until(t, up, true)
}
