import { expect, moves, square, test } from "../fixtures.js";
import { connected, person, play } from "../people.js";

test("two strangers meet through the lobby and play", async ({ page, browser, club }) => {
  const other = await person(browser, club);
  await page.goto("/");
  await page.getByRole("button", { name: "Find an opponent" }).click();
  await expect(page.getByRole("button", { name: "Looking… stop" })).toBeVisible();
  await expect(page.locator("#wait")).toContainText("You look for Standard 5+3");
  await other.goto("/lobby");
  await expect(other.locator("#seeking")).toHaveText("1");
  await expect(other.locator("#wait")).toContainText("1 player waits for Standard 5+3");
  await other.getByRole("button", { name: "Find an opponent" }).click();
  await Promise.all([page, other].map((one) => one.waitForURL(/\/game\//)));
  expect(page.url()).toBe(other.url());
  for (const one of [page, other]) await connected(one);
  const [black, white] = await page.locator(".pl[data-side=black].g-p").count() ? [page, other] : [other, page];
  await play(black, white, "b1", "b3");
  await play(white, black, "a2", "c2");
  await expect(black.locator(".pl.g-p .clk.run")).toHaveCount(1);
  await expect(black.locator(".pl.g-p .clk")).toHaveText(/^4:5\d|5:00/);
  expect(await moves(white)).toEqual(["b1-b3", "a2-c2"]);
  await other.context().close();
});
