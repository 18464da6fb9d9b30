-- +goose Up
-- when time alone ends or changes a match, NULL for never
ALTER TABLE match ADD COLUMN deadline BIGINT;
-- what lists show of a match without replaying it
ALTER TABLE match ADD COLUMN rules TEXT NOT NULL DEFAULT '';
ALTER TABLE match ADD COLUMN control TEXT NOT NULL DEFAULT '';
ALTER TABLE match ADD COLUMN rated INTEGER NOT NULL DEFAULT 0;
ALTER TABLE match ADD COLUMN plies INTEGER NOT NULL DEFAULT 0;
ALTER TABLE match ADD COLUMN winner TEXT NOT NULL DEFAULT '';
ALTER TABLE match ADD COLUMN reason TEXT NOT NULL DEFAULT '';
CREATE INDEX match_running ON match (updated) WHERE ended = 0;
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

-- who looks for a game; one seek for each person and setting, alive while its maker's page says so
CREATE TABLE seek (
  person  TEXT NOT NULL REFERENCES person (id),
  setting TEXT NOT NULL,
  rules   TEXT NOT NULL,
  control TEXT NOT NULL,
  rated   INTEGER NOT NULL,
  color   TEXT NOT NULL,
  below   INTEGER NOT NULL,
  above   INTEGER NOT NULL,
  since   BIGINT NOT NULL,
  alive   BIGINT NOT NULL,
  PRIMARY KEY (person, setting)
);

-- invitations to one game; invited is empty for whoever has the address
CREATE TABLE challenge (
  id       TEXT PRIMARY KEY,
  maker    TEXT NOT NULL REFERENCES person (id),
  invited  TEXT NOT NULL,
  rules    TEXT NOT NULL,
  control  TEXT NOT NULL,
  rated    INTEGER NOT NULL,
  color    TEXT NOT NULL,
  made     BIGINT NOT NULL,
  match_id TEXT NOT NULL,
  refused  INTEGER NOT NULL
);
CREATE INDEX challenge_maker ON challenge (maker, made);
CREATE INDEX challenge_invited ON challenge (invited, made) WHERE invited <> '';

-- who wants nothing to do with whom
CREATE TABLE block (
  person TEXT NOT NULL REFERENCES person (id),
  other  TEXT NOT NULL REFERENCES person (id),
  PRIMARY KEY (person, other)
);
