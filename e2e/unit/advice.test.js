import assert from "node:assert/strict";
import { test } from "node:test";
import { Advice } from "../../internal/web/static/advice.js";

const say = (key, values = {}) => [key, ...Object.values(values)].join(" ");
const pretty = (move) => move.replace("x", "×");
const usual = new Advice(say, pretty, false), reversed = new Advice(say, pretty, true);
const none = { side: "black", plies: 0, moves: [] }, next = { side: "white", plies: 1, moves: ["a2-c2", "a3xc1"] };

test("whoever wins next move connects, and wins without connecting where connecting loses", () => {
  assert.equal(usual.threats({ other: next, own: none }), "help.threat.next side.white 2");
  assert.equal(reversed.threats({ other: next, own: none }), "help.threat.next-misere side.white 2");
  assert.equal(usual.review({ move: "b1-b3", best: "b1-b4", allows: 1 }, "white").text, "help.last.allows b1-b3 side.white 1 help.last.holds b1-b4");
  assert.equal(reversed.review({ move: "b1-b3", best: "b1-b4", allows: 1 }, "white").text, "help.last.allows-misere b1-b3 side.white 1 help.last.holds b1-b4");
});

test("plies to an end are counted as moves of who gets there", () => {
  assert.equal(usual.hint({ move: "b1xb3", win: 5 }), "help.hint b1×b3 help.hint.wins 3");
  assert.equal(usual.hint({ move: "b1-b3", win: -4, threat: 3 }), "help.hint b1-b3 help.hint.loses");
  assert.equal(usual.hint({ move: "b1-b3", threat: 3 }), "help.hint b1-b3 help.hint.threatens 2");
  assert.equal(usual.threats({ other: { ...next, plies: 3 }, own: { ...next, side: "black" } }), "help.threat.later side.white 2 a2-c2 help.threat.you 2");
});

test("a move is judged by the ends it gives away first, and by what it loses last", () => {
  const review = (of) => usual.review({ move: "b1-b3", best: "b1-b4", ...of }, "white");
  assert.deepEqual(review({ missed: 3, allows: 2 }).text, "help.last.allows b1-b3 side.white 1 help.last.wins b1-b4 2");
  assert.deepEqual(review({ missed: 3 }), { text: "help.last.missed b1-b3 help.last.wins b1-b4 2", refused: true });
  assert.deepEqual(review({ win: -6 }), { text: "help.last.lost b1-b3", refused: false });
  assert.deepEqual(review({ win: 4 }), { text: "help.last.still b1-b3 2", refused: false });
  assert.deepEqual([10, 90, 300].map((lost) => review({ lost })), [
    { text: "help.last.good b1-b3 b1-b4", refused: false }, { text: "help.last.little b1-b3 b1-b4", refused: false }, { text: "help.last.much b1-b3 b1-b4", refused: true },
  ]);
  assert.equal(review({ best: "b1-b3", win: -2 }).text, "help.last.lost b1-b3");
});
