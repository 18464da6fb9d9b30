package account

import (
	"errors"
	"time"
)

// MaxFollows is how many people one person can follow.
const MaxFollows = 500

// ErrFollowsFull is returned for following more people than MaxFollows.
var ErrFollowsFull = errors.New("nobody can follow more people")

// Followed is somebody whom a person follows.
type Followed struct {
	Person Person
	Since  time.Time
	Match  string // a running one with somebody else, empty for none
}
