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
    const ids = [...document.querySelectorAll("[id]")].map((node) => node.id), twice = ids.filter((id, i) => ids.indexOf(id) < i);
    return [...twice.map((id) => `two nodes have the id ${id}`), ...result.violations.map((rule) => `${rule.id}: ${rule.help} — ${rule.nodes.map((node) => `${node.target.join(" ")} ${node.any.map((check) => check.message).join("; ")}`).slice(0, 3).join(" | ")}`)];
  });
  (where ? expect.soft : expect)(found, where).toEqual([]);
}

/**
 * What has too little contrast with some theme of the board. They are changed within the page, which saves loading it.
 * @param {string[]} boards
 * @returns {Promise<string[]>}
 */
export async function contrast(page, boards) {
  await bring(page);
  return page.evaluate(async (boards) => {
    const root = document.documentElement, before = root.dataset.board, found = [];
    for (const board of document.querySelector(".board") ? boards : [before]) {
      root.dataset.board = board;
      const { violations } = await window.axe.run(document, { runOnly: { type: "rule", values: ["color-contrast"] } });
      for (const { nodes } of violations) for (const node of nodes) found.push(`${board}: ${node.target.join(" ")} ${node.any.map((check) => check.message).join("; ")}`);
    }
    root.dataset.board = before;
    return found;
  }, boards);
}
