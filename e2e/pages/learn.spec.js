// The course: every step is done on the board, and a wrong try is answered.

import { audit } from "../audit.js";
import { expect, square, test } from "../fixtures.js";

const tap = async (page, from, to) => {
  await square(page, from).click();
  await square(page, to).click();
};

const steps = [
  { wrong: ["b8", "b6"], right: ["c8", "c6"] },
  { right: ["b8", "h8"] },
  { wrong: ["a8", "a5"], right: ["f4", "f5"] },
  { wrong: ["c8", "c6"], right: ["f8", "h6"] },
  { wrong: ["c5", "c4"], right: ["d3", "d5"], lit: 1 },
  { wrong: ["h1", "e1"], right: ["h1", "h2"] },
  { right: ["c6", "e4"], lit: 2, says: ["Standard: Draw", "Classic: Black wins", "Misère: Draw"] },
  { right: ["g8", "e8"] },
  { right: ["f7", "h7"] },
  { wrong: ["g6", "f6"], right: ["h7", "h5"], lit: 1 },
];

for (const options of [{ viewport: { width: 1280, height: 800 } }, { viewport: { width: 390, height: 844 }, hasTouch: true }]) {
  test.describe(`at ${options.viewport.width} px`, () => {
    test.use(options);
    test("the course is played through, and leads to a first game", async ({ page }) => {
      await page.goto("/");
      await page.getByRole("link", { name: /New to the game|Learn it in two minutes/ }).last().click();
      await audit(page);
      for (const [i, { wrong, right, lit, says }] of steps.entries()) {
        const not = page.locator("#reader .say.no");
        if (wrong) {
          await tap(page, ...wrong);
          await expect(not).toBeVisible();
          await expect(page.locator("#done")).toBeHidden();
        }
        await tap(page, ...right);
        await expect(page.locator("#done")).toBeVisible();
        if (lit) await expect.poll(() => page.locator("#board .halo").count()).toBeGreaterThan(lit);
        for (const text of says ?? []) await expect(page.locator("#done")).toContainText(text);
        await expect(page.locator(`[data-step="${i}"]`)).toHaveClass(/done/);
        if (i < steps.length - 1) await page.getByRole("button", { name: "Next step" }).click();
      }
      await audit(page);
      await page.reload(); // what was done is remembered
      await expect(page.locator(".dotb.done")).toHaveCount(steps.length);
      await page.locator(`[data-step="${steps.length - 1}"]`).click();
      await tap(page, ...steps.at(-1).right);
      await page.getByRole("button", { name: "Play a first game" }).click();
      await page.waitForURL(/\/game\//);
    });
  });
}

test("a wrong try stays on the board with the reason drawn on it, until the board is touched", async ({ page }) => {
  await page.goto("/learn");
  await page.locator("[data-step='4']").click();
  await tap(page, "c5", "c4");
  await expect(page.locator("#reader .say.no")).toContainText("more than one group");
  await expect(page.locator(".adv .look path").first()).toBeAttached(); // the move that was tried
  await expect(page.locator(".lk2")).toHaveCount(2); // what is still apart
  await expect(square(page, "c4")).toHaveAttribute("aria-label", /black piece/);
  await square(page, "d3").click();
  await expect(square(page, "c5")).toHaveAttribute("aria-label", /black piece/);
  await expect(page.locator(".adv .look, .lk2")).toHaveCount(0);
  await square(page, "d5").click();
  await expect(page.locator("#done")).toBeVisible();
  await page.locator("[data-step='5']").click();
  await tap(page, "h1", "e1"); // leaves White a single piece, which lights up
  await expect(page.locator(".halo")).toHaveCount(1);
  await page.keyboard.press("Escape");
  await expect(square(page, "h1")).toHaveAttribute("aria-label", /black piece/);
});

test("the page about the game tells the rules of this site, answers questions and knows history", async ({ page }) => {
  await page.goto("/learn");
  await page.getByRole("link", { name: "About the game" }).click();
  await expect(page.locator("#rules dl div")).toHaveCount(6);
  await expect(page.locator("#questions dt")).toHaveCount(9);
  await expect(page.locator("#history p")).toHaveCount(4);
  await audit(page);
  await page.getByRole("link", { name: "Where players disagree" }).click();
  await expect(page.locator("#disputes article").first().locator("li")).toHaveCount(2);
  await expect(page.locator("#disputes")).toContainText("Here: Classic, OpenSpiel");
});

test("the course is done with the keyboard alone", async ({ page }) => {
  await page.goto("/learn");
  await square(page, "c8").focus();
  await page.keyboard.press("Enter");
  await square(page, "c6").focus();
  await page.keyboard.press("Enter");
  await expect(page.locator("#done")).toContainText("so two squares");
});

for (const locale of ["en-US", "nl-NL", "es-MX"]) {
  test.describe(locale, () => {
    test.use({ locale, viewport: { width: 320, height: 700 } });
    test("the guide is whole, and fits a small screen", async ({ page }) => {
      await page.goto("/guide");
      await expect(page.locator("#rules li")).toHaveCount(8);
      await expect(page.locator("#sets article")).toHaveCount(8);
      await expect(page.locator("main")).not.toContainText("guide.");
      expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBeLessThanOrEqual(0);
      await page.setViewportSize({ width: 1280, height: 6500 });
      await audit(page);
    });
  });
}

test("the openings lead from move to move to one's own board", async ({ page }) => {
  await page.goto("/guide");
  await page.getByRole("link", { name: "Openings" }).click();
  const best = page.locator(".opening .line").first(), move = await best.locator("b").textContent();
  await audit(page);
  await best.click();
  await expect(page.getByRole("navigation", { name: "Moves" }).getByRole("link", { name: move })).toHaveAttribute("aria-current", "page");
  await expect(page.getByRole("heading", { name: "White to move." })).toBeVisible();
  await page.getByRole("link", { name: "Open on your own board" }).click();
  await expect(page.locator("#moves button")).toHaveText([move]);
});
