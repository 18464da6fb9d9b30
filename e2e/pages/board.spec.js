import { audit } from "../audit.js";
import { expect, moves, square, test } from "../fixtures.js";

/** Opens one's own board and waits until the rules are there. */
async function open(page, query = "") {
  await page.goto(`/board${query}`);
  await expect(page.locator("#board .grab").first()).toBeAttached();
  await expect(page).toHaveURL(/rules=/);
}

/** Moves a piece by tapping. */
async function go(page, from, to) {
  await square(page, from).click();
  await square(page, to).click();
}

test("two people play at one screen, take back, and step through the game", async ({ page }) => {
  await open(page);
  await go(page, "c8", "c6");
  await expect(page.locator("#reader")).toContainText("White to move");
  await go(page, "a6", "c4");
  await expect.poll(() => moves(page)).toEqual(["c8-c6", "a6-c4"]);
  await page.locator("[data-act=undo]").click();
  await expect.poll(() => moves(page)).toEqual(["c8-c6"]);
  await page.locator("[data-step=first]").click();
  await go(page, "b8", "b6"); // another way from an earlier position
  await expect.poll(() => moves(page)).toEqual(["b8-b6"]);
  await audit(page);
});

test("the address shows the game to whoever opens it, and a visit later it is still there", async ({ page, context }) => {
  await open(page);
  await go(page, "c8", "c6");
  await expect(page).toHaveURL(/moves=c8-c6/);
  const other = await context.newPage();
  await other.goto(page.url());
  await expect.poll(() => moves(other)).toEqual(["c8-c6"]);
  await other.goto("/board");
  await expect.poll(() => moves(other)).toEqual(["c8-c6"]);
});

test("the computer answers in the browser", async ({ page }) => {
  await open(page);
  await page.locator("#who-white").selectOption("1");
  await go(page, "c8", "c6");
  await expect.poll(async () => (await moves(page)).length).toBe(2);
  await expect(page.locator("#reader")).toContainText("Black to move");
  await page.locator("[data-act=undo]").click(); // both moves, so that a person is to move
  await expect.poll(async () => (await moves(page)).length).toBe(0);
});

test.describe("without a copy for later, which has every net", () => {
  test.use({ serviceWorkers: "block" });

  test("a game with a net of its own fetches that when the computer first thinks", async ({ page }) => {
    const fetched = [];
    page.on("request", (request) => fetched.push(new URL(request.url()).pathname.split("/").pop()));
    await open(page, "?rules=mini");
    await go(page, "b6", "b4");
    expect(fetched).not.toContain("six.net");
    await page.locator("[data-step=first]").click();
    await page.locator("#who-white").selectOption("3");
    await go(page, "c6", "c4");
    await expect.poll(async () => (await moves(page)).length).toBe(2);
    expect(fetched.filter((name) => name.endsWith(".net"))).toEqual(["six.net"]);
  });
});

test("a position is set up, refused with the reason, played to its end", async ({ page }) => {
  await open(page);
  await page.locator("[data-act=setup]").click();
  const done = page.locator("[data-set=done]");
  await page.locator("[data-set=clear]").click();
  await expect(page.locator("#fault")).toHaveText("Black has no pieces.");
  await expect(done).toHaveAttribute("aria-disabled", "true");
  for (const name of ["d6", "c5", "e5", "d3"]) await square(page, name).click();
  await expect(page.locator("#fault")).toHaveText("White has no pieces.");
  await page.locator("#setting label:has([name=piece][value=white])").click();
  for (const name of ["a1", "g1"]) await square(page, name).click();
  await audit(page);
  await done.click();
  await expect(page).toHaveURL(/position=8%2F8%2F3x4/);
  await go(page, "d3", "d5");
  await expect(page.locator("#reader h2")).toHaveText("Black wins");
  await expect(page.locator("#reader")).toContainText("4 pieces touch in one group");
  await page.locator("[data-act=setup]").click();
  await page.locator("#setting label:has([name=piece][value=none])").click();
  await square(page, "d6").click();
  await expect(square(page, "d6")).toHaveAccessibleName(/empty/);
});

test("other rules, and white to begin", async ({ page }) => {
  await open(page, `?rules=mini&position=${encodeURIComponent("1xxxx1/o4o/o4o/o4o/o4o/1xxxx1 w")}`);
  await go(page, "a5", "c5");
  await expect(page.locator("#moves li").first()).toHaveText("1…a5-c5");
  await page.locator("[data-act=analyse]").click();
  await expect(page.locator("#reader .num")).toHaveText(/depth \d+/);
  await page.locator("[data-act=more]").click();
  await page.locator("#new select").selectOption("scrambled");
  await page.locator("#new").getByRole("button").click();
  await expect(page).toHaveURL(/rules=scrambled/);
  await expect(square(page, "b8")).toHaveAccessibleName(/black piece/);
  await expect(square(page, "c8")).toHaveAccessibleName(/white piece/);
});

test("a game begun here is kept on the server and goes on there", async ({ page }) => {
  await open(page);
  await page.locator("#who-white").selectOption("1");
  await go(page, "c8", "c6");
  await expect.poll(async () => (await moves(page)).length).toBe(2);
  await page.locator("[data-act=more]").click();
  await page.locator("#keep").getByRole("button").click();
  await page.waitForURL(/\/game\//);
  await expect.poll(async () => (await moves(page)).length).toBe(2);
  await expect(page.locator("#board .grab").first()).toBeAttached();
});

test("everything is done by keyboard alone", async ({ page }) => {
  await open(page);
  await page.locator("[data-act=setup]").focus();
  await page.keyboard.press("Enter");
  await page.locator("[data-set=clear]").focus();
  await page.keyboard.press("Enter");
  await square(page, "a1").focus();
  await page.keyboard.press("Enter");
  await expect(square(page, "a1")).toHaveAccessibleName(/black piece/);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Space");
  await expect(square(page, "b1")).toHaveAccessibleName(/black piece/);
  await page.keyboard.press("Enter");
  await expect(square(page, "b1")).toHaveAccessibleName(/empty/);
});

for (const [name, width, height] of [["telephone", 390, 844], ["small telephone", 320, 640], ["telephone on its side", 740, 360]]) {
  test(`on a ${name} the board fits and nothing moves`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    await open(page);
    const before = await page.locator("#board").boundingBox();
    await page.locator("[data-act=setup]").click();
    await page.locator("[data-set=clear]").click();
    expect(await page.locator("#board").boundingBox()).toEqual(before);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    await expect(page.locator("[data-set=done]")).toBeInViewport();
  });
}
