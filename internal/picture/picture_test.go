package picture_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image"
	"image/color"
	"image/gif"
	"image/png"
	"io"
	"strings"
	"testing"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/picture"
)

// board reads "ranks turn".
func board(t *testing.T, text string) loa.Board {
	t.Helper()
	setup, err := loa.ParseSetup(text)
	if err != nil {
		t.Fatal(err)
	}
	return setup.Board
}

const start = "1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 b"

// near reports whether a pixel has about a color.
func near(got color.Color, r, g, b uint32) bool {
	gr, gg, gb, _ := got.RGBA()
	off := func(a, b uint32) bool { return max(a>>8, b)-min(a>>8, b) > 8 }
	return !off(gr, r) && !off(gg, g) && !off(gb, b)
}

func TestPiecesStandWhereTheyBelong(t *testing.T) {
	for _, test := range []struct {
		flipped bool
		x, y    int // of the only piece, a square of the picture counted from the upper left corner
	}{{false, 2, 5}, {true, 5, 2}} {
		view := picture.View{Board: board(t, "8/8/8/8/8/2o5/8/7x b"), Flipped: test.flipped}
		var file bytes.Buffer
		if err := view.WritePNG(&file, 884); err != nil {
			t.Fatal(err)
		}
		drawn, err := png.Decode(&file)
		if err != nil {
			t.Fatal(err)
		}
		if size := drawn.Bounds().Size(); size != (image.Point{884, 884}) {
			t.Fatalf("the picture has %v", size)
		}
		middle := func(x, y int) color.Color { return drawn.At(42+100*x+50, 42+100*y+50-25) } // between mark and edge
		if !near(middle(test.x, test.y), 0xf7, 0xf4, 0xec) {
			t.Errorf("flipped %v: no white piece at %d, %d but %v", test.flipped, test.x, test.y, middle(test.x, test.y))
		}
		if near(middle(test.y, test.x), 0xf7, 0xf4, 0xec) {
			t.Errorf("flipped %v: a white piece where none is", test.flipped)
		}
	}
}

func TestSVGIsWellFormedAndHasEveryPiece(t *testing.T) {
	for _, text := range []string{start, "1xxxx1/o4o/o4o/o4o/o4o/1xxxx1 b"} {
		b := board(t, text)
		body := picture.View{Board: b, Last: []loa.Square{0}}.SVG()
		decoder := xml.NewDecoder(bytes.NewReader(body))
		for {
			if _, err := decoder.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatal(err)
			}
		}
		if got, want := strings.Count(string(body), "<g transform"), (b.Black | b.White).Count(); got != want {
			t.Errorf("%s: %d pieces are drawn, want %d", text, got, want)
		}
	}
}

func TestAGameMovesFrameByFrame(t *testing.T) {
	game, err := loa.NewGame(loa.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	views := []picture.View{{Board: game.Position().Board()}}
	for range 4 {
		if err := game.Play(game.Moves(nil)[0]); err != nil {
			t.Fatal(err)
		}
		views = append(views, picture.View{Board: game.Position().Board()})
	}
	var file bytes.Buffer
	if err := picture.WriteGIF(&file, 320, views); err != nil {
		t.Fatal(err)
	}
	moving, err := gif.DecodeAll(&file)
	if err != nil {
		t.Fatal(err)
	}
	if len(moving.Image) != 5 || moving.LoopCount != 0 {
		t.Fatalf("%d frames, %d times", len(moving.Image), moving.LoopCount)
	}
	// every frame laid over those before is what a picture of its own shows
	whole := image.NewRGBA(moving.Image[0].Bounds())
	for i, frame := range moving.Image {
		for y := frame.Rect.Min.Y; y < frame.Rect.Max.Y; y++ {
			for x := frame.Rect.Min.X; x < frame.Rect.Max.X; x++ {
				whole.Set(x, y, frame.At(x, y))
			}
		}
		var alone bytes.Buffer
		if err := views[i].WritePNG(&alone, 320); err != nil {
			t.Fatal(err)
		}
		want, err := png.Decode(&alone)
		if err != nil {
			t.Fatal(err)
		}
		for y := range 320 {
			for x := range 320 {
				r, g, b, _ := want.At(x, y).RGBA()
				if !near(whole.At(x, y), r>>8, g>>8, b>>8) {
					t.Fatalf("frame %d differs at %d, %d", i, x, y)
				}
			}
		}
		if i > 0 && frame.Rect.Dx()*frame.Rect.Dy() > 320*320/2 {
			t.Errorf("frame %d is drawn anew: %v", i, frame.Rect)
		}
	}
	if err := picture.WriteGIF(&file, 320, nil); !errors.Is(err, picture.ErrNoFrames) {
		t.Errorf("no frames: %v", err)
	}
}

func BenchmarkGIF(b *testing.B) {
	game, err := loa.NewGame(loa.Rules{})
	if err != nil {
		b.Fatal(err)
	}
	var views []picture.View
	for range 60 {
		views = append(views, picture.View{Board: game.Position().Board()})
		moves := game.Moves(nil)
		if err := game.Play(moves[len(moves)/2]); err != nil || game.Outcome().Over() {
			break
		}
	}
	for b.Loop() {
		if err := picture.WriteGIF(io.Discard, 320, views); err != nil {
			b.Fatal(err)
		}
	}
}
