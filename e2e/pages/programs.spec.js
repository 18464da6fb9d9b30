// The pages for those who let programs play: tokens, bots, and what can be asked.

import { audit } from "../audit.js";
import { expect, test } from "../fixtures.js";
import { challenge, person, play } from "../people.js";

/** Holds a page against the audit, and against scrolling sideways. */
async function sound(page) {
  await audit(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBeLessThanOrEqual(0);
}

for (const [theme, width] of /** @type {const} */ ([["light", 1280], ["dark", 390], ["contrast", 320]])) {
  test(`a member makes a token and ends it, in ${theme} at ${width} pixels`, async ({ browser, club }) => {
    const page = await person(browser, club, { viewport: { width, height: 2400 }, reducedMotion: "reduce" });
    await page.context().addCookies([{ name: "loa_look", value: `theme=${theme}`, url: club.url }]);
    await page.request.post("/join", { form: { name: `Rudolf-${width}`, password: "a password for tests" } });
    await page.goto("/account");
    await sound(page);
    await page.goto("/account/tokens");
    await sound(page);
    await page.getByLabel("What it is for").fill("my engine");
    await page.getByRole("button", { name: "Make token" }).click();
    await expect(page.getByRole("alert")).toBeVisible(); // of no use without a scope
    await sound(page);
    await expect(page.getByLabel("What it is for")).toHaveValue("my engine");
    for (const box of await page.getByRole("checkbox").all()) await box.check();
    await page.getByRole("button", { name: "Make token" }).click();
    const secret = await page.locator("code").textContent();
    await sound(page);
    const asked = () => page.request.get("/api/v1/account", { headers: { Authorization: `Bearer ${secret}` } });
    expect((await asked()).status()).toBe(200);
    await page.goto("/account/tokens");
    await expect(page.locator("main")).not.toContainText(secret ?? ""); // it is shown once
    await page.getByRole("button", { name: "Revoke my engine" }).click();
    await expect(page.locator("main")).not.toContainText("my engine");
    expect((await asked()).status()).toBe(401);
    await page.goto("/api");
    await sound(page);
    await page.context().close();
  });
}

test("a bot is marked in its games, in what it says, and where people look", async ({ page, browser, club }) => {
  const bot = await person(browser, club), onlooker = await person(browser, club);
  await bot.request.post("/join", { form: { name: "Ratchet", password: "a password for tests" } });
  await page.request.post("/join", { form: { name: "Ingrid", password: "a password for tests" } });
  await bot.goto("/account/tokens");
  await bot.getByRole("button", { name: "bot" }).click();
  await sound(bot);
  await page.request.post("/players/Ratchet/follow", { form: { follow: "on" } });
  await challenge(page, bot);
  await play(page, bot, "b1", "b3");
  await bot.locator("#say [name=text]").fill("beep");
  await bot.keyboard.press("Enter");
  await expect(page.locator(".said").first()).toContainText("Ratchet (bot) beep");
  await expect(page.locator("[data-side=white] .bot")).toHaveText("bot");
  await page.reload();
  await expect(page.locator(".said").first()).toContainText("Ratchet (bot) beep");
  await sound(page);
  await onlooker.goto("/watch");
  await expect(onlooker.locator("[data-match] .bot")).toHaveText("bot");
  await page.goto("/lobby");
  await expect(page.locator("#here")).toContainText("Ratchet (bot)");
  await page.goto("/players");
  await expect(page.getByRole("listitem").filter({ hasText: "Ratchet" }).locator(".bot")).toHaveText("bot");
  await sound(page);
  for (const one of [bot, onlooker]) await one.context().close();
});
