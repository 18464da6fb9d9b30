//go:build !js

package book

import (
	_ "embed"
	"sync"
)

//go:embed standard.book
var standard []byte

// Standard returns the book for the standard rules that is part of the program.
var Standard = sync.OnceValue(func() *Book {
	b, err := Parse(standard)
	if err != nil {
		panic(err) // the file is part of the program
	}
	return b
})
