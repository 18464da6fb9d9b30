import { audit } from "../audit.js";
import { begin, expect, move, test } from "../fixtures.js";
import { challenge, person, play } from "../people.js";

// A game that ends under the finger ignores taps for a moment, so a tap is tried until it counts.
const begun = (page) => expect(async () => {
  if (await button(page).getAttribute("aria-pressed") === "false") await button(page).click();
  expect(await button(page).getAttribute("aria-pressed")).toBe("true");
}).toPass();

const button = (page) => page.locator(".acts").getByRole("button", { name: "Analyse" });
const value = (page) => page.locator("#reader > .num");

/** A game of some moves, resigned. */
async function resigned(page) {
  await begin(page, { level: 1 });
  await move(page);
  await move(page);
  await page.locator("[data-act=resign]").click();
  await page.locator("#reader").getByRole("button", { name: "Resign" }).click();
  await expect(page.locator("main.end")).toBeAttached();
  await expect(button(page)).toHaveAttribute("aria-pressed", "false");
}

test("a finished game is analysed move by move in the browser", async ({ page }) => {
  const fetched = [];
  page.on("request", (request) => fetched.push(new URL(request.url()).pathname.split("/").pop()));
  await resigned(page);
  expect(fetched).not.toContain("loa.wasm");
  await begun(page);
  await expect(value(page)).toHaveText(/^Black [+−-]?\d+\.\d+ · best [a-h]\d[-×][a-h]\d · depth \d+$/);
  expect(fetched).toContain("loa.wasm");
  await expect(page.locator(".adv circle")).toHaveCount(2);
  await expect(page.locator("#reader .vh")).toHaveText(/depth \d+/); // said once
  const drawn = () => page.locator(".adv path").first().getAttribute("d");
  const last = await drawn();
  await page.locator("[data-step=prev]").click();
  await expect(page.locator("#reader")).toContainText("You are looking at move");
  await expect(value(page)).toHaveText(/depth/);
  await expect.poll(drawn).not.toBe(last);
  await page.keyboard.press("Home");
  await expect(page.locator("#reader")).toContainText("You are looking at the start");
  await audit(page);
  await button(page).click();
  await expect(page.locator(".adv circle")).toHaveCount(0);
  await expect(button(page)).toHaveAttribute("aria-pressed", "false");
  await expect.poll(() => page.workers().length).toBe(0);
});

/** A board of one's own that shows a game, analysed. */
async function analysed(page, query) {
  await page.goto(`/board?${new URLSearchParams(query)}`);
  await button(page).click();
}
const why = (page) => page.getByRole("region", { name: "Explanation" });

test("an analysis explains what the last move allowed, and names the moves after the best", async ({ page }) => {
  const moves = "c8-c6,h4-f2,g8-g6,h2-e2,b1-e4,a6-d3,c1-c3,a3-c5,e1-b4,a7-e3,f8xc5,a4-a1,d8-e7,a1xc3,e8xe3,a2-d2,b8-b6,h5-e5,f1-c1,a5-a4,g1-g3,a4xc6,c5xe5,c6xe4,c1xc3,h6xe3,b6xe3,e4-g4,e7-f6,d2-g2,f6-h6";
  await analysed(page, { rules: "standard", moves });
  await expect(why(page)).toContainText(/f6-h6 lets White win in \d moves\. \w\d[-×]\w\d would have prevented it\./);
  await expect(why(page)).toContainText(/Next best: \w\d[-×]\w\d/);
  await expect(value(page)).toHaveText(/White wins by force in \d moves · best d3×g6/);
  await audit(page);
  await page.setViewportSize({ width: 320, height: 568 });
  await audit(page);
});

test("an analysis tells the ways of each side, which connect nobody where connecting loses", async ({ page }) => {
  await analysed(page, { rules: "standard", position: "8/7o/6o1/4x3/1x3xo1/2x1xoxo/2x1oo2/8 b" });
  await expect(why(page)).toContainText(/White has \d+ ways? to connect with one move\./);
  await analysed(page, { rules: "misere", position: "8/8/3o4/8/2o1x3/8/8/x6x b" });
  await expect(why(page)).toContainText(/(Black|White) has \d+ ways? to win with one move\./);
  await expect(why(page)).not.toContainText("connect");
});

test("an onlooker analyses a game of others", async ({ page, browser, club }) => {
  const [black, white] = [await person(browser, club), await person(browser, club)];
  await challenge(black, white, { rules: "mini", control: "5+3" });
  await play(black, white, "b1", "b3");
  await play(white, black, "a3", "c1");
  await page.goto(black.url());
  await expect(button(page)).toHaveCount(0); // not while it is being played
  await black.locator("[data-act=resign]").click();
  await black.locator("#reader").getByRole("button", { name: "Resign" }).click();
  await begun(page);
  await expect(value(page)).toHaveText(/depth/);
  for (const one of [black, white]) await one.context().close();
});

test("the engine and its scripts weigh at most 900 kB", async ({ page }) => {
  const answers = [];
  page.on("response", (response) => answers.push(response));
  await resigned(page);
  const before = answers.length;
  await begun(page);
  await expect(value(page)).toHaveText(/depth/);
  let bytes = 0;
  for (const answer of answers.slice(before)) bytes += (await answer.request().sizes()).responseBodySize;
  expect(bytes).toBeGreaterThan(100_000);
  expect(bytes).toBeLessThanOrEqual(900_000);
});

test("the keyboard begins and ends an analysis", async ({ page }) => {
  await resigned(page);
  await button(page).focus();
  await expect(async () => {
    if (await button(page).getAttribute("aria-pressed") === "false") await page.keyboard.press("Enter");
    expect(await button(page).getAttribute("aria-pressed")).toBe("true");
  }).toPass();
  await expect(value(page)).toHaveText(/depth/);
  await page.keyboard.press("Enter");
  await expect(page.locator("main.end")).toBeAttached();
});

test("on a small telephone the analysis fits, and nothing shifts when it begins", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 568 });
  await resigned(page);
  const board = await page.locator("#board").boundingBox(), acts = await page.locator(".acts").boundingBox();
  await begun(page);
  await expect(value(page)).toHaveText(/depth/);
  await page.locator("[data-step=prev]").click();
  await expect(value(page)).toHaveText(/depth/);
  expect(await page.locator("#reader").evaluate((node) => node.scrollHeight - node.clientHeight)).toBeLessThanOrEqual(1);
  await page.locator("[data-step=next]").click();
  expect(await page.locator(".acts").boundingBox()).toEqual(acts);
  expect((await page.locator("#board").boundingBox()).width).toBe(board.width);
});

test("the policy lets the worker alone run WebAssembly", async ({ page, club }) => {
  await resigned(page);
  const allowed = async (address) => (await page.request.get(address)).headers()["content-security-policy"].includes("wasm-unsafe-eval");
  expect(await allowed(page.url())).toBe(false);
  const worker = page.waitForEvent("worker");
  await begun(page);
  const address = (await worker).url();
  expect(new URL(address).host).toBe(new URL(club.url).host);
  expect(await allowed(address)).toBe(true);
});
