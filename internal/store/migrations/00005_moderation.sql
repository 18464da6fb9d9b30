-- +goose Up
ALTER TABLE person ADD COLUMN moderator INTEGER NOT NULL DEFAULT 0;
-- until when a person may not talk, or not begin games, in milliseconds since 1970; 0 for never
ALTER TABLE person ADD COLUMN muted BIGINT NOT NULL DEFAULT 0;
ALTER TABLE person ADD COLUMN barred BIGINT NOT NULL DEFAULT 0;
-- acts about the person that the person has not read yet
ALTER TABLE person ADD COLUMN notices INTEGER NOT NULL DEFAULT 0;
CREATE INDEX person_name ON person (name);

-- what moderators did, and why; moderator is empty for the host. Nothing is ever changed or removed here
CREATE TABLE act (
  number   INTEGER PRIMARY KEY,
  at       BIGINT NOT NULL,
  moderator TEXT NOT NULL,
  kind     TEXT NOT NULL,
  person   TEXT NOT NULL,
  name     TEXT NOT NULL,
  until    BIGINT NOT NULL,
  match_id TEXT NOT NULL,
  report   INTEGER NOT NULL,
  result   TEXT NOT NULL,
  reason   TEXT NOT NULL
);
CREATE INDEX act_person ON act (person, number);
CREATE INDEX act_match ON act (match_id, number) WHERE match_id <> '';
-- the results of one pool in their order
CREATE INDEX closing_pool ON closing (pool, number);
