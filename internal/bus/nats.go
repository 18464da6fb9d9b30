package bus

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
)

// NATS is a bus between processes. What is published here is heard here at once, and elsewhere if the server can be
// reached; while it cannot, and when it can again, everybody is told now and then that news may have been lost.
type NATS struct {
	Memory
	conn   *nats.Conn
	news   string // the subject of news
	talk   string // the subject of what processes tell each other
	asked  string // the subject of questions
	missed int    // the number that stands for lost news
	quit   chan struct{}
	done   sync.WaitGroup

	mu   sync.Mutex
	afar []func(topic string, seq int)
	told []func(body []byte)
}

const (
	reconnectWait = 200 * time.Millisecond
	pingEvery     = 2 * time.Second
	remindEvery   = 300 * time.Millisecond // while the server is away
)

// Connect joins the bus of a club by the address of a NATS server, or several with commas between them. Clubs with
// different names share a server without hearing each other. A server that is away is tried again for ever; state is
// told whether it is there, whenever that changes. missed is the number that listeners hear when news may have been lost.
func Connect(address, club string, missed int, state func(up bool, cause error)) (*NATS, error) {
	b := &NATS{news: "loa." + club + ".news", talk: "loa." + club + ".talk", asked: "loa." + club + ".asked", missed: missed, quit: make(chan struct{})}
	conn, err := nats.Connect(address,
		nats.Name("loa"), nats.NoEcho(), nats.RetryOnFailedConnect(true), nats.MaxReconnects(-1),
		nats.ReconnectWait(reconnectWait), nats.ReconnectJitter(reconnectWait/2, reconnectWait/2), nats.ReconnectBufSize(-1),
		nats.PingInterval(pingEvery), nats.MaxPingsOutstanding(2), nats.Timeout(pingEvery), nats.IgnoreAuthErrorAbort(),
		nats.ConnectHandler(func(*nats.Conn) { state(true, nil) }),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) { state(false, err) }),
		nats.ReconnectHandler(func(*nats.Conn) {
			state(true, nil)
			b.remind()
			b.Publish("", missed) // and what was published here meanwhile is lost to the others
		}),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			if errors.Is(err, nats.ErrSlowConsumer) { // messages were dropped
				b.remind()
			}
		}),
	)
	if err != nil {
		return nil, fmt.Errorf("joining the bus: %w", err)
	}
	b.conn = conn
	if !conn.IsConnected() {
		state(false, conn.LastError())
	}
	_, newsErr := conn.Subscribe(b.news, b.hear)
	_, talkErr := conn.Subscribe(b.talk, b.listen)
	if err := errors.Join(newsErr, talkErr); err != nil {
		conn.Close()
		return nil, fmt.Errorf("listening to the bus: %w", err)
	}
	b.done.Go(b.watch)
	return b, nil
}

// watch reminds everybody now and then while the server is away.
func (b *NATS) watch() {
	ticker := time.NewTicker(remindEvery)
	defer ticker.Stop()
	for {
		select {
		case <-b.quit:
			return
		case <-ticker.C:
			if !b.conn.IsConnected() {
				b.remind()
			}
		}
	}
}

// remind tells everybody that news may have been lost.
func (b *NATS) remind() {
	for _, hear := range b.distant() {
		hear("", b.missed)
	}
	b.tellAll(b.missed)
}

func (b *NATS) distant() []func(topic string, seq int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.afar
}

// hear passes news of other processes on.
func (b *NATS) hear(message *nats.Msg) {
	number, topic, ok := strings.Cut(string(message.Data), " ")
	seq, err := strconv.Atoi(number)
	if !ok || err != nil {
		return // of a program that speaks otherwise
	}
	if seq == b.missed {
		b.remind()
		return
	}
	for _, hear := range b.distant() {
		hear(topic, seq)
	}
	b.Memory.Publish(topic, seq)
}

// listen passes on what other processes tell.
func (b *NATS) listen(message *nats.Msg) {
	b.mu.Lock()
	told := b.told
	b.mu.Unlock()
	for _, hear := range told {
		hear(message.Data)
	}
}

// Publish tells everybody who listens to a topic, here and in other processes, its sequence number.
func (b *NATS) Publish(topic string, seq int) {
	if seq != b.missed {
		b.Memory.Publish(topic, seq)
	}
	body := strconv.AppendInt(make([]byte, 0, len(topic)+12), int64(seq), 10)
	body = append(append(body, ' '), topic...)
	_ = b.conn.Publish(b.news, body) // while the server is away, others look into the store
}

// Afar calls hear with the news of other processes before anybody who listens hears it.
func (b *NATS) Afar(hear func(topic string, seq int)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.afar = append(b.afar[:len(b.afar):len(b.afar)], hear)
}

// Tell tells every other process something, if the server can be reached.
func (b *NATS) Tell(body []byte) {
	_ = b.conn.Publish(b.talk, body) // said again before long
}

// Up reports whether the server can be reached.
func (b *NATS) Up() bool { return b.conn.IsConnected() }

// Told calls hear, which must not block, with what other processes tell.
func (b *NATS) Told(hear func(body []byte)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.told = append(b.told[:len(b.told):len(b.told)], hear)
}

// answerers is the queue of those who answer: one of them gets each question.
const answerers = "answerers"

// Answer has questions of any process answered by a function, several at a time, until stop is called, which ends and
// waits for those under way. Questions asked here are answered here.
func (b *NATS) Answer(answer func(ctx context.Context, question []byte) []byte) (stop func(), err error) {
	ctx, cancel := context.WithCancel(context.Background())
	var answering sync.WaitGroup
	questions, err := b.conn.QueueSubscribe(b.asked, answerers, func(question *nats.Msg) {
		answering.Go(func() {
			_ = question.Respond(answer(ctx, question.Data)) // who does not get it asks again, or has gone
		})
	})
	if err != nil {
		cancel()
		return nil, fmt.Errorf("listening to questions: %w", err)
	}
	silent, _ := b.Memory.Answer(answer)
	return func() {
		silent()
		_ = questions.Unsubscribe() // of a connection that may be gone
		cancel()
		answering.Wait()
	}, nil
}

// Ask returns the answer to a question: of this process if it answers any, or else of one that does. ErrNobody when there
// is none or the server is away; the error of ctx, which must have an end, when none comes.
func (b *NATS) Ask(ctx context.Context, question []byte) ([]byte, error) {
	answer, err := b.Memory.Ask(ctx, question)
	if !errors.Is(err, ErrNobody) {
		return answer, err
	}
	if !b.conn.IsConnected() {
		return nil, ErrNobody
	}
	reply, err := b.conn.RequestWithContext(ctx, b.asked, question)
	if errors.Is(err, nats.ErrNoResponders) {
		return nil, ErrNobody
	}
	if err != nil {
		return nil, err
	}
	return reply.Data, nil
}

// Close sends what waits to be sent and leaves the bus.
func (b *NATS) Close() {
	close(b.quit)
	b.done.Wait()
	_ = b.conn.FlushTimeout(time.Second)
	b.conn.Close()
}
