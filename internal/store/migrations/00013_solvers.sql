-- +goose Up
-- The best solvers of puzzles, of those whose rating is no longer a guess.
CREATE INDEX puzzle_person_best ON puzzle_person (mean) WHERE deviation <= 110;
