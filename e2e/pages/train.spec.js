// Training against the computer: hints, threats, playing on from any position, the ladder of levels.

import { audit } from "../audit.js";
import { begin, expect, move, moves, settled, square, test } from "../fixtures.js";
import { challenge, person } from "../people.js";

const reader = (page) => page.locator("#reader");
const help = (page) => page.getByRole("button", { name: "Help", exact: true });
const asked = async (page, name) => {
  await help(page).click();
  await reader(page).getByRole("button", { name }).click();
};

test("the best move is told and drawn on demand, and gone after a move", async ({ page }) => {
  await begin(page);
  await help(page).click();
  await audit(page);
  await page.keyboard.press("Enter"); // the first choice has the focus
  await expect(reader(page)).toContainText(/[a-h]\d[-×][a-h]\d looks best/);
  await expect(page.locator(".adv circle")).toHaveCount(2);
  const [, from, to] = (await reader(page).textContent()).match(/([a-h]\d)[-×]([a-h]\d) looks best/);
  await square(page, from).click();
  await square(page, to).click();
  await settled(page);
  await expect(page.locator(".adv circle")).toHaveCount(0);
});

test("threats are told and drawn on request", async ({ page }) => {
  await begin(page);
  await move(page);
  await asked(page, "Threats");
  await expect(reader(page)).toContainText(/White (threatens no quick win|connects next move|threatens to win)/);
  await audit(page);
});

test("what the last move allowed is told beside the best one there was", async ({ page }) => {
  await begin(page);
  await help(page).click();
  await expect(reader(page).getByRole("button", { name: "My last move" })).toBeDisabled();
  await page.keyboard.press("Escape");
  await move(page);
  await asked(page, "My last move");
  await expect(reader(page)).toContainText(/[a-h]\d[-×][a-h]\d (was the best|is as good|is playable|gave something|lets White|missed)/);
  await audit(page);
  await move(page);
  await expect(reader(page)).not.toContainText("as good as any");
});

test("one can play on from a position of a game that goes on, and of one that is over", async ({ page }) => {
  await begin(page, { level: 1 });
  await move(page);
  await move(page);
  const first = page.url(), made = await moves(page);
  await page.locator("[data-step=prev]").click();
  await reader(page).getByRole("button", { name: "Play on from here" }).click();
  await audit(page);
  await reader(page).getByLabel("Level of the computer").selectOption("2");
  await reader(page).getByRole("button", { name: "Begin" }).click();
  await expect(page).not.toHaveURL(first);
  await settled(page);
  expect((await moves(page)).slice(0, made.length - 1)).toEqual(made.slice(0, -1));
  await expect(page.locator(".pl.g-o")).toContainText("level 2");
  await page.goto(first);
  await page.locator("[data-act=resign]").click();
  await reader(page).getByRole("button", { name: "Resign" }).click();
  await expect(page.locator("main.end")).toBeAttached();
  await page.locator("[data-step=prev]").click();
  await reader(page).getByRole("button", { name: "Play on from here" }).click();
  await reader(page).getByRole("button", { name: "Begin" }).click();
  await expect(page).not.toHaveURL(first);
  await settled(page);
  await move(page);
});

test("after two games lost in a row the level below is suggested", async ({ page }) => {
  const lose = async () => {
    await settled(page);
    await page.locator("[data-act=resign]").click();
    await reader(page).getByRole("button", { name: "Resign" }).click();
    await expect(page.locator("main.end")).toBeAttached();
  };
  await begin(page, { level: 4 });
  await lose();
  await expect(reader(page).getByRole("button", { name: "Go back to level 3" })).toHaveCount(0);
  await reader(page).getByRole("button", { name: /again/i }).click();
  await lose();
  await audit(page);
  await reader(page).getByRole("button", { name: "Go back to level 3" }).click();
  await settled(page);
  await expect(page.locator(".pl.g-o")).toContainText("level 3");
  await page.goto("/");
  await expect(page.locator("#level")).toHaveValue("3");
});

test("between people there is no help", async ({ page, browser, club }) => {
  const other = await person(browser, club);
  await challenge(page, other);
  await expect(help(page)).toHaveCount(0);
  const answer = await page.request.post(`${page.url()}/hint`, { form: {} });
  expect(answer.status()).toBe(403);
  await other.context().close();
});
