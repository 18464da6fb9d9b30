-- +goose Up
-- a confirmed address, empty for none
ALTER TABLE person ADD COLUMN email TEXT NOT NULL DEFAULT '';
CREATE INDEX person_email ON person (email) WHERE email <> '';

-- secrets that were sent in letters; only their hashes are kept
CREATE TABLE token (
  hash    BLOB PRIMARY KEY,
  person  TEXT NOT NULL REFERENCES person (id),
  purpose TEXT NOT NULL,
  email   TEXT NOT NULL,
  expires BIGINT NOT NULL
);
CREATE INDEX token_person ON token (person, purpose);
CREATE INDEX token_expires ON token (expires);

-- letters that wait to be sent
CREATE TABLE letter (
  id        INTEGER PRIMARY KEY,
  recipient TEXT NOT NULL,
  subject   TEXT NOT NULL,
  text      TEXT NOT NULL,
  due       BIGINT NOT NULL,
  tries     INTEGER NOT NULL
);
CREATE INDEX letter_due ON letter (due);
