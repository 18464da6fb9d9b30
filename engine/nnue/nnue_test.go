package nnue

import (
	"errors"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/linesofaction/loa"
)

// strange returns a net for the 8×8 board of chance numbers as large as the format allows.
func strange(hidden int, seed uint64) *Net { return strangeOn(8, hidden, seed) }

func strangeOn(size, hidden int, seed uint64) *Net {
	chance := rand.New(rand.NewPCG(seed, 0))
	part := func(n int, most float64) []float32 {
		x := make([]float32, n)
		for i := range x {
			x[i] = float32((2*chance.Float64() - 1) * most)
		}
		return x
	}
	return Quantize(Board(size), hidden, part(Features*hidden, 2), part(hidden, 1), part(Buckets*2*hidden, MostOutput), part(Buckets, 1), part(2*Board(size).Worths, 2))
}

// inGo returns the same net without assembly.
func inGo(n *Net) *Net {
	slow := *n
	slow.fill(false)
	return &slow
}

// FuzzStateEqualsRefresh plays games from the fuzzer's bytes, forced passes included: the state brought up to date from move to
// move is the one filled from scratch, with assembly and without.
func FuzzStateEqualsRefresh(f *testing.F) {
	f.Add(uint64(1), []byte{1, 2, 3, 200, 5, 6, 77, 8, 9, 10})
	f.Add(uint64(2), []byte("a game of some length, with captures at its end"))
	f.Add(uint64(3), []byte("a game on the smaller board"))
	nets := []*Net{strange(32, 1), strange(96, 2), strange(MaxHidden, 3), strangeOn(6, 64, 4)}
	f.Fuzz(func(t *testing.T, seed uint64, choices []byte) {
		net := nets[seed%4]
		slow := inGo(net)
		g, err := loa.NewGame(loa.Rules{Start: loa.StartRandom, Seed: seed, Size: net.Board().Size})
		if err != nil {
			t.Skip(err)
		}
		var now, next, fresh, plain State
		net.Refresh(&now, g.Position().Pieces(loa.Black), g.Position().Pieces(loa.White))
		for _, choice := range choices {
			if g.Outcome().Over() {
				break
			}
			p := g.Position()
			moves := g.Moves(nil)
			m := moves[int(choice)%len(moves)]
			captured := m != loa.Pass && p.Pieces(p.Turn().Opponent()).Has(m.To())
			net.Move(&next, &now, p.Turn(), m, captured)
			slow.Move(&plain, &now, p.Turn(), m, captured)
			if err := g.Play(m); err != nil {
				t.Fatal(err)
			}
			p = g.Position()
			net.Refresh(&fresh, p.Pieces(loa.Black), p.Pieces(loa.White))
			if next != fresh {
				t.Fatalf("after %s: %v", m, p)
			}
			if plain != fresh {
				t.Fatalf("after %s: assembly and Go differ on %v", m, p)
			}
			pieces := p.Occupied().Count()
			if fast, slow := net.Value(&next, p.Turn(), pieces), slow.Value(&next, p.Turn(), pieces); fast != slow {
				t.Fatalf("%v: assembly says %d, Go %d", p, fast, slow)
			}
			now = next
		}
	})
}

// FuzzWeigh compares the two forms of the sum over the units, whatever those are.
func FuzzWeigh(f *testing.F) {
	f.Add(uint64(1), int16(300))
	f.Add(uint64(2), int16(32767))
	f.Add(uint64(3), int16(1))
	f.Fuzz(func(t *testing.T, seed uint64, span int16) {
		chance := rand.New(rand.NewPCG(seed, 0))
		units, w := make([]uint64, MaxHidden/4), make([]int16, MaxHidden)
		var want int32
		for i := range w {
			unit := chance.IntN(2*max(int(span), 1)+1) - int(max(span, 1))
			units[i/4] |= uint64(unit+laneMiddle) << (i % 4 * laneBits)
			w[i] = int16(chance.IntN(255) - 127)
			cut := int32(max(0, min(unit, one)))
			want += cut * cut * int32(w[i])
		}
		if got := (&Net{fast: fast()}).weigh(units, w); got != want {
			t.Errorf("assembly %d, want %d", got, want)
		}
		if got := (&Net{terrain: &terrain{squares: newSquares()}}).weigh(units, w); got != want {
			t.Errorf("Go %d, want %d", got, want)
		}
	})
}

// TestImagesAndColors: the patterns of the eight images of a position are worth the same, and with the colors
// changed the opposite.
func TestImagesAndColors(t *testing.T) {
	for _, size := range Sizes {
		imagesAndColors(t, Board(size))
	}
}

func imagesAndColors(t *testing.T, g *Geometry) {
	board := ^loa.Bitboard(0)
	if g.Size == 6 {
		board = 0x3f3f3f3f3f3f
	}
	chance := rand.New(rand.NewPCG(1, 0))
	codes := make([]int32, len(g.Patterns))
	worths := func(black, white loa.Bitboard) map[int32]int {
		g.Encode(black, white, codes)
		sums := map[int32]int{}
		for _, code := range codes {
			tie := g.Tie[code]
			if sums[tie>>1] += 1 - 2*int(tie&1); sums[tie>>1] == 0 || tie>>1 == 0 {
				delete(sums, tie>>1)
			}
		}
		return sums
	}
	same := func(a, b map[int32]int, sign int) bool {
		for worth, n := range a {
			if b[worth] != sign*n {
				return false
			}
		}
		return len(a) == len(b)
	}
	for range 50 {
		black := loa.Bitboard(chance.Uint64()&chance.Uint64()) & board
		white := loa.Bitboard(chance.Uint64()&chance.Uint64()) & board &^ black
		want := worths(black, white)
		if !same(want, worths(white, black), -1) {
			t.Errorf("%x %x: colors changed", black, white)
		}
		for symmetry := range 8 {
			if !same(want, worths(g.Image(black, symmetry), g.Image(white, symmetry)), 1) {
				t.Errorf("%x %x: image %d", black, white, symmetry)
			}
		}
	}
}

// TestLinesAreWorthTheirPatterns: what Line says of the contents of a line is what the pattern of that line is worth.
func TestLinesAreWorthTheirPatterns(t *testing.T) {
	net := strange(32, 4)
	g := Board(8)
	if g.Lines != 42 || len(g.Patterns) != 78 {
		t.Fatalf("%d lines of %d patterns", g.Lines, len(g.Patterns))
	}
	codes := make([]int32, len(g.Patterns))
	black, white := loa.Bitboard(0x00810024a1000240), loa.Bitboard(0x4200180040221001)
	g.Encode(black, white, codes)
	for i, p := range g.Patterns[:g.Lines] {
		contents, weight := 0, 1
		for _, s := range setOf(p.Squares).Squares() {
			if black.Has(s) {
				contents += weight
			} else if white.Has(s) {
				contents += 2 * weight
			}
			weight *= 3
		}
		opening, ending := net.Line(g.LineTable(setOf(p.Squares)), contents)
		if o, e := net.worth(int(codes[i])); o != opening || e != ending {
			t.Errorf("%v: %d %d, its pattern is worth %d %d", p.Squares, opening, ending, o, e)
		}
	}
}

// TestFileRoundTrip: a net comes back as it was, under the same name.
func TestFileRoundTrip(t *testing.T) {
	net := strange(64, 5)
	again, err := Parse(net.bytes())
	if err != nil || again.Name() != net.Name() || len(net.Name()) != 12 {
		t.Fatalf("%v, %v", again, err)
	}
	if string(again.bytes()) != string(net.bytes()) {
		t.Error("other numbers")
	}
	if err := net.Save(filepath.Join(t.TempDir(), "missing", "net")); err == nil {
		t.Error("saved to a directory that is not there")
	}
}

// TestParseRefuses what is no net, of another version or shape, cut off or too long.
func TestParseRefuses(t *testing.T) {
	file := strange(32, 6).bytes()
	change := func(at int, value byte) []byte {
		changed := append([]byte(nil), file...)
		changed[at] = value
		return changed
	}
	for name, bad := range map[string][]byte{
		"nothing":        {},
		"magic":          change(0, 'X'),
		"version":        change(len(magic), 9),
		"features":       change(len(magic)+4, 9),
		"hidden":         change(len(magic)+8, 33),
		"no hidden":      change(len(magic)+8, 0),
		"cut off":        file[:len(file)-1],
		"too long":       append(append([]byte(nil), file...), 0),
		"only its head":  file[:len(magic)+20],
		"half its head":  file[:len(magic)+10],
		"output too big": change(len(magic)+20+2*(Features*32+32)+1, 0x7f),
		"unit too big":   change(len(magic)+20+1, 0x7f),
	} {
		if _, err := Parse(bad); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestStandardNet is part of the program, and finds nothing between sides that stand alike.
func TestStandardNet(t *testing.T) {
	net := Standard()
	start, err := loa.Rules{}.StartPosition()
	if err != nil {
		t.Fatal(err)
	}
	var s State
	net.Refresh(&s, start.Pieces(loa.Black), start.Pieces(loa.White))
	black, white := net.Value(&s, loa.Black, 24), net.Value(&s, loa.White, 24)
	if max(black-white, white-black) > 100*Unit || max(black, -black) > 100*Unit {
		t.Errorf("the start is worth %d to Black and %d to White", black, white)
	}
}

// TestNetsFitTheirGames: the net for a game is of its board, and games of another kind have no net.
func TestNetsFitTheirGames(t *testing.T) {
	for _, set := range loa.RuleSets() {
		net := For(set.Rules)
		if (net == nil) != (set.Rules.Goal == loa.GoalMisere) || net != nil && net.Board().Size != set.Rules.Edge() {
			t.Errorf("%s: a net %t", set.Name, net != nil)
		}
		if (net == nil) != (FileFor(set.Rules) == "") {
			t.Errorf("%s: file %q", set.Name, FileFor(set.Rules))
		}
	}
	for _, rules := range []loa.Rules{{Size: 7}, {Size: 6, Captures: loa.CapturesNo}, {Goal: loa.GoalMisere, Captures: loa.CapturesNo}} {
		if For(rules) != nil || FileFor(rules) != "" {
			t.Errorf("%s has a net", rules)
		}
	}
}

// TestBoards: patterns lie on the board, and buckets and phases go from the start, where all pieces stand, to half of them.
func TestBoards(t *testing.T) {
	if Board(7) != nil {
		t.Error("there is a board of 7×7")
	}
	for _, size := range Sizes {
		g := Board(size)
		lines := 2*size + 2*(2*size-3) // ranks and files, and the diagonals of two squares or more
		if g.Lines != lines || len(g.Patterns) != lines+(size-2)*(size-2) {
			t.Errorf("size %d: %d lines of %d patterns", size, g.Lines, len(g.Patterns))
		}
		for _, p := range g.Patterns {
			for _, s := range p.Squares {
				if s.File() >= size || s.Rank() >= size {
					t.Errorf("size %d: pattern %v", size, p.Squares)
				}
			}
		}
		all := 4 * (size - 2)
		if g.Bucket(all) != 0 || g.Bucket(all/2) != Buckets-1 || g.Phase(all) != Phases || g.Phase(all/2) != 0 || g.Bucket(2) != Buckets-1 || g.Phase(64) != Phases {
			t.Errorf("size %d: buckets %d to %d, phases %d to %d", size, g.Bucket(all), g.Bucket(all/2), g.Phase(all), g.Phase(all/2))
		}
	}
}

func BenchmarkMove(b *testing.B) {
	net := Standard()
	for name, net := range map[string]*Net{"assembly": net, "go": inGo(net)} {
		b.Run(name, func(b *testing.B) {
			start, _ := loa.Rules{}.StartPosition()
			var from, to State
			net.Refresh(&from, start.Pieces(loa.Black), start.Pieces(loa.White))
			m := start.MovesUnchecked(nil)[0]
			for b.Loop() {
				net.Move(&to, &from, loa.Black, m, false)
			}
		})
	}
}

func BenchmarkValue(b *testing.B) {
	net := Standard()
	for name, net := range map[string]*Net{"assembly": net, "go": inGo(net)} {
		b.Run(name, func(b *testing.B) {
			start, _ := loa.Rules{}.StartPosition()
			var s State
			net.Refresh(&s, start.Pieces(loa.Black), start.Pieces(loa.White))
			for b.Loop() {
				net.Value(&s, loa.Black, 24)
			}
		})
	}
}
