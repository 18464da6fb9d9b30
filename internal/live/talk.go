package live

import (
	"context"

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
	// Unheard returns whose remarks a person does not get: those the person has muted, and those of whom one has
	// blocked the other. The empty id stands for all onlookers.
	Unheard(ctx context.Context, person string) ([]string, error)
	// Apart reports whether one of two people has blocked the other.
	Apart(ctx context.Context, a, b string) (bool, error)
}

// Talk is what people say in matches. It is safe for use by many goroutines.
type Talk struct {
	TalkStore
	service *Service
}

// NewTalk returns the talk in the matches of a service.
func NewTalk(service *Service, store TalkStore) *Talk { return &Talk{store, service} }

// TalkTopic is the topic of the bus on which pages hear that something was said in a match.
func TalkTopic(id match.ID) match.ID { return besideMatches + "talk " + id }

// HearingTopic is the topic of the bus on which a person's pages hear that others are muted, blocked, or no more.
func HearingTopic(person string) match.ID { return match.ID(besideMatches + "hearing " + person) }

// Say stores a remark, whose text is checked, and tells everybody who listens. The same client id says nothing twice.
func (t *Talk) Say(ctx context.Context, r talk.Remark) (talk.Remark, error) {
	r, err := t.AddRemark(ctx, r)
	if err != nil {
		return r, err
	}
	t.service.bus.Publish(string(TalkTopic(match.ID(r.Match))), r.N)
	return r, nil
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
