//go:build !linux

package engine

// spreadPages does nothing on this system.
func spreadPages([]bucket) {}
