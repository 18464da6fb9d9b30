-- +goose Up
-- what programs show in the place of a session; only the hash of the secret is kept, in hex
CREATE TABLE access_token (
	id      TEXT PRIMARY KEY,
	hash    TEXT NOT NULL UNIQUE,
	person  TEXT NOT NULL REFERENCES person (id),
	name    TEXT NOT NULL,
	scopes  TEXT NOT NULL,
	created BIGINT NOT NULL,
	used    BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX access_token_person ON access_token (person, created);

-- the account of a program
ALTER TABLE person ADD COLUMN bot INTEGER NOT NULL DEFAULT 0;
