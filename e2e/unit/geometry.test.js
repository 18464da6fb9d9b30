import assert from "node:assert/strict";
import { test } from "node:test";
import { Frame, between, direction, distance, links, passes, readBoard, readMove, readRays, waves } from "../../internal/web/static/geometry.js";

test("board text places pieces from the top rank down", () => {
  const { size, pieces } = readBoard("1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1");
  assert.equal(size, 8);
  assert.equal(pieces.size, 24);
  assert.equal(pieces.get("b8"), "black");
  assert.equal(pieces.get("h2"), "white");
  assert.equal(pieces.has("a1"), false);
});

test("moves split into their squares and a pass into nothing", () => {
  assert.deepEqual(readMove("c8xc6"), { from: "c8", to: "c6", capture: true });
  assert.deepEqual(readMove("c8-c6"), { from: "c8", to: "c6", capture: false });
  assert.equal(readMove("pass"), null);
});

test("rays are read with the squares their counts and signs stand for", () => {
  assert.deepEqual(readRays(""), {});
  const rays = readRays("d41m2c9-3b12o2n1m1- a11m1m1m1-1-1-1-1-");
  assert.deepEqual(Object.keys(rays), ["d4", "a1"]);
  assert.deepEqual(rays.d4.slice(0, 6), [
    { n: 1, v: "move", to: "d5", by: undefined },
    { n: 2, v: "capture", to: "f6", by: undefined },
    { n: 9, v: "off-board", to: undefined, by: undefined },
    { n: 3, v: "blocked", to: "g1", by: "e3" },
    { n: 2, v: "own-piece", to: "d2", by: "d2" },
    { n: 2, v: "no-capture", to: "b2", by: "b2" },
  ]);
  assert.equal(rays.a1.length, 8);
});

test("directions run clockwise from up", () => {
  const round = ["d5", "e5", "e4", "e3", "d3", "c3", "c4", "c5"];
  assert.deepEqual(round.map((to) => direction("d4", to)), [0, 1, 2, 3, 4, 5, 6, 7]);
  assert.equal(direction("d4", "e6"), -1);
  assert.equal(direction("d4", "d4"), -1);
  assert.equal(distance("a1", "f6"), 5);
  assert.deepEqual(between("f7", "c4"), ["e6", "d5"]);
});

test("a flipped frame turns everything by half a turn", () => {
  for (const size of [4, 5, 6, 7, 8]) {
    const plain = new Frame(size), turned = new Frame(size, true);
    for (const square of plain.rows().flat()) {
      const a = plain.center(square), b = turned.center(square);
      assert.deepEqual([a.x + b.x, a.y + b.y], [size, size]);
      assert.equal(plain.squareAt(a), square);
      assert.equal(turned.squareAt(b), square);
      for (let dir = 0; dir < 8; dir++) {
        const p = plain.badge(square, dir), q = turned.badge(square, dir);
        assert.ok(Math.abs(p.x + q.x - size) < 1e-9 && Math.abs(p.y + q.y - size) < 1e-9);
      }
    }
    assert.deepEqual(turned.rows().flat(), plain.rows().flat().reverse());
  }
});

test("badges stand on the rim and hairlines end at the edge", () => {
  const frame = new Frame(8);
  const near = (p, x, y) => assert.ok(Math.hypot(p.x - x, p.y - y) < 1e-9, `${p.x},${p.y} is not ${x},${y}`);
  near(frame.badge("f7", 0), 5.5, -0.21);
  near(frame.badge("f7", 5), -0.21, 7.21);
  near(frame.edge("f7", 1), 7, 0);
});

test("a line ends at the ring or at the brackets", () => {
  const frame = new Frame(8);
  assert.equal(frame.action("f7", "f2", false), "M5.5 1.5L5.5 6.3");
  assert.equal(frame.action("f7", "c7", true), "M5.5 1.5L2.96 1.5");
  assert.equal(frame.action("f7", "g6", false), "M5.5 1.5L6.359 2.359");
  assert.equal(frame.bar("e6", 5), "M4.641 1.977L5.023 2.359");
});

test("a tag stays inside the squares", () => {
  for (const size of [4, 6, 8]) {
    const frame = new Frame(size);
    for (const square of frame.rows().flat()) {
      for (let dir = 0; dir < 8; dir++) {
        const { x, y } = frame.tag(square, dir, 1.7);
        assert.ok(x >= 0.85 && x <= size - 0.85 && y >= 0.22 && y <= size - 0.22, `${square} ${dir} on ${size}: ${x},${y}`);
      }
    }
  }
});

test("a tag covers no piece where there is a free place", () => {
  const frame = new Frame(8), width = 1.5;
  const overlap = ({ x, y }, square) => {
    const piece = frame.center(square);
    return 0.39 - Math.hypot(Math.max(0, Math.abs(piece.x - x) - width / 2), Math.max(0, Math.abs(piece.y - y) - 0.22));
  };
  for (let dir = 0; dir < 8; dir++) {
    for (const piece of ["c3", "c4", "c5", "d3", "d5", "e3", "e4", "e5"]) {
      const at = frame.tag("d4", dir, width, [frame.center(piece)]);
      assert.ok(overlap(at, piece) <= 0, `${piece}, direction ${dir}`);
    }
  }
});

test("links skip a diagonal that a side neighbor joins", () => {
  assert.deepEqual(links(["a1", "b2"]), [["a1", "b2"]]);
  assert.deepEqual(links(["a1", "b1", "b2"]), [["a1", "b1"], ["b1", "b2"]]);
});

test("the wave counts steps from the winning piece", () => {
  const steps = waves(["a1", "b2", "c2", "d3"], "b2");
  assert.deepEqual([...steps].sort(), [["a1", 1], ["b2", 0], ["c2", 1], ["d3", 2]]);
  assert.equal(waves(["a1", "b2"], "h8").get("a1"), 0);
});

test("a moving piece leaves fast and settles", () => {
  assert.ok(passes(0) < 0.001 && Math.abs(passes(1) - 1) < 0.001);
  const times = [0.25, 0.5, 0.75].map(passes);
  assert.ok(times[0] < times[1] && times[1] < times[2] && times[1] < 0.3);
});
