// Command pack writes a file into a directory, compressed as browsers take it, with the endings .gz and .br, that one
// last.
package main

import (
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/andybalholm/brotli"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: pack FILE DIRECTORY")
		os.Exit(2)
	}
	if err := pack(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

func pack(file, dir string) error {
	body, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	name := filepath.Join(dir, filepath.Base(file))
	err = write(name+".gz", body, func(w io.Writer) (io.WriteCloser, error) {
		return gzip.NewWriterLevel(w, gzip.BestCompression)
	})
	if err != nil {
		return err
	}
	return write(name+".br", body, func(w io.Writer) (io.WriteCloser, error) {
		return brotli.NewWriterOptions(w, brotli.WriterOptions{Quality: brotli.BestCompression, LGWin: 24}), nil
	})
}

func write(name string, body []byte, packer func(io.Writer) (io.WriteCloser, error)) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	defer file.Close()
	packed, err := packer(file)
	if err != nil {
		return err
	}
	if _, err := packed.Write(body); err != nil {
		return err
	}
	if err := packed.Close(); err != nil {
		return err
	}
	return file.Close()
}
