// Package talk is what people say to each other in a match, and to the moderators about each other. It is pure; time
// is an argument.
//
// A match between people has two rooms. The players have one for themselves. The onlookers have the other, which
// the players cannot read while the game is on, so that nobody can help them.
package talk

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/linesofaction/loa"
)

// Room is a place of a match where remarks are made.
type Room string

// The rooms.
const (
	Players   Room = "players"
	Onlookers Room = "onlookers"
)

// Rooms returns the rooms of a match.
func Rooms() []Room { return []Room{Players, Onlookers} }

// ParseRoom returns the room with a name.
func ParseRoom(text string) (Room, error) {
	if room := Room(text); slices.Contains(Rooms(), room) {
		return room, nil
	}
	return "", fmt.Errorf("room %q; expected players or onlookers", text)
}

// Reads reports whether somebody may read the room: a player or an onlooker, of a game that is on or over.
func (r Room) Reads(player, over bool) bool {
	if r == Players {
		return player
	}
	return !player || over
}

// Writes reports whether somebody may speak in the room: a player or an onlooker.
func (r Room) Writes(player bool) bool { return player == (r == Players) }

// Remark is one thing said in a room.
type Remark struct {
	Match  string
	Room   Room
	N      int // its number in the room, from 1
	Person string
	Name   string    // of the person, as it is now
	Bot    bool      // the person is one
	Seat   loa.Color // NoColor for an onlooker
	Client string    // the sender's own id for it
	At     time.Time
	Text   string
	Preset string // the key of a quick phrase, in place of a text
}

// Presets returns the keys of the quick phrases, which everybody reads in the own language.
func Presets() []string {
	return []string{"hello", "luck", "fun", "nice", "thanks", "played", "moment", "go"}
}

// MaxRemark is the most characters of a remark.
const MaxRemark = 140

// TextError says what is wrong with a text.
type TextError struct {
	Text string
	Why  string // "empty", "too-long", "control", "preset", "reason"
	Want string
}

func (e *TextError) Error() string {
	text := []rune(e.Text)
	if len(text) > 40 {
		text = append(text[:40:40], '…')
	}
	return fmt.Sprintf("text %q: %s; expected %s", string(text), e.Why, e.Want)
}

// Tidy returns a remark without white space around it and with its text checked, or a *TextError.
func (r Remark) Tidy() (Remark, error) {
	r.Text = strings.TrimSpace(r.Text)
	switch {
	case r.Preset != "" && (r.Text != "" || !slices.Contains(Presets(), r.Preset)):
		return r, &TextError{r.Preset, "preset", "one of " + strings.Join(Presets(), ", ") + ", without a text"}
	case r.Preset != "":
		return r, nil
	case r.Text == "":
		return r, &TextError{r.Text, "empty", "something to say"}
	case utf8.RuneCountInString(r.Text) > MaxRemark:
		return r, &TextError{r.Text, "too-long", fmt.Sprintf("at most %d characters", MaxRemark)}
	case !plain(r.Text, ""):
		return r, &TextError{r.Text, "control", "letters, digits and signs on one line"}
	}
	return r, nil
}

// plain reports whether a text is UTF-8 without characters that act on the text around them: controls, ends of lines,
// changes of direction. Some are let through.
func plain(text, but string) bool {
	acts := func(r rune) bool {
		return !strings.ContainsRune(but, r) && unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp, unicode.Bidi_Control)
	}
	return utf8.ValidString(text) && !strings.ContainsFunc(text, acts)
}
