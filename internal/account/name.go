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

// offices are names of those who run a club, as Key folds them; no part of a name may be one.
var offices = func() map[string]bool {
	names := map[string]bool{}
	for _, name := range strings.Fields(`admin admins administrator administrators mod mods moderator moderators official host operator staff support team system webmaster`) {
		names[Key(name)] = true
	}
	return names
}()

// passes reports whether a name would pass for one of those who run the club: one of its parts, set apart by a hyphen, an underscore or a
// capital, is an office, with or without a number behind it.
func passes(name string) bool {
	inside := func(r byte) bool { return r >= 'a' && r <= 'z' || r >= '0' && r <= '9' }
	capital := func(r byte) bool { return r >= 'A' && r <= 'Z' }
	for from, to := 0, 0; from < len(name); from = to {
		for to = from + 1; to < len(name) && (inside(name[to]) || capital(name[to]) && capital(name[to-1])); {
			to++
		}
		part := strings.Trim(name[from:to], "-_")
		if offices[Key(part)] || offices[Key(strings.TrimRight(part, "0123456789"))] {
			return true
		}
	}
	return false
}

// NameError says what is wrong with a name.
type NameError struct {
	Name string
	Why  string // "short", "long", "letters", "first", "reserved"
}

func (e *NameError) Error() string {
	return fmt.Sprintf("name %q is not allowed: %s", e.Name, e.Why)
}

// CheckName reports what is wrong with a name: it has 3 to 20 letters of the Latin alphabet, digits, hyphens and
// underscores, begins with a letter, and does not pass for the club, also in one of its parts, or, with a number behind it, for a guest. One
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
	case reserved[Key(name)], reserved[Key(strings.TrimRight(name, "0123456789-_"))], passes(name):
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
