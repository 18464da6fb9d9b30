import assert from "node:assert/strict";
import { test } from "node:test";
import { after, applied, fits, lost } from "../../internal/web/static/match.js";

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
