-- +goose Up
-- when time alone ends or changes a match, NULL for never
ALTER TABLE match ADD COLUMN deadline BIGINT;
CREATE INDEX match_deadline ON match (deadline) WHERE deadline IS NOT NULL;

-- the results of rated matches in the order in which they count: every rating follows from them
CREATE TABLE closing (
  number   INTEGER PRIMARY KEY,
  match_id TEXT NOT NULL UNIQUE REFERENCES match (id),
  pool     TEXT NOT NULL,
  black    TEXT NOT NULL REFERENCES person (id),
  white    TEXT NOT NULL REFERENCES person (id),
  points   REAL NOT NULL,
  at       BIGINT NOT NULL
);
CREATE INDEX closing_black ON closing (black, number);
CREATE INDEX closing_white ON closing (white, number);

CREATE TABLE rating (
  person     TEXT NOT NULL REFERENCES person (id),
  pool       TEXT NOT NULL,
  mean       REAL NOT NULL,
  deviation  REAL NOT NULL,
  volatility REAL NOT NULL,
  games      INTEGER NOT NULL,
  played     BIGINT NOT NULL,
  PRIMARY KEY (person, pool)
);
CREATE INDEX rating_leaders ON rating (pool, mean DESC);

-- what each closing made of each side's rating
CREATE TABLE rating_change (
  closing   INTEGER NOT NULL REFERENCES closing (number),
  person    TEXT NOT NULL REFERENCES person (id),
  before    REAL NOT NULL,
  after     REAL NOT NULL,
  deviation REAL NOT NULL,
  PRIMARY KEY (closing, person)
);
CREATE INDEX rating_change_person ON rating_change (person, closing);
