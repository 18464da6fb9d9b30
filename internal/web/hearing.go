package web

import (
	"context"
	"time"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/live"
	"github.com/linesofaction/loa/internal/match"
	"github.com/linesofaction/loa/internal/talk"
	"github.com/linesofaction/loa/internal/wire"
)

// hearing is what a socket hears of the talk in its match. Its zero value hears nothing.
type hearing struct {
	who     speaker
	reached map[talk.Room]int // the last remark the page knows, by room
	unheard unheard
}

// listen begins to hear the talk of a match between people, until silent.
func (c *client) listen() (silent func()) {
	m, err := c.server.Live.Match(c.server.open, c.id)
	if err != nil || c.quiet || !m.BetweenPeople() {
		return func() {}
	}
	c.talk = hearing{who: speakerOf(m, c.you, c.person)}
	cancels := []func(){c.server.Talk.Listen(c.id, func() { c.wake(remarks) })}
	for _, person := range c.talk.who.people() {
		if person != "" {
			cancels = append(cancels, c.server.Live.Listen(live.HearingTopic(person), func(match.ID, int) { c.wake(hearers) }))
		}
	}
	c.pending.Or(hearers) // the rooms come after the snapshot
	return func() {
		for _, cancel := range cancels {
			cancel()
		}
	}
}

// hearAnew sends all that this receiver may read.
func (c *client) hearAnew(ctx context.Context) error {
	unheard, err := c.server.unheard(ctx, c.talk.who)
	if err != nil {
		return c.fault(ctx, err)
	}
	c.talk.unheard, c.talk.reached = unheard, map[talk.Room]int{}
	return c.hearMore(ctx)
}

// hearMore sends what was said since the last time, and a room as a whole that the receiver did not have yet.
func (c *client) hearMore(ctx context.Context) error {
	if c.talk.reached == nil {
		return nil // all of it is about to be sent
	}
	m, err := c.server.Live.Match(ctx, c.id)
	if err != nil {
		return c.fault(ctx, err)
	}
	for _, room := range talk.Rooms() {
		if !room.Reads(c.talk.who.player(), m.Outcome().Over()) {
			continue
		}
		after, had := c.talk.reached[room]
		message, reached, err := c.server.talkIn(ctx, m, c.talk.who, room, after, c.talk.unheard)
		if err != nil {
			return c.fault(ctx, err)
		}
		c.talk.reached[room] = reached
		if had && len(message.Remarks) == 0 {
			continue
		}
		if err := c.send(message); err != nil {
			return err
		}
	}
	return nil
}

// say says what a command holds and returns the answer to it.
func (c *client) say(ctx context.Context, command wire.Command) any {
	m, err := c.server.Live.Match(ctx, c.id)
	if err != nil {
		return c.internal(command, err)
	}
	n, not, err := c.server.say(ctx, m, c.speaker(m), command.TalkCommand, command.Client)
	return c.said(command, n, not, err)
}

// mute mutes or unmutes as a command says and returns the answer to it.
func (c *client) mute(ctx context.Context, command wire.Command) any {
	m, err := c.server.Live.Match(ctx, c.id)
	if err != nil {
		return c.internal(command, err)
	}
	not, err := c.server.mute(ctx, m, c.speaker(m), command.TalkCommand)
	return c.said(command, 0, not, err)
}

// speaker returns who speaks over this socket. Small boards only look.
func (c *client) speaker(m *match.Match) speaker {
	if c.to == smallBoards {
		return speaker{seat: loa.NoColor}
	}
	return speakerOf(m, c.you, c.person)
}

func (c *client) said(command wire.Command, n int, not *silence, err error) any {
	switch {
	case err != nil:
		return c.internal(command, err)
	case not != nil:
		answer := refused(command.Client, not.code, not.text)
		answer.Wait = (not.wait + time.Millisecond - 1).Milliseconds() // never too little
		return answer
	}
	return wire.Ack{V: wire.Version, Type: wire.KindAck, Client: command.Client, Seq: n}
}
