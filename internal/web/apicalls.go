package web

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/account"
	"github.com/linesofaction/loa/internal/live"
	"github.com/linesofaction/loa/internal/lobby"
	"github.com/linesofaction/loa/internal/match"
	"github.com/linesofaction/loa/internal/wire"
)

// endpoints is the interface for programs.
func endpoints() []endpoint {
	after := []parameter{
		{name: "after", about: "Go on after the game with this id."},
		{name: "limit", about: "Games at most, 1 to 1000; 100 without.", number: true},
	}
	const streamed = " A stream of JSON objects, one a line; an empty line every few seconds says that it is alive."
	return []endpoint{
		{
			method: "GET", path: "/account", scope: account.ReadScope, title: "Whose token this is", out: wire.Account{}, form: asJSON, answer: (*Server).apiAccount,
			about: "The name of the account, its ratings and what the token may do.",
		},
		{
			method: "POST", path: "/account/bot", scope: account.BotScope, title: "Become a bot", out: wire.Account{}, form: asJSON, answer: (*Server).apiBecomeBot,
			about: "Makes the account that of a bot, for good. It must not have played rated games. A bot is marked wherever its name stands, is rated in pools of its own, and is paired with people only by challenges.",
		},
		{
			method: "GET", path: "/account/own", scope: account.ReadScope, title: "Challenges and games of one's own", out: wire.Own{}, form: asJSON, answer: (*Server).apiOwn,
			about: "What waits for an answer and what is being played.",
		},
		{
			method: "GET", path: "/account/stream", scope: account.ReadScope, title: "Follow challenges and games of one's own", out: wire.Own{}, form: asLines, answer: (*Server).apiOwnStream,
			about: "The same at once and again whenever it changes, whole each time, so that nothing is missed after a break." + streamed,
		},
		{
			method: "GET", path: "/players/{name}", title: "A player", out: wire.Player{}, form: asJSON, answer: (*Server).apiPlayer,
			about: "A member and the ratings.",
		},
		{
			method: "GET", path: "/players/{name}/games", title: "Finished games of a player", query: after, out: wire.Record{}, form: asLines, answer: (*Server).apiPlayerGames,
			about: "In the order in which they ended, one JSON object a line. Fewer lines than the limit are the last ones.",
		},
		{
			method: "GET", path: "/games", title: "Finished games of all", query: after, out: wire.Record{}, form: asLines, answer: (*Server).apiGames,
			about: "Games between people, in the order in which they ended, one JSON object a line. Whoever wants them all takes the files of /exports.",
		},
		{
			method: "POST", path: "/games", scope: account.PlayScope, title: "Play the computer", in: wire.NewGame{}, out: wire.Begun{}, form: asJSON, answer: (*Server).apiBegin,
			about: "Begins a game against the computer, without a clock: from the start of the rules or from any position, with moves that were made already.",
		},
		{
			method: "GET", path: "/games/running", title: "Games being played", query: []parameter{{name: "limit", about: "Games at most, 1 to 100; 20 without.", number: true}},
			out: []wire.Running{}, form: asJSON, answer: (*Server).apiRunning,
			about: "Games between people under way, the latest moved first.",
		},
		{
			method: "GET", path: "/games/{id}", title: "A game", out: wire.Snapshot{}, form: asJSON, answer: (*Server).apiGame,
			about: "The whole state of a game, with the legal moves. With a token that may read, as its owner may see it.",
		},
		{
			method: "GET", path: "/games/{id}/stream", title: "Follow a game", form: asLines, answer: (*Server).apiGameStream,
			lines: []any{wire.Snapshot{}, wire.Update{}, wire.Presence{}, wire.Talk{}, wire.Ratings{}},
			query: []parameter{
				{name: "from", about: "The last number that is known; the first line is then an update from it, in the place of a snapshot.", number: true},
				{name: "until", about: "end: the stream ends with the game."},
			},
			about: "What the socket of a page gets (docs/protocol.md): a snapshot, then numbered updates, who is here, and the talk. A player who follows the game counts as being here." + streamed,
		},
		{
			method: "POST", path: "/games/{id}/commands", scope: account.PlayScope, title: "Do something in a game", in: wire.Command{}, out: wire.Ack{}, form: asJSON, answer: (*Server).apiCommand,
			about: "type is move, takeback, draw, rematch, decline, resign, abort, claim, talk or mute, each with the fields it has on the socket of a page (docs/protocol.md); v and match may be left out. draw, takeback and rematch offer, and accept what the other side offers. A command with a client id that was carried out before gets the same answer again.",
		},
		{
			method: "POST", path: "/games/{id}/hint", scope: account.PlayScope, title: "Ask what to play", out: wire.Hint{}, form: asJSON, answer: (*Server).apiHint,
			about: "In a game of one's own against the computer, on one's own turn.",
		},
		{
			method: "POST", path: "/games/{id}/review", scope: account.PlayScope, title: "Ask what became of one's last move", out: wire.Review{}, form: asJSON, answer: (*Server).apiReview,
			about: "In a game of one's own against the computer: the best move there was, and what the one that was played missed or allowed.",
		},
		{
			method: "POST", path: "/games/{id}/threats", scope: account.PlayScope, title: "Ask what both sides threaten", out: wire.Threats{}, form: asJSON, answer: (*Server).apiThreats,
			about: "In a game of one's own against the computer.",
		},
		{
			method: "GET", path: "/lobby", scope: account.ReadScope, title: "The lobby", out: wire.Lobby{}, form: asJSON, answer: (*Server).apiLobby,
			about: "Who looks for a game, and how many are here.",
		},
		{
			method: "POST", path: "/lobby/seek", scope: account.ChallengeScope, title: "Look for a game", in: wire.NewSeek{}, out: wire.Go{}, form: asLines, answer: (*Server).apiSeek,
			about: "Looks for a game for as long as the stream is open. It ends with one line that names the game. Bots are paired with bots." + streamed,
		},
		{
			method: "GET", path: "/challenges", scope: account.ReadScope, title: "Open challenges", out: []wire.Invitation{}, form: asJSON, answer: (*Server).apiChallenges,
			about: "Those made by or to the account.",
		},
		{
			method: "POST", path: "/challenges", scope: account.ChallengeScope, title: "Challenge somebody", in: wire.NewChallenge{}, out: wire.Invitation{}, form: asJSON, answer: (*Server).apiChallenge,
			about: "Invites a member, or whoever has the address, to a game.",
		},
		{
			method: "GET", path: "/challenges/{id}", scope: account.ReadScope, title: "A challenge", out: wire.Invitation{}, form: asJSON, answer: (*Server).apiInvitation,
			about: "Its terms, and what became of it.",
		},
		{
			method: "POST", path: "/challenges/{id}/accept", scope: account.ChallengeScope, title: "Accept a challenge", out: wire.Begun{}, form: asJSON, answer: (*Server).apiAccept,
			about: "Begins the game.",
		},
		{
			method: "POST", path: "/challenges/{id}/decline", scope: account.ChallengeScope, title: "Decline or withdraw a challenge", out: wire.Invitation{}, form: asJSON, answer: (*Server).apiDecline,
			about: "Whoever is invited declines it, whoever made it withdraws it.",
		},
		{
			method: "GET", path: "/exports", title: "Files of finished games", out: []wire.Export{}, form: asJSON, answer: (*Server).apiExports,
			about: "The files that the host offers: finished games between people by month, as SGF and as JSON lines, with their SHA-256.",
		},
		{
			method: "GET", path: "/exports/{file}", title: "A file of finished games", form: asAny, answer: (*Server).apiExport,
			about: "The file. It can be asked for in parts (Range).",
		},
	}
}

func (s *Server) apiAccount(c *call) (any, error) {
	ratings, err := s.apiRatings(c, c.person.ID)
	out := wire.Account{Name: c.person.Name, Bot: c.person.Bot, Ratings: ratings}
	for _, scope := range c.token.Scopes {
		out.Scopes = append(out.Scopes, string(scope))
	}
	return out, err
}

func (s *Server) apiRatings(c *call, person string) ([]wire.PoolRating, error) {
	ratings, err := s.Profiles.Ratings(c.Context(), person)
	out := []wire.PoolRating{}
	for _, r := range ratings {
		at := r.Rating.At(s.Now())
		out = append(out, wire.PoolRating{Pool: r.Pool, Rating: round(at.Mean), Deviation: round(at.Deviation), Games: at.Games, Provisional: at.Provisional()})
	}
	return out, err
}

func (s *Server) apiBecomeBot(c *call) (any, error) {
	err := s.Tokens.BecomeBot(c.Context(), c.person.ID)
	if errors.Is(err, account.ErrRated) {
		return nil, denied(http.StatusConflict, "rated", "%s", err)
	}
	if err != nil {
		return nil, err
	}
	s.Talk.Renamed(c.person.ID) // what was said is marked, too
	c.person.Bot = true
	return s.apiAccount(c)
}

func (s *Server) apiPlayer(c *call) (any, error) {
	person, err := s.apiMember(c)
	if err != nil {
		return nil, err
	}
	ratings, err := s.apiRatings(c, person.ID)
	return wire.Player{Name: person.Name, Bot: person.Bot, Joined: person.Created.UTC(), Ratings: ratings}, err
}

// apiMember returns the member that the address names.
func (s *Server) apiMember(c *call) (account.Person, error) {
	name := c.PathValue("name")
	person, known, err := s.Members.PersonByName(c.Context(), name)
	if err == nil && !known {
		err = &problem{http.StatusNotFound, wire.Fault{Code: "not-found", Text: fmt.Sprintf("nobody is called %q", clipped(name)), Field: "name", Value: clipped(name), Expected: "the name of a member"}}
	}
	return person, err
}

func (s *Server) apiPlayerGames(c *call) (any, error) {
	person, err := s.apiMember(c)
	if err != nil {
		return nil, err
	}
	return nil, s.sendRecords(c, person.ID)
}

func (s *Server) apiGames(c *call) (any, error) { return nil, s.sendRecords(c, "") }

// The number of games that are sent at once.
const (
	recordsSent = 100
	mostRecords = 1000

	// settled is how long after its end a game is listed at the earliest, so that one that was stored a little later than
	// another but ended before it is not passed over.
	settled = time.Second
)

// sendRecords sends finished games of a person, or of all.
func (s *Server) sendRecords(c *call, person string) error {
	limit, err := c.number("limit", recordsSent, 1, mostRecords)
	if err != nil {
		return err
	}
	after := c.URL.Query().Get("after")
	ids, err := s.Tokens.EndedAfter(c.Context(), person, match.ID(after), s.Now().Add(-settled), limit)
	if errors.Is(err, live.ErrNotFound) {
		return wrong("after", after, "the id of a game")
	}
	if err != nil {
		return err
	}
	c.Header().Set("Content-Type", asLines)
	encoder := json.NewEncoder(c.w)
	for _, id := range ids {
		m, err := s.Live.Read(c.Context(), id)
		if err != nil {
			s.report(c.Request, err)
			panic(http.ErrAbortHandler) // so that nobody takes a part for the whole
		}
		if encoder.Encode(wire.RecordOf(m)) != nil {
			return nil // nobody reads any more
		}
	}
	return nil
}

// apiMatch returns the match that the address names, and the side that the token's owner holds.
func (s *Server) apiMatch(c *call) (*match.Match, loa.Color, error) {
	id := c.PathValue("id")
	m, err := s.Live.Refresh(c.Context(), match.ID(id))
	if errors.Is(err, live.ErrNotFound) {
		err = &problem{http.StatusNotFound, wire.Fault{Code: "not-found", Text: fmt.Sprintf("there is no game %q", clipped(id)), Field: "id", Value: clipped(id), Expected: "the id of a game"}}
	}
	if err != nil {
		return nil, loa.NoColor, err
	}
	return m, m.SeatOf(c.person.ID), nil
}

func (s *Server) apiGame(c *call) (any, error) {
	m, you, err := s.apiMatch(c)
	if err != nil {
		return nil, err
	}
	if !c.token.Has(account.ReadScope) {
		you = loa.NoColor
	}
	return wire.SnapshotOf(m, wire.PositionNow(m), you, s.Now()), nil
}

// problem says what is wrong with the terms of a game.
func (e *fieldError) problem() error {
	field, value, want := e.field, e.value, e.want
	if e.rules != nil {
		field, value, want = wrongRules(value, e.rules)
		field, _, _ = strings.Cut(field, ".")
	}
	return wrong(field, value, want)
}

// apiCommand does something in a match.
func (s *Server) apiCommand(c *call) (any, error) {
	var command wire.Command
	if err := c.read(&command); err != nil {
		return nil, err
	}
	m, you, err := s.apiMatch(c)
	switch {
	case err != nil:
		return nil, err
	case command.V != 0 && command.V != wire.Version:
		return nil, wrong("v", strconv.Itoa(command.V), strconv.Itoa(wire.Version))
	case command.Match != "" && command.Match != string(m.ID()):
		return nil, wrong("match", command.Match, string(m.ID()))
	case len(command.Client) > longestClient:
		return nil, wrong("client", command.Client, fmt.Sprintf("at most %d characters", longestClient))
	}
	seq, not := 0, (*wire.Refused)(nil)
	var quiet *silence
	switch command.Type {
	case wire.KindResume, wire.KindPing: // of sockets alone
		return nil, wrong("type", command.Type, "move, takeback, draw, rematch, decline, resign, abort, claim, talk or mute; a stream says how a game stands")
	case wire.KindTalk:
		seq, quiet, err = s.say(c.Context(), m, speakerOf(m, you, c.person.ID), command.TalkCommand, command.Client)
	case wire.KindMute:
		quiet, err = s.mute(c.Context(), m, speakerOf(m, you, c.person.ID), command.TalkCommand)
	default:
		seq, not, err = s.command(c.Context(), m.ID(), you, c.person.ID, 0, command)
	}
	if quiet != nil {
		answer := refused(command.Client, quiet.code, quiet.text)
		answer.Wait = (quiet.wait + time.Millisecond - 1).Milliseconds()
		not = &answer
	}
	if err != nil {
		return nil, err
	}
	if not != nil {
		return nil, refusedProblem(*not, command)
	}
	return wire.Ack{V: wire.Version, Type: wire.KindAck, Client: command.Client, Seq: seq}, nil
}

// refusedProblem gives a refusal of the socket the status it has over HTTP.
func refusedProblem(not wire.Refused, command wire.Command) error {
	p := &problem{http.StatusConflict, wire.Fault{Code: not.Code, Text: not.Text, Wait: not.Wait}}
	switch not.Code {
	case "malformed", "empty", "too-long", "control", "preset":
		p.status = http.StatusBadRequest
	case string(match.NotYourSeat), codeBarred, "not-your-room", "blocked", "silenced", "unknown":
		p.status = http.StatusForbidden
	case string(match.IllegalMove):
		p.status, p.fault.Field, p.fault.Value = http.StatusUnprocessableEntity, "move", clipped(command.Move)
	case "too-fast":
		p.status = http.StatusTooManyRequests
	}
	return p
}

func (s *Server) apiLobby(c *call) (any, error) { return s.lobbyFor(c.Context(), c.person, nil) }

// apiTerms reads the terms of a game between people.
func apiTerms(in wire.NewChallenge) (lobby.Wish, error) {
	form := url.Values{"rules": {in.Rules}, "control": {in.Control}, "color": {in.Color}}
	if in.Rated {
		form.Set("rated", "1")
	}
	wish, refusal := readTerms(form)
	if refusal != nil {
		return wish, refusal.problem()
	}
	if why := wish.Unrated(); in.Rated && why != "" {
		return wish, &problem{http.StatusBadRequest, wire.Fault{Code: why, Text: "games under these terms are never rated", Field: "rated", Value: "true", Expected: "false"}}
	}
	return wish, nil
}

func (s *Server) apiChallenge(c *call) (any, error) {
	var in wire.NewChallenge
	if err := c.read(&in); err != nil {
		return nil, err
	}
	wish, err := apiTerms(in)
	if err != nil {
		return nil, err
	}
	challenge := lobby.Challenge{From: c.person.ID, Name: c.person.Name, Bot: c.person.Bot, Wish: wish}
	if name := strings.TrimSpace(in.To); name != "" {
		invited, known, err := s.Members.PersonByName(c.Context(), name)
		switch {
		case err != nil:
			return nil, err
		case !known, invited.ID == c.person.ID:
			return nil, wrong("to", name, "the name of another member")
		}
		challenge.To = invited.ID
	}
	if wait := s.quotas.games.take(c.person.ID, s.Now()); wait > 0 {
		return nil, tooFast("too many challenges", wait)
	}
	if challenge, err = s.Lobby.Challenge(c.Context(), challenge); err != nil {
		return nil, err
	}
	return s.invited(c, challenge)
}

// invited describes a challenge.
func (s *Server) invited(c *call, challenge lobby.Challenge) (wire.Invitation, error) {
	w := challenge.Wish
	out := wire.Invitation{
		ID: challenge.ID, From: challenge.Name, Bot: challenge.Bot, Mine: challenge.From == c.person.ID,
		Rules: w.Rules.String(), Control: w.Control.String(), Rated: w.Rated, Color: w.Color.String(), Made: challenge.Made.UTC(),
		State: orElse(challenge.State(s.Now()), "open"), Match: challenge.Match, URL: s.public(c.Request) + "/challenge/" + challenge.ID,
	}
	if challenge.To != "" {
		invited, _, err := s.Moderation.PersonByID(c.Context(), challenge.To)
		if err != nil {
			return out, err
		}
		out.To = invited.Name
	}
	return out, nil
}

func (s *Server) apiChallenges(c *call) (any, error) { return s.invitations(c) }

// invitations describes the open challenges of whoever asks.
func (s *Server) invitations(c *call) ([]wire.Invitation, error) {
	challenges, err := s.Lobby.Challenges(c.Context(), c.person.ID)
	out := []wire.Invitation{}
	for _, challenge := range challenges {
		one, err := s.invited(c, challenge)
		if err != nil {
			return nil, err
		}
		out = append(out, one)
	}
	return out, err
}

func (s *Server) apiInvitation(c *call) (any, error) {
	challenge, _, err := s.Lobby.Get(c.Context(), c.PathValue("id"))
	if err != nil {
		return nil, err
	}
	if challenge.To != "" && challenge.To != c.person.ID && challenge.From != c.person.ID {
		return nil, live.ErrNotYours
	}
	return s.invited(c, challenge)
}

func (s *Server) apiAccept(c *call) (any, error) {
	id, err := s.Lobby.Accept(c.Context(), c.PathValue("id"), lobby.Seeker{Person: c.person.ID, Name: c.person.Name, Guest: c.person.Guest(), Bot: c.person.Bot})
	if errors.Is(err, live.ErrConflict) { // whoever asks twice for what is theirs gets it twice
		challenge, _, fault := s.Lobby.Get(c.Context(), c.PathValue("id"))
		if fault != nil {
			return nil, fault
		}
		if challenge.Match != "" {
			m, fault := s.Live.Match(c.Context(), match.ID(challenge.Match))
			if fault != nil {
				return nil, fault
			}
			if m.SeatOf(c.person.ID) != loa.NoColor {
				return wire.Begun{Match: challenge.Match}, nil
			}
		}
	}
	return wire.Begun{Match: string(id)}, err
}

func (s *Server) apiDecline(c *call) (any, error) {
	if err := s.Lobby.Refuse(c.Context(), c.PathValue("id"), c.person.ID); err != nil {
		return nil, err
	}
	return s.apiInvitation(c)
}
