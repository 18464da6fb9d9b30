// Puzzles: solved and failed on the board, by hand, by keyboard and on a phone; the puzzle of the day; the streak.

import { readFile } from "node:fs/promises";
import { audit } from "../audit.js";
import { expect, square, test } from "../fixtures.js";

const THREE = "rq2chmt"; // White wins in three moves
const reader = (page) => page.locator("#reader");

/** The solver's moves of a puzzle of the program. */
async function solution(id) {
  const text = await readFile(new URL("../../internal/puzzle/standard.puzzles", import.meta.url), "utf8");
  const fields = text.split("\n").find((line) => line.startsWith(`${id} |`)).split(" | ");
  return fields[2].split(" ").filter((_, ply) => ply % 2 === 0).map((move) => move.split(/[-x]/));
}

const tap = async (page, [from, to]) => {
  await square(page, from).click();
  await square(page, to).click();
};

/** Walks from the square with the focus to another one by arrow keys, and presses Enter. */
async function walk(page, name) {
  const place = (which) => page.locator(".sq").evaluateAll((all, target) => all.findIndex((cell) => target ? cell.dataset.square === target : cell === document.activeElement), which);
  const [from, to] = [await place(""), await place(name)];
  const [rows, columns] = [Math.floor(to / 8) - Math.floor(from / 8), to % 8 - from % 8];
  for (let i = 0; i < Math.abs(rows); i++) await page.keyboard.press(rows > 0 ? "ArrowDown" : "ArrowUp");
  for (let i = 0; i < Math.abs(columns); i++) await page.keyboard.press(columns > 0 ? "ArrowRight" : "ArrowLeft");
  await expect(square(page, name)).toBeFocused();
  await page.keyboard.press("Enter");
}

/** Solves a puzzle with hands of some kind. */
async function solve(page, moves, hand) {
  for (const [i, move] of moves.entries()) {
    await hand(page, move);
    await expect(reader(page)).toContainText(i < moves.length - 1 ? "Right." : "Solved:");
  }
}

for (const options of [{ viewport: { width: 1280, height: 800 } }, { viewport: { width: 390, height: 844 }, hasTouch: true }]) {
  test.describe(`at ${options.viewport.width} px`, () => {
    test.use(options);
    test("a puzzle is solved move by move, rated once, and leads to another one", async ({ page }) => {
      await page.goto(`/puzzles/${THREE}`);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("White wins in 3 moves");
      expect(await page.locator(".sq").first().getAttribute("data-square")).toBe("h1"); // White is at the bottom
      await audit(page);
      await solve(page, await solution(THREE), tap);
      await expect(reader(page)).toContainText(/Your puzzle rating: \d+ \(\+\d+\)/);
      await expect(page.locator(".halo").first()).toBeAttached(); // the winning group lights up
      await audit(page);
      await page.getByRole("button", { name: "Try again" }).click();
      await solve(page, await solution(THREE), tap);
      await expect(reader(page)).not.toContainText("rating");
      await page.getByRole("link", { name: "Next puzzle" }).click();
      await expect(page).toHaveURL(/\/puzzles\/(?!rq2chmt)[a-z2-7]{7}$/);
    });
  });
}

test("a failed try is refuted on the board, and then the puzzle can be tried again", async ({ page }) => {
  await page.goto(`/puzzles/${THREE}`);
  const before = Number((await page.locator("#rating").textContent()).replace("?", ""));
  await tap(page, ["d3", "d5"]);
  await expect(reader(page).locator(".say.no")).toContainText("d3-d5");
  await expect(reader(page)).toContainText("(−"); // it costs points
  expect(Number(await page.locator("#rating").textContent())).toBeLessThan(before);
  await expect(page.locator("rect.last")).toHaveCount(2); // the answer
  expect(await page.locator(".sq.grab").count()).toBe(0);
  await audit(page);
  await page.getByRole("button", { name: "Try again" }).click();
  await solve(page, await solution(THREE), tap);
});

test("the solution is shown on the board for who gives up", async ({ page }) => {
  await page.goto(`/puzzles/${THREE}`);
  await page.getByRole("button", { name: "Solution" }).click();
  await expect(reader(page)).toContainText("The solution: d3×g6 d1-c2");
  await expect(page.locator(".halo").first()).toBeAttached({ timeout: 10_000 });
});

test("the puzzle of the day is found from the home page and counts days in a row", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("link", { name: "Puzzle of the day" }).click();
  await expect(page.locator("#streak")).toHaveText("0");
  const { id } = JSON.parse(await page.locator("#puzzle").textContent());
  await solve(page, await solution(id), tap);
  await expect(page.locator("#streak")).toHaveText("1");
  await page.reload();
  await expect(page.locator("#streak")).toHaveText("1");
  await page.getByRole("navigation", { name: "Main" }).first().getByRole("link", { name: "Puzzles" }).click();
  await expect(page).toHaveURL(/\/puzzles\/[a-z2-7]{7}$/);
});

test("a puzzle is solved by keyboard alone, and each step is announced", async ({ page }) => {
  await page.goto(`/puzzles/${THREE}`);
  await expect(page.locator(".sq[tabindex='0']")).toHaveCount(1);
  for (let i = 0; i < 30 && !await page.evaluate(() => document.activeElement?.matches(".sq")); i++) await page.keyboard.press("Tab");
  await expect(page.locator("#reader")).toHaveAttribute("aria-live", "polite");
  await solve(page, await solution(THREE), async (_, [from, to]) => {
    await walk(page, from);
    await expect(square(page, to)).toHaveAttribute("aria-label", /can land here|capture/);
    await walk(page, to);
  });
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Try again" })).toBeFocused();
});

for (const [locale, says] of [["en-US", "wins in 3 moves"], ["nl-NL", "wint in 3 zetten"], ["es-MX", "ganan en 3 jugadas"]]) {
  test.describe(locale, () => {
    test.use({ locale, viewport: { width: 320, height: 568 }, colorScheme: "dark" });
    test("a puzzle fits a small screen", async ({ page }) => {
      await page.goto(`/puzzles/${THREE}`);
      await expect(page.getByRole("heading", { level: 1 })).toContainText(says);
      await expect(page.locator("main")).not.toContainText("puzzles.");
      await tap(page, ["d3", "d5"]);
      await expect(reader(page).locator(".say.no")).toBeVisible();
      expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBeLessThanOrEqual(0);
      for (const button of await page.locator(".puz-acts .btn").all()) expect(await button.evaluate((one) => one.scrollWidth - one.clientWidth)).toBeLessThanOrEqual(0);
      await page.locator(".clue summary").click();
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight)); // nothing of the page's end lies under the bar
      await audit(page);
    });
  });
}

test("nothing shifts while a puzzle is played", async ({ page }) => {
  await page.addInitScript(() => {
    window.shift = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) window.shift.push(entry.value, ...entry.sources.map((source) => source.node?.className ?? ""));
    }).observe({ type: "layout-shift", buffered: true });
  });
  await page.goto(`/puzzles/${THREE}`);
  await solve(page, await solution(THREE), tap);
  expect(await page.evaluate(() => window.shift)).toEqual([]);
});
