//go:build !amd64

package train

func addRow(to, from *float32, n int) { panic("unreachable") }

func weighRow(units, w *float32, n int) float32 { panic("unreachable") }

func slopeRow(slopes, gradient, units, w *float32, slope float32, n int) { panic("unreachable") }
func adamRow(m, mean, square, grad, k *float32, n int)                   { panic("unreachable") }

// fast reports whether there is assembly for this processor.
const fast = false
