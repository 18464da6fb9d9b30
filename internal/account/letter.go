package account

import (
	"errors"
	"fmt"
	"net/mail"
	"strings"
	"time"
)

// Letter is an e-mail that waits to be sent.
type Letter struct {
	ID      int64
	To      string // an address as CheckEmail returns it
	Subject string
	Text    string
	Tries   int
}

// Purpose is what the secret in a letter's link is good for.
type Purpose string

// The purposes.
const (
	ConfirmEmail Purpose = "confirm" // the address in the token becomes the person's
	Recover      Purpose = "recover" // a new password
)

// Token is what is kept of a secret that was sent in a letter.
type Token struct {
	Hash    []byte // of the secret
	Person  string
	Purpose Purpose
	Email   string // the address it was sent to, empty for a link that the host passes on
	Expires time.Time
}

// ErrTokenUsed is returned for a token that was used before.
var ErrTokenUsed = errors.New("the link was used before")

// The lives of the secrets in links.
const (
	ConfirmLife = 48 * time.Hour
	RecoverLife = time.Hour
	HandedLife  = 48 * time.Hour // of a link to recover that the host passes on
)

// maxEmail is the longest address that SMTP carries.
const maxEmail = 254

// CheckEmail returns an e-mail address in the form it is kept in, with its domain in small letters, or says what is
// wrong with it.
func CheckEmail(text string) (string, error) {
	text = strings.TrimSpace(text)
	parsed, err := mail.ParseAddress(text)
	at := strings.LastIndexByte(text, '@')
	if err != nil || parsed.Address != text || at < 1 || len(text) > maxEmail || !strings.Contains(text[at:], ".") && text[at:] != "@localhost" {
		return "", fmt.Errorf("%q is not an e-mail address, expected one like name@example.org", text)
	}
	return text[:at] + strings.ToLower(text[at:]), nil
}
