-- +goose Up
-- what people say in the rooms of a match, numbered in each room
CREATE TABLE remark (
  match_id TEXT NOT NULL REFERENCES match (id),
  room     TEXT NOT NULL,
  n        INTEGER NOT NULL,
  person   TEXT NOT NULL REFERENCES person (id),
  seat     TEXT NOT NULL,
  client   TEXT NOT NULL,
  at       BIGINT NOT NULL,
  text     TEXT NOT NULL,
  preset   TEXT NOT NULL,
  PRIMARY KEY (match_id, room, n)
);
CREATE UNIQUE INDEX remark_client ON remark (match_id, person, client) WHERE client <> '';
CREATE INDEX remark_person ON remark (person, at);

-- whose remarks a person does not want to read; other is empty for all onlookers
CREATE TABLE mute (
  person TEXT NOT NULL REFERENCES person (id),
  other  TEXT NOT NULL,
  PRIMARY KEY (person, other)
);
CREATE INDEX mute_other ON mute (other);
CREATE INDEX block_other ON block (other);

CREATE TABLE follow (
  person TEXT NOT NULL REFERENCES person (id),
  other  TEXT NOT NULL REFERENCES person (id),
  at     BIGINT NOT NULL,
  PRIMARY KEY (person, other)
);
CREATE INDEX follow_other ON follow (other);

-- what people tell the moderators about each other; match is NULL when no game is meant, closed_at while it is open
CREATE TABLE report (
  id        INTEGER PRIMARY KEY,
  by        TEXT NOT NULL REFERENCES person (id),
  about     TEXT NOT NULL REFERENCES person (id),
  match     TEXT REFERENCES match (id),
  reason    TEXT NOT NULL,
  text      TEXT NOT NULL,
  context   TEXT NOT NULL,
  at        BIGINT NOT NULL,
  closed_at BIGINT,
  closed_by TEXT REFERENCES person (id),
  answer    TEXT NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX report_open ON report (by, about, COALESCE(match, '')) WHERE closed_at IS NULL;
CREATE INDEX report_about ON report (about, at);
CREATE INDEX report_by ON report (by, at);
CREATE INDEX report_waiting ON report (id) WHERE closed_at IS NULL;
