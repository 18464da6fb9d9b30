package book

// Standard returns no book: the browser fetches the one for a game when that needs it.
func Standard() *Book { return nil }

// check leaves the sum of a file alone, for SHA-256 would make the download larger. What comes from the own server over a
// connection that keeps it whole needs no sum of its own.
func check([]byte, []byte) error { return nil }
