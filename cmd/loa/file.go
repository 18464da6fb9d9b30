package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// fileName is the name of a file or directory on the command line. An empty one is more likely a variable that was not
// set than a wish to do without.
type fileName string

// UnmarshalText reads a name.
func (n *fileName) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		return errors.New("expected a name, got an empty text")
	}
	*n = fileName(text)
	return nil
}

// writable reports, before long work is done for it, why a file could not be written under a name.
func writable(name string) error {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return fmt.Errorf("%s: it is a directory, expected the name of a file", name)
	}
	beside, err := createBeside(name)
	if err != nil || beside == nil {
		return err
	}
	return errors.Join(beside.Close(), os.Remove(beside.Name()))
}

// createBeside makes a file to be renamed when it is whole. It is nil where something that is no file has the name, such as a
// terminal, which nothing may take the place of.
func createBeside(name string) (*os.File, error) {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return nil, nil
	}
	beside, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*")
	var cause *fs.PathError
	if errors.As(err, &cause) {
		err = fmt.Errorf("%s: %w", name, cause.Err) // the name of the other file says nothing
	}
	return beside, err
}

// writeWhole writes a file that appears only when it is whole.
func writeWhole(name string, write func(io.Writer) error) error {
	beside, err := createBeside(name)
	if err != nil {
		return err
	}
	if beside == nil {
		to, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(write(to), to.Close())
	}
	err = write(beside)
	if err == nil {
		err = beside.Sync()
	}
	if closing := beside.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = os.Chmod(beside.Name(), 0o644)
	}
	if err == nil {
		err = os.Rename(beside.Name(), name)
	}
	if err != nil {
		os.Remove(beside.Name())
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
