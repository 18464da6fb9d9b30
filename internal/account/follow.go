package account

import (
	"errors"
	"time"
)

// MaxFollows is how many people one person can follow, and MaxBlocks how many one can block.
const (
	MaxFollows = 500
	MaxBlocks  = 500
)

// ErrFollowsFull is returned for following more people than MaxFollows.
var ErrFollowsFull = errors.New("nobody can follow more people")

// ErrBlocksFull is returned for blocking more people than MaxBlocks.
var ErrBlocksFull = errors.New("nobody can block more people")

// Followed is somebody whom a person follows.
type Followed struct {
	Person Person
	Since  time.Time
	Match  string // a running one with somebody else, empty for none
}
