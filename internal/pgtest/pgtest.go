//go:build unix

// Package pgtest starts private PostgreSQL servers for tests.
package pgtest

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// ErrMissing is returned where no PostgreSQL is installed.
var ErrMissing = errors.New("no PostgreSQL server is installed: expected initdb and postgres in the PATH or in /usr/lib/postgresql/*/bin")

// Server is a PostgreSQL server in a directory of its own that listens on a socket there and nowhere else.
type Server struct {
	dir     string
	bin     string
	owner   *syscall.SysProcAttr
	process *exec.Cmd
	made    atomic.Int64
}

// Start starts a new server. One that starts fast may lose what it was told when the machine fails, and no sooner.
func Start(fast bool) (*Server, error) {
	s := &Server{}
	var err error
	if s.bin, err = binaries(); err != nil {
		return nil, err
	}
	if s.dir, err = os.MkdirTemp("", "loa-pg-"); err != nil {
		return nil, err
	}
	s.owner = &syscall.SysProcAttr{Setpgid: true}
	if os.Geteuid() == 0 { // PostgreSQL refuses to run as root
		if err := s.disown(); err != nil {
			return nil, errors.Join(err, os.RemoveAll(s.dir))
		}
	}
	initdb := s.command("initdb", "--no-sync", "--auth=trust", "--username=loa", "--encoding=UTF8", "--locale=C", "-D", s.data())
	if out, err := initdb.CombinedOutput(); err != nil {
		return nil, errors.Join(fmt.Errorf("initdb: %w\n%s", err, out), os.RemoveAll(s.dir))
	}
	if fast {
		err = s.configure("fsync = off\nsynchronous_commit = off\nfull_page_writes = off\n")
	}
	if err == nil {
		err = s.Run()
	}
	if err != nil {
		return nil, errors.Join(err, s.Remove())
	}
	return s, nil
}

// disown gives the directory to the user postgres, and the commands to come.
func (s *Server) disown() error {
	owner, err := user.Lookup("postgres")
	if err != nil {
		return fmt.Errorf("PostgreSQL does not run as root, and there is no user postgres: %w", err)
	}
	uid, uidErr := strconv.ParseUint(owner.Uid, 10, 32)
	gid, gidErr := strconv.ParseUint(owner.Gid, 10, 32)
	if err := errors.Join(uidErr, gidErr); err != nil {
		return err
	}
	s.owner.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	return os.Chown(s.dir, int(uid), int(gid))
}

// binaries returns the directory of the server's programs.
func binaries() (string, error) {
	if path, err := exec.LookPath("initdb"); err == nil {
		if path, err = filepath.EvalSymlinks(path); err == nil {
			if _, err := os.Stat(filepath.Join(filepath.Dir(path), "postgres")); err == nil {
				return filepath.Dir(path), nil
			}
		}
	}
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if err != nil || len(found) == 0 {
		return "", errors.Join(ErrMissing, err)
	}
	return filepath.Dir(found[len(found)-1]), nil
}

func (s *Server) data() string { return filepath.Join(s.dir, "data") }

func (s *Server) configure(text string) error {
	file, err := os.OpenFile(filepath.Join(s.data(), "postgresql.conf"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = file.WriteString(text)
	return errors.Join(err, file.Close())
}

func (s *Server) command(name string, args ...string) *exec.Cmd {
	c := exec.Command(filepath.Join(s.bin, name), args...)
	c.SysProcAttr, c.Dir = s.owner, s.dir
	c.Env = append(os.Environ(), "LC_ALL=C")
	return c
}

// Run starts the server, again if it ran before, and returns when it answers.
func (s *Server) Run() error {
	s.process = s.command("postgres", "-D", s.data(), "-k", s.dir, "-c", "listen_addresses=", "-c", "max_connections=200")
	log, err := os.OpenFile(filepath.Join(s.dir, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	s.process.Stderr = log
	if err := s.process.Start(); err != nil {
		return err
	}
	return s.answers()
}

// answers waits until the server takes connections.
func (s *Server) answers() error {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	for {
		err := s.sql(ctx, "SELECT 1")
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the server does not answer: %w", err)
		case <-time.After(30 * time.Millisecond):
		}
	}
}

func (s *Server) sql(ctx context.Context, statement string) error {
	c := exec.CommandContext(ctx, filepath.Join(s.bin, "psql"), "-h", s.dir, "-U", "loa", "-d", "postgres", "-qtAc", statement)
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", statement, err, strings.TrimSpace(string(out)))
	}
	return nil
}

// Database makes room for a new club and returns its address. It is a schema, which takes less time than a database.
func (s *Server) Database() (string, error) {
	name := fmt.Sprintf("club%d", s.made.Add(1))
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	if err := s.sql(ctx, "CREATE SCHEMA "+name); err != nil {
		return "", err
	}
	return "postgres:///postgres?" + url.Values{"host": {s.dir}, "user": {"loa"}, "search_path": {name}}.Encode(), nil
}

// Stop ends the server, which drops its connections and keeps what it has.
func (s *Server) Stop() error {
	if err := s.process.Process.Signal(syscall.SIGINT); err != nil {
		return err
	}
	return s.process.Wait()
}

// Remove ends the server, if it still runs, and removes its directory.
func (s *Server) Remove() error {
	if s.process != nil && s.process.ProcessState == nil {
		_ = s.process.Process.Signal(syscall.SIGQUIT)
		_ = s.process.Wait()
	}
	return os.RemoveAll(s.dir)
}
