// The club as people use it, from beginning to end: a newcomer, somebody who hears the board, somebody who reads Dutch
// large, a club evening, and a player in a train.

import { audit } from "../audit.js";
import { begin, expect, moves, settled, square, test } from "../fixtures.js";
import { challenge, person, play } from "../people.js";

const reader = (page) => page.locator("#reader");

/** Asks for help and returns the move that is told, as two squares. */
async function hint(page) {
  await page.getByRole("button", { name: "Help", exact: true }).click();
  await page.locator("#reader button").first().click();
  await expect(reader(page)).toContainText(/[a-h]\d[-×][a-h]\d looks best|wins/);
  return (await reader(page).textContent()).match(/([a-h]\d)[-×]([a-h]\d)/).slice(1);
}

test.describe("a newcomer on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("comes home, learns two steps, and wins a first game with help", async ({ page }) => {
    test.setTimeout(150_000);
    await page.goto("/");
    await page.getByRole("link", { name: "Learn it in two minutes." }).tap();
    for (const [from, to] of [["c8", "c6"], ["b8", "h8"]]) {
      await square(page, from).tap();
      await square(page, to).tap();
      await expect(page.locator("#done")).not.toBeEmpty();
      await page.locator("#next").tap();
    }
    await page.goto("/");
    await page.locator("[name=level]").fill("1");
    await page.getByRole("button", { name: "Play the computer" }).tap();
    await page.waitForURL(/\/game\//);
    for (let turn = 0; turn < 60; turn++) {
      await settled(page);
      if (await page.locator("main.end").count()) break;
      const count = (await moves(page)).length, [from, to] = await hint(page);
      await square(page, from).tap();
      await square(page, to).tap();
      await expect.poll(async () => (await moves(page)).length).toBeGreaterThan(count);
    }
    await expect(reader(page).getByRole("heading")).toHaveText("You win");
    await expect(reader(page)).toContainText("Black is connected");
    await audit(page);
  });
});

test("somebody who hears the board plays a game by what is said alone", async ({ page }) => {
  test.setTimeout(120_000);
  await begin(page, { level: 1, rules: "mini" });
  const heard = page.locator("#board + [role=status]");
  const ask = async (key) => {
    await page.keyboard.press(key);
    return heard.textContent();
  };
  await page.locator('.sq[tabindex="0"]').focus();
  for (let turn = 0; turn < 60; turn++) {
    await settled(page);
    if (await page.locator("main.end").count()) break;
    const count = (await moves(page)).length;
    const own = (await ask("p")).match(/Black: ([^.]+)\./)[1].split(", ");
    let chosen = null;
    for (const piece of own.reverse()) { // the first piece that says it can move
      await square(page, piece).focus();
      const said = (await ask("m")).replaceAll("\u00a0", "").match(/^[a-f]\d: ([a-f]\d.*)$/);
      if (!said) continue;
      chosen = said[1].split(",").map((one) => one.trim().slice(0, 2)).sort((a, b) => Math.abs(100.5 - a.charCodeAt(0)) - Math.abs(100.5 - b.charCodeAt(0)))[0];
      break;
    }
    expect(chosen, "no piece says that it can move").not.toBeNull();
    await page.keyboard.press("Enter");
    await square(page, chosen).focus();
    await expect(square(page, chosen)).toHaveAccessibleName(/can land here/);
    await page.keyboard.press("Enter");
    await expect.poll(async () => (await moves(page)).length).toBeGreaterThan(count);
  }
  await expect(reader(page)).toHaveAttribute("aria-live", "polite");
  if (await page.locator("main.end").count()) await expect(reader(page).getByRole("heading")).toHaveText(/wins|win|Draw/);
  expect(await ask("l")).toMatch(/played/);
});

test.describe("somebody who reads Dutch, twice as large", () => {
  test.use({ viewport: { width: 640, height: 450 }, deviceScaleFactor: 2, locale: "nl-NL" });

  test("finds everything in Dutch and nothing cut off", async ({ page }) => {
    for (const path of ["/", "/learn", "/guide", "/openings", "/lobby", "/puzzles/daily", "/board", "/watch", "/players", "/sign-in"]) {
      await page.goto(path);
      await expect(page.locator("html")).toHaveAttribute("lang", "nl");
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), path).toBeLessThanOrEqual(0);
      const cut = await page.locator("button:visible, a.btn:visible, h1:visible").evaluateAll((all) => all
        .filter((one) => one.clientWidth > 1 && one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflow !== "visible").map((one) => one.textContent));
      expect(cut, path).toEqual([]);
    }
  });
});

test("a club evening: four games, each watched by two of eight", async ({ browser, club }) => {
  test.setTimeout(120_000);
  const people = [];
  for (let i = 0; i < 8; i++) people.push(await person(browser, club, { viewport: { width: 800, height: 600 } }));
  for (let game = 0; game < 4; game++) await challenge(people[2 * game], people[2 * game + 1], { rules: "mini" });
  // everybody also watches the game of the next table, in a second tab
  const tabs = [];
  for (let i = 0; i < 8; i++) {
    const tab = await people[i].context().newPage();
    await tab.goto(people[(i + 2) % 8].url());
    tabs.push(tab);
  }
  const script = [["b1", "b3"], ["a3", "c1"], ["d1", "a4"]];
  for (const [ply, [from, to]] of script.entries()) {
    await Promise.all([0, 1, 2, 3].map((game) => ply % 2 === 0 ? play(people[2 * game], people[2 * game + 1], from, to) : play(people[2 * game + 1], people[2 * game], from, to)));
  }
  for (const [i, tab] of tabs.entries()) {
    await expect.poll(() => moves(tab)).toHaveLength(3);
    expect(await moves(tab)).toEqual(await moves(people[(i + 2) % 8]));
    await expect(tab.locator("#board .grab")).toHaveCount(0); // who watches moves nothing
  }
  await expect(people[0].locator("[data-part=watching] span")).toContainText("2");
  const games = [0, 2, 4, 6].map((i) => new URL(people[i].url()).pathname);
  await people[0].goto("/watch"); // where games of other tests may stand beside them
  for (const game of games) await expect(people[0].locator(`main a[href="${game}"]`).first()).toBeVisible();
  for (const one of people) await one.context().close();
});

test("a player whose connection drops again and again misses nothing and moves once", async ({ page, browser, club }) => {
  test.setTimeout(90_000);
  const other = await person(browser, club);
  let drop = () => {};
  await page.routeWebSocket(/\/game\/.*\/socket/, (ws) => {
    const server = ws.connectToServer();
    ws.onMessage((text) => server.send(text));
    server.onMessage((text) => ws.send(text));
    drop = () => {
      ws.close({ code: 4000 });
      server.close();
    };
  });
  await challenge(page, other, { rules: "mini" });
  const script = [["b1", "b3"], ["a3", "c1"], ["d1", "a4"], ["f2", "d2"]];
  for (const [ply, [from, to]] of script.entries()) {
    const [mover, waiter] = ply % 2 === 0 ? [page, other] : [other, page];
    drop();
    await square(mover, from).click();
    await square(mover, to).click();
    drop();
    for (const one of [mover, waiter]) await expect.poll(async () => (await moves(one)).length, { timeout: 20_000 }).toBe(ply + 1);
  }
  expect(await moves(page)).toEqual(await moves(other));
  await other.context().close();
});
