// Moderators: from a report to what is done about it, and what the person concerned sees.

import { execFileSync } from "node:child_process";
import { audit } from "../audit.js";
import { expect, test } from "../fixtures.js";
import { challenge, person } from "../people.js";

/** Holds a page against the audit, and against scrolling sideways. */
async function sound(page) {
  await audit(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBeLessThanOrEqual(0);
}

const join = (page, name) => page.request.post("/join", { form: { name, password: "a password for tests" } });

test("a report leads to a mute, which the person reads and is held to", async ({ page, browser, club }) => {
  const rude = await person(browser, club), moderator = await person(browser, club, { viewport: { width: 320, height: 2400 }, colorScheme: "dark" });
  await join(rude, "Rudolf");
  await join(moderator, "Judith");
  execFileSync(process.env.LOA_BIN, ["admin", "--data", club.data, "appoint", "Judith", "--reason", "first"]);
  await challenge(page, rude);
  const game = new URL(page.url()).pathname;
  await rude.request.post(`${game}/talk`, { form: { room: "players", text: "you play like a cow" } });
  await page.request.post("/report", { form: { game: game.slice("/game/".length), about: "white", reason: "abuse", text: "Please look at this." } });

  await moderator.goto("/account");
  await moderator.getByRole("link", { name: "Moderation" }).click();
  await expect(moderator.locator("main")).toContainText("you play like a cow");
  await sound(moderator);
  await moderator.getByRole("link", { name: "State of the service" }).click();
  await expect(moderator.getByRole("row", { name: "Games begun" })).toContainText(/\d/);
  await sound(moderator);
  await moderator.goBack();
  await moderator.getByRole("link", { name: "Rudolf" }).first().click();
  await sound(moderator);
  await moderator.getByRole("radio", { name: /^Mute/ }).check();
  await moderator.getByLabel("For how many days").fill("3");
  await moderator.getByLabel("Reason").fill("Insults.");
  await moderator.getByRole("button", { name: "Do it" }).click();
  await expect(moderator.locator("main")).toContainText("May not talk");
  await moderator.getByLabel("What was done about it").fill("Muted for three days.");
  await moderator.getByRole("button", { name: "Close the report" }).click();
  await expect(moderator.locator("main")).toContainText("Nothing is reported.");

  await rude.goto("/");
  await rude.getByRole("link", { name: "A moderator has written to you" }).click();
  await expect(rude.locator("main")).toContainText("Insults.");
  await sound(rude);
  await rude.getByRole("button", { name: "I have read this" }).click();
  await expect(rude.getByRole("link", { name: "A moderator has written to you" })).toHaveCount(0);
  const answer = await rude.request.post(`${game}/talk`, { form: { room: "players", text: "again" } });
  expect(answer.status()).toBe(403);

  await moderator.goto(`/moderation/games/${game.slice("/game/".length)}`);
  await sound(moderator);
  await moderator.getByLabel("Does not count").check();
  await moderator.getByLabel("Reason").fill("Not a game any more.");
  await moderator.getByRole("button", { name: "Do it" }).click();
  await expect(page.locator("#reader")).toContainText("It does not count."); // the players see it at once
  await moderator.context().close();
  await rude.context().close();
});
