//go:build !js

// What travels to a coach elsewhere is no part of the engine in the browser: encoding/json would make it larger.

package coach

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/puzzle"
)

// Line carries a question to a process that answers it, and the answer back.
type Line interface {
	Ask(ctx context.Context, question []byte) ([]byte, error)
}

// Client asks a coach, wherever it is. It is safe for use by many goroutines.
type Client struct{ line Line }

// NewClient returns a client that asks over a line.
func NewClient(line Line) *Client { return &Client{line} }

const (
	spoken = 1 // the version of questions and answers

	patience = 5 * time.Second // for an answer; fifteen times what a hard one takes
	longest  = 2 * patience    // with every try
	tries    = 3               // where a coach is busy or does not answer: there may be others
	pause    = 150 * time.Millisecond
)

// What can be asked.
const (
	askJudge   = "judge"
	askHint    = "hint"
	askThreats = "threats"
	askReview  = "review"
)

// question is what travels to the coach. It holds all that is needed, so that any process can answer.
type question struct {
	V      int      `json:"v"`
	Ask    string   `json:"ask"`
	Within int64    `json:"within"` // milliseconds, after which nobody waits for the answer
	Puzzle string   `json:"puzzle,omitempty"`
	Rules  string   `json:"rules,omitempty"`
	Start  string   `json:"start,omitempty"`
	Moves  []string `json:"moves,omitempty"`
}

// reply is what travels back: an answer, or why there is none.
type reply struct {
	V      int             `json:"v"`
	Answer json.RawMessage `json:"answer,omitempty"`
	Fault  string          `json:"fault,omitempty"` // one of faults, or other
	Text   string          `json:"text,omitempty"`
}

// faults are the errors that a client gets as such.
var faults = map[string]error{"busy": ErrBusy, "unproved": ErrUnproved, "illegal": loa.ErrIllegal}

// Judge asks what moves in a puzzle lead to; see Coach.Judge. Errors: loa.ErrIllegal, ErrUnproved, ErrBusy, ErrUnanswered.
func (c *Client) Judge(ctx context.Context, z *puzzle.Puzzle, own []loa.Move) (Verdict, error) {
	var v Verdict
	err := c.ask(ctx, question{Ask: askJudge, Puzzle: z.String(), Moves: texts(own)}, &v)
	return v, err
}

// Hint asks what to play in a game that is not over. Errors: ErrBusy, ErrUnanswered.
func (c *Client) Hint(ctx context.Context, g *loa.Game) (Hint, error) {
	var h Hint
	err := c.ask(ctx, about(askHint, g), &h)
	return h, err
}

// Threats asks what both sides threaten, the side that is to move last. Errors: ErrBusy, ErrUnanswered.
func (c *Client) Threats(ctx context.Context, g *loa.Game) ([2]Threat, error) {
	var t [2]Threat
	err := c.ask(ctx, about(askThreats, g), &t)
	return t, err
}

// Review asks what became of the last move of a game that is not over. Errors: ErrBusy, ErrUnanswered.
func (c *Client) Review(ctx context.Context, g *loa.Game) (Review, error) {
	var r Review
	err := c.ask(ctx, about(askReview, g), &r)
	return r, err
}

// about returns a question about a game.
func about(ask string, g *loa.Game) question {
	var moves []loa.Move
	for ply := range g.Plies() {
		moves = append(moves, g.Move(ply))
	}
	return question{Ask: ask, Rules: g.Rules().String(), Start: g.Start().Setup().String(), Moves: texts(moves)}
}

func texts(moves []loa.Move) []string {
	out := make([]string, len(moves))
	for i, m := range moves {
		out[i] = m.String()
	}
	return out
}

// ask asks, again where a coach was busy or did not answer, and reads the answer.
func (c *Client) ask(ctx context.Context, q question, into any) error {
	until, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	for try := 1; ; try++ {
		err := c.askOnce(until, q, into)
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return ctx.Err() // the asker has gone
		case try == tries || until.Err() != nil || !errors.Is(err, ErrBusy) && !errors.Is(err, context.DeadlineExceeded):
			return err
		}
		select {
		case <-time.After(pause):
		case <-until.Done():
			return err
		}
	}
}

func (c *Client) askOnce(ctx context.Context, q question, into any) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	q.V, q.Within = spoken, patience.Milliseconds()
	body, err := json.Marshal(q)
	if err != nil {
		return err
	}
	if body, err = c.line.Ask(ctx, body); err != nil {
		return fmt.Errorf("%w: %w", ErrUnanswered, err)
	}
	var r reply
	if err := json.Unmarshal(body, &r); err != nil || r.V != spoken {
		return fmt.Errorf("%w that speaks as this program does: %.80q", ErrUnanswered, body)
	}
	if r.Fault == "" {
		return json.Unmarshal(r.Answer, into)
	}
	if fault := faults[r.Fault]; fault != nil {
		return fmt.Errorf("%w: %s", fault, r.Text)
	}
	return errors.New(r.Text)
}

// Answer answers a question that a Client asked. What it cannot read or answer it answers with the reason.
func (c *Coach) Answer(ctx context.Context, body []byte) []byte {
	answer, err := c.answer(ctx, body)
	r := reply{V: spoken}
	if err == nil {
		r.Answer, err = json.Marshal(answer)
	}
	if err != nil {
		r.Fault, r.Text = "other", err.Error()
		for name, fault := range faults {
			if errors.Is(err, fault) {
				r.Fault = name
			}
		}
		if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
			r.Fault = "busy" // or about to stop; another may have the time
		}
	}
	body, err = json.Marshal(r)
	if err != nil {
		panic(err) // texts and numbers can be written
	}
	return body
}

func (c *Coach) answer(ctx context.Context, body []byte) (any, error) {
	var q question
	if err := json.Unmarshal(body, &q); err != nil {
		return nil, fmt.Errorf("the question cannot be read: %w", err)
	}
	if q.V != spoken {
		return nil, fmt.Errorf("question of version %d, expected %d", q.V, spoken)
	}
	ctx, cancel := context.WithTimeout(ctx, min(patience, time.Duration(q.Within)*time.Millisecond))
	defer cancel()
	moves := make([]loa.Move, len(q.Moves))
	for i, text := range q.Moves {
		var err error
		if moves[i], _, err = loa.ParseMove(text); err != nil {
			return nil, err
		}
	}
	if q.Ask == askJudge {
		z, err := puzzle.Parse(q.Puzzle)
		if err != nil {
			return nil, err
		}
		return c.Judge(ctx, z, moves)
	}
	game, err := gameOf(q.Rules, q.Start, moves)
	if err != nil {
		return nil, err
	}
	switch q.Ask {
	case askHint:
		return c.Hint(ctx, game)
	case askThreats:
		return c.Threats(ctx, game)
	case askReview:
		if game.Plies() == 0 {
			return nil, errors.New("a review of a game without moves")
		}
		return c.Review(ctx, game)
	}
	return nil, fmt.Errorf("question %.80q, expected %s, %s, %s or %s", q.Ask, askJudge, askHint, askThreats, askReview)
}

// gameOf returns the game that a question is about.
func gameOf(rulesText, startText string, moves []loa.Move) (*loa.Game, error) {
	rules, err := loa.ParseRules(rulesText)
	if err != nil {
		return nil, err
	}
	setup, err := loa.ParseSetup(startText)
	if err != nil {
		return nil, err
	}
	game, err := loa.NewGameFrom(rules, setup)
	if err != nil {
		return nil, err
	}
	for _, m := range moves {
		if err := game.Play(m); err != nil {
			return nil, err
		}
	}
	return game, nil
}
