-- +goose Up
ALTER TABLE person ADD COLUMN member INTEGER NOT NULL DEFAULT 0;
-- a member's name folded so that names which look alike are one; NULL for guests
ALTER TABLE person ADD COLUMN name_key TEXT;
ALTER TABLE person ADD COLUMN password TEXT NOT NULL DEFAULT '';
CREATE UNIQUE INDEX person_name_key ON person (name_key) WHERE name_key IS NOT NULL;

ALTER TABLE session ADD COLUMN seen BIGINT NOT NULL DEFAULT 0;
ALTER TABLE session ADD COLUMN agent TEXT NOT NULL DEFAULT '';
CREATE INDEX session_person ON session (person);
