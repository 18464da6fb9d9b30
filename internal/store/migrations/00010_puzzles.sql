-- +goose Up
-- How people do at puzzles; days are counted from 1970-01-01 in UTC.
CREATE TABLE puzzle_person (
	person     TEXT PRIMARY KEY REFERENCES person (id),
	mean       DOUBLE PRECISION NOT NULL,
	deviation  DOUBLE PRECISION NOT NULL,
	volatility DOUBLE PRECISION NOT NULL,
	games      INTEGER NOT NULL,
	played     BIGINT NOT NULL,
	solved     INTEGER NOT NULL,
	streak     INTEGER NOT NULL,
	best       INTEGER NOT NULL,
	last_day   BIGINT NOT NULL
);

-- What became of a puzzle's grade. A puzzle without a row has not been tried.
CREATE TABLE puzzle_rating (
	puzzle     TEXT PRIMARY KEY,
	mean       DOUBLE PRECISION NOT NULL,
	deviation  DOUBLE PRECISION NOT NULL,
	volatility DOUBLE PRECISION NOT NULL,
	games      INTEGER NOT NULL,
	played     BIGINT NOT NULL,
	solved     INTEGER NOT NULL
);

-- First tries: the only ones that are rated. shown is when the solution was last asked for, 0 for never.
CREATE TABLE puzzle_try (
	person TEXT NOT NULL REFERENCES person (id),
	puzzle TEXT NOT NULL,
	at     BIGINT NOT NULL,
	solved INTEGER NOT NULL,
	shown  BIGINT NOT NULL DEFAULT 0,
	before DOUBLE PRECISION NOT NULL,
	after  DOUBLE PRECISION NOT NULL,
	PRIMARY KEY (person, puzzle)
);
