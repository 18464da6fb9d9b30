// What every page test needs: a running club, a watch over the page, and hands that play.

import { test as base, expect } from "@playwright/test";
import { Club } from "./club.js";

export { expect };

/** @type {ReturnType<typeof base.extend<{watched: void}, {club: Club}>>} */
export const test = base.extend({
  club: [async ({}, use) => {
    const club = await Club.open();
    await use(club);
    await club.close();
  }, { scope: "worker" }],

  baseURL: async ({ club }, use) => use(club.url),

  // Whatever else a test looks at: no script fails, the policy is never broken, and nobody else is asked for anything.
  page: async ({ page, club }, use) => {
    const wrong = [];
    page.on("pageerror", (error) => wrong.push(`script: ${error.message}`));
    page.on("console", (message) => {
      if (message.type() === "error" && !/WebSocket|ERR_CONNECTION|ERR_INTERNET_DISCONNECTED|status of 404/.test(message.text())) wrong.push(`console: ${message.text()}`);
    });
    page.on("request", (request) => {
      if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).host !== new URL(club.url).host) wrong.push(`request to ${request.url()}`);
    });
    await page.addInitScript(() => addEventListener("securitypolicyviolation", (event) => console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`)));
    await use(page);
    expect(wrong).toEqual([]);
  },
});

/** A square of the board by its name. */
export const square = (page, name) => page.locator(`.sq[data-square="${name}"]`);

/** The names of the moves made so far. */
export const moves = (page) => page.locator("#moves button").allTextContents();

/** Begins a game from the home page with its form. */
export async function begin(page, { rules = "standard", level = 1, color = "black" } = {}) {
  await page.goto("/");
  await page.locator("[name=rules]").selectOption(rules);
  await page.locator("[name=level]").fill(String(level));
  await page.locator(`.seg label:has([value=${color}])`).click();
  await page.locator("#play [type=submit]").click();
  await page.waitForURL(/\/game\//);
  await settled(page);
}

/** Waits until the player can move or the game is over. */
export async function settled(page) {
  await expect(page.locator("#board .grab, main.end").first()).toBeAttached();
}

/** The squares the selected piece can land on, as the labels say. */
export const landings = (page) => page.locator('.sq[aria-label*="can land here"]');

/**
 * Makes a sensible move by tapping: the piece farthest out that can come nearest to the middle. The computer's
 * answer is waited for. Returns false when the game is over.
 */
export async function move(page) {
  await settled(page);
  if (await page.locator("main.end").count()) return false;
  const count = (await moves(page)).length;
  const size = Number(await page.locator("#board").getAttribute("data-size"));
  const far = (name) => Math.hypot(name.charCodeAt(0) - 97 - (size - 1) / 2, Number(name.slice(1)) - 1 - (size - 1) / 2);
  const pieces = await page.locator(".sq.grab").evaluateAll((all) => all.map((cell) => cell.dataset.square));
  for (const piece of pieces.sort((a, b) => far(b) - far(a))) {
    await square(page, piece).click();
    const targets = await landings(page).evaluateAll((all) => all.map((cell) => cell.dataset.square));
    if (targets.length === 0) {
      await square(page, piece).click();
      continue;
    }
    await square(page, targets.sort((a, b) => far(a) - far(b))[0]).click();
    await expect.poll(async () => (await moves(page)).length).toBeGreaterThan(count);
    await settled(page);
    return true;
  }
  throw new Error("no piece can move, and the game is not over");
}

/** Stands between the page and the server: a test can hold back what the server says, and say things in its place. */
export async function between(page) {
  const line = { heard: 0, say: () => {}, hold: false };
  await page.routeWebSocket(/\/socket$/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((text) => {
      if (line.hold) return;
      socket.send(text);
      if (JSON.parse(text).type === "snapshot") line.heard++;
    });
    line.say = (message) => socket.send(JSON.stringify(message));
  });
  return line;
}
