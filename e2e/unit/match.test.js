import assert from "node:assert/strict";
import { test } from "node:test";
import { after, applied, fits, lost, planned } from "../../internal/web/static/match.js";

const ply = (move, board = "xo/ox") => ({ move, board, groups: [1, 1] });
const snapshot = { match: "m", seq: 3, start: ply("", "xx/oo"), plies: [ply("a1-a2"), ply("b1xb2", "xx/1o")], can: {}, thinking: false };
const update = (change) => ({ match: "m", from: 3, seq: 4, keep: 2, plies: [], can: {}, thinking: true, ...change });

test("a move is added after the plies that stay", () => {
  const next = applied(snapshot, update({ plies: [ply("a2-b1")] }));
  assert.deepEqual([next.seq, next.plies.map((one) => one.move)], [4, ["a1-a2", "b1xb2", "a2-b1"]]);
  assert.equal(snapshot.plies.length, 2, "the old state is untouched");
});

test("a takeback keeps fewer plies and adds none", () => {
  assert.equal(applied(snapshot, update({ keep: 0 })).plies.length, 0);
});

test("an old change changes nothing, and one after a gap is not applied", () => {
  assert.equal(applied(snapshot, update({ seq: 3, from: 2 })), snapshot);
  assert.equal(applied(snapshot, update({ match: "other" })), snapshot);
  assert.equal(applied(snapshot, update({ from: 5, seq: 6 })), null);
  assert.equal(applied(snapshot, update({ keep: 9 })), null);
});

test("an unanswered command is sent again only where it still fits", () => {
  assert.equal(fits(snapshot, { ply: 2 }), true);
  assert.equal(fits(snapshot, { ply: 1 }), false);
  assert.equal(fits({ ...snapshot, outcome: { winner: "black", reason: "resigned" } }, { ply: 2 }), false);
});

test("boards and losses at any point of the game", () => {
  assert.equal(after(snapshot, 0).board, "xx/oo");
  assert.deepEqual(lost(snapshot, 0), { black: 0, white: 0 });
  assert.deepEqual(lost(snapshot, 2), { black: 0, white: 1 });
});

test("a planned move is sent when it is legal, kept until then, and dropped otherwise", () => {
  const plan = { from: "a2", to: "c4", ply: 2 };
  const match = (plies, moves, change = {}) => ({ ...snapshot, plies: Array(plies).fill(ply("a1-a2")), position: { moves }, can: { move: true }, ...change });
  assert.equal(planned(plan, match(2, []), 2), "keep", "an offer changes nothing");
  assert.equal(planned(plan, match(3, ["a2-c4"]), 2), "a2-c4");
  assert.equal(planned(plan, match(3, ["a2xc4"]), 2), "a2xc4");
  assert.equal(planned(plan, match(3, ["a2-b3"]), 2), "drop", "it does not fit");
  assert.equal(planned(plan, match(3, ["a2-c4"]), 1), "drop", "the position it was planned in was taken back");
  assert.equal(planned(plan, match(4, ["a2-c4"]), 2), "drop", "more has happened");
  assert.equal(planned(plan, match(3, ["a2-c4"]), -1), "drop", "after a resynchronization");
  assert.equal(planned(plan, match(3, ["a2-c4"], { outcome: { winner: "black", reason: "flag" } }), 2), "drop");
});
