package web

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/account"
	"github.com/linesofaction/loa/internal/match"
)

// play begins a match against the computer, with the first move if one was made on the home page's board, and
// leads to its page.
func (s *Server) play(w http.ResponseWriter, r *http.Request) {
	if !s.form(w, r) {
		return
	}
	game, ok := s.described(w, r, r.PostForm)
	if !ok {
		return
	}
	if outcome := game.Outcome(); outcome.Over() {
		s.refuse(w, r, "position.over", game.Position().String(), "–")
		return
	}
	rules, position := game.Rules(), game.Position()
	level, ok := s.level(w, r)
	if !ok {
		return
	}
	color, err := s.side(r.PostForm.Get("color"), position.Turn())
	if err != nil {
		s.refuse(w, r, "color", r.PostForm.Get("color"), "black, white, any")
		return
	}
	first, ok := s.firstMove(w, r, position, &color)
	if !ok {
		return
	}
	var moves []loa.Move
	if first != nil {
		moves = append(moves, *first)
	}
	s.beginGame(w, r, match.Terms{Rules: rules, Start: position.Setup()}, color, level, moves)
}

// level reads the level of the computer, or answers that there is no such level.
func (s *Server) level(w http.ResponseWriter, r *http.Request) (int, bool) {
	text := r.PostForm.Get("level")
	level, err := strconv.Atoi(orElse(text, strconv.Itoa(firstLevel)))
	if err != nil || level < 1 || level > maxLevel {
		s.refuse(w, r, "level", text, fmt.Sprintf("1–%d", maxLevel))
		return 0, false
	}
	return level, true
}

// beginGame begins a match of whoever asks against the computer, with the moves it has had already, and leads to its page.
func (s *Server) beginGame(w http.ResponseWriter, r *http.Request, terms match.Terms, color loa.Color, level int, moves []loa.Move) {
	person, ok := s.welcomePlayer(w, r)
	if !ok {
		return
	}
	terms.Seats[color] = seatFor(person)
	terms.Seats[color.Opponent()] = match.Seat{Holder: match.Engine, Level: level}
	if id, ok := s.begin(w, r, terms, moves); ok {
		http.Redirect(w, r, "/game/"+string(id), http.StatusSeeOther)
	}
}

// welcomePlayer returns who asks, a guest made of somebody unknown, or answers that they may not play.
func (s *Server) welcomePlayer(w http.ResponseWriter, r *http.Request) (account.Person, bool) {
	person, err := s.welcome(w, r)
	if err != nil {
		s.internal(w, r, err)
		return person, false
	}
	if !person.MayPlay(s.Now()) {
		s.fail(w, r, http.StatusForbidden, "error.403.barred")
		return person, false
	}
	return person, true
}

// seatFor returns the seat of a person.
func seatFor(person account.Person) match.Seat {
	return match.Seat{Holder: match.Person, Person: person.ID, Name: person.Name, Member: person.Member, Bot: person.Bot}
}

// begin creates a match with the moves it has had already, or answers why it cannot.
func (s *Server) begin(w http.ResponseWriter, r *http.Request, terms match.Terms, moves []loa.Move) (match.ID, bool) {
	id, err := account.NewID(s.Random)
	if err == nil {
		_, err = s.Live.Create(r.Context(), match.ID(id), terms, moves...)
	}
	if err != nil {
		s.internal(w, r, err)
		return "", false
	}
	return match.ID(id), true
}

// rules reads the rules of a new game and sets up its start, or answers why that cannot be. A random start
// without a seed gets one.
func (s *Server) rules(w http.ResponseWriter, r *http.Request, text string) (loa.Rules, loa.Position, bool) {
	rules, err := loa.ParseRules(text)
	if err == nil {
		if err := s.seed(&rules); err != nil {
			s.internal(w, r, err)
			return rules, loa.Position{}, false
		}
	}
	var position loa.Position
	if err == nil {
		position, err = rules.StartPosition()
	}
	if err != nil {
		s.refuseRules(w, r, text, err)
		return rules, position, false
	}
	return rules, position, true
}

// seed gives a random start without a seed one.
func (s *Server) seed(rules *loa.Rules) error {
	if rules.Start != loa.StartRandom || rules.Seed != 0 {
		return nil
	}
	var raw [4]byte
	if _, err := io.ReadFull(s.Random, raw[:]); err != nil {
		return err
	}
	rules.Seed = uint64(binary.LittleEndian.Uint32(raw[:])) + 1
	return nil
}

// refuseRules answers rules that cannot be used: the name of the set, or the option at fault.
func (s *Server) refuseRules(w http.ResponseWriter, r *http.Request, text string, err error) {
	field, value, want := wrongRules(text, err)
	s.refuse(w, r, field, value, want)
}

// wrongRules says what of rules cannot be used, and what was expected.
func wrongRules(text string, err error) (field, value, want string) {
	name, options, _ := strings.Cut(text, ":")
	var syntax *loa.SyntaxError
	if errors.As(err, &syntax) && options != "" && syntax.Text != name {
		return "rules.option", syntax.Text, "both=mover, nomove=loss, repetition=draw2, captures=no, goal=misere, cap=200, size=6"
	}
	var names []string
	for _, set := range loa.RuleSets() {
		names = append(names, set.Name)
	}
	return "rules", text, strings.Join(names, ", ")
}

// side reads which side somebody wants to play; the one to move when nothing is said.
func (s *Server) side(text string, first loa.Color) (loa.Color, error) {
	switch text {
	case "":
		return first, nil
	case "any":
		var raw [1]byte
		if _, err := io.ReadFull(s.Random, raw[:]); err != nil {
			return first, err
		}
		return []loa.Color{loa.Black, loa.White}[raw[0]&1], nil
	}
	return loa.ParseColor(text)
}

// firstMove reads the move made on the home page's board, nil when there is none, or answers why it cannot be.
// Whoever makes it plays the side that moves first.
func (s *Server) firstMove(w http.ResponseWriter, r *http.Request, position loa.Position, color *loa.Color) (*loa.Move, bool) {
	text := r.PostForm.Get("move")
	if text == "" {
		return nil, true
	}
	move, _, err := loa.ParseMove(text)
	if err != nil {
		s.refuse(w, r, "move", text, "c8-c6, c8xc6")
		return nil, false
	}
	if position.Check(move) != nil {
		s.refuse(w, r, "move.illegal", text, position.Format(position.Moves(nil)[0]))
		return nil, false
	}
	*color = position.Turn()
	return &move, true
}

func orElse(text, other string) string {
	if text == "" {
		return other
	}
	return text
}
