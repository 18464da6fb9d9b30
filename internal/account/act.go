package account

import (
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// ActKind is what a moderator, or the host, did.
type ActKind string

// The acts.
const (
	Warn    ActKind = "warn"    // write to somebody; read at the next visit
	Mute    ActKind = "mute"    // no talking
	Unmute  ActKind = "unmute"  // ends Mute
	Bar     ActKind = "bar"     // no new games; those under way are played out
	Unbar   ActKind = "unbar"   // ends Bar
	Close   ActKind = "close"   // the account is deleted
	Verdict ActKind = "verdict" // another result for a match
	Answer  ActKind = "answer"  // a report is closed
	Appoint ActKind = "appoint" // make somebody a moderator
	Dismiss ActKind = "dismiss" // ends Appoint
	Readmit ActKind = "recover" // a link for a new password; by the host alone
)

// Act is one entry of the moderators' log. Every act has a reason; nothing is ever removed from the log.
type Act struct {
	Number int64 // in the log, from 1
	At     time.Time
	By     string // the moderator's id, empty for the host at the command line
	ByName string // the moderator's name, where the log is read
	Kind   ActKind
	Person string // the id of whom it is about, may be empty for a verdict
	Name   string // that person's name at the time
	Until  time.Time
	Match  string
	Report int64
	Result string // of a verdict
	Reason string
}

// ErrAnswered is returned for a report that is closed, or is not there.
var ErrAnswered = errors.New("there is no open report with that number")

// ActFilter chooses entries of the log: those about a person or about a match, and numbered after and before, each
// where given.
type ActFilter struct {
	Person, Match string
	After, Before int64
}

// Forever is the end of what has none.
var Forever = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)

// ActDays returns when something that is to last for a number of days from now ends: never for none.
func ActDays(days int, now time.Time) time.Time {
	if days == 0 {
		return Forever
	}
	return now.AddDate(0, 0, days)
}

// MostActDays is the most days that something lasts which is not for ever.
const MostActDays = 3650

// longestReason is enough for a paragraph.
const longestReason = 1000

// CheckReason says what is wrong with the reason of an act: it must not be empty, too long or unreadable.
func CheckReason(reason string) error {
	switch {
	case strings.TrimSpace(reason) == "":
		return fmt.Errorf("an act without a reason, expected one in words")
	case utf8.RuneCountInString(reason) > longestReason:
		return fmt.Errorf("a reason of %d characters, expected at most %d", utf8.RuneCountInString(reason), longestReason)
	case !utf8.ValidString(reason):
		return fmt.Errorf("a reason that is not UTF-8: %q", reason)
	}
	return nil
}
