// Motion that explains: a move ticks its count off along the line, a connection lights up piece by piece. Who prefers less of
// it sees the end at once. Sounds go with it, and are off by one tap.

import { begin, expect, moves, settled, square, test } from "../fixtures.js";

/** Stops all motion at its beginning, so that it can be looked at however slow the machine is. */
const frozen = (page) => page.addInitScript(() => {
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (...how) {
    const motion = animate.apply(this, how);
    motion.pause();
    return motion;
  };
});

const tap = async (page, from, to) => {
  await square(page, from).click();
  await square(page, to).click();
};

test("a move made by hand ticks its count off along the line while the piece passes", async ({ page }) => {
  await frozen(page);
  await page.goto("/learn");
  await page.locator("[data-step='1']").click();
  await tap(page, "b8", "h8"); // six pieces, six squares
  await expect(page.locator(".cn text")).toHaveText(["1", "2", "3", "4", "5", "6"]);
  const shown = () => page.locator("g:has(> .cn)").evaluateAll((all) => all.map((tick) => Number(getComputedStyle(tick).opacity)));
  expect(await shown()).toEqual([0, 0, 0, 0, 0, 0]);
  const at = (time) => page.evaluate((time) => document.getAnimations().forEach((motion) => motion.currentTime = time), time);
  await at(250);
  const early = (await shown()).filter((opacity) => opacity === 1).length;
  await at(600);
  const late = (await shown()).filter((opacity) => opacity === 1).length;
  expect(early).toBeGreaterThan(0);
  expect(late).toBeGreaterThan(early);
  await page.evaluate(() => document.getAnimations().forEach((motion) => motion.finish()));
  await expect(page.locator(".cn")).toHaveCount(0);
});

test("a connection lights up piece by piece, when the piece has come", async ({ page }) => {
  await page.goto("/learn");
  await page.locator("[data-step='4']").click();
  await tap(page, "d3", "d5");
  await expect(page.locator(".wave .halo").first()).toBeAttached();
  const delays = await page.locator(".wave > g:has(.halo)").evaluateAll((all) => all.map((lamp) => parseFloat(getComputedStyle(lamp).animationDelay)));
  expect(new Set(delays).size).toBeGreaterThan(1);
  expect(Math.min(...delays)).toBeGreaterThan(0.4);
});

test("nothing moves for who prefers less motion", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.addInitScript(() => {
    window.moved = 0;
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (...how) {
      window.moved++;
      return animate.apply(this, how);
    };
  });
  await page.goto("/learn");
  await tap(page, "c8", "c6");
  await expect(page.locator("#done")).toBeVisible();
  expect(await page.evaluate(() => window.moved)).toBe(0);
  await expect(page.locator(".cn")).toHaveCount(0);
});

test("moves sound until one tap mutes them, and that is remembered", async ({ page }) => {
  await page.addInitScript(() => {
    window.tones = 0;
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...when) {
      window.tones++;
      return start.apply(this, when);
    };
  });
  await begin(page);
  await tap(page, "b1", "b3");
  await expect.poll(() => page.evaluate(() => window.tones)).toBeGreaterThan(0);
  await settled(page);
  await page.getByRole("button", { name: "More" }).click();
  await page.getByLabel("Sound").uncheck();
  await page.keyboard.press("Escape");
  await page.reload();
  await settled(page);
  const count = (await moves(page)).length;
  await page.locator(".sq.grab").first().click();
  await page.locator('.sq[aria-label*="can land here"]').first().click();
  await expect.poll(async () => (await moves(page)).length).toBeGreaterThan(count);
  expect(await page.evaluate(() => window.tones)).toBe(0);
});
