package wire

// Kinds of message about what people say. The same word asks and answers: a browser's talk says something, the
// server's brings what was said.
const (
	KindTalk = "talk"
	KindMute = "mute"
)

// Talk brings what was said in a room of a match, as one receiver may read it.
type Talk struct {
	V       int      `json:"v"`
	Type    string   `json:"type"`
	Match   string   `json:"match"`
	Room    string   `json:"room"`              // players, onlookers
	Whole   bool     `json:"whole,omitempty"`   // all that the receiver gets of the room, in place of what came before
	Muted   bool     `json:"muted,omitempty"`   // the receiver has muted the opponent, or all onlookers
	Blocked bool     `json:"blocked,omitempty"` // one of the two players has blocked the other
	Remarks []Remark `json:"remarks"`
}

// Remark is one thing said.
type Remark struct {
	N      int    `json:"n"` // its number in the room
	Name   string `json:"name"`
	Bot    bool   `json:"bot,omitempty"`
	Seat   string `json:"seat,omitempty"` // black, white, or empty for an onlooker
	Mine   bool   `json:"mine,omitempty"` // the receiver said it
	At     int64  `json:"at"`             // milliseconds since 1970
	Text   string `json:"text,omitempty"`
	Preset string `json:"preset,omitempty"` // the key of a quick phrase, in place of a text
}

// TalkCommand is the part of a Command that talk and mute need.
type TalkCommand struct {
	Room   string `json:"room,omitempty"`   // with talk and mute
	Text   string `json:"text,omitempty"`   // with talk
	Preset string `json:"preset,omitempty"` // with talk, in place of a text
	Remark int    `json:"remark,omitempty"` // with mute among onlookers: whoever made it; all onlookers without
	On     bool   `json:"on,omitempty"`     // with mute: from now on, or no more
}
