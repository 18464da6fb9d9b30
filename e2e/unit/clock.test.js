import assert from "node:assert/strict";
import { test } from "node:test";
import { after, low, terms, tick, written } from "../../internal/web/static/clock.js";

test("the terms of every kind of control", () => {
  assert.deepEqual(terms("5+3"), { full: 300_000, period: 0 });
  assert.deepEqual(terms("0.25b2"), { full: 15_000, period: 0 });
  assert.deepEqual(terms("10d5"), { full: 600_000, period: 0 });
  assert.deepEqual(terms("10+3x30"), { full: 600_000, period: 30_000 });
  assert.deepEqual(terms("30/move"), { full: 30_000, period: 0 });
  assert.deepEqual(terms("3d/move"), { full: 259_200_000, period: 0 });
});

test("a clock counts down and never shows that time is up", () => {
  assert.equal(after({ left: 5000 }, 1200, 0).left, 3800);
  assert.equal(after({ left: 5000 }, 9999, 0).left, 100);
  assert.deepEqual(written(after({ left: 5000 }, 9999, 0).left), { text: "0:00", tenths: ".1" });
});

test("what is shown without tenths is never zero either", () => {
  assert.equal(written(100, true).text, "0:01"); // of a byo-yomi period, behind a delay, or for a first move
  assert.equal(written(59_001, true).text, "1:00");
  assert.equal(written(60_000, true).text, "1:00");
  assert.equal(written(0, true).text, "0:00"); // said by the server
});

test("a delay runs out before the time does", () => {
  assert.deepEqual(after({ left: 60_000, delay: 5000 }, 3000, 0), { left: 60_000, periods: 0, period: false, delay: 2000 });
  assert.deepEqual(after({ left: 60_000, delay: 5000 }, 8000, 0), { left: 57_000, periods: 0, period: false, delay: 0 });
});

test("periods follow the base, and each other", () => {
  const face = { left: 10_000, periods: 3 };
  assert.deepEqual(after(face, 9000, 30_000), { left: 1000, periods: 3, period: false, delay: 0 });
  assert.deepEqual(after(face, 15_000, 30_000), { left: 25_000, periods: 3, period: true, delay: 0 });
  assert.deepEqual(after(face, 45_000, 30_000), { left: 25_000, periods: 2, period: true, delay: 0 });
  assert.deepEqual(after(face, 95_000, 30_000), { left: 5000, periods: 1, period: true, delay: 0 });
  assert.deepEqual(after(face, 999_000, 30_000), { left: 100, periods: 1, period: true, delay: 0 });
  assert.deepEqual(after({ left: 20_000, periods: 2, period: true }, 21_000, 30_000), { left: 29_000, periods: 1, period: true, delay: 0 });
});

test("time is written as clocks do", () => {
  assert.deepEqual(written(106_900), { text: "1:46", tenths: "" });
  assert.deepEqual(written(10_000), { text: "0:10", tenths: "" });
  assert.deepEqual(written(9490), { text: "0:09", tenths: ".4" });
  assert.deepEqual(written(3_725_000), { text: "1:02:05", tenths: "" });
  assert.deepEqual(written(187_200_000), { days: 2, hours: 4, text: "", tenths: "" });
});

test("little time stands out, by what the control gives", () => {
  assert.equal(low({ left: 19_000, periods: 0, period: false }, terms("5+3")), true);
  assert.equal(low({ left: 21_000, periods: 0, period: false }, terms("5+3")), false);
  assert.equal(low({ left: 16_000, periods: 0, period: false }, terms("1+2")), false);
  assert.equal(low({ left: 5000, periods: 3, period: false }, terms("10+3x30")), false, "periods follow");
  assert.equal(low({ left: 5000, periods: 3, period: true }, terms("10+3x30")), true);
});

test("a tick sounds at 20, at 10 and at each of the last five seconds", () => {
  assert.equal(tick(20_400, 19_900), 20);
  assert.equal(tick(19_900, 19_000), 0);
  assert.equal(tick(10_000, 9900), 10);
  assert.deepEqual([5, 4, 3, 2, 1].map((second) => tick(second * 1000 + 50, second * 1000 - 50)), [5, 4, 3, 2, 1]);
  assert.equal(tick(Infinity, 30_000), 0);
});
