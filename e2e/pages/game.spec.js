import { begin, expect, move, moves, settled, square, test } from "../fixtures.js";

test("a whole game against the computer, by tapping, and another one", async ({ page }) => {
  test.setTimeout(180_000);
  await begin(page);
  let count = 0;
  while (await move(page)) expect(++count).toBeLessThan(150);
  await expect(page.locator("#reader h2")).toHaveText(/^(You win|White wins|Draw)$/);
  await expect(page.locator("#reader")).toContainText(/is connected|Both sides|position came/);
  const reason = await page.locator("#reader p").first().innerText();
  if (reason.includes("is connected")) expect(await page.locator(".halo").count()).toBeGreaterThan(0);
  await expect(page.locator(".grab")).toHaveCount(0);

  const address = page.url();
  await page.getByRole("button", { name: "Swap colors" }).click();
  await expect(page).not.toHaveURL(address);
  await settled(page);
  await expect(page.locator("#board .sqs")).toHaveAttribute("aria-label", /White at the bottom/);
  expect((await moves(page)).length).toBe(1);
});

test("a move on the home page's board begins the game", async ({ page }) => {
  await page.goto("/");
  await square(page, "c8").click();
  await expect(page.locator("#reader .cnt")).toContainText("2 on the file");
  await expect(page.locator("#reader .cnt")).toContainText("6 on the rank");
  await expect(square(page, "a6")).toHaveAttribute("aria-label", "a6, white piece, capture, can land here, 2 steps");
  await square(page, "c6").click();
  await page.waitForURL(/\/game\//);
  await expect.poll(async () => (await moves(page))[0]).toBe("c8-c6");
  await page.goto("/");
  await page.getByRole("link", { name: "Continue your game" }).click();
  await expect.poll(async () => (await moves(page))[0]).toBe("c8-c6");
});

test("the home page's board follows the rules that are chosen", async ({ page }) => {
  await page.goto("/");
  await page.locator("[name=rules]").selectOption("mini-six");
  await expect(page.locator(".sq")).toHaveCount(36);
  await expect(square(page, "b6")).toHaveAttribute("aria-label", "b6, black piece");
  await page.locator("[name=rules]").selectOption({ label: "Random" });
  await expect(page.locator(".sq")).toHaveCount(64);
  const pieces = () => page.locator('.sq[aria-label$="piece"]').evaluateAll((all) => all.map((cell) => cell.ariaLabel));
  await expect(page.locator("[name=rules] option:checked")).toHaveAttribute("value", /seed=/);
  const shown = await pieces();
  await page.locator("#play [type=submit]").click();
  await page.waitForURL(/\/game\//);
  await settled(page);
  expect(await pieces()).toEqual(shown);
});

test("a refused direction says why, on the board and in words", async ({ page }) => {
  await page.goto("/");
  await square(page, "c8").click();
  await square(page, "h8").click(); // empty, but the line has six pieces
  await expect(page.locator("#reader")).toContainText("Right: 6 pieces on the line, so 6 squares. That is off the board.");
  await square(page, "c8").click();
  await square(page, "a4").click(); // an enemy piece: looked at
  await expect(page.locator("#reader")).toContainText("only to look at");
  await square(page, "a4").click();

  // At the start nothing is blocked; after a few moves something is.
  await begin(page);
  for (let tries = 0; tries < 40; tries++) {
    const found = await blockedPiece(page);
    if (found) {
      const box = await page.locator(".bx").first().boundingBox();
      await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
      await expect(page.locator(".bar2")).toHaveCount(1);
      await expect(page.locator("#reader .say.no")).toContainText(/stands (in the way|on)/);
      return;
    }
    if (!(await move(page))) await begin(page);
  }
  throw new Error("no line was ever blocked");
});

/** Selects an own piece with a refused line, if there is one. */
async function blockedPiece(page) {
  await settled(page);
  for (const name of await page.locator(".sq.grab").evaluateAll((all) => all.map((cell) => cell.dataset.square))) {
    await square(page, name).click();
    if (await page.locator(".bx").count()) return true;
    await square(page, name).click();
  }
  return false;
}

test("a piece can be dragged", async ({ page }) => {
  await begin(page);
  const from = await square(page, "b1").boundingBox(), to = await square(page, "b3").boundingBox();
  const middle = (box) => [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(...middle(from));
  await page.mouse.down();
  await page.mouse.move(middle(from)[0] + 3, middle(from)[1]);
  await page.mouse.move(...middle(to), { steps: 5 });
  await page.mouse.up();
  await expect.poll(async () => (await moves(page))[0]).toBe("b1-b3");
  await expect.poll(async () => (await moves(page)).length).toBe(2);

  const other = await square(page, "g1").boundingBox(), nowhere = await square(page, "d6").boundingBox();
  await page.mouse.move(...middle(other));
  await page.mouse.down();
  await page.mouse.move(...middle(nowhere), { steps: 5 });
  await page.mouse.up();
  await expect(square(page, "g1")).toHaveAttribute("aria-label", /black piece/); // no answer of White takes that one
  expect((await moves(page)).length).toBe(2);
});

test("stepping, flipping, groups, taking back, and resigning in two steps", async ({ page }) => {
  await begin(page);
  await move(page);
  await move(page);
  const played = await moves(page);
  expect(played.length).toBe(4);

  await page.getByRole("button", { name: "One move back" }).click();
  await expect(page.locator("#reader")).toContainText(`move 2 of 2, ${played[2].replace("x", "×")} by Black`);
  await expect(page.locator(".grab")).toHaveCount(0);
  await page.locator("#moves button").first().click();
  await expect(page.locator("#moves [aria-current]")).toHaveText(played[0]);
  await page.keyboard.press("ArrowLeft");
  await expect(square(page, "b8")).toHaveAttribute("aria-label", "b8, black piece");
  await page.keyboard.press("End");
  await page.getByRole("button", { name: "First position" }).click();
  await expect(page.locator("#reader")).toContainText("the start of the game");
  await page.getByRole("button", { name: "Back to the game" }).click();
  await expect(page.locator(".grab").first()).toBeAttached();

  await page.getByRole("button", { name: "Flip" }).click();
  await expect(page.locator(".sq").first()).toHaveAttribute("data-square", "h1");
  await page.getByRole("button", { name: "Flip" }).click();

  const groups = page.locator(".g-p [data-part=show]");
  await expect(groups).toContainText(/groups? left/);
  await groups.click();
  await expect(groups).toHaveAttribute("aria-pressed", "true");
  await expect(page.locator(".lk2").first()).toBeAttached();
  await page.getByRole("button", { name: "One move back" }).click();
  await expect(groups).toHaveAttribute("aria-pressed", "true");
  await expect(page.locator(".lk2").first()).toBeAttached();
  await page.getByRole("button", { name: "Last position" }).click();
  await groups.click();
  await expect(groups).toHaveAttribute("aria-pressed", "false");
  await expect(page.locator(".lk2")).toHaveCount(0);

  await page.getByRole("button", { name: "Take back" }).click();
  await expect.poll(async () => moves(page)).toEqual(played.slice(0, 2));
  await settled(page);

  await page.getByRole("button", { name: "Resign" }).click();
  await expect(page.locator("#reader")).toContainText("Resign this game?");
  await page.getByRole("button", { name: "Keep playing" }).click();
  await expect(page.locator("#reader")).not.toContainText("Resign this game?");
  await page.getByRole("button", { name: "Resign" }).click();
  await page.locator("#reader").getByRole("button", { name: "Resign" }).click();
  await expect(page.locator("#reader")).toContainText("White wins");
  await expect(page.locator("#reader")).toContainText("Black resigned.");
});

test("More tells the terms, and the private link opens the seat in another browser", async ({ page, browser, club }) => {
  await begin(page, { rules: "misere" });
  await page.getByRole("button", { name: "More" }).click();
  await expect(page.locator("#more")).toContainText("Whoever's pieces are connected loses");
  const link = await page.locator("#link").inputValue();
  const context = await browser.newContext({ baseURL: club.url });
  const other = await context.newPage();
  await other.goto(new URL(page.url()).pathname);
  await expect(other.locator("#reader")).toContainText("Black to move");
  await expect(other.locator(".grab")).toHaveCount(0);
  await other.goto(link);
  await other.getByRole("button", { name: "Take the seat" }).click();
  await settled(other);
  await square(other, "b1").click();
  await square(other, "b3").click();
  await expect.poll(async () => (await moves(page))[0]).toBe("b1-b3"); // the first browser sees it
  await context.close();
});
