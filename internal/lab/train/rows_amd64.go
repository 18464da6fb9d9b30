package train

import "golang.org/x/sys/cpu"

//go:noescape
func addRow(to, from *float32, n int)

//go:noescape
func weighRow(units, w *float32, n int) float32

//go:noescape
func slopeRow(slopes, gradient, units, w *float32, slope float32, n int)

//go:noescape
func adamRow(m, mean, square, grad, k *float32, n int)

// fast reports whether this processor has what the assembly needs.
var fast = cpu.X86.HasAVX2
