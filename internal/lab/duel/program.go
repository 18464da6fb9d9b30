package duel

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/engine"
	"github.com/linesofaction/loa/ugi"
)

// program is another program that speaks the line protocol.
type program struct {
	command  []string
	limits   engine.Limits
	patience time.Duration
	client   *ugi.Client        // nil when it is not running
	kill     context.CancelFunc // ends it
}

// Program returns a player that is a command speaking the Universal Game Interface. It is started when it is needed
// and again for the next game after a fault. Everything it is asked must be answered within some time besides that
// for a move.
func Program(command []string, limits engine.Limits, patience time.Duration) Player {
	return &program{command: command, limits: limits, patience: patience}
}

func (p *program) NewGame(ctx context.Context) error {
	return p.attempt(ctx, func(ctx context.Context) error {
		if p.client == nil {
			client, err := ugi.Start(ctx, p.command[0], p.command[1:]...)
			if err != nil {
				return err
			}
			p.client = client
		}
		return p.client.NewGame(ctx)
	})
}

func (p *program) Move(ctx context.Context, g *loa.Game) (m loa.Move, err error) {
	err = p.attempt(ctx, func(ctx context.Context) error {
		m, _, err = p.client.Search(ctx, g, p.limits, nil)
		return err
	})
	return m, err
}

// attempt asks the program something. A program that fails is ended, one that is silent for too long as well. The
// context of the program is that of the series, which outlives the question.
func (p *program) attempt(ctx context.Context, ask func(context.Context) error) error {
	if p.kill == nil {
		ctx, p.kill = context.WithCancel(ctx)
	}
	patience := p.patience + p.limits.MoveTime
	silent := time.AfterFunc(patience, p.kill)
	err := ask(ctx)
	switch late := !silent.Stop(); {
	case late:
		err = fmt.Errorf("no answer within %s", patience)
		_ = p.Close() // it was killed
	case errors.Is(err, ugi.ErrEnded):
		if end := p.Close(); end != nil {
			err = fmt.Errorf("%w: %w", err, end)
		}
	case err != nil:
		p.kill()
		_ = p.Close()
	default:
		return nil
	}
	return &Fault{fmt.Errorf("%s: %w", p.command[0], err)}
}

// Close ends the program.
func (p *program) Close() (err error) {
	if p.client != nil {
		err = p.client.Close()
		p.client = nil
	}
	if p.kill != nil {
		p.kill()
		p.kill = nil
	}
	return err
}
