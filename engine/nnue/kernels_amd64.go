package nnue

import "golang.org/x/sys/cpu"

//go:noescape
func moveAVX2(to, from, add, sub *uint64, n int)

//go:noescape
func captureAVX2(to, from, add, sub, taken *uint64, n int)

//go:noescape
func weighAVX2(units *uint64, w *int16, n int) int32

//go:noescape
func lookAVX2(contents *uint64, bases *int32, worths *pair, phases int) int32

// fast reports whether this processor has what the assembly needs.
func fast() bool { return cpu.X86.HasAVX2 }
