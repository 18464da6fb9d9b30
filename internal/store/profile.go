package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/linesofaction/loa/internal/account"
	"github.com/linesofaction/loa/internal/rating"
)

// Ratings returns the ratings of a person, most games first.
func (s *Store) Ratings(ctx context.Context, person string) ([]account.PoolRating, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT pool, mean, deviation, volatility, games, played FROM rating WHERE person = $1 ORDER BY games DESC, pool`, person)
	if err != nil {
		return nil, fmt.Errorf("reading the ratings of %s: %w", person, err)
	}
	defer rows.Close()
	var ratings []account.PoolRating
	for rows.Next() {
		var r account.PoolRating
		var played int64
		if err := rows.Scan(&r.Pool, &r.Rating.Mean, &r.Rating.Deviation, &r.Rating.Volatility, &r.Rating.Games, &played); err != nil {
			return nil, fmt.Errorf("reading the ratings of %s: %w", person, err)
		}
		r.Rating.Played = time.UnixMilli(played)
		ratings = append(ratings, r)
	}
	return ratings, rows.Err()
}

// History returns the last changes of a person's rating in a pool, oldest first, at most limit.
func (s *Store) History(ctx context.Context, person, pool string, limit int) ([]account.HistoryPoint, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT at, (SELECT after FROM rating_change WHERE closing = latest.number AND rating_change.person = $1) FROM (
			SELECT * FROM (SELECT number, at FROM closing WHERE black = $1 AND pool = $2 ORDER BY number DESC LIMIT $3) AS b
			UNION ALL
			SELECT * FROM (SELECT number, at FROM closing WHERE white = $1 AND pool = $2 ORDER BY number DESC LIMIT $3) AS w
			ORDER BY number DESC LIMIT $3
		) AS latest ORDER BY number`, person, pool, limit)
	if err != nil {
		return nil, fmt.Errorf("reading the history of %s in %s: %w", person, pool, err)
	}
	defer rows.Close()
	var points []account.HistoryPoint
	for rows.Next() {
		var p account.HistoryPoint
		var at int64
		if err := rows.Scan(&at, &p.Mean); err != nil {
			return nil, fmt.Errorf("reading the history of %s in %s: %w", person, pool, err)
		}
		p.At = time.UnixMilli(at)
		points = append(points, p)
	}
	return points, rows.Err()
}

// Leaders returns the members with the best ratings in a pool that are known well enough, at most limit.
func (s *Store) Leaders(ctx context.Context, pool string, limit int) ([]account.Leader, error) {
	// the limit of the deviation stands in the query as in the index; the constant fails to compile when it changes
	const _ = uint(rating.ProvisionalDeviation-110) + uint(110-rating.ProvisionalDeviation)
	rows, err := s.db.QueryContext(ctx, `SELECT `+personColumns+`, rating.mean, rating.deviation, rating.games FROM rating
		JOIN person ON person.id = rating.person WHERE rating.pool = $1 AND rating.deviation <= 110 AND person.member = 1
		ORDER BY rating.mean DESC LIMIT $2`, pool, limit)
	if err != nil {
		return nil, fmt.Errorf("reading the leaders of %s: %w", pool, err)
	}
	defer rows.Close()
	var leaders []account.Leader
	for rows.Next() {
		var l account.Leader
		if l.Person, err = scanPerson(rows, &l.Rating.Mean, &l.Rating.Deviation, &l.Rating.Games); err != nil {
			return nil, fmt.Errorf("reading the leaders of %s: %w", pool, err)
		}
		leaders = append(leaders, l)
	}
	return leaders, rows.Err()
}

// Pools returns the pools in which rated games were played, the busiest first.
func (s *Store) Pools(ctx context.Context) ([]string, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT name FROM pool WHERE people > 0 ORDER BY people DESC, name`)
	if err != nil {
		return nil, fmt.Errorf("reading the pools: %w", err)
	}
	defer rows.Close()
	var pools []string
	for rows.Next() {
		var pool string
		if err := rows.Scan(&pool); err != nil {
			return nil, fmt.Errorf("reading the pools: %w", err)
		}
		pools = append(pools, pool)
	}
	return pools, rows.Err()
}

// PlayedBy returns the matches of a person before an instant, the latest first, at most limit.
func (s *Store) PlayedBy(ctx context.Context, person string, before time.Time, limit int) ([]account.Played, error) {
	const (
		one  = ` UNION ALL SELECT * FROM (SELECT id, updated FROM match WHERE `
		last = ` AND updated < $2 ORDER BY updated DESC LIMIT $3) AS part`
	)
	rows, err := s.db.QueryContext(ctx, `SELECT games.id, games.black, COALESCE(b.name, ''), COALESCE(b.bot, 0), games.white, COALESCE(w.name, ''), COALESCE(w.bot, 0), games.rules, games.control, games.rated,
			games.plies, games.ended, games.winner, games.reason, games.updated
		FROM (SELECT '' AS id, 0 AS updated WHERE 1 = 0`+
		one+`black = $1 AND ended = 1`+last+one+`white = $1 AND black <> $1 AND ended = 1`+last+
		one+`black = $1 AND ended = 0`+last+one+`white = $1 AND black <> $1 AND ended = 0`+last+` ORDER BY updated DESC LIMIT $3) AS latest
		JOIN match games ON games.id = latest.id
		LEFT JOIN person b ON b.id = games.black LEFT JOIN person w ON w.id = games.white
		ORDER BY games.updated DESC`, person, before.UnixMilli(), limit)
	if err != nil {
		return nil, fmt.Errorf("reading the games of %s: %w", person, err)
	}
	defer rows.Close()
	var games []account.Played
	for rows.Next() {
		g, err := scanPlayed(rows)
		if err != nil {
			return nil, fmt.Errorf("reading the games of %s: %w", person, err)
		}
		games = append(games, g)
	}
	return games, rows.Err()
}

func scanPlayed(rows *sql.Rows) (account.Played, error) {
	var g account.Played
	var updated int64
	err := rows.Scan(&g.ID, &g.Black.ID, &g.Black.Name, &g.Black.Bot, &g.White.ID, &g.White.Name, &g.White.Bot, &g.Rules, &g.Control, &g.Rated,
		&g.Plies, &g.Ended, &g.Winner, &g.Reason, &updated)
	g.Updated = time.UnixMilli(updated)
	return g, err
}
