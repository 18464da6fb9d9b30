import { expect, moves, square, test } from "../fixtures.js";
import { challenge, connected, person, play } from "../people.js";

/** Makes an account by the form. */
async function join(page, name) {
  await page.goto("/join");
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Password").fill("a long enough password");
  await page.getByRole("button", { name: "Make the account" }).click();
  await expect(page.getByRole("link", { name, exact: true }).first()).toBeVisible();
}

test("two members find each other for a rated game and see what it made of their ratings", async ({ page, browser, club }) => {
  const other = await person(browser, club);
  await join(page, "Marit");
  await join(other, "Okonjo");
  await page.goto("/");
  await page.getByRole("button", { name: "Find an opponent" }).click();
  await other.goto("/lobby");
  await expect(other.getByLabel("Rated")).toBeChecked();
  await expect(other.locator("#seeks")).toContainText("Marit 1500?");
  await expect(other.locator("#seeks")).toContainText("Standard, rated");
  await other.getByRole("button", { name: "Join Marit" }).click();
  await Promise.all([page, other].map((one) => one.waitForURL(/\/game\//)));
  for (const one of [page, other]) await connected(one);
  await expect(page.locator(".top")).toContainText("Rated · Standard · 5+3");
  await expect(page.locator(".pl.g-o b")).toHaveText("Okonjo");
  await expect(page.locator(".pl.g-o [data-part=rating]")).toHaveText("1500?");
  const [black, white] = await page.locator(".pl.g-p[data-side=black]").count() ? [page, other] : [other, page];
  await play(black, white, "b1", "b3");
  await play(white, black, "a2", "c2");
  await black.locator("[data-act=undo]").click({ force: true }); // it says why, although it is disabled
  await expect(black.locator("#reader")).toContainText("In a rated game a move stands.");
  await black.locator("[data-act=resign]").click();
  await black.locator("#reader").getByRole("button", { name: "Resign" }).click();
  await expect(black.locator("main.end")).toBeAttached();
  for (const one of [page, other]) { // the piece that moved last stands where it stood
    await expect.poll(() => one.evaluate(() => document.getAnimations().length)).toBe(0);
    await expect(one.locator("#board g[data-color]")).toHaveCount(24);
  }
  await expect(black.locator(".pl.g-p [data-part=rating]")).toHaveText(/^now 1[34]\d\d, −\d+$/);
  await expect(white.locator(".pl.g-p [data-part=rating]")).toHaveText(/^now 1[56]\d\d, \+\d+$/);
  await other.context().close();
});

test("an account made in mid-game keeps the seat", async ({ page, browser, club }) => {
  const other = await person(browser, club);
  await challenge(page, other);
  await play(page, other, "b1", "b3");
  const tab = await page.context().newPage();
  await tab.goto("/join");
  await tab.getByLabel("Name").fill("Halfway");
  await tab.getByLabel("Password").fill("a long enough password");
  const keep = tab.getByRole("checkbox");
  if (await keep.count()) await keep.check();
  await tab.getByRole("button", { name: "Make the account" }).click();
  await expect(tab.getByRole("link", { name: "Halfway" }).first()).toBeVisible();
  await play(other, page, "a2", "c2");
  await page.reload();
  await play(page, other, "g8", "g6");
  expect(await moves(other)).toEqual(["b1-b3", "a2-c2", "g8-g6"]);
  await other.context().close();
});

test("the result is told to somebody who looks at a piece or was just refused something", async ({ page, browser, club }) => {
  for (const look of ["piece", "refusal"]) {
    const other = await person(browser, club);
    await challenge(page, other);
    await play(page, other, "b8", "b6");
    await play(other, page, "a7", "c7");
    if (look === "piece") await square(page, "d8").click();
    else await page.locator("[data-act=replay], [data-act=undo]").first().click({ force: true });
    await other.locator("[data-act=resign]").click();
    await other.locator("#reader").getByRole("button", { name: "Resign" }).click();
    await expect(page.locator("#reader")).toContainText("You win");
    await expect(page.locator("main")).toHaveClass(/end/);
    await other.context().close();
  }
});
