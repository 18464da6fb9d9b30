package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/linesofaction/loa/sgf"
)

// convertCommand writes a record in another form.
type convertCommand struct {
	recordFlags
	To     string `required:"" enum:"sgf,text,json" placeholder:"FORM" help:"Form to write: sgf, text or json."`
	Output string `short:"o" default:"-" placeholder:"FILE" help:"File to write; - is standard output."`
	File   string `arg:"" name:"FILE" help:"Record in any readable form; - is standard input."`
}

// Run carries the subcommand out. Nothing is written before the whole record has been read.
func (c *convertCommand) Run(streams *Streams) error {
	options, err := c.options()
	if err != nil {
		return err
	}
	records, err := readRecords(c.File, options, streams)
	if err != nil {
		return err
	}
	text, err := sgf.Encode(sgf.Form(c.To), records...)
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	if c.Output == "-" {
		_, err := streams.Out.Write(text)
		return err
	}
	if err := replaceFile(c.Output, text); err != nil {
		return fmt.Errorf("%s: cannot be written: %w", c.Output, err)
	}
	return nil
}

// replaceFile puts data into a file, whole or not at all: it is written beside the file and takes its place and
// its permissions. What is not a regular file, such as a device, is written to as it is.
func replaceFile(name string, data []byte) error {
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target
	}
	mode := fs.FileMode(0o666)
	info, err := os.Stat(name)
	switch {
	case err == nil && info.IsDir():
		return errors.New("it is a directory")
	case err == nil && !info.Mode().IsRegular():
		return os.WriteFile(name, data, mode)
	case err == nil:
		mode = info.Mode().Perm()
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	beside := fmt.Sprintf("%s.%d.tmp", name, os.Getpid())
	file, err := os.OpenFile(beside, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	if err == nil && info != nil {
		err = file.Chmod(mode)
	}
	if err == nil {
		err = file.Sync()
	}
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(beside, name)
	}
	if err != nil {
		os.Remove(beside)
	}
	return err
}
