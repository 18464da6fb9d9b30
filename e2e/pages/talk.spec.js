import { begin, expect, square, test } from "../fixtures.js";
import { challenge, person, play } from "../people.js";

const panel = (page) => page.locator("#talk");
const said = (page, room = "players") => page.locator(`.room[data-room=${room}] .said`);
const field = (page) => page.locator("#say [name=text]");
const remarks = (page, room) => said(page, room).locator("p").evaluateAll((all) => all.map((line) => line.querySelector("span")?.textContent ?? line.textContent));

/** Says something with the keyboard. */
async function say(page, text) {
  await field(page).fill(text);
  await field(page).press("Enter");
}

async function phrase(page, name) {
  await page.locator("#phrases summary").click();
  await page.locator("#phrases").getByRole("button", { name }).click();
}

/** Two people in a game, of whom the second reads Dutch. Everything is closed with the test. */
const two = test.extend({
  viewport: { width: 1440, height: 900 },
  other: async ({ browser, club }, use) => {
    const other = await person(browser, club, { locale: "nl-NL", viewport: { width: 1440, height: 900 } });
    await use(other);
    await other.context().close();
  },
  watcher: async ({ browser, club }, use) => {
    const watcher = await person(browser, club, { locale: "es-ES", viewport: { width: 1440, height: 900 } });
    await use(watcher);
    await watcher.context().close();
  },
});

/** Begins a game between an English and a Dutch page. */
async function meet(page, other) {
  const answer = await page.request.post("/challenge", { form: { control: "5+3", color: "black" } });
  await other.goto(answer.url());
  await other.locator("main form .go").click();
  await other.waitForURL(/\/game\//);
  await page.goto(other.url());
  for (const one of [page, other]) await expect(one.locator(".dot.here, .dot.on").first()).toBeAttached();
}

two("players talk among themselves, and phrases are read in each one's language", async ({ page, other, watcher }) => {
  await meet(page, other);
  await watcher.goto(page.url());
  await say(page, "Nice to meet you <img src=x onerror=alert(1)>");
  await phrase(page, "Good luck!");
  await expect.poll(() => remarks(other, "players")).toEqual(["Nice to meet you <img src=x onerror=alert(1)>", "Succes!"]);
  await expect.poll(() => remarks(page, "players")).toEqual(["Nice to meet you <img src=x onerror=alert(1)>", "Good luck!"]);
  await expect(field(page)).toHaveValue("");
  await phrase(other, "Bedankt!");
  await expect.poll(async () => (await remarks(page, "players")).at(-1)).toBe("Thank you!");
  await expect(said(other).locator("img")).toHaveCount(0);
  await expect(watcher.locator(".room[data-room=players]")).toHaveCount(0);
  await watcher.reload();
  expect(await watcher.locator("body").innerText()).not.toContain("Nice to meet you");
  await page.reload();
  await expect.poll(() => remarks(page, "players")).toEqual(["Nice to meet you <img src=x onerror=alert(1)>", "Good luck!", "Thank you!"]);
  await expect(said(page).locator("b").first()).toHaveText("You");
});

two("onlookers talk among themselves, and the players read it after the game", async ({ page, other, watcher, browser, club }) => {
  const second = await person(browser, club, { viewport: { width: 1440, height: 900 } });
  await meet(page, other);
  for (const one of [watcher, second]) await one.goto(page.url());
  await say(watcher, "Black is better"); // the server does not know the watcher yet, so the page is loaded again
  await expect.poll(() => remarks(watcher, "onlookers")).toEqual(["Black is better"]);
  await expect.poll(() => remarks(second, "onlookers")).toEqual(["Black is better"]);
  await phrase(watcher, "¡Buena jugada!");
  await expect.poll(() => remarks(second, "onlookers")).toEqual(["Black is better", "Nice move!"]);
  await expect(page.locator(".room[data-room=onlookers]")).toBeHidden();
  await play(page, other, "b1", "b3");
  await play(other, page, "a2", "c2");
  await page.locator("[data-act=resign]").click();
  await page.locator("#reader .bad").click();
  await page.locator(".room[data-room=players]").getByRole("button", { name: "Onlookers" }).click();
  await expect.poll(() => remarks(page, "onlookers")).toEqual(["Black is better", "Nice move!"]);
  await expect(page.locator("#speak")).toBeHidden();
  await page.locator(".room[data-room=onlookers]").getByRole("button", { name: "Players" }).click();
  await say(page, "Well done");
  await expect.poll(() => remarks(other, "players")).toEqual(["Well done"]);
  await second.context().close();
});

two("one tap mutes the opponent in every game, and one takes it back", async ({ page, other }) => {
  await meet(page, other);
  await say(other, "AAAAAA");
  await expect.poll(() => remarks(page, "players")).toEqual(["AAAAAA"]);
  await page.getByRole("button", { name: "Mute", exact: true }).click();
  await expect(said(page)).toHaveText("You have muted them, in every game.");
  await say(other, "BBBBBB");
  await expect.poll(() => remarks(other, "players")).toEqual(["AAAAAA", "BBBBBB"]);
  await meet(page, other);
  await say(other, "CCCCCC");
  await expect(said(page)).toHaveText("You have muted them, in every game.");
  await page.getByRole("button", { name: "Unmute", exact: true }).click();
  await expect.poll(() => remarks(page, "players")).toEqual(["CCCCCC"]);
});

two("an onlooker can be muted by name", async ({ page, other, watcher, browser, club }) => {
  const second = await person(browser, club, { viewport: { width: 1440, height: 900 } });
  await meet(page, other);
  for (const one of [watcher, second]) {
    await one.goto(page.url());
    await say(one, "first");
    await expect(said(one, "onlookers").locator("b")).toHaveCount(1);
    await one.reload();
  }
  await expect.poll(() => remarks(second, "onlookers")).toEqual(["first", "first"]);
  await said(second, "onlookers").getByRole("button").click();
  await second.locator(".room .row.sm").getByRole("button", { name: "Mute" }).click();
  await expect.poll(() => remarks(second, "onlookers")).toEqual(["first"]);
  await say(watcher, "second");
  await expect.poll(() => remarks(watcher, "onlookers")).toEqual(["first", "first", "second"]);
  await second.locator(".room .row.sm").getByRole("button", { name: "Unmute" }).click();
  await expect.poll(() => remarks(second, "onlookers")).toEqual(["first", "first", "second"]);
  await second.context().close();
});

two("what is refused stays in the field, with the reason", async ({ page, other }) => {
  await meet(page, other);
  for (let i = 0; i < 5; i++) {
    await say(page, `remark ${i}`);
    await expect(field(page)).toHaveValue("");
  }
  await say(page, "one too many");
  await expect(page.locator("#unsaid")).toContainText(/Too fast. Try again in \d seconds?\./);
  await expect(field(page)).toHaveValue("one too many");
  await expect(field(page)).toBeEditable();
});

two("what was on its way when the connection was lost is said once", async ({ page, other }) => {
  let hold = false, drop = () => {};
  await page.routeWebSocket(/\/socket$/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((text) => hold && /"(ack|talk)"/.test(text) || socket.send(text));
    drop = () => {
      hold = false;
      socket.close();
    };
  });
  await meet(page, other);
  hold = true;
  await say(page, "only once");
  await expect.poll(() => remarks(other, "players")).toEqual(["only once"]);
  await expect(field(page)).toHaveValue("only once");
  drop();
  await expect(field(page)).toHaveValue("", { timeout: 10_000 });
  expect(await remarks(other, "players")).toEqual(["only once"]);
  await expect.poll(() => remarks(page, "players")).toEqual(["only once"]);
});

two("chat can be hidden", async ({ page, other }) => {
  await meet(page, other);
  await page.getByRole("button", { name: "Language and look" }).click();
  await page.locator("#look [name=talk]").selectOption("off");
  await expect(panel(page)).toHaveCount(0);
  await expect(page.locator("#talk-open")).toHaveCount(0);
});

two("nobody talks to the computer", async ({ page }) => {
  await begin(page);
  await expect(panel(page)).toHaveCount(0);
});

for (const [name, viewport] of Object.entries({ "a phone": { width: 390, height: 844 }, "a small phone": { width: 320, height: 568 }, "a phone on its side": { width: 667, height: 375 }, "a tablet": { width: 1024, height: 768 } })) {
  test.describe(`on ${name}`, () => {
    test.use({ viewport });

    test(`the talk is under a button that counts what is new, and nothing moves (${name})`, async ({ page, browser, club }) => {
      const other = await person(browser, club);
      await challenge(page, other);
      const opener = page.locator("#talk-open"), board = await page.locator("#board").boundingBox();
      const still = async () => {
        expect(await page.locator("#board").boundingBox()).toEqual(board);
        expect(await page.evaluate(() => [document.documentElement.scrollWidth - innerWidth, document.documentElement.scrollHeight - innerHeight, scrollY])).toEqual([0, 0, 0]);
      };
      await expect(panel(page)).toBeHidden();
      await other.setViewportSize({ width: 1440, height: 900 });
      await say(other, "hello");
      await say(other, "are you there?");
      await expect(opener).toHaveAccessibleName("Chat, 2 new");
      await expect(opener.locator(".badge")).toHaveText("2");
      await still();
      await opener.click();
      await expect(panel(page)).toBeVisible();
      await expect(opener).toHaveAccessibleName("Chat");
      await still();
      await say(page, "yes");
      await expect.poll(() => remarks(other, "players")).toEqual(["hello", "are you there?", "yes"]);
      await page.locator("#phrases summary").click();
      for (const target of await panel(page).locator(".btn:visible").all()) {
        const box = await target.boundingBox();
        expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(43.9);
      }
      await page.keyboard.press("Escape"); // closes the phrases
      await expect(panel(page)).toBeVisible();
      await still();
      await page.keyboard.press("Escape"); // and then the talk
      await expect(panel(page)).toBeHidden();
      await still();
      await square(page, "b1").click();
      await square(page, "b3").click();
      await expect(other.locator("#moves button")).toHaveCount(1);
      await page.reload();
      await expect(opener).toHaveAccessibleName("Chat"); // what was read stays read
      await other.context().close();
    });
  });
}

two("the keyboard alone talks, mutes and comes back to the board", async ({ page, other }) => {
  await meet(page, other);
  await field(page).focus();
  await page.keyboard.type("hi");
  await page.keyboard.press("Enter");
  await expect.poll(() => remarks(other, "players")).toEqual(["hi"]);
  await page.keyboard.press("Escape");
  expect(await page.evaluate(() => document.activeElement?.closest("#board") !== null)).toBe(true);
  await expect(said(page)).toHaveAttribute("role", "log");
});

two("somebody is reported from the chat, and the form keeps what was written", async ({ page, other, context }) => {
  await meet(page, other);
  const opened = context.waitForEvent("page");
  await panel(page).getByRole("link", { name: "Report" }).click();
  const form = await opened;
  await expect(form.getByRole("heading")).toHaveText("Report a player");
  await form.locator("[name=reason]").selectOption("other");
  await form.getByRole("button", { name: "Send the report" }).click();
  await expect(form.getByRole("alert")).toHaveText("Say in a few words what is wrong.");
  await expect(form.locator("[name=reason]")).toHaveValue("other");
  await form.getByLabel("What happened").fill("Nothing, this is a test.");
  await form.getByRole("button", { name: "Send the report" }).click();
  await expect(form.getByRole("heading")).toHaveText("Report sent");
});

test("whom one follows is listed with the game to watch, and named in the lobby", async ({ page, browser, club }) => {
  const [marit, other] = [await person(browser, club), await person(browser, club)];
  const name = `Marit${Date.now() % 100000}`;
  await marit.request.post("/join", { form: { name, password: "correct horse battery" } });
  await page.goto(`/players/${name}`);
  await page.getByRole("button", { name: "Follow", exact: true }).click();
  await expect(page.getByRole("button", { name: "Unfollow" })).toBeVisible();
  await page.goto("/lobby");
  await expect(page.locator("#here")).toHaveText("Nobody you follow is here now.");
  await challenge(marit, other);
  await expect(page.locator("#here")).toHaveText(`Here now: ${name}`);
  await page.goto("/players");
  await page.getByRole("link", { name: "Watch the game" }).click();
  await expect(page).toHaveURL(marit.url());
  for (const one of [marit, other]) await one.context().close();
});
