import assert from "node:assert/strict";
import { test } from "node:test";
import { speaker } from "../../internal/web/static/texts.js";

test("values are filled in and plurals chosen by the language", () => {
  const say = speaker({ plain: "to {{.Square}}", groups: { one: "{{.Count}} group", other: "{{.Count}} groups" } }, "en");
  assert.equal(say("plain", { Square: "c4" }), "to c4");
  assert.equal(say("groups", { Count: 1 }), "1 group");
  assert.equal(say("groups", { Count: 3 }), "3 groups");
});

test("a key without a text is a fault", () => {
  assert.throws(() => speaker({}, "en")("none"), /no text for the key none/);
});
