import { expect, test } from "../fixtures.js";
import { person } from "../people.js";

test("an invitation is made, scanned, and accepted by one person only", async ({ page, browser, club }) => {
  await page.goto("/challenge");
  await page.getByText("Change the rules").click();
  await page.getByLabel("No legal move").selectOption("loss");
  await page.getByLabel("Time", { exact: true }).selectOption("byoyomi");
  await page.getByLabel("Minutes").fill("2");
  await page.getByLabel("Seconds").fill("30");
  await page.getByLabel("Periods").fill("3");
  await page.locator(".seg label:has([value=white])").click();
  await page.getByRole("button", { name: "Invite", exact: true }).click();
  await expect(page.getByRole("img", { name: "QR code of the link" })).toBeVisible();
  const link = await page.getByRole("textbox", { name: "Link" }).inputValue();
  expect(link).toBe(page.url());
  await page.getByRole("button", { name: "Copy" }).click();
  await expect(page.getByRole("button", { name: "Copied" })).toBeVisible();

  const [friend, third] = [await person(browser, club), await person(browser, club)];
  await friend.goto(link);
  for (const term of ["2 minutes, then 3 periods of 30 seconds", "That side loses", "Casual, since the rules are changed", "Draw the third time", "Black"]) {
    await expect(friend.locator("main")).toContainText(term);
  }
  await third.goto(link); // looking binds nobody
  await friend.getByRole("button", { name: "Accept and play" }).click();
  await Promise.all([page, friend].map((one) => one.waitForURL(/\/game\//)));
  expect(page.url()).toBe(friend.url());
  await expect(page.locator(".pl.g-p")).toHaveAttribute("data-side", "white");
  await expect(page.locator(".pl.g-p .clk")).toHaveText("2:00 ×3");
  await third.getByRole("button", { name: "Accept and play" }).click();
  await expect(third.locator("main")).toContainText("Somebody else has accepted this invitation.");
  expect((await third.goto(link)).status()).toBe(409);
  await friend.goto(link); // whoever plays is led to the game
  await expect(friend).toHaveURL(page.url());
  for (const one of [friend, third]) await one.context().close();
});

test("an invitation that was withdrawn says so", async ({ page, browser, club }) => {
  await page.goto("/challenge");
  await page.getByRole("button", { name: "Invite", exact: true }).click();
  const link = page.url();
  const friend = await person(browser, club);
  await friend.goto(link);
  await page.getByRole("button", { name: "Withdraw the invitation" }).click();
  await expect(page).toHaveURL(/\/lobby$/);
  await friend.getByRole("button", { name: "Accept and play" }).click();
  await expect(friend.locator("main")).toContainText("withdrawn or declined");
  expect((await friend.goto(link)).status()).toBe(410);
  await friend.context().close();
});
