package account

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Scope is something that a token lets a program do.
type Scope string

// The scopes.
const (
	ReadScope      Scope = "read"      // see what its owner sees
	PlayScope      Scope = "play"      // all that is done in a game, the talk too
	ChallengeScope Scope = "challenge" // make, accept and refuse challenges, and look for games
	BotScope       Scope = "bot"       // make the account that of a bot, for good
)

// Scopes returns every scope, the least powerful first.
func Scopes() []Scope { return []Scope{ReadScope, PlayScope, ChallengeScope, BotScope} }

// AccessToken lets a program act for a member.
type AccessToken struct {
	ID      string
	Name    string // what it is for, in its owner's words
	Scopes  []Scope
	Created time.Time
	Used    time.Time // about when it was last shown; zero for never
}

// Has reports whether the token lets a program do something.
func (t AccessToken) Has(scope Scope) bool { return slices.Contains(t.Scopes, scope) }

// TokenPrefix begins every secret of a token, so that one which got somewhere it does not belong is found.
const TokenPrefix = "loa_"

// MostTokens is how many tokens a member may have.
const MostTokens = 20

// ErrTooMany is returned for a token more than MostTokens.
var ErrTooMany = errors.New("a member has no more than 20 tokens")

// ErrRated is returned for an account that has played rated games and so cannot become a bot.
var ErrRated = errors.New("the account has played rated games")

const longestTokenName = 60

// CheckTokenName says what is wrong with the name of a token.
func CheckTokenName(name string) error {
	if n := utf8.RuneCountInString(name); n == 0 || n > longestTokenName || !utf8.ValidString(name) {
		return fmt.Errorf("a name of %d characters, expected 1 to %d", n, longestTokenName)
	}
	return nil
}

// ParseScopes reads names of scopes. The error names the one that is none.
func ParseScopes(names []string) ([]Scope, error) {
	var scopes []Scope
	for _, name := range names {
		scope := Scope(name)
		if !slices.Contains(Scopes(), scope) {
			return nil, fmt.Errorf("scope %q, expected some of %s", name, JoinScopes(Scopes()))
		}
		if !slices.Contains(scopes, scope) {
			scopes = append(scopes, scope)
		}
	}
	if len(scopes) == 0 {
		return nil, fmt.Errorf("no scope, expected some of %s", JoinScopes(Scopes()))
	}
	return scopes, nil
}

// JoinScopes writes scopes with spaces between them.
func JoinScopes(scopes []Scope) string {
	var names []string
	for _, scope := range scopes {
		names = append(names, string(scope))
	}
	return strings.Join(names, " ")
}
