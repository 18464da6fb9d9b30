package nnue

import (
	_ "embed"
	"sync"

	"github.com/linesofaction/loa"
)

//go:embed standard.net
var standardFile []byte

// Standard returns the net for the 8×8 board with captures, where connecting wins.
var Standard = sync.OnceValue(func() *Net { return part(standardFile) })

// part reads a file that is part of the program.
func part(file []byte) *Net {
	n, err := Parse(file)
	if err != nil {
		panic(err)
	}
	return n
}

// The names of the files of nets.
const (
	standardFileName  = "standard.net"
	noCaptureFileName = "no-capture.net"
	sixFileName       = "six.net"
)

// FileFor returns the name of the file of the net for games by rules, empty where there is none. The start and what the
// rules say of rare cases make no difference.
func FileFor(rules loa.Rules) string {
	type kind struct {
		size     int
		goal     loa.Goal
		captures loa.Captures
	}
	switch (kind{rules.Edge(), rules.Goal, rules.Captures}) {
	case kind{8, loa.GoalConnect, loa.CapturesYes}:
		return standardFileName
	case kind{8, loa.GoalConnect, loa.CapturesNo}:
		return noCaptureFileName
	case kind{6, loa.GoalConnect, loa.CapturesYes}:
		return sixFileName
	}
	return ""
}
