//go:build !js

package nnue

import (
	_ "embed"
	"sync"

	"github.com/linesofaction/loa"
)

var (
	//go:embed no-capture.net
	noCaptureFile []byte
	//go:embed six.net
	sixFile []byte
)

var (
	noCapture = sync.OnceValue(func() *Net { return part(noCaptureFile) })
	six       = sync.OnceValue(func() *Net { return part(sixFile) })
)

// For returns the net of the program for games by rules, nil where there is none.
func For(rules loa.Rules) *Net {
	switch FileFor(rules) {
	case standardFileName:
		return Standard()
	case noCaptureFileName:
		return noCapture()
	case sixFileName:
		return six()
	}
	return nil
}
