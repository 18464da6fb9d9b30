package store_test

import (
	"context"
	"testing"
	"time"

	"github.com/linesofaction/loa/internal/account"
	"github.com/linesofaction/loa/internal/puzzle"
)

func TestSolversAreMembersWithSettledRatingsTheBestFirst(t *testing.T) {
	ctx, s := context.Background(), open(t, place(t))
	now := time.UnixMilli(1_700_000_000_000)
	puzzles, err := puzzle.Standard()
	if err != nil {
		t.Fatal(err)
	}
	for _, solver := range []struct {
		id, name     string
		tried, every int // puzzles of which one in so many is solved
	}{{"a", "Marit", 40, 4}, {"b", "Okonjo", 40, 2}, {"c", "", 40, 2}, {"d", "Newcomer", 1, 1}} {
		if err := s.AddPerson(ctx, account.Person{ID: solver.id, Name: "1234", Created: now}, account.HashSecret(solver.id)); err != nil {
			t.Fatal(err)
		}
		if solver.name != "" {
			if err := s.Join(ctx, solver.id, solver.name, "x"); err != nil {
				t.Fatal(err)
			}
		}
		for i, z := range puzzles[:solver.tried] {
			if _, _, _, err := s.RecordTry(ctx, solver.id, z, i%solver.every == 0, false, -1, now); err != nil {
				t.Fatal(err)
			}
		}
	}
	solvers, err := s.Solvers(ctx, 10)
	if err != nil || len(solvers) != 2 || solvers[0].Person.Name != "Okonjo" || solvers[1].Person.Name != "Marit" || solvers[1].Rating.Games != 40 || solvers[0].Rating.Mean <= solvers[1].Rating.Mean {
		t.Errorf("%+v, %v", solvers, err)
	}
	if solvers, err := s.Solvers(ctx, 1); err != nil || len(solvers) != 1 {
		t.Errorf("the best one: %+v, %v", solvers, err)
	}
}
