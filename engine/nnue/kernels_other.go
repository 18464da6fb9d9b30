//go:build !amd64

package nnue

func moveAVX2(to, from, add, sub *uint64, n int) { panic("unreachable") }

func captureAVX2(to, from, add, sub, taken *uint64, n int) { panic("unreachable") }

func weighAVX2(units *uint64, w *int16, n int) int32 { panic("unreachable") }

func lookAVX2(contents *uint64, bases *int32, worths *pair, phases int) int32 { panic("unreachable") }

// fast reports whether there is assembly for this processor.
func fast() bool { return false }
