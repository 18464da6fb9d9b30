//go:build unix

package ugi

import (
	"os/exec"
	"syscall"
)

// group gives a command a process group, so that it is killed with all that it has started, and an interrupt at the
// keyboard is not for it.
func group(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
