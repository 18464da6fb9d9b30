package store

import (
	"context"
	"fmt"
	"strings"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/account"
	"github.com/linesofaction/loa/internal/live"
)

// tallyEnd counts how a match ended for both sides, and no longer how it had ended before, if it had. It runs before
// the match's row is changed.
func tallyEnd(tx *transaction, m live.Summary, first bool) error {
	if !first {
		var ended bool
		var winner, reason string
		if err := tx.QueryRow(`SELECT ended, winner, reason FROM match WHERE id = $1`, string(m.ID)).Scan(&ended, &winner, &reason); err != nil {
			return err
		}
		if ended {
			if err := count(tx, m, winner, reason, -1); err != nil {
				return err
			}
		}
	}
	return count(tx, m, m.Outcome.Winner.String(), m.Outcome.Reason.String(), 1)
}

// count adds so many games to the tallies of both sides. A game that was called off counts for nobody.
func count(tx *transaction, m live.Summary, winner, reason string, games int) error {
	if reason == loa.Aborted.String() {
		return nil
	}
	rules, _, _ := strings.Cut(m.Rules, ":")
	for _, side := range [2]struct{ person, opponent, color string }{
		{m.Black, m.White, loa.Black.String()},
		{m.White, m.Black, loa.White.String()},
	} {
		if side.person == "" {
			continue
		}
		var won, lost, drawn int
		switch winner {
		case side.color:
			won = games
		case loa.NoColor.String():
			drawn = games
		default:
			lost = games
		}
		if _, err := tx.Exec(`INSERT INTO tally (person, rules, engine, won, lost, drawn) VALUES ($1, $2, $3, $4, $5, $6)
			ON CONFLICT (person, rules, engine) DO UPDATE SET won = tally.won + $4, lost = tally.lost + $5, drawn = tally.drawn + $6`,
			side.person, rules, number(side.opponent == ""), won, lost, drawn); err != nil {
			return err
		}
	}
	return nil
}

// Scores returns how a person's finished games went, by rule set and kind of opponent, the most played first.
func (s *Store) Scores(ctx context.Context, person string) ([]account.Score, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT rules, engine, won, lost, drawn FROM tally WHERE person = $1 AND won + lost + drawn > 0
		ORDER BY engine, won + lost + drawn DESC, rules`, person)
	if err != nil {
		return nil, fmt.Errorf("reading the tally of %s: %w", person, err)
	}
	defer rows.Close()
	var scores []account.Score
	for rows.Next() {
		var score account.Score
		if err := rows.Scan(&score.Rules, &score.Engine, &score.Won, &score.Lost, &score.Drawn); err != nil {
			return nil, fmt.Errorf("reading the tally of %s: %w", person, err)
		}
		scores = append(scores, score)
	}
	return scores, rows.Err()
}
