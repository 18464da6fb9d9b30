import { begin, between, expect, move, moves, settled, square, test } from "../fixtures.js";
import { challenge, person, play } from "../people.js";

const screens = [[390, 844], [768, 1024], [390, 664], [375, 667], [360, 640], [360, 592], [320, 568], [667, 375], [844, 390], [1024, 768], [1280, 800], [1440, 900]];

/** What of the reader cannot be seen, what of the page must be scrolled to, and what is too small for a finger. */
const hidden = () => {
  const reader = document.getElementById("reader"), box = reader.getBoundingClientRect(), out = [];
  for (const node of reader.querySelectorAll("p, h2, .btn")) {
    const { top, right, bottom, height } = node.getBoundingClientRect();
    if (height && (top < box.top - 0.5 || bottom > box.bottom + 0.5 || right > box.right + 0.5)) out.push(`${node.tagName} ${node.textContent}`);
  }
  for (const node of document.querySelectorAll(".clk")) {
    const { left, right, height } = node.getBoundingClientRect();
    if (right > innerWidth || height && node.scrollWidth > node.clientWidth) out.push(`clock ${node.textContent}`);
    for (const part of node.parentElement.querySelectorAll(".row *, .nm *")) {
      if (part.getBoundingClientRect().right > left && height) out.push(`${part.textContent} under the clock`);
    }
  }
  for (const node of document.querySelectorAll(".btn")) {
    const { width, height } = node.getBoundingClientRect();
    if (width && Math.min(width, height) < 43.9) out.push(`small: ${node.textContent} ${width}×${height}`);
  }
  const { scrollWidth, scrollHeight } = document.documentElement;
  return scrollWidth > innerWidth || scrollHeight > innerHeight ? [...out, `page of ${scrollWidth}×${scrollHeight}`] : out;
};

/** Looks at a state of the page on every screen. */
const fitting = (page) => async (state) => {
  for (const [width, height] of screens) {
    await page.setViewportSize({ width, height });
    expect.soft(await page.evaluate(hidden), `${state} at ${width}×${height}`).toEqual([]);
  }
};

for (const locale of ["en-US", "nl-NL", "es-MX", "de-DE", "fr-FR", "zh-CN", "ja-JP"]) {
  test.describe(locale, () => {
    test.use({ locale });

    test("on every screen the reader shows all it says", async ({ page }) => {
      const line = await between(page), fits = fitting(page);
      await begin(page);
      await expect.poll(() => line.heard).toBe(1); // the snapshot
      await fits("the first sentence");
      await square(page, "b1").click();
      await fits("a selected piece");
      await page.locator("[data-act=resign]").click();
      await fits("the question");
      await page.keyboard.press("Escape");

      const snapshot = await page.evaluate(() => JSON.parse(document.getElementById("match").textContent));
      const [black, white] = ["black", "white"].map((side) => snapshot.position.groups[side].flat());
      const ply = { move: "d5xb3", board: snapshot.position.board, groups: [1, 2] };
      const position = { ...snapshot.position, groups: { black: [black], white: [white.slice(6), white.slice(0, 6)] } };
      line.say({ ...snapshot, type: "update", from: snapshot.seq, seq: snapshot.seq + 1, keep: 0, plies: Array(45).fill(ply), position, outcome: { winner: "black", reason: "connected" }, can: {} });
      await expect(page.locator("#reader h2")).toBeVisible();
      await fits("the result");
      await page.locator("[data-step=prev]").click();
      await fits("an earlier move");
    });

    // the longest texts and the widest letters; what the others say here is shorter
    if (!["fr-FR", "zh-CN"].includes(locale)) test("on every screen clocks and questions between people fit too", async ({ page, browser, club }) => {
      const line = await between(page), other = await person(browser, club), fits = fitting(page);
      const reader = page.locator("#reader"), answer = reader.locator("button").first();
      await challenge(page, other, { control: "10+3x30" });
      await expect(page.locator(".clk")).toHaveCount(2);
      await fits("the first sentence");
      await page.locator("[data-act=resign]").click();
      await fits("calling off");
      await answer.click();
      await play(page, other, "b1", "b3");
      await fits("waiting");
      await play(other, page, "a2", "c2");
      await page.locator("[data-act=draw]").click();
      await expect(answer).toBeVisible();
      await fits("my offer");
      await answer.click();
      await expect(answer).toHaveCount(0);
      await page.locator("[data-act=resign]").click();
      await fits("resigning");
      await answer.click();

      line.hold = true;
      const snapshot = await page.evaluate(() => JSON.parse(document.getElementById("match").textContent));
      const [black, white] = ["black", "white"].map((side) => snapshot.position.groups[side].flat());
      const ply = { move: "d5xb3", board: snapshot.position.board, groups: [1, 2] };
      const now = { ...snapshot, seq: snapshot.seq + 100, plies: Array(45).fill(ply), thinking: false, can: { move: true, resign: true } };
      const say = (changes) => line.say({ ...now, ...changes, seq: now.seq++ });
      for (const what of ["draw", "takeback"]) {
        say({ offers: { [what]: "white" } });
        await expect(reader.locator("button")).toHaveCount(2);
        await fits(`their offer: ${what}`);
      }
      say({ can: { resign: true, claimAfter: 1000 }, position: { ...snapshot.position, turn: "white" } });
      line.say({ v: 2, type: "presence", black: true, white: false, watching: 3, away: 3_600_000 });
      await expect(reader.locator("button")).toHaveCount(2);
      await fits("the claim");
      say({ can: { move: true, resign: true } });
      await expect(reader.locator("button")).toHaveCount(0);
      await page.locator("[data-act=more]").click();
      await page.locator("#confirm").check();
      await page.keyboard.press("Escape");
      await square(page, "b1").click();
      await square(page, "b3").click();
      await expect(reader.locator("button")).toHaveCount(2);
      await fits("a move to confirm");
      const position = { ...snapshot.position, groups: { black: [black], white: [white.slice(6), white.slice(0, 6)] } };
      const over = { position, outcome: { winner: "black", reason: "connected" }, can: { rematch: true } };
      for (const offers of [{}, { rematch: "black" }, { rematch: "white" }]) {
        say({ ...over, offers });
        await expect(reader.locator("h2")).toBeVisible();
        await fits(`the result, ${JSON.stringify(offers)}`);
      }
      await other.context().close();
    });
  });
}

for (const [width, height] of [[390, 664], [320, 568], [844, 390], [390, 844]]) {
  test(`moves can be stepped through at ${width}×${height}`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    await begin(page);
    await move(page);
    const played = (await moves(page)).map((text) => text.replace("x", "×"));
    const [back, on] = ["One move back", "One move on"].map((name) => page.getByRole("button", { name }));
    await back.click();
    await expect(page.locator("#reader")).toContainText(`move 1 of 1, ${played[0]} by Black`);
    await on.click();
    await settled(page);
    await page.getByRole("button", { name: "Resign" }).click();
    await page.locator("#reader").getByRole("button", { name: "Resign" }).click();
    await expect(page.locator("#reader h2")).toBeVisible();
    await back.click();
    await expect(page.locator("#reader")).toContainText(`move 1 of 1, ${played[0]} by Black`);
    await page.waitForTimeout(800); // the row of actions ignores taps for so long
    await page.getByRole("button", { name: "Replay" }).click();
    await expect(page.locator("#reader")).toContainText("the start of the game");
    await expect(page.locator("#reader")).toContainText(`move 1 of 1, ${played[0]} by Black`);
    await expect(page.locator("#reader h2")).toBeVisible();
  });
}

test("at 400 % zoom the page is one column that scrolls", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 256 });
  await begin(page);
  const board = await page.locator("#board").boundingBox();
  expect([board.x, board.width]).toEqual([0, 320]);
  await page.locator("[data-act=more]").scrollIntoViewIfNeeded();
  expect((await page.locator("[data-act=more]").boundingBox()).x).toBeGreaterThan(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
});

for (const [width, height] of [[1024, 768], [1280, 800], [1440, 900], [1920, 1080]]) {
  test(`the board takes all the height at ${width}×${height}`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    await begin(page);
    const board = await page.locator("#board").boundingBox();
    expect(height - board.y - board.height).toBeLessThanOrEqual(width === 1024 ? 44 : 24);
  });
}
