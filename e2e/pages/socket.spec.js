import { begin, expect, move, moves, settled, test } from "../fixtures.js";

/** Opens a second socket on the page's game, says things on it, and returns all answers until one of a kind. */
const converse = (page, say, until) => page.evaluate(([say, until]) => new Promise((resolve, reject) => {
  const heard = [], socket = new WebSocket(`${location.href.replace("http", "ws")}/socket`);
  socket.onmessage = (event) => {
    const message = JSON.parse(event.data);
    if (heard.push(message) === 1) say.forEach((text) => socket.send(text));
    if (heard.filter((one) => one.type === until).length >= Math.max(1, say.length)) resolve(heard), socket.close();
  };
  socket.onerror = () => reject(new Error("the socket failed"));
}), [say, until]);

test("junk on the socket is answered and changes nothing", async ({ page }) => {
  await begin(page);
  await move(page);
  const before = await moves(page);
  const match = new URL(page.url()).pathname.split("/").pop();
  const junk = ["", "{", "null", "42", '{"v":9}', JSON.stringify({ v: 2, match, type: "fly" }), JSON.stringify({ v: 2, match, type: "move", move: "e9-e1", ply: 2 })];
  const heard = await converse(page, junk, "refused");
  expect(heard.filter((one) => one.type === "refused").map((one) => one.code)).toEqual(junk.map(() => "malformed"));
  const illegal = ["a2-a3", "h7-h6", "pass"].map((text) => JSON.stringify({ v: 2, match, type: "move", move: text, ply: 2, client: text }));
  const refused = (await converse(page, illegal, "refused")).filter((one) => one.type === "refused");
  expect(refused.map((one) => one.code)).toEqual(illegal.map(() => "illegal-move"));
  await page.reload();
  await settled(page);
  expect(await moves(page)).toEqual(before);
});

test("reconnecting changes nothing", async ({ page }) => {
  await begin(page);
  await move(page);
  const [first] = await converse(page, [], "snapshot");
  for (let i = 0; i < 5; i++) expect((await converse(page, [], "snapshot"))[0]).toEqual(first);
  await page.reload();
  await settled(page);
  expect((await converse(page, [], "snapshot"))[0]).toEqual(first);
});

test("a stranger sees the game and cannot touch it", async ({ page, browser, club }) => {
  await begin(page);
  const context = await browser.newContext({ baseURL: club.url });
  const stranger = await context.newPage();
  await stranger.goto(page.url());
  await expect(stranger.locator("#reader")).toContainText("Black to move");
  const match = new URL(page.url()).pathname.split("/").pop();
  const answer = await converse(stranger, [JSON.stringify({ v: 2, match, type: "move", move: "b1-b3", ply: 0, client: "x" })], "refused");
  expect(answer.at(-1).code).toBe("not-your-seat");
  expect(await moves(page)).toEqual([]);
  await context.close();
});
