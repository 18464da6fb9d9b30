import { begin, expect, move, moves, settled, square, test } from "../fixtures.js";

const focused = (page) => page.evaluate(() => document.activeElement?.getAttribute("data-square"));

/** Walks the focus over the board to a square with the arrow keys. */
async function walk(page, to) {
  for (let steps = 0; steps < 20; steps++) {
    const at = await focused(page);
    if (at === to) return;
    const files = to.charCodeAt(0) - at.charCodeAt(0), ranks = Number(to[1]) - Number(at[1]);
    await page.keyboard.press(files > 0 ? "ArrowRight" : files < 0 ? "ArrowLeft" : ranks > 0 ? "ArrowUp" : "ArrowDown");
  }
  throw new Error(`the arrow keys do not lead to ${to}`);
}

test("a game is begun and played with the keyboard alone", async ({ page }) => {
  await page.goto("/");
  await expect(page.locator(".grab").first()).toBeAttached();
  for (let tabs = 0; tabs < 30 && !(await focused(page)); tabs++) await page.keyboard.press("Tab");
  expect(await focused(page)).toBe("a1");
  await walk(page, "b1");
  await page.keyboard.press("Enter");
  await expect(square(page, "b1")).toHaveAttribute("aria-selected", "true");
  await walk(page, "b2");
  await expect(page.locator("#reader")).toContainText("It lands on b3");
  await walk(page, "b3");
  await page.keyboard.press("Space");
  await page.waitForURL(/\/game\//);
  await expect.poll(async () => (await moves(page)).length).toBe(2);
  await settled(page);

  for (let tabs = 0; tabs < 30 && !(await focused(page)); tabs++) await page.keyboard.press("Tab");
  await walk(page, "c1");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await expect(square(page, "c1")).not.toHaveAttribute("aria-selected");
  await page.keyboard.press("Enter");
  const target = await page.locator('.sq[aria-label*="can land here"]').first().getAttribute("data-square");
  await walk(page, target);
  await page.keyboard.press("Enter");
  await expect.poll(async () => (await moves(page)).length).toBe(4);
  await settled(page);
  expect(await focused(page)).toBe(target); // the focus stays where the piece went

  // Resigning, without a pointer.
  await page.getByRole("button", { name: "Resign" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Keep playing" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.locator("#reader")).not.toContainText("Resign this game?");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.locator("#reader")).toContainText("White wins");
});

test("the board has one tab stop", async ({ page }) => {
  await page.goto("/");
  await expect(page.locator(".grab").first()).toBeAttached();
  await expect(page.locator('.sq[tabindex="0"]')).toHaveCount(1);
});

test("letters tell the position, the groups, a piece's moves and the last move", async ({ page }) => {
  await begin(page, { level: 1 });
  await square(page, "c8").focus();
  const heard = page.locator("#board + [role=status]");
  await page.keyboard.press("p");
  await expect(heard).toHaveText(/^Black: b1, b8, c1.* White: a2, .*Black to move\.$/);
  await page.keyboard.press("g");
  await expect(heard).toContainText("Black: 2 groups left: ");
  await page.keyboard.press("m");
  await expect(heard).toHaveText(/^c8: .*c6/);
  await page.keyboard.press("l");
  await expect(heard).toHaveText("No move has been made.");
  await page.keyboard.press("h");
  await expect(heard).toContainText("G: the groups");
  await page.keyboard.press("Escape");
  await move(page);
  await page.keyboard.press("l");
  await expect(heard).toHaveText(/^White played /);
});
