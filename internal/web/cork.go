package web

import (
	"bufio"
	"net"
	"net/http"
	"sync"
	"time"
)

// cork is the network connection under a socket. While it is in, what is written is held back, so that several
// messages take one system call; while it is out, everything goes through at once. A socket without traffic holds
// buffers of a few hundred bytes.
type cork struct {
	net.Conn
	rest []byte // what came right behind the request, to be read first

	mu    sync.Mutex // orders what is written
	in    bool
	held  []byte
	until time.Time // the deadline of writing
}

const (
	readAhead    = 256 // bytes; most commands are shorter, and longer ones are read past the buffer
	framesHeader = 16  // bytes; longer than any header, and what follows it is written past the buffer
)

// corker lets a socket be accepted on a cork.
type corker struct {
	http.ResponseWriter
	cork *cork
}

// Hijack takes the connection over, with small buffers instead of those of the HTTP server.
func (c *corker) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, ahead, err := http.NewResponseController(c.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	c.cork = &cork{Conn: conn}
	if n := ahead.Reader.Buffered(); n > 0 {
		rest, _ := ahead.Reader.Peek(n) // it is there
		c.cork.rest = append(rest[:0:0], rest...)
	}
	if err := ahead.Writer.Flush(); err != nil {
		return nil, nil, err
	}
	return c.cork, bufio.NewReadWriter(bufio.NewReaderSize(c.cork, readAhead), bufio.NewWriterSize(c.cork, framesHeader)), nil
}

// Read reads from the connection.
func (c *cork) Read(p []byte) (int, error) {
	if len(c.rest) > 0 {
		n := copy(p, c.rest)
		c.rest = c.rest[n:]
		return n, nil
	}
	return c.Conn.Read(p)
}

// Write writes, or holds back.
func (c *cork) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.in {
		c.held = append(c.held, p...)
		return len(p), nil
	}
	return c.through(p)
}

// through writes to the connection. A browser that takes nothing for long is given up: every write has at least half
// of writeWithin, since setting a deadline costs as much as a short write.
func (c *cork) through(p []byte) (int, error) {
	if now := time.Now(); c.until.Sub(now) < writeWithin/2 {
		c.until = now.Add(writeWithin)
		if err := c.SetWriteDeadline(c.until); err != nil {
			return 0, err
		}
	}
	return c.Conn.Write(p)
}

// push puts the cork in, with room for what will be held back.
func (c *cork) push(room []byte) {
	c.mu.Lock()
	c.in, c.held = true, room[:0]
	c.mu.Unlock()
}

// pull lets out what was held back and returns the room for the next use.
func (c *cork) pull() (room []byte, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.held) > 0 {
		_, err = c.through(c.held)
	}
	room, c.held, c.in = c.held, nil, false
	return room, err
}
