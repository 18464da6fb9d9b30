package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// ownServer is a server that this program started as another process of itself, on a directory of its own.
type ownServer struct {
	dir     string
	base    string // http://host:port
	process *exec.Cmd
	args    []string
	env     []string // beside that of this process
}

// startServer starts this program with a subcommand that serves, and waits until it listens.
func startServer(ctx context.Context, args ...string) (*ownServer, error) {
	return startServerOn(ctx, nil, args...)
}

// startServerOn is startServer on the database that a variable of env names, if there is one.
func startServerOn(ctx context.Context, env []string, args ...string) (*ownServer, error) {
	dir, err := os.MkdirTemp("", "loa-own-")
	if err != nil {
		return nil, err
	}
	s := &ownServer{dir: dir, args: slices.Clone(args), env: env}
	if env == nil {
		s.args = append(s.args, "--data", dir)
	}
	if args[0] == "serve" {
		s.args = append(s.args, "--listen", "127.0.0.1:0")
	}
	if err := s.start(ctx); err != nil {
		os.RemoveAll(dir)
		return nil, err
	}
	return s, nil
}

// start starts the process, again at the same address if it ran before.
func (s *ownServer) start(ctx context.Context) error {
	binary, err := os.Executable()
	if err != nil {
		return err
	}
	args := s.args
	if s.base != "" {
		args = append(args[:len(args)-1:len(args)-1], strings.TrimPrefix(s.base, "http://"))
	}
	s.process = exec.CommandContext(ctx, binary, args...)
	s.process.Env = append(os.Environ(), s.env...)
	out, err := s.process.StdoutPipe()
	if err != nil {
		return err
	}
	name := filepath.Join(s.dir, "log")
	log, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	s.process.Stderr = log
	if err := s.process.Start(); err != nil {
		return err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		text, _ := os.ReadFile(name)
		return fmt.Errorf("the server did not start: %w\n%s", err, text)
	}
	s.base = strings.TrimPrefix(strings.TrimSpace(line), "listening on ")
	return nil
}

// kill ends the process without warning.
func (s *ownServer) kill() error {
	if err := s.process.Process.Kill(); err != nil {
		return err
	}
	_ = s.process.Wait() // says that it was killed
	return nil
}

// stop lets the process end by itself.
func (s *ownServer) stop() error {
	if err := s.process.Process.Signal(os.Interrupt); err != nil {
		return err
	}
	return s.process.Wait()
}

// remove ends the process, if it still runs, and removes its directory.
func (s *ownServer) remove() {
	_ = s.process.Process.Kill() // it may have ended
	_ = s.process.Wait()
	os.RemoveAll(s.dir)
}
