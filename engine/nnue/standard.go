package nnue

import (
	_ "embed"
	"sync"
)

//go:embed standard.net
var standard []byte

// Standard returns the net for the 8×8 board with captures, where connecting wins.
var Standard = sync.OnceValue(func() *Net {
	n, err := Parse(standard)
	if err != nil {
		panic(err) // the file is part of the program
	}
	return n
})
