import { createServer } from "node:http";
import { setTimeout } from "node:timers/promises";
import { begin, expect, move, square, test } from "../fixtures.js";
import { challenge, person, play } from "../people.js";
import { LIMIT, weights } from "../weight.js";

test("home, game, lobby and puzzle stay within their weight", async ({ club }) => {
  for (const { page, bytes } of await weights(club.url)) expect(bytes, page).toBeLessThanOrEqual(LIMIT);
});

/** Notes in a page what moved, and by how much: unless allowed, also after a touch. */
const observe = (page, touched = false) => page.addInitScript((touched) => {
  window.shift = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (!(touched && entry.hadRecentInput)) window.shift.push(entry.value, ...entry.sources.map(({ node }) => node?.outerHTML?.slice(0, 80) ?? node?.textContent ?? ""));
    }
  }).observe({ type: "layout-shift", buffered: true });
}, touched);

const still = async (page) => expect(await page.evaluate(() => window.shift)).toEqual([]);

/** A way to the club on which a page comes drop by drop, as on a slow line. */
async function slowly(club) {
  const server = createServer(async (asked, answer) => {
    const got = await fetch(club.url + asked.url, { headers: { cookie: asked.headers.cookie ?? "" } });
    const type = got.headers.get("content-type") ?? "", text = Buffer.from(await got.arrayBuffer());
    answer.writeHead(got.status, { "content-type": type });
    if (type.startsWith("text/html")) {
      for (const piece of text.toString().split(/(?<=<\/svg>|<\/button>|<\/a>|<\/h1>)/)) {
        answer.write(piece);
        await setTimeout(10);
      }
      answer.end();
    } else answer.end(text);
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => new Promise((closed) => server.close(closed)) };
}

for (const [width, height] of [[1440, 900], [390, 844]]) {
  test.describe(`at ${width}×${height}`, () => {
    test.use({ viewport: { width, height } });

    test("nothing shifts", async ({ page }) => {
      await observe(page);
      await page.goto("/");
      await expect(page.locator(".grab").first()).toBeAttached();
      await square(page, "c8").click();
      await still(page);
      await begin(page);
      await move(page);
      await page.reload();
      await move(page);
      await still(page);
    });

    test("nothing shifts where people meet and play", async ({ page, browser, club }) => {
      await observe(page, true);
      const other = await person(browser, club);
      await page.goto("/lobby"); // whoever comes gets an identity, and so a challenge of their own
      await page.request.post("/challenge", { form: { control: "5+3" } });
      await other.goto("/lobby?seek=1&control=3%2B2");
      await expect(page.locator("#seeks tr")).toHaveCount(1);
      await page.goto("/lobby");
      await expect(page.locator("#wait")).not.toBeEmpty();
      await still(page);
      await challenge(page, other);
      await play(page, other, "b1", "b3");
      await play(other, page, "a2", "c2");
      await other.locator("[data-act=draw]").click();
      await expect(page.locator("#reader")).toContainText("offers a draw");
      await still(page);
      await page.locator("#reader").getByRole("button", { name: "Accept" }).click();
      await expect(page.locator("#reader h2")).toBeVisible();
      await still(page);
      await other.context().close();
    });

    test("a page that comes drop by drop is drawn once", async ({ page, browser, club }) => {
      await begin(page);
      const line = await slowly(club), context = await browser.newContext({ storageState: await page.context().storageState(), viewport: { width, height } });
      const slow = await context.newPage();
      await observe(slow);
      for (const path of ["/", "/lobby", "/learn", "/puzzles", "/players", new URL(page.url()).pathname]) {
        await slow.goto(line.url + path);
        expect(await slow.evaluate(() => window.shift), path).toEqual([]);
      }
      await context.close();
      await line.close();
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
