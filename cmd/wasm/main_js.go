// Command wasm is the rules and the engine for a worker of the browser. The messages are those of internal/wire,
// described in docs/protocol.md; static/worker.js carries them.
package main

import (
	"errors"
	"syscall/js"
	"time"

	"github.com/linesofaction/loa/internal/wire"
)

// slice is how long a search runs before messages are let in.
const slice = 8 * time.Millisecond

func main() {
	turn := newTurn()
	worker := js.Global().Get("loa")
	s := newSession(func(message []byte) { worker.Call("say", string(message)) }, turn.give, func(name string) ([]byte, error) { return fetch(worker, name) })
	worker.Set("hear", js.FuncOf(func(_ js.Value, args []js.Value) any {
		s.hear(read(args[0]))
		return nil
	}))
	s.run()
}

// turn gives the worker's other tasks their turn. A blocked worker hears nothing, and a timer would wait for some
// milliseconds each time, so it sends itself a message and goes on when that arrives, behind all that came before.
type turn struct {
	port js.Value
	back chan struct{}
	last time.Time
}

func newTurn() *turn {
	t := &turn{back: make(chan struct{}, 1), last: time.Now()}
	channel := js.Global().Get("MessageChannel").New()
	t.port = channel.Get("port1")
	channel.Get("port2").Set("onmessage", js.FuncOf(func(js.Value, []js.Value) any {
		t.back <- struct{}{}
		return nil
	}))
	return t
}

// give gives the turn when a slice is over.
func (t *turn) give() {
	if time.Since(t.last) < slice {
		return
	}
	t.port.Call("postMessage", js.Null())
	<-t.back
	t.last = time.Now()
}

// fetch waits for a file that the worker fetches.
func fetch(worker js.Value, name string) ([]byte, error) {
	done := make(chan js.Value, 1)
	then := js.FuncOf(func(_ js.Value, args []js.Value) any {
		done <- args[0]
		return nil
	})
	defer then.Release()
	worker.Call("fetch", name).Call("then", then)
	found := <-done
	if found.Type() == js.TypeString {
		return nil, errors.New(found.String())
	}
	body := make([]byte, found.Length())
	js.CopyBytesToGo(body, found)
	return body, nil
}

// read reads a message of the page. What is missing, or of another type than it should be, is as good as not there.
func read(v js.Value) (ask wire.Ask) {
	if v.Type() != js.TypeObject {
		return ask
	}
	text := func(v js.Value) string {
		if v.Type() != js.TypeString {
			return ""
		}
		return v.String()
	}
	number := func(name string) int {
		if n := v.Get(name); n.Type() == js.TypeNumber {
			return n.Int()
		}
		return 0
	}
	texts := func(name string) (all []string) {
		if list := v.Get(name); list.InstanceOf(js.Global().Get("Array")) {
			for i := range list.Length() {
				all = append(all, text(list.Index(i)))
			}
		}
		return all
	}
	return wire.Ask{
		V: number("v"), Type: text(v.Get("type")), Rules: text(v.Get("rules")), Start: text(v.Get("start")), Level: number("level"), Seed: uint64(max(0, number("seed"))),
		Move: text(v.Get("move")), ID: number("id"), Nodes: uint64(max(0, number("nodes"))), Depth: number("depth"), Time: int64(number("time")),
		Lines: number("lines"), Fresh: v.Get("fresh").Truthy(), Infinite: v.Get("infinite").Truthy(),
		Puzzle: text(v.Get("puzzle")), Show: v.Get("show").Truthy(), Moves: texts("moves"), Solution: texts("solution"),
	}
}
