package bus_test

import (
	"fmt"
	"net"
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
