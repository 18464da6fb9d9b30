package coach

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/linesofaction/loa"
)

// answered is a line to a function.
type answered func(ctx context.Context, question []byte) ([]byte, error)

func (a answered) Ask(ctx context.Context, question []byte) ([]byte, error) { return a(ctx, question) }

// to is a line to a coach.
func to(c *Coach) answered {
	return func(ctx context.Context, question []byte) ([]byte, error) { return c.Answer(ctx, question), nil }
}

func TestAnswersFromElsewhereAreThoseOfTheCoach(t *testing.T) {
	ctx, c, z := context.Background(), New(1), mustPuzzle(t)
	client := NewClient(to(c))
	for _, own := range []string{"d3xg6", "d3xg6 c2-c4", "c2-c4"} {
		want, err := c.Judge(ctx, z, mustMoves(t, own))
		got, over := client.Judge(ctx, z, mustMoves(t, own))
		if (err == nil) != (over == nil) || err == nil && !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v; here %+v, %v", own, got, over, want, err)
		}
	}
	for _, rules := range []string{"standard", "misere", "mini", "scrambled:repetition=none"} {
		r, err := loa.ParseRules(rules)
		if err != nil {
			t.Fatal(err)
		}
		r.Seed = 7
		game, err := loa.NewGame(r)
		if err != nil {
			t.Fatal(err)
		}
		for range 6 {
			if err := game.Play(game.Moves(nil)[0]); err != nil {
				t.Fatal(err)
			}
		}
		hint, errHint := c.Hint(ctx, game)
		threats, errThreats := c.Threats(ctx, game)
		review, errReview := c.Review(ctx, game)
		gotReview, errOver := client.Review(ctx, game)
		gotHint, err := client.Hint(ctx, game)
		gotThreats, errToo := client.Threats(ctx, game)
		if err := errors.Join(errHint, errThreats, errReview, err, errToo, errOver); err != nil {
			t.Fatal(err)
		}
		if gotHint != hint || gotReview != review || !reflect.DeepEqual(gotThreats, threats) {
			t.Errorf("%s: %+v %+v %+v, here %+v %+v %+v", rules, gotHint, gotThreats, gotReview, hint, threats, review)
		}
	}
}

func TestIllegalMoveIsSuchFromElsewhere(t *testing.T) {
	if _, err := NewClient(to(New(1))).Judge(context.Background(), mustPuzzle(t), mustMoves(t, "d3-d4")); !errors.Is(err, loa.ErrIllegal) {
		t.Errorf("got %v", err)
	}
}

func TestTooManyQuestionsAreRefusedAtOnce(t *testing.T) {
	c := New(1)
	c.asked.Store(int64(cap(c.desks) * (1 + mostWaiting)))
	if answering, waiting := c.Load(); answering != 1 || waiting != mostWaiting {
		t.Errorf("%d answered, %d waiting", answering, waiting)
	}
	asked := 0
	client := NewClient(answered(func(ctx context.Context, question []byte) ([]byte, error) {
		if asked++; asked == tries {
			c.asked.Store(0)
		}
		return c.Answer(ctx, question), nil
	}))
	if _, err := client.Hint(context.Background(), mustGame(t, "8/7o/6o1/4x3/1x3xo1/2x1xoxo/2x1oo2/8 w")); err != nil {
		t.Errorf("the last try: %v", err)
	}
	c.asked.Store(int64(cap(c.desks) * (1 + mostWaiting)))
	if _, err := client.Hint(context.Background(), mustGame(t, "8/7o/6o1/4x3/1x3xo1/2x1xoxo/2x1oo2/8 w")); !errors.Is(err, ErrBusy) {
		t.Errorf("got %v", err)
	}
}

func TestWhereNobodyAnswersThatIsSaid(t *testing.T) {
	game := mustGame(t, "8/7o/6o1/4x3/1x3xo1/2x1xoxo/2x1oo2/8 w")
	away := errors.New("the line is dead")
	for _, line := range []answered{
		func(context.Context, []byte) ([]byte, error) { return nil, away },
		func(context.Context, []byte) ([]byte, error) { return nil, context.DeadlineExceeded },
		func(context.Context, []byte) ([]byte, error) { return []byte("what?"), nil },
		func(context.Context, []byte) ([]byte, error) { return []byte(`{"v":2,"answer":{}}`), nil },
	} {
		if _, err := NewClient(line).Hint(context.Background(), game); !errors.Is(err, ErrUnanswered) {
			t.Errorf("got %v", err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	gone := answered(func(ctx context.Context, _ []byte) ([]byte, error) { return nil, ctx.Err() })
	if _, err := NewClient(gone).Hint(ctx, game); !errors.Is(err, context.Canceled) {
		t.Errorf("an asker who has gone gets %v", err)
	}
}

func TestQuestionsThatCannotBeReadAreNamed(t *testing.T) {
	c := New(1)
	for _, test := range [][2]string{
		{`hello`, "cannot be read"},
		{`{"v":9,"ask":"hint"}`, "version 9"},
		{`{"v":1,"ask":"fortune","within":99,"rules":"standard","start":"8/7o/6o1/4x3/1x3xo1/2x1xoxo/2x1oo2/8 w"}`, `\"fortune\"`},
		{`{"v":1,"ask":"hint","within":99,"rules":"chess"}`, `\"chess\"`},
		{`{"v":1,"ask":"hint","within":99,"rules":"standard","start":"9"}`, `\"9\"`},
		{`{"v":1,"ask":"review","within":99,"rules":"standard","start":"8/7o/6o1/4x3/1x3xo1/2x1xoxo/2x1oo2/8 w"}`, "without moves"},
		{`{"v":1,"ask":"hint","within":99,"moves":["z9"]}`, `\"z9\"`},
		{`{"v":1,"ask":"judge","within":99,"puzzle":"none"}`, `\"none\"`},
	} {
		if got := string(c.Answer(context.Background(), []byte(test[0]))); !strings.Contains(got, test[1]) {
			t.Errorf("%s: %s", test[0], got)
		}
	}
}

func TestAQuestionWhoseTimeIsOverIsNotAnswered(t *testing.T) {
	c := New(1)
	<-c.desks // the one there is
	began := time.Now()
	got := string(c.Answer(context.Background(), []byte(`{"v":1,"ask":"hint","within":1,"rules":"standard","start":"8/7o/6o1/4x3/1x3xo1/2x1xoxo/2x1oo2/8 w"}`)))
	if !strings.Contains(got, `"busy"`) || time.Since(began) > patience {
		t.Errorf("%s", got)
	}
}
