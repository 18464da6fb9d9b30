package puzzle

import (
	"bufio"
	_ "embed"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/linesofaction/loa"
)

// Head is the comment that a file of puzzles begins with.
const Head = `# Puzzles: the side to move wins in as many plies as the solution has, by its first move alone.
# id | position | solution, with the longest defense | grade | where from
`

//go:embed standard.puzzles
var standard string

// Standard returns the puzzles that are part of the program.
func Standard() ([]*Puzzle, error) {
	return Read(strings.NewReader(standard), "the program's own puzzles")
}

// Read reads puzzles as String writes them, one a line; blank lines and lines that begin with # are left out. The error
// names the file, the line, what is wrong with it and what was expected. Whether a solution is one is not checked.
func Read(in io.Reader, file string) ([]*Puzzle, error) {
	var puzzles []*Puzzle
	seen := map[string]int{}
	scanner := bufio.NewScanner(in)
	for n := 1; scanner.Scan(); n++ {
		text := strings.TrimSpace(scanner.Text())
		if text == "" || text[0] == '#' {
			continue
		}
		p, err := Parse(text)
		if err == nil && seen[p.ID] > 0 {
			err = fmt.Errorf("id %q: the same position, or an image of it, is in line %d", p.ID, seen[p.ID])
		}
		if err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", file, n, err)
		}
		seen[p.ID] = n
		puzzles = append(puzzles, p)
	}
	if err := scanner.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return puzzles, nil
}

// String returns the line of a puzzle in a file.
func (p *Puzzle) String() string {
	return fmt.Sprintf("%s | %s | %s | %d | %s", p.ID, p.Position, strings.Join(p.Solution(), " "), p.Grade, p.Source)
}

// Solution returns the moves of the solution as people read them.
func (p *Puzzle) Solution() []string {
	now := p.Position
	var moves []string
	for _, m := range p.Line {
		moves = append(moves, now.Format(m))
		now = now.PlayUnchecked(m)
	}
	return moves
}

// Parse reads the line of a puzzle.
func Parse(text string) (*Puzzle, error) {
	fields := strings.Split(text, "|")
	if len(fields) != 5 {
		return nil, fmt.Errorf("%q has %d fields, expected 5: id | position | solution | grade | where from", text, len(fields))
	}
	for i := range fields {
		fields[i] = strings.TrimSpace(fields[i])
	}
	setup, err := loa.ParseSetup(fields[1])
	if err != nil {
		return nil, err
	}
	rules := Rules()
	rules.Start, rules.Size = loa.StartCustom, setup.Board.Size
	position, err := setup.Position(rules)
	if err != nil {
		return nil, err
	}
	line, err := readLine(position, fields[2])
	if err != nil {
		return nil, err
	}
	p := New(position, line, fields[4])
	if fields[0] != p.ID {
		return nil, fmt.Errorf("id %q: expected %q, which belongs to %s", fields[0], p.ID, position)
	}
	p.Grade, err = strconv.Atoi(fields[3])
	if err != nil || p.Grade < leastGrade || p.Grade > mostGrade {
		return nil, fmt.Errorf("grade %q: expected points from %d to %d", fields[3], leastGrade, mostGrade)
	}
	return p, nil
}

const (
	leastGrade = 100
	mostGrade  = 3500
)

// readLine reads a solution: legal moves of which the last one wins for the side that begins.
func readLine(p loa.Position, text string) ([]loa.Move, error) {
	side, now := p.Turn(), p
	var line []loa.Move
	for _, word := range strings.Fields(text) {
		move, claim, err := loa.ParseMove(word)
		if err != nil {
			return nil, err
		}
		next, err := now.Play(move)
		if err != nil {
			return nil, fmt.Errorf("solution %q: %w", text, err)
		}
		if !claim.Holds(now, move) {
			return nil, fmt.Errorf("solution %q: move %q, expected %q", text, word, now.Format(move))
		}
		line, now = append(line, move), next
	}
	if len(line) < LeastPlies || len(line) > MostPlies || len(line)%2 == 0 {
		return nil, fmt.Errorf("solution %q has %d plies, expected 1, 3, 5, 7 or 9", text, len(line))
	}
	if now.Outcome().Winner != side {
		return nil, fmt.Errorf("solution %q ends with %s, expected a win for %s", text, now.Outcome(), side)
	}
	return line, nil
}
