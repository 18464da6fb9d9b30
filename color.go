package loa

// Color is a side. Black is the first player whatever a page paints it (clause 2).
type Color uint8

// The two sides, and the absence of one, which is what a drawn Outcome has for a winner.
const (
	Black Color = iota
	White
	NoColor
)

// Opponent returns the other side. It assumes Black or White.
func (c Color) Opponent() Color { return c ^ 1 }

// String returns "black", "white" or "none".
func (c Color) String() string {
	switch c {
	case Black:
		return "black"
	case White:
		return "white"
	}
	return "none"
}

// ParseColor reads "black", "white", "b" or "w" in any letter case.
func ParseColor(text string) (Color, error) {
	switch lower(text) {
	case "b", "black":
		return Black, nil
	case "w", "white":
		return White, nil
	}
	return NoColor, &SyntaxError{What: "color", Text: text, Want: "black or white"}
}
