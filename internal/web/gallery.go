package web

import (
	"net/http"
	"regexp"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/wire"
)

// galleryPage shows every component of the pages in every state, for those who work on them. It is there in
// development only, and in English.
type galleryPage struct {
	page
	Icons  []string
	States []galleryState
}

// Clocks returns the states of a clock.
func (galleryPage) Clocks() []string { return []string{"idle", "run", "run low", "idle low", "sent"} }

// galleryState is a state of the board, as static/gallery.js brings it about.
type galleryState struct {
	Name, Title string
	Position    string
	Data        wire.Position
}

// galleryStates are the states of the board.
var galleryStates = []galleryState{
	{Name: "rest", Title: "At rest", Position: "1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 b"},
	{Name: "select", Title: "Selected: counts, where it may land, what bars the way", Position: "x6x/8/8/8/o2o1x2/8/8/o6o b"},
	{Name: "capture", Title: "May capture", Position: "8/8/8/2x1o3/8/8/8/x5xo b"},
	{Name: "last", Title: "The last move", Position: "1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 b"},
	{Name: "sent", Title: "Sent, not yet confirmed", Position: "1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 b"},
	{Name: "plan", Title: "Planned for one's next turn", Position: "1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 w"},
	{Name: "advice", Title: "A move that is suggested", Position: "1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 b"},
	{Name: "groups", Title: "The groups of a side", Position: "8/8/3x4/2x1x3/8/3x4/8/o6o b"},
	{Name: "won", Title: "Connected", Position: "8/8/3x4/2xxx3/8/8/8/o6o w"},
}

var iconID = regexp.MustCompile(`<symbol id="i-([\w-]+)"`)

// gallery is the page of components.
func (s *Server) gallery(w http.ResponseWriter, r *http.Request) {
	p := galleryPage{page: s.page(r)}
	p.Title = "Gallery"
	p.run("gallery.js", "board.", "square.", "piece.", "side.", "line.", "dir.", "ray.")
	icons, err := templateFiles.ReadFile("templates/icons.html")
	if err != nil {
		s.internal(w, r, err)
		return
	}
	for _, found := range iconID.FindAllSubmatch(icons, -1) {
		p.Icons = append(p.Icons, string(found[1]))
	}
	for _, state := range galleryStates {
		setup, err := loa.ParseSetup(state.Position)
		var position loa.Position
		if err == nil {
			position, err = setup.Position(loa.Rules{})
		}
		if err != nil {
			s.internal(w, r, err)
			return
		}
		state.Data = wire.PositionOf(position, false)
		p.States = append(p.States, state)
	}
	s.render(w, r, http.StatusOK, "gallery", p)
}
