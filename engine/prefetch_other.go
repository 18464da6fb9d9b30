//go:build !amd64

package engine

// prefetch does nothing on this processor.
func prefetch(*bucket) {}
