import assert from "node:assert/strict";
import { test } from "node:test";
import { told } from "../../internal/web/static/heard.js";

const say = (key, values = {}) => [key, ...Object.values(values)].join(" ");
const now = {
  board: "8/8/3x4/2x1x3/8/3x4/8/o6o b".split(" ")[0], turn: "black", moves: ["d3-d5", "d3-e4", "c5xc7"],
  groups: { black: [["c5", "d6", "e5"], ["d3"]], white: [["a1"], ["h1"]] }, last: "turn.moved", clocks: "",
};

test("each letter tells its part of the game", () => {
  assert.equal(told("p", "d3", now, say), "side.black: c5, d3, d6, e5. side.white: a1, h1. turn.side side.black");
  assert.equal(told("g", "d3", now, say), "side.black: groups.left 2: c5 d6 e5; d3. side.white: groups.left 2: a1; h1.");
  assert.equal(told("m", "d3", now, say), "d3: d5, e4");
  assert.equal(told("m", "c5", now, say), "c5: c7 square.capture");
  assert.equal(told("m", "a8", now, say), "a8: ray.stuck");
  assert.equal(told("l", "d3", now, say), "turn.moved");
  assert.equal(told("c", "d3", now, say), "keys.no-clock");
  assert.match(told("h", "d3", now, say), /^P: keys\.p\. G: keys\.g/);
});

test("what cannot be told is said, and other keys are left alone", () => {
  assert.equal(told("g", "d3", { ...now, groups: undefined }, say), "keys.past");
  assert.equal(told("l", "d3", { ...now, last: "" }, say), "keys.no-move");
  for (const key of ["Enter", " ", "ArrowUp", "x"]) assert.equal(told(key, "d3", now, say), undefined);
});
