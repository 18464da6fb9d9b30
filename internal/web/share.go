package web

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/match"
	"github.com/linesofaction/loa/internal/picture"
	"github.com/linesofaction/loa/sgf"
)

// The sizes of pictures nobody asked a size for, in pixels on an edge.
const (
	pngPixels = 600
	gifPixels = 320
)

// mostFrames bounds a game that moves; of a longer one its last positions are shown.
const mostFrames = 300

// sharedGame is a game to show elsewhere.
type sharedGame struct {
	*loa.Game
	outcome loa.Outcome // also by resigning and the like
	names   [2]string   // empty for a game of nobody
}

// share answers a game in a form that other programs show.
type share func(s *Server, w http.ResponseWriter, r *http.Request, game sharedGame)

// ofMatch answers the match of a request in a form.
func (s *Server) ofMatch(form share) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		m, _, ok := s.match(w, r)
		if !ok {
			return
		}
		v := s.voice(r)
		var names [2]string
		for i, color := range []loa.Color{loa.Black, loa.White} {
			seat := m.Seat(color)
			names[i] = v.marked(v.player(m, color, loa.NoColor).Name, seat.Bot)
			if seat.Holder == match.Engine {
				names[i] += ", " + v.T("level.short", "Level", seat.Level)
			}
		}
		form(s, w, r, sharedGame{m.Game(), m.Outcome(), names})
	}
}

// ofAddress answers the game that the address of a request describes in a form.
func (s *Server) ofAddress(form share) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if game, ok := s.described(w, r, r.URL.Query()); ok {
			form(s, w, r, sharedGame{Game: game, outcome: game.Outcome()})
		}
	}
}

// voice speaks the language of a request.
func (s *Server) voice(r *http.Request) voice {
	chosen := s.settings(r)
	return s.catalog.voice(chosen.Lang, chosen.Board)
}

// described returns the game that values describe: rules, position and moves, each where given. It answers what is wrong
// with them.
func (s *Server) described(w http.ResponseWriter, r *http.Request, values url.Values) (*loa.Game, bool) {
	rules, start, ok := s.rules(w, r, values.Get("rules"))
	if ok && values.Get("position") != "" {
		start, ok = s.position(w, r, rules, values.Get("position"))
	}
	if !ok {
		return nil, false
	}
	game, err := loa.NewGameFrom(rules, start.Setup())
	if err != nil {
		s.refuse(w, r, "position", values.Get("position"), start.String())
		return nil, false
	}
	for _, text := range strings.FieldsFunc(values.Get("moves"), func(r rune) bool { return r == ',' || r == ' ' }) {
		move, _, err := loa.ParseMove(text)
		if err == nil {
			err = game.Play(move)
		}
		if err != nil {
			want := "–"
			if moves := game.Moves(nil); len(moves) > 0 {
				want = game.Position().Format(moves[0])
			}
			s.refuse(w, r, "moves", text, want)
			return nil, false
		}
	}
	return game, true
}

// position reads a position under rules, or answers why it is none.
func (s *Server) position(w http.ResponseWriter, r *http.Request, rules loa.Rules, text string) (loa.Position, bool) {
	setup, err := loa.ParseSetup(text)
	var position loa.Position
	if err == nil {
		position, err = setup.Position(rules)
	}
	if err != nil {
		s.refuse(w, r, "position", text, "1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 b")
		return position, false
	}
	return position, true
}

// view reads what a picture is to show of a game: a ply, the last one where none is named, and which side is below.
func (s *Server) view(w http.ResponseWriter, r *http.Request, game *loa.Game) (view picture.View, ok bool) {
	values := r.URL.Query()
	text := orElse(values.Get("ply"), strconv.Itoa(game.Plies()))
	ply, err := strconv.Atoi(text)
	if err != nil || ply < 0 || ply > game.Plies() {
		s.refuse(w, r, "ply", text, fmt.Sprintf("0–%d", game.Plies()))
		return view, false
	}
	side := loa.Black
	if text := values.Get("side"); text != "" {
		if side, err = loa.ParseColor(text); err != nil {
			s.refuse(w, r, "color", text, "black, white")
			return view, false
		}
	}
	return viewAt(game, ply, side == loa.White), true
}

// viewAt shows a game after a number of plies.
func viewAt(game *loa.Game, ply int, flipped bool) picture.View {
	view := picture.View{Board: game.PositionAt(ply).Board(), Flipped: flipped}
	if ply > 0 {
		if move := game.Move(ply - 1); move != loa.Pass {
			view.Last = []loa.Square{move.From(), move.To()}
		}
	}
	return view
}

// pixels reads the size of a picture.
func (s *Server) pixels(w http.ResponseWriter, r *http.Request, usual int) (int, bool) {
	text := orElse(r.URL.Query().Get("size"), strconv.Itoa(usual))
	pixels, err := strconv.Atoi(text)
	if err != nil || pixels < picture.MinPixels || pixels > picture.MaxPixels {
		s.refuse(w, r, "size", text, fmt.Sprintf("%d–%d", picture.MinPixels, picture.MaxPixels))
		return 0, false
	}
	return pixels, true
}

// asSVG, asPNG, asGIF and asSGF are the forms.
func asSVG(s *Server, w http.ResponseWriter, r *http.Request, game sharedGame) {
	if view, ok := s.view(w, r, game.Game); ok {
		sendFile(w, "image/svg+xml", view.SVG())
	}
}

func asPNG(s *Server, w http.ResponseWriter, r *http.Request, game sharedGame) {
	view, ok := s.view(w, r, game.Game)
	if !ok {
		return
	}
	pixels, ok := s.pixels(w, r, pngPixels)
	if !ok {
		return
	}
	var body bytes.Buffer
	if err := view.WritePNG(&body, pixels); err != nil {
		s.internal(w, r, err)
		return
	}
	sendFile(w, "image/png", body.Bytes())
}

func asGIF(s *Server, w http.ResponseWriter, r *http.Request, game sharedGame) {
	view, ok := s.view(w, r, game.Game)
	if !ok {
		return
	}
	pixels, ok := s.pixels(w, r, gifPixels)
	if !ok {
		return
	}
	var views []picture.View
	for ply := max(0, game.Plies()+1-mostFrames); ply <= game.Plies(); ply++ {
		views = append(views, viewAt(game.Game, ply, view.Flipped))
	}
	var body bytes.Buffer
	if err := picture.WriteGIF(&body, pixels, views); err != nil {
		s.internal(w, r, err)
		return
	}
	sendFile(w, "image/gif", body.Bytes())
}

func asSGF(s *Server, w http.ResponseWriter, r *http.Request, game sharedGame) {
	record := &sgf.Record{Rules: game.Rules(), Start: game.Start().Setup(), Players: game.names, Result: sgf.Result{Standing: sgf.Unfinished}}
	if game.names[0] != "" {
		record.Root.Props = map[string][]string{"PC": {s.public(r)}}
	}
	if outcome := game.outcome; outcome.Over() && outcome.Reason != loa.Aborted {
		record.Result = sgf.Result{Standing: sgf.Decided, Winner: outcome.Winner, Reason: outcome.Reason}
	}
	at := &record.Root
	for ply := range game.Plies() {
		next := &sgf.Node{Move: game.Move(ply)}
		at.Next = []*sgf.Node{next}
		at = next
	}
	body, err := sgf.Encode(sgf.FormSGF, record)
	if err != nil {
		s.internal(w, r, err)
		return
	}
	w.Header().Set("Content-Disposition", `attachment; filename="lines-of-action.sgf"`)
	sendFile(w, "application/x-go-sgf", body)
}

// fileKeeps is for how long a browser may keep a picture, which shows a game that may go on.
const fileKeeps = time.Minute

func sendFile(w http.ResponseWriter, kind string, body []byte) {
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("Cache-Control", fmt.Sprintf("public, max-age=%d", int(fileKeeps.Seconds())))
	w.Write(body)
}

// sharedView is how a game can be shown elsewhere.
type sharedView struct {
	Address string // of the page
	Card    string // a picture for programs that preview links
	Files   []sharedFile
	Frame   string // what another page has to hold to show it; empty where that is not possible
}

type sharedFile struct{ Name, Title, Address string }

// sharedAddress describes a game that stands at a path with a query.
func (v voice) sharedAddress(public, path, query string) sharedView {
	view := sharedView{Address: public + path + query, Card: public + path + "/board.png" + query}
	for _, name := range []string{"game.sgf", "board.png", "board.svg", "game.gif"} {
		view.Files = append(view.Files, sharedFile{name, v.T("share." + name), path + "/" + name + query})
	}
	return view
}

// sharedGame describes a match of the server.
func (v voice) sharedGame(public string, m *match.Match) sharedView {
	view := v.sharedAddress(public, "/game/"+string(m.ID()), "")
	view.Frame = fmt.Sprintf(`<iframe src="%s/frame" width="320" height="420" title="Lines of Action"></iframe>`, view.Address)
	return view
}

// tableQuery describes a game as the address of one's own board does.
func tableQuery(game *loa.Game) string {
	values := url.Values{"rules": {game.Rules().String()}, "position": {game.Start().String()}}
	var moves []string
	for ply := range game.Plies() {
		moves = append(moves, game.Format(ply))
	}
	if len(moves) > 0 {
		values.Set("moves", strings.Join(moves, ","))
	}
	return "?" + values.Encode()
}

// framePolicy lets other sites show a page in a frame.
var framePolicy = strings.Replace(policy, "frame-ancestors 'none'", "frame-ancestors *", 1)

// framePage is one game for the pages of other sites.
type framePage struct {
	page
	Shown []miniView
}

// frame is a game as it is played, small enough for a frame in somebody else's page.
func (s *Server) frame(w http.ResponseWriter, r *http.Request) {
	m, _, ok := s.match(w, r)
	if !ok {
		return
	}
	p := framePage{page: s.page(r)}
	p.Title = p.sides(m, loa.NoColor)
	p.run("watch.js", miniTexts...)
	var err error
	if p.Shown, err = s.minis(r, p.voice, []match.ID{m.ID()}); err != nil {
		s.internal(w, r, err)
		return
	}
	w.Header().Set("Content-Security-Policy", framePolicy)
	s.renderPart(w, r, "frame", "frame", p)
}
