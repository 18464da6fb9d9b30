package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/linesofaction/loa/internal/store"
)

// adminCopyCommand moves a club from one database to another.
type adminCopyCommand struct {
	From string `required:"" placeholder:"PLACE" help:"Where the club is: a directory with loa.db, or postgres://…."`
	To   string `required:"" placeholder:"PLACE" help:"Where it is to be: an empty database, postgres://…, or a directory without loa.db."`
}

// Run carries the subcommand out.
func (c *adminCopyCommand) Run(streams *Streams, admin *adminCommand) error {
	if admin.Data != os.Getenv("LOA_DATA") {
		return usagef("--data %q: copy takes --from and --to", admin.Data)
	}
	from, to := strings.TrimPrefix(c.From, "sqlite:"), strings.TrimPrefix(c.To, "sqlite:")
	if !store.Exists(from) {
		return fmt.Errorf("--from: no database %s in %q; expected the directory that loa serve uses", store.FileName, from)
	}
	if !isPostgres(to) && store.Exists(to) {
		return fmt.Errorf("--to: there is a database %s in %q already; expected an empty place", store.FileName, to)
	}
	ctx := context.Background()
	source, err := store.Open(ctx, from)
	if err != nil {
		return fmt.Errorf("--from: %w", err)
	}
	defer source.Close()
	target, err := store.Open(ctx, to)
	if err != nil {
		return fmt.Errorf("--to: %w", err)
	}
	defer target.Close()
	copied, err := store.Copy(ctx, source, target, time.Now())
	switch {
	case errors.Is(err, store.ErrServed):
		return fmt.Errorf("--from: %w; stop loa serve first, or what happens meanwhile would be lost", err)
	case errors.Is(err, store.ErrNotEmpty):
		return fmt.Errorf("--to: %w; expected an empty database", err)
	case err != nil:
		return err
	}
	if err := table(streams.Out, "TABLE\tROWS", copied, func(t store.Copied) string { return fmt.Sprintf("%s\t%d", t.Table, t.Rows) }); err != nil {
		return err
	}
	fmt.Fprintln(streams.Out, rowsOf(copied))
	return nil
}
