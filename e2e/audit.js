// The accessibility audit that pages must pass.

import { createRequire } from "node:module";
import { readFile } from "node:fs/promises";
import { expect } from "@playwright/test";

const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** Brings the audit into the page through the debugger, for the policy forbids foreign scripts in it. */
const bring = async (page) => page.evaluate(await readFile(axe, "utf8"));

/** Runs the accessibility audit and lists what is wrong. @param {string} [where] what is looked at, when the test goes on to look at more */
export async function audit(page, where) {
  await bring(page);
  const found = await page.evaluate(async () => {
    const result = await window.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] });
    return result.violations.map((rule) => `${rule.id}: ${rule.help} — ${rule.nodes.map((node) => `${node.target.join(" ")} ${node.any.map((check) => check.message).join("; ")}`).slice(0, 3).join(" | ")}`);
  });
  (where ? expect.soft : expect)(found, where).toEqual([]);
}

/**
 * What has too little contrast in some theme of page and board. They are switched within the page, which saves loading it.
 * @param {string[]} themes
 * @param {string[]} boards
 * @returns {Promise<string[]>}
 */
export async function contrast(page, themes, boards) {
  await bring(page);
  return page.evaluate(async ([themes, boards]) => {
    const root = document.documentElement, before = { ...root.dataset }, found = [];
    for (const [i, theme] of themes.entries()) {
      for (const [j, board] of boards.entries()) {
        if (i > 0 && j > 0 && !document.querySelector(".board")) continue; // only boards differ
        Object.assign(root.dataset, { theme, board });
        document.body.hidden = true; // colors that follow a scheme are else worked out anew too late
        document.body.getBoundingClientRect();
        document.body.hidden = false;
        const { violations } = await window.axe.run(document, { runOnly: { type: "rule", values: ["color-contrast"] } });
        for (const { nodes } of violations) for (const node of nodes) found.push(`${theme}, ${board}: ${node.target.join(" ")} ${node.any.map((check) => check.message).join("; ")}`);
      }
    }
    Object.assign(root.dataset, before);
    return found;
  }, [themes, boards]);
}
