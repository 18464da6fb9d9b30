package account

import (
	"fmt"
	"strings"
)

// The bounds of a name.
const (
	minName = 3
	maxName = 20
)

// reserved are names that would pass for the club itself, as Key folds them.
var reserved = func() map[string]bool {
	names := map[string]bool{}
	for _, name := range strings.Fields(`admin administrator anonymous black bot club computer engine guest help host info loa
		linesofaction mod moderator nobody none null official operator owner root server staff support system undefined webmaster white you`) {
		names[Key(name)] = true
	}
	return names
}()

// NameError says what is wrong with a name.
type NameError struct {
	Name string
	Why  string // "short", "long", "letters", "first", "reserved"
}

func (e *NameError) Error() string {
	return fmt.Sprintf("name %q is not allowed: %s", e.Name, e.Why)
}

// CheckName reports what is wrong with a name: it has 3 to 20 letters of the Latin alphabet, digits, hyphens and
// underscores, begins with a letter, and does not pass for the club or, with a number behind it, for a guest. One
// alphabet alone keeps names apart that look alike; Key does the rest.
func CheckName(name string) error {
	why := ""
	for i, r := range name {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		switch {
		case i == 0 && !letter:
			why = "first"
		case !letter && (r < '0' || r > '9') && r != '-' && r != '_':
			why = "letters"
		}
		if why != "" {
			break
		}
	}
	switch {
	case why != "":
	case len(name) < minName:
		why = "short"
	case len(name) > maxName:
		why = "long"
	case reserved[Key(name)], reserved[Key(strings.TrimRight(name, "0123456789-_"))]:
		why = "reserved"
	default:
		return nil
	}
	return &NameError{Name: name, Why: why}
}

// Key folds a name so that two names that look alike have the same key: letter case, hyphens and underscores do
// not count, nor do digits and letters that are mistaken for each other. One key belongs to one person.
func Key(name string) string {
	folded := strings.NewReplacer("-", "", "_", "", "0", "o", "1", "l", "i", "l", "3", "e", "5", "s", "8", "b", "2", "z").
		Replace(strings.ToLower(name))
	return strings.NewReplacer("rn", "m", "vv", "w", "cl", "d").Replace(folded)
}

// The bounds of a password, in bytes. The upper one keeps hashing from being made work for.
const (
	minPassword = 8
	maxPassword = 200
)

// CheckPassword reports what is wrong with a password for a name: "short", "long" or "name", or nothing.
func CheckPassword(password, name string) string {
	switch {
	case len(password) < minPassword:
		return "short"
	case len(password) > maxPassword:
		return "long"
	case Key(password) == Key(name):
		return "name"
	}
	return ""
}
