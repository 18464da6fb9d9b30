package live

import (
	"context"
	"maps"
	"math"
	"slices"
	"sync"

	"github.com/linesofaction/loa/internal/match"
	"github.com/linesofaction/loa/internal/talk"
)

// TalkStore is what a Talk needs of storage.
type TalkStore interface {
	// AddRemark stores a remark under the next number of its room and returns it. One that the same person made in
	// that match with the same client id is returned instead.
	AddRemark(ctx context.Context, r talk.Remark) (talk.Remark, error)
	// Said returns the remark a person made in a match with a client id, and whether there is one.
	Said(ctx context.Context, match, person, client string) (talk.Remark, bool, error)
	// Remarks returns the last remarks of a room after a number, in their order, at most limit.
	Remarks(ctx context.Context, match string, room talk.Room, after, limit int) ([]talk.Remark, error)
	// SetMute lets a person not hear another, or all onlookers for an empty one, or ends that.
	SetMute(ctx context.Context, person, other string, on bool) error
	// Remark returns the remark with a number in a room, and whether there is one.
	Remark(ctx context.Context, match string, room talk.Room, n int) (talk.Remark, bool, error)
	// Unheard returns whose remarks a person does not get: those the person has muted, where the empty id stands for
	// all onlookers, and those who have blocked the person or are blocked.
	Unheard(ctx context.Context, person string) (muted, blocked []string, err error)
	// Apart reports whether one of two people has blocked the other.
	Apart(ctx context.Context, a, b string) (bool, error)
}

// Talk is what people say in matches. It is safe for use by many goroutines.
//
// Of a match that somebody here listens to, the last remarks are kept in memory, so that one remark costs the store one
// look however many listen.
type Talk struct {
	TalkStore
	service *Service

	mu    sync.Mutex
	halls map[match.ID]*hall
}

// NewTalk returns the talk in the matches of a service.
func NewTalk(service *Service, store TalkStore) *Talk {
	t := &Talk{TalkStore: store, service: service, halls: map[match.ID]*hall{}}
	service.mu.Lock()
	defer service.mu.Unlock()
	service.renamed = t.renamedHere
	return t
}

// RemarksKept is how many remarks of a room can be read.
const RemarksKept = 100

// hall is the rooms of a match that somebody listens to.
type hall struct {
	loading sync.Mutex // orders those who read the store

	mu        sync.Mutex
	reached   map[talk.Room]int           // as the bus says
	said      map[talk.Room][]talk.Remark // the last of each room, absent before they are read
	listeners map[int]func()
	next      int
	cancel    func()
}

// talkTopic is the topic of the bus on which it is heard that something was said in a room.
func talkTopic(id match.ID, room talk.Room) string {
	return besideMatches + "talk " + string(room) + " " + string(id)
}

// HearingTopic is the topic of the bus on which a person's pages hear that others are muted, blocked, or no more.
func HearingTopic(person string) match.ID { return match.ID(besideMatches + "hearing " + person) }

// Say stores a remark, whose text is checked, and tells everybody who listens. The same client id says nothing twice.
func (t *Talk) Say(ctx context.Context, r talk.Remark) (talk.Remark, error) {
	r, err := t.AddRemark(ctx, r)
	if err != nil {
		return r, err
	}
	t.service.bus.Publish(talkTopic(match.ID(r.Match), r.Room), r.N)
	return r, nil
}

// Listen calls hear, which must not block, whenever something is said in a match, until cancel is called.
func (t *Talk) Listen(id match.ID, hear func()) (cancel func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	h := t.halls[id]
	if h == nil {
		h = &hall{reached: map[talk.Room]int{}, said: map[talk.Room][]talk.Remark{}, listeners: map[int]func(){}}
		var cancels []func()
		for _, room := range talk.Rooms() {
			cancels = append(cancels, t.service.bus.Listen(talkTopic(id, room), func(_ string, n int) { h.reach(room, n) }))
		}
		h.cancel = func() {
			for _, cancel := range cancels {
				cancel()
			}
		}
		t.halls[id] = h
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.next++
	n := h.next
	h.listeners[n] = hear
	return func() { t.leave(id, h, n) }
}

// leave ends the listening of one. A hall without listeners is forgotten.
func (t *Talk) leave(id match.ID, h *hall, n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	h.mu.Lock()
	delete(h.listeners, n)
	empty := len(h.listeners) == 0
	h.mu.Unlock()
	if empty && t.halls[id] == h {
		delete(t.halls, id)
		h.cancel()
	}
}

// reach notes that a remark was made, or may have been, and tells the listeners.
func (h *hall) reach(room talk.Room, n int) {
	if n == Missed {
		n = math.MaxInt
	}
	h.mu.Lock()
	h.reached[room] = max(h.reached[room], n)
	listeners := slices.Collect(maps.Values(h.listeners))
	h.mu.Unlock()
	for _, hear := range listeners {
		hear()
	}
}

// Recent returns the last remarks of a room after a number, in their order, at most RemarksKept.
func (t *Talk) Recent(ctx context.Context, id match.ID, room talk.Room, after int) ([]talk.Remark, error) {
	t.mu.Lock()
	h := t.halls[id]
	t.mu.Unlock()
	if h == nil {
		return t.Remarks(ctx, string(id), room, after, RemarksKept)
	}
	h.loading.Lock()
	defer h.loading.Unlock()
	h.mu.Lock()
	said, read := h.said[room]
	reached := h.reached[room]
	h.mu.Unlock()
	last := 0
	if len(said) > 0 {
		last = said[len(said)-1].N
	}
	if !read || last < reached {
		more, err := t.Remarks(ctx, string(id), room, last, RemarksKept)
		if err != nil {
			return nil, err
		}
		said = slices.Concat(said, more)
		said = said[max(0, len(said)-RemarksKept):]
		h.mu.Lock()
		h.said[room] = said
		if h.reached[room] == reached && reached == math.MaxInt {
			h.reached[room] = 0
		}
		h.mu.Unlock()
	}
	from := slices.IndexFunc(said, func(r talk.Remark) bool { return r.N > after })
	if from < 0 {
		return nil, nil
	}
	return said[from:], nil
}

// Renamed lets the remarks of a person be read again by every process, under another name.
func (t *Talk) Renamed(person string) {
	t.renamedHere(person)
	t.service.bus.Publish(renamedTopic+person, 0)
}

func (t *Talk) renamedHere(person string) {
	t.mu.Lock()
	halls := slices.Collect(maps.Values(t.halls))
	t.mu.Unlock()
	for _, h := range halls {
		h.loading.Lock()
		h.mu.Lock()
		for room, said := range h.said {
			if slices.ContainsFunc(said, func(r talk.Remark) bool { return r.Person == person }) {
				delete(h.said, room)
			}
		}
		h.mu.Unlock()
		h.loading.Unlock()
	}
}

// Mute lets a person not hear another, or all onlookers for an empty one, or ends that.
func (t *Talk) Mute(ctx context.Context, person, other string, on bool) error {
	if err := t.SetMute(ctx, person, other, on); err != nil {
		return err
	}
	t.Changed(person)
	return nil
}

// Changed tells the pages of people that they may hear others than before.
func (t *Talk) Changed(people ...string) {
	for _, person := range people {
		t.service.bus.Publish(string(HearingTopic(person)), 0)
	}
}
