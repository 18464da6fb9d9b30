package web

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/linesofaction/loa/internal/lobby"
)

// changeable are the options of the rules that a form can change, with the values each can have; the texts that
// name them are terms.<option> and terms.<option>.<value>.
var changeable = []struct {
	Name   string
	Values []string
}{
	{"start", []string{"standard", "scrambled", "scrambled-b", "random", "six"}},
	{"goal", []string{"connect", "misere"}},
	{"both", []string{"draw", "mover"}},
	{"nomove", []string{"pass", "loss", "draw"}},
	{"repetition", []string{"draw3", "draw2", "none"}},
	{"captures", []string{"yes", "no"}},
}

// numbers are the options that a form asks as numbers.
var numbers = []string{"size", "cap"}

// kinds are the kinds of control a form offers, named by the texts kind.<name>.
var kinds = []string{"fischer", "bronstein", "delay", "byoyomi", "move", "days", "unlimited"}

// controlWanted shows a control of each kind.
const controlWanted = "5+3, 5b3, 5d3, 10+3x30, 30/move, 2d/move, unlimited"

// readTerms reads the terms of a game from a form: rules whole or option by option, a control whole or by its
// parts, a color, a range. A game that cannot be rated under its terms is casual, and its page says why. The error
// says which field is wrong, and what was expected.
func readTerms(form url.Values) (lobby.Wish, *fieldError) {
	rules := orElse(form.Get("rules"), "standard")
	separator := ":"
	if strings.Contains(rules, ":") {
		separator = ","
	}
	for _, name := range append(optionNames(), numbers...) {
		if value := form.Get(name); value != "" {
			rules += separator + name + "=" + value
			separator = ","
		}
	}
	control := form.Get("control")
	if kind := form.Get("kind"); kind != "" {
		var ok bool
		if control, ok = composeControl(kind, form); !ok {
			return lobby.Wish{}, &fieldError{field: "kind", value: kind, want: strings.Join(kinds, ", ")}
		}
	}
	if control == "" {
		control = quickControls[quickChosen]
	}
	color := form.Get("color")
	if color == "any" || color == "none" {
		color = ""
	}
	wish, err := readWish(rules, "unlimited", "", form.Get("rated") != "")
	if err != nil {
		return wish, &fieldError{field: "rules", value: rules, rules: err}
	}
	if wish, err = readWish(rules, control, "", wish.Rated); err != nil {
		return wish, &fieldError{field: "control", value: control, want: controlWanted}
	}
	if wish, err = readWish(rules, control, color, wish.Rated); err != nil {
		return wish, &fieldError{field: "color", value: color, want: "black, white, any"}
	}
	if text := form.Get("range"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 || n > 2000 {
			return wish, &fieldError{field: "range", value: text, want: "0–2000"}
		}
		wish.Below, wish.Above = n, n
	}
	wish.Rated = wish.Rated && wish.Unrated() == ""
	if _, err := wish.Rules.StartPosition(); err != nil {
		return wish, &fieldError{field: "rules", value: rules, rules: err}
	}
	if err := wish.Validate(); err != nil { // all but the control has been checked
		return wish, &fieldError{field: "control", value: control, want: controlWanted}
	}
	return wish, nil
}

// fieldError is a field of a form whose value cannot be used.
type fieldError struct {
	field, value, want string
	rules              error // what is wrong with the rules, when that is it
}

// refuseTerms answers terms of a game that cannot be.
func (s *Server) refuseTerms(w http.ResponseWriter, r *http.Request, wrong *fieldError) {
	if wrong.rules != nil {
		s.refuseRules(w, r, wrong.value, wrong.rules)
		return
	}
	s.refuse(w, r, wrong.field, wrong.value, wrong.want)
}

// wrongTerms says in the reader's language what is wrong with the form of a game.
func (v voice) wrongTerms(wrong *fieldError) string {
	switch {
	case wrong.rules != nil:
		return v.refusal(wrongRules(wrong.value, wrong.rules))
	case wrong.field == "control":
		return v.T("wish.wrong.control", "Value", clipped(wrong.value))
	}
	return v.refusal(wrong.field, wrong.value, wrong.want)
}

func optionNames() []string {
	var names []string
	for _, option := range changeable {
		names = append(names, option.Name)
	}
	return names
}

// composeControl writes a control from the fields of a form: minutes, seconds, periods, days.
func composeControl(kind string, form url.Values) (string, bool) {
	minutes, seconds := orElse(form.Get("minutes"), "0"), orElse(form.Get("seconds"), "0")
	switch kind {
	case "fischer":
		return minutes + "+" + seconds, true
	case "bronstein":
		return minutes + "b" + seconds, true
	case "delay":
		return minutes + "d" + seconds, true
	case "byoyomi":
		return fmt.Sprintf("%s+%sx%s", minutes, orElse(form.Get("periods"), "3"), seconds), true
	case "move":
		return seconds + "/move", true
	case "days":
		return orElse(form.Get("days"), "2") + "d/move", true
	case "unlimited":
		return "unlimited", true
	}
	return "", false
}
