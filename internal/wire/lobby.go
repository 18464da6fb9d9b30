package wire

// Kinds of message on the lobby's socket, in the field "type".
const (
	KindLobby = "lobby"
	KindGo    = "go"

	KindSeek   = "seek"
	KindUnseek = "unseek"
	KindTake   = "take"
)

// Lobby is who is here and who looks for a game, sent when that changes.
type Lobby struct {
	V          int         `json:"v"`
	Type       string      `json:"type"`
	Online     int         `json:"online"`            // people with a page open
	Seeking    int         `json:"seeking"`           // people who look for a game
	Playing    int         `json:"playing"`           // games between people being played
	Seeks      []Seek      `json:"seeks"`             // of very many only some: the receiver's own and those that can be joined first
	More       int         `json:"more,omitempty"`    // seeks that are not listed
	Pools      []Pool      `json:"pools,omitempty"`   // how many look for the quick games, and for what the receiver looks for
	Challenges []Challenge `json:"challenges"`        // open ones made by or to the receiver
	Games      []string    `json:"games"`             // running matches of the receiver
	Awaited    []string    `json:"awaited,omitempty"` // those of them at days a move that wait for a move of the receiver
	Here       []string    `json:"here,omitzero"`     // those the receiver follows who have a page open, by name; absent when none is followed
	Bots       []string    `json:"bots,omitempty"`    // those of them that are bots
}

// Pool is how many seeks of others there are for one game, by what joining them would bring.
type Pool struct {
	Rules   string `json:"rules"`
	Control string `json:"control"`
	Rated   bool   `json:"rated,omitempty"`
	Now     int    `json:"now,omitempty"`
	Later   int    `json:"later,omitempty"`
	Barred  int    `json:"barred,omitempty"` // range or again
}

// Seek is somebody who looks for a game.
type Seek struct {
	ID          string `json:"id,omitempty"` // of one that stands by itself, to take or to withdraw it
	Name        string `json:"name"`
	Guest       bool   `json:"guest,omitempty"`
	Bot         bool   `json:"bot,omitempty"`
	Rating      int    `json:"rating"`
	Provisional bool   `json:"provisional,omitempty"`
	Rules       string `json:"rules"`
	Control     string `json:"control"`
	Rated       bool   `json:"rated,omitempty"`
	Color       string `json:"color"` // black, white, none: the color the seeker wants
	Below       int    `json:"below,omitempty"`
	Above       int    `json:"above,omitempty"`
	Mine        bool   `json:"mine,omitempty"`
	Prospect    string `json:"prospect,omitempty"` // of joining it: later, range, again; absent when the game begins at once
	Days        int    `json:"days,omitempty"`     // for which it still stands by itself, begun ones counted; absent when it ends with its maker's page
}

// Challenge is an open invitation.
type Challenge struct {
	ID      string `json:"id"`
	From    string `json:"from"` // name
	Bot     bool   `json:"bot,omitempty"`
	Rules   string `json:"rules"`
	Control string `json:"control"`
	Rated   bool   `json:"rated,omitempty"`
	Mine    bool   `json:"mine,omitempty"`
}

// Unseek tells a page that another one of the same person has ended what it looks for.
type Unseek struct {
	V    int    `json:"v"`
	Type string `json:"type"`
}

// Go sends the receiver to a match that has begun.
type Go struct {
	V     int    `json:"v"`
	Type  string `json:"type"`
	Match string `json:"match"`
}

// LobbyCommand is what a page of the lobby asks. A seek stands while the socket is open, at days a move by itself, and one of the same
// person for the same terms is the same seek.
type LobbyCommand struct {
	V       int    `json:"v"`
	Type    string `json:"type"` // seek, unseek, take, ping
	Rules   string `json:"rules,omitempty"`
	Control string `json:"control,omitempty"`
	Rated   bool   `json:"rated,omitempty"`
	Color   string `json:"color,omitempty"` // black, white; empty for either
	Below   int    `json:"below,omitempty"`
	Above   int    `json:"above,omitempty"`
	ID      string `json:"id,omitempty"` // take, and unseek for one that stands by itself
}
