// Package bus carries news between processes: that a topic, such as a match, has reached a number; and questions to
// whichever of them answers, with the answers back. Memory is the bus of a single process, NATS that of several.
package bus

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
)

// Memory is a bus within one process. Publish calls every listener before it returns, so a listener must not
// block; its zero value is ready.
type Memory struct {
	mu        sync.Mutex
	next      int
	listeners map[string]map[int]*listener
	answer    func(ctx context.Context, question []byte) []byte
}

// ErrNobody is the error of a question when no process answers any.
var ErrNobody = errors.New("no process answers questions")

type listener struct {
	mu   sync.Mutex
	hear func(topic string, seq int)
}

// Publish tells everybody who listens to a topic, and those who listen to all, its sequence number.
func (b *Memory) Publish(topic string, seq int) {
	b.mu.Lock()
	var hearers []*listener
	for _, key := range []string{topic, ""} {
		for _, l := range b.listeners[key] {
			hearers = append(hearers, l)
		}
	}
	b.mu.Unlock()
	for _, l := range hearers {
		l.tell(topic, seq)
	}
}

func (l *listener) tell(topic string, seq int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.hear(topic, seq)
}

// tellAll tells every listener a number, each for what it listens to.
func (b *Memory) tellAll(seq int) {
	b.mu.Lock()
	hearers := map[string][]*listener{}
	for topic, listeners := range b.listeners {
		hearers[topic] = slices.Collect(maps.Values(listeners))
	}
	b.mu.Unlock()
	for topic, listeners := range hearers {
		for _, l := range listeners {
			l.tell(topic, seq)
		}
	}
}

// Listen calls hear for every Publish on a topic, or on all for an empty one, until cancel is called.
func (b *Memory) Listen(topic string, hear func(topic string, seq int)) (cancel func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.listeners == nil {
		b.listeners = map[string]map[int]*listener{}
	}
	if b.listeners[topic] == nil {
		b.listeners[topic] = map[int]*listener{}
	}
	b.next++
	n := b.next
	b.listeners[topic][n] = &listener{hear: hear}
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.listeners[topic], n)
		if len(b.listeners[topic]) == 0 {
			delete(b.listeners, topic)
		}
	}
}

// Afar does nothing: there are no other processes.
func (b *Memory) Afar(func(topic string, seq int)) {}

// Answer has questions answered by a function, several at a time, until stop is called.
func (b *Memory) Answer(answer func(ctx context.Context, question []byte) []byte) (stop func(), err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.answer = answer
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.answer = nil
	}, nil
}

// Ask returns the answer to a question, or ErrNobody.
func (b *Memory) Ask(ctx context.Context, question []byte) ([]byte, error) {
	b.mu.Lock()
	answer := b.answer
	b.mu.Unlock()
	if answer == nil {
		return nil, ErrNobody
	}
	return answer(ctx, question), nil
}
