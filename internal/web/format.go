package web

import (
	"strconv"
	"time"

	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"golang.org/x/text/number"
)

// Date writes a day as the language does.
func (v voice) Date(at time.Time) string { return at.UTC().Format(v.T("format.date")) }

// Time writes a time of day as the language does.
func (v voice) Time(at time.Time) string { return at.UTC().Format(v.T("format.time")) }

// Moment writes a day and a time, and which time it is: scripts show the reader's own, these pages cannot know it.
func (v voice) Moment(at time.Time) string { return at.UTC().Format(v.T("format.moment")) }

// Percent writes a share, given in hundredths, as the language does.
func (v voice) Percent(share int) string { return v.number(number.Percent(float64(share) / 100)) }

// counted writes how many there are, with the language's separators.
func (v voice) counted(n any) string {
	if n, ok := n.(int); ok && 0 <= n && n < 1000 { // which no language of these separates, and most are
		return strconv.Itoa(n)
	}
	return v.number(number.Decimal(n))
}

func (v voice) number(n number.Formatter) string {
	return message.NewPrinter(language.Make(v.Lang)).Sprint(n)
}
