package sgf

import (
	"strconv"
	"strings"

	"github.com/linesofaction/loa"
)

// edge returns the number of squares on an edge, as far as the record or its rules state one.
func (r *gameReader) edge() int {
	switch {
	case r.start != nil:
		return r.start.Size
	case r.size != 0:
		return r.size
	}
	return r.rules.Edge()
}

// readStart reads SZ, SU, AB, AW, AE, PL and the start that PlayStrategy keeps in IP.
func (r *gameReader) readStart() error {
	if sz, ok := r.info.first("SZ"); ok {
		size, err := strconv.Atoi(simple(sz))
		if err != nil || size < loa.MinSize || size > loa.MaxSize {
			return unreadable(r.game, "SZ", sz, "a number from 4 to 8")
		}
		r.size = size
	}
	if err := r.readSetup(); err != nil {
		return err
	}
	if pl, ok := r.info.first("PL"); ok {
		color, err := loa.ParseColor(simple(pl))
		if err != nil {
			return &Error{Game: r.game, Err: err}
		}
		r.first, r.told = color, true
	}
	return r.readIP()
}

// readSetup reads the arrangement.
func (r *gameReader) readSetup() error {
	name, named := r.info.first("SU")
	_, black := r.info.first("AB")
	_, white := r.info.first("AW")
	_, empty := r.info.first("AE")
	r.custom = black || white || empty
	if !named && !r.custom {
		return nil
	}
	board := loa.Board{Size: r.edge()}
	switch su := strings.ToLower(simple(name)); {
	case !named && black && white:
		if err := r.notes.warn(r.game, 0, "", "AB and AW without SU; taken as the whole board"); err != nil {
			return err
		}
	case su == "custom":
		r.custom = true
	case su == "standard" || !named:
		start, err := startOf(loa.Rules{Size: board.Size})
		if err != nil {
			return &Error{Game: r.game, Err: err}
		}
		board = start.Board
	case su == "scrambled-eggs" || su == "scrambled eggs" || su == "scrambled":
		layout := loa.StartScrambled
		if r.dialect == playStrategy {
			layout = loa.StartScrambledB
		}
		start, err := startOf(loa.Rules{Start: layout, Size: board.Size})
		if err != nil {
			return &Error{Game: r.game, Err: err}
		}
		board = start.Board
	case !black || !white:
		return unreadable(r.game, "SU", name, "Standard, Scrambled-eggs, or pieces set up by AB and AW")
	}
	points := func(id string) (loa.Bitboard, error) {
		var set loa.Bitboard
		for _, p := range r.info.props {
			if p.id != id {
				continue
			}
			for _, v := range p.values {
				squares, err := r.points(v)
				if err != nil {
					return 0, &Error{Game: r.game, Err: err}
				}
				set |= squares
			}
		}
		return set, nil
	}
	ab, err := points("AB")
	if err != nil {
		return err
	}
	aw, err := points("AW")
	if err != nil {
		return err
	}
	ae, err := points("AE")
	if err != nil {
		return err
	}
	board.Black = board.Black&^(aw|ae) | ab
	board.White = board.White&^(ab|ae) | aw
	r.start = &loa.Setup{Board: board}
	return nil
}

// points reads a point, or a rectangle between two.
func (r *gameReader) points(text string) (loa.Bitboard, error) {
	text = simple(text)
	if text == "" {
		return 0, nil
	}
	from, to, ok := strings.Cut(text, ":")
	if !ok {
		to = from
	}
	a, err := r.point(from)
	if err != nil {
		return 0, err
	}
	b, err := r.point(to)
	if err != nil {
		return 0, err
	}
	var set loa.Bitboard
	for file := min(a.File(), b.File()); file <= max(a.File(), b.File()); file++ {
		for rank := min(a.Rank(), b.Rank()); rank <= max(a.Rank(), b.Rank()); rank++ {
			set |= loa.SquareAt(file, rank).Bitboard()
		}
	}
	return set, nil
}

// point reads a square, for PlayStrategy also as two letters.
func (r *gameReader) point(text string) (loa.Square, error) {
	if r.dialect == playStrategy && len(text) == 2 && strings.Trim(text, "abcdefgh") == "" {
		if rank := r.edge() - 1 - int(text[1]-'a'); rank >= 0 {
			return loa.SquareAt(int(text[0]-'a'), rank), nil
		}
	}
	return loa.ParseSquare(text)
}

// readIP reads the start that PlayStrategy keeps where SGF has a hint for displays.
func (r *gameReader) readIP() error {
	ip, ok := r.info.first("IP")
	if !ok || r.dialect != playStrategy || !strings.Contains(ip, "/") {
		return nil
	}
	for i, p := range r.info.props {
		if p.id == "IP" {
			r.info.props = append(r.info.props[:i], r.info.props[i+1:]...)
			break
		}
	}
	setup, err := loa.ParseSetupDialect(simple(ip), loa.DialectPlayStrategy)
	if err != nil {
		return r.notes.warn(r.game, 0, "IP["+ip+"]", "left out: %v", err)
	}
	r.start, r.first, r.told = &setup, setup.Turn, true
	return nil
}

// readTurn settles who moves first.
func (r *gameReader) readTurn() error {
	if r.start == nil && r.first == loa.White {
		rules := r.rules
		if r.size != 0 {
			rules.Size = r.size
		}
		start, err := startOf(rules)
		if err != nil {
			return &Error{Game: r.game, Err: err}
		}
		r.start = &start
	}
	if r.start != nil {
		r.start.Turn = r.first
	}
	return nil
}
