package web

import (
	"sync"
	"time"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/match"
	"github.com/linesofaction/loa/internal/wire"
)

// broadcast is the latest update of one match as bytes, written once for all receivers of a kind. Its zero value is
// ready.
type broadcast struct {
	mu       sync.Mutex
	at       int // sequence number of position
	position wire.Position
	latest   [smallBoards + 1]written
}

// audience is a kind of receiver: a side, an onlooker, or a small board in a list of games.
type audience uint8

const smallBoards = audience(loa.NoColor) + 1

// written is an update for one kind of receiver.
type written struct {
	seq, from int
	now       time.Time // of its clocks
	body      []byte    // never changed
}

// clocksKeep is for how long written clocks may be sent: less than anybody sees.
const clocksKeep = 50 * time.Millisecond

// update returns what happened to a match after a number, for a kind of receiver. It is read only.
func (b *broadcast) update(m *match.Match, to audience, from int, now time.Time) []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	last := &b.latest[to]
	if last.seq == m.Seq() && last.from == from && now.Sub(last.now) < clocksKeep {
		return last.body
	}
	you, position := loa.Color(to), wire.Position{}
	if to == smallBoards {
		you, position = loa.NoColor, plain(m)
	} else {
		position = b.positionNow(m)
	}
	update := wire.UpdateOf(m, position, you, from, now)
	body := update.Append(make([]byte, 0, max(1024, len(last.body)+256)))
	if m.Seq() >= last.seq {
		*last = written{seq: m.Seq(), from: from, now: now, body: body}
	}
	return body
}

// snapshot returns a match as a kind of receiver may see it.
func (b *broadcast) snapshot(m *match.Match, to audience, now time.Time) wire.Snapshot {
	if to == smallBoards {
		return wire.SnapshotOf(m, plain(m), loa.NoColor, now)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return wire.SnapshotOf(m, b.positionNow(m), loa.Color(to), now)
}

// positionNow describes the position of a match, once for all. The caller holds b.mu.
func (b *broadcast) positionNow(m *match.Match) wire.Position {
	if b.at != m.Seq() {
		b.at, b.position = m.Seq(), wire.PositionNow(m)
	}
	return b.position
}
