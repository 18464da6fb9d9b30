//go:build !js

// The browser has no use for SHA-256, which would make its engine larger.

package proof

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"sort"
	"strconv"
	"strings"

	"github.com/linesofaction/loa"
)

// Verdict is what a proof that holds has shown, for the side to move.
type Verdict struct {
	Value     string // "win", "loss" or "draw"
	Plies     int    // a win or loss comes within so many
	Positions int64  // records of the proof
}

// Fault is what is wrong with a proof, and where.
type Fault struct {
	Place string // "line 2", "byte 1234", "record 17"
	Text  string
}

func (f *Fault) Error() string { return f.Place + ": " + f.Text }

func faultf(place, format string, args ...any) error {
	return &Fault{place, fmt.Sprintf(format, args...)}
}

const (
	headerMost = 1 << 20 // bytes of the text before the records
	indexMost  = 1 << 18 // records whose place is kept in memory
	blockLeast = 64      // records read at a time
)

// Verify checks a proof, in memory that does not grow with it. The error is a *Fault, or one of reading.
//
// Every record is checked by itself: its move is legal, and after every reply of the other side the game is over
// as claimed or stands at a position that has a record. In a claim to win, that record wins in at least two plies
// less, so following the records leads to a win, and no position comes twice on the way, which keeps
// the rules of repetition out of it, apart from positions the game has had before, which count as draws. In a
// claim to hold, nobody needs to get anywhere: who follows the records never comes to a lost position. Whether such
// a path ends by repetition or never does is for the rules to say. Near a ply cap a record may hold for a number of
// plies alone, and those after it for as many less.
//
// It calls report now and then with the share of the records that are checked, unless it is nil.
func Verify(from io.ReaderAt, size int64, report func(done, all int64)) (Verdict, error) {
	v := &verifier{from: from}
	body, err := v.readHeader(size)
	if err != nil {
		return Verdict{}, err
	}
	at := body
	for i := range v.sections {
		v.sections[i].offset = at
		at += v.sections[i].count * recordSize
		v.verdict.Positions += v.sections[i].count
	}
	if at+sha256.Size != size {
		return Verdict{}, faultf(fmt.Sprintf("byte %d", min(at+sha256.Size, size)), "the file has %d bytes, its first lines announce %d", size, at+sha256.Size)
	}
	for i := range v.sections {
		if err := v.sections[i].index(from); err != nil {
			return Verdict{}, err
		}
	}
	var done int64
	for i := range v.sections {
		err := v.sections[i].each(from, func(n int64, r Record) error {
			if done++; report != nil && done&0xfff == 0 {
				report(done, v.verdict.Positions)
			}
			return v.checkRecord(&v.sections[i], n, r)
		})
		if err != nil {
			return Verdict{}, err
		}
		if err := v.checkRoot(&v.sections[i]); err != nil {
			return Verdict{}, err
		}
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, io.NewSectionReader(from, 0, at)); err != nil {
		return Verdict{}, err
	}
	var stated [sha256.Size]byte
	if _, err := from.ReadAt(stated[:], at); err != nil && err != io.EOF {
		return Verdict{}, err
	}
	if !bytes.Equal(sum.Sum(nil), stated[:]) {
		return Verdict{}, faultf(fmt.Sprintf("byte %d", at), "the checksum is %x, the file before it has %x", stated[:8], sum.Sum(nil)[:8])
	}
	return v.verdict, nil
}

// verifier is a proof while it is checked.
type verifier struct {
	from     io.ReaderAt
	rules    loa.Rules
	game     *loa.Game
	root     loa.Position
	images   bool
	drawn    []loa.Position // the game has had them so often that the next time is a draw
	sections []section
	verdict  Verdict
}

// section is the records of a claim in the file.
type section struct {
	name   string
	side   loa.Color
	wins   bool
	count  int64
	offset int64
	stride int64    // records of a block
	firsts []Record // the first record of each block
	block  []byte   // the block read last
	held   int64    // its number
}

// readHeader reads the lines of text and returns where the records begin.
func (v *verifier) readHeader(size int64) (int64, error) {
	in := bufio.NewReaderSize(io.NewSectionReader(v.from, 0, min(size, headerMost)), 1<<12)
	var body int64
	line, place := 0, ""
	next := func() (string, error) {
		line++
		place = "line " + strconv.Itoa(line)
		text, err := in.ReadString('\n')
		body += int64(len(text))
		if err != nil && err != io.EOF {
			return "", err
		}
		if err != nil {
			return text, faultf(place, "the file ends, or what is before the records is too long")
		}
		return text[:len(text)-1], nil
	}
	field := func(word string) (string, error) {
		text, err := next()
		if err != nil {
			return "", err
		}
		rest, ok := strings.CutPrefix(text, word+" ")
		if !ok {
			return "", faultf(place, "%.60q: expected %q and its value", text, word)
		}
		return rest, nil
	}

	first, err := next()
	var fault *Fault
	if err != nil && !errors.As(err, &fault) {
		return 0, err
	}
	if err != nil || first != magic {
		return 0, faultf(place, "%.60q: expected %q", first, magic)
	}
	text, err := field("rules")
	if err != nil {
		return 0, err
	}
	if v.rules, err = loa.ParseRules(text); err != nil {
		return 0, faultf(place, "%v", err)
	}
	if text, err = field("position"); err != nil {
		return 0, err
	}
	setup, err := loa.ParseSetup(text)
	if err == nil {
		v.game, err = loa.NewGameFrom(v.rules, setup)
	}
	if err != nil {
		return 0, faultf(place, "%v", err)
	}
	if text, err = field("moves"); err != nil {
		return 0, err
	}
	for _, text := range strings.Fields(text) {
		m, _, err := loa.ParseMove(text)
		if err == nil {
			err = v.game.Play(m)
		}
		if err != nil {
			return 0, faultf(place, "%v", err)
		}
	}
	if v.game.Outcome().Over() {
		return 0, faultf(place, "the game is over: %s", v.game.Outcome())
	}
	v.root = v.game.Position()
	v.drawn = drawnNext(v.game)
	if text, err = field("images"); err != nil {
		return 0, err
	}
	v.images = text == "8"
	if text != "8" && text != "1" {
		return 0, faultf(place, "%.60q images: expected 1 or 8", text)
	}
	if v.images && len(v.drawn) > 0 {
		return 0, faultf(place, "images of a position are not alike after these moves: expected 1")
	}
	for {
		if text, err = next(); err != nil {
			return 0, err
		}
		if text == "" {
			break
		}
		var s section
		if s, err = parseClaim(text); err != nil || len(v.sections) == 2 {
			return 0, faultf(place, "%.60q: expected a claim such as \"win black 7\", or an empty line", text)
		}
		s.name = ""
		if len(v.sections) > 0 {
			s.name = " of claim 2"
		}
		v.sections = append(v.sections, s)
	}
	claims := v.sections
	switch {
	case len(claims) == 1 && claims[0].wins && claims[0].side == v.root.Turn():
		v.verdict.Value = "win"
	case len(claims) == 1 && claims[0].wins:
		v.verdict.Value = "loss"
	case len(claims) == 2 && !claims[0].wins && !claims[1].wins && claims[0].side != claims[1].side:
		v.verdict.Value = "draw"
	default:
		return 0, faultf(place, "these claims together show nothing: expected one side to win, or both to hold")
	}
	return body, nil
}

func parseClaim(text string) (section, error) {
	words := strings.Split(text, " ")
	bad := fmt.Errorf("%q is no claim", text)
	if len(words) != 3 || words[0] != "win" && words[0] != "hold" {
		return section{}, bad
	}
	side, err := loa.ParseColor(words[1])
	if err != nil {
		return section{}, bad
	}
	n, err := strconv.ParseInt(words[2], 10, 64)
	if err != nil || n < 0 || n > 1<<48 {
		return section{}, bad
	}
	return section{side: side, wins: words[0] == "win", count: n}, nil
}

// drawnNext returns the positions of a game whose next occurrence is a draw by repetition.
func drawnNext(g *loa.Game) []loa.Position {
	limit := 0
	switch g.Rules().Repetition {
	case loa.RepetitionDraw3:
		limit = 2
	case loa.RepetitionDraw2:
		limit = 1
	default:
		return nil
	}
	var drawn []loa.Position
	for ply := range g.Plies() {
		p, times := g.PositionAt(ply), 0
		for other := range g.Plies() + 1 {
			if g.PositionAt(other).Same(p) {
				times++
			}
		}
		if times >= limit && p.Occupied().Count() == g.Position().Occupied().Count() {
			drawn = append(drawn, p)
		}
	}
	return drawn
}

func (s *section) place(n int64) string { return fmt.Sprintf("record %d%s", n+1, s.name) }

// each reads the records one after another.
func (s *section) each(from io.ReaderAt, visit func(n int64, r Record) error) error {
	in := bufio.NewReaderSize(io.NewSectionReader(from, s.offset, s.count*recordSize), 1<<16)
	var b [recordSize]byte
	for n := range s.count {
		if _, err := io.ReadFull(in, b[:]); err != nil {
			return fmt.Errorf("%s: %w", s.place(n), err)
		}
		if err := visit(n, decode(b[:])); err != nil {
			return err
		}
	}
	return nil
}

// index checks that the records ascend and remembers the first one of each block.
func (s *section) index(from io.ReaderAt) error {
	s.stride = max(blockLeast, (s.count+indexMost-1)/indexMost)
	s.held = -1
	var last Record
	return s.each(from, func(n int64, r Record) error {
		if n > 0 && !last.Less(r) {
			return faultf(s.place(n), "it does not come after the one before it")
		}
		if last = r; n%s.stride == 0 {
			s.firsts = append(s.firsts, r)
		}
		return nil
	})
}

// find returns the record of a position, and whether there is one.
func (s *section) find(from io.ReaderAt, want Record) (Record, bool, error) {
	block := int64(sort.Search(len(s.firsts), func(i int) bool { return want.Less(s.firsts[i]) })) - 1
	if block < 0 {
		return Record{}, false, nil
	}
	if block != s.held {
		records := min(s.stride, s.count-block*s.stride)
		if s.block == nil {
			s.block = make([]byte, s.stride*recordSize)
		}
		s.block = s.block[:records*recordSize]
		if _, err := from.ReadAt(s.block, s.offset+block*s.stride*recordSize); err != nil {
			return Record{}, false, err
		}
		s.held = block
	}
	n := len(s.block) / recordSize
	i := sort.Search(n, func(i int) bool { return !decode(s.block[i*recordSize:]).Less(want) })
	if i == n {
		return Record{}, false, nil
	}
	r := decode(s.block[i*recordSize:])
	return r, !want.Less(r), nil
}

// record returns what to look for at a position with the claiming side to move.
func (v *verifier) record(p loa.Position) Record {
	own, other := p.Pieces(p.Turn()), p.Pieces(p.Turn().Opponent())
	least := Record{Own: own, Other: other}
	if v.images {
		owns, others := images(own, p.Size()), images(other, p.Size())
		for i := range owns {
			if r := (Record{Own: owns[i], Other: others[i]}); r.Less(least) {
				least = r
			}
		}
	}
	return least
}

// checkRecord checks what follows from one record.
func (v *verifier) checkRecord(s *section, n int64, r Record) error {
	place := s.place(n)
	board := loa.Board{Size: v.root.Size(), Black: r.Own, White: r.Other}
	if s.side == loa.White {
		board.Black, board.White = board.White, board.Black
	}
	p, err := loa.Setup{Board: board, Turn: s.side}.Position(v.rules)
	if err != nil {
		return faultf(place, "%v", err)
	}
	next, err := p.Play(r.Move)
	if err != nil {
		return faultf(place, "position %q: %v", p, err)
	}
	left := forever
	if !s.wins && r.Plies > 0 {
		left = int(r.Plies) - 1
	}
	plies, err := v.checkReplies(s, next, left)
	if err != nil {
		return faultf(place, "position %q, move %s: %v", p, p.Format(r.Move), err)
	}
	if s.wins && plies+1 > int(r.Plies) {
		return faultf(place, "position %q: its move wins in %d plies, not in %d", p, plies+1, r.Plies)
	}
	return nil
}

// forever is a number of plies without an end.
const forever = -1

// checkReplies checks a position with the other side to move and returns the plies within which the claiming side
// wins from there. A claim to hold is checked for as many plies as are left.
func (v *verifier) checkReplies(s *section, p loa.Position, left int) (plies int, err error) {
	if over, good := v.over(s, p); over {
		if !good {
			return 0, fmt.Errorf("it leads to %s", v.outcome(p))
		}
		return 0, nil
	}
	if left == 0 {
		return 0, nil
	}
	for _, m := range p.Moves(nil) {
		next, err := p.Play(m)
		if err != nil {
			return 0, err
		}
		if over, good := v.over(s, next); over {
			if !good {
				return 0, fmt.Errorf("the reply %s leads to %s", p.Format(m), v.outcome(next))
			}
			plies = max(plies, 1)
			continue
		}
		if left == 1 {
			continue
		}
		r, ok, err := s.find(v.from, v.record(next))
		if err != nil {
			return 0, err
		}
		if !ok {
			return 0, fmt.Errorf("the reply %s leads to %q, which has no record", p.Format(m), next)
		}
		if !s.wins && !r.holds(left-1) {
			return 0, fmt.Errorf("the reply %s leads to %q, which holds for %d plies only", p.Format(m), next, r.Plies)
		}
		plies = max(plies, int(r.Plies)+1)
	}
	return plies, nil
}

// holds reports whether a record of a claim to hold does so for a number of plies.
func (r Record) holds(left int) bool { return r.Plies == 0 || left >= 0 && int(r.Plies) >= left }

// over reports whether the game is over at a position, and whether that is good for the claim.
func (v *verifier) over(s *section, p loa.Position) (over, good bool) {
	o := v.outcome(p)
	if s.wins {
		return o.Over(), o.Winner == s.side
	}
	return o.Over(), o.Winner != s.side.Opponent()
}

func (v *verifier) outcome(p loa.Position) loa.Outcome {
	o := p.Outcome()
	if o.Over() {
		return o
	}
	for i := range v.drawn {
		if v.drawn[i].Same(p) {
			return loa.Outcome{Winner: loa.NoColor, Reason: loa.Repetition}
		}
	}
	return o
}

// checkRoot checks that a claim is about the position to be proved, and notes within how many plies it wins.
func (v *verifier) checkRoot(s *section) error {
	place := fmt.Sprintf("position %q", v.root)
	plies, left := 0, forever
	if v.rules.Cap > 0 && !s.wins {
		left = v.rules.Cap - v.game.Plies()
	}
	if v.root.Turn() == s.side {
		r, ok, err := s.find(v.from, v.record(v.root))
		if err != nil {
			return err
		}
		if !ok {
			return faultf(place, "it has no record")
		}
		if !s.wins && !r.holds(left) {
			return faultf(place, "it holds for %d plies only", r.Plies)
		}
		plies = int(r.Plies)
	} else {
		var err error
		if plies, err = v.checkReplies(s, v.root, left); err != nil {
			return faultf(place, "%v", err)
		}
	}
	if !s.wins {
		return nil
	}
	if v.rules.Cap > 0 && plies > v.rules.Cap-v.game.Plies() {
		return faultf(place, "the win in %d plies comes after the ply cap", plies)
	}
	v.verdict.Plies = plies
	return nil
}
