package account_test

import (
	"strings"
	"testing"

	"github.com/linesofaction/loa/internal/account"
)

func TestEmailAddresses(t *testing.T) {
	for text, want := range map[string]string{
		" Marit@Example.ORG ":                   "Marit@example.org",
		"m.van-d+loa@a.b.co":                    "m.van-d+loa@a.b.co",
		"marit@localhost":                       "marit@localhost",
		"":                                      "",
		"marit":                                 "",
		"marit@example":                         "",
		"@example.org":                          "",
		"Marit <m@example.org>":                 "",
		"m@example.org\r\nBcc: all@example.org": "",
		"m@example.org, n@example.org":          "",
		strings.Repeat("m", 250) + "@a.org":     "",
	} {
		got, err := account.CheckEmail(text)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v, want %q", text, got, err, want)
		}
	}
}
