// The accessibility audit that pages must pass.

import { createRequire } from "node:module";
import { readFile } from "node:fs/promises";
import { expect } from "@playwright/test";

const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** Runs the accessibility audit and lists what is wrong. */
export async function audit(page) {
  // The policy forbids foreign scripts in the page, so the audit comes in through the debugger.
  await page.evaluate(await readFile(axe, "utf8"));
  const found = await page.evaluate(async () => {
    const result = await window.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] });
    return result.violations.map((rule) => `${rule.id}: ${rule.help} — ${rule.nodes.map((node) => `${node.target.join(" ")} ${node.any.map((check) => check.message).join("; ")}`).slice(0, 3).join(" | ")}`);
  });
  expect(found).toEqual([]);
}
