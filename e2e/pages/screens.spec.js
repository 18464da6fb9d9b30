import { begin, expect, moves, settled, square, test } from "../fixtures.js";
import { challenge, person, play } from "../people.js";

const screens = { "320": [320, 568], "390": [390, 844], "768": [768, 1024], "landscape": [844, 390], "1024": [1024, 768], "1440": [1440, 900] };

for (const [name, [width, height]] of Object.entries(screens)) {
  test.describe(`on a screen of ${width}×${height}`, () => {
    test.use({ viewport: { width, height }, hasTouch: width < 900 });

    test(`nothing overflows and the game does not scroll (${name})`, async ({ page }) => {
      const extra = () => page.evaluate(() => [document.documentElement.scrollWidth - document.documentElement.clientWidth, document.documentElement.scrollHeight - innerHeight]);
      await page.goto("/");
      expect((await extra())[0]).toBeLessThanOrEqual(0);
      await begin(page);
      expect(await extra()).toEqual([0, 0]);
      await square(page, "b8").tap?.().catch(() => square(page, "b8").click());
      expect(await extra()).toEqual([0, 0]);
      const board = await page.locator("#board").boundingBox();
      expect(board.y).toBeGreaterThanOrEqual(0);
      expect(board.y + board.height).toBeLessThanOrEqual(height);
      expect(Math.abs(board.width - board.height)).toBeLessThan(1);
      for (const slot of await page.locator(".acts .btn").all()) {
        const box = await slot.boundingBox();
        expect(box.height).toBeGreaterThanOrEqual(44);
        expect(box.y + box.height).toBeLessThanOrEqual(height);
      }
    });

    test(`clocks and offers fit, and the places to meet do not overflow (${name})`, async ({ page, browser, club }) => {
      const extra = () => page.evaluate(() => [document.documentElement.scrollWidth - document.documentElement.clientWidth, document.documentElement.scrollHeight - innerHeight]);
      const other = await person(browser, club);
      for (const path of ["/lobby", "/watch", "/challenge"]) {
        await page.goto(path);
        expect((await extra())[0], path).toBeLessThanOrEqual(0);
      }
      await page.getByRole("button", { name: "Invite", exact: true }).click();
      await expect(page.locator(".qr")).toBeVisible();
      expect((await extra())[0], "/challenge/…").toBeLessThanOrEqual(0);
      await page.goto("/watch");
      await challenge(page, other);
      await play(page, other, "b1", "b3");
      await play(other, page, "a2", "c2");
      expect(await extra()).toEqual([0, 0]);
      const board = await page.locator("#board").boundingBox();
      for (const clock of await page.locator(".clk").all()) {
        const box = await clock.boundingBox();
        expect(box.x + box.width).toBeLessThanOrEqual(width);
        expect(box.y >= board.y + board.height - 1 || box.y + box.height <= board.y + 1 || box.x >= board.x + board.width - 1).toBe(true);
      }
      for (const row of await page.locator(".pl").all()) {
        const [words, clock] = [await row.locator(".row").evaluate((node) => Math.max(...[...node.children].filter((child) => child.checkVisibility()).map((child) => child.getBoundingClientRect().right))), await row.locator(".clk").boundingBox()];
        expect(words).toBeLessThanOrEqual(clock.x + 1);
      }
      await other.locator("[data-act=draw]").click();
      await expect(page.locator("#reader")).toContainText("offers a draw");
      const accept = await page.locator("#reader").getByRole("button", { name: "Accept" }).boundingBox();
      expect(accept.y + accept.height).toBeLessThanOrEqual((await page.locator("#reader").boundingBox()).y + (await page.locator("#reader").boundingBox()).height + 1);
      expect(await page.locator("#board").boundingBox()).toEqual(board);
      await other.context().close();
    });
  });
}

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("tapping plays, and the board does not move", async ({ page }) => {
    await begin(page);
    const before = await page.locator("#board").boundingBox();
    await square(page, "b1").tap();
    await expect(page.locator("#reader .cnt")).toContainText("2 on the file");
    await square(page, "b3").tap();
    await expect.poll(async () => (await moves(page)).length).toBe(2);
    await settled(page);
    await page.getByRole("button", { name: "Resign" }).tap();
    await page.locator("#reader").getByRole("button", { name: "Resign" }).tap();
    await expect(page.locator("#reader h2")).toBeVisible();
    expect(await page.locator("#board").boundingBox()).toEqual(before);
  });

  test("the main action is on the first screen", async ({ page }) => {
    await page.goto("/");
    const box = await page.locator("#meet [type=submit]").boundingBox();
    expect(box.y + box.height).toBeLessThanOrEqual(844);
  });
});
