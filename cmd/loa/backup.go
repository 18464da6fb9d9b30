package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/linesofaction/loa/internal/store"
)

// adminBackupCommand writes a club to a file while it is played.
type adminBackupCommand struct {
	To string `arg:"" placeholder:"FILE|DIR" help:"A file that is not there yet, or a directory, in which the file is named by the time."`
}

// Run carries the subcommand out.
func (c *adminBackupCommand) Run(streams *Streams, admin *adminCommand) error {
	file := c.To
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		file = filepath.Join(file, time.Now().UTC().Format("loa-20060102T150405Z.db.gz"))
	}
	return admin.with(func(ctx context.Context, db *store.Store) error {
		copied, err := store.Backup(ctx, db, file)
		if errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("there is a file %q already; expected a name that is free", file)
		}
		if err != nil {
			return fmt.Errorf("no backup was written: %w", err)
		}
		version, err := db.Version(ctx)
		if err != nil {
			return err
		}
		sum, size, err := sumOf(file)
		if err != nil {
			return err
		}
		fmt.Fprintf(streams.Out, "%s: %s, version %d, %d bytes, sha256 %s\n", file, rowsOf(copied), version, size, sum)
		return nil
	})
}

// adminRestoreCommand brings a backup into an empty place.
type adminRestoreCommand struct {
	From string `arg:"" placeholder:"FILE" help:"What loa admin backup wrote."`
}

// Run carries the subcommand out.
func (c *adminRestoreCommand) Run(streams *Streams, admin *adminCommand) error {
	where, err := admin.open(streams)
	if err != nil {
		return err
	}
	if !isPostgres(where) && store.Exists(where) {
		return fmt.Errorf("there is a database %s in %q already; expected an empty place", store.FileName, where)
	}
	copied, err := store.Restore(context.Background(), c.From, where)
	switch {
	case errors.Is(err, store.ErrNotEmpty):
		return fmt.Errorf("%w; expected an empty database", err)
	case err != nil:
		return fmt.Errorf("nothing was restored: %w", err)
	}
	fmt.Fprintf(streams.Out, "%s: %s\n", c.From, rowsOf(copied))
	return nil
}

// rowsOf sums up what was copied.
func rowsOf(copied []store.Copied) string {
	rows := 0
	for _, t := range copied {
		rows += t.Rows
	}
	return fmt.Sprintf("%d rows of %d tables copied and compared", rows, len(copied))
}

// sumOf returns the SHA-256 sum of a file, and its size.
func sumOf(name string) (string, int64, error) {
	file, err := os.Open(name)
	if err != nil {
		return "", 0, err
	}
	defer file.Close()
	sum := sha256.New()
	size, err := io.Copy(sum, file)
	return hex.EncodeToString(sum.Sum(nil)), size, err
}
