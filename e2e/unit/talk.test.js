import assert from "node:assert/strict";
import { test } from "node:test";
import { heard, unread } from "../../internal/web/static/talk.js";

const remark = (n, mine = false) => ({ n, name: "Marit", at: 0, text: `text ${n}`, mine });
const message = (change) => ({ v: 2, type: "talk", match: "m", room: "players", remarks: [], ...change });
const numbers = (remarks) => remarks.map(({ n }) => n);

test("the whole of a room takes the place of what was there", () => {
  assert.deepEqual(numbers(heard([remark(1), remark(2)], message({ whole: true, remarks: [remark(2)] }))), [2]);
  assert.deepEqual(heard([remark(1)], message({ whole: true })), []);
});

test("what is new is added, and nothing is heard twice", () => {
  const before = [remark(1), remark(3)];
  assert.deepEqual(numbers(heard(before, message({ remarks: [remark(3), remark(4), remark(6)] }))), [1, 3, 4, 6]);
  assert.deepEqual(numbers(before), [1, 3], "the old list is untouched");
});

test("a page keeps the last hundred remarks of a room", () => {
  let remarks = [];
  for (let n = 1; n <= 250; n++) remarks = heard(remarks, message({ remarks: [remark(n)] }));
  assert.deepEqual([remarks.length, remarks[0].n, remarks.at(-1).n], [100, 151, 250]);
});

test("one's own remarks are never unread", () => {
  assert.equal(unread([remark(1), remark(2, true), remark(3)], 0), 2);
  assert.equal(unread([remark(1), remark(2, true), remark(3)], 1), 1);
  assert.equal(unread([remark(1)], 5), 0);
});
