import { begin, expect, moves, settled, square, test } from "../fixtures.js";

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
    const box = await page.locator("#play [type=submit]").boundingBox();
    expect(box.y + box.height).toBeLessThanOrEqual(844);
  });
});
