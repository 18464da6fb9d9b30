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

-- the games to watch, without those left against the computer
DROP INDEX match_running;
CREATE INDEX match_people ON match (updated) WHERE ended = 0 AND black <> '' AND white <> '';

-- a person's results in one pool
DROP INDEX closing_black;
DROP INDEX closing_white;
CREATE INDEX closing_black ON closing (black, pool, number);
CREATE INDEX closing_white ON closing (white, pool, number);

-- leaderboards pass over nobody; 110 is rating.ProvisionalDeviation
DROP INDEX rating_leaders;
CREATE INDEX rating_leaders ON rating (pool, mean DESC) WHERE deviation <= 110;

-- how many people have a rating in each pool
CREATE TABLE pool (
  name   TEXT PRIMARY KEY,
  people INTEGER NOT NULL
);
INSERT INTO pool (name, people) SELECT pool, COUNT(*) FROM rating GROUP BY pool;
-- +goose StatementBegin
CREATE TRIGGER rating_added AFTER INSERT ON rating BEGIN
  INSERT INTO pool (name, people) VALUES (NEW.pool, 1) ON CONFLICT (name) DO UPDATE SET people = people + 1;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER rating_removed AFTER DELETE ON rating BEGIN
  UPDATE pool SET people = people - 1 WHERE name = OLD.pool;
END;
-- +goose StatementEnd
