package web

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/match"
	"github.com/linesofaction/loa/internal/talk"
	"github.com/linesofaction/loa/internal/wire"
)

const (
	remarkEvery = 3 * time.Second // one person's pace over time
	remarkRush  = 5               // remarks at once
	arrivalRush = 30              // people of one address who become guests by speaking, at once
)

// speaker is somebody in the rooms of a match.
type speaker struct {
	seat   loa.Color // NoColor for an onlooker
	person string    // whose words they are: the seat's person, or who asks; empty for somebody unknown
	asker  string    // who asks, who may hold the seat by its link
}

func speakerOf(m *match.Match, you loa.Color, asker string) speaker {
	if you == loa.NoColor {
		return speaker{you, asker, asker}
	}
	return speaker{you, m.Seat(you).Person, asker}
}

func (w speaker) player() bool { return w.seat != loa.NoColor }

// people returns all that the speaker is known as.
func (w speaker) people() []string {
	if w.asker == "" || w.asker == w.person {
		return []string{w.person}
	}
	return []string{w.person, w.asker}
}

// made reports whether the speaker made a remark.
func (w speaker) made(r talk.Remark) bool {
	return r.Seat == w.seat && (w.player() || slices.Contains(w.people(), r.Person))
}

// silence is why somebody cannot say something: a code that pages translate, in words, and when to try again.
type silence struct {
	code, text string
	wait       time.Duration
}

// mayTalk decides whether somebody may say something in a room now, and counts it. It is the one place where that is
// decided; nil is yes.
func (s *Server) mayTalk(ctx context.Context, m *match.Match, who speaker, room talk.Room) (*silence, error) {
	switch {
	case !m.BetweenPeople():
		return &silence{code: string(match.NotAllowed), text: "nobody talks in games against the computer"}, nil
	case !room.Writes(who.player()):
		return &silence{code: "not-your-room", text: "players talk among players, onlookers among onlookers"}, nil
	case who.person == "":
		return &silence{code: "unknown", text: "somebody unknown must send the form of the page first"}, nil
	}
	if room == talk.Players {
		for _, person := range who.people() {
			apart, err := s.Talk.Apart(ctx, person, m.Seat(who.seat.Opponent()).Person)
			if err != nil {
				return nil, err
			}
			if apart {
				return &silence{code: "blocked", text: "one of the two has blocked the other"}, nil
			}
		}
	}
	now := s.Now()
	for _, id := range who.people() {
		person, known, err := s.Moderation.PersonByID(ctx, id)
		if err != nil {
			return nil, err
		}
		if known && !person.MayTalk(now) {
			return &silence{code: "silenced", text: "a moderator keeps the sender from talking"}, nil
		}
	}
	if wait := s.quotas.remarks.take(who.person, now); wait > 0 {
		return &silence{code: "too-fast", text: fmt.Sprintf("too many remarks; try again in %s", wait.Round(time.Millisecond)), wait: wait}, nil
	}
	return nil, nil
}

// say lets somebody say something and returns its number in the room, or why it is not said. The same client id says
// nothing twice.
func (s *Server) say(ctx context.Context, m *match.Match, who speaker, what wire.TalkCommand, client string) (int, *silence, error) {
	if who.person != "" && client != "" {
		if before, ok, err := s.Talk.Said(ctx, string(m.ID()), who.person, client); ok || err != nil {
			return before.N, nil, err
		}
	}
	room, err := talk.ParseRoom(what.Room)
	if err != nil {
		return 0, &silence{code: "malformed", text: err.Error()}, nil
	}
	r, err := talk.Remark{
		Match: string(m.ID()), Room: room, Person: who.person, Seat: who.seat, Client: client, At: s.Now(), Text: what.Text, Preset: what.Preset,
	}.Tidy()
	var wrong *talk.TextError
	if errors.As(err, &wrong) {
		return 0, &silence{code: wrong.Why, text: err.Error()}, nil
	}
	if not, err := s.mayTalk(ctx, m, who, room); not != nil || err != nil {
		return 0, not, err
	}
	r, err = s.Talk.Say(ctx, r)
	return r.N, nil, err
}

// mute lets somebody not hear the opponent, or whoever made a remark among the onlookers, or all of them; or ends that.
func (s *Server) mute(ctx context.Context, m *match.Match, who speaker, what wire.TalkCommand) (*silence, error) {
	room, err := talk.ParseRoom(what.Room)
	switch {
	case err != nil:
		return &silence{code: "malformed", text: err.Error()}, nil
	case !m.BetweenPeople():
		return &silence{code: string(match.NotAllowed), text: "nobody talks in games against the computer"}, nil
	case !room.Reads(who.player(), m.Outcome().Over()):
		return &silence{code: "not-your-room", text: "this room is not for the sender"}, nil
	case who.person == "":
		return &silence{code: "unknown", text: "somebody unknown must send the form of the page first"}, nil
	}
	other := ""
	switch {
	case room == talk.Players:
		other = m.Seat(who.seat.Opponent()).Person
	case what.Remark != 0:
		made, ok, err := s.Talk.Remark(ctx, string(m.ID()), room, what.Remark)
		if err != nil {
			return nil, err
		}
		if !ok || who.made(made) {
			return &silence{code: "malformed", text: fmt.Sprintf("remark %d; expected the number of somebody else's remark in the room", what.Remark)}, nil
		}
		other = made.Person
	}
	for _, person := range who.people() {
		if err := s.Talk.Mute(ctx, person, other, what.On); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// unheard is whose remarks somebody does not get, by id.
type unheard struct{ muted, blocked map[string]bool }

// unheard returns whose remarks somebody does not get.
func (s *Server) unheard(ctx context.Context, who speaker) (unheard, error) {
	out := unheard{map[string]bool{}, map[string]bool{}}
	for _, person := range who.people() {
		if person == "" {
			continue
		}
		muted, blocked, err := s.Talk.Unheard(ctx, person)
		if err != nil {
			return out, err
		}
		for _, other := range muted {
			out.muted[other] = true
		}
		for _, other := range blocked {
			out.blocked[other] = true
		}
	}
	return out, nil
}

// talkIn returns what somebody may read of a room after a number, and the number of the last remark.
func (s *Server) talkIn(ctx context.Context, m *match.Match, who speaker, room talk.Room, after int, not unheard) (wire.Talk, int, error) {
	out := wire.Talk{V: wire.Version, Type: wire.KindTalk, Match: string(m.ID()), Room: string(room), Whole: after == 0, Remarks: []wire.Remark{}}
	if room == talk.Onlookers {
		out.Muted = not.muted[""]
	} else {
		opponent := m.Seat(who.seat.Opponent()).Person
		out.Muted, out.Blocked = not.muted[opponent], not.blocked[opponent]
	}
	remarks, err := s.Talk.Recent(ctx, m.ID(), room, after)
	for _, r := range remarks {
		after = r.N
		mine := who.made(r)
		if !mine && (not.muted[r.Person] || not.blocked[r.Person] || room == talk.Onlookers && out.Muted) {
			continue
		}
		one := wire.Remark{N: r.N, Name: r.Name, Bot: r.Bot, Mine: mine, At: r.At.UnixMilli(), Text: r.Text, Preset: r.Preset}
		if r.Seat != loa.NoColor {
			one.Seat, one.Name = r.Seat.String(), m.Seat(r.Seat).Name
		}
		out.Remarks = append(out.Remarks, one)
	}
	return out, after, err
}

// talkView is the talk of a match as its page first shows it, before the script takes over.
type talkView struct {
	Path    string // of the match
	Known   bool   // the reader is somebody
	Room    string // where the reader speaks
	Rooms   []roomView
	Presets []string
	Draft   string // what was refused
	Wrong   string // why
}

type roomView struct {
	wire.Talk
	Open bool // the reader may read it now
	Said []remarkView
}

type remarkView struct {
	wire.Remark
	Name, Text string
	When       time.Time
}

// talkView describes the talk of a match between people to a reader, nil where none is shown.
func (s *Server) talkView(r *http.Request, v voice, m *match.Match, you loa.Color) (*talkView, error) {
	if !m.BetweenPeople() || s.settings(r).Quiet {
		return nil, nil
	}
	asker, _, err := s.guest(r)
	if err != nil {
		return nil, err
	}
	who := speakerOf(m, you, asker.ID)
	not, err := s.unheard(r.Context(), who)
	if err != nil {
		return nil, err
	}
	out := &talkView{Path: "/game/" + string(m.ID()), Known: who.person != "", Presets: talk.Presets()}
	for _, room := range talk.Rooms() {
		if room.Writes(who.player()) {
			out.Room = string(room)
		}
		if room == talk.Players && !who.player() {
			continue
		}
		view := roomView{Open: room.Reads(who.player(), m.Outcome().Over())}
		view.Room = string(room)
		if view.Open {
			if view.Talk, _, err = s.talkIn(r.Context(), m, who, room, 0, not); err != nil {
				return nil, err
			}
		}
		for _, one := range view.Remarks {
			said := remarkView{Remark: one, Name: v.marked(one.Name, one.Bot), Text: one.Text, When: time.UnixMilli(one.At).UTC()}
			if one.Preset != "" {
				said.Text = v.T("talk.preset." + one.Preset)
			}
			if one.Mine {
				said.Name = v.T("game.you")
			}
			view.Said = append(view.Said, said)
		}
		out.Rooms = append(out.Rooms, view)
	}
	return out, nil
}

// talkForm reads a form about the talk of a match and who sends it. Somebody unknown who looks on becomes a guest.
func (s *Server) talkForm(w http.ResponseWriter, r *http.Request) (*match.Match, speaker, wire.TalkCommand, bool) {
	var what wire.TalkCommand
	m, you, ok := s.match(w, r)
	if !ok || !s.form(w, r) {
		return nil, speaker{}, what, false
	}
	asker, known, err := s.guest(r)
	form := r.PostForm
	what = wire.TalkCommand{Room: form.Get("room"), Text: form.Get("text"), Preset: form.Get("preset"), On: form.Get("on") == "true"}
	if text := form.Get("remark"); text != "" {
		if what.Remark, _ = strconv.Atoi(text); what.Remark < 1 {
			s.refuse(w, r, "remark", text, "1, 2, 3, …")
			return nil, speaker{}, what, false
		}
	}
	if err == nil && !known && you == loa.NoColor && m.BetweenPeople() && what.Room == string(talk.Onlookers) {
		if s.quotas.arrivals.take(s.address(r).String(), s.Now()) > 0 {
			w.Header().Set("Retry-After", strconv.Itoa(seconds(remarkEvery)))
			s.fail(w, r, http.StatusTooManyRequests, "error.429.text")
			return nil, speaker{}, what, false
		}
		asker, err = s.newGuest(w, r)
	}
	if err != nil {
		s.internal(w, r, err)
		return nil, speaker{}, what, false
	}
	return m, speakerOf(m, you, asker.ID), what, true
}

// talk says what a form holds, for pages without scripts and for onlookers whom the server does not know yet.
func (s *Server) talk(w http.ResponseWriter, r *http.Request) {
	m, who, what, ok := s.talkForm(w, r)
	if !ok {
		return
	}
	_, not, err := s.say(r.Context(), m, who, what, r.PostForm.Get("client"))
	s.talked(w, r, m, what.Text, not, err)
}

// muteForm mutes or unmutes as a form says.
func (s *Server) muteForm(w http.ResponseWriter, r *http.Request) {
	m, who, what, ok := s.talkForm(w, r)
	if !ok {
		return
	}
	not, err := s.mute(r.Context(), m, who, what)
	s.talked(w, r, m, "", not, err)
}

// talked leads back to the game after a form about its talk. What was refused stays in its field, with the reason.
func (s *Server) talked(w http.ResponseWriter, r *http.Request, m *match.Match, draft string, not *silence, err error) {
	switch {
	case err != nil:
		s.internal(w, r, err)
	case not == nil:
		http.Redirect(w, r, "/game/"+string(m.ID()), http.StatusSeeOther)
	default:
		status := http.StatusBadRequest
		switch not.code {
		case "too-fast":
			status = http.StatusTooManyRequests
			w.Header().Set("Retry-After", strconv.Itoa(seconds(not.wait)))
		case "blocked", "silenced", "not-your-room", "unknown", string(match.NotAllowed):
			status = http.StatusForbidden
		}
		s.showGame(w, r, status, draft, s.page(r).unsaid(not))
	}
}

// seconds rounds a wait up.
func seconds(wait time.Duration) int { return int(math.Ceil(wait.Seconds())) }

// unsaid says why something is not said.
func (v voice) unsaid(not *silence) string {
	if not.wait > 0 {
		return v.T("talk.wait", "Count", seconds(not.wait))
	}
	return v.T("talk.no." + not.code)
}
