//go:build !unix

package ugi

import "os/exec"

// group does nothing where there are no process groups: only the command itself is killed.
func group(*exec.Cmd) {}
