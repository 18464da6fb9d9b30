import { audit } from "../audit.js";
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

test("without network the computer plays every rule set, whatever has been played before", async ({ page, context }) => {
  await page.goto("/board");
  await expect(page.locator("#board .grab").first()).toBeAttached();
  await kept(page);
  await context.setOffline(true);
  for (const rules of ["no-capture", "mini", "misere", "standard"]) {
    await page.goto(`/board?rules=${rules}`);
    await page.locator("#who-white").selectOption("9");
    await square(page, "b1").click();
    await square(page, "b3").click();
    await expect.poll(async () => (await moves(page)).length).toBe(2);
  }
});

test("without network there are puzzles, which are judged but not rated", async ({ page, context }) => {
  const solution = async (id) => {
    const all = await (await page.request.get("/puzzles/all")).json();
    return all.find((one) => one.id === id).solution.filter((_, ply) => ply % 2 === 0).map((move) => move.split(/[-x]/));
  };
  await page.goto("/puzzles/rq2chmt");
  const moves = await solution("rq2chmt");
  await page.getByRole("button", { name: "Language and look" }).click();
  await page.getByRole("button", { name: "Keep for offline use" }).click();
  await expect(page.locator("#offline")).toContainText("Kept.", { timeout: 20_000 });
  await page.keyboard.press("Escape");
  await context.setOffline(true);
  for (const [i, [from, to]] of moves.entries()) { // on a page that came while there was a network
    await square(page, from).click();
    await square(page, to).click();
    await expect(page.locator("#reader")).toContainText(i < moves.length - 1 ? "Right." : "Solved:");
  }
  await expect(page.locator("#reader")).toContainText("not rated");
  await page.getByRole("link", { name: "Next puzzle" }).click();
  await expect(page.locator(".sq.grab").first()).toBeAttached();
  await expect(page.locator("h1")).toContainText(/(Black|White) wins in \d moves?/);
  await expect(page.locator("main")).toContainText("No network.");
  await page.locator(".clue summary").click();
  await expect(page.locator("#clues li").first()).toBeVisible();
  await audit(page);
  await page.goto("/puzzles/rq2chmt"); // this very one, again
  await expect(page.locator("#goal")).toHaveText("White wins in 3 moves");
  await square(page, "d3").click();
  await square(page, "d5").click();
  await expect(page.locator("#reader .say.no")).toContainText("d3-d5");
  await expect(page.locator("rect.last")).toHaveCount(2); // the refutation
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("button", { name: "Solution" }).click();
  await expect(page.locator("#reader")).toContainText("The solution: d3×g6 d1-c2");
  await page.goto("/puzzles/daily");
  await expect(page.locator("#kind")).toHaveText("Puzzle of the day");
  await context.setOffline(false);
  await page.goto("/puzzles/rq2chmt");
  await expect(page.locator("#solved")).toHaveText("0/0"); // nothing of it was counted
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
  await page.goto("/puzzles/rq2chmt");
  expect(await page.evaluate(() => navigator.serviceWorker.getRegistrations().then((all) => all.length))).toBe(0);
});
