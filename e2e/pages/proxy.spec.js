// The club under a path of a host that has other things, too.

import { createServer, request } from "node:http";
import { once } from "node:events";
import { Club } from "../club.js";
import { expect, move, moves, settled, test } from "../fixtures.js";

/** A proxy that has the club under /loa, and answers everything else with 404. @returns {Promise<import("node:http").Server & {target?: URL}>} */
async function proxy() {
  /** @type {import("node:http").Server & {target?: URL}} */
  const server = createServer((asked, answer) => {
    if (!asked.url.startsWith("/loa")) return answer.writeHead(404).end();
    const { hostname, port } = server.target;
    const on = request({ hostname, port, path: asked.url, method: asked.method, headers: asked.headers }, (told) => {
      answer.writeHead(told.statusCode, told.headers);
      told.pipe(answer);
    });
    on.on("error", () => answer.destroy());
    asked.pipe(on);
  });
  server.on("upgrade", (asked, socket) => {
    const { hostname, port } = server.target;
    const on = request({ hostname, port, path: asked.url, headers: asked.headers });
    on.on("error", () => socket.destroy());
    on.on("upgrade", (told, far, first) => {
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${Object.entries(told.headers).map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`);
      socket.write(first);
      far.pipe(socket).pipe(far);
      for (const end of [far, socket]) end.on("error", () => { far.destroy(); socket.destroy(); });
    });
    on.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

test("under a path people play, look for games and have their board without network", async ({ browser }) => {
  const front = await proxy(), address = /** @type {import("node:net").AddressInfo} */ (front.address());
  const origin = `http://127.0.0.1:${address.port}`;
  process.env.LOA_PUBLIC = `${origin}/loa`;
  const club = await Club.open();
  delete process.env.LOA_PUBLIC;
  front.target = new URL(club.url);
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const outside = [];
    page.on("request", (asked) => { if (asked.url().startsWith("http") && !asked.url().startsWith(`${origin}/loa`)) outside.push(asked.url()); });
    page.on("pageerror", (fault) => outside.push(fault.message));

    await page.goto(`${origin}/loa`);
    await page.locator(".seg label:has([value=black])").click();
    await page.locator("#play [type=submit]").click();
    await page.waitForURL(/\/loa\/game\//);
    await settled(page);
    expect(await move(page)).toBe(true);
    await expect.poll(async () => (await moves(page)).length).toBe(2);

    await page.goto(`${origin}/loa/lobby`);
    await expect(page.locator("#quick")).toBeVisible();
    await page.locator("nav a[href='/loa/puzzles']").first().click();
    await page.waitForURL(/\/loa\/puzzles/);

    await page.goto(`${origin}/loa/board`);
    await expect(page.locator("#board .grab").first()).toBeAttached();
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
    await context.setOffline(true);
    await page.goto(`${origin}/loa/board`);
    await expect(page.locator("#board .grab").first()).toBeAttached();
    expect(outside).toEqual([]);
  } finally {
    await context.close();
    await club.close();
    front.closeAllConnections();
    front.close();
  }
});
