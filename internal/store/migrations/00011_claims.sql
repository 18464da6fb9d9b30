-- +goose Up
-- who thinks about an engine's turn says so: about which sequence number, and until when
ALTER TABLE match ADD COLUMN claimed_seq INTEGER NOT NULL DEFAULT 0;
ALTER TABLE match ADD COLUMN claimed_until BIGINT NOT NULL DEFAULT 0;
