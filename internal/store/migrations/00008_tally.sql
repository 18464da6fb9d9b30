-- +goose Up
-- how many finished games of each rule set a person won, lost and drew, against people and against engines
CREATE TABLE tally (
  person TEXT NOT NULL,
  rules  TEXT NOT NULL,
  engine INTEGER NOT NULL,
  won    INTEGER NOT NULL,
  lost   INTEGER NOT NULL,
  drawn  INTEGER NOT NULL,
  PRIMARY KEY (person, rules, engine)
);
INSERT INTO tally (person, rules, engine, won, lost, drawn)
SELECT person, rules, engine, SUM(won), SUM(lost), SUM(drawn) FROM (
  SELECT black AS person, CASE instr(rules, ':') WHEN 0 THEN rules ELSE substr(rules, 1, instr(rules, ':') - 1) END AS rules,
    white = '' AS engine, winner = 'black' AS won, winner = 'white' AS lost, winner = 'none' AS drawn
  FROM match WHERE ended = 1 AND reason <> 'aborted' AND black <> '' AND rules <> ''
  UNION ALL
  SELECT white, CASE instr(rules, ':') WHEN 0 THEN rules ELSE substr(rules, 1, instr(rules, ':') - 1) END,
    black = '', winner = 'white', winner = 'black', winner = 'none'
  FROM match WHERE ended = 1 AND reason <> 'aborted' AND white <> '' AND rules <> ''
) AS one GROUP BY person, rules, engine;
