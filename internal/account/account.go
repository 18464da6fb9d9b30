// Package account is who plays: guests for now, and the secrets by which the server knows them. It is pure;
// randomness and time are arguments.
package account

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/linesofaction/loa"
)

// Person is somebody who can hold a seat.
type Person struct {
	ID      string
	Name    string // a guest's is a number
	Member  bool   // has an account with a name and a password
	Bot     bool   // a member that is a program
	Created time.Time

	Moderator bool
	Muted     time.Time // until when the person may not talk; zero for never
	Barred    time.Time // until when the person may not begin games; zero for never
	Notices   int       // acts of moderators about the person that the person has not read yet
}

// MayTalk reports whether no moderator keeps the person from talking at now.
func (p Person) MayTalk(now time.Time) bool { return !now.Before(p.Muted) && p.MayPlay(now) }

// MayPlay reports whether no moderator keeps the person from new games at now.
func (p Person) MayPlay(now time.Time) bool { return !now.Before(p.Barred) }

// Guest reports whether the person has no account. Guests play casual games.
func (p Person) Guest() bool { return !p.Member }

// ErrNameTaken is returned for a name that somebody has, or one that looks like it.
var ErrNameTaken = errors.New("the name is taken")

// Session is a login: a browser that is known by a secret of its own.
type Session struct {
	Hash    []byte // of the secret
	Created time.Time
	Seen    time.Time // the last time, to within SeenWithin
	Agent   string    // what the browser says of itself
}

// SeenWithin is how precisely it is known when a session was last seen: storing that with every page would cost a write for each.
const SeenWithin = time.Hour

// secretBytes is the length of a secret: 256 bits, so that guessing is out of the question.
const secretBytes = 32

// idBytes is the length of an id: 80 bits, so that ids made by many processes do not meet.
const idBytes = 10

// NewSecret returns a secret for a cookie, 43 characters that are safe in an address.
func NewSecret(random io.Reader) (string, error) { return text(random, secretBytes) }

// NewID returns an id for a person or a match, 14 characters that are safe in an address.
func NewID(random io.Reader) (string, error) { return text(random, idBytes) }

func text(random io.Reader, n int) (string, error) {
	raw := make([]byte, n)
	if _, err := io.ReadFull(random, raw); err != nil {
		return "", fmt.Errorf("reading randomness: %w", err)
	}
	return base64.RawURLEncoding.EncodeToString(raw), nil
}

// HashSecret returns what is stored of a secret. The secrets are random and long, so one SHA-256 is enough.
func HashSecret(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}

// NewGuest returns a guest with an id and a number for a name.
func NewGuest(random io.Reader, now time.Time) (Person, error) {
	id, err := NewID(random)
	if err != nil {
		return Person{}, err
	}
	var raw [2]byte
	if _, err := io.ReadFull(random, raw[:]); err != nil {
		return Person{}, fmt.Errorf("reading randomness: %w", err)
	}
	number := 1000 + (int(raw[0])<<8|int(raw[1]))%9000
	return Person{ID: id, Name: fmt.Sprintf("%d", number), Created: now}, nil
}

// SeatSecret returns the secret of one seat of one match, which opens it from any browser. It follows from the
// server's key, so nothing is stored and the holder can be shown it again at any time.
func SeatSecret(key []byte, match string, color loa.Color) string {
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "seat\x00%s\x00%s", match, color)
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:16])
}

// IsSeatSecret reports in constant time whether a secret is the one of a seat.
func IsSeatSecret(key []byte, match string, color loa.Color, secret string) bool {
	return hmac.Equal([]byte(SeatSecret(key, match, color)), []byte(secret))
}
