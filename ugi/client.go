package ugi

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/engine"
)

// ErrEnded is the error of a Client whose engine has ended or closed its output.
var ErrEnded = errors.New("the engine has ended")

// patience is how long an engine may take to answer stop, and to end after quit.
const patience = 5 * time.Second

// mostOptions is how many option lines of an engine are kept.
const mostOptions = 256

// Client is the driving end of the protocol. It is not safe for concurrent use. After an error it is good for
// nothing but Close.
type Client struct {
	Identity          // what the engine said of itself
	Options  []string // its option lines, without the word option

	// Remark, unless nil, gets every info string of the engine.
	Remark func(text string)

	in    io.WriteCloser
	lines chan string
	done  chan struct{}
	kill  func()
	wait  func() error
	rules string // that the engine was last told
}

// Start runs a command and greets the engine that it is. The command, and what it has started, is killed when the context
// ends.
func Start(ctx context.Context, command string, args ...string) (*Client, error) {
	ctx, kill := context.WithCancel(ctx)
	cmd := exec.CommandContext(ctx, command, args...)
	group(cmd)
	in, err := cmd.StdinPipe()
	if err != nil {
		kill()
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		kill()
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		kill()
		return nil, err
	}
	// whatever else holds the other ends of the pipes is not waited for
	release := context.AfterFunc(ctx, func() { in.Close(); out.Close() })
	c := newClient(out, in, kill, func() error {
		defer kill()
		defer release()
		return cmd.Wait()
	})
	if err := c.greet(ctx); err != nil {
		if end := c.Close(); end != nil && errors.Is(err, ErrEnded) {
			err = fmt.Errorf("%w: %w", err, end)
		}
		return nil, err
	}
	return c, nil
}

// NewClient greets an engine at the other end of two pipes: out is what it writes, in what it reads.
func NewClient(ctx context.Context, out io.Reader, in io.WriteCloser) (*Client, error) {
	c := newClient(out, in, func() {}, func() error { return nil })
	return c, c.greet(ctx)
}

func newClient(out io.Reader, in io.WriteCloser, kill func(), wait func() error) *Client {
	c := &Client{in: in, lines: make(chan string), done: make(chan struct{}), kill: kill, wait: wait}
	go func() {
		defer close(c.lines)
		reader := bufio.NewReaderSize(out, longestLine)
		for {
			l, last := readLine(reader)
			if last && l.text == "" {
				return
			}
			select {
			case c.lines <- l.text: // of a line that is too long the beginning
			case <-c.done:
				// what is left is read and dropped, so that the engine can end
			}
			if last {
				return
			}
		}
	}()
	return c
}

// Close tells the engine to quit, waits until it has, and returns the error it ended with. A command that takes too long is
// killed.
func (c *Client) Close() error {
	close(c.done)
	defer time.AfterFunc(patience, c.kill).Stop()
	// an engine that has ended already does not read this
	_, _ = io.WriteString(c.in, "quit\n")
	_ = c.in.Close()
	for range c.lines {
	}
	return c.wait()
}

// send writes a command.
func (c *Client) send(format string, args ...any) error {
	if _, err := fmt.Fprintf(c.in, format+"\n", args...); err != nil {
		return ErrEnded // whatever the pipe says of it
	}
	return nil
}

// receive hands each line of the engine to take until that says it has seen the last one it waits for.
func (c *Client) receive(ctx context.Context, take func(command, rest string) (last bool, err error)) error {
	for {
		select {
		case text, more := <-c.lines:
			if !more {
				return ErrEnded
			}
			text = strings.TrimSpace(text)
			command, rest, _ := strings.Cut(text, " ")
			if remark, ok := strings.CutPrefix(text, "info string "); ok {
				if c.Remark != nil {
					c.Remark(remark)
				}
				continue
			}
			if last, err := take(command, rest); last || err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// greet asks the engine who it is.
func (c *Client) greet(ctx context.Context) error {
	if err := c.send("ugi"); err != nil {
		return err
	}
	return c.receive(ctx, func(command, rest string) (bool, error) {
		switch key, value, _ := strings.Cut(rest, " "); {
		case command == "id" && key == "name":
			c.Name = value
		case command == "id" && key == "author":
			c.Author = value
		case command == "option" && len(c.Options) < mostOptions:
			c.Options = append(c.Options, rest)
		}
		return command == "ugiok", nil
	})
}

// Ready waits until the engine has dealt with everything it was told.
func (c *Client) Ready(ctx context.Context) error {
	if err := c.send("isready"); err != nil {
		return err
	}
	return c.receive(ctx, func(command, _ string) (bool, error) { return command == "readyok", nil })
}

// SetOption sets an option of the engine. Whether it was taken shows in Remark.
func (c *Client) SetOption(ctx context.Context, name, value string) error {
	if err := c.send("setoption name %s value %s", name, value); err != nil {
		return err
	}
	return c.Ready(ctx)
}

// NewGame tells the engine that another game begins.
func (c *Client) NewGame(ctx context.Context) error {
	if err := c.send("uginewgame"); err != nil {
		return err
	}
	return c.Ready(ctx)
}

// Position tells the engine how a game stands, its rules included.
func (c *Client) Position(ctx context.Context, g *loa.Game) error {
	if rules := g.Rules().String(); rules != c.rules {
		if err := c.SetOption(ctx, "Rules", rules); err != nil {
			return err
		}
		c.rules = rules
	}
	text := "position fen " + g.Start().String()
	if g.Plies() > 0 {
		text += " moves"
	}
	for ply := range g.Plies() {
		text += " " + g.Move(ply).String()
	}
	return c.send("%s", text)
}

// Search tells the engine how a game stands, lets it look for a move and returns that with the last info on the
// best line. It calls report, unless nil, with every info that can be read; engines have forms of their own. When the context
// ends the engine is told to stop and its answer is awaited for a while, for an engine must give one. The move is checked
// against the rules.
func (c *Client) Search(ctx context.Context, g *loa.Game, limits engine.Limits, report func(engine.Info)) (loa.Move, engine.Info, error) {
	var best loa.Move
	var last engine.Info
	if err := c.Position(ctx, g); err != nil {
		return best, last, err
	}
	if err := c.send("%s", formatGo(limits, g.Position().Turn())); err != nil {
		return best, last, err
	}
	take := func(command, rest string) (bool, error) {
		switch command {
		case "info":
			info, err := parseInfo("info " + rest)
			if err != nil {
				return false, nil
			}
			if info.MultiPV == 1 {
				last = info
			}
			if report != nil {
				report(info)
			}
		case "bestmove":
			text, _, _ := strings.Cut(rest, " ") // what it expects in answer may follow
			m, _, err := loa.ParseMove(brief(text))
			if err == nil {
				err = g.Position().Check(m)
			}
			best = m
			return true, err
		}
		return false, nil
	}
	err := c.receive(ctx, take)
	if err != nil && err == ctx.Err() {
		if err = c.send("stop"); err == nil {
			late, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
			defer cancel()
			err = c.receive(late, take)
		}
	}
	return best, last, err
}

// Query asks "p1turn", "gameover" or "result" and returns the response.
func (c *Client) Query(ctx context.Context, what string) (response string, err error) {
	if err := c.send("query %s", what); err != nil {
		return "", err
	}
	err = c.receive(ctx, func(command, rest string) (bool, error) {
		response = rest
		return command == "response", nil
	})
	return response, err
}
