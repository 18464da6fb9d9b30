package loa

// Reason is why a game ended. The list is closed, grows only at its end, and is stored by its names.
type Reason uint8

// The reasons: those of the rules first, then those that only a match between two seats can have.
const (
	NotOver       Reason = iota
	Connected            // one side's pieces form one group
	BothConnected        // both sides' do, by the same move
	NoMove               // the side to move has no move, and the rules end the game there
	Repetition           // the same board with the same side to move, too often
	PlyCap               // the agreed number of plies is played
	Resigned
	Flag
	Agreed
	Aborted
	Abandoned
	Adjudicated
)

var reasonNames = [...]string{
	"", "connected", "both-connected", "no-move", "repetition", "ply-cap",
	"resigned", "flag", "agreed", "aborted", "abandoned", "adjudicated",
}

// String returns the name, for example "both-connected"; it is empty for NotOver.
func (r Reason) String() string {
	if int(r) < len(reasonNames) {
		return reasonNames[r]
	}
	return "unknown"
}

// ParseReason reads a name as String writes it.
func ParseReason(text string) (Reason, error) {
	for i, name := range reasonNames {
		if i > 0 && name == text {
			return Reason(i), nil
		}
	}
	return NotOver, &SyntaxError{What: "reason", Text: text, Want: "a reason such as connected or resigned"}
}

// Outcome is how a game stands: still on (the zero Reason), or won by a side or by neither.
type Outcome struct {
	Winner Color // NoColor for a draw, and while the game is on
	Reason Reason
}

// open is the outcome of a game that is not over.
var open = Outcome{Winner: NoColor}

// Over reports whether the game has ended.
func (o Outcome) Over() bool { return o.Reason != NotOver }

// String returns the winner and the reason, "black connected", or "open".
func (o Outcome) String() string {
	if !o.Over() {
		return "open"
	}
	return o.Winner.String() + " " + o.Reason.String()
}
