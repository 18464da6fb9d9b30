package sgf

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/linesofaction/loa"
)

// Limits of what is read, so that a hostile file costs neither the stack nor much memory.
const (
	MaxBytes   = 8 << 20 // of a file
	MaxNodes   = 500_000 // moves of a game, variations included
	MaxPlies   = 20_000  // from the start to the end of any one line
	MaxNesting = 200     // variations inside variations
)

const limitNodes = "at most 500,000 moves in a game"

// Form is a way to write records down.
type Form string

// The forms Encode writes. Parse reads these and the dialects of SGF.
const (
	FormSGF  Form = "sgf"
	FormText Form = "text"
	FormJSON Form = "json"
)

// Options says how to read. The zero Options is lenient.
type Options struct {
	Strict bool       // every Warning is an error
	Rules  *loa.Rules // instead of the rules the records state or the form implies; a start that a record states stays
}

// Parse reads every game of a file. The form follows from the content: JSON begins with a brace or a bracket
// and a quotation mark or brace inside it, SGF with "(;", anything else is a list of moves. A file that is not
// UTF-8 is taken as Latin-1, and nodes of SGF may lack their parentheses, both with a warning; none is given for
// Latin-1 that the file declares.
//
// The main line of every game is played by its rules. Leniencies, each with a warning: a forced pass that is
// missing is inserted; a move marked as a capture that is none, or the reverse, is played; a winner is believed
// though the board is still open and no reason is given; a reason that is not the board's is replaced; a
// variation is cut off where it cannot be played. Variations are played by the board alone, without repetition
// and ply cap. Records that give no rules are played by the standard rules, those of Boardspace by
// "classic:repetition=none" and those of PlayStrategy by "standard:nomove=draw", for so these sites play.
//
// The error is an *Error; with it come the games before the one that has it. A file without any game is an
// error too.
func Parse(data []byte, options Options) ([]*Record, []Warning, error) {
	n := &notes{strict: options.Strict}
	if len(data) > MaxBytes {
		return nil, nil, unreadable(0, "file", fmt.Sprintf("%d bytes", len(data)), fmt.Sprintf("at most %d", MaxBytes))
	}
	src, err := decode(string(data), n)
	if err != nil {
		return nil, n.warnings, err
	}
	drafts, failed := drafts(src, n)
	var records []*Record
	for i, d := range drafts {
		d.game = i + 1
		record, err := d.replay(options, n)
		if err != nil {
			return records, n.warnings, err
		}
		records = append(records, record)
	}
	if failed == nil && len(records) == 0 {
		failed = unreadable(0, "file", src, "a game in SGF, JSON or as a list of moves")
	}
	return records, n.warnings, failed
}

// drafts reads the games without replaying them.
func drafts(src string, n *notes) ([]*draft, error) {
	switch formOf(src) {
	case FormJSON:
		return readJSON(src, n)
	case FormSGF:
		if bare := strings.TrimSpace(src); bare[0] == ';' {
			if err := n.warn(0, 0, "", "no ( before the first node"); err != nil {
				return nil, err
			}
			src = "(" + bare + ")"
		}
		roots, err := (&treeReader{src: src, notes: n}).read()
		var drafts []*draft
		for i, root := range roots {
			d, wrong := readTree(root, i+1, n)
			if wrong != nil {
				return drafts, wrong
			}
			drafts = append(drafts, d)
		}
		return drafts, err
	}
	return readText(src, n)
}

// formOf tells the form from the content.
func formOf(src string) Form {
	begins := func(text, first, second string) bool {
		text = strings.TrimSpace(text)
		return text != "" && strings.Contains(first, text[:1]) && strings.IndexAny(strings.TrimSpace(text[1:]), second) == 0
	}
	switch {
	case begins(src, "{", `"}`), begins(src, "[", "{]"):
		return FormJSON
	case begins(src, "(", ";"), strings.HasPrefix(strings.TrimSpace(src), ";"):
		return FormSGF
	}
	for line := range strings.Lines(src) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if key, _, ok := header(line); ok && knownKey(key) || looksLikeMoves(line) {
			return FormText
		}
		break
	}
	if (&treeReader{src: src}).seek() {
		return FormSGF
	}
	return FormText
}

// decode returns the text of a file as UTF-8 with plain line breaks.
func decode(src string, n *notes) (string, error) {
	src = strings.TrimPrefix(src, "\ufeff")
	if !utf8.ValidString(src) {
		latin := strings.Contains(strings.ToUpper(src), "CA[ISO-8859-1]") || strings.Contains(strings.ToUpper(src), "CA[LATIN1]")
		if !latin {
			if err := n.warn(0, 0, "", "the file is not UTF-8 and is read as Latin-1"); err != nil {
				return "", err
			}
		}
		runes := make([]rune, len(src))
		for i := range len(src) {
			runes[i] = rune(src[i])
		}
		src = string(runes)
	}
	return strings.ReplaceAll(strings.ReplaceAll(src, "\r\n", "\n"), "\r", "\n"), nil
}

// simple returns a text of one line as a Record keeps it: spaces for control characters, none at the ends.
func simple(text string) string { return strings.TrimSpace(strings.Map(printable, text)) }

func printable(c rune) rune {
	if c < ' ' || c == 0x7f {
		return ' '
	}
	return c
}

// prose returns a text of several lines as a Record keeps it: no blanks at the ends of lines and no blank lines
// at its own ends.
func prose(text string) string {
	lines := strings.Split(strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n"), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRightFunc(strings.Map(printable, line), unicode.IsSpace)
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}
