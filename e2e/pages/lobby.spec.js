import { expect, moves, square, test } from "../fixtures.js";
import { connected, person, play } from "../people.js";

test("two strangers meet through the lobby and play", async ({ page, browser, club }) => {
  const other = await person(browser, club);
  await page.goto("/");
  await page.getByRole("button", { name: "Find an opponent" }).click();
  await expect(page.getByRole("button", { name: "Looking… stop" })).toBeVisible();
  await expect(page.locator("#wait")).toContainText("You look for Standard 5+3");
  await other.goto("/lobby");
  await expect(other.locator("#seeking")).toHaveText("1");
  await expect(other.locator("#wait")).toContainText("1 player waits for Standard 5+3");
  await other.getByRole("button", { name: "Find an opponent" }).click();
  await Promise.all([page, other].map((one) => one.waitForURL(/\/game\//)));
  expect(page.url()).toBe(other.url());
  for (const one of [page, other]) await connected(one);
  const [black, white] = await page.locator(".pl[data-side=black].g-p").count() ? [page, other] : [other, page];
  await play(black, white, "b1", "b3");
  await play(white, black, "a2", "c2");
  await expect(black.locator(".pl.g-p .clk.run")).toHaveCount(1);
  await expect(black.locator(".pl.g-p .clk")).toHaveText(/^4:5\d|5:00/);
  expect(await moves(white)).toEqual(["b1-b3", "a2-c2"]);
  await other.context().close();
});

test("a search ends with its page, goes on after a reload, and is stopped by hand", async ({ page, browser, club }) => {
  const other = await person(browser, club);
  await other.goto("/lobby?seek=1&rules=classic&control=10%2B5");
  await page.goto("/lobby");
  await expect(page.locator("#seeks tr")).toHaveCount(1);
  await expect(page.locator("#seeks")).toContainText("Classic, casual");
  await other.reload();
  await expect(other.getByRole("button", { name: "Looking… stop" })).toBeVisible();
  await expect(other.locator("#seeks tr")).toHaveCount(1);
  await other.getByRole("button", { name: "Looking… stop" }).click();
  await expect(page.locator("#seeks tr")).toHaveCount(0);
  await other.getByRole("button", { name: "Find an opponent" }).click();
  await expect(page.locator("#seeks tr")).toHaveCount(1);
  await other.context().close();
  await expect(page.locator("#seeks tr")).toHaveCount(0);
});

test("another page of the same person shows the search, and stops it", async ({ page, context }) => {
  await page.goto("/lobby?seek=1&rules=classic&control=10%2B5");
  await expect(page.locator("#seeks tr")).toHaveCount(1);
  const second = await context.newPage();
  await second.goto("/lobby");
  await expect(second.locator("#wait")).toContainText("You look for Classic 10+5 on another page");
  await second.getByRole("button", { name: "Looking… stop" }).click();
  for (const one of [page, second]) {
    await expect(one.getByRole("button", { name: "Find an opponent" })).toBeVisible();
    await expect(one.locator("#seeks tr")).toHaveCount(0);
  }
  await expect(page).toHaveURL(/\/lobby$/);
});

test("what cannot be joined says why, and promises no game", async ({ page }) => {
  let say = () => {};
  await page.routeWebSocket(/\/lobby\/socket$/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((text) => say(JSON.parse(text)));
    say = (message) => socket.send(JSON.stringify(message));
  });
  await page.goto("/lobby");
  const seek = { name: "4127", guest: true, rating: 1500, rules: "standard", control: "5+3", color: "none" };
  const count = (prospects, ...which) => prospects.filter((one) => which.includes(one)).length;
  const pool = (prospects) => ({ rules: "standard", control: "5+3", now: count(prospects, undefined), later: count(prospects, "later"), barred: count(prospects, "again", "range") });
  const lobby = (...prospects) => say({ v: 2, type: "lobby", online: 5, seeking: 1, playing: 0, seeks: prospects.map((prospect) => ({ ...seek, prospect })), pools: [pool(prospects)], more: 7, challenges: [], games: [] });
  await expect(page.locator("#online")).toHaveText("1");
  await expect(page.locator("#more")).toBeHidden();
  lobby("again");
  await expect(page.locator("#more")).toHaveText("and 7 more, not listed here");
  await expect(page.locator("#seeks")).toContainText("just played");
  await expect(page.locator("#seeks button")).toHaveCount(0);
  await expect(page.locator("#wait")).toContainText("cannot be paired with you now");
  lobby("range");
  await expect(page.locator("#seeks")).toContainText("not your rating");
  lobby("later", "again");
  await expect(page.locator("#seeks button")).toHaveCount(1);
  await expect(page.locator("#wait")).toContainText("1 player waits for Standard 5+3: your game begins within a minute");
  lobby(undefined, "later");
  await expect(page.locator("#wait")).toContainText("1 player waits for Standard 5+3: your game begins at once");
  seek.rated = true;
  lobby(undefined);
  await expect(page.locator("#seeks button")).toHaveAttribute("aria-disabled", "true");
  await expect(page.locator("#seeks button")).toHaveAttribute("title", "Rated games need an account.");
});

test("a seek is joined, and its maker's color is kept", async ({ page, browser, club }) => {
  const other = await person(browser, club);
  await other.goto("/challenge");
  await other.getByLabel("Time", { exact: true }).selectOption("days");
  await other.getByLabel("Days a move").fill("3");
  await other.locator(".seg label:has([value=white])").click();
  await other.getByRole("button", { name: "Open to everyone" }).click();
  await expect(other.locator("#wait")).toContainText("Your search for Standard 3 days a move stands for 14 days. You may leave");
  await expect(other.locator("#find")).toHaveText("Find an opponent"); // of what is chosen there
  await expect(other).toHaveURL(/\/lobby$/);
  await page.goto("/lobby");
  await expect(page.locator("#seeks")).toContainText("You play Black");
  await page.getByRole("button", { name: /^Join/ }).click();
  await Promise.all([page, other].map((one) => one.waitForURL(/\/game\//)));
  await expect(page.locator(".pl.g-p")).toHaveAttribute("data-side", "black");
  await expect(page.locator(".pl.g-p .clk")).toHaveText(/^(3 d 0|2 d 23) h$/);
  await page.goBack();
  await expect(page).toHaveURL(/\/lobby$/);
  await expect(page.getByRole("button", { name: "Find an opponent" })).toBeVisible(); // going back does not look again
  await page.reload();
  const mine = page.locator("aside:has(#awaited)"), board = await page.context().newPage();
  await expect(mine).toContainText("Your move in 1 game");
  await board.goto(other.url());
  await connected(board);
  await play(board, other, "b1", "b3"); // in another tab
  await expect(page.locator("#awaited")).toBeHidden();
  await expect(mine.locator("[data-part=turn]")).toBeHidden();
  await play(other, board, "a2", "c2");
  await expect(page.locator("#awaited")).toHaveText("Your move in 1 game");
  await expect(mine.locator("[data-part=turn]")).toBeVisible();
  await other.context().close();
});

test("a search at days a move stands when its page is closed, and the game is found later", async ({ page, context, browser, club }) => {
  const other = await person(browser, club);
  await page.goto("/lobby");
  await page.locator("#quick label:has([value='2d/move'])").click();
  await expect(page.locator("#wait")).toHaveText("Nobody waits for Standard 2 days a move just now. A search for it stands for 14 days, also when you leave.");
  const before = await page.locator("#find").boundingBox(), list = await page.locator("#seeks-title").boundingBox();
  await page.locator("#find").focus();
  await page.keyboard.press("Enter");
  await expect(page.locator("#wait")).toContainText("in this browser the game will be among yours");
  await expect(page.locator("#seeks tr")).toContainText("14 days left");
  await expect(page.locator("#find")).toBeFocused();
  await expect(page.locator("#find")).toHaveText("Withdraw");
  expect(await page.locator("#find").boundingBox()).toEqual(before);
  expect(await page.locator("#seeks-title").boundingBox()).toEqual(list);
  await page.close();
  await other.goto("/lobby");
  await expect(other.locator("#seeks tr")).toHaveCount(1);
  await expect(other.locator("#online")).toHaveText("1"); // its maker has gone
  await other.getByRole("button", { name: /^Join/ }).click();
  await other.waitForURL(/\/game\//);
  const back = await context.newPage();
  await back.goto("/lobby");
  const game = back.locator("#games [data-game]");
  await expect(game).toHaveCount(1);
  await expect(back.locator("#seeks tr")).toHaveCount(0);
  await game.getByRole("link").click();
  await expect(back).toHaveURL(other.url());
  for (const one of [back, other]) await connected(one);
  await other.context().close();
});

test("searches at days a move are withdrawn from any page, beside one that is not", async ({ page, context }) => {
  await page.goto("/lobby?seek=1&rules=mini&control=3d%2Fmove");
  await expect(page.locator("#wait")).toContainText("Your search for Mini 3 days a move stands");
  await page.reload(); // which does not look again
  await expect(page.locator("#seeks tr")).toHaveCount(1);
  await expect(page.getByRole("button", { name: "Find an opponent" })).toBeVisible();
  await page.locator("#quick label:has([value='1+2'])").click();
  await page.getByRole("button", { name: "Find an opponent" }).click();
  await expect(page.locator("#seeks tr")).toHaveCount(2);
  await page.getByRole("button", { name: "Looking… stop" }).click();
  await expect(page.locator("#seeks tr")).toHaveCount(1);
  const second = await context.newPage();
  await second.goto("/lobby");
  await second.locator("#seeks button").focus();
  await second.keyboard.press("Enter");
  for (const one of [page, second]) await expect(one.locator("#seeks tr")).toHaveCount(0);
  await expect(second.locator("#find")).toBeFocused();
});

test("who is refused a search at days a move hears why", async ({ page }) => {
  await page.goto("/lobby");
  for (const days of [1, 2, 3]) {
    await page.goto(`/lobby?seek=1&control=${days}d%2Fmove`);
    await expect(page.locator("#seeks tr")).toHaveCount(days);
  }
  await page.goto("/lobby?seek=1&control=4d%2Fmove");
  await expect(page.locator("#wait")).toHaveText("As many searches of yours stand as may at once. Withdraw one first.");
  await expect(page.locator("#seeks tr")).toHaveCount(3);
  for (const left of [2, 1, 0]) {
    await page.getByRole("button", { name: /^Withdraw/ }).last().click();
    await expect(page.locator("#seeks tr")).toHaveCount(left);
  }
});

test("a search outlives a lost connection", async ({ page, browser, club }) => {
  await page.goto("/lobby?seek=1&rules=mini&control=20%2B10");
  await expect(page.locator("#seeks tr")).toHaveCount(1);
  await club.kill();
  await expect(page.locator("#wait")).toContainText("Connection lost");
  await club.restart();
  await expect(page.locator("#wait")).toContainText("You look for Mini 20+10");
  const other = await person(browser, club);
  await other.goto("/lobby");
  await expect(other.locator("#seeks")).toContainText("Mini, casual");
  await other.context().close();
});

test("a lobby older than the server says so, and loads again with what it looks for", async ({ page }) => {
  let say = () => {};
  await page.routeWebSocket(/\/lobby\/socket$/, (socket) => {
    socket.connectToServer();
    say = (message) => socket.send(JSON.stringify(message));
  });
  await page.goto("/lobby");
  await page.locator("#find").click();
  await expect(page.locator("#find")).toHaveText("Looking… stop");
  say({ v: 99, type: "nobody knows" });
  await expect(page.locator("#wait")).toHaveText("This page is older than the server. Load it again to go on; nothing is lost.");
  await page.getByRole("button", { name: "Load again" }).click();
  await expect(page.locator("#find")).toHaveText("Looking… stop");
});
