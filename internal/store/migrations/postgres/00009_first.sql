-- +goose Up
-- All that SQLite came to by its first nine migrations. Texts compare by their bytes, as they do there.
CREATE TABLE setting (
  name  TEXT COLLATE "C" PRIMARY KEY,
  value BYTEA NOT NULL
);

CREATE TABLE person (
  id        TEXT COLLATE "C" PRIMARY KEY,
  name      TEXT COLLATE "C" NOT NULL,
  created   BIGINT NOT NULL,
  member    INTEGER NOT NULL DEFAULT 0,
  name_key  TEXT COLLATE "C",
  password  TEXT NOT NULL DEFAULT '',
  moderator INTEGER NOT NULL DEFAULT 0,
  muted     BIGINT NOT NULL DEFAULT 0,
  barred    BIGINT NOT NULL DEFAULT 0,
  notices   INTEGER NOT NULL DEFAULT 0,
  email     TEXT COLLATE "C" NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX person_name_key ON person (name_key) WHERE name_key IS NOT NULL;
CREATE INDEX person_name ON person (name);
CREATE INDEX person_email ON person (email) WHERE email <> '';

CREATE TABLE session (
  secret_hash BYTEA PRIMARY KEY,
  person      TEXT COLLATE "C" NOT NULL REFERENCES person (id),
  created     BIGINT NOT NULL,
  seen        BIGINT NOT NULL DEFAULT 0,
  agent       TEXT NOT NULL DEFAULT ''
);
CREATE INDEX session_person ON session (person);

CREATE TABLE match (
  id          TEXT COLLATE "C" PRIMARY KEY,
  seq         INTEGER NOT NULL,
  black       TEXT COLLATE "C" NOT NULL,
  white       TEXT COLLATE "C" NOT NULL,
  ended       INTEGER NOT NULL,
  engine_turn INTEGER NOT NULL,
  updated     BIGINT NOT NULL,
  deadline    BIGINT,
  rules       TEXT COLLATE "C" NOT NULL DEFAULT '',
  control     TEXT COLLATE "C" NOT NULL DEFAULT '',
  rated       INTEGER NOT NULL DEFAULT 0,
  plies       INTEGER NOT NULL DEFAULT 0,
  winner      TEXT COLLATE "C" NOT NULL DEFAULT '',
  reason      TEXT COLLATE "C" NOT NULL DEFAULT ''
);
CREATE INDEX match_engine_turn ON match (engine_turn) WHERE engine_turn = 1;
CREATE INDEX match_deadline ON match (deadline) WHERE deadline IS NOT NULL;
CREATE INDEX match_black ON match (black, updated) WHERE ended = 1;
CREATE INDEX match_white ON match (white, updated) WHERE ended = 1;
CREATE INDEX match_black_running ON match (black) WHERE ended = 0;
CREATE INDEX match_white_running ON match (white) WHERE ended = 0;
CREATE INDEX match_people ON match (updated) WHERE ended = 0 AND black <> '' AND white <> '';
CREATE INDEX match_finished ON match (updated) WHERE ended = 1 AND black <> '' AND white <> '';

CREATE TABLE event (
  match_id TEXT COLLATE "C" NOT NULL REFERENCES match (id),
  seq      INTEGER NOT NULL,
  at       BIGINT NOT NULL,
  client   TEXT COLLATE "C" NOT NULL,
  version  INTEGER NOT NULL,
  kind     TEXT COLLATE "C" NOT NULL,
  body     TEXT NOT NULL,
  PRIMARY KEY (match_id, seq)
);

CREATE TABLE closing (
  number   BIGINT PRIMARY KEY,
  match_id TEXT COLLATE "C" NOT NULL UNIQUE REFERENCES match (id),
  pool     TEXT COLLATE "C" NOT NULL,
  black    TEXT COLLATE "C" NOT NULL REFERENCES person (id),
  white    TEXT COLLATE "C" NOT NULL REFERENCES person (id),
  points   DOUBLE PRECISION NOT NULL,
  at       BIGINT NOT NULL
);
CREATE INDEX closing_black ON closing (black, pool, number);
CREATE INDEX closing_white ON closing (white, pool, number);
CREATE INDEX closing_pool ON closing (pool, number);

CREATE TABLE rating (
  person     TEXT COLLATE "C" NOT NULL REFERENCES person (id),
  pool       TEXT COLLATE "C" NOT NULL,
  mean       DOUBLE PRECISION NOT NULL,
  deviation  DOUBLE PRECISION NOT NULL,
  volatility DOUBLE PRECISION NOT NULL,
  games      INTEGER NOT NULL,
  played     BIGINT NOT NULL,
  PRIMARY KEY (person, pool)
);
-- 110 is rating.ProvisionalDeviation
CREATE INDEX rating_leaders ON rating (pool, mean DESC) WHERE deviation <= 110;

CREATE TABLE rating_change (
  closing   BIGINT NOT NULL REFERENCES closing (number),
  person    TEXT COLLATE "C" NOT NULL REFERENCES person (id),
  before    DOUBLE PRECISION NOT NULL,
  after     DOUBLE PRECISION NOT NULL,
  deviation DOUBLE PRECISION NOT NULL,
  PRIMARY KEY (closing, person)
);
CREATE INDEX rating_change_person ON rating_change (person, closing);

CREATE TABLE pool (
  name   TEXT COLLATE "C" PRIMARY KEY,
  people INTEGER NOT NULL
);
-- +goose StatementBegin
CREATE FUNCTION count_rating() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO pool (name, people) VALUES (NEW.pool, 1) ON CONFLICT (name) DO UPDATE SET people = pool.people + 1;
  ELSE
    UPDATE pool SET people = people - 1 WHERE name = OLD.pool;
  END IF;
  RETURN NULL;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER rating_added AFTER INSERT ON rating FOR EACH ROW EXECUTE FUNCTION count_rating();
CREATE TRIGGER rating_removed AFTER DELETE ON rating FOR EACH ROW EXECUTE FUNCTION count_rating();

CREATE TABLE seek (
  person  TEXT COLLATE "C" NOT NULL REFERENCES person (id),
  setting TEXT COLLATE "C" NOT NULL,
  rules   TEXT COLLATE "C" NOT NULL,
  control TEXT COLLATE "C" NOT NULL,
  rated   INTEGER NOT NULL,
  color   TEXT COLLATE "C" NOT NULL,
  below   INTEGER NOT NULL,
  above   INTEGER NOT NULL,
  since   BIGINT NOT NULL,
  alive   BIGINT NOT NULL,
  PRIMARY KEY (person, setting)
);

CREATE TABLE challenge (
  id       TEXT COLLATE "C" PRIMARY KEY,
  maker    TEXT COLLATE "C" NOT NULL REFERENCES person (id),
  invited  TEXT COLLATE "C" NOT NULL,
  rules    TEXT COLLATE "C" NOT NULL,
  control  TEXT COLLATE "C" NOT NULL,
  rated    INTEGER NOT NULL,
  color    TEXT COLLATE "C" NOT NULL,
  made     BIGINT NOT NULL,
  match_id TEXT COLLATE "C" NOT NULL,
  refused  INTEGER NOT NULL
);
CREATE INDEX challenge_maker ON challenge (maker, made);
CREATE INDEX challenge_invited ON challenge (invited, made) WHERE invited <> '';

CREATE TABLE block (
  person TEXT COLLATE "C" NOT NULL REFERENCES person (id),
  other  TEXT COLLATE "C" NOT NULL REFERENCES person (id),
  PRIMARY KEY (person, other)
);
CREATE INDEX block_other ON block (other);

CREATE TABLE mute (
  person TEXT COLLATE "C" NOT NULL REFERENCES person (id),
  other  TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (person, other)
);
CREATE INDEX mute_other ON mute (other);

CREATE TABLE follow (
  person TEXT COLLATE "C" NOT NULL REFERENCES person (id),
  other  TEXT COLLATE "C" NOT NULL REFERENCES person (id),
  at     BIGINT NOT NULL,
  PRIMARY KEY (person, other)
);
CREATE INDEX follow_other ON follow (other);

CREATE TABLE remark (
  match_id TEXT COLLATE "C" NOT NULL REFERENCES match (id),
  room     TEXT COLLATE "C" NOT NULL,
  n        INTEGER NOT NULL,
  person   TEXT COLLATE "C" NOT NULL REFERENCES person (id),
  seat     TEXT COLLATE "C" NOT NULL,
  client   TEXT COLLATE "C" NOT NULL,
  at       BIGINT NOT NULL,
  text     TEXT NOT NULL,
  preset   TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (match_id, room, n)
);
CREATE UNIQUE INDEX remark_client ON remark (match_id, person, client) WHERE client <> '';
CREATE INDEX remark_person ON remark (person, at);

CREATE TABLE report (
  id        BIGINT PRIMARY KEY,
  by        TEXT COLLATE "C" NOT NULL REFERENCES person (id),
  about     TEXT COLLATE "C" NOT NULL REFERENCES person (id),
  match     TEXT COLLATE "C" REFERENCES match (id),
  reason    TEXT COLLATE "C" NOT NULL,
  text      TEXT NOT NULL,
  context   TEXT NOT NULL,
  at        BIGINT NOT NULL,
  closed_at BIGINT,
  closed_by TEXT COLLATE "C" REFERENCES person (id),
  answer    TEXT NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX report_open ON report (by, about, COALESCE(match, '')) WHERE closed_at IS NULL;
CREATE INDEX report_about ON report (about, at);
CREATE INDEX report_by ON report (by, at);
CREATE INDEX report_waiting ON report (id) WHERE closed_at IS NULL;

CREATE TABLE act (
  number    BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  at        BIGINT NOT NULL,
  moderator TEXT COLLATE "C" NOT NULL,
  kind      TEXT COLLATE "C" NOT NULL,
  person    TEXT COLLATE "C" NOT NULL,
  name      TEXT COLLATE "C" NOT NULL,
  until     BIGINT NOT NULL,
  match_id  TEXT COLLATE "C" NOT NULL,
  report    BIGINT NOT NULL,
  result    TEXT COLLATE "C" NOT NULL,
  reason    TEXT NOT NULL
);
CREATE INDEX act_person ON act (person, number);
CREATE INDEX act_match ON act (match_id, number) WHERE match_id <> '';

CREATE TABLE token (
  hash    BYTEA PRIMARY KEY,
  person  TEXT COLLATE "C" NOT NULL REFERENCES person (id),
  purpose TEXT COLLATE "C" NOT NULL,
  email   TEXT COLLATE "C" NOT NULL,
  expires BIGINT NOT NULL
);
CREATE INDEX token_person ON token (person, purpose);
CREATE INDEX token_expires ON token (expires);

CREATE TABLE letter (
  id        BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  recipient TEXT NOT NULL,
  subject   TEXT NOT NULL,
  text      TEXT NOT NULL,
  due       BIGINT NOT NULL,
  tries     INTEGER NOT NULL
);
CREATE INDEX letter_due ON letter (due);

CREATE TABLE tally (
  person TEXT COLLATE "C" NOT NULL,
  rules  TEXT COLLATE "C" NOT NULL,
  engine INTEGER NOT NULL,
  won    INTEGER NOT NULL,
  lost   INTEGER NOT NULL,
  drawn  INTEGER NOT NULL,
  PRIMARY KEY (person, rules, engine)
);
