-- +goose Up
-- the games between people that ended lately
CREATE INDEX match_finished ON match (updated) WHERE ended = 1 AND black <> '' AND white <> '';
