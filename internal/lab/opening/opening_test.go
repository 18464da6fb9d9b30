package opening_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/engine/book"
	"github.com/linesofaction/loa/internal/lab/opening"
)

func maker(positions, workers int) *opening.Maker {
	return &opening.Maker{Head: book.Head{Rules: loa.Rules{}, Net: "test", Nodes: 500, Lines: 3}, Positions: positions, Workers: workers}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// TestBookGoesOnWhereItEnded: a book made in two parts, by more workers, is to the byte the one made at once.
func TestBookGoesOnWhereItEnded(t *testing.T) {
	once, parts := filepath.Join(t.TempDir(), "a"), filepath.Join(t.TempDir(), "b")
	if _, err := maker(25, 1).Make(context.Background(), once); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	broken := maker(25, 2)
	broken.Report = func(positions int) {
		if positions > 10 {
			cancel()
		}
	}
	if b, err := broken.Make(ctx, parts); err == nil || b.Len() < 10 || b.Len() >= 25 {
		t.Fatalf("%d positions, %v", b.Len(), err)
	}
	b, err := maker(25, 2).Make(context.Background(), parts)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(read(t, once), read(t, parts)) || b.Len() != 25 {
		t.Errorf("%d positions, or others", b.Len())
	}
}

// TestForeignFileIsLeftAsItIs, and named.
func TestForeignFileIsLeftAsItIs(t *testing.T) {
	for name, content := range map[string]string{"junk": "a letter", "other": string(book.Standard().Append(nil))} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := maker(9, 1).Make(context.Background(), path); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", name, err)
		}
		if string(read(t, path)) != content {
			t.Errorf("%s was changed", name)
		}
	}
}

// TestValuesComeFromBehind: the value of a move is what the best reply leaves of it, as far as the book knows replies.
func TestValuesComeFromBehind(t *testing.T) {
	b, err := maker(30, 1).Make(context.Background(), filepath.Join(t.TempDir(), "book"))
	if err != nil {
		t.Fatal(err)
	}
	start, err := loa.Rules{}.StartPosition()
	if err != nil {
		t.Fatal(err)
	}
	known := 0
	for _, m := range b.Moves(start, loa.Rules{}) {
		if replies := b.Moves(start.PlayUnchecked(m.Move), loa.Rules{}); len(replies) > 0 {
			if known++; m.Value != -replies[0].Value {
				t.Errorf("%v is worth %d, its best reply %d", m.Move, m.Value, replies[0].Value)
			}
		}
	}
	if known == 0 {
		t.Error("no replies")
	}
}
