import { begin, between, expect, moves, settled, square, test } from "../fixtures.js";

test("a forced pass is said in words", async ({ page }) => {
  const line = await between(page);
  await begin(page);
  await expect.poll(() => line.heard).toBe(1); // the snapshot
  const snapshot = await page.evaluate(() => JSON.parse(document.getElementById("match").textContent));
  const ply = (move) => ({ move, board: snapshot.position.board, groups: [2, 2] });
  line.say({ ...snapshot, type: "update", from: snapshot.seq, seq: snapshot.seq + 2, keep: 0, plies: [ply("b1-b3"), ply("pass")] });
  await expect(page.locator("#reader")).toContainText("White had no legal move and passed. Your move.");
  expect(await moves(page)).toEqual(["b1-b3", "pass"]);
  line.say({ ...snapshot, type: "update", from: snapshot.seq + 2, seq: snapshot.seq + 5, keep: 2, plies: [ply("b3-b1"), ply("a2-c2"), ply("pass"), ply("c2-a2")] });
  await expect(page.locator("#reader")).toContainText("Black had no legal move and passed. White played c2-a2. Your move.");
});

test("a move is shown as sent until the server has answered", async ({ page }) => {
  const line = await between(page);
  await begin(page);
  await expect.poll(() => line.heard).toBe(1); // the snapshot
  line.hold = true;
  await square(page, "b1").click();
  await square(page, "b3").click();
  await expect(page.locator(".pend")).toHaveCount(1);
  await expect(square(page, "b3")).toHaveAttribute("aria-label", "b3, black piece");
  await expect(page.locator(".grab")).toHaveCount(0);
  line.hold = false;
  line.say({ v: 2, type: "pong", seq: 99 }); // the page learns that it missed something and asks
  await expect.poll(async () => (await moves(page)).length).toBeGreaterThan(0);
  await settled(page);
  await expect(page.locator(".pend")).toHaveCount(0);
});

test("a refusal is said in words, and the piece goes back", async ({ page }) => {
  const line = await between(page);
  await begin(page);
  await expect.poll(() => line.heard).toBe(1); // the snapshot
  let client = "";
  await page.exposeFunction("seen", (text) => (client = JSON.parse(text).client ?? client));
  line.hold = true;
  await page.evaluate(() => {
    const send = WebSocket.prototype.send;
    WebSocket.prototype.send = function (text) {
      window.seen(text);
      if (JSON.parse(text).type !== "move") send.call(this, text);
    };
  });
  await square(page, "b1").click();
  await square(page, "b3").click();
  await expect.poll(() => client).not.toBe("");
  line.say({ v: 2, type: "refused", client, code: "internal", text: "" });
  await expect(page.locator("#reader")).toContainText("Nothing is lost; try again.");
  await expect(square(page, "b1")).toHaveAttribute("aria-label", "b1, black piece");
  await expect(page.locator(".grab").first()).toBeAttached();
});

test("a page older than the server says so, and does not go on", async ({ page }) => {
  const line = await between(page);
  await begin(page);
  await expect.poll(() => line.heard).toBe(1); // the snapshot
  line.say({ v: 99, type: "update", what: "nobody knows" });
  await expect(page.locator("#reader")).toContainText("This page is older than the server.");
  await expect(page.locator(".grab")).toHaveCount(0);
  await page.getByRole("button", { name: "Load again" }).click();
  await settled(page);
  await expect(page.locator("#reader")).not.toContainText("older");
});
