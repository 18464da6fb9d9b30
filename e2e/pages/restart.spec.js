import { begin, expect, move, moves, settled, square, test } from "../fixtures.js";
import { challenge, person, play } from "../people.js";

test("after kill -9 and a new start the page goes on by itself, and nothing is lost", async ({ page, club }) => {
  await begin(page);
  await move(page);
  await move(page);
  const before = await moves(page);
  const pieces = await page.locator(".sq").evaluateAll((all) => all.map((cell) => cell.ariaLabel));

  await club.kill();
  await expect(page.locator("#reader")).toContainText("Connection lost");
  await club.restart();
  await expect(page.locator("#reader")).not.toContainText("Connection lost");
  expect(await moves(page)).toEqual(before);
  expect(await page.locator(".sq").evaluateAll((all) => all.map((cell) => cell.ariaLabel))).toEqual(pieces);
  await move(page);
  expect((await moves(page)).slice(0, 4)).toEqual(before);
});

test("a lost connection is told beside whatever else is told, and the clocks show it", async ({ page, browser, club }) => {
  const reader = page.locator("#reader"), other = await person(browser, club);
  await challenge(page, other);
  await play(page, other, "b1", "b3");
  await play(other, page, "a2", "c2");
  await club.kill();
  await expect(reader).toContainText("Connection lost, trying again.");
  await expect(page.locator(".cut .clk")).toHaveCount(2);
  await expect(page.locator(".clk").first()).toHaveCSS("outline-style", "dashed");
  await square(page, "c1").click();
  await expect(reader).toContainText(/Connection lost\. .+/);
  await square(page, "c1").click();
  await page.locator("[data-step=prev]").click();
  await expect(reader).toContainText(/Connection lost\. .*move 1 of 1/);
  await page.locator("[data-step=next]").click();
  await page.locator("[data-act=resign]").click();
  await expect(reader).toContainText(/Connection lost\. .+/);
  await expect(reader.locator("button")).toHaveCount(2);
  await club.restart();
  await expect(reader).not.toContainText("Connection lost");
  await expect(page.locator(".cut")).toHaveCount(0);
  await other.context().close();
});

test("a move made while the server is away is sent when it is back, once", async ({ page, club }) => {
  await begin(page);
  await club.kill();
  await expect(page.locator("#reader")).toContainText("Connection lost");
  await square(page, "b1").click();
  await square(page, "b3").click();
  await expect(page.locator("#reader")).toContainText("Your move is kept");
  await club.restart();
  await expect.poll(async () => (await moves(page))[0]).toBe("b1-b3");
  await settled(page);
  expect((await moves(page)).length).toBe(2);
});

test("killed while the computer thinks, the computer still answers after the start", async ({ page, club }) => {
  await begin(page, { level: 10 });
  await square(page, "b1").click();
  await square(page, "b3").click();
  await expect.poll(async () => (await moves(page)).length).toBeGreaterThan(0);
  await club.kill();
  await club.restart();
  await expect.poll(async () => (await moves(page)).length, { timeout: 30_000 }).toBe(2);
  await settled(page);
});
