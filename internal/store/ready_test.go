package store

import (
	"context"
	"errors"
	"testing"
)

func TestADatabaseThatLacksMigrationsIsNotReady(t *testing.T) {
	ctx := context.Background()
	s, err := Open(ctx, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Ready(ctx); err != nil {
		t.Error(err)
	}
	s.newest++
	if err := s.Ready(ctx); !errors.Is(err, ErrBehind) {
		t.Errorf("got %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.Ready(ctx); err == nil || errors.Is(err, ErrBehind) {
		t.Errorf("a closed database gives %v", err)
	}
}
