import { audit } from "../audit.js";
import { begin, expect, square, test } from "../fixtures.js";
import { challenge, person, play } from "../people.js";

for (const theme of ["light", "dark", "contrast"]) {
  test(`the audit finds nothing in ${theme}`, async ({ page, context, baseURL }) => {
    await context.addCookies([{ name: "loa_look", value: `theme=${theme}`, url: baseURL }]);
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.goto("/");
    await square(page, "c8").click();
    await audit(page);
    await page.getByRole("button", { name: "Language and look" }).click();
    await audit(page);
    await begin(page);
    await square(page, "b1").click();
    await audit(page);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "More" }).click();
    await audit(page);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Resign" }).click();
    await audit(page);
    await page.locator("#reader").getByRole("button", { name: "Resign" }).click();
    await expect(page.locator("#reader h2")).toBeVisible();
    await audit(page);
    await page.goto("/nowhere");
    await audit(page);
  });
}

for (const theme of ["light", "dark"]) {
  test(`the audit finds nothing where people meet and play, in ${theme}`, async ({ page, context, browser, club, baseURL }) => {
    await context.addCookies([{ name: "loa_look", value: `theme=${theme}`, url: baseURL }]);
    await page.emulateMedia({ reducedMotion: "reduce" });
    const other = await person(browser, club);
    await other.goto("/lobby?seek=1&control=10%2B5");
    await page.goto("/lobby");
    await expect(page.locator("#seeks tr")).toHaveCount(1);
    await audit(page);
    await page.goto("/challenge");
    await page.getByText("Change the rules").click();
    await audit(page);
    await page.getByRole("button", { name: "Invite", exact: true }).click();
    await expect(page.locator(".qr")).toBeVisible();
    await audit(page);
    await page.goto("/watch");
    await challenge(page, other);
    await play(page, other, "b1", "b3");
    await square(page, "g8").click();
    await square(page, "g6").click();
    await audit(page);
    await page.keyboard.press("Escape");
    await play(other, page, "a2", "c2");
    await other.locator("[data-act=draw]").click();
    await expect(page.locator("#reader")).toContainText("offers a draw");
    await audit(page);
    await page.getByRole("button", { name: "More" }).click();
    await audit(page);
    await page.keyboard.press("Escape");
    const watcher = await person(browser, club, { colorScheme: theme });
    await watcher.goto("/watch");
    await expect(watcher.locator("[data-match]").first()).toBeVisible();
    await audit(watcher);
    await page.locator("#reader").getByRole("button", { name: "Accept" }).click();
    await expect(page.locator("#reader h2")).toBeVisible();
    await audit(page);
    await other.locator("#say [name=text]").fill("Well played");
    await other.keyboard.press("Enter");
    await page.setViewportSize({ width: 390, height: 844 });
    await page.locator("#talk-open").click();
    await expect(page.locator(".said").first()).toContainText("Well played");
    await audit(page);
    await page.locator("#phrases summary").click();
    await audit(page);
    const game = page.url().split("/").at(-1);
    for (const path of [`/report?game=${game}`, "/people", "/players", "/api"]) {
      await page.goto(path);
      await audit(page);
    }
    for (const one of [other, watcher]) await one.context().close();
  });
}
