-- +goose Up
-- the names of closed accounts, which nobody else can take: hashes, in hex, of what Key makes of them, and nothing that leads to the person
CREATE TABLE former_name (
	hash TEXT PRIMARY KEY
);
