package store

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Backup writes a club to a new file while it is played: one moment of it as a SQLite file, packed by gzip, whatever kind
// of database it is in. The file is written when every row has been compared. An existing one is never touched.
func Backup(ctx context.Context, from *Store, file string) ([]Copied, error) {
	if _, err := os.Lstat(file); !errors.Is(err, fs.ErrNotExist) {
		return nil, errors.Join(fmt.Errorf("%q: %w", file, fs.ErrExist), err)
	}
	dir, err := os.MkdirTemp(filepath.Dir(file), ".loa-backup-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	to, err := Open(ctx, dir)
	if err != nil {
		return nil, err
	}
	copied, err := copyAll(ctx, from, to)
	if err == nil {
		err = to.sound(ctx)
	}
	if err = errors.Join(err, to.Close()); err != nil {
		return nil, err
	}
	if err := pack(filepath.Join(dir, FileName), file); err != nil {
		if !errors.Is(err, fs.ErrExist) {
			_ = os.Remove(file) // ours, and not whole
		}
		return nil, err
	}
	return copied, syncDir(filepath.Dir(file))
}

// ErrDamaged is returned for a backup that is not as it was written.
var ErrDamaged = errors.New("it is damaged")

// Restore brings a backup into an empty database, in one transaction, and compares every row. What is damaged, foreign or
// of a newer program is refused before anything is written. The errors are ErrDamaged, ErrNotEmpty, and whatever differs.
// The place of the target is looked at last, so that a refused backup leaves no new file behind.
func Restore(ctx context.Context, file, place string) (copied []Copied, err error) {
	near := os.TempDir()
	if !remote(place) { // where the club will have room, so has its copy
		if err := os.MkdirAll(place, 0o700); err != nil {
			return nil, fmt.Errorf("data directory %q cannot be made: %w", place, err)
		}
		near = place
	}
	dir, err := os.MkdirTemp(near, ".loa-restore-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := unpack(file, filepath.Join(dir, FileName)); err != nil {
		return nil, err
	}
	from, err := Open(ctx, dir)
	if err != nil {
		return nil, fmt.Errorf("%q: %w", file, err)
	}
	defer from.Close()
	if err := from.sound(ctx); err != nil {
		return nil, fmt.Errorf("%q: %w: %w", file, ErrDamaged, err)
	}
	fresh := !Exists(place)
	to, err := Open(ctx, place)
	if err != nil {
		return nil, err
	}
	copied, err = copyAll(ctx, from, to)
	if err = errors.Join(err, to.Close()); err != nil && fresh {
		for _, tail := range []string{"", "-wal", "-shm"} {
			_ = os.Remove(filepath.Join(place, FileName+tail)) // ours, and with nothing in it
		}
	}
	return copied, err
}

// Version returns the number of the newest migration that was carried out.
func (s *Store) Version(ctx context.Context) (n int64, err error) {
	err = s.db.QueryRowContext(ctx, `SELECT version_id FROM goose_db_version WHERE id = (SELECT MAX(id) FROM goose_db_version)`).Scan(&n)
	return n, err
}

// pack writes a file packed, and on disk.
func pack(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	zip, err := gzip.NewWriterLevel(out, gzip.BestSpeed)
	if err != nil {
		return err
	}
	if _, err := io.Copy(zip, in); err != nil {
		return err
	}
	return errors.Join(zip.Close(), out.Sync())
}

// unpack is the reverse of pack; the sum at the end of a packed file tells one that was changed.
func unpack(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	zip, err := gzip.NewReader(in)
	if err != nil {
		return fmt.Errorf("%q is not a file that loa admin backup wrote: %w: %w", from, ErrDamaged, err)
	}
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	_, err = io.Copy(out, zip)
	var path *fs.PathError
	if err == nil || errors.As(err, &path) {
		return err
	}
	return fmt.Errorf("%q: %w: %w", from, ErrDamaged, err)
}

// syncDir makes the names in a directory last, where a system can.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	_ = d.Sync() // Windows cannot
	return d.Close()
}
