package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/clock"
	"github.com/linesofaction/loa/internal/live"
	"github.com/linesofaction/loa/internal/lobby"
	"github.com/linesofaction/loa/internal/match"
	"github.com/linesofaction/loa/internal/rating"
)

// reader is a database or a transaction of it.
type reader interface {
	Query(query string, args ...any) (*sql.Rows, error)
	QueryRow(query string, args ...any) *sql.Row
}

// ahead tells the two kinds of seeks apart. The column alive is when the maker last gave a sign of life; of a seek that stands by itself it is
// a life before its end, and so further ahead of now than the clocks of two processes differ.
const ahead = live.SeekLife

// PutSeek stores a seek or marks it as alive; see live.LobbyStore.
func (s *Store) PutSeek(ctx context.Context, seek lobby.Seeker) (begun bool, err error) {
	w, now := seek.Wish, seek.Since
	alive := now
	if !seek.Until.IsZero() {
		alive = seek.Until.Add(-live.SeekLife)
	}
	err = s.writer.do(ctx, func(tx *transaction) error {
		if !seek.Until.IsZero() {
			var others int
			if err := tx.QueryRow(`SELECT COUNT(*) FROM seek WHERE person = $1 AND setting <> $2 AND alive > $3`,
				seek.Person, w.Setting(), now.Add(ahead).UnixMilli()).Scan(&others); err != nil {
				return err
			}
			if others >= live.StandingSeeks(seek.Guest) {
				return live.ErrManySeeks
			}
		}
		var last int64
		err := tx.QueryRow(`SELECT alive FROM seek WHERE person = $1 AND setting = $2`, seek.Person, w.Setting()).Scan(&last)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		begun = err != nil || last < now.Add(-live.SeekLife).UnixMilli()
		anew := err != nil || last < now.Add(-2*live.SeekLife).UnixMilli()
		_, err = tx.Exec(`INSERT INTO seek (person, setting, rules, control, rated, color, below, above, since, alive)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
			ON CONFLICT (person, setting) DO UPDATE SET since = CASE WHEN $11 = 1 THEN $9 ELSE seek.since END,
				alive = CASE WHEN seek.alive > $10 THEN seek.alive ELSE $10 END`,
			seek.Person, w.Setting(), w.Rules.String(), w.Control.String(), number(w.Rated), w.Color.String(), w.Below, w.Above,
			now.UnixMilli(), alive.UnixMilli(), number(anew))
		return err
	})
	if errors.Is(err, live.ErrManySeeks) {
		return false, err
	}
	if err != nil {
		return false, fmt.Errorf("storing a seek of %s: %w", seek.Person, err)
	}
	return begun, nil
}

// DropSeeks removes seeks of a person that do not stand by themselves; see live.LobbyStore.
func (s *Store) DropSeeks(ctx context.Context, person, setting string, now time.Time) error {
	err := s.writer.do(ctx, func(tx *transaction) error {
		_, err := tx.Exec(`DELETE FROM seek WHERE person = $1 AND ($2 = '' OR setting = $2) AND alive <= $3`, person, setting, now.Add(ahead).UnixMilli())
		return err
	})
	if err != nil {
		return fmt.Errorf("removing seeks of %s: %w", person, err)
	}
	return nil
}

// WithdrawSeeks removes seeks of a person, whether they stand by themselves or not; see live.LobbyStore.
func (s *Store) WithdrawSeeks(ctx context.Context, person, setting string) error {
	err := s.writer.do(ctx, func(tx *transaction) error {
		_, err := tx.Exec(`DELETE FROM seek WHERE person = $1 AND ($2 = '' OR setting = $2)`, person, setting)
		return err
	})
	if err != nil {
		return fmt.Errorf("withdrawing seeks of %s: %w", person, err)
	}
	return nil
}

// RestSeek lets a seek be remembered for a while that is not alive; see live.LobbyStore.
func (s *Store) RestSeek(ctx context.Context, person, setting string, now time.Time) error {
	err := s.writer.do(ctx, func(tx *transaction) error {
		_, err := tx.Exec(`UPDATE seek SET alive = $3 WHERE person = $1 AND setting = $2 AND alive > $3 AND alive <= $4`,
			person, setting, now.Add(-live.SeekLife).UnixMilli()-1, now.Add(ahead).UnixMilli())
		return err
	})
	if err != nil {
		return fmt.Errorf("ending a seek of %s: %w", person, err)
	}
	return nil
}

// seeksAlive selects the seeks that are alive at an instant with who makes them: nobody who is barred from games, and no guest whom no browser
// can be any more.
const seeksAlive = `SELECT seek.person, person.name, person.member, person.bot, seek.setting, seek.rules, seek.control, seek.rated, seek.color, seek.below, seek.above,
		seek.since, seek.alive
	FROM seek JOIN person ON person.id = seek.person
	WHERE seek.alive >= $1 AND person.barred <= $2 AND (person.member = 1 OR EXISTS (SELECT 1 FROM session WHERE session.person = seek.person))`

// Seeks returns the seeks that are alive; see live.LobbyStore.
func (s *Store) Seeks(_ context.Context, now time.Time) ([]lobby.Seeker, error) {
	seekers, err := readSeeks(s.db, now, seeksAlive+` ORDER BY seek.since, seek.person`)
	if err != nil {
		return nil, fmt.Errorf("reading seeks: %w", err)
	}
	return seekers, nil
}

// Standing returns what bears on pairing a person; see live.LobbyStore.
func (s *Store) Standing(_ context.Context, person string) (lobby.Standing, error) {
	standing, err := readStanding(s.db, person)
	if err != nil {
		return standing, fmt.Errorf("reading the standing of %s: %w", person, err)
	}
	return standing, nil
}

// PairSeeks pairs living seeks and begins their matches; see live.LobbyStore.
func (s *Store) PairSeeks(ctx context.Context, now time.Time, people []string, pair func([]lobby.Seeker) ([]live.NewMatch, error)) ([]live.NewMatch, error) {
	var made []live.NewMatch
	err := s.writer.do(ctx, func(tx *transaction) error {
		if _, err := tx.Exec(`DELETE FROM seek WHERE alive < $1`, now.Add(-2*live.SeekLife).UnixMilli()); err != nil {
			return err
		}
		var seekers []lobby.Seeker
		for _, person := range people {
			found, err := readSeeks(tx, now, seeksAlive+` AND seek.person = $3 ORDER BY seek.since`, person)
			if err != nil {
				return err
			}
			standing, err := readStanding(tx, person)
			if err != nil {
				return err
			}
			for _, one := range found {
				seekers = append(seekers, standing.Of(one))
			}
		}
		var err error
		if made, err = pair(seekers); err != nil {
			return err
		}
		for _, m := range made {
			if err := beginPaired(tx, m, now); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return made, nil
}

// TakeSeek begins the match of a seek with who takes it; see live.LobbyStore.
func (s *Store) TakeSeek(ctx context.Context, now time.Time, seek, by lobby.Seeker, join func(seek, by lobby.Seeker) (live.NewMatch, error)) (live.NewMatch, error) {
	var m live.NewMatch
	err := s.writer.do(ctx, func(tx *transaction) error {
		found, err := readSeeks(tx, now, seeksAlive+` AND seek.person = $3 AND seek.setting = $4`, seek.Person, seek.Wish.Setting())
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return live.ErrGone
		}
		his, err := readStanding(tx, seek.Person)
		if err != nil {
			return err
		}
		own, err := readStanding(tx, by.Person)
		if err != nil {
			return err
		}
		by.Wish = seek.Wish
		if m, err = join(his.Of(found[0]), own.Of(by)); err != nil {
			return err
		}
		return beginPaired(tx, m, now)
	})
	return m, err
}

// beginPaired stores the match of a pairing and removes the seeks it came from. With a game that is played at once, all others end that do not
// stand by themselves.
func beginPaired(tx *transaction, m live.NewMatch, now time.Time) error {
	for _, one := range m.Seekers {
		others := now.Add(ahead).UnixMilli()
		if one.Wish.Days() {
			others = 0
		}
		if _, err := tx.Exec(`DELETE FROM seek WHERE person = $1 AND (setting = $2 OR alive <= $3)`, one.Person, one.Wish.Setting(), others); err != nil {
			return err
		}
	}
	return appendEntries(tx, m.Entries, m.Summary)
}

// readSeeks reads the seeks of a query that begins with seeksAlive, without how their makers stand.
func readSeeks(db reader, now time.Time, query string, args ...any) ([]lobby.Seeker, error) {
	rows, err := db.Query(query, append([]any{now.Add(-live.SeekLife).UnixMilli(), now.UnixMilli()}, args...)...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var seekers []lobby.Seeker
	for rows.Next() {
		var s lobby.Seeker
		var setting, rules, control, color string
		var member bool
		var since, alive int64
		if err := rows.Scan(&s.Person, &s.Name, &member, &s.Bot, &setting, &rules, &control, &s.Wish.Rated, &color, &s.Wish.Below, &s.Wish.Above, &since, &alive); err != nil {
			return nil, err
		}
		s.ID, s.Since, s.Guest = lobby.SeekID(s.Person, setting), time.UnixMilli(since), !member
		if last := time.UnixMilli(alive); last.After(now.Add(ahead)) {
			s.Until = last.Add(live.SeekLife)
		}
		if s.Wish, err = readWish(s.Wish, rules, control, color); err != nil {
			return nil, err
		}
		seekers = append(seekers, s)
	}
	return seekers, rows.Err()
}

// readWish fills in the parts of a wish that are stored as text.
func readWish(w lobby.Wish, rules, control, color string) (lobby.Wish, error) {
	var err error
	if w.Rules, err = loa.ParseRules(rules); err != nil {
		return w, err
	}
	if w.Control, err = clock.Parse(control); err != nil {
		return w, err
	}
	w.Color = loa.NoColor
	if color != loa.NoColor.String() {
		w.Color, err = loa.ParseColor(color)
	}
	return w, err
}

// lately is the number of games that color balance and reliability are made out from.
const lately = 20

// readStanding reads ratings, colors, reliability, blocks and the last opponent of a person.
func readStanding(db reader, person string) (lobby.Standing, error) {
	var s lobby.Standing
	err := db.QueryRow(`SELECT bot FROM person WHERE id = $1`, person).Scan(&s.Bot)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return s, err
	}
	if s.Ratings, err = readRatings(db, person); err != nil {
		return s, err
	}
	if s.Blocked, err = readTexts(db, `SELECT other FROM block WHERE person = $1`, person); err != nil {
		return s, err
	}
	const (
		one  = `SELECT * FROM (SELECT id, black, white, ended, winner, reason, updated FROM match WHERE `
		last = ` ORDER BY updated DESC LIMIT $2) AS part`
	)
	rows, err := db.Query(`SELECT black, white, ended, winner, reason, updated, COALESCE(event.version, 0), COALESCE(event.body, '') FROM (SELECT * FROM (`+
		one+`black = $1 AND ended = 1`+last+` UNION ALL `+one+`white = $1 AND ended = 1`+last+` UNION ALL `+
		one+`black = $1 AND ended = 0`+last+` UNION ALL `+one+`white = $1 AND ended = 0`+last+`
		) AS games WHERE black <> '' AND white <> '' ORDER BY updated DESC LIMIT $2) AS lately
		LEFT JOIN event ON event.match_id = lately.id AND event.kind = 'ended' AND lately.reason IN ('aborted', 'flag', 'abandoned') ORDER BY updated DESC`, person, lately)
	if err != nil {
		return s, err
	}
	defer rows.Close()
	games, left := 0, 0
	for rows.Next() {
		var black, white, winner, reason, end string
		var ended bool
		var updated int64
		var version int
		if err := rows.Scan(&black, &white, &ended, &winner, &reason, &updated, &version, &end); err != nil {
			return s, err
		}
		mine, other := loa.Black, white
		s.Blacks++
		if black != person {
			mine, other = loa.White, black
			s.Blacks -= 2
		}
		if s.Last == "" {
			s.Last, s.LastEnd = other, time.UnixMilli(updated)
		}
		if ended {
			games++
			by := leftBy(version, end)
			if by == mine || by == loa.NoColor && reason == loa.Abandoned.String() && winner == mine.Opponent().String() {
				left++
			}
		}
	}
	// two games more are counted as kept, so that one bad day does not condemn a newcomer
	s.Kept = float64(games-left+2) / float64(games+2)
	return s, rows.Err()
}

// readRatings returns the ratings of a person by pool.
func readRatings(db reader, person string) (map[string]rating.Rating, error) {
	rows, err := db.Query(`SELECT pool, mean, deviation, volatility, games, played FROM rating WHERE person = $1`, person)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	ratings := map[string]rating.Rating{}
	for rows.Next() {
		var pool string
		var r rating.Rating
		var played int64
		if err := rows.Scan(&pool, &r.Mean, &r.Deviation, &r.Volatility, &r.Games, &played); err != nil {
			return nil, err
		}
		r.Played = time.UnixMilli(played)
		ratings[pool] = r
	}
	return ratings, rows.Err()
}

// leftBy returns who left a match, from the stored form of its end; NoColor where that says nothing of it.
func leftBy(version int, end string) loa.Color {
	event, err := match.Decode(version, match.Ended{}.Kind(), []byte(end))
	if ended, ok := event.(match.Ended); err == nil && ok && match.Leavable(ended.Outcome.Reason) {
		return ended.By
	}
	return loa.NoColor
}

// readTexts returns the one text column of a query.
func readTexts(db reader, query string, args ...any) ([]string, error) {
	rows, err := db.Query(query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var texts []string
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		texts = append(texts, text)
	}
	return texts, rows.Err()
}

const challengeColumns = `challenge.id, challenge.maker, person.name, 1 - person.member, person.bot, challenge.invited, challenge.rules, challenge.control, challenge.rated,
	challenge.color, challenge.made, challenge.match_id, challenge.refused`

// scanner is one row of a query.
type scanner interface{ Scan(dest ...any) error }

func scanChallenge(row scanner) (lobby.Challenge, error) {
	var c lobby.Challenge
	var rules, control, color string
	var made int64
	if err := row.Scan(&c.ID, &c.From, &c.Name, &c.Guest, &c.Bot, &c.To, &rules, &control, &c.Wish.Rated, &color, &made, &c.Match, &c.Refused); err != nil {
		return c, err
	}
	var err error
	c.Made = time.UnixMilli(made)
	c.Wish, err = readWish(c.Wish, rules, control, color)
	return c, err
}

// PutChallenge stores a challenge.
func (s *Store) PutChallenge(ctx context.Context, c lobby.Challenge) error {
	err := s.writer.do(ctx, func(tx *transaction) error {
		_, err := tx.Exec(`INSERT INTO challenge (id, maker, invited, rules, control, rated, color, made, match_id, refused)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, '', 0)`,
			c.ID, c.From, c.To, c.Wish.Rules.String(), c.Wish.Control.String(), number(c.Wish.Rated), c.Wish.Color.String(), c.Made.UnixMilli())
		return err
	})
	if err != nil {
		return fmt.Errorf("storing a challenge of %s: %w", c.From, err)
	}
	return nil
}

// Challenge returns a challenge; see live.LobbyStore.
func (s *Store) Challenge(ctx context.Context, id string) (lobby.Challenge, error) {
	c, err := scanChallenge(s.db.QueryRowContext(ctx, `SELECT `+challengeColumns+` FROM challenge JOIN person ON person.id = challenge.maker WHERE challenge.id = $1`, id))
	if errors.Is(err, sql.ErrNoRows) {
		return c, live.ErrNotFound
	}
	if err != nil {
		return c, fmt.Errorf("reading challenge %s: %w", id, err)
	}
	return c, nil
}

// Challenges returns the open challenges of a person; see live.LobbyStore.
func (s *Store) Challenges(ctx context.Context, person string, since time.Time, limit int) ([]lobby.Challenge, error) {
	const (
		open = ` AND made >= $2 AND match_id = '' AND refused = 0 ORDER BY made DESC LIMIT $3) AS part`
		one  = `SELECT id FROM (SELECT id FROM challenge WHERE `
	)
	rows, err := s.db.QueryContext(ctx, `SELECT `+challengeColumns+` FROM challenge JOIN person ON person.id = challenge.maker
		WHERE challenge.id IN (`+one+`maker = $1`+open+` UNION `+one+`invited = $1 AND invited <> ''`+open+`) ORDER BY challenge.made DESC LIMIT $3`,
		person, since.UnixMilli(), limit)
	if err != nil {
		return nil, fmt.Errorf("reading the challenges of %s: %w", person, err)
	}
	defer rows.Close()
	var challenges []lobby.Challenge
	for rows.Next() {
		c, err := scanChallenge(rows)
		if err != nil {
			return nil, fmt.Errorf("reading the challenges of %s: %w", person, err)
		}
		challenges = append(challenges, c)
	}
	return challenges, rows.Err()
}

// TakeChallenge begins the match of an open challenge; see live.LobbyStore.
func (s *Store) TakeChallenge(ctx context.Context, id string, m live.NewMatch) error {
	return s.writer.do(ctx, func(tx *transaction) error {
		if err := closeChallenge(tx, `UPDATE challenge SET match_id = $2 WHERE id = $1 AND match_id = '' AND refused = 0`, id, string(m.Summary.ID)); err != nil {
			return err
		}
		return appendEntries(tx, m.Entries, m.Summary)
	})
}

// RefuseChallenge closes an open challenge; see live.LobbyStore.
func (s *Store) RefuseChallenge(ctx context.Context, id string) error {
	return s.writer.do(ctx, func(tx *transaction) error {
		return closeChallenge(tx, `UPDATE challenge SET refused = 1 WHERE id = $1 AND match_id = '' AND refused = 0`, id)
	})
}

// closeChallenge runs an update that must change one row.
func closeChallenge(tx *transaction, update string, args ...any) error {
	result, err := tx.Exec(update, args...)
	if err != nil {
		return err
	}
	if changed, err := result.RowsAffected(); err != nil || changed != 1 {
		return errors.Join(live.ErrConflict, err)
	}
	return nil
}
