import { begin, expect, move, square, test } from "../fixtures.js";
import { LIMIT, weights } from "../weight.js";

test("home, game and lobby stay within their weight", async ({ club }) => {
  for (const { page, bytes } of await weights(club.url)) expect(bytes, page).toBeLessThanOrEqual(LIMIT);
});

for (const [width, height] of [[1440, 900], [390, 844]]) {
  test.describe(`at ${width}×${height}`, () => {
    test.use({ viewport: { width, height } });

    test("nothing shifts", async ({ page }) => {
      await page.addInitScript(() => {
        window.shift = [];
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) window.shift.push(entry.value, ...entry.sources.map((source) => source.node?.className ?? ""));
        }).observe({ type: "layout-shift", buffered: true });
      });
      await page.goto("/");
      await expect(page.locator(".grab").first()).toBeAttached();
      await square(page, "c8").click();
      expect(await page.evaluate(() => window.shift)).toEqual([]);
      await begin(page);
      await move(page);
      await page.reload();
      await move(page);
      expect(await page.evaluate(() => window.shift)).toEqual([]);
    });
  });
}
