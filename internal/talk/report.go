package talk

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Report is what a person tells the moderators about another.
type Report struct {
	ID      int64
	By      string // person
	About   string // person
	Match   string // empty for none
	Reason  string
	Text    string
	Context Context
	At      time.Time

	ByName string    // where moderators read it, the name of its maker
	Closed time.Time // zero while it is open
	Answer string    // the moderator's reason to close it
}

// Filter chooses reports: those about a person, and only open ones, each where given.
type Filter struct {
	About string
	Open  bool
}

// Context is what a report was made of at its time, so that it can be judged later.
type Context struct {
	Name    string  `json:"name"` // of the person it is about
	Room    Room    `json:"room,omitempty"`
	Remarks []Quote `json:"remarks,omitempty"` // the last of the room
}

// Quote is a remark in a report.
type Quote struct {
	N      int       `json:"n"`
	Person string    `json:"person"`
	Name   string    `json:"name"`
	At     time.Time `json:"at"`
	Text   string    `json:"text,omitempty"`
	Preset string    `json:"preset,omitempty"`
}

// Quoted is the number of remarks that a report keeps.
const Quoted = 30

// MaxReport is the most characters of a report's text.
const MaxReport = 1000

// ErrReported is returned for a report that its maker has made already and that is open.
var ErrReported = errors.New("this is reported already")

// Reasons returns the reasons for which somebody can be reported.
func Reasons() []string { return []string{"abuse", "cheating", "stalling", "name", "other"} }

// Tidy returns a report without white space around its text and with reason and text checked, or a *TextError. Only a
// report for another reason needs words.
func (r Report) Tidy() (Report, error) {
	r.Text = strings.TrimSpace(strings.ReplaceAll(r.Text, "\r\n", "\n"))
	switch {
	case !slices.Contains(Reasons(), r.Reason):
		return r, &TextError{r.Reason, "reason", "one of " + strings.Join(Reasons(), ", ")}
	case r.Reason == "other" && r.Text == "":
		return r, &TextError{r.Text, "empty", "what is wrong, in words"}
	case utf8.RuneCountInString(r.Text) > MaxReport:
		return r, &TextError{r.Text, "too-long", fmt.Sprintf("at most %d characters", MaxReport)}
	case !plain(r.Text, "\n\t"):
		return r, &TextError{r.Text, "control", "letters, digits and signs"}
	}
	return r, nil
}

// QuoteOf returns remarks as a report keeps them.
func QuoteOf(remarks []Remark) []Quote {
	var quotes []Quote
	for _, r := range remarks {
		quotes = append(quotes, Quote{N: r.N, Person: r.Person, Name: r.Name, At: r.At, Text: r.Text, Preset: r.Preset})
	}
	return quotes
}
