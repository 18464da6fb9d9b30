package proof_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/engine/solve"
	"github.com/linesofaction/loa/engine/solve/proof"
)

// write solves a game and returns the proof as a file.
func write(t testing.TB, rules, position string) []byte {
	t.Helper()
	r, err := loa.ParseRules(rules)
	if err != nil {
		t.Fatal(err)
	}
	g, err := loa.NewGame(r)
	if position != "" {
		var setup loa.Setup
		if setup, err = loa.ParseSetup(position); err == nil {
			g, err = loa.NewGameFrom(r, setup)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	s := solve.New(16)
	if _, err := s.Solve(context.Background(), g, solve.Limits{Nodes: 200_000}, nil); err != nil {
		t.Fatal(err)
	}
	p, err := s.Proof()
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := p.Write(&file); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

func verify(file []byte) (proof.Verdict, error) {
	return proof.Verify(bytes.NewReader(file), int64(len(file)), nil)
}

// files are proofs of a win, a loss and a draw.
func files(t testing.TB) [][]byte {
	return [][]byte{
		write(t, "standard:size=5", ""),
		write(t, "standard", "8/7o/6xx/4x3/1x4o1/2xox1xo/4ooo1/3x4 w"),
		write(t, "misere:size=4", "xo2/4/4/2ox w"),
	}
}

// seal gives a changed file the checksum it would have.
func seal(file []byte) []byte {
	body := file[:len(file)-sha256.Size]
	sum := sha256.Sum256(body)
	return append(bytes.Clone(body), sum[:]...)
}

func records(file []byte) []byte {
	begin := bytes.Index(file, []byte("\n\n")) + 2
	return file[begin : len(file)-sha256.Size]
}

func TestChangedProofIsRefused(t *testing.T) {
	file := write(t, "standard:size=5", "")
	if v, err := verify(file); err != nil || v.Value != "win" {
		t.Fatal(v, err)
	}
	swap := func(old, new string) func([]byte) []byte {
		return func(b []byte) []byte {
			if !bytes.Contains(b, []byte(old)) {
				t.Fatalf("no %q in the file", old)
			}
			return bytes.Replace(b, []byte(old), []byte(new), 1)
		}
	}
	tests := []struct {
		name   string
		change func([]byte) []byte
		place  string
	}{
		{"empty", func([]byte) []byte { return nil }, "line 1"},
		{"not a proof", swap("loa proof 1", "loa proof 9"), "line 1"},
		{"unknown rules", swap("rules standard", "rules chess"), "line 2"},
		{"other rules", swap("rules standard", "rules misere"), "record"},
		{"an unreadable position", swap("position 1", "position 9"), "line 3"},
		{"another position", swap("1xxx1/o3o", "1xxx1/o2o1"), "position"},
		{"an illegal move", swap("moves ", "moves a1a2"), "line 4"},
		{"images of no number", swap("images 8", "images 7"), "line 5"},
		{"images that are not allowed for", swap("images 8", "images 1"), "record"},
		{"a claim for the other side", swap("win black", "win white"), "position"},
		{"a claim that shows nothing", swap("win black", "hold black"), "line 7"},
		{"a number of records that is none", swap("win black ", "win black -"), "line 6"},
		{"cut off within the text", func(b []byte) []byte { return b[:20] }, "line 2"},
		{"cut off within the records", func(b []byte) []byte { return b[:len(b)/2] }, "byte"},
		{"cut off by a byte", func(b []byte) []byte { return b[:len(b)-1] }, "byte"},
		{"a byte too many", func(b []byte) []byte { return append(b, 0) }, "byte"},
		{"a wrong checksum", func(b []byte) []byte { b[len(b)-1] ^= 1; return b }, "byte"},
		{"records out of order", func(b []byte) []byte {
			r := records(b)
			for i := range 20 {
				r[i], r[20+i] = r[20+i], r[i]
			}
			return seal(b)
		}, "record 2"},
		{"a win claimed too early", func(b []byte) []byte {
			r := records(b)
			for i := 0; i < len(r); i += 20 {
				if n := binary.BigEndian.Uint16(r[i+18:]); n > 1 {
					binary.BigEndian.PutUint16(r[i+18:], n-2)
				}
			}
			return seal(b)
		}, "record"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := verify(test.change(bytes.Clone(file)))
			var fault *proof.Fault
			if !errors.As(err, &fault) || !strings.HasPrefix(fault.Place, test.place) {
				t.Errorf("%v, want a fault at %s", err, test.place)
			}
		})
	}
}

// TestClaimWithoutRecordsIsRefused writes claims that nothing supports, with and without a cap that is near.
func TestClaimWithoutRecordsIsRefused(t *testing.T) {
	start, err := loa.Rules{}.StartPosition()
	if err != nil {
		t.Fatal(err)
	}
	for _, limit := range []int{0, 1, 2, 30} {
		for _, claims := range [][]proof.Claim{
			{},
			{{Side: loa.Black, Wins: true}},
			{{Side: loa.White, Wins: true}},
			{{Side: loa.Black}, {Side: loa.White}},
		} {
			p := proof.Proof{Rules: loa.Rules{Cap: limit}, Position: start.Setup(), Images: true, Claims: claims}
			var file bytes.Buffer
			if err := p.Write(&file); err != nil {
				t.Fatal(err)
			}
			if v, err := verify(file.Bytes()); err == nil {
				t.Errorf("cap %d, %+v: %+v", limit, claims, v)
			}
		}
	}
}

// TestRecordLeftOutIsMissed leaves out each record of a small proof in turn.
func TestRecordLeftOutIsMissed(t *testing.T) {
	for _, file := range files(t)[1:] {
		r := records(file)
		begin := bytes.Index(file, r)
		header := string(file[:begin])
		at := strings.LastIndex(strings.TrimSpace(header), "\n") + 1
		last := strings.Fields(header[at:])
		n := 0
		for _, c := range last[2] {
			n = 10*n + int(c-'0')
		}
		if n > 200 {
			t.Fatalf("%d records are too many for this test", n)
		}
		for i := range n {
			claim := strings.Join([]string{last[0], last[1], strconv.Itoa(n - 1)}, " ")
			cut := len(r) - 20*(n-i)
			changed := append([]byte(header[:at]+claim+"\n\n"), r[:cut]...)
			changed = append(changed, r[cut+20:]...)
			changed = seal(append(changed, make([]byte, sha256.Size)...))
			if v, err := verify(changed); err == nil {
				t.Fatalf("without record %d of the last claim: %+v", i+1, v)
			}
		}
	}
}

// FuzzChangedBytes changes bytes of a proof. Whatever the verifier says, it must not crash, and without a new
// checksum it must refuse.
func FuzzChangedBytes(f *testing.F) {
	for seed := range uint64(200) {
		f.Add(seed)
	}
	all := files(f)
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 8))
		file := bytes.Clone(all[1+r.IntN(len(all)-1)])
		for range 1 + r.IntN(3) {
			file[r.IntN(len(file))] ^= 1 << r.IntN(8)
		}
		if _, err := verify(file); err == nil && !bytes.Equal(file, all[1]) && !bytes.Equal(file, all[2]) {
			t.Fatal("a changed proof is taken")
		}
		if len(file) > sha256.Size {
			_, _ = verify(seal(file)) // the change may have made another proof
		}
	})
}
