// Two people who meet and play: each has a browser context, and so an identity, of their own.

import { expect } from "@playwright/test";
import { moves, square } from "./fixtures.js";

/** Opens a page in a new context. */
export async function person(browser, club, options = {}) {
  const context = await browser.newContext({ baseURL: club.url, locale: "en-US", ...options });
  return context.newPage();
}

/** Begins a game between two pages by a link: the first page's person makes it and plays the color. */
export async function challenge(maker, taker, terms = {}) {
  const answer = await maker.request.post("/challenge", { form: { rules: "standard", control: "5+3", color: "black", ...terms } });
  const link = answer.url();
  await maker.goto("about:blank"); // a page with a socket would be taken to the game while we go there
  await taker.goto(link);
  await taker.getByRole("button", { name: "Accept and play" }).click();
  await taker.waitForURL(/\/game\//);
  await maker.goto(taker.url());
  for (const page of [maker, taker]) await connected(page);
  return link;
}

/** Waits until the page knows who else is here. */
export async function connected(page) {
  await expect(page.locator(".dot.here, .dot.on, .dot.off").first()).toBeAttached();
}

/** Makes a move by tapping, and waits until both pages have it. */
export async function play(page, other, from, to) {
  const count = (await moves(page)).length;
  await square(page, from).click();
  await square(page, to).click();
  for (const one of [page, other]) await expect.poll(async () => (await moves(one)).length).toBeGreaterThan(count);
}
