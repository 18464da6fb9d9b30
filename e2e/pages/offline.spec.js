import { expect, moves, square, test } from "../fixtures.js";

/** Waits until the pages are kept. */
const kept = (page) => page.evaluate(() => navigator.serviceWorker.ready.then(() => true));

test("without network there is one's own board, with the computer, and the course", async ({ page, context }) => {
  await page.goto("/board");
  await expect(page.locator("#board .grab").first()).toBeAttached();
  await kept(page);
  await context.setOffline(true);
  await page.goto("/board");
  await page.locator("#who-white").selectOption("1");
  await square(page, "c8").click();
  await square(page, "c6").click();
  await expect.poll(async () => (await moves(page)).length).toBe(2);
  await page.locator("[data-act=analyse]").click();
  await expect(page.locator("#reader .num")).toHaveText(/depth \d+/);
  await page.goto("/learn");
  await expect(page.locator("#step-title")).toBeVisible();
  await square(page, "c8").click();
  await square(page, "c6").click();
  await expect(page.locator("#done")).not.toBeEmpty();
  await page.goto("/guide");
  await expect(page.locator("h1")).toBeVisible();
  await page.goto("/lobby"); // what needs a server leads to what does not
  await expect(page.locator("#who-white")).toBeVisible();
  await context.setOffline(false);
  await page.goto("/lobby");
  await expect(page).toHaveURL(/\/lobby$/);
  await expect(page.locator("#who-white")).toHaveCount(0);
});

test("the site can be installed", async ({ page }) => {
  await page.goto("/");
  const answer = await page.request.get(await page.locator("link[rel=manifest]").getAttribute("href"));
  const manifest = await answer.json();
  expect(answer.headers()["content-type"]).toBe("application/manifest+json");
  expect(manifest).toMatchObject({ start_url: "/", display: "standalone", name: "Lines of Action" });
  for (const { src, type, sizes } of manifest.icons) {
    const icon = await page.request.get(src);
    expect(icon.headers()["content-type"]).toBe(type);
    if (type === "image/png") expect((await icon.body()).readUInt32BE(16)).toBe(parseInt(sizes));
  }
});

test("nobody but who asks for it gets a copy of pages", async ({ page }) => {
  await page.goto("/");
  await page.goto("/learn");
  expect(await page.evaluate(() => navigator.serviceWorker.getRegistrations().then((all) => all.length))).toBe(0);
});
