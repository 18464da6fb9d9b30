import { between, expect, moves, square, test } from "../fixtures.js";
import { challenge, connected, person, play } from "../people.js";

/** Two people in a game, the first with Black; the second page is closed with the test. */
const two = test.extend({
  other: async ({ browser, club }, use) => {
    const other = await person(browser, club);
    await use(other);
    await other.context().close();
  },
});

const reader = (page) => page.locator("#reader");
const press = (page, name) => page.locator("#reader").getByRole("button", { name }).click();

two("a game with clocks is played to its end, and a rematch leads both to the next one", async ({ page, other }) => {
  await challenge(page, other, { rules: "mini", control: "3+2" });
  await play(page, other, "b1", "b3");
  await play(other, page, "a3", "c1");
  await expect(page.locator(".pl.g-p .clk")).toHaveText(/^2:5\d$|^3:0\d$/);
  await expect(page.locator(".clk.run")).toHaveCount(1);
  await play(page, other, "d1", "a4");
  await expect(other.locator(".pl.g-p .clk.run")).toHaveCount(1);
  await play(other, page, "c1", "e1");
  await play(page, other, "b3", "b5");
  await expect(reader(page).locator("h2")).toHaveText("You win");
  await expect(reader(other)).toContainText("Black is connected");
  await expect(page.locator(".clk.run")).toHaveCount(0);
  await press(page, "Rematch as White");
  await expect(reader(page)).toContainText("You offer a rematch.");
  await expect(reader(other)).toContainText("Black offers a rematch.");
  await expect(reader(other)).not.toContainText("*");
  const old = page.url();
  await press(other, "Rematch as Black");
  await Promise.all([page, other].map((one) => one.waitForURL((url) => url.href !== old && url.pathname.startsWith("/game/"))));
  expect(page.url()).toBe(other.url());
  await expect(page.locator(".pl.g-p")).toHaveAttribute("data-side", "white");
});

two("when the time is up the server says so, and no clock shows zero before", async ({ page, other }) => {
  await page.addInitScript(() => {
    window.seen = new Set();
    new MutationObserver(() => document.querySelectorAll(".clk").forEach((clock) => window.seen.add(clock.textContent)))
      .observe(document, { subtree: true, childList: true, characterData: true });
  });
  await challenge(page, other, { control: "5/move" });
  await play(page, other, "b1", "b3"); // the first two moves are off the clock
  await play(other, page, "a2", "c2");
  await play(page, other, "g8", "g6");
  await expect(other.locator(".pl.g-p .clk.low")).toBeVisible({ timeout: 8_000 });
  await expect(reader(page).locator("h2")).toHaveText("You win", { timeout: 15_000 });
  await expect(reader(page)).toContainText("White ran out of time.");
  await expect(other.locator(".pl.g-p .clk")).toHaveText("time");
  const seen = await page.evaluate(() => [...window.seen]);
  expect(seen).toContain("0:00.1");
  expect(seen.filter((text) => /^0:00(\.0)?$/.test(text))).toEqual([]);
});

two("a draw is offered, declined, dies with a move, and is agreed", async ({ page, other }) => {
  await challenge(page, other);
  await play(page, other, "b1", "b3");
  await play(other, page, "a2", "c2");
  await page.locator("[data-act=draw]").click();
  await expect(reader(page)).toContainText("You offer a draw.");
  await expect(reader(other)).toContainText("Black offers a draw.");
  await press(other, "Decline");
  await expect(reader(page)).toContainText("Your move.");
  await page.locator("[data-act=draw]").click({ force: true }); // it says why, although it is disabled
  await expect(reader(page)).toContainText("You have offered that already.");
  await play(page, other, "g8", "g6");
  await other.locator("[data-act=draw]").click();
  await expect(reader(page)).toContainText("White offers a draw.");
  await play(other, page, "a4", "c4");
  await expect(reader(page)).toContainText("Your move.");
  await page.locator("[data-act=draw]").click();
  await press(other, "Accept");
  for (const one of [page, other]) await expect(reader(one)).toContainText("A draw by agreement.");
});

two("a move is taken back only when the other side agrees", async ({ page, other }) => {
  await challenge(page, other);
  await play(page, other, "b1", "b3");
  await page.locator("[data-act=undo]").click();
  await expect(reader(page)).toContainText("You ask to take your last move back.");
  expect(await moves(page)).toEqual(["b1-b3"]);
  await press(other, "Accept");
  await expect.poll(() => moves(page)).toEqual([]);
  await expect(square(page, "b1")).toHaveAttribute("aria-label", "b1, black piece");
  await play(page, other, "c1", "c3");
});

two("a game can be called off before both have moved, and be resigned afterwards, each in two steps", async ({ page, other }) => {
  await challenge(page, other);
  await play(page, other, "b1", "b3");
  await page.getByRole("button", { name: "Call off" }).click();
  await press(page, "Keep playing");
  await play(other, page, "a2", "c2");
  await expect(page.locator("[data-act=resign]")).toHaveText("Resign");
  await page.locator("[data-act=resign]").click();
  await expect(reader(page)).toContainText("Your opponent wins then.");
  await press(page, "Resign");
  await expect(reader(other).locator("h2")).toHaveText("You win");
  await challenge(page, other);
  await page.getByRole("button", { name: "Call off" }).click();
  await press(page, "Call off");
  for (const one of [page, other]) await expect(reader(one).locator("h2")).toHaveText("Called off");
});

two("the first move is not on the clock, but it must come", async ({ page, other }) => {
  await challenge(page, other, { control: "1+2" });
  await expect(reader(page)).toContainText("called off if it does not come");
  await expect(page.locator(".pl.g-p [data-part=state]")).toHaveText(/your move 0:\d\d/);
  await expect(page.locator(".clk.run")).toHaveCount(0);
});

two("a planned move is played the moment it can be", async ({ page, other }) => {
  await challenge(page, other);
  await play(page, other, "b1", "b3");
  await square(page, "g8").click();
  await expect(square(page, "g6")).toHaveAttribute("aria-label", /can be planned/);
  await square(page, "g6").click();
  await expect(reader(page)).toContainText("Planned: g8-g6");
  await expect(page.locator(".plan .pend")).toHaveCount(1);
  await play(other, page, "a2", "c2");
  await expect.poll(() => moves(other)).toEqual(["b1-b3", "a2-c2", "g8-g6"]);
  await expect(page.locator(".plan .pend")).toHaveCount(0);
  await expect(reader(page)).toContainText("White to move.");
});

two("a planned move is canceled by a tap, and dropped when it does not fit", async ({ page, other }) => {
  await challenge(page, other);
  await play(page, other, "b1", "b3");
  await square(page, "g8").click();
  await square(page, "g6").click();
  await square(page, "g6").click();
  await expect(page.locator(".plan .pend")).toHaveCount(0);
  await square(page, "g8").click();
  await square(page, "g3").click(); // five squares, where only two pieces stand on the file
  await play(other, page, "a2", "c2");
  await expect(reader(page)).toContainText("The planned move g8-g3 no longer fits and was dropped.");
  expect(await moves(other)).toEqual(["b1-b3", "a2-c2"]);
});

two("a planned move does not survive a lost connection", async ({ page, other, club }) => {
  await challenge(page, other);
  await play(page, other, "b1", "b3");
  await square(page, "g8").click();
  await square(page, "g6").click();
  await club.kill();
  await expect(page.locator(".pl.g-p [data-part=state]")).toHaveText("offline");
  await club.restart();
  await expect(page.locator(".plan .pend")).toHaveCount(0);
  await expect(reader(page)).toContainText("was dropped");
  await connected(other);
  await play(other, page, "a2", "c2");
  expect(await moves(page)).toEqual(["b1-b3", "a2-c2"]);
});

two("moves can be confirmed, and the browser remembers that", async ({ page, other }) => {
  await challenge(page, other);
  await page.getByRole("button", { name: "More" }).click();
  await page.getByLabel("Ask before each move").check();
  await page.keyboard.press("Escape");
  await square(page, "b1").click();
  await square(page, "b3").click();
  await expect(reader(page)).toContainText("Play b1-b3?");
  expect(await moves(other)).toEqual([]);
  await press(page, "Choose again");
  await expect(square(page, "b1")).toHaveAttribute("aria-label", "b1, black piece");
  await page.reload();
  await square(page, "b1").click();
  await square(page, "b3").click();
  await press(page, "Confirm b1-b3");
  await expect.poll(() => moves(other)).toEqual(["b1-b3"]);
});

two("onlookers are counted, see the moves as they come, and can do nothing", async ({ page, other, browser, club }) => {
  await challenge(page, other);
  const onlooker = await person(browser, club);
  await onlooker.goto(page.url());
  await expect(page.locator(".top [data-part=watching]")).toContainText("1 watching");
  await play(page, other, "b1", "b3");
  await expect.poll(() => moves(onlooker)).toEqual(["b1-b3"]);
  await onlooker.locator("[data-act=resign]").click({ force: true }); // it says why, although it is disabled
  await expect(reader(onlooker)).toContainText("only the players can do that");
  await expect(onlooker.locator(".pl .clk")).toHaveCount(2);
  await onlooker.context().close();
  await expect(page.locator(".top [data-part=watching]")).toBeHidden();
});

two("two pages of one player show the same game, and two moves at once are one", async ({ page, other }) => {
  await challenge(page, other);
  const tab = await page.context().newPage();
  await tab.goto(page.url());
  await play(page, other, "b1", "b3");
  await expect.poll(() => moves(tab)).toEqual(["b1-b3"]);
  await play(other, page, "a2", "c2");
  await expect.poll(() => moves(tab)).toEqual(["b1-b3", "a2-c2"]);
  await square(page, "g8").click();
  await square(tab, "d8").click();
  await Promise.all([square(page, "g6").click(), square(tab, "d6").click()]);
  for (const one of [page, tab, other]) await expect.poll(async () => (await moves(one)).length).toBe(3);
  const made = await moves(other);
  for (const one of [page, tab]) expect(await moves(one)).toEqual(made);
  const pieces = (one) => one.locator(".sq").evaluateAll((all) => Object.fromEntries(all.map((cell) => [cell.dataset.square, cell.ariaLabel.split(", ")[1]])));
  const board = await pieces(other);
  for (const one of [page, tab]) await expect.poll(() => pieces(one)).toEqual(board); // what was refused went back
});

two("a page reloaded during the opponent's move is in the game when it is back", async ({ page, other }) => {
  await challenge(page, other);
  await play(page, other, "b1", "b3");
  await Promise.all([page.reload(), square(other, "a2").click().then(() => square(other, "c2").click())]);
  await expect.poll(() => moves(page)).toEqual(["b1-b3", "a2-c2"]);
  await play(page, other, "g8", "g6");
});

two("what the clocks gave back for the network's delay stands among the terms", async ({ page, other }) => {
  const line = await between(page);
  await challenge(page, other);
  await page.locator("[data-act=more]").click();
  const given = page.locator("#more [data-part=given]");
  await expect(given).toHaveText("Black 0.0\u00a0s, White 0.0\u00a0s");
  const snapshot = await page.evaluate(() => JSON.parse(document.getElementById("match").textContent));
  const clock = { ...snapshot.clock, black: { left: 290_000, lag: 340 } };
  line.say({ ...snapshot, clock, seq: snapshot.seq + 1 });
  await expect(given).toHaveText("Black 0.3\u00a0s, White 0.0\u00a0s");
});

two("who goes away is shown as away, and comes back to the same game", async ({ page, other }) => {
  await challenge(page, other);
  await expect(page.locator(".pl.g-o [data-part=state]")).toHaveText("here");
  const address = other.url();
  await other.goto("/");
  await expect(page.locator(".pl.g-o [data-part=state]")).toHaveText("away");
  await square(page, "b1").click();
  await square(page, "b3").click();
  await other.getByRole("link", { name: "Continue your game" }).click();
  await expect(other).toHaveURL(address);
  await expect.poll(() => moves(other)).toEqual(["b1-b3"]);
  await expect(page.locator(".pl.g-o [data-part=state]")).toContainText("to move");
});

for (const [control, text] of [["5+3", /^away 0:0\d/], ["2d/move", "away"], ["unlimited", "away"]]) {
  two(`for how long someone is away stands where a clock runs down meanwhile, ${control}`, async ({ page, other }) => {
    const line = await between(page);
    await challenge(page, other, { control });
    await play(page, other, "b1", "b3");
    await play(other, page, "a2", "c2");
    await play(page, other, "g8", "g6");
    line.say({ v: 2, type: "presence", black: true, white: false, watching: 0, away: 4_000 });
    await expect(page.locator(".pl.g-o [data-part=state]")).toHaveText(text);
  });
}

for (const control of ["5+3", "unlimited"]) {
  two(`a game can be claimed from someone who left long ago, ${control}`, async ({ page, other }) => {
    const sent = [];
    let say = () => {};
    await page.routeWebSocket(/\/socket$/, (socket) => {
      const server = socket.connectToServer();
      say = (message) => socket.send(JSON.stringify(message));
      socket.onMessage((text) => {
        sent.push(JSON.parse(text));
        server.send(text);
      });
    });
    await challenge(page, other, { control });
    await play(page, other, "b1", "b3");
    await play(other, page, "a2", "c2");
    await play(page, other, "g8", "g6");
    say({ v: 2, type: "presence", black: true, white: false, watching: 0, away: 3_600_000 });
    await expect(reader(page)).toContainText("left on their own turn");
    await press(page, "Claim the win");
    await expect.poll(() => sent.some((message) => message.type === "claim")).toBe(true);
    await expect(reader(page)).toContainText("That is not possible now."); // the server knows better: the other is here
  });
}
