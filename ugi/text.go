package ugi

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/engine"
)

// brief returns the beginning of a text that may be long.
func brief(text string) string {
	const most = 40
	if len(text) <= most {
		return text
	}
	return text[:most] + "…"
}

// formatInfo writes the info line of a best line of the given place, 0 when there is only one.
func formatInfo(info engine.Info, place int) string {
	var out strings.Builder
	fmt.Fprintf(&out, "info depth %d", info.Depth)
	if place > 0 {
		fmt.Fprintf(&out, " multipv %d", place)
	}
	win, draw, loss := info.Score.WDL()
	fmt.Fprintf(&out, " seldepth %d hashfull %d wdl %d %d %d", info.SelDepth, info.Hashfull, win, draw, loss)
	fmt.Fprintf(&out, " score %s nodes %d nps %d time %d pv", info.Score, info.Nodes, info.NPS, info.Time.Milliseconds())
	for _, m := range info.PV {
		out.WriteByte(' ')
		out.WriteString(m.String())
	}
	return out.String()
}

// parseInfo reads an info line. Words it does not know are skipped with the word behind them, for engines add
// their own.
func parseInfo(line string) (engine.Info, error) {
	info := engine.Info{MultiPV: 1}
	bad := func(text, want string) (engine.Info, error) {
		return info, &loa.SyntaxError{What: "info", Text: text, Want: want}
	}
	words := strings.Fields(line)
	if len(words) == 0 || words[0] != "info" {
		return bad(line, "a line that begins with info")
	}
	for words = words[1:]; len(words) > 0; words = words[2:] {
		if words[0] == "pv" {
			for _, word := range words[1:] {
				m, _, err := loa.ParseMove(word)
				if err != nil {
					return info, err
				}
				info.PV = append(info.PV, m)
			}
			return info, nil
		}
		switch {
		case words[0] == "score":
			words = words[1:]
		case words[0] == "wdl" && len(words) > 3: // it follows from the score; a pair of its three numbers is left to skip
			words = words[2:]
		}
		if len(words) < 2 {
			return bad(words[len(words)-1], "a number behind it")
		}
		n, err := strconv.Atoi(words[1])
		if err != nil {
			return bad(words[1], "a number behind "+words[0])
		}
		switch words[0] {
		case "depth":
			info.Depth = n
		case "seldepth":
			info.SelDepth = n
		case "multipv":
			info.MultiPV = n
		case "cp":
			info.Score = engine.Score(n)
		case "win":
			info.Score = engine.WinIn(n)
		case "loss":
			info.Score = engine.WinIn(-n)
		case "nodes":
			info.Nodes = uint64(n)
		case "nps":
			info.NPS = uint64(n)
		case "time":
			info.Time = time.Duration(n) * time.Millisecond
		case "hashfull":
			info.Hashfull = n
		}
	}
	return info, nil
}

// formatGo writes the go command for limits on a position with the given side to move.
func formatGo(limits engine.Limits, turn loa.Color) string {
	out := "go"
	if c := limits.Clock; c != nil {
		left, increment := [2]time.Duration{c.Left, c.OpponentLeft}, [2]time.Duration{c.Increment, c.OpponentIncrement}
		one, two := turn, turn.Opponent() // places of players one and two in these
		out += fmt.Sprintf(" p1time %d p2time %d p1inc %d p2inc %d", left[one].Milliseconds(), left[two].Milliseconds(),
			increment[one].Milliseconds(), increment[two].Milliseconds())
	}
	if limits.MoveTime > 0 {
		out += fmt.Sprintf(" movetime %d", max(limits.MoveTime.Milliseconds(), 1))
	}
	if limits.Nodes > 0 {
		out += fmt.Sprintf(" nodes %d", limits.Nodes)
	}
	if limits.Depth > 0 {
		out += fmt.Sprintf(" depth %d", limits.Depth)
	}
	if out == "go" || limits.Infinite {
		out += " infinite"
	}
	return out
}

// parseGo reads what stands behind go, for a position with the given side to move.
func parseGo(words []string, turn loa.Color) (engine.Limits, error) {
	limits := engine.Limits{Infinite: len(words) == 0}
	bad := func(text, want string) (engine.Limits, error) {
		return engine.Limits{}, &loa.SyntaxError{What: "go", Text: text, Want: want}
	}
	clock := map[string]time.Duration{}
	seen := map[string]bool{}
	for len(words) > 0 {
		word := words[0]
		words = words[1:]
		if seen[word] {
			return bad(word, "each limit only once")
		}
		seen[word] = true
		least := 1
		switch word {
		case "infinite":
			limits.Infinite = true
			continue
		case "p1time", "p2time", "p1inc", "p2inc":
			least = 0
		case "movetime", "nodes", "depth":
		default:
			return bad(word, "movetime, nodes, depth, infinite, p1time, p2time, p1inc or p2inc")
		}
		if len(words) == 0 {
			return bad(word, "a number behind it")
		}
		n, err := strconv.ParseInt(words[0], 10, 64)
		if err != nil || n < int64(least) || n > mostNumber {
			return bad(words[0], fmt.Sprintf("a whole number from %d to %d behind %s", least, int64(mostNumber), word))
		}
		words = words[1:]
		switch word {
		case "movetime":
			limits.MoveTime = time.Duration(n) * time.Millisecond
		case "nodes":
			limits.Nodes = uint64(n)
		case "depth":
			limits.Depth = int(n)
		default:
			clock[word] = time.Duration(n) * time.Millisecond
		}
	}
	if len(clock) > 0 {
		mine, theirs := "p1", "p2"
		if turn == loa.White {
			mine, theirs = theirs, mine
		}
		if !seen[mine+"time"] {
			return bad("go", mine+"time, for it is that player's turn")
		}
		limits.Clock = &engine.Clock{
			Left: clock[mine+"time"], Increment: clock[mine+"inc"],
			OpponentLeft: clock[theirs+"time"], OpponentIncrement: clock[theirs+"inc"],
		}
	}
	return limits, nil
}

// mostNumber keeps milliseconds within a time.Duration; it is 31 years of them.
const mostNumber = 1_000_000_000_000
