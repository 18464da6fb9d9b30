package talk_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/linesofaction/loa/internal/talk"
)

func TestWhoReadsAndWritesWhichRoom(t *testing.T) {
	for _, test := range []struct {
		room          talk.Room
		player, over  bool
		reads, writes bool
	}{
		{talk.Players, true, false, true, true},
		{talk.Players, true, true, true, true},
		{talk.Players, false, false, false, false},
		{talk.Players, false, true, false, false},
		{talk.Onlookers, true, false, false, false},
		{talk.Onlookers, true, true, true, false},
		{talk.Onlookers, false, false, true, true},
		{talk.Onlookers, false, true, true, true},
	} {
		if reads, writes := test.room.Reads(test.player, test.over), test.room.Writes(test.player); reads != test.reads || writes != test.writes {
			t.Errorf("%+v: reads %v, writes %v", test, reads, writes)
		}
	}
	for _, text := range []string{"", "all", "Players"} {
		if _, err := talk.ParseRoom(text); err == nil {
			t.Errorf("%q is a room", text)
		}
	}
}

// why returns what is wrong with a text, or nothing.
func why(err error) string {
	var wrong *talk.TextError
	if errors.As(err, &wrong) {
		return wrong.Why
	}
	return ""
}

func TestRemarksThatCannotBeMade(t *testing.T) {
	for _, test := range []struct {
		name, text, preset string
		why                string
	}{
		{"a sentence", "Good luck, O'Neill <b>!", "", ""},
		{"other scripts", "¡Suerte! 祝你好運 👩‍👩‍👧", "", ""},
		{"the longest", strings.Repeat("ö", talk.MaxRemark), "", ""},
		{"one longer", strings.Repeat("ö", talk.MaxRemark+1), "", "too-long"},
		{"nothing", "", "", "empty"},
		{"white space", " \t\u00a0\n", "", "empty"},
		{"two lines", "one\ntwo", "", "control"},
		{"a bell", "ding\a", "", "control"},
		{"a line separator", "one\u2028two", "", "control"},
		{"an override of direction", "abc\u202ecba", "", "control"},
		{"not UTF-8", "\xff", "", "control"},
		{"a preset", "", "hello", ""},
		{"an unknown preset", "", "insult", "preset"},
		{"a preset with a text", "Hello", "hello", "preset"},
	} {
		if _, err := (talk.Remark{Text: test.text, Preset: test.preset}).Tidy(); why(err) != test.why {
			t.Errorf("%s: %v, want %q", test.name, err, test.why)
		}
	}
	if r, err := (talk.Remark{Text: "  hi "}).Tidy(); err != nil || r.Text != "hi" {
		t.Errorf("%q, %v", r.Text, err)
	}
}

func TestReportsThatCannotBeMade(t *testing.T) {
	for _, test := range []struct{ reason, text, why string }{
		{"abuse", "", ""},
		{"other", "Two lines\r\nof words.", ""},
		{"other", "  ", "empty"},
		{"boredom", "x", "reason"},
		{"", "x", "reason"},
		{"abuse", strings.Repeat("x", talk.MaxReport+1), "too-long"},
		{"abuse", "\x00", "control"},
	} {
		if _, err := (talk.Report{Reason: test.reason, Text: test.text}).Tidy(); why(err) != test.why {
			t.Errorf("%q, %.20q: %v, want %q", test.reason, test.text, err, test.why)
		}
	}
}

func TestErrorsNameTheText(t *testing.T) {
	_, err := (talk.Remark{Text: strings.Repeat("x", 200)}).Tidy()
	if err == nil || err.Error() != `text "`+strings.Repeat("x", 40)+`…": too-long; expected at most 140 characters` {
		t.Error(err)
	}
}
