// A connection that breaks at every point between a move and its acknowledgement: the move is made once.

import { expect, moves, square, test } from "../fixtures.js";
import { challenge, person, play } from "../people.js";

/**
 * Stands between the page and the server. cut(message) is asked about every message, with the way it goes, and cuts the
 * connection where it says so: "before" the message is passed on, or "after".
 */
async function between(page) {
  const wire = { cut: /** @type {(message: any, way: "up" | "down") => string | undefined} */ (() => undefined), cuts: 0 };
  await page.routeWebSocket(/\/game\/.*\/socket/, (ws) => {
    const server = ws.connectToServer();
    let broken = false;
    const pass = (way, to) => (text) => {
      if (broken) return;
      const where = wire.cut(JSON.parse(text), way);
      if (where !== "before") to.send(text);
      if (!where) return;
      broken = true;
      wire.cuts++;
      wire.cut = () => undefined;
      ws.close({ code: 4000 });
      server.close();
    };
    ws.onMessage(pass("up", server));
    server.onMessage(pass("down", ws));
  });
  return wire;
}

const points = {
  "before the move leaves": (message, way) => way === "up" && message.type === "move" ? "before" : undefined,
  "when the move has arrived": (message, way) => way === "up" && message.type === "move" ? "after" : undefined,
  "before the acknowledgement comes": (message) => message.type === "ack" ? "before" : undefined,
  "after the acknowledgement has come": (message) => message.type === "ack" ? "after" : undefined,
  "before the change comes": (message) => message.type === "update" ? "before" : undefined,
  "after the change has come": (message) => message.type === "update" ? "after" : undefined,
};

for (const [point, cut] of Object.entries(points)) {
  test(`a connection cut ${point} makes the move once`, async ({ page, browser, club }) => {
    const other = await person(browser, club);
    const wire = await between(page);
    await challenge(page, other, { rules: "mini" });
    wire.cut = cut;
    await square(page, "b1").click();
    await square(page, "b3").click();
    await expect.poll(() => wire.cuts).toBe(1);
    await expect.poll(() => moves(other)).toEqual(["b1-b3"]);
    await expect.poll(() => moves(page)).toEqual(["b1-b3"]);
    await play(other, page, "a3", "c1");
    await play(page, other, "d1", "a4");
    expect(await moves(page)).toEqual(await moves(other));
    expect(await moves(page)).toHaveLength(3);
    await other.context().close();
  });
}

test("an acknowledgement that comes twice, and a change that comes late, change nothing", async ({ page, browser, club }) => {
  const other = await person(browser, club);
  const held = [];
  await page.routeWebSocket(/\/game\/.*\/socket/, (ws) => {
    const server = ws.connectToServer();
    server.onMessage((text) => {
      ws.send(text);
      if (["ack", "update"].includes(JSON.parse(/** @type {string} */ (text)).type)) held.push(() => ws.send(text));
    });
  });
  await challenge(page, other, { rules: "mini" });
  await play(page, other, "b1", "b3");
  await play(other, page, "a3", "c1");
  for (const again of held) again();
  await play(page, other, "d1", "a4");
  expect(await moves(page)).toEqual(await moves(other));
  await other.context().close();
});

test("a page whose server leaves goes over to another without a moment between", async ({ page, browser, club }) => {
  const other = await person(browser, club);
  const sockets = [];
  await page.routeWebSocket(/\/game\/.*\/socket/, (ws) => {
    const server = ws.connectToServer();
    const one = { ws, late: /** @type {string[] | null} */ (null), closed: false };
    if (sockets.length === 1) one.late = []; // the other server takes its time
    sockets.push(one);
    server.onMessage((text) => one.late ? one.late.push(String(text)) : ws.send(text));
    ws.onClose(() => {
      one.closed = true;
      server.close();
    });
  });
  await challenge(page, other, { rules: "mini" });
  await play(page, other, "b1", "b3");
  sockets[0].ws.send(JSON.stringify({ v: 2, type: "leave" }));
  await expect.poll(() => sockets[1]?.late?.length ?? 0).toBeGreaterThan(0);
  await play(other, page, "a3", "c1"); // heard over the first
  await play(page, other, "d1", "a4"); // and made over it
  expect(sockets[0].closed).toBe(false);
  for (const text of sockets[1].late) sockets[1].ws.send(text);
  sockets[1].late = null;
  await expect.poll(() => sockets[0].closed).toBe(true);
  expect(await page.locator("#reader").textContent()).not.toContain("Connection lost");
  await play(other, page, "c1", "c3");
  expect(await moves(page)).toEqual(await moves(other));
  expect(sockets).toHaveLength(2);
  await other.context().close();
});
