// The accessibility audit of every page: in every language, in every theme of page and board, at 400 % zoom and in forced
// colors. What happens within a page is audited where it is tested.

import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { audit, contrast } from "../audit.js";
import { expect, test } from "../fixtures.js";
import { person } from "../people.js";

const soft = expect.configure({ soft: true });
const LANGUAGES = { en: "en", nl: "nl", es: "es", de: "de", fr: "fr", "zh-Hans": "zh-CN", ja: "ja" };
const THEMES = ["light", "dark", "contrast"], BOARDS = ["slate", "wood", "paper", "redwhite", "pattern"];

/** Addresses to look at for the patterns that name something. */
const named = (game) => ({
  "/puzzles/{id}": "/puzzles/rq2chmt", "/players/{name}": "/players/Thorvald", "/game/{id}": `/game/${game}`, "/game/{id}/frame": `/game/${game}/frame`,
  "/game/{id}/seat/{secret}": `/game/${game}/seat/guessed`, "/confirm/{secret}": "/confirm/guessed", "/recover/{secret}": "/recover/guessed",
  "/game/{id}/next": null, "/moderation/people/{id}": null, "/moderation/games/{id}": `/moderation/games/${game}`, "/challenge/{id}": null, "/report": "/report?player=Sigrun",
});

/** What the server answers with something else than a page. */
const OTHER = /^\/(start|api\/openapi\.json|manifest\.webmanifest|healthz|readyz|account\/export|watch\/games|puzzles|puzzles\/all|static\/.*|.*socket|.*\.(svg|png|gif|sgf))$/;

/** A moderator's page, and the addresses of every page the server has, with one that it has not. */
async function everything(browser, club, options = {}) {
  const page = await person(browser, club, { reducedMotion: "reduce", ...options });
  await page.request.post("/join", { form: { name: "Thorvald", password: "a password for tests" } });
  if (!page.url().startsWith("http")) await page.goto("/sign-in");
  await page.request.post("/sign-in", { form: { name: "Thorvald", password: "a password for tests" } });
  const other = await person(browser, club);
  await other.request.post("/join", { form: { name: "Sigrun", password: "a password for tests" } });
  await other.context().close();
  execFileSync(process.env.LOA_BIN, ["admin", "--data", club.data, "appoint", "Thorvald", "--reason", "first"]);
  const game = (await page.request.post("/play", { form: { level: "1" } })).url().split("/").pop();
  const source = await readFile(new URL("../../internal/web/server.go", import.meta.url), "utf8");
  const patterns = [...source.matchAll(/"GET (\/[^"]*)"/g)].map(([, pattern]) => pattern.replace("{$}", "")).filter((pattern) => !OTHER.test(pattern));
  const known = named(game);
  const paths = patterns.map((pattern) => known[pattern] === undefined ? pattern : known[pattern]).filter((path) => path !== null);
  expect(paths.filter((path) => path.includes("{"))).toEqual([]); // a new page needs an address to be looked at
  expect(paths.length).toBeGreaterThan(25);
  return { page, paths: [...paths, "/nowhere"] };
}

/** Makes the page so high that nothing of it lies under the bar at its foot. */
async function whole(page, width) {
  await page.setViewportSize({ width, height: 900 });
  if (await page.locator("body.play").count()) return;
  await page.setViewportSize({ width, height: Math.min(12_000, await page.evaluate(() => document.documentElement.scrollHeight) + 100) });
}

for (const [i, [language, locale]] of Object.entries(LANGUAGES).entries()) {
  test(`every page passes the audit in ${language}, and fits at 400 % zoom`, async ({ browser, club }) => {
    test.setTimeout(240_000);
    const { page, paths } = await everything(browser, club, { locale });
    const theme = THEMES[i % THEMES.length];
    await page.context().addCookies([{ name: "loa_look", value: `theme=${theme}&board=${BOARDS[i % BOARDS.length]}`, url: club.url }]);
    for (const path of paths) {
      await page.goto(path);
      await whole(page, i % 2 ? 390 : 1280);
      await audit(page, `${path} in ${language}, ${theme}`);
      await page.setViewportSize({ width: 320, height: 256 });
      await soft.poll(() => page.evaluate(() => document.documentElement.scrollWidth), `${path} in ${language} at 400 %`).toBeLessThanOrEqual(320);
    }
    await page.context().close();
  });
}

for (const theme of THEMES) {
  test(`every page has enough contrast in ${theme}, with every board`, async ({ browser, club }) => {
    test.setTimeout(240_000);
    const { page, paths } = await everything(browser, club);
    await page.context().addCookies([{ name: "loa_look", value: `theme=${theme}`, url: club.url }]);
    await page.setViewportSize({ width: 1280, height: 900 });
    for (const path of paths) {
      await page.goto(path);
      soft(await contrast(page, BOARDS), `${path} in ${theme}`).toEqual([]);
    }
    await page.context().close();
  });
}

test("every page passes the audit in forced colors", async ({ browser, club }) => {
  test.setTimeout(240_000);
  const { page, paths } = await everything(browser, club, { forcedColors: "active" });
  for (const path of paths) {
    await page.goto(path);
    await whole(page, 1280);
    await audit(page, `${path} in forced colors`);
  }
  await page.context().close();
});
