import { begin, expect, move, square, test } from "../fixtures.js";
import { challenge, person, play } from "../people.js";
import { LIMIT, weights } from "../weight.js";

test("home, game, lobby and puzzle stay within their weight", async ({ club }) => {
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

    test("nothing shifts where people meet and play", async ({ page, browser, club }) => {
      await page.addInitScript(() => {
        window.shift = [];
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift.push(entry.value, ...entry.sources.map((source) => source.node?.className ?? ""));
        }).observe({ type: "layout-shift", buffered: true });
      });
      const still = async () => expect(await page.evaluate(() => window.shift)).toEqual([]);
      const other = await person(browser, club);
      await page.goto("/lobby"); // whoever comes gets an identity, and so a challenge of their own
      await page.request.post("/challenge", { form: { control: "5+3" } });
      await other.goto("/lobby?seek=1&control=3%2B2");
      await expect(page.locator("#seeks tr")).toHaveCount(1);
      await page.goto("/lobby");
      await expect(page.locator("#wait")).not.toBeEmpty();
      await still();
      await challenge(page, other);
      await play(page, other, "b1", "b3");
      await play(other, page, "a2", "c2");
      await other.locator("[data-act=draw]").click();
      await expect(page.locator("#reader")).toContainText("offers a draw");
      await still();
      await page.locator("#reader").getByRole("button", { name: "Accept" }).click();
      await expect(page.locator("#reader h2")).toBeVisible();
      await still();
      await other.context().close();
    });
  });
}

test("a page of which a part has come leaves room for the rest of the talk", async ({ page, browser, club }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const other = await person(browser, club);
  await page.goto("/lobby");
  await challenge(page, other);
  const place = () => page.locator("#speak").boundingBox();
  const whole = await place();
  expect(whole).not.toBeNull();
  for (const part of ["#say", "#phrases"]) {
    await page.locator(part).evaluate((form) => (form.style.display = "none"));
    expect(await place(), part).toEqual(whole);
  }
  await other.context().close();
});
