import assert from "node:assert/strict";
import test from "node:test";
import { climb } from "../../internal/web/static/ladder.js";

test("a win leads up, two losses in a row lead down, and neither beyond the ends", () => {
  assert.deepEqual(climb(null, 3, "won"), { level: 4, lost: 0 });
  assert.deepEqual(climb(null, 10, "won"), { level: 10, lost: 0 });
  const once = climb(null, 3, "lost");
  assert.deepEqual(once, { level: 3, lost: 1 });
  assert.deepEqual(climb(once, 3, "lost"), { level: 2, lost: 0 });
  assert.deepEqual(climb(once, 3, "drawn"), { level: 3, lost: 1 });
  assert.deepEqual(climb(once, 5, "lost"), { level: 5, lost: 1 });
  assert.deepEqual(climb({ level: 1, lost: 1 }, 1, "lost"), { level: 1, lost: 0 });
});
