//go:build !js

// The browser has no use for SHA-256, which would make its engine larger, and no files.

package nnue

import (
	"crypto/sha256"
	"fmt"
	"os"
)

// Name returns the first 12 hexadecimal digits of the SHA-256 of the net's file.
func (n *Net) Name() string {
	sum := sha256.Sum256(n.bytes())
	return fmt.Sprintf("%x", sum[:6])
}

// Save writes the net to a file.
func (n *Net) Save(path string) error { return os.WriteFile(path, n.bytes(), 0o644) }
