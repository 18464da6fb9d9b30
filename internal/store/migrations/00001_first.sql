-- +goose Up
CREATE TABLE setting (
  name  TEXT PRIMARY KEY,
  value BLOB NOT NULL
);

CREATE TABLE person (
  id      TEXT PRIMARY KEY,
  name    TEXT NOT NULL,
  created BIGINT NOT NULL
);

-- what a person's browser shows to be recognised; only the hash of the secret is kept
CREATE TABLE session (
  secret_hash BLOB PRIMARY KEY,
  person      TEXT NOT NULL REFERENCES person (id),
  created     BIGINT NOT NULL
);

CREATE TABLE match (
  id          TEXT PRIMARY KEY,
  seq         INTEGER NOT NULL,
  black       TEXT NOT NULL,
  white       TEXT NOT NULL,
  ended       INTEGER NOT NULL,
  engine_turn INTEGER NOT NULL,
  updated     BIGINT NOT NULL
);
CREATE INDEX match_black ON match (black, updated);
CREATE INDEX match_white ON match (white, updated);
CREATE INDEX match_engine_turn ON match (engine_turn) WHERE engine_turn = 1;

-- the log of every match: the truth from which everything else follows; times are milliseconds since 1970
CREATE TABLE event (
  match_id TEXT NOT NULL REFERENCES match (id),
  seq      INTEGER NOT NULL,
  at       BIGINT NOT NULL,
  client   TEXT NOT NULL,
  version  INTEGER NOT NULL,
  kind     TEXT NOT NULL,
  body     TEXT NOT NULL,
  PRIMARY KEY (match_id, seq)
);
CREATE UNIQUE INDEX event_client ON event (match_id, client) WHERE client <> '';
