-- +goose Up
-- entries lie in the order of their logs, so that storing one writes one place and reading a log reads one
ALTER TABLE event RENAME TO event_before;
CREATE TABLE event (
  match_id TEXT NOT NULL REFERENCES match (id),
  seq      INTEGER NOT NULL,
  at       BIGINT NOT NULL,
  client   TEXT NOT NULL,
  version  INTEGER NOT NULL,
  kind     TEXT NOT NULL,
  body     TEXT NOT NULL,
  PRIMARY KEY (match_id, seq)
) WITHOUT ROWID;
INSERT INTO event (match_id, seq, at, client, version, kind, body)
  SELECT match_id, seq, at, client, version, kind, body FROM event_before ORDER BY match_id, seq;
DROP TABLE event_before;

-- a person's games: the finished ones by time, the few running ones apart, so that a move does not move them in an index
DROP INDEX match_black;
DROP INDEX match_white;
CREATE INDEX match_black ON match (black, updated) WHERE ended = 1;
CREATE INDEX match_white ON match (white, updated) WHERE ended = 1;
CREATE INDEX match_black_running ON match (black) WHERE ended = 0;
CREATE INDEX match_white_running ON match (white) WHERE ended = 0;
