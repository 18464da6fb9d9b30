package loa_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/linesofaction/loa"
)

// randomGame is a line of the files in testdata/random; README.md there says what the fields are.
type randomGame struct {
	Size           int
	Kind           string
	Moves          string
	Rows           string
	N              []int
	H              string
	BlackConnected bool `json:"black_connected"`
	WhiteConnected bool `json:"white_connected"`
	Pieces         [2]int
	End            string
	Final          string
	ToMove         string `json:"to_move"`
	Mover          string
	LegalAfterPass []string `json:"legal_after_pass"`
	OpponentLegal  []string `json:"opponent_legal"`
}

// randomGames calls visit for every line of a file.
func randomGames(t *testing.T, name string, visit func(g *randomGame)) {
	t.Helper()
	file, err := os.Open("testdata/random/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var from io.Reader = file
	if strings.HasSuffix(name, ".gz") {
		if from, err = gzip.NewReader(file); err != nil {
			t.Fatal(err)
		}
	}
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		g := new(randomGame)
		if err := json.Unmarshal(lines.Bytes(), g); err != nil {
			t.Fatal(err)
		}
		visit(g)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}

// rows returns the board text of a board with dots for empty squares.
func rows(dotted string) string {
	for n := loa.MaxSize; n > 0; n-- {
		dotted = strings.ReplaceAll(dotted, strings.Repeat(".", n), fmt.Sprint(n))
	}
	return dotted
}

// sorted returns moves as sorted text.
func sorted(moves []loa.Move) []string {
	var texts []string
	for _, m := range moves {
		texts = append(texts, m.String())
	}
	slices.Sort(texts)
	return texts
}

// replay plays a random game and holds every ply against it.
func (g *randomGame) replay(t *testing.T) loa.Position {
	t.Helper()
	p := start(t, fmt.Sprintf("standard:repetition=none,size=%d", g.Size))
	hash := fnv.New32a()
	var buf [256]loa.Move
	for i, text := range strings.Fields(g.Moves) {
		moves := p.Moves(buf[:0])
		if i < len(g.N) && len(moves) != g.N[i] {
			t.Fatalf("%s has %d moves, want %d", p, len(moves), g.N[i])
		}
		if g.H != "" {
			io.WriteString(hash, strings.Join(sorted(moves), ",")+";")
		}
		m := move(t, text)
		if !slices.Contains(moves, m) || !p.IsLegal(m) {
			t.Fatalf("%s is not legal in %s", text, p)
		}
		p = p.PlayUnchecked(m)
	}
	if got := fmt.Sprintf("%08x", hash.Sum32()); g.H != "" && got != g.H {
		t.Errorf("hash of the moves %s, want %s", got, g.H)
	}
	if want := rows(g.Final) + " " + g.ToMove[:1]; p.String() != want {
		t.Errorf("ends at %s, want %s", p, want)
	}
	if got := [2]int{p.Pieces(loa.Black).Count(), p.Pieces(loa.White).Count()}; got != g.Pieces {
		t.Errorf("pieces %v, want %v", got, g.Pieces)
	}
	if b, w := p.Pieces(loa.Black).Connected(), p.Pieces(loa.White).Connected(); b != g.BlackConnected || w != g.WhiteConnected {
		t.Errorf("connected %v and %v, want %v and %v", b, w, g.BlackConnected, g.WhiteConnected)
	}
	return p
}

// TestRandomGamesAgreePlyByPly with other programs: number and hash of the legal moves at every ply, and the end.
func TestRandomGamesAgreePlyByPly(t *testing.T) {
	games, plies := 0, 0
	outcomes := map[string]string{"black": "black connected", "white": "white connected", "both": "none both-connected", "open": "open"}
	randomGames(t, "games.jsonl.gz", func(g *randomGame) {
		games++
		plies += len(g.N)
		if testing.Short() && games%10 != 0 {
			return
		}
		p := g.replay(t)
		if got := p.Outcome().String(); got != outcomes[g.End] {
			t.Errorf("game %d: %s, want %s", games, got, outcomes[g.End])
		}
	})
	if games != 2100 || plies < 300_000 {
		t.Errorf("%d games, %d plies", games, plies)
	}
}

// TestRareEndings: double connections, a last but one piece taken, passes (clauses 8, 9 and 12).
func TestRareEndings(t *testing.T) {
	kinds := map[string]int{}
	randomGames(t, "special.jsonl", func(g *randomGame) {
		kinds[g.Kind]++
		p := g.replay(t)
		mover, err := loa.ParseColor(g.Mover)
		if err != nil {
			t.Fatal(err)
		}
		classic := under(t, "classic", p.String())
		var want, wantClassic string
		switch g.Kind {
		case "both_connected", "both_connected_single_piece":
			want, wantClassic = "none both-connected", mover.String()+" both-connected"
		case "opponent_reduced_to_one":
			want = mover.Opponent().String() + " connected"
			wantClassic = want
		case "reaches_no_legal_move", "pass":
			want, wantClassic = "open", "open"
		}
		if got, classic := p.Outcome().String(), classic.Outcome().String(); got != want || classic != wantClassic {
			t.Errorf("%s: %s and %s by classic, want %s and %s", g.Kind, got, classic, want, wantClassic)
		}
		if g.Kind == "reaches_no_legal_move" {
			if !p.MustPass() {
				t.Errorf("%s has the moves %v", p, p.Moves(nil))
			}
			if after := p.PlayUnchecked(loa.Pass).Moves(nil); !slices.Equal(sorted(after), slices.Sorted(slices.Values(g.LegalAfterPass))) {
				t.Errorf("after the pass %v", after)
			}
		}
	})
	if len(kinds) != 5 || kinds["pass"] == 0 || kinds["reaches_no_legal_move"] == 0 {
		t.Errorf("kinds %v", kinds)
	}
}

// TestStuckPositions have no move but the pass (clause 12).
func TestStuckPositions(t *testing.T) {
	n := 0
	randomGames(t, "stuck.jsonl", func(g *randomGame) {
		n++
		p := at(t, rows(g.Rows)+" "+g.ToMove[:1])
		if !p.MustPass() || len(p.MovesUnchecked(nil)) != 0 {
			t.Errorf("%s has the moves %v", p, p.Moves(nil))
		}
		if after := p.PlayUnchecked(loa.Pass).Moves(nil); !slices.Equal(sorted(after), slices.Sorted(slices.Values(g.OpponentLegal))) {
			t.Errorf("after the pass in %s: %v", p, after)
		}
	})
	if n != 32 {
		t.Errorf("%d positions", n)
	}
}
