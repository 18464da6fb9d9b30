package engine

// prefetch lets the processor fetch a bucket that will be probed soon.
//
//go:noescape
func prefetch(b *bucket)
