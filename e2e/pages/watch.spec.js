import { Club } from "../club.js";
import { expect, test as base } from "../fixtures.js";
import { challenge, person, play } from "../people.js";

// A club of its own, where no other test has left games behind.
const test = base.extend({
  quiet: async ({}, use) => {
    const club = await Club.open();
    await use(club);
    await club.close();
  },
});

test("games being played move on small boards, at home, in the lobby and in the list", async ({ browser, quiet: club }) => {
  const page = await person(browser, club);
  const [black, white] = [await person(browser, club), await person(browser, club)];
  await page.goto("/watch");
  await expect(page.locator("main")).toContainText("No game between people is being played");
  await challenge(black, white, { rules: "mini", control: "5+3" });
  const pages = { "/": page, "/lobby": await person(browser, club), "/watch": await person(browser, club) };
  const piece = (one, x, y) => one.locator(`.mini use[transform="translate(${x} ${y})"]`);
  for (const [path, one] of Object.entries(pages)) {
    await one.goto(path);
    await expect(one.locator("[data-match]")).toHaveCount(1);
    await expect(piece(one, 1.5, 5.5)).toHaveAttribute("href", "#mb");
  }
  await play(black, white, "b1", "b3");
  await play(white, black, "a3", "c1");
  for (const one of Object.values(pages)) {
    await expect(piece(one, 2.5, 5.5)).toHaveAttribute("href", "#mw");
    await expect(one.locator(".mini use")).toHaveCount(15);
    await expect(one.locator(".mins .clk.run")).toHaveCount(1);
  }
  await expect(black.locator(".top [data-part=watching]")).toBeHidden(); // small boards are not counted
  await black.locator("[data-act=resign]").click();
  await black.locator("#reader").getByRole("button", { name: "Resign" }).click();
  for (const one of Object.values(pages)) await expect(one.locator(".mins [data-part=terms]")).toHaveText("White wins");
  await page.locator(".mins a").click();
  await expect(page.locator("#reader")).toContainText("Black resigned.");
  for (const one of [black, white, page, pages["/lobby"], pages["/watch"]]) await one.context().close();
});
