package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/linesofaction/loa/engine"
	"github.com/linesofaction/loa/ugi"
)

// ugiCommand speaks the line protocol.
type ugiCommand struct{}

// Run carries the subcommand out.
func (ugiCommand) Run(streams *Streams) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	who := ugi.Identity{Name: "loa " + versionText(), Author: "the Lines of Action authors"}
	return ugi.Serve(ctx, streams.In, streams.Out, who, engine.Options{})
}
