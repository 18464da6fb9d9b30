package live

import (
	"context"
	"fmt"
	"time"

	"github.com/linesofaction/loa/internal/account"
	"github.com/linesofaction/loa/internal/clock"
	"github.com/linesofaction/loa/internal/match"
)

// dueAtOnce bounds how many matches one look at the deadlines takes up.
const dueAtOnce = 200

// Expire ends or changes the matches that time has run out for, here or in any other process.
func (s *Service) Expire(ctx context.Context) error {
	for {
		ids, err := s.store.Due(ctx, s.now().Add(-clock.MaxLag), dueAtOnce)
		if err != nil {
			return fmt.Errorf("looking for deadlines: %w", err)
		}
		ended := 0
		for _, id := range ids {
			_, err := s.change(ctx, id, func(m *match.Match) ([]match.Entry, error) {
				entries := match.Expire(m, s.now(), s.left(m))
				ended += len(entries)
				return entries, nil
			})
			if err != nil {
				return err
			}
		}
		if len(ids) < dueAtOnce || ended == 0 {
			return nil
		}
	}
}

// Recover gives the time since the service was last alive back to every running clock, and takes what moderators did
// so far as known. It is for the start of a process, before it plays.
func (s *Service) Recover(ctx context.Context) error {
	var err error
	if s.heeded, err = s.store.LastAct(ctx); err != nil {
		return err
	}
	return s.alive(ctx, beat)
}

// Stop notes, at the end of the only process of the club, that nobody could play since an instant at which it began to
// stop. The next one to start gives that time back to the millisecond.
func (s *Service) Stop(ctx context.Context, since time.Time) error {
	return s.store.Stopped(ctx, since)
}

// alive notes that the service runs. If no process has noted it for longer than a pause, or the last one has said that it
// stopped, the time since is given back to every running clock; several that find that out at once give it back once.
func (s *Service) alive(ctx context.Context, pause time.Duration) error {
	now := s.now()
	last, stopped, err := s.store.LastAlive(ctx)
	if err != nil {
		return err
	}
	if !last.IsZero() && (stopped || now.Sub(last) > pause) {
		ids, err := s.store.Timed(ctx)
		if err != nil {
			return fmt.Errorf("looking for running clocks: %w", err)
		}
		for _, id := range ids {
			if _, err := s.change(ctx, id, func(m *match.Match) ([]match.Entry, error) {
				return match.Credit(m, last, now), nil
			}); err != nil {
				return err
			}
		}
	}
	return s.store.Alive(ctx, now)
}

// beat is how often a running service notes that it is alive, and so the time that a crash may cost a clock.
const beat = time.Second

// look is how often the deadlines are looked at, and so how late a flag may fall.
const look = 200 * time.Millisecond

// Run looks after deadlines and notes that the service is alive until ctx is done. fault is told what fails;
// the next look tries again.
func (s *Service) Run(ctx context.Context, fault func(error)) {
	ticker := time.NewTicker(look)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			s.beaten.Store(0)
			return
		case <-ticker.C:
		}
		if err := s.tend(ctx); err != nil && ctx.Err() == nil {
			fault(err)
		}
	}
}

// tend looks after what is due. No flag falls before the time in which nobody could move is given back.
func (s *Service) tend(ctx context.Context) error {
	if beaten, err := s.beat(ctx, beat); err != nil {
		return err
	} else if beaten {
		if err := s.heed(ctx); err != nil {
			return err
		}
	}
	return s.Expire(ctx)
}

// beat notes that the service runs if that was not done for a while, and reports whether it was.
func (s *Service) beat(ctx context.Context, pause time.Duration) (bool, error) {
	s.beating.Lock()
	defer s.beating.Unlock()
	now := s.now()
	if since := now.Sub(time.UnixMilli(s.beaten.Load())); since >= 0 && since < pause {
		return false, nil
	}
	if err := s.alive(ctx, 2*beat); err != nil {
		return false, err
	}
	s.beaten.Store(now.UnixMilli())
	return true, nil
}

// catchUp lets no command be carried out before the time in which none could be is given back. Where Run does not run
// there is nothing to give.
func (s *Service) catchUp(ctx context.Context, at time.Time) error {
	beaten := s.beaten.Load()
	if beaten == 0 || at.UnixMilli()-beaten < (3*beat).Milliseconds() {
		return nil
	}
	_, err := s.beat(ctx, 3*beat)
	return err
}

// actsAtOnce bounds how many acts of moderators one look takes up.
const actsAtOnce = 1000

// heed takes up what moderators did since the last look, here, in another process or at the command line: memory may
// hold what they changed.
func (s *Service) heed(ctx context.Context) error {
	acts, err := s.store.Acts(ctx, account.ActFilter{After: s.heeded}, actsAtOnce)
	if err != nil {
		return err
	}
	for _, act := range acts {
		s.heeded = max(s.heeded, act.Number)
		switch {
		case act.Kind == account.Close:
			s.forgetHere(act.Person)
		case act.Match != "":
			m, err := s.Refresh(ctx, match.ID(act.Match))
			if err != nil {
				return err
			}
			s.bus.Publish(act.Match, m.Seq())
		}
	}
	return nil
}
